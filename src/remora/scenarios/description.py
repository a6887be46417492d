"""Sections of a scenario file; the options of parts are defined with the parts.

docs/scenarios.md explains each key.
"""

import math
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, Field, field_validator, model_validator

from remora.equations.types import Quaternion, Vector3, Wrench
from remora.files.did_you_mean import suggestion
from remora.files.quantities import Is, Quantity, not_negative, positive, refused
from remora.files.section import Choice, Length, Length3, Place, Section, Speed3
from remora.files.units import (
    ACCELERATION,
    ANGLE,
    DENSITY,
    FORCE,
    LENGTH,
    MAGNETIC_FIELD,
    RATIO,
    SPEED,
    TIME,
    TORQUE,
    TURN_RATE,
)
from remora.messages.part_options import Duration, Frequency, Moment
from remora.plant.methods import METHODS
from remora.vehicles.sections.device_sections import Angle, Angles, OrientationSection, Share, Time
from remora.vehicles.sections.drive_sections import BandRange, CommandQuantity
from remora.vehicles.sections.vehicle_sections import DegreeOfFreedom

LONGEST = 1.0e9  # s; a log counts nanoseconds in 63 bits
SHORTEST_STEP = 1.0e-6  # s
LONGEST_STEP = 10.0  # s; Ctrl-C takes effect between two steps


class LogSection(Section):
    """Logging rate of truth, outputs and commands."""

    choices: ClassVar = (Choice(("rate", "period")),)
    rate: Frequency | None = None
    period: Duration | None = None


def _latitude(value: float) -> str | None:
    return None if abs(value) <= 0.5 * math.pi else "must lie between -90 deg and 90 deg."


class OriginSection(Section):
    """Geodetic position of the origin of N."""

    latitude: Annotated[Quantity[float], Is(ANGLE, rule=_latitude)]
    longitude: Angle
    height: Place | None = None


class ScenarioWaterSection(Section):
    """Water properties; current, waves and column are read with the world."""

    choices: ClassVar = (Choice(("gravity", "gravity_by_latitude"), required=False),)
    density: Annotated[Quantity[float], Is(DENSITY, rule=positive)] | None = None
    gravity: Annotated[Quantity[float], Is(ACCELERATION, rule=positive)] | None = None
    gravity_by_latitude: bool | None = None
    sound_speed: Annotated[Quantity[float], Is(SPEED, rule=positive)] | None = None
    current: Any = None
    waves: Any = None
    column: Any = None
    surface_depth: Place | None = None
    bottom_depth: Place | None = None
    magnetic_field: Annotated[Quantity[Vector3], Is(MAGNETIC_FIELD, (3,))] | None = None

    @model_validator(mode="after")
    def _bottom_is_below(self) -> "ScenarioWaterSection":
        surface = self.surface_depth.value if self.surface_depth else 0.0
        if self.bottom_depth and self.bottom_depth.value <= surface:
            raise refused("physics", f"must lie below the surface, which is at {surface:g} m.", "bottom_depth")
        return self


class TunnelSection(Section):
    """A straight tunnel."""

    section: Literal["rectangle", "round", "horseshoe"]
    width: Length | None = None
    height: Length | None = None
    diameter: Length | None = None
    start: Length3 | None = None
    heading: Angle | None = None
    slope: Angle | None = None
    length: Length | None = None

    @model_validator(mode="after")
    def _has_its_sizes(self) -> "TunnelSection":
        needed = ("diameter",) if self.section == "round" else ("width", "height")
        for size in ("width", "height", "diameter"):
            given = getattr(self, size) is not None
            if given and size not in needed:
                raise refused("key", f"is no size of a {self.section} section. Give {' and '.join(needed)}.", size)
            if not given and size in needed:
                raise refused("key", f"is missing: a {self.section} section needs it.", size)
        return self


class SensorFields(Section):
    """Fields of any sensor."""

    device: str = ""
    notes: str = ""
    position: Length3 | None = None
    orientation: OrientationSection | None = None
    rate: Frequency | None = None
    latency: Time | None = None
    parameters: dict[str, Any] | None = None


class ScenarioSensor(SensorFields):
    """A sensor defined in the scenario."""

    name: str
    kind: str  # of the package `sensors`, or my_file.py:MySensor


class ChangedSensor(SensorFields):
    """A sensor of the vehicle file with changed fields."""

    from_: str = Field(alias="from")
    name: str | None = None


class ActuatorSection(Section):
    """Drive options of the actuators."""

    choices: ClassVar = (Choice(("dead_band", "dead_band_range"), required=False),)
    saturation: bool = True
    commands: Literal["pulses", "direct"] | None = None
    resolution: CommandQuantity | None = None
    dead_band: CommandQuantity | None = None
    dead_band_range: BandRange | None = None
    starts: dict[str, Moment] | None = None
    stage: Any = None


class ScatterSection(Section):
    """Random variation of the plant from the nominal vehicle: standard deviations, or bounds if uniform."""

    distribution: Literal["lognormal", "uniform"] = "lognormal"

    mass: Share | None = None
    center_of_gravity: Annotated[Quantity[float], Is(LENGTH, rule=not_negative)] | None = None
    buoyancy: Share | None = None
    added_mass: Share | None = None
    linear_damping: Share | None = None
    quadratic_damping: Share | None = None
    thrust: Share | None = None
    trimmed: bool = False


class DisturbanceSection(Section):
    """A disturbance wrench."""

    choices: ClassVar = (Choice(("wrench", "force"), required=False), Choice(("wrench", "torque"), required=False))
    kind: Literal["constant", "sinusoidal", "pulse", "stochastic"]
    wrench: Annotated[Quantity[Wrench], Is(None, (6,), plain_only=True)] | None = None
    force: Annotated[Quantity[Vector3], Is(FORCE, (3,))] | None = None
    torque: Annotated[Quantity[Vector3], Is(TORQUE, (3,))] | None = None
    frame: Literal["body", "world"] = "body"
    from_: Moment | None = Field(default=None, alias="from")
    until: Moment | None = None
    period: Duration | None = None
    phase: Angle | None = None
    width: Duration | None = None
    time_constant: Duration | None = None

    _own: ClassVar = {
        "constant": (),
        "sinusoidal": ("period",),
        "pulse": ("period", "width"),
        "stochastic": ("time_constant",),
    }

    @model_validator(mode="after")
    def _kind_fields_given(self) -> "DisturbanceSection":
        needed = self._own[self.kind]
        for key in ("period", "width", "time_constant"):
            given = getattr(self, key) is not None
            if given and key not in needed:
                raise refused("key", f'is not used by the kind "{self.kind}". Remove it.', key)
            if not given and key in needed:
                raise refused("key", f'is missing: the kind "{self.kind}" needs it.', key)
        if self.phase and self.kind != "sinusoidal":
            raise refused("key", f'is not used by the kind "{self.kind}". Remove it.', "phase")
        if not (self.wrench or self.force or self.torque):
            raise refused("key", "has no wrench. Give wrench, or force and torque.")
        return self


class VehicleEntry(Section):
    """One vehicle of a run. Sensors and parts are read separately."""

    choices: ClassVar = (
        Choice(("angles", "quaternion"), required=False),
        Choice(("commands", "allocation"), required=False),
        Choice(("commands", "control"), required=False),
    )
    name: str | None = None
    file: str | None = None
    model: Literal["composite", "bodies"] | None = None  # of a morphology
    modules: Any = None  # of a morphology of bodies: an entry per module, read separately
    links: Any = None  # of a morphology of bodies: events per link, read separately
    assembly: Any = None  # of a morphology of bodies: parts of the whole, read separately
    position: Length3 | None = None
    angles: Angles | None = None
    quaternion: Annotated[Quantity[Quaternion], Is(RATIO, (4,))] | None = None
    velocity: Speed3 | None = None
    rates: Annotated[Quantity[Vector3], Is(TURN_RATE, (3,))] | None = None
    sensors: Any = None
    navigation: Any = None
    guidance: Any = None
    control: Any = None
    allocation: Any = None
    commands: Any = None
    actuators: ActuatorSection | None = None
    locked: list[DegreeOfFreedom] = Field(default_factory=list)
    simplifications: list[Literal["coriolis_off", "munk_off"]] = Field(default_factory=list)
    scatter: ScatterSection | None = None
    disturbances: Any = None  # each is read separately
    faults: Any = None
    tethers: Any = None
    watch: Any = None


def _duration(value: float) -> str | None:
    return None if 0.0 < value <= LONGEST else f"must be above zero and at most {LONGEST:g} s."


def _step(value: float) -> str | None:
    if SHORTEST_STEP <= value <= LONGEST_STEP:
        return None
    return f"must be at least {SHORTEST_STEP:g} s and at most {LONGEST_STEP:g} s."


class ScenarioDescription(BaseModel):
    """A scenario file."""

    model_config = Section.model_config
    choices: ClassVar[tuple[Choice, ...]] = ()
    name: str | None = None
    title: str = ""
    notes: str = ""
    duration: Annotated[Quantity[float], Is(TIME, rule=_duration)] | None = None
    step: Annotated[Quantity[float], Is(TIME, rule=_step)] | None = None
    seed: int = 0
    method: str = "rk4"
    compiled: bool = True
    log: LogSection | None = None
    origin: OriginSection | None = None
    water: ScenarioWaterSection | None = None
    tunnel: TunnelSection | None = None
    bed: Any = None
    obstacles: Any = None
    contact: Any = None
    points: dict[str, Length3] | None = None
    vehicles: list[Any] | None = None
    faults: Any = None
    watch: Any = None

    @field_validator("seed")
    @classmethod
    def _not_negative(cls, seed: int) -> int:
        if not 0 <= seed < 2**63:
            raise ValueError("expected a whole number that is not negative.")
        return seed

    @field_validator("method")
    @classmethod
    def _known(cls, method: str) -> str:
        if method not in METHODS:
            raise ValueError(f"is no method of stepping. {suggestion(method, METHODS)}")
        return method
