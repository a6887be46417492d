"""Tilting thrusters: servos that turn a thruster about a hinge through its position."""

from typing import NamedTuple

from remora.equations.actuators.thrusters import Thruster, thruster_effect
from remora.equations.algebra.elementary import cos, select, sin
from remora.equations.algebra.vectors import add3, cross, dot3, multiply6, scale3
from remora.equations.types import Direction, Vector3, Vector6


class Swivel(NamedTuple):
    """Hinge of a thruster that a servo turns."""

    hinge: Vector3  # unit vector, a positive angle turns by the right-hand rule; zero for a thruster that is fixed
    reaction: float  # m, torque about the thruster's axis per newton
    shares: Vector6  # factors on the wrench, in body axes


def turned_axis(axis: Direction, hinge: Direction, angle: float) -> Vector3:
    """An axis rotated about a hinge: Rodrigues' rotation formula."""
    c, s = cos(angle), sin(angle)
    along = scale3((1.0 - c) * dot3(hinge, axis), hinge)
    return add3(add3(scale3(c, axis), scale3(s, cross(hinge, axis))), along)


def swivel_effect(swivel: Swivel, position: Vector3, axis: Direction) -> Vector6:
    """Wrench about B per newton of a thruster with this axis."""
    return multiply6(swivel.shares, thruster_effect(position, axis, swivel.reaction))


def select6(condition: bool, a: Vector6, b: Vector6) -> Vector6:
    """a where the condition holds, else b."""
    return (
        select(condition, a[0], b[0]),
        select(condition, a[1], b[1]),
        select(condition, a[2], b[2]),
        select(condition, a[3], b[3]),
        select(condition, a[4], b[4]),
        select(condition, a[5], b[5]),
    )


def with_orientation(thruster: Thruster, axis: Direction, effect: Vector6) -> Thruster:
    """A thruster with another axis.

    `effect` is the wrench about B per newton of thrust.
    """
    return Thruster(
        position=thruster.position,
        axis=axis,
        effect=effect,
        effectiveness_forward=thruster.effectiveness_forward,
        effectiveness_reverse=thruster.effectiveness_reverse,
        sense=thruster.sense,
        positive=thruster.positive,
        negative=thruster.negative,
        inflow_is_signed=thruster.inflow_is_signed,
        wake=thruster.wake,
        rise_time=thruster.rise_time,
        fall_time=thruster.fall_time,
        command_minimum=thruster.command_minimum,
        command_maximum=thruster.command_maximum,
        command_map=thruster.command_map,
    )


def turned_thruster(thruster: Thruster, swivel: Swivel, angle: float) -> Thruster:
    """A thruster at a servo angle: axis, lever arm and reaction torque turn."""
    axis = turned_axis(thruster.axis, swivel.hinge, angle)
    turns = dot3(swivel.hinge, swivel.hinge) > 0.0
    effect = select6(turns, swivel_effect(swivel, thruster.position, axis), thruster.effect)
    return with_orientation(thruster, axis, effect)
