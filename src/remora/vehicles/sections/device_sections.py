"""Sections of a vehicle file: thrusters, fins and sensors."""

import math
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, TypeAlias, final

from pydantic import GetCoreSchemaHandler, model_validator
from pydantic_core import CoreSchema, core_schema

from remora.equations.actuators.laws.law import COEFFICIENT_KEYS, FORCE_OUTPUT
from remora.equations.actuators.laws.table import LAWS, law_named
from remora.equations.types import Matrix3, Quaternion, Vector3, Vector6
from remora.files.quantities import Is, Quantity, has_direction, not_negative, positive, refused, unit_fault
from remora.files.section import Choice, Length3, NamedQuantities, Section, SensorParameters
from remora.files.units import (
    ANGLE,
    AREA,
    FORCE,
    FREQUENCY,
    LENGTH,
    RATIO,
    SLOPE,
    THRUST_PER_ADVANCE,
    THRUST_PER_SQUARE,
    TIME,
    TURN_RATE,
    VOLTAGE,
    Dimension,
)
from remora.vehicles.sections.drive_sections import DriveSection, check_drive_fits
from remora.vehicles.sections.moving_part_sections import MotorSection, SeriesSection

Angle: TypeAlias = Annotated[Quantity[float], Is(ANGLE)]
Angles: TypeAlias = Annotated[Quantity[Vector3], Is(ANGLE, (3,))]
Number: TypeAlias = Annotated[Quantity[float], Is(RATIO)]
Share: TypeAlias = Annotated[Quantity[float], Is(RATIO, rule=not_negative)]
Time: TypeAlias = Annotated[Quantity[float], Is(TIME, rule=not_negative)]
Direction: TypeAlias = Annotated[Quantity[Vector3], Is(RATIO, (3,), has_direction)]
Coefficients: TypeAlias = Annotated[Quantity[Vector3], Is(None, (3,), plain_only=True)]
PositiveSquare: TypeAlias = Annotated[Quantity[float], Is(THRUST_PER_SQUARE, rule=positive)]
Advance: TypeAlias = Annotated[Quantity[float], Is(THRUST_PER_ADVANCE)]
if TYPE_CHECKING:
    LawName: TypeAlias = str
else:
    LawName = Literal[tuple(law.name for law in LAWS)]


def _both(raw: Any, first: str, second: str) -> Any:
    """The same value for both keys, unless the file names them."""
    named = isinstance(raw, dict) and not {"value", "unit"} & set(raw)
    return raw if named else {first: raw, second: raw}


@final
class CommandLimits:
    """Validator of command limits: [lowest, highest] or none."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(self.read)

    def read(self, raw: Any) -> Quantity[tuple[float, float]]:
        """The two limits; without limits both are infinite."""
        if raw == "none":
            return Quantity((-math.inf, math.inf), "SI", "no limits", None)
        limits = Is(None, (2,)).read(raw)
        if limits.value[0] >= limits.value[1]:
            raise refused("physics", "limits must be [lowest, highest].")
        return limits


class BothDirections(Section):
    """A value for forward thrust (along the thruster direction) and one for reverse thrust."""

    either_value: ClassVar = True

    @model_validator(mode="before")
    @classmethod
    def _one_for_both(cls, raw: Any) -> Any:
        return _both(raw, "forward", "reverse")


class SquareCoefficients(BothDirections):
    """Thrust per squared shaft speed, per direction."""

    forward: PositiveSquare
    reverse: PositiveSquare


class AdvanceCoefficients(BothDirections):
    """Thrust per shaft speed and advance speed, per direction; negative where inflow reduces thrust."""

    forward: Advance
    reverse: Advance


class CurveCoefficients(BothDirections):
    """alpha, beta and gamma of K_T = alpha J^2 + beta J + gamma, per direction."""

    forward: Coefficients
    reverse: Coefficients


class EffectivenessSection(BothDirections):
    """Fraction of the thrust that acts on the body, per direction."""

    forward: Share
    reverse: Share


class LagTimes(Section):
    """Time constant while the output grows or changes sign, and while it shrinks."""

    either_value: ClassVar = True
    rise: Time
    fall: Time

    @model_validator(mode="before")
    @classmethod
    def _one_for_both(cls, raw: Any) -> Any:
        return _both(raw, "rise", "fall")


class CommandBranch(Section):
    """One sign of the command: output = slope x command up to the knee, a c^2 + b c + c0 beyond it."""

    knee: Number
    slope: Number
    curve: Coefficients


class CommandMapSection(Section):
    """Map from command to steady output."""

    positive: CommandBranch
    negative: CommandBranch


class ThrusterFactsSection(Section):
    """Data of a thruster that the equations of motion do not use."""

    valid_speed: Annotated[Quantity[tuple[float, float]], Is(TURN_RATE, (2,))] | None = None
    diameter: Annotated[Quantity[float], Is(LENGTH, rule=positive)] | None = None
    critical_advance_ratio: Annotated[Quantity[float], Is(RATIO, rule=positive)] | None = None
    figures: NamedQuantities | None = None


class ThrusterSection(Section):
    """One thruster."""

    choices: ClassVar = (
        Choice(("direction", "angles", "elevation")),
        Choice(("direction", "angles", "azimuth"), required=False),
        Choice(("azimuth",), required="elevation"),
    )
    name: str
    position: Length3
    direction: Direction | None = None
    angles: Angles | None = None
    elevation: Angle | None = None
    azimuth: Angle | None = None
    law: LawName
    coefficient: SquareCoefficients | None = None
    inflow_coefficient: AdvanceCoefficients | None = None
    diameter: Annotated[Quantity[float], Is(LENGTH, rule=positive)] | None = None
    thrust_coefficients: CurveCoefficients | None = None
    quadrant_coefficients: SeriesSection | None = None
    coefficients_per: Literal["radian", "revolution"] = "radian"
    signed_inflow: bool = False
    sense: Literal[1, -1] = 1
    limits: Annotated[Quantity[tuple[float, float]], CommandLimits()]
    command_map: CommandMapSection | None = None
    time_constant: LagTimes | None = None
    effectiveness: EffectivenessSection | None = None
    axis_effectiveness: Annotated[Quantity[Vector6], Is(RATIO, (6,), not_negative)] | None = None
    wake_fraction: Annotated[Quantity[float], Is(RATIO)] | None = None
    reaction: Annotated[Quantity[float], Is(LENGTH)] | None = None
    drive: DriveSection | None = None
    servo: str | None = None
    motor: MotorSection | None = None
    facts: ThrusterFactsSection | None = None

    @model_validator(mode="after")
    def _law_fields_given(self) -> "ThrusterSection":
        needed = law_named(self.law).keys
        for field in COEFFICIENT_KEYS:
            given = getattr(self, field) is not None
            if given and field not in needed:
                raise refused("key", f'is not used by the law "{self.law}". Remove it or choose another law.', field)
            if not given and field in needed:
                raise refused("key", f'is missing: the law "{self.law}" needs it.', field)
        return self

    @model_validator(mode="after")
    def _motor_fits(self) -> "ThrusterSection":
        if self.motor and law_named(self.law).output == FORCE_OUTPUT:
            message = f'turns a shaft, but the law "{self.law}" knows of none. Choose another law.'
            raise refused("key", message, "motor")
        if self.motor and self.time_constant:
            raise refused("key", "follows from the motor. Remove one of them.", "time_constant")
        return self

    @model_validator(mode="after")
    def _limits_fit(self) -> "ThrusterSection":
        fault = None if self.limits.unit == "SI" else unit_fault(self.limits.unit, self.command_dimension)
        if fault:
            raise refused("unit", fault, "limits")
        return self

    @property
    def command_dimension(self) -> Dimension:
        """Dimension of the plant command."""
        shaft = VOLTAGE if self.motor else TURN_RATE
        return RATIO if self.command_map else FORCE if law_named(self.law).output == FORCE_OUTPUT else shaft

    @model_validator(mode="after")
    def _drive_fits(self) -> "ThrusterSection":
        if self.drive:
            check_drive_fits(self.drive, self.command_dimension)
        return self


class FinSection(Section):
    """One fin, or several equal fins that move together."""

    name: str
    position: Length3
    chord: Direction
    normal: Direction
    area: Annotated[Quantity[float], Is(AREA, rule=positive)]
    lift_slope: Annotated[Quantity[float], Is(SLOPE, rule=positive)]
    drag_at_zero_lift: Share | None = None
    induced_drag: Share | None = None
    stall_angle: Annotated[Quantity[float], Is(ANGLE, rule=positive)]
    deflection_limit: Annotated[Quantity[float], Is(ANGLE, rule=positive)]
    time_constant: Time | None = None
    rate_limit: Annotated[Quantity[float], Is(TURN_RATE, rule=positive)] | None = None
    feels_cross_flow: bool


class OrientationSection(Section):
    """Orientation of the sensor axes in the body."""

    choices: ClassVar = (Choice(("angles", "matrix", "quaternion")),)
    angles: Angles | None = None
    matrix: Annotated[Quantity[Matrix3], Is(RATIO, (3, 3))] | None = None
    quaternion: Annotated[Quantity[Quaternion], Is(RATIO, (4,))] | None = None


class SensorSection(Section):
    """One sensor; fields that the file omits are None."""

    name: str
    kind: str  # of the package `sensors`, or my_file.py:MySensor
    device: str = ""
    notes: str = ""
    position: Length3 | None = None
    orientation: OrientationSection | None = None
    rate: Annotated[Quantity[float], Is(FREQUENCY, rule=positive)] | None = None
    latency: Time | None = None
    parameters: SensorParameters | None = None
