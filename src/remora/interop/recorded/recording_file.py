"""YAML description of a recording of another vehicle: water, launch, states, and a table for each sensor."""

from collections.abc import Sequence
from typing import Annotated

from remora.files.file_kinds import FileKind
from remora.files.problems import Finding, InputFileError
from remora.files.quantities import Is, Quantity, positive
from remora.files.section import Section
from remora.files.units import ACCELERATION, DENSITY
from remora.navigation.parts.filter_options import FilterLaunchSection, FurtherStatesSection, RestSection
from remora.scenarios.description import OriginSection
from remora.vehicles.sections.device_sections import SensorSection


class RecordedWaterSection(Section):
    """Water of the recording."""

    density: Annotated[Quantity[float], Is(DENSITY, rule=positive)] | None = None
    gravity: Annotated[Quantity[float], Is(ACCELERATION, rule=positive)] | None = None


class RecordedSensorSection(SensorSection):
    """A sensor with its table."""

    file: str
    time: str  # COLUMN or COLUMN:UNIT
    columns: dict[str, str]  # channel of the sensor -> COLUMN:UNIT
    over: str | None = None  # COLUMN:UNIT of the intervals of increments, which end at the stamps
    arrival: str | None = None  # COLUMN or COLUMN:UNIT of the times at which the vehicle got the readings
    even_clock: bool | None = None  # stamps jitter, but the sensor samples at a constant rate

    @property
    def texts(self) -> list[str]:
        """All columns that are read."""
        return [text for text in (self.time, self.over, self.arrival, *self.columns.values()) if text is not None]


class RecordingDescription(Section):
    """A recording of another vehicle."""

    title: str = ""
    origin: OriginSection | None = None
    water: RecordedWaterSection | None = None
    launch: FilterLaunchSection | None = None
    states: FurtherStatesSection | None = None
    at_rest: list[RestSection] | None = None
    sensors: list[RecordedSensorSection] | None = None


RECORDING_FILE = FileKind(
    "recording", InputFileError, {"sensors": "Give a list of sensors with their tables."}, lambda key: None
)


def names_twice(sensors: Sequence[RecordedSensorSection]) -> list[Finding]:
    """Sensors with the name of one before them."""
    names = [one.name for one in sensors]
    return [
        Finding(("sensors", i, "name"), f'two sensors are called "{name}". Rename one.', shows_value=False)
        for i, name in enumerate(names)
        if name in names[:i]
    ]


def missing_origin(given: RecordingDescription) -> list[Finding]:
    """Satellite receivers without an origin of N."""
    if given.origin is not None:
        return []
    text = "a gps needs the origin of north and east: give origin: {latitude: ..., longitude: ..., height: ...}."
    found = [i for i, one in enumerate(given.sensors or ()) if one.kind == "gps"]
    return [Finding(("sensors", i, "kind"), text, shows_value=False) for i in found]
