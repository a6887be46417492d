"""Masses that move inside a vehicle, tanks that fill and bladders that swell: one record for all three.

A load is a point mass at a place. Its output moves it along a direction (a trim mass), fills it with water from
outside (a tank), or displaces more water there (a bladder, the engine of a glider). The body without its loads is a
rigid body as ever; each load adds its own inertia, its inertial forces, weight and buoyancy.
"""

from typing import NamedTuple

from remora.equations.actuators.slewing import Slew
from remora.equations.algebra.elementary import maximum
from remora.equations.algebra.vectors import (
    Matrix3,
    Matrix6,
    Twist,
    Vector3,
    Vector6,
    Wrench,
    add3,
    angular,
    cross,
    join,
    linear,
    scale3,
    subtract3,
)
from remora.equations.hull.inertia import rigid_body_inertia

POINT: Matrix3 = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))  # a point has no inertia of its own


class Load(NamedTuple):
    """One load; its output is in metres, kilograms or cubic metres, as the other numbers say."""

    position: Vector3  # m, p_BL at an output of zero
    direction: Vector3  # m of way per output
    mass: float  # kg at an output of zero
    filling: float  # kg of water taken in per output
    displacing: float  # kg of water displaced per output
    carried: float  # 1; 0 where Coriolis and centripetal terms are left out on purpose
    neutral: float  # the output at which the numbers of the whole vehicle hold
    slew: Slew


class Moving(NamedTuple):
    """An output with its first and second derivative in time."""

    output: float
    speed: float
    acceleration: float


def load_mass(load: Load, output: float) -> float:
    """Mass at an output."""
    return load.mass + load.filling * output


def load_position(load: Load, output: float) -> Vector3:
    """Place at an output."""
    return add3(load.position, scale3(output, load.direction))


def load_inertia(load: Load, output: float) -> Matrix6:
    """Its share of the 6x6 inertia about B."""
    return rigid_body_inertia(load_mass(load, output), load_position(load, output), POINT)


def load_momentum(load: Load, output: float, speed: float) -> Vector6:
    """Momentum about B of the way it makes inside the body: m (r', r x r')."""
    p = scale3(load_mass(load, output) * speed, load.direction)
    return join(p, cross(load_position(load, output), p))


def load_wrench(load: Load, moving: Moving, twist: Twist, down_B: Vector3, gravity: float) -> Wrench:
    """What a load does to the body besides its inertia, on the right-hand side; the twist is relative to the water.

    Weight less buoyancy, less m (w x v + w x (w x r) + 2 w x r' + r''). Water that is taken in was at rest and has to
    be brought to the speed of the tank; water that leaves keeps that speed, and its jet is neglected.
    """
    r, mass = load_position(load, moving.output), load_mass(load, moving.output)
    v, w = linear(twist), angular(twist)
    way = scale3(moving.speed, load.direction)
    speed_B = add3(add3(v, cross(w, r)), way)
    carried = scale3(load.carried, cross(w, add3(speed_B, way)))
    inertial = scale3(mass, add3(carried, scale3(moving.acceleration, load.direction)))
    taken_in = scale3(maximum(load.filling * moving.speed, 0.0), speed_B)
    weight = gravity * (mass - load.displacing * moving.output)
    force = subtract3(scale3(weight, down_B), add3(inertial, taken_in))
    return join(force, cross(r, force))
