"""Builds a `Watch` from the entry `watch` of a scenario or vehicle. docs/scenarios.md explains each key."""

import math
from dataclasses import replace
from typing import Annotated, Any, TypeAlias

from remora.files.problems import dotted
from remora.files.quantities import Is, Quantity, not_negative, positive
from remora.files.section import Section
from remora.files.units import ANGLE, LENGTH, RATIO, SPEED
from remora.messages.part_options import Duration
from remora.run.monitoring.limits import NAMES, WATCH_NONE, Watch
from remora.run.setup import LoadWarning
from remora.scenarios.load_context import LoadContext

Distance: TypeAlias = Annotated[Quantity[float], Is(LENGTH, rule=not_negative)]


def _part(value: float) -> str | None:
    return None if 0.0 < value < 1.0 else "must lie between 0 and 1, e.g. 50 %."


Part: TypeAlias = Annotated[Quantity[float], Is(RATIO, rule=_part)]


def _reserve(value: float) -> str | None:
    return None if 0.0 <= value < 1.0 else "must be at least 0 and below 1, e.g. 20 %."


def _turn(value: float) -> str | None:
    return None if 0.0 < value <= math.pi else "must be above zero and at most 180 deg."


Turn: TypeAlias = Annotated[Quantity[float], Is(ANGLE, rule=_turn)]


class WatchSection(Section):
    """A bound for each watch; `off` and `on` are read before."""

    upside_down: Turn | None = None
    tilt: Turn | None = None
    above_surface: Distance | None = None
    below_bed: Distance | None = None
    overlap: Distance | None = None
    keep_out: Distance | None = None
    tracking: Annotated[Quantity[float], Is(LENGTH, rule=positive)] | None = None
    offset: Annotated[Quantity[float], Is(LENGTH, rule=positive)] | None = None
    distance: Annotated[Quantity[float], Is(LENGTH, rule=positive)] | None = None
    cross_track: Annotated[Quantity[float], Is(LENGTH, rule=positive)] | None = None
    heading: Turn | None = None
    speed: Part | None = None
    drift: Annotated[Quantity[float], Is(SPEED, rule=positive)] | None = None
    at_limit: Part | None = None
    battery: Annotated[Quantity[float], Is(RATIO, rule=_reserve)] | None = None
    tether: Part | None = None
    waiting: Duration | None = None
    lost_target: Duration | None = None
    unfinished: bool | None = None  # on or off, never a bound
    estimate: bool | None = None  # likewise
    step: bool | None = None  # likewise


def watch_from(given: Any, usual: Watch, context: LoadContext) -> Watch:
    """The watch of an entry, with defaults for omitted keys; findings go to the context."""
    if given is None:
        return usual
    if isinstance(given, str | bool):
        return _all_or_none(given, context)
    entries = given if isinstance(given, dict) else {}
    switches = {key: value for key, value in entries.items() if key in NAMES and _is_switch(value)}
    bounds = {key: value for key, value in entries.items() if key not in switches} if entries else given
    section = context.section(WatchSection, bounds)
    if section is None:
        return usual
    chosen: dict[str, Any] = {name: found.value for name in NAMES if (found := getattr(section, name)) is not None}
    chosen |= {key: getattr(Watch(), key) if value in (True, "on") else None for key, value in switches.items()}
    return replace(usual, **chosen)


def _is_switch(value: Any) -> bool:
    return isinstance(value, bool) or value in ("on", "off")


def _all_or_none(given: str | bool, context: LoadContext) -> Watch:
    """All watches on or off."""
    if given in (False, "off"):
        return WATCH_NONE
    if given not in (True, "on"):
        context.refuse(f"expected off, on, or a mapping with any of {', '.join(NAMES)}.")
    return Watch()


def load_warnings(watch: Watch, context: LoadContext) -> tuple[LoadWarning, ...]:
    """Pending warnings that are watched; the others become notes. Clears the list for the next vehicle."""
    watched = [pending for pending in context.pending_warnings if getattr(watch, pending.watch) is not None]
    context.notes.extend(pending.finding for pending in context.pending_warnings if pending not in watched)
    context.pending_warnings.clear()
    return tuple(
        LoadWarning(name, field := dotted(finding.path), f"{field} {finding.message}") for name, finding in watched
    )
