"""Gyro-driven velocity model of a torpedo-shaped vehicle: three equations, linear in lumped parameters.

Rotation is measured and not modelled, so fin coefficients are not needed. Randeni et al. 2018, eqs. 8 to 11, with
thrust divided by the mass that it moves; further products for sway and heave follow the printed terms.
"""

from typing import NamedTuple, TypeAlias

from remora.equations.algebra.elementary import atan2, both, cos, either, maximum, select, sin, sqrt
from remora.equations.algebra.kinematics import position_rate
from remora.equations.algebra.vectors import add3, angular, cross, linear, scale3, subtract3
from remora.equations.types import Direction, Quaternion, Twist, Vector3

Pair: TypeAlias = tuple[float, float]
SurgeTerms: TypeAlias = tuple[float, float, float, float, float, float, float, float, float, float, float]
SwayTerms: TypeAlias = tuple[float, float, float, float, float, float, float, float, float, float, float, float]
HeaveTerms: TypeAlias = tuple[float, float, float, float, float, float, float, float]

NEVER = 1e300  # m/s: a speed that no vehicle reaches


class GyroDriven(NamedTuple):
    """Lumped parameters, each multiplying the term of the same index."""

    surge_mass: float  # kg, m - X_udot; 1 for the numbers of the printed form
    surge: tuple[float, ...]  # alpha, N per term
    sway: tuple[float, ...]  # beta, m/s2 per term; the last two multiply u r and u v
    heave: tuple[float, ...]  # gamma, m/s2 per term; the last two multiply u q and u w
    circular_heading: float  # 1: the heading enters by `circular_heading_terms`; 0: by `printed_heading_terms`


class Rotation(NamedTuple):
    """Measured rotation: gyro rates, their derivatives and attitude."""

    rates: Vector3  # rad/s: p, q, r
    accelerations: Vector3  # rad/s2
    pitch: float  # rad
    heading: Pair  # what `heading_terms` makes of the heading


def wrapped(angle: float) -> float:
    """The same angle in (-pi, pi]."""
    return atan2(sin(angle), cos(angle))


def printed_heading_terms(heading: float) -> Pair:
    """psi |psi| and psi, wrapped: odd in the heading, with a jump at 180 degrees."""
    psi = wrapped(heading)
    return (abs(psi) * psi, psi)


def circular_heading_terms(heading: float) -> Pair:
    """sin psi and cos psi: terms of a steady current from any direction, without a jump."""
    return (sin(heading), cos(heading))


def heading_terms(circular_heading: float, heading: float) -> Pair:
    """The two heading terms of a model."""
    circular, printed = circular_heading_terms(heading), printed_heading_terms(heading)
    chosen = circular_heading > 0.5
    return (select(chosen, circular[0], printed[0]), select(chosen, circular[1], printed[1]))


def surge_terms(velocity: Vector3, rotation: Rotation) -> SurgeTerms:
    """Regressor of the surge parameters. Randeni et al. 2018, eq. 9."""
    u, v, w = velocity
    q, r = rotation.rates[1], rotation.rates[2]
    q_dot, r_dot = rotation.accelerations[1], rotation.accelerations[2]
    first, second = rotation.heading
    return (r_dot, q_dot, sin(rotation.pitch), u * u * u, abs(u) * u, u, w * q, v * r, first, second, 1.0)


def sway_terms(velocity: Vector3, rotation: Rotation) -> SwayTerms:
    """Regressor of the sway parameters. Randeni et al. 2018, eq. 10, and the products u r and u v that it omits."""
    u, v = velocity[0], velocity[1]
    p, q, r = rotation.rates
    p_dot, r_dot = rotation.accelerations[0], rotation.accelerations[2]
    first, second = rotation.heading
    return (r_dot, p_dot, abs(v) * v, v, p, q, r, first, second, 1.0, u * r, u * v)


def heave_terms(velocity: Vector3, rotation: Rotation) -> HeaveTerms:
    """Regressor of the heave parameters. Randeni et al. 2018, eq. 11, and the products u q and u w that it omits."""
    u, w = velocity[0], velocity[2]
    q, r = rotation.rates[1], rotation.rates[2]
    return (rotation.accelerations[1], abs(w) * w, w, q, r, 1.0, u * q, u * w)


def weighted_sum(weights: tuple[float, ...], terms: tuple[float, ...]) -> float:
    """Sum of the products, element by element."""
    total = weights[0] * terms[0]
    for i in range(1, len(weights)):
        total = total + weights[i] * terms[i]
    return total


def velocity_rate(model: GyroDriven, thrust: float, velocity: Vector3, rotation: Rotation) -> Vector3:
    """Rates of surge, sway and heave, m/s2. Randeni et al. 2018, eqs. 8 to 11.

    `velocity` is surge, sway and heave through the water.
    """
    return (
        (thrust + weighted_sum(model.surge, surge_terms(velocity, rotation))) / model.surge_mass,
        weighted_sum(model.sway, sway_terms(velocity, rotation)),
        weighted_sum(model.heave, heave_terms(velocity, rotation)),
    )


def damping_rate(linear_term: float, quadratic_term: float, cubic_term: float, speed: float) -> float:
    """Damping per speed, linear + quadratic |s| + cubic s^2, 1/s: negative where it brakes.

    The terms are in 1/s, 1/m and s/m2.
    """
    size = abs(speed)
    return linear_term + (quadratic_term + cubic_term * size) * size


def divergence_speed(linear_term: float, quadratic_term: float, cubic_term: float) -> float:
    """Speed above which `damping_rate` stays positive and a free run diverges, m/s; NEVER if damping dominates.

    The terms are in 1/s, 1/m and s/m2.
    """
    growing = either(
        cubic_term > 0.0,
        both(cubic_term == 0.0, either(quadratic_term > 0.0, both(quadratic_term == 0.0, linear_term > 0.0))),
    )
    discriminant = quadratic_term * quadratic_term - 4.0 * cubic_term * linear_term
    root = sqrt(maximum(discriminant, 0.0))
    # The larger root without cancellation; the first form also holds without a cubic term.
    rising = quadratic_term > 0.0
    first = -2.0 * linear_term / select(rising, quadratic_term + root, 1.0)
    second = (root - quadratic_term) / select(cubic_term > 0.0, 2.0 * cubic_term, 1.0)
    larger = select(discriminant < 0.0, 0.0, maximum(select(rising, first, second), 0.0))
    return select(growing, larger, NEVER)


def water_velocity(q_NB: Quaternion, over_ground: Vector3, through_water: Vector3) -> Vector3:
    """Velocity of the water in N: over ground less through the water, rotated, m/s. Randeni et al. 2017."""
    return position_rate(q_NB, subtract3(over_ground, through_water))


def rate_from_specific_force(
    specific_force: Vector3, down_B: Direction, gravity: float, twist: Twist, turn_acceleration: Vector3, p_BS: Vector3
) -> Vector3:
    """Rate of the velocity components in body axes from an accelerometer at a point of the body, m/s2.

    v' = f + g d - w x v - w' x r - w x (w x r): `instruments.inertial.specific_force` solved for v'.

    Parameters
    ----------
    specific_force
        Reading in body axes, m/s2.
    down_B, gravity
        Unit vector downward, in body axes, and gravity, m/s2.
    twist
        Twist of the body, in body axes, m/s and rad/s.
    turn_acceleration
        Angular acceleration in body axes, rad/s2.
    p_BS
        Position of the accelerometer in body axes, m.
    """
    w = angular(twist)
    carried = add3(cross(turn_acceleration, p_BS), cross(w, add3(linear(twist), cross(w, p_BS))))
    return subtract3(add3(specific_force, scale3(gravity, down_B)), carried)


def turn_rate_from_euler_zyx(roll: float, pitch: float, euler_rate: Vector3) -> Vector3:
    """Angular velocity in body axes from the rates of roll, pitch and yaw: inverse of `kinematics.euler_zyx_rate`."""
    roll_rate, pitch_rate, yaw_rate = euler_rate
    return (
        roll_rate - sin(pitch) * yaw_rate,
        cos(roll) * pitch_rate + sin(roll) * cos(pitch) * yaw_rate,
        cos(roll) * cos(pitch) * yaw_rate - sin(roll) * pitch_rate,
    )
