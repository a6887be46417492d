"""Events of a run, counted: equal texts of one source are one entry."""

from collections.abc import Iterable
from typing import NamedTuple, final

from remora.logs import Event
from remora.logs.schema import LEVELS, Level

MOST_ENTRIES = 1000
LOSS, FAILURE, CHANGE, RECOVERY = range(4)  # gravity of events of one level, the gravest first


class TallyEntry(NamedTuple):
    """An event text with its source, level, times and count."""

    source: str
    level: Level
    text: str
    first_ns: int
    last_ns: int
    times: int  # how often
    gravity: int = FAILURE

    def line(self) -> str:
        """Time, source, text and count."""
        often = f", {self.times} times until {1e-9 * self.last_ns:.6g} s" if self.times > 1 else ""
        return f"{1e-9 * self.first_ns:.6g} s  {self.source}: {self.text}{often}"


@final
class EventTally:
    """Counts events in bounded memory."""

    def __init__(self) -> None:
        self._entries: dict[tuple[str, Level, str], TallyEntry] = {}
        self.counts: dict[Level, int] = dict.fromkeys(LEVELS, 0)

    def add(self, events: Iterable[Event]) -> None:
        """Count some events."""
        for event in events:
            self.counts[event.level] += 1
            key = (event.source, event.level, event.text)
            if (old := self._entries.get(key)) is not None:
                self._entries[key] = old._replace(last_ns=event.time_ns, times=old.times + 1)
            elif len(self._entries) < MOST_ENTRIES:
                self._entries[key] = TallyEntry(*key, event.time_ns, event.time_ns, 1, _gravity(event))

    def entries(self) -> list[TallyEntry]:
        """All entries in the order of time; beyond a thousand different ones, those that came first."""
        return sorted(self._entries.values(), key=lambda entry: entry.first_ns)

    def by_gravity(self, least: Level = "info") -> list[TallyEntry]:
        """All entries of at least a level, the gravest first; equally grave ones in order of time."""
        grave = [entry for entry in self.entries() if LEVELS.index(entry.level) >= LEVELS.index(least)]
        return sorted(grave, key=lambda entry: (-LEVELS.index(entry.level), entry.gravity))

    def gravest(self, most: int, least: Level = "info") -> list[TallyEntry]:
        """The gravest entries of at least a level, in order of time."""
        return sorted(self.by_gravity(least)[:most], key=lambda entry: entry.first_ns)


def _gravity(event: Event) -> int:
    """Gravity of an event, by its data: axes without control and lost sensors, failures, changes, recoveries."""
    data = event.data
    lost = data.get("lost")
    if data.get("health") == "lost" or (isinstance(lost, list) and lost):
        return LOSS
    if data.get("state") == "ends":
        return RECOVERY
    return CHANGE if isinstance(lost, list) else FAILURE


@final
class WaypointTally:
    """Progress along waypoints, from the events of guidance."""

    def __init__(self) -> None:
        self._reached: dict[str, tuple[int, int, int]] = {}  # by source: points reached, of how many, when
        self._planned: dict[str, float | None] = {}  # s, when the last one was due where it was reached late

    def add(self, events: Iterable[Event]) -> None:
        """Take some events."""
        for event in events:
            reached, count = event.data.get("waypoint"), event.data.get("of")
            if event.level == "info" and isinstance(reached, int) and isinstance(count, int):
                self._reached[event.source] = (reached, count, event.time_ns)
                self._planned[event.source] = event.data.get("planned")

    def lines(self) -> list[str]:
        """One line for each list."""
        return [self._line(source, *state) for source, state in self._reached.items()]

    def _line(self, source: str, reached: int, count: int, when_ns: int) -> str:
        planned = self._planned[source]
        when = f", the last at {1e-9 * when_ns:.6g} s" if reached else ""
        due = f" (planned: {planned:.4g} s)" if planned is not None else ""
        return f"{source}: {reached} of {count} reached{when}{due}"
