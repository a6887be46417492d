"""Force law: the output of the thruster is its thrust."""

from remora.equations.actuators.laws.law import FORCE_OUTPUT, LawCoefficients, ThrustLaw, register_law
from remora.equations.actuators.thrusters import OUTPUT_IS_FORCE, ThrustCurve, Thruster
from remora.equations.types import AdvanceSpeed


def output_thrust(thruster: Thruster, output: float, advance: AdvanceSpeed) -> float:
    """The output itself, N."""
    return output


def output_of_force(thruster: Thruster, force: float, advance: AdvanceSpeed) -> float:
    """The force itself, N."""
    return force


def force_in_other_water(thruster: Thruster, ratio: float) -> Thruster:
    """A commanded force does not depend on the density."""
    return thruster


def unused_curves(given: LawCoefficients) -> tuple[ThrustCurve, ThrustCurve]:
    """Thrust curves that the law does not use."""
    return ThrustCurve(1.0, 0.0, 0.0), ThrustCurve(1.0, 0.0, 0.0)


FORCE_LAW = register_law(
    ThrustLaw(
        name="force",
        code=OUTPUT_IS_FORCE,
        output=FORCE_OUTPUT,
        depends_on_inflow=False,
        thrust=output_thrust,
        output_for=output_of_force,
        with_density=force_in_other_water,
        keys=(),
        curves=unused_curves,
        signed_inflow=None,
        covers=(),
    )
)
