"""Sections of a scenario file for the world: waves, water column, bed, obstacles and contact.

Those of currents are in `world.water.currents`. docs/world.md explains each key.
"""

from typing import Annotated, Any, ClassVar, Literal, TypeAlias

from pydantic import Field as Key

from remora.files.quantities import Is, Quantity, not_negative, positive
from remora.files.section import Choice, Length, Length3, Lengths, Place, Section, row_of_numbers
from remora.files.units import DENSITY, LENGTH, RATIO, SPEED
from remora.messages.part_options import Duration
from remora.vehicles.sections.device_sections import Angle


def _table(value: Any) -> str | None:
    fits = isinstance(value, tuple) and value and all(isinstance(row, tuple) and row for row in value)
    return None if fits else "expected a list of rows, one for each of norths."


Number: TypeAlias = Annotated[Quantity[float], Is(RATIO, rule=not_negative)]
Plain: TypeAlias = Annotated[Quantity[tuple[float, ...]], Is(RATIO, None, rule=row_of_numbers)]


class WavesSection(Section):
    """Irregular waves."""

    significant_height: Length
    peak_period: Duration
    direction: Angle | None = None
    peakedness: Number | None = None
    spreading: Number | None = None
    water_depth: Length | None = None


class ColumnSection(Section):
    """Density and sound speed, or temperature and salinity, over depth."""

    choices: ClassVar = (
        Choice(("densities", "temperatures")),
        Choice(("sound_speeds", "salinities")),
    )
    depths: Lengths
    densities: Annotated[Quantity[tuple[float, ...]], Is(DENSITY, None, rule=row_of_numbers)] | None = None
    sound_speeds: Annotated[Quantity[tuple[float, ...]], Is(SPEED, None, rule=row_of_numbers)] | None = None
    temperatures: Plain | None = None  # degrees Celsius
    salinities: Plain | None = None


class FlatBedSection(Section):
    """A flat bed."""

    kind: Literal["flat"]
    depth: Place


class ProfileBedSection(Section):
    """A bed profile along a line."""

    kind: Literal["profile"]
    distances: Lengths
    depths: Lengths
    start: Annotated[Quantity[tuple[float, float]], Is(LENGTH, (2,))] | None = None
    heading: Angle | None = None


class GridBedSection(Section):
    """A bed on a grid, from a file or given directly."""

    choices: ClassVar = (Choice(("file", "depths")), Choice(("norths",), "depths"), Choice(("easts",), "depths"))
    kind: Literal["grid"]
    file: str | None = None
    variable: str | None = None
    values: Literal["heights", "depths"] = "heights"  # of an ASCII grid
    norths: Lengths | None = None
    easts: Lengths | None = None
    depths: Annotated[Quantity[Any], Is(LENGTH, None, rule=_table)] | None = None


class BoxSection(Section):
    """A box."""

    kind: Literal["box"]
    name: str
    center: Length3
    size: Length3
    heading: Angle | None = None
    slope: Angle | None = None


class PipeSection(Section):
    """A pipe or a pile."""

    kind: Literal["pipe"]
    name: str
    start: Length3
    end: Length3
    diameter: Length


class BallSection(Section):
    """A sphere."""

    kind: Literal["ball"]
    name: str
    center: Length3
    diameter: Length


class ContactSection(Section):
    """Contact parameters."""

    contact_time: Duration | None = None
    restitution: Annotated[Quantity[float], Is(RATIO, rule=positive)] | None = None
    friction: Number | None = None
    sizes: dict[str, Length3] = Key(default_factory=dict)
