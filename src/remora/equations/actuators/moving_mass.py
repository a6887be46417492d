"""Moving masses: trim masses that shift, ballast tanks that fill and bladders that swell.

A moving mass is a point mass. Its output shifts it along a direction (a trim mass), fills it with water from outside (a
tank), or displaces more water (a bladder, the buoyancy engine of a glider). The body without its moving masses is a
rigid body; each moving mass adds its inertia, inertial forces, weight and buoyancy.
"""

from typing import NamedTuple

from remora.equations.actuators.slewing import Slew
from remora.equations.algebra.elementary import maximum
from remora.equations.algebra.vectors import add3, angular, cross, join, linear, scale3, subtract3
from remora.equations.hull.inertia import rigid_body_inertia
from remora.equations.types import Direction, Matrix3, Matrix6, RelativeTwist, Vector3, Vector6, Wrench

POINT: Matrix3 = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))  # a point has no inertia of its own


class MovingMass(NamedTuple):
    """One moving mass; its output is in m (trim mass), kg (tank) or m3 (bladder)."""

    position: Vector3  # m, p_BL at an output of zero
    direction: Vector3  # m of way per output
    mass: float  # kg at an output of zero
    filling: float  # kg of water taken in per output
    displacing: float  # kg of water displaced per output
    coriolis_factor: float  # 1; 0 where Coriolis and centripetal terms are switched off
    neutral: float  # the output at which the numbers of the whole vehicle hold
    slew: Slew


class OutputMotion(NamedTuple):
    """An output with its first and second time derivative."""

    output: float
    speed: float
    acceleration: float


def instantaneous_mass(moving_mass: MovingMass, output: float) -> float:
    """Mass at an output, kg."""
    return moving_mass.mass + moving_mass.filling * output


def instantaneous_position(moving_mass: MovingMass, output: float) -> Vector3:
    """Position at an output, in body axes, m."""
    return add3(moving_mass.position, scale3(output, moving_mass.direction))


def moving_mass_inertia(moving_mass: MovingMass, output: float) -> Matrix6:
    """Contribution to the 6x6 inertia about B."""
    return rigid_body_inertia(
        instantaneous_mass(moving_mass, output), instantaneous_position(moving_mass, output), POINT
    )


def moving_mass_momentum(moving_mass: MovingMass, output: float, speed: float) -> Vector6:
    """Momentum about B of the motion inside the body: m (r', r x r').

    The output is in m, kg or m3, the speed its rate.
    """
    p = scale3(instantaneous_mass(moving_mass, output) * speed, moving_mass.direction)
    return join(p, cross(instantaneous_position(moving_mass, output), p))


def moving_mass_wrench(
    moving_mass: MovingMass, motion: OutputMotion, twist: RelativeTwist, down_B: Direction, gravity: float
) -> Wrench:
    """Wrench of a moving mass on the body without its inertia, on the right-hand side.

    Weight less buoyancy, less m (w x v + w x (w x r) + 2 w x r' + r''). Water taken in was at rest and is accelerated
    to the speed of the tank; water that leaves keeps that speed, and its jet is neglected.
    """
    r, mass = instantaneous_position(moving_mass, motion.output), instantaneous_mass(moving_mass, motion.output)
    v, w = linear(twist), angular(twist)
    way = scale3(motion.speed, moving_mass.direction)
    speed_B = add3(add3(v, cross(w, r)), way)
    carried = scale3(moving_mass.coriolis_factor, cross(w, add3(speed_B, way)))
    inertial = scale3(mass, add3(carried, scale3(motion.acceleration, moving_mass.direction)))
    taken_in = scale3(maximum(moving_mass.filling * motion.speed, 0.0), speed_B)
    weight = gravity * (mass - moving_mass.displacing * motion.output)
    force = subtract3(scale3(weight, down_B), add3(inertial, taken_in))
    return join(force, cross(r, force))
