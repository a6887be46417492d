"""Four-quadrant law: thrust by a Fourier series of the angle of the flow at a blade.

The series is a record of its own beside the thruster (`equations.actuators.quadrants`), and `propulsion` evaluates it
where a thruster has one. The answers here hold for thrusters without a series in the same vehicle.
"""

from remora.equations.actuators.laws.force import unused_curves
from remora.equations.actuators.laws.law import SHAFT_SPEED_OUTPUT, ThrustLaw, register_law, scaled_curves
from remora.equations.actuators.thrusters import THRUST_IN_FOUR_QUADRANTS, speed_from_thrust, thrust

FOUR_QUADRANT_LAW = register_law(
    ThrustLaw(
        name="four_quadrant",
        code=THRUST_IN_FOUR_QUADRANTS,
        output=SHAFT_SPEED_OUTPUT,
        depends_on_inflow=True,
        thrust=thrust,
        output_for=speed_from_thrust,
        with_density=scaled_curves,
        keys=("diameter", "quadrant_coefficients"),
        curves=unused_curves,
        signed_inflow=None,
        covers=("quadratic", "advance", "bilinear"),
    )
)
