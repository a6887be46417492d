"""Sections of a vehicle file: servos, moving masses, motors and four-quadrant propellers."""

from typing import Annotated, Any, ClassVar, Literal, TypeAlias

from pydantic import model_validator

from remora.equations.types import Vector3
from remora.files.quantities import Is, Quantity, has_direction, not_negative, positive, refused, unit_fault
from remora.files.section import Length3, Section
from remora.files.units import (
    ANGLE,
    LENGTH,
    LINEAR_FRICTION,
    MASS,
    MASS_FLOW,
    MOMENT_OF_INERTIA,
    RATIO,
    RESISTANCE,
    SPEED,
    TIME,
    TORQUE_CONSTANT,
    TORQUE_PER_ADVANCE,
    TORQUE_PER_SQUARE,
    TURN_RATE,
    VOLUME,
    VOLUME_FLOW,
    Dimension,
)

LimitPair: TypeAlias = Quantity[tuple[float, float]]


def _check_limits(ends: tuple[float, float]) -> None:
    if ends[0] >= ends[1]:
        raise refused("physics", "limits must be [lowest, highest].", "limits")


class MotorSection(Section):
    """A direct-current motor with voltage command."""

    inertia: Annotated[Quantity[float], Is(MOMENT_OF_INERTIA, rule=positive)]
    resistance: Annotated[Quantity[float], Is(RESISTANCE, rule=positive)]
    torque_constant: Annotated[Quantity[float], Is(TORQUE_CONSTANT, rule=positive)]
    friction: Annotated[Quantity[float], Is(LINEAR_FRICTION, rule=not_negative)] | None = None
    propeller_torque: Annotated[Quantity[float], Is(TORQUE_PER_SQUARE, rule=not_negative)]
    propeller_relief: Annotated[Quantity[float], Is(TORQUE_PER_ADVANCE)] | None = None


class SeriesSection(Section):
    """C_T* as a Fourier series of the hydrodynamic pitch angle at the blade."""

    cosine: Annotated[Quantity[tuple[float, ...]], Is(RATIO, None)]
    sine: Annotated[Quantity[tuple[float, ...]], Is(RATIO, None)]

    @model_validator(mode="after")
    def _is_a_series(self) -> "SeriesSection":
        for field in ("cosine", "sine"):
            value: Any = getattr(self, field).value
            if not isinstance(value, tuple) or not 2 <= len(value) <= 41 or any(isinstance(x, tuple) for x in value):
                raise refused("shape", "expected a list of 2 to 41 coefficients, from order zero on.", field)
        if self.sine.value[0] != 0.0:
            raise refused("physics", "the coefficient of order zero has no sine. Start the list with 0.", "sine")
        return self


class ServoSection(Section):
    """A servo that rotates thrusters about its axis."""

    name: str
    axis: Annotated[Quantity[Vector3], Is(RATIO, (3,), has_direction)]
    limits: Annotated[LimitPair, Is(ANGLE, (2,))]
    time_constant: Annotated[Quantity[float], Is(TIME, rule=not_negative)] | None = None
    rate_limit: Annotated[Quantity[float], Is(TURN_RATE, rule=positive)] | None = None

    @model_validator(mode="after")
    def _limits_fit(self) -> "ServoSection":
        _check_limits(self.limits.value)
        return self


class BuoyancyElementSection(Section):
    """A sphere with a share of the displaced volume, for buoyancy at the surface."""

    position: Length3
    share: Annotated[Quantity[float], Is(RATIO, rule=positive)]
    diameter: Annotated[Quantity[float], Is(LENGTH, rule=positive)] | None = None


class MovingMassSection(Section):
    """A moving mass, a ballast tank or a buoyancy bladder."""

    name: str
    kind: Literal["mass", "tank", "bladder"]
    position: Length3
    direction: Annotated[Quantity[Vector3], Is(RATIO, (3,), has_direction)] | None = None
    mass: Annotated[Quantity[float], Is(MASS, rule=positive)] | None = None
    limits: Annotated[LimitPair, Is(None, (2,))]
    neutral: Annotated[Quantity[float], Is(None)] | None = None
    time_constant: Annotated[Quantity[float], Is(TIME, rule=positive)]
    rate_limit: Annotated[Quantity[float], Is(None, rule=positive)] | None = None

    _dimensions: ClassVar[dict[str, tuple[Dimension, Dimension]]] = {
        "mass": (LENGTH, SPEED),
        "tank": (MASS, MASS_FLOW),
        "bladder": (VOLUME, VOLUME_FLOW),
    }

    @model_validator(mode="after")
    def _fits_its_kind(self) -> "MovingMassSection":
        for field in ("direction", "mass"):
            given = getattr(self, field) is not None
            if given and self.kind != "mass":
                raise refused("key", f"is not used by a {self.kind}. Remove it or write kind: mass.", field)
            if not given and self.kind == "mass":
                raise refused("key", "is missing: a mass that moves needs it.", field)
        output, rate = self._dimensions[self.kind]
        for field, dimension in (("limits", output), ("neutral", output), ("rate_limit", rate)):
            quantity = getattr(self, field)
            fault = unit_fault(quantity.unit, dimension) if quantity and quantity.unit != "SI" else None
            if fault:
                raise refused("unit", fault, field)
        return self

    @model_validator(mode="after")
    def _limits_fit(self) -> "MovingMassSection":
        lowest, highest = self.limits.value
        _check_limits(self.limits.value)
        if self.kind == "tank" and lowest < 0.0:
            raise refused("physics", "a tank holds no less than nothing. Start the limits at 0 kg or above.", "limits")
        neutral = self.neutral.value if self.neutral else 0.0
        if not lowest <= neutral <= highest:
            place = "neutral" if self.neutral else "limits"
            raise refused("physics", f"the neutral output {neutral:g} is outside the limits.", place)
        return self
