"""The world of a scenario: its sections of text, water and current, ground.

Sections of currents are in `world.water.currents`. docs/world.md explains each key.
"""

import math
from collections.abc import Callable, Mapping
from functools import partial
from typing import Annotated, Any, ClassVar, Literal, TypeAlias

from pydantic import Field as Key

from remora.equations.geometry.earth import Geodetic
from remora.files.did_you_mean import suggestion
from remora.files.quantities import Is, Quantity, not_negative, number_or_word, positive
from remora.files.section import Choice, Length, Length3, Lengths, Place, Section, row_of_numbers
from remora.files.units import DENSITY, LENGTH, RATIO, SPEED
from remora.files.user_code import UserCodeError, UserCodeNames, is_user_code, made_by_user, user_object
from remora.messages.part_options import Duration
from remora.scenarios.load_context import LoadContext
from remora.sensors.errors.streams import Stream
from remora.vehicles.sections.device_sections import Angle
from remora.world.ground.beds import Bed, FlatBed, ProfileBed
from remora.world.ground.grid_bed import GridBed, read_ascii_grid
from remora.world.ground.obstacles import Ball, Box, Obstacle, Pipe
from remora.world.scene import Scene
from remora.world.water.column import Cast, Layer, WaterColumn, column_from_casts
from remora.world.water.currents.grid import GRID
from remora.world.water.currents.gusts import GUSTS
from remora.world.water.currents.power_law import POWER_LAW
from remora.world.water.currents.shear import SHEAR
from remora.world.water.currents.tide import TIDE
from remora.world.water.currents.uniform import UNIFORM
from remora.world.water.currents.user_current import UserCurrent
from remora.world.water.local_water import NO_SURFACE, CompositeCurrent, CurrentContext, CurrentKind, FlowField
from remora.world.water.netcdf import read_depths
from remora.world.water.waves import Waves
from remora.world.world import ContactSettings, World

CURRENTS: dict[str, CurrentKind] = {kind.name: kind for kind in (UNIFORM, SHEAR, POWER_LAW, GUSTS, TIDE, GRID)}


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

    choices: ClassVar = (Choice(("densities", "temperatures")), Choice(("sound_speeds", "salinities")))
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


_NAMES = UserCodeNames("my_file.py:MyCurrent", "the folder of the scenario", "a CurrentContext")


def currents_from(given: Any, site: Callable[[Stream], CurrentContext], context: LoadContext) -> list[FlowField]:
    """The currents of a scenario: a velocity, one current, or a list of them; findings go to the context."""
    if given is None:
        return []
    is_velocity = isinstance(given, list) and not any(isinstance(item, dict) for item in given)
    if is_velocity or (isinstance(given, dict) and "value" in given):
        given = {"kind": "uniform", "velocity": given}
    items, context = given if isinstance(given, list) else [given], context.at("water", "current")
    found = []
    for index, item in enumerate(items):
        place = context.at(index) if isinstance(given, list) else context
        found.append(_current(item, site(Stream(context.seed, f"world/current_{index}")), place))
    return [field for field in found if field is not None]


def _current(data: Any, site: CurrentContext, context: LoadContext) -> FlowField | None:
    """One current, or None with findings."""
    if not isinstance(data, dict) or not isinstance(data.get("kind"), str):
        context.refuse(f"expected current: a mapping with the key kind. Known here: {', '.join(CURRENTS)}.")
        return None
    name = data["kind"]
    if is_user_code(name):
        return _user_current(name, data, site, context)
    kind = CURRENTS.get(name)
    if kind is None:
        hint = f"{suggestion(name, CURRENTS)} Your own is {_NAMES.example}."
        context.at("kind").refuse(f"is no kind of current. {hint}")
        return None
    section = context.section(kind.section, data)
    if section is None:
        return None
    try:
        return kind.make(section, site)
    except ValueError as error:
        context.refuse(f"{str(error).rstrip('.')}.", shows_value=False)
        return None


def _user_current(name: str, data: dict[str, Any], site: CurrentContext, context: LoadContext) -> FlowField | None:
    """A current of the user; options with units are converted to SI."""
    values: dict[str, Any] = {}
    file = site.folder / name.partition(":")[0]
    for key in (key for key in data if key not in ("kind", *Section.model_fields)):
        try:
            values[key] = number_or_word(data[key])
        except ValueError as error:
            context.at(key).refuse(str(error))
            return None
    try:
        maker = user_object(name, site.folder, _NAMES)
        return UserCurrent(made_by_user(maker, file, (site,), values, _NAMES, "current"), file)
    except UserCodeError as error:
        context.at(error.field or "kind").refuse(str(error), shows_value=bool(error.field))
    except ValueError as error:
        context.at("kind").refuse(f"{str(error).rstrip('.')}.", shows_value=False)
    return None


_BEDS: dict[str, type[Section]] = {"flat": FlatBedSection, "profile": ProfileBedSection, "grid": GridBedSection}
_OBSTACLES: dict[str, type[Section]] = {"box": BoxSection, "pipe": PipeSection, "ball": BallSection}


def world_from(data: Mapping[str, Any], context: LoadContext) -> World:
    """The world of a scenario file: `water` with current, waves and column, `bed`, `obstacles` and `contact`.

    Findings go to the context, whose environment holds surface, flat bottom, tunnel, gravity and origin.
    """
    water = data.get("water") if isinstance(data.get("water"), dict) else {}
    assert isinstance(water, dict)
    bed = _bed(data, context)
    currents = currents_from(water.get("current"), partial(_current_site, bed, context), context)
    fields = [*currents, *_waves(water.get("waves"), bed, context)]
    has_surface = water.get("surface_depth") is not None or water.get("waves") is not None
    return World(
        CompositeCurrent(tuple(fields), context.environment.surface_depth if has_surface else NO_SURFACE),
        Scene(context.environment.scene.tunnels, bed, _obstacles(data.get("obstacles"), context)),
        _column(water.get("column"), context),
        _contact(data.get("contact"), context),
    )


def _made(context: LoadContext, make: Callable[[], Any]) -> Any:
    """The result of a function, or None with a finding."""
    try:
        return make()
    except ValueError as error:
        context.refuse(f"{str(error).rstrip('.')}.", shows_value=False)
        return None


def _of_kind(data: Any, kinds: Mapping[str, type[Section]], what: str, context: LoadContext) -> Any:
    """The section of an entry by its kind, or None with findings."""
    if not isinstance(data, dict) or not isinstance(data.get("kind"), str):
        context.refuse(f"expected {what}: a mapping with the key kind. Known here: {', '.join(kinds)}.")
        return None
    if data["kind"] not in kinds:
        context.at("kind").refuse(f"is no kind of {what}. {suggestion(data['kind'], kinds)}")
        return None
    return context.section(kinds[data["kind"]], data)


def _current_site(bed: Bed | None, context: LoadContext, stream: Stream) -> CurrentContext:
    flat_bed = bed.depth if isinstance(bed, FlatBed) else None
    return CurrentContext(context.environment.surface_depth, flat_bed, _origin(context), context.folder, stream)


def _origin(context: LoadContext) -> Geodetic | None:
    """Geodetic origin of N; None where the file gives none."""
    origin = context.environment.origin
    return None if origin == Geodetic(0.0, 0.0, 0.0) else origin


def _flat_depth(bed: Bed | None, level: float) -> float | None:
    """Water depth over a flat bed, m; None for other beds."""
    return bed.depth - level if isinstance(bed, FlatBed) else None


def _waves(given: Any, bed: Bed | None, context: LoadContext) -> list[FlowField]:
    context = context.at("water", "waves")
    section = None if given is None else context.section(WavesSection, given)
    if section is None:
        return []
    level = context.environment.surface_depth
    depth = section.water_depth.value if section.water_depth else _flat_depth(bed, level)
    made = _made(
        context,
        lambda: Waves(
            section.significant_height.value,
            section.peak_period.value,
            Stream(context.seed, "world/waves"),
            section.direction.value if section.direction else 0.0,
            section.peakedness.value if section.peakedness else 3.3,
            section.spreading.value if section.spreading else None,
            math.inf if depth is None else depth,
            level,
            context.environment.gravity,
        ),
    )
    return [] if made is None else [made]


def _column(given: Any, context: LoadContext) -> WaterColumn | None:
    context = context.at("water", "column")
    section = None if given is None else context.section(ColumnSection, given)
    if section is None:
        return None
    first, second = section.densities or section.temperatures, section.sound_speeds or section.salinities
    if first is None or second is None or (section.densities is None) != (section.sound_speeds is None):
        context.refuse("needs densities with sound_speeds, or temperatures with salinities.", shows_value=False)
        return None
    depths = section.depths.value
    if not len(depths) == len(first.value) == len(second.value):
        context.refuse("has lists of different lengths: give one number for each depth.", shows_value=False)
        return None
    rows = tuple(zip(depths, first.value, second.value, strict=True))
    if section.densities is not None:
        column = _made(context, lambda: WaterColumn(tuple(Layer(*row) for row in rows)))
    else:
        latitude = context.environment.origin.latitude
        column = _made(context, lambda: column_from_casts(tuple(Cast(*row) for row in rows), latitude))
    found: WaterColumn | None = column
    return found


def _bed(data: Mapping[str, Any], context: LoadContext) -> Bed | None:
    given, bottom = data.get("bed"), context.environment.scene.bed
    if given is None:
        return bottom
    if bottom is not None:
        context.at("bed").refuse("cannot be given beside water.bottom_depth, which is a bed too. Keep one.", False)
    section = _of_kind(given, _BEDS, "bed", context.at("bed"))
    if section is None:
        return None
    bed: Bed | None = _made(context.at("bed"), lambda: _bed_of(section, context))
    return bed


def _bed_of(section: Any, context: LoadContext) -> Bed:
    if isinstance(section, FlatBedSection):
        return FlatBed(section.depth.value)
    if isinstance(section, ProfileBedSection):
        start = section.start.value if section.start else (0.0, 0.0)
        heading = section.heading.value if section.heading else 0.0
        return ProfileBed(section.distances.value, section.depths.value, start, heading)
    if section.file is None:
        rows = section.depths.value
        if len({len(row) for row in rows}) > 1:
            raise ValueError("rows of depths have different lengths")
        return GridBed(section.norths.value, section.easts.value, rows)
    file = context.folder / section.file
    if file.suffix.lower() in (".asc", ".txt", ".grd"):
        grid = read_ascii_grid(file, upward=section.values == "heights")
    else:
        grid = read_depths(file, _origin(context), section.variable)
    # Depths of a file count from the still surface.
    return GridBed(grid.norths, grid.easts, grid.depths + context.environment.surface_depth)


def _obstacles(given: Any, context: LoadContext) -> tuple[Obstacle, ...]:
    if given is None:
        return ()
    if not isinstance(given, list):
        context.at("obstacles").refuse("expected a list, e.g. [{kind: ball, name: rock, center: ..., diameter: 1 m}].")
        return ()
    found: dict[str, Obstacle] = {}
    for index, item in enumerate(given):
        place = context.at("obstacles", index)
        section = _of_kind(item, _OBSTACLES, "obstacle", place)
        if section is None:
            continue
        if section.name in (*found, "bed", "tunnel"):
            place.at("name").refuse("is taken already. Give each obstacle a name of its own.")
        made = _made(place, partial(_obstacle, section))
        if made is not None:
            found[section.name] = made
    return tuple(found.values())


def _obstacle(section: Any) -> Obstacle:
    if isinstance(section, BoxSection):
        heading, slope = (angle.value if angle else 0.0 for angle in (section.heading, section.slope))
        return Box(section.name, section.center.value, section.size.value, heading, slope)
    if isinstance(section, PipeSection):
        return Pipe(section.name, section.start.value, section.end.value, 0.5 * section.diameter.value)
    return Ball(section.name, section.center.value, 0.5 * section.diameter.value)


def _contact(given: Any, context: LoadContext) -> ContactSettings | None:
    """Contact settings: defaults for true, or a mapping of parameters."""
    if given is None or given is False:
        return None
    if given is True:
        return ContactSettings()
    section = context.at("contact").section(ContactSection, given)
    if section is None:
        return None
    given_figures = {
        key: quantity.value
        for key in ("contact_time", "restitution", "friction")
        if (quantity := getattr(section, key)) is not None
    }
    sizes = {name: size.value for name, size in section.sizes.items()}
    for name, size in sizes.items():
        if min(size) <= 0.0:
            context.at("contact", "sizes", name).refuse("expected length, width and height above zero.")
    return ContactSettings(**given_figures, sizes=sizes)
