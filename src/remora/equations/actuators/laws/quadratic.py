"""Quadratic law: thrust from the shaft speed alone."""

from remora.equations.actuators.laws.law import (
    SHAFT_SPEED_OUTPUT,
    LawCoefficients,
    ThrustLaw,
    register_law,
    scaled_curves,
)
from remora.equations.actuators.thrusters import (
    THRUST_FROM_SPEED,
    ThrustCurve,
    Thruster,
    speed_from_thrust,
    static_thrust,
)
from remora.equations.types import AdvanceSpeed, ShaftSpeed


def thrust_from_speed(thruster: Thruster, output: ShaftSpeed, advance: AdvanceSpeed) -> float:
    """C |n| n, N."""
    return static_thrust(thruster, output)


def quadratic_curves(given: LawCoefficients) -> tuple[ThrustCurve, ThrustCurve]:
    """Thrust curves without inflow."""
    forward, reverse = given.coefficient or (1.0, 1.0)
    return ThrustCurve(forward, 0.0, 0.0), ThrustCurve(reverse, 0.0, 0.0)


QUADRATIC_LAW = register_law(
    ThrustLaw(
        name="quadratic",
        code=THRUST_FROM_SPEED,
        output=SHAFT_SPEED_OUTPUT,
        depends_on_inflow=False,
        thrust=thrust_from_speed,
        output_for=speed_from_thrust,
        with_density=scaled_curves,
        keys=("coefficient",),
        curves=quadratic_curves,
        signed_inflow=None,
        covers=(),
    )
)
