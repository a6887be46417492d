"""Sections of a scenario file for the world: currents, waves, water column, bed, obstacles and contact.

docs/world.md explains each key.
"""

from typing import Annotated, Any, ClassVar, Literal, TypeAlias

from pydantic import Field as Key

from remora.equations.algebra.vectors import Vector3
from remora.files.quantities import Is, Quantity, not_negative, positive
from remora.files.section import Choice, Length3, Section
from remora.files.units import DENSITY, LENGTH, RATIO, SPEED, TIME
from remora.messages.part_options import Duration, Moment
from remora.simulation.scenarios.description import Length, Place, Speed3
from remora.vehicles.sections.device_sections import Angle


def _vectors(value: Any) -> str | None:
    fits = isinstance(value, tuple) and value and all(isinstance(row, tuple) and len(row) == 3 for row in value)
    return None if fits else "expected a list of velocities, each [north, east, down]."


def _row(value: Any) -> str | None:
    fits = isinstance(value, tuple) and value and all(isinstance(number, float) for number in value)
    return None if fits else "expected a list of numbers."


def _one_or_three(value: Any) -> str | None:
    fits = isinstance(value, float) or (len(value) == 3 and all(isinstance(number, float) for number in value))
    return None if fits else "expected one number for all axes, or three: north, east and down."


def _table(value: Any) -> str | None:
    fits = isinstance(value, tuple) and value and all(isinstance(row, tuple) and row for row in value)
    return None if fits else "expected a list of rows, one for each of norths."


Depths: TypeAlias = Annotated[Quantity[tuple[float, ...]], Is(LENGTH, None, rule=_row)]
Number: TypeAlias = Annotated[Quantity[float], Is(RATIO, rule=not_negative)]
Plain: TypeAlias = Annotated[Quantity[tuple[float, ...]], Is(RATIO, None, rule=_row)]


class UniformSection(Section):
    """A uniform current."""

    kind: Literal["uniform"]
    velocity: Speed3


class ShearSection(Section):
    """A current profile over depth."""

    kind: Literal["shear"]
    depths: Depths
    velocities: Annotated[Quantity[tuple[Vector3, ...]], Is(SPEED, None, rule=_vectors)]


class PowerLawSection(Section):
    """A power-law boundary layer."""

    kind: Literal["power_law"]
    velocity: Speed3
    water_depth: Length | None = None
    exponent: Annotated[Quantity[float], Is(RATIO, rule=positive)] | None = None


class GustsSection(Section):
    """Gauss-Markov gusts."""

    kind: Literal["gusts"]
    std: Annotated[Quantity[Any], Is(SPEED, None, rule=_one_or_three)]
    correlation_time: Annotated[Quantity[Any], Is(TIME, None, rule=_one_or_three)]


class TideSection(Section):
    """One constituent of a tidal stream."""

    choices: ClassVar = (Choice(("period", "constituent")),)
    kind: Literal["tide"]
    amplitude: Annotated[Quantity[float], Is(SPEED, rule=not_negative)]
    minor: Annotated[Quantity[float], Is(SPEED)] | None = None
    period: Duration | None = None
    constituent: Literal["M2", "S2", "N2", "K1", "O1"] | None = None
    direction: Angle | None = None
    phase: Angle | None = None


class CurrentFileSection(Section):
    """A current on a grid, from a file."""

    kind: Literal["grid"]
    file: str
    start: Moment | None = None
    names: dict[str, str] = Key(default_factory=dict)


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
    depths: Depths
    densities: Annotated[Quantity[tuple[float, ...]], Is(DENSITY, None, rule=_row)] | None = None
    sound_speeds: Annotated[Quantity[tuple[float, ...]], Is(SPEED, None, rule=_row)] | None = None
    temperatures: Plain | None = None  # degrees Celsius
    salinities: Plain | None = None


class FlatBedSection(Section):
    """A flat bed."""

    kind: Literal["flat"]
    depth: Place


class ProfileBedSection(Section):
    """A bed profile along a line."""

    kind: Literal["profile"]
    distances: Depths
    depths: Depths
    start: Annotated[Quantity[tuple[float, float]], Is(LENGTH, (2,))] | None = None
    heading: Angle | None = None


class GridBedSection(Section):
    """A bed on a grid, from a file or given directly."""

    choices: ClassVar = (Choice(("file", "depths")), Choice(("norths",), "depths"), Choice(("easts",), "depths"))
    kind: Literal["grid"]
    file: str | None = None
    variable: str | None = None
    values: Literal["heights", "depths"] = "heights"  # of an ASCII grid
    norths: Depths | None = None
    easts: Depths | None = None
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
