"""Local model of the water: a velocity linear in position and time, and the wrench of its changes on a body.

A smooth current is linear over the path of one step: U(p, t) = velocity + gradient p + rate t. The acceleration of the
water at a point is DU/Dt = rate + gradient U; along the path of a body with velocity V the current changes by dU/dt =
rate + gradient V. The pressure that accelerates the displaced water acts on the body (Froude-Krylov force); the added
mass has momentum relative to the stream, which a gradient rotates.
"""

from typing import NamedTuple

from remora.equations.algebra.kinematics import down_in_body, to_body
from remora.equations.algebra.quaternions import rotation_matrix
from remora.equations.algebra.vectors import (
    ZERO3,
    add3,
    angular,
    cross,
    dot3,
    join,
    linear,
    matvec3,
    scale3,
    subtract3,
    transpose3,
)
from remora.equations.types import Matrix3, Numbers, Quaternion, RelativeTwist, Seconds, Twist, Vector3, Wrench

# Numbers that describe water of each kind.
STEADY_SIZE = 3  # a steady uniform current: its velocity
LAYERED_SIZE = 10  # a current that varies with depth and time: velocity, slope with depth, rate, age
CURRENT_SIZE = 16  # one that varies everywhere: velocity, gradient row after row, rate, age
WATER_SIZE = 17  # the same under a surface: its z comes last
SIZES = (STEADY_SIZE, LAYERED_SIZE, CURRENT_SIZE, WATER_SIZE)
STEADY, LAYERED, EVERYWHERE, SURFACED = range(4)
ANY_WATER = -1
_NO_GRADIENT: Matrix3 = (ZERO3, ZERO3, ZERO3)
FAR_ABOVE = -1e30  # m: no surface


class Water(NamedTuple):
    """Water around a vehicle, in N."""

    kind: int  # STEADY, LAYERED, EVERYWHERE or SURFACED: the fields in use; known before a run
    velocity: Vector3  # m/s at the origin of N, at the time from which the rate counts
    gradient: Matrix3  # 1/s: row i holds the slopes of component i along north, east, down
    rate: Vector3  # m/s2 at a fixed place
    surface: float  # m, z of the surface above the vehicle


def steady_water(velocity: Vector3) -> Water:
    """A steady uniform current."""
    return Water(STEADY, velocity, _NO_GRADIENT, ZERO3, FAR_ABOVE)


def kind_of_water(size: int) -> int:
    """Kind of water from the number of its numbers."""
    if size == STEADY_SIZE:
        return STEADY
    if size == LAYERED_SIZE:
        return LAYERED
    return SURFACED if size == WATER_SIZE else EVERYWHERE


def water_from(numbers: Numbers, kind: int) -> Water:
    """Water of a kind from its numbers."""
    velocity = (numbers[0], numbers[1], numbers[2])
    # The age is the time since the velocity was evaluated; only it changes between two evaluations of the water.
    zero = 0.0 * numbers[0]  # of the same number type, so that all branches return one type
    still, surface = (zero, zero, zero), zero + FAR_ABOVE
    if kind == STEADY:
        return Water(kind, velocity, (still, still, still), still, surface)
    if kind == LAYERED:
        slopes = ((zero, zero, numbers[3]), (zero, zero, numbers[4]), (zero, zero, numbers[5]))
        rate = (numbers[6], numbers[7], numbers[8])
        return Water(kind, add3(velocity, scale3(numbers[9], rate)), slopes, rate, surface)
    gradient = (
        (numbers[3], numbers[4], numbers[5]),
        (numbers[6], numbers[7], numbers[8]),
        (numbers[9], numbers[10], numbers[11]),
    )
    if kind == SURFACED:
        surface = numbers[16]
    rate = (numbers[12], numbers[13], numbers[14])
    return Water(kind, add3(velocity, scale3(numbers[15], rate)), gradient, rate, surface)


def velocity_change_along(water: Water, way: Vector3) -> Vector3:
    """Change of the water velocity along a displacement, or its rate along a velocity."""
    if water.kind == LAYERED:
        return scale3(way[2], (water.gradient[0][2], water.gradient[1][2], water.gradient[2][2]))
    return matvec3(water.gradient, way)


def water_velocity(water: Water, place: Vector3, elapsed: Seconds) -> Vector3:
    """Velocity of the water at a point, in N, m/s.

    `elapsed` counts from the reference time of the water.
    """
    if water.kind == STEADY:
        return water.velocity
    there = add3(water.velocity, velocity_change_along(water, place))
    return add3(there, scale3(elapsed, water.rate))


def water_acceleration(water: Water, velocity: Vector3) -> Vector3:
    """Rate of the water velocity along a path with this velocity; along its own: the acceleration of the water."""
    return add3(water.rate, velocity_change_along(water, velocity))


class WaterRates(NamedTuple):
    """Rates of the water velocity at a body, in body axes."""

    path_rate: Vector3  # m/s2, of the water's velocity along the path of the body
    acceleration: Vector3  # m/s2, of the water itself


def water_rates(water: Water, q_NB: Quaternion, twist: Twist, velocity_N: Vector3) -> WaterRates:
    """Rates of the water velocity at a moving body, in body axes."""
    over_ground = matvec3(rotation_matrix(q_NB), linear(twist))
    return WaterRates(
        to_body(q_NB, water_acceleration(water, over_ground)),
        to_body(q_NB, water_acceleration(water, velocity_N)),
    )


def water_acceleration_wrench(
    rates: WaterRates, mass: float, p_BG: Vector3, displaced_mass: float, p_BC: Vector3
) -> Wrench:
    """Wrench of accelerating water on a mass and on displaced water, in the frame that moves with the water.

    Inertial force on the mass at G, Froude-Krylov force on the displaced water at C: zero for a neutral body that moves
    with the water.
    """
    inertial = scale3(-mass, rates.path_rate)
    froude_krylov = scale3(displaced_mass, rates.acceleration)
    return join(add3(inertial, froude_krylov), add3(cross(p_BG, inertial), cross(p_BC, froude_krylov)))


def gradient_force(
    water: Water, q_NB: Quaternion, momentum: Vector3, mass: float, p_BG: Vector3, twist: RelativeTwist
) -> Vector3:
    """Force of the velocity gradient on the added mass: -(grad U)^T P, in body axes, N.

    P is the linear momentum of body and water relative to the stream less that of the body alone. It follows from the
    kinetic energy of the relative motion; for a sphere in irrotational flow it is the law of Auton, Hunt and Prud'homme
    1988. `momentum` is M nu_r of body and added mass, in body axes.
    """
    own = scale3(mass, add3(linear(twist), cross(angular(twist), p_BG)))
    added = subtract3(momentum, own)
    if water.kind == LAYERED:
        slope_B = to_body(q_NB, (water.gradient[0][2], water.gradient[1][2], water.gradient[2][2]))
        return scale3(-dot3(slope_B, added), down_in_body(q_NB))
    P = matvec3(rotation_matrix(q_NB), added)
    return to_body(q_NB, scale3(-1.0, matvec3(transpose3(water.gradient), P)))
