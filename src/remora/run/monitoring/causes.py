"""Causes of warnings, and their texts.

One cause has several symptoms: a vehicle whose controllers lack a velocity, because no sensor measures it, drifts off
its reference, tilts and does not finish. The warning names what is missing; what follows from it is recorded as an
event of level info. A snagged or taut tether, an object that it touches and a failed actuator hold a vehicle back:
deviations in such a time are no fault of the controller, and their warnings say so.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple, final

import numpy as np

from remora.files.problems import listed
from remora.files.units import SECOND
from remora.messages.estimate import POSITION
from remora.messages.part import Lifecycle
from remora.run.faults.actuators import InputEffect, Partial
from remora.run.faults.body import Snag
from remora.run.faults.fault import Fault
from remora.run.loop.part_schedule import RunningParts
from remora.run.monitoring.detectors import TautTethers
from remora.run.plant.external_loads import ExternalLoads
from remora.run.setup import VehicleSetup

# Watches that follow from a lacking quantity.
SYMPTOMS = (
    "tracking", "cross_track", "offset", "distance", "heading", "speed", "drift", "tilt", "upside_down", "at_limit",
    "above_surface", "below_bed", "unfinished", "estimate",
)  # fmt: skip
AFTER_NS = 30 * SECOND  # for which symptoms outlast their cause

Key = tuple[str, str]  # watch and subject
BLIND: Key = ("waiting", "blind")  # of the warning that names what no sensor measures
IDLE: Key = ("waiting", "idle")  # of the warning of a controller that never acts


class Caused(NamedTuple):
    """A warning with its cause."""

    key: Key  # of the cause; of the warning itself where it has none
    text: str
    is_known: bool = False  # whether the cause was warned of before


@final
class Causes:
    """Attributes the warnings of one vehicle."""

    def __init__(self, parts: RunningParts) -> None:
        self._parts = parts
        self._controllers = [part for part in parts.parts if part.gives_wrench]
        self.followed: dict[Key, int] = {}  # number of symptoms whose cause was warned of
        self._acted: frozenset[str] = frozenset()  # controllers whose output was not zero at a check
        self._blind_ns: int | None = None  # when a needed quantity was lacking last

    def follow(self) -> None:
        """Take note of the controllers that act."""
        self._acted |= {
            part.scheduled.name
            for part in self._controllers
            if part.scheduled.name not in self._acted and part.output is not None and np.any(part.output)
        }

    def idle_text(self) -> str:
        """Text on controllers that never acted for want of a quantity; empty without any."""
        idle = [part.scheduled.name for part in self._controllers if part.life is Lifecycle.ACTIVE]
        idle, estimate = [name for name in idle if name not in self._acted], self._parts.estimate
        if not idle or self._blind_ns is not None or estimate is None or estimate.is_complete:
            return ""
        unknown = frozenset(estimate.unknown)
        reasons = self._parts.unmeasured_text(unknown)
        lacks = f"the estimate does not know {listed(sorted(unknown))}{f' ({reasons})' if reasons else ''}"
        return f"{listed(idle)} commanded nothing during the whole run; {lacks}{self._parts.loss_text()}"

    def _blind_text(self) -> str:
        """Text: what parts need and no sensor measures at present, so that it is known by a model only."""
        if self._parts.estimate is None:
            return ""
        needed = frozenset[str]().union(*(part.needs for part in self._parts.parts)) - {POSITION}
        reasons = self._parts.unmeasured_text(needed)
        return f"{reasons}{self._parts.loss_text()}" if reasons else ""

    def of(self, key: Key, text: str, time_ns: int, known: tuple[Key, ...], waits: bool) -> Caused:
        """The warning, or its cause, from the keys of all warnings so far and whether a part waits at present."""
        causes = [one for one in known if one[0] == "waiting"]
        if key[0] == "waiting" and key not in (BLIND, IDLE):
            self._blind_ns = time_ns
            return Caused(BLIND, text, True) if BLIND in known else Caused(key, text)
        if key[0] not in SYMPTOMS:
            return Caused(key, text)
        reasons = self._blind_text()
        if reasons or waits:
            self._blind_ns = time_ns
        if causes and self._blind_ns is not None and time_ns - self._blind_ns < AFTER_NS:
            self.followed[key] = self.followed.get(key, 0) + 1
            return Caused(causes[0], text, True)
        return Caused(BLIND, f"{reasons}: {text}") if reasons else Caused(key, text)

    def snapshot(self) -> Any:
        """State for a checkpoint."""
        return tuple(self.followed.items()), self._acted, self._blind_ns

    def restore(self, snapshot: Any) -> None:
        """Continue from a snapshot."""
        followed, self._acted, self._blind_ns = snapshot
        self.followed = dict(followed)


LET_GO_NS = 20 * SECOND  # after the end of a snag, in which the vehicle swings back


@final
class HeldBack:
    """The holds on one vehicle at a time."""

    def __init__(self, vehicle: VehicleSetup, external_loads: ExternalLoads, tethers: TautTethers) -> None:
        self._snags = tuple(fault for fault in vehicle.faults if isinstance(fault.effect, Snag))
        broken = (InputEffect, Partial)
        self._failures = tuple(fault for fault in vehicle.faults if isinstance(fault.effect, broken))
        self._external_loads, self._tethers = external_loads, tethers

    def text(self, time_ns: int, body: Sequence[float]) -> str:
        """The holds as text, each with what holds it; empty without any."""
        return "; ".join(self._found(time_ns, body))

    def until_the_end(self, time_ns: int, taut: Iterable[str]) -> str:
        """The holds of a run that ends with some taut tethers, snags that are over included; empty without any."""
        begun = [fault for fault in self._snags if fault.start_ns < time_ns]
        texts = [f"held by a snag of {fault.target} {_times(fault, time_ns)}" for fault in begun]
        texts += [f"{name} is taut" for name in taut if name not in {fault.target for fault in begun}]
        texts += [f"in contact with {name}" for name in self._external_loads.touching]
        return "; ".join([*texts, *self._failed(time_ns - 1)])  # a fault that lasts ends with the run

    def _found(self, time_ns: int, body: Sequence[float]) -> Iterator[str]:
        caught = [fault for fault in self._snags if fault.is_active(time_ns)]
        for fault in caught:
            yield f"held by a snag of {fault.target}, {fault.effect.summary}"
        for fault in self._snags:
            if fault.until_ns <= time_ns <= fault.until_ns + LET_GO_NS:
                yield f"let go by a snag of {fault.target} {_times(fault, time_ns)}"
        if self._tethers.is_needed:
            names = {fault.target for fault in caught}
            for one in self._tethers.found(time_ns, body):
                if one.subject not in names:
                    yield one.text()
        for name in self._external_loads.touching:
            yield f"in contact with {name}"
        yield from self._failed(time_ns)

    def _failed(self, time_ns: int) -> Iterator[str]:
        for fault in self._failures:
            if fault.is_active(time_ns):
                yield f"{fault.target} {fault.effect.summary}"


def _times(fault: Fault, time_ns: int) -> str:
    """When a snag was, up to a time."""
    begin = f"from {1e-9 * fault.start_ns:.6g} s"
    return f"{begin} until {1e-9 * fault.until_ns:.6g} s" if fault.until_ns <= time_ns else f"{begin} on"


def limit_text(name: str) -> str:
    """An actuator at its limit."""
    return f"{name} is at its limit"


def battery_text(left: float) -> str:
    """A battery that is nearly empty; the share that is left."""
    return f"{100.0 * left:.2g} % of its battery left" if left > 0.0 else "its battery is empty: the thrusters stop"


def zone_text(number: int, depth: float) -> str:
    """A keep-out zone by its number, and the depth inside it, m."""
    return f"{depth:.2g} m inside keep-out zone {number}; give it a margin, or less speed"


def overlap_text(name: str, depth: float, has_contact: bool) -> str:
    """A hull that overlaps another body, by how much, m, and whether contact is simulated."""
    if has_contact:
        return f"starts {depth:.2g} m inside {name}: contact drives them apart. Give it another position"
    return f"reaches {depth:.2g} m into {name} and passes through it; vehicles touch only with the key contact"
