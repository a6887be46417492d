"""Adaptive identification: parameters of a parallel model driven by the error of its speed.

The regressor is that of the estimated motion; the measurement enters through the error only (Smallwood and Whitcomb
2003). With exact data and dissipative damping the Lyapunov functions `adaptive_energy` and `twist_energy` never grow.
"""

from typing import NamedTuple

from remora.equations.algebra.vectors import dot6, matvec6, multiply6, scale6, solve6, subtract6
from remora.equations.estimation.single_axis import Lumped, lumped_acceleration
from remora.equations.types import Inertia, Matrix6, SixDof, Twist, TwistRate, Wrench


class AdaptiveGains(NamedTuple):
    """Gains of the identifier of one degree of freedom."""

    pull: float  # 1/s: how fast the estimated speed is drawn to the measured one (a_m)
    effort: float  # of alpha, per effort squared (lambda 1)
    quadratic: float  # of beta (lambda 2)
    linear: float  # of mu (lambda 3)
    constant: float  # of nu (lambda 4); zero holds the constant


def lumped_regressor(effort: float, speed: float) -> tuple[float, float, float, float]:
    """Regressor of alpha, beta, mu and nu: u, v |v|, v, 1. Britto Neto 2018, eq. 5.3."""
    return effort, speed * abs(speed), speed, 1.0


def adaptive_speed_rate(lumped: Lumped, pull: float, effort: float, estimated: float, measured: float) -> float:
    """Rate of the estimated speed: Phi . f(v_hat) - a (v_hat - v). Britto Neto 2018, eq. 5.3.

    `pull` is the observer gain a, 1/s, `effort` a force or torque.
    """
    return lumped_acceleration(lumped, effort, estimated) - pull * (estimated - measured)


def adaptive_parameter_rates(gains: AdaptiveGains, effort: float, estimated: float, measured: float) -> Lumped:
    """Rates of the lumped parameters: -Lambda (v_hat - v) f(v_hat). Britto Neto 2018, eq. 5.5.

    `effort` is a force or torque.
    """
    f = lumped_regressor(effort, estimated)
    error = estimated - measured
    return Lumped(
        -gains.effort * error * f[0],
        -gains.quadratic * error * f[1],
        -gains.linear * error * f[2],
        -gains.constant * error * f[3],
    )


def adaptive_energy(inverse_gains: Lumped, speed_error: float, parameter_errors: Lumped) -> float:
    """Lyapunov function: squared speed error plus squared parameter errors over their gains.

    The inverse gain of a held parameter is zero.
    """
    return (
        speed_error * speed_error
        + inverse_gains.alpha * parameter_errors.alpha * parameter_errors.alpha
        + inverse_gains.beta * parameter_errors.beta * parameter_errors.beta
        + inverse_gains.mu * parameter_errors.mu * parameter_errors.mu
        + inverse_gains.nu * parameter_errors.nu * parameter_errors.nu
    )


def inertia_of_free(inertia: Inertia, free: SixDof) -> Matrix6:
    """The inertia with only the free degrees of freedom: free is one for these, zero for locked ones."""
    rows = (
        scale6(free[0], multiply6(inertia[0], free)),
        scale6(free[1], multiply6(inertia[1], free)),
        scale6(free[2], multiply6(inertia[2], free)),
        scale6(free[3], multiply6(inertia[3], free)),
        scale6(free[4], multiply6(inertia[4], free)),
        scale6(free[5], multiply6(inertia[5], free)),
    )
    return (
        (rows[0][0] + 1.0 - free[0], rows[0][1], rows[0][2], rows[0][3], rows[0][4], rows[0][5]),
        (rows[1][0], rows[1][1] + 1.0 - free[1], rows[1][2], rows[1][3], rows[1][4], rows[1][5]),
        (rows[2][0], rows[2][1], rows[2][2] + 1.0 - free[2], rows[2][3], rows[2][4], rows[2][5]),
        (rows[3][0], rows[3][1], rows[3][2], rows[3][3] + 1.0 - free[3], rows[3][4], rows[3][5]),
        (rows[4][0], rows[4][1], rows[4][2], rows[4][3], rows[4][4] + 1.0 - free[4], rows[4][5]),
        (rows[5][0], rows[5][1], rows[5][2], rows[5][3], rows[5][4], rows[5][5] + 1.0 - free[5]),
    )


def model_twist_rate(inertia: Inertia, free: SixDof, applied: Wrench, required: Wrench) -> TwistRate:
    """Rate of the twist of the model in its free degrees of freedom: M_hat^-1 (tau - h_hat(nu_hat)).

    `free` is 1 for each free degree of freedom and 0 for a locked one; `applied` is tau, and `required` the wrench
    h_hat of the estimated motion without this rate.
    """
    return solve6(inertia_of_free(inertia, free), multiply6(free, subtract6(applied, required)))


def adaptive_twist_rate(model_rate: TwistRate, pull: float, error: Twist) -> TwistRate:
    """Rate of the estimated twist: nu_model' - a (nu_hat - nu).

    `pull` is the observer gain a, 1/s, and `error` is nu_hat - nu.
    """
    return subtract6(model_rate, scale6(pull, error))


def adaptive_rate(gain: float, unit_wrench: Wrench, error: Twist) -> float:
    """Rate of a parameter: its gain times the power of the error against the unit wrench.

    The unit wrench is that of the motion of the model, without the observer term: then noise is not multiplied by
    itself. `error` is nu_hat - nu.
    """
    return gain * dot6(unit_wrench, error)


def twist_energy(inertia: Inertia, error: Twist) -> float:
    """Contribution of the twist error to the Lyapunov function: error . M error / 2."""
    return 0.5 * dot6(error, matvec6(inertia, error))
