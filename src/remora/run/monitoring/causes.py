"""The one cause of several symptoms: a quantity that controllers need and no sensor measures.

A vehicle whose controllers lack a velocity drifts off its reference, tilts and does not finish. The warning names what
is missing; what follows from it is recorded as an event of level info.
"""

from typing import Any, NamedTuple, final

import numpy as np

from remora.files.problems import listed
from remora.files.units import SECOND
from remora.messages.estimate import POSITION
from remora.messages.part import Lifecycle
from remora.run.loop.part_schedule import RunningParts

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
        """The warning, or its cause.

        Parameters
        ----------
        key, text, time_ns
            Of the warning.
        known
            Keys of all warnings so far.
        waits
            Whether a part waits at present.
        """
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
