"""The equation of motion of one submerged body: acceleration from forces and forces from acceleration."""

from typing import NamedTuple

from remora.equations.coriolis import coriolis_of_momentum
from remora.equations.damping import cubic_surge_damping, linear_damping_wrench, quadratic_damping_wrench
from remora.equations.elementary import tanh
from remora.equations.inertia import solve_with_heave_change
from remora.equations.restoring import restoring_wrench
from remora.equations.vectors import Matrix6, Twist, Vector3, Vector6, Wrench, add6, matvec6, subtract6

# Width of the change from one heave direction to the other, m/s (falcon.md 4.5).
HEAVE_BLEND_SPEED = 0.02


class HeaveAsymmetry(NamedTuple):
    """Half of what heave down has more than heave up; the matrices of the hull hold the mean of both."""

    inertia: float  # kg
    momentum: float  # kg, the part that takes part in Coriolis: zero when that is switched off
    linear_damping: float  # kg/s
    quadratic_damping: float  # kg/m


class Hull(NamedTuple):
    """A body in water, about its origin B: forward, right, down; SI; all matrices positive."""

    inertia: Matrix6  # rigid body plus added mass
    inverse_inertia: Matrix6  # zero rows and columns where a degree of freedom is locked
    coriolis_inertia: Matrix6  # equal to the inertia unless a named simplification changed it
    linear_damping: Matrix6
    quadratic_damping: Matrix6
    cubic_surge: float  # kg s/m2
    mass: float
    displaced_mass: float
    p_BG: Vector3
    p_BC: Vector3
    gravity: float
    heave: HeaveAsymmetry


def heave_blend(two_heaves: bool, heave: float) -> float:
    """-1 while rising, +1 while sinking, smooth in between; zero for a hull that is alike both ways."""
    return tanh(heave / HEAVE_BLEND_SPEED) if two_heaves else 0.0 * heave


def momentum_of_hull(inertia: Matrix6, heave_change: float, twist: Twist) -> Vector6:
    """Inertia times twist, with so much more mass in heave."""
    h = matvec6(inertia, twist)
    return (h[0], h[1], h[2] + heave_change * twist[2], h[3], h[4], h[5])


def hull_damping_wrench(hull: Hull, twist: Twist, blend: float) -> Wrench:
    """Linear, quadratic and cubic damping, with the heave terms of the present direction."""
    linear_part = linear_damping_wrench(hull.linear_damping, twist)
    d = add6(linear_part, quadratic_damping_wrench(hull.quadratic_damping, twist))
    w = twist[2]
    heave = (hull.heave.linear_damping + hull.heave.quadratic_damping * abs(w)) * blend * w
    return (d[0] + cubic_surge_damping(hull.cubic_surge, twist[0]), d[1], d[2] + heave, d[3], d[4], d[5])


def hull_coriolis_wrench(hull: Hull, twist: Twist, blend: float) -> Wrench:
    """C(nu) nu with the heave mass of the present direction."""
    momentum = momentum_of_hull(hull.coriolis_inertia, hull.heave.momentum * blend, twist)
    return coriolis_of_momentum(momentum, twist)


def hull_restoring_wrench(hull: Hull, down_B: Vector3) -> Wrench:
    """Weight and buoyancy of the hull."""
    return restoring_wrench(hull.mass, hull.displaced_mass, hull.p_BG, hull.p_BC, hull.gravity, down_B)


def acceleration(
    hull: Hull,
    two_heaves: bool,
    twist: Twist,
    current: Twist,
    current_rate: Twist,
    down_B: Vector3,
    wrench: Wrench,
) -> Twist:
    """Rate of the twist under the wrench of everything that is not the hull itself.

    In a steady uniform current the body obeys the still-water equation in its motion relative to the water,
    M nu_r' + C(nu_r) nu_r + d(nu_r) = g + tau with nu' = nu_r' + current_rate. Moving M current_rate to the right
    keeps locked degrees of freedom at rest over ground. Fossen 2021, ch. 10.
    """
    relative = subtract6(twist, current)
    blend = heave_blend(two_heaves, relative[2])
    change = hull.heave.inertia * blend
    carried = momentum_of_hull(hull.inertia, change, current_rate)
    applied = add6(add6(wrench, carried), hull_restoring_wrench(hull, down_B))
    resisted = add6(hull_coriolis_wrench(hull, relative, blend), hull_damping_wrench(hull, relative, blend))
    total = subtract6(applied, resisted)
    if two_heaves:
        return solve_with_heave_change(hull.inverse_inertia, change, total)
    return matvec6(hull.inverse_inertia, total)


def inverse_dynamics(
    hull: Hull,
    two_heaves: bool,
    twist: Twist,
    twist_rate: Twist,
    current: Twist,
    current_rate: Twist,
    down_B: Vector3,
) -> Wrench:
    """The wrench that produces a given rate of the twist: the equation of motion read the other way."""
    relative = subtract6(twist, current)
    blend = heave_blend(two_heaves, relative[2])
    inertial = momentum_of_hull(hull.inertia, hull.heave.inertia * blend, subtract6(twist_rate, current_rate))
    resisted = add6(hull_coriolis_wrench(hull, relative, blend), hull_damping_wrench(hull, relative, blend))
    return subtract6(add6(inertial, resisted), hull_restoring_wrench(hull, down_B))
