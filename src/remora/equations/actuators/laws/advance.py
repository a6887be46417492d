"""Advance law: thrust from shaft speed and advance speed by a quadratic thrust coefficient K_T(J)."""

from remora.equations.actuators.laws.law import (
    SHAFT_SPEED_OUTPUT,
    LawCoefficients,
    ThrustLaw,
    register_law,
    scaled_curves,
)
from remora.equations.actuators.thrusters import THRUST_FROM_SPEED_AND_INFLOW, ThrustCurve, speed_from_thrust, thrust


def advance_curves(given: LawCoefficients) -> tuple[ThrustCurve, ThrustCurve]:
    """Thrust curves rho D^4 K_T(J) n^2 with J = V / (n D), in shaft speed and inflow. Proctor 2014, eq. 3.1."""
    rho, turn, D = given.density, given.units_per_radian, given.diameter or 0.0
    rows = given.thrust_coefficients or ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    forward, reverse = (
        ThrustCurve(gamma * rho * (turn * D * D) ** 2, beta * rho * turn * D**3, alpha * rho * D * D)
        for alpha, beta, gamma in rows
    )
    return forward, reverse


ADVANCE_LAW = register_law(
    ThrustLaw(
        name="advance",
        code=THRUST_FROM_SPEED_AND_INFLOW,
        output=SHAFT_SPEED_OUTPUT,
        depends_on_inflow=True,
        thrust=thrust,
        output_for=speed_from_thrust,
        with_density=scaled_curves,
        keys=("diameter", "thrust_coefficients"),
        curves=advance_curves,
        signed_inflow=None,
        covers=("quadratic", "bilinear"),
    )
)
