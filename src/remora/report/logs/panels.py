"""Panels and curves of the picture of a log, chosen from its channels."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from remora.logs import Channel, Field
from remora.report.drawing import ALL_COLOURS, BLACK, BLUE, GREEN, ORANGE, PURPLE, RED
from remora.report.logs.traces import (
    CROSS_TRACK,
    QUANTITIES,
    UNIT_OF,
    Trace,
    deviation_bounds,
    motion,
    plain,
    shown_unit,
)

MOST_IN_DETAIL = 4  # vehicles: truth, estimate and reference of more would not fit into one legend
MOST_VEHICLES = 60  # of a fleet
MOST_LINES = 10  # of one panel of actuators or sensors
ROLES = ("truth", "estimate", "reference")  # last part of the name of a channel with motion
ACTUATORS = ("outputs", "limited", "commands")
OTHERS = ("wrench", "power")
_SCALE = (BLACK, BLUE, GREEN, ORANGE, RED, PURPLE)  # from the first vehicle of a fleet to the last
_STATES = ("status", "valid", "latency")  # of a sensor; counted, not drawn
# Field of a sensor -> quantity of the truth that it can be compared with directly.
_SAME_AS = {
    "roll": "roll", "pitch": "pitch", "heading": "heading", "depth": "depth",
    "velocity_x": "surge", "velocity_y": "sway", "velocity_z": "heave",
    "v_NS_S_x": "surge", "v_NS_S_y": "sway", "v_NS_S_z": "heave",
}  # fmt: skip


class PlotLine(NamedTuple):
    """A curve with label and style."""

    trace: Trace
    label: str
    style: Mapping[str, Any]
    is_bound: bool = False  # of an estimate; it may leave the axes


class Panel(NamedTuple):
    """Axes over time."""

    label: str  # with the unit
    lines: tuple[PlotLine, ...]
    title: str = ""
    channels: tuple[str, ...] = ()  # whose lost readings the title reports
    downwards: bool = False  # inverted axis
    legend: bool = True
    is_error: bool = False  # of a leg; its RMS and maximum are the title


class Overview(NamedTuple):
    """The panels of a whole log."""

    paths: tuple[PlotLine, ...]  # seen from above
    motion: tuple[Panel, ...]
    parts: tuple[Panel, ...]  # actuators, sensors and other channels
    vehicles: tuple[str, ...]

    def traces(self) -> frozenset[Trace]:
        """All traces of the panels."""
        over_time = [line.trace for panel in (*self.motion, *self.parts) for line in panel.lines]
        return frozenset([*over_time, *(line.trace for line in self.paths)])


def vehicles_of(channels: Iterable[Channel]) -> tuple[str, ...]:
    """Names of the vehicles, in the order of the log."""
    known = {*ROLES, *ACTUATORS, *OTHERS}
    scopes = [c.name.rpartition("/")[0] for c in channels if _last(c.name) in known or "path" in motion(c)]
    return tuple(dict.fromkeys(scope for scope in scopes if scope))


def overview(channels: Mapping[str, Channel], vehicles: Sequence[str]) -> Overview:
    """Panels for some vehicles; without vehicles, for all channels.

    Of a fleet only the true motion is drawn, coloured in the order of the vehicles.
    """
    drawn = tuple(vehicles[:MOST_VEHICLES])
    paths, quantities = _motion_lines(channels, drawn)
    moving = tuple(
        Panel(
            f"{word} [{UNIT_OF[word]}]",
            tuple(quantities[word]),
            downwards=word == "depth",
            legend=False,
            is_error=word == CROSS_TRACK,
        )
        for word in QUANTITIES
        if quantities[word]
    )
    detailed = () if is_fleet(drawn) else drawn
    parts = [*_distance_panels(channels, detailed), *_actuator_panels(channels, detailed)]
    parts += _sensor_panels(channels, detailed)
    parts += _other_panels(channels, detailed)
    free = [c for c in channels.values() if not any(c.name.startswith(f"{name}/") for name in vehicles)]
    return Overview(tuple(paths), moving, (*parts, *(panel for c in free for panel in channel_panels(c))), drawn)


def is_fleet(vehicles: Sequence[str]) -> bool:
    """Whether there are too many vehicles to draw more than their motion."""
    return len(vehicles) > MOST_IN_DETAIL


def channel_panels(channel: Channel) -> list[Panel]:
    """The fields of one channel: fields of the same unit share a panel."""
    panels = []
    for unit, fields in _by_unit(channel.fields):
        for start in range(0, len(fields), MOST_LINES):
            some = fields[start : start + MOST_LINES]
            lines = [_plot_line(channel, field, i) for i, field in enumerate(some)]
            name = some[0].name if len(some) == 1 else _shared_name(some)
            downwards = [field.name for field in some] == ["depth"]
            panels.append(Panel(f"{name} [{unit}]", tuple(lines), channel.name, (channel.name,), downwards))
    return panels


def _motion_lines(
    channels: Mapping[str, Channel], vehicles: Sequence[str]
) -> tuple[list[PlotLine], dict[str, list[PlotLine]]]:
    """Truth, estimate and reference of each vehicle: their paths, and their curves by quantity."""
    paths: list[PlotLine] = []
    quantities: dict[str, list[PlotLine]] = {word: [] for word in QUANTITIES}
    for number, vehicle in enumerate(vehicles):
        roles = _moving(channels, vehicle)
        if is_fleet(vehicles):
            roles = dict([*roles.items()][:1])  # truth, or the next best
        for role, channel in roles.items():
            label = vehicle if is_fleet(vehicles) else f"{vehicle} {role}" if len(vehicles) > 1 else role
            style = _role_style(role, number, alone=len(vehicles) == 1)
            if is_fleet(vehicles):
                style = {"color": _shade(number, len(vehicles)), "linestyle": "-", "linewidth": 1.0, "zorder": 2}
            for word, trace in motion(channel).items():
                (paths if word == "path" else quantities[word]).append(PlotLine(trace, label, style))
            if role == "estimate" and not is_fleet(vehicles):
                thin = {**style, "linestyle": "-", "linewidth": 0.5, "alpha": 0.7}
                for word, (low, high) in deviation_bounds(channel).items():
                    both = (low, "_"), (high, "estimate, 3 sigma")
                    quantities[word] += [PlotLine(trace, text, thin, is_bound=True) for trace, text in both]
    return paths, quantities


def _moving(channels: Mapping[str, Channel], vehicle: str) -> dict[str, Channel]:
    """Channels with the motion of a vehicle, by role; a pose of another name where there is no role."""
    roles = {role: channels[f"{vehicle}/{role}"] for role in ROLES if f"{vehicle}/{role}" in channels}
    if roles:
        return roles
    named = {_last(c.name): c for c in channels.values() if c.name.rpartition("/")[0] == vehicle}
    return {name: channel for name, channel in named.items() if "path" in motion(channel)}


def _role_style(role: str, number: int, alone: bool) -> dict[str, Any]:
    """Colour by vehicle and dashes by role; a single vehicle has colours by role."""
    colour = ALL_COLOURS[number % len(ALL_COLOURS)]
    if role == "estimate":
        return {"color": RED if alone else colour, "linestyle": "--", "linewidth": 1.1, "zorder": 3}
    if role == "reference":
        return {"color": "0.35" if alone else colour, "linestyle": ":", "linewidth": 1.3, "zorder": 1}
    return {"color": BLUE if alone else colour, "linestyle": "-", "linewidth": 1.5, "zorder": 2}


def _shade(number: int, count: int) -> tuple[float, float, float]:
    """The colour of a vehicle of a fleet: between neighbouring colours of the palette, in the order of the fleet."""
    place = number * (len(_SCALE) - 1) / max(1, count - 1)
    low = min(int(place), len(_SCALE) - 2)
    ends = [[int(colour[i : i + 2], 16) / 255.0 for i in (1, 3, 5)] for colour in _SCALE[low : low + 2]]
    r, g, b = (a + (place - low) * (z - a) for a, z in zip(*ends, strict=True))
    return r, g, b


def _actuator_panels(channels: Mapping[str, Channel], vehicles: Sequence[str]) -> list[Panel]:
    panels = []
    for vehicle in vehicles:
        present = [channels[f"{vehicle}/{word}"] for word in ACTUATORS if f"{vehicle}/{word}" in channels]
        if not present:
            continue
        main, asked = present[0], next((c for c in present[1:]), None)
        for unit, fields in _by_unit(main.fields):
            lines = []
            for i, field in enumerate(fields[:MOST_LINES]):
                lines.append(_plot_line(main, field, i))
                if (
                    asked
                    and field.name in asked.names
                    and asked.fields[asked.names.index(field.name)].unit == field.unit
                ):
                    faint = {**_colour(i), "linestyle": ":", "linewidth": 0.9}
                    lines.append(PlotLine(plain(asked, field), "_", faint))
            some = f"{MOST_LINES} of {len(fields)} " if len(fields) > MOST_LINES else ""
            dots = f"; dotted: {_last(asked.name)}" if asked and len(lines) > len(fields[:MOST_LINES]) else ""
            panels.append(
                Panel(f"{_last(main.name)} [{unit}]", tuple(lines), f"{vehicle}: {some}{_last(main.name)}{dots}")
            )
    return panels


def _distance_panels(channels: Mapping[str, Channel], vehicles: Sequence[str]) -> list[Panel]:
    """The measured distance to what guidance follows, and the one that it keeps."""
    panels = []
    for vehicle in vehicles:
        channel = channels.get(f"{vehicle}/reference")
        if channel is None or not {"distance", "measured_distance"} <= {*channel.names}:
            continue
        lines = [
            PlotLine(plain(channel, channel.fields[channel.names.index(name)]), label, _role_style(role, 0, alone=True))
            for name, label, role in (
                ("measured_distance", "measured", "truth"),
                ("distance", "reference", "reference"),
            )
        ]
        panels.append(Panel("distance [m]", tuple(lines), f"{vehicle}: distance to what it follows", (channel.name,)))
    return panels


def _sensor_panels(channels: Mapping[str, Channel], vehicles: Sequence[str]) -> list[Panel]:
    """A panel per sensor; sensors of one value that is called the same, such as echosounders, share one."""
    panels = []
    known = {*ROLES, *ACTUATORS, *OTHERS}
    for vehicle in vehicles:
        moving = _moving(channels, vehicle)
        sensors = [
            c for c in channels.values()
            if c.name.startswith(f"{vehicle}/") and _last(c.name) not in known and c not in moving.values()
        ]  # fmt: skip
        truth = motion(moving["truth"]) if "truth" in moving else {}
        for _, group in groupby(sensors, _kind):
            alike = list(group)
            panels.append(_alike(vehicle, alike) if len(alike) > 1 else _sensor(vehicle, alike[0], truth))
    return [panel for panel in panels if panel.lines]


def _kind(sensor: Channel) -> str:
    """Key of sensors that share a panel."""
    values = _values(sensor)
    return f"{values[0].name} {values[0].unit}" if len(values) == 1 else sensor.name


def _alike(vehicle: str, sensors: list[Channel]) -> Panel:
    """Several sensors of one value each."""
    field = _values(sensors[0])[0]
    lines = tuple(PlotLine(plain(c, field), _last(c.name), _colour(i)) for i, c in enumerate(sensors[:MOST_LINES]))
    return Panel(f"{field.name} [{shown_unit(field.unit)}]", lines, f"{vehicle}: {field.name}", _names(sensors))


def _sensor(vehicle: str, sensor: Channel, truth: Mapping[str, Trace]) -> Panel:
    """One sensor: the values that can be compared with truth, else the values of its first unit."""
    groups = _by_unit(_values(sensor))
    if not groups:
        return Panel("", ())
    unit, fields = max(groups, key=lambda group: any(_SAME_AS.get(f.name) in truth for f in group[1]))
    fields = [field for field in fields if field.name == "heading"] or fields  # its range would flatten the others
    lines = []
    for i, field in enumerate(fields[:MOST_LINES]):
        lines.append(_plot_line(sensor, field, i))
        if (same := _SAME_AS.get(field.name)) in truth and same is not None:
            lines.append(
                PlotLine(truth[same], "_", {"color": "0.25", "linestyle": "--", "linewidth": 0.9, "zorder": 3})
            )
    note = "; dashed: truth of the body" if any(line.label == "_" for line in lines) else ""
    return Panel(f"{_shared_name(fields)} [{unit}]", tuple(lines), f"{sensor.name}{note}", (sensor.name,))


def _other_panels(channels: Mapping[str, Channel], vehicles: Sequence[str]) -> list[Panel]:
    names = [f"{vehicle}/{word}" for word in reversed(OTHERS) for vehicle in vehicles]
    return [panel for name in names if name in channels for panel in channel_panels(channels[name])]


def _values(channel: Channel) -> tuple[Field, ...]:
    return tuple(field for field in channel.fields if field.name not in _STATES)


def _by_unit(fields: Sequence[Field]) -> list[tuple[str, list[Field]]]:
    """Fields of the same unit together, in the order of the first of each."""
    groups: dict[str, list[Field]] = {}
    for field in fields:
        groups.setdefault(shown_unit(field.unit), []).append(field)
    return list(groups.items())


def _shared_name(fields: Sequence[Field]) -> str:
    """Axis label of several fields: the common prefix of their names."""
    names = [field.name for field in fields]
    shared = names[0]
    for name in names[1:]:
        while not name.startswith(shared):
            shared = shared[:-1]
    return shared.rstrip("_0123456789") if len(shared) > 2 else "values"


def _names(channels: Iterable[Channel]) -> tuple[str, ...]:
    return tuple(channel.name for channel in channels)


def _last(name: str) -> str:
    return name.rpartition("/")[2]


def _plot_line(channel: Channel, field: Field, place: int) -> PlotLine:
    """A field under its own name; integers and booleans are drawn as steps."""
    steps = {} if field.kind == "float" else {"drawstyle": "steps-post"}
    return PlotLine(plain(channel, field), field.name, {**_colour(place), **steps})


def _colour(place: int) -> dict[str, Any]:
    """A colour, and dashes where the colours are used up."""
    style = "-" if place < len(ALL_COLOURS) else "--"
    return {"color": ALL_COLOURS[place % len(ALL_COLOURS)], "linestyle": style, "linewidth": 1.1}
