"""Bilinear law: thrust from the square of the shaft speed and its product with the inflow."""

from remora.equations.actuators.laws.law import (
    SHAFT_SPEED_OUTPUT,
    LawCoefficients,
    ThrustLaw,
    register_law,
    scaled_curves,
)
from remora.equations.actuators.thrusters import THRUST_FROM_SPEED_AND_INFLOW, ThrustCurve, speed_from_thrust, thrust


def bilinear_curves(given: LawCoefficients) -> tuple[ThrustCurve, ThrustCurve]:
    """Thrust curves a n^2 + b |n| V."""
    forward, reverse = given.coefficient or (1.0, 1.0)
    lost_forward, lost_reverse = given.inflow_coefficient or (0.0, 0.0)
    return ThrustCurve(forward, lost_forward, 0.0), ThrustCurve(reverse, lost_reverse, 0.0)


BILINEAR_LAW = register_law(
    ThrustLaw(
        name="bilinear",
        code=THRUST_FROM_SPEED_AND_INFLOW,
        output=SHAFT_SPEED_OUTPUT,
        depends_on_inflow=True,
        thrust=thrust,
        output_for=speed_from_thrust,
        with_density=scaled_curves,
        keys=("coefficient", "inflow_coefficient"),
        curves=bilinear_curves,
        signed_inflow=True,
        covers=("quadratic", "advance"),
    )
)
