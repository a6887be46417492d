"""Process models of a navigation filter: strapdown inertial mechanisation and constant velocity, in a local frame N.

N is fixed to the Earth and flat, so that there is no transport rate.
"""

from remora.equations.algebra.elementary import exp
from remora.equations.algebra.kinematics import position_rate, to_body
from remora.equations.algebra.quaternions import product
from remora.equations.algebra.vectors import add3, cross, matvec3, scale3, subtract3
from remora.equations.navigation.charts import NavigationPose, rotation_over_step
from remora.equations.types import AngularVelocity, Matrix3, Seconds, Vector3


def calibrated(measured: Vector3, bias: Vector3, coupling: Matrix3) -> Vector3:
    """True vector from a measured one with bias, scale errors and misalignment, to first order in the coupling.

    `coupling` is the deviation of the sensor from the identity: scale errors on the diagonal, misalignments off it.
    """
    unbiased = subtract3(measured, bias)
    return subtract3(unbiased, matvec3(coupling, unbiased))


def strapdown_step(
    x: NavigationPose, force: Vector3, w: AngularVelocity, gravity: float, earth_rate_N: Vector3, elapsed: Seconds
) -> NavigationPose:
    """Strapdown inertial mechanisation over a step with constant inputs. Groves 2013, section 5.3.

    The specific force is rotated by the attitude in the middle of the step, the velocity integrated by the trapezoidal
    rule. The specific force is in body axes, `w` the angular velocity against inertial space; `earth_rate_N` is zero
    for an inertial unit that does not sense it.
    """
    w_NB = subtract3(w, to_body(x.q, earth_rate_N))
    middle = product(x.q, rotation_over_step(scale3(0.5 * elapsed, w_NB)))
    coriolis = cross(scale3(2.0, earth_rate_N), x.v)
    acceleration = subtract3(add3(position_rate(middle, force), (0.0, 0.0, gravity)), coriolis)
    v = add3(x.v, scale3(elapsed, acceleration))
    p = add3(x.p, scale3(0.5 * elapsed, add3(x.v, v)))
    return NavigationPose(p, v, product(x.q, rotation_over_step(scale3(elapsed, w_NB))))


def constant_velocity_step(x: NavigationPose, w: AngularVelocity, elapsed: Seconds) -> NavigationPose:
    """Constant velocity in body axes over a step with a constant angular velocity."""
    q = product(x.q, rotation_over_step(scale3(elapsed, w)))
    v = position_rate(q, to_body(x.q, x.v))
    return NavigationPose(add3(x.p, scale3(0.5 * elapsed, add3(x.v, v))), v, q)


def drag_step(x: NavigationPose, mean_B: Vector3, w: AngularVelocity, rate: float, elapsed: Seconds) -> NavigationPose:
    """Velocity in body axes that drag returns to a mean, over a step with a constant angular velocity.

    First-order Gauss-Markov process of the velocity: linear drag over inertia is the inverse correlation time, `rate`.
    """
    q = product(x.q, rotation_over_step(scale3(elapsed, w)))
    v_B = add3(mean_B, decayed3(subtract3(to_body(x.q, x.v), mean_B), rate, elapsed))
    v = position_rate(q, v_B)
    return NavigationPose(add3(x.p, scale3(0.5 * elapsed, add3(x.v, v))), v, q)


def decayed(value: float, rate: float, elapsed: Seconds) -> float:
    """Mean of a first-order Gauss-Markov process after a time; a rate of zero keeps it.

    `rate` is the inverse correlation time, 1/s.
    """
    mean: float = value * exp(-rate * elapsed)
    return mean


def decayed3(value: Vector3, rate: float, elapsed: Seconds) -> Vector3:
    """Mean of three first-order Gauss-Markov processes of one correlation time after a time.

    `rate` is the inverse correlation time, 1/s.
    """
    return (decayed(value[0], rate, elapsed), decayed(value[1], rate, elapsed), decayed(value[2], rate, elapsed))
