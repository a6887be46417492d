"""Fins: lift and drag of a small foil at any position, turned by a deflection."""

from typing import NamedTuple

from remora.equations.algebra.elementary import atan2, cos, maximum, minimum, select, sin
from remora.equations.algebra.vectors import add3, angular, cross, dot3, join, linear, scale3
from remora.equations.types import RelativeTwist, Vector3, Wrench

PLATE_DRAG = 1.17  # drag coefficient of a flat plate across the flow (Hoerner)


class Fin(NamedTuple):
    """One fin: position, axes, foil coefficients and servo."""

    position: Vector3  # m, p_BF of the centre of pressure
    chord: Vector3  # unit vector from trailing to leading edge at zero deflection
    normal: Vector3  # unit vector of the force at positive deflection in forward flow
    dynamic_area: float  # kg/m: half density x area
    lift_slope: float  # per rad
    drag_at_zero_lift: float
    induced_drag: float  # drag coefficient per squared lift coefficient
    stall_angle: float  # rad, lift fades beyond it
    feels_cross_flow: float  # 1: angle of attack from the local flow; 0: the hull's coefficients already hold that part
    lag: float  # s
    deflection_limit: float  # rad
    rate_limit: float  # rad/s


def lift_coefficient(fin: Fin, attack: float) -> float:
    """Lift coefficient: linear up to stall, then fading with the cosine of the angle of attack."""
    inside = minimum(maximum(attack, -fin.stall_angle), fin.stall_angle)
    fade = select(abs(attack) > fin.stall_angle, cos(attack) / cos(fin.stall_angle), 1.0)
    return fin.lift_slope * inside * fade


def drag_coefficient(fin: Fin, attack: float, lift: float) -> float:
    """Drag coefficient: profile drag, induced drag, and past stall the separated flow behind a plate.

    `attack` is the angle of attack, `lift` the lift coefficient.
    """
    beyond = sin(maximum(abs(attack), fin.stall_angle)) ** 2 - sin(fin.stall_angle) ** 2
    return fin.drag_at_zero_lift + fin.induced_drag * lift * lift + PLATE_DRAG * beyond


def fin_wrench(fin: Fin, deflection: float, twist: RelativeTwist) -> Wrench:
    """Wrench about B of lift and drag at the local flow. Hoerner 1985."""
    local = add3(linear(twist), cross(angular(twist), fin.position))
    ahead = dot3(fin.chord, local)
    sideways = dot3(fin.normal, local) * fin.feels_cross_flow
    forward = select(ahead < 0.0, -1.0, 1.0)
    # The flow meets the fin at this angle from its chord; astern the trailing edge leads, and deflection is reversed.
    flow_angle = atan2(sideways, abs(ahead))
    attack = forward * deflection - flow_angle
    pressure = fin.dynamic_area * (ahead * ahead + sideways * sideways)
    c_lift = lift_coefficient(fin, attack)
    lift, drag = pressure * c_lift, pressure * drag_coefficient(fin, attack, c_lift)
    along = -forward * (drag * cos(flow_angle) + lift * sin(flow_angle))
    across = lift * cos(flow_angle) - drag * sin(flow_angle)
    force = add3(scale3(along, fin.chord), scale3(across, fin.normal))
    return join(force, cross(fin.position, force))
