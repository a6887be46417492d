"""Builds the `World` of a scenario file."""

import math
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from remora.equations.geometry.earth import Geodetic
from remora.files.did_you_mean import suggestion
from remora.files.problems import Path
from remora.files.section import Section
from remora.scenarios.builders.currents import currents_from
from remora.scenarios.load_context import LoadContext
from remora.scenarios.world_sections import (
    BallSection,
    BoxSection,
    ColumnSection,
    ContactSection,
    FlatBedSection,
    GridBedSection,
    PipeSection,
    ProfileBedSection,
    WavesSection,
)
from remora.sensors.errors.streams import Stream
from remora.world.ground.beds import Bed, FlatBed, ProfileBed
from remora.world.ground.grid_bed import GridBed, read_ascii_grid
from remora.world.ground.obstacles import Ball, Box, Obstacle, Pipe
from remora.world.scene import Scene
from remora.world.water.column import Cast, Layer, WaterColumn, column_from_casts
from remora.world.water.local_water import NO_SURFACE, CompositeCurrent, CurrentContext, FlowField
from remora.world.water.netcdf import read_depths
from remora.world.water.waves import Waves
from remora.world.world import ContactSettings, World

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


def _made(path: Path, context: LoadContext, make: Callable[[], Any]) -> Any:
    """The result of a function, or None with a finding."""
    try:
        return make()
    except ValueError as error:
        context.refuse(path, f"{str(error).rstrip('.')}.", shows_value=False)
        return None


def _of_kind(data: Any, path: Path, kinds: Mapping[str, type[Section]], what: str, context: LoadContext) -> Any:
    """The section of an entry by its kind, or None with findings."""
    if not isinstance(data, dict) or not isinstance(data.get("kind"), str):
        context.refuse(path, f"expected {what}: a mapping with the key kind. Known here: {', '.join(kinds)}.")
        return None
    if data["kind"] not in kinds:
        context.refuse((*path, "kind"), f"is no kind of {what}. {suggestion(data['kind'], kinds)}")
        return None
    return context.section(kinds[data["kind"]], data, path)


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
    path: Path = ("water", "waves")
    section = None if given is None else context.section(WavesSection, given, path)
    if section is None:
        return []
    level = context.environment.surface_depth
    depth = section.water_depth.value if section.water_depth else _flat_depth(bed, level)
    made = _made(
        path,
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
    path: Path = ("water", "column")
    section = None if given is None else context.section(ColumnSection, given, path)
    if section is None:
        return None
    first, second = section.densities or section.temperatures, section.sound_speeds or section.salinities
    if first is None or second is None or (section.densities is None) != (section.sound_speeds is None):
        context.refuse(path, "needs densities with sound_speeds, or temperatures with salinities.", shows_value=False)
        return None
    depths = section.depths.value
    if not len(depths) == len(first.value) == len(second.value):
        context.refuse(path, "has lists of different lengths: give one number for each depth.", shows_value=False)
        return None
    rows = tuple(zip(depths, first.value, second.value, strict=True))
    if section.densities is not None:
        column = _made(path, context, lambda: WaterColumn(tuple(Layer(*row) for row in rows)))
    else:
        latitude = context.environment.origin.latitude
        column = _made(path, context, lambda: column_from_casts(tuple(Cast(*row) for row in rows), latitude))
    found: WaterColumn | None = column
    return found


def _bed(data: Mapping[str, Any], context: LoadContext) -> Bed | None:
    given, bottom = data.get("bed"), context.environment.scene.bed
    if given is None:
        return bottom
    if bottom is not None:
        context.refuse(("bed",), "cannot be given beside water.bottom_depth, which is a bed too. Keep one.", False)
    section = _of_kind(given, ("bed",), _BEDS, "bed", context)
    if section is None:
        return None
    bed: Bed | None = _made(("bed",), context, lambda: _bed_of(section, context))
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
        context.refuse(("obstacles",), "expected a list, e.g. [{kind: ball, name: rock, center: ..., diameter: 1 m}].")
        return ()
    found: dict[str, Obstacle] = {}
    for index, item in enumerate(given):
        path: Path = ("obstacles", index)
        section = _of_kind(item, path, _OBSTACLES, "obstacle", context)
        if section is None:
            continue
        if section.name in (*found, "bed", "tunnel"):
            context.refuse((*path, "name"), "is taken already. Give each obstacle a name of its own.")
        made = _made(path, context, partial(_obstacle, section))
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
    section = context.section(ContactSection, given, ("contact",))
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
            context.refuse(("contact", "sizes", name), "expected length, width and height above zero.")
    return ContactSettings(**given_figures, sizes=sizes)
