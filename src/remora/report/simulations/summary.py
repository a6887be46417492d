"""A log of the loop in words: who moved where, what was lost and what was said."""

from collections.abc import Collection, Mapping
from typing import NamedTuple, TypeAlias, final

import numpy as np
import numpy.typing as npt

from remora.files.arrays import Array
from remora.logs import Event, Series
from remora.messages.reading import Status
from remora.report.logs.panels import vehicles_of
from remora.report.logs.source import OpenLog, Source, open_log
from remora.report.simulations.event_tally import EventTally, WaypointTally
from remora.report.simulations.tracking_tally import TrackingTally

Line: TypeAlias = tuple[str, str]
Times: TypeAlias = npt.NDArray[np.int64]
MOST_WARNINGS = 5
MOST_WATCHED = 20
_POSITION, _VELOCITY = (tuple(f"{name}_{axis}" for axis in "xyz") for name in ("p_NB", "v_NB_B"))
_OVERRUN = "overrun"  # the word of an event that says that a part took longer than its period
_WATCH = "/watch"  # how the source of an event ends that says where a run did not go as asked


class ActuatorLimits(NamedTuple):
    """What a log does not say about the actuators of a vehicle.

    Parameters
    ----------
    inputs
        Inputs from which on each actuator is at its lower and upper limit, n x 2.
    outages
        Name, start and end in ns of each time during which an actuator does not follow its commands.
    """

    inputs: Array
    outages: tuple[tuple[str, int, int], ...] = ()


def run_summary(source: Source, limits: Mapping[str, ActuatorLimits] | None = None) -> list[Line]:
    """Pairs of a word and what there is to say about it, from one pass over the log.

    Parameters
    ----------
    source
        The log.
    limits
        Those of vehicles by name. A log itself does not tell limits: without them only commands that were cut are
        counted.

    Raises
    ------
    LogError
        The log cannot be read.
    """
    with open_log(source) as log:
        vehicles = vehicles_of(log.channels.values())
        tallies = {vehicle: _VehicleTally(vehicle, log.channels, (limits or {}).get(vehicle)) for vehicle in vehicles}
        events, times, progress = EventTally(), _Times(), WaypointTally()
        for series_list, some in log.stretches():
            events.add(some)
            progress.add(some)
            for event in some:
                _take_cause(event, tallies)
            for series in series_list:
                times.take(series)
                owner = tallies.get(series.channel.name.rpartition("/")[0])
                if owner is not None and len(series):
                    owner.take(series)
            for tally in tallies.values():
                tally.tracking.settle()
        return [
            *_origin(log),
            ("simulated", times.words()),
            *(line for tally in tallies.values() for line in tally.lines()),
            *(("waypoints", words) for words in progress.words()),
            *_event_lines(events),
            *(("damaged", words) for words in log.problems[:MOST_WARNINGS]),
        ]


def _origin(log: OpenLog) -> list[Line]:
    header = log.header
    hashes = [("vehicle file", f"{name} sha256 {value}") for name, value in header.vehicle_hashes.items()]
    scenario = [("scenario", f"sha256 {header.scenario_hash}")] if header.scenario_hash else []
    left_out = [("left out", ", ".join(header.simplifications))] if header.simplifications else []
    if not header.version:
        return [*scenario, *hashes, *left_out]
    return [("seed", f"{header.seed}"), ("version", f"remora {header.version}"), *scenario, *hashes, *left_out]


@final
class _Times:
    """First and last time of any row."""

    def __init__(self) -> None:
        self._first, self._last = np.inf, -np.inf

    def take(self, series: Series) -> None:
        if len(series):
            self._first = min(self._first, series.time[0])
            self._last = max(self._last, series.time[-1])

    def words(self) -> str:
        if self._first > self._last:
            return "nothing"
        return f"{self._last - self._first:.6g} s, from {self._first:.6g} to {self._last:.6g} s"


class _Motion(NamedTuple):
    """How a vehicle has moved so far."""

    distance: float = 0.0  # m
    deepest: float = -np.inf  # m
    fastest: float = 0.0  # m/s
    total_speed: float = 0.0  # m/s, of all rows together
    rows: int = 0
    last: Array | None = None  # position

    def after(self, positions: Array, speeds: Array) -> "_Motion":
        """With more rows."""
        path = positions if self.last is None else np.concatenate([self.last[None], positions])
        return _Motion(
            self.distance + float(np.linalg.norm(np.diff(path, axis=0), axis=1).sum()),
            max(self.deepest, float(positions[:, 2].max())),
            max(self.fastest, float(speeds.max())),
            self.total_speed + float(speeds.sum()),
            self.rows + len(positions),
            positions[-1],
        )

    def words(self) -> str:
        """What there is to say."""
        mean = self.total_speed / self.rows
        return (
            f"{self.distance:.1f} m travelled, down to {self.deepest:.2f} m, "
            f"{mean:.2f} m/s on average, {self.fastest:.2f} m/s at most"
        )

    def end(self) -> str:
        """Where it was last."""
        assert self.last is not None
        north, east, down = self.last
        return f"{north:.2f} m north, {east:.2f} m east, {down:.2f} m deep"


class _Battery(NamedTuple):
    """What was drawn from a battery so far."""

    charge: float = 1.0
    lowest_voltage: float = np.inf  # V
    empty: float | None = None  # s, since when

    def after(self, series: Series) -> "_Battery":
        """With more rows."""
        empty = series.time[series["charge"] <= 0.0]
        since = self.empty if self.empty is not None or not len(empty) else float(empty[0])
        return _Battery(float(series["charge"][-1]), min(self.lowest_voltage, float(series["voltage"].min())), since)

    def words(self) -> str:
        """What there is to say."""
        left = f"{100.0 * self.charge:.3g} % left" if self.empty is None else f"empty from {self.empty:.6g} s on"
        return f"{left}, {self.lowest_voltage:.3g} V at least"


@final
class _Saturation:
    """How often what was asked of the actuators had to be limited: both are matched by their times."""

    def __init__(self) -> None:
        self._asked = self._limited = (np.empty(0, np.int64), np.empty((0, 0)))
        self._rows, self._cut = 0, 0

    def take(self, is_limited: bool, series: Series) -> None:
        """Add a piece of the commands or of the limited commands."""
        piece = (series.time_ns, series.table())
        if is_limited:
            self._limited = _joined(self._limited, piece)
        else:
            self._asked = _joined(self._asked, piece)
        (times, asked), (others, limited) = self._asked, self._limited
        _, here, there = np.intersect1d(times, others, return_indices=True)
        if len(here) and asked.shape[1] == limited.shape[1]:
            self._rows += len(here)
            self._cut += int((asked[here] != limited[there]).any(axis=1).sum())
            self._asked, self._limited = (
                (times[here[-1] + 1 :], asked[here[-1] + 1 :]),
                (others[there[-1] + 1 :], limited[there[-1] + 1 :]),
            )

    def words(self) -> str:
        """The share, empty where nothing could be compared."""
        return f"{100.0 * self._cut / self._rows:.1f} % of {self._rows} commands were limited" if self._rows else ""


@final
class _AtLimit:
    """For how much of the time commands were at a limit: rows of the log, which are evenly spaced."""

    def __init__(self, limits: ActuatorLimits) -> None:
        self._limits, self._outages = limits
        count = len(self._limits)
        self._rows, self._any = 0, 0
        self._each, self._faulty = np.zeros(count, np.int64), np.zeros(count, np.int64)
        self._names: tuple[str, ...] = ()

    def take(self, series: Series) -> None:
        """Add a piece of the limited commands."""
        table = series.table()
        if table.shape[1] != len(self._limits):
            return
        self._names = tuple(field.name for field in series.channel.fields)
        faulty = np.zeros(table.shape, dtype=bool)
        for name, start, until in self._outages:
            faulty[:, self._names.index(name)] |= (series.time_ns >= start) & (series.time_ns < until)
        at = ((table <= self._limits[:, 0]) | (table >= self._limits[:, 1])) & ~faulty
        self._rows, self._any = self._rows + len(at), self._any + int(at.any(axis=1).sum())
        self._each += at.sum(axis=0)
        self._faulty += faulty.sum(axis=0)

    def words(self) -> str:
        """The share of time with any command at its limit, then that of each actuator; empty without rows."""
        if not self._rows:
            return ""
        each, faulty = self._shares(self._each), self._shares(self._faulty)
        words = f"{100.0 * self._any / self._rows:.1f} % of the time at a limit{': ' if each else ''}{each}"
        return f"{words}; faulty: {faulty}" if faulty else words

    def _shares(self, rows: npt.NDArray[np.int64]) -> str:
        shares = zip(self._names, (100.0 * rows / self._rows).tolist(), strict=True)
        return ", ".join(f"{name} {share:.1f} %" for name, share in shares if share > 0.0)


def _joined(waiting: tuple[Times, Array], piece: tuple[Times, Array]) -> tuple[Times, Array]:
    if not len(waiting[0]):
        return piece
    return np.concatenate([waiting[0], piece[0]]), np.concatenate([waiting[1], piece[1]])


@final
class _VehicleTally:
    """Counts of one vehicle while its log is read."""

    def __init__(self, vehicle: str, channels: Collection[str], limits: ActuatorLimits | None) -> None:
        self._at_limit = None if limits is None else _AtLimit(limits)
        self._vehicle = vehicle
        self._motion = _Motion()
        self.tracking = TrackingTally()
        self.causes: dict[str, list[str]] = {}  # of losses, by sensor
        self._battery: _Battery | None = None
        self._saturation = _Saturation()
        # Where a drive turns commands into something else, its result is what the limits cut.
        self._asked = "inputs" if f"{vehicle}/inputs" in channels else "commands"
        self._limits = f"{vehicle}/{self._asked}" in channels and f"{vehicle}/limited" in channels
        self._readings: dict[str, npt.NDArray[np.int64]] = {}  # of each sensor, by status

    def take(self, series: Series) -> None:
        """Count a piece of a channel."""
        word = series.channel.name.rpartition("/")[2]
        if word == "truth" and {*_POSITION, *_VELOCITY} <= set(series.columns):
            speeds = np.linalg.norm(series.table(*_VELOCITY), axis=1)
            self._motion = self._motion.after(series.table(*_POSITION), speeds)
            self.tracking.take_truth(series)
        elif word == "reference":
            self.tracking.take_reference(series)
        elif word == "power" and "charge" in series.columns:
            self._battery = (self._battery or _Battery()).after(series)
        elif word == "limited" and self._at_limit is not None:
            self._at_limit.take(series)
        elif word in (self._asked, "limited") and self._limits:
            self._saturation.take(word == "limited", series)
        elif "status" in series.columns:
            status = np.clip(series["status"], 0, len(Status) - 1)
            before = self._readings.get(word, np.zeros(len(Status), np.int64))
            self._readings[word] = before + np.bincount(status, minlength=len(Status))

    def lines(self) -> list[Line]:
        """Everything about this vehicle."""
        lines = [("vehicle", self._vehicle)]
        lines += [("motion", self._motion.words()), ("ended at", self._motion.end())] if self._motion.rows else []
        lines += [("tracking", words)] if (words := self.tracking.words()) else []
        lines += [("battery", self._battery.words())] if self._battery else []
        saturation = self._saturation.words() if self._at_limit is None else self._at_limit.words()
        lines += [("saturation", saturation)] if saturation else []
        causes = {name: f" ({'; '.join(words)})" for name, words in self.causes.items()}
        return lines + [
            ("sensor", f"{name}: {_readings(counts)}{causes.get(name, '')}") for name, counts in self._readings.items()
        ]


def _take_cause(event: Event, tallies: Mapping[str, "_VehicleTally"]) -> None:
    """Note why a sensor lost what it measures, each cause once."""
    owner = tallies.get(event.source.rpartition("/")[0])
    sensor, cause = event.data.get("sensor"), event.data.get("cause")
    if owner is not None and sensor and cause and cause not in owner.causes.setdefault(sensor, []):
        owner.causes[sensor].append(cause)


def _readings(counts: npt.NDArray[np.int64]) -> str:
    """How many readings there were, and why some had no values."""
    lost = [
        f"{count} {status.name.lower().replace('_', ' ')}"
        for status, count in zip(Status, counts.tolist(), strict=True)
        if count and status != Status.OK
    ]
    return f"{int(counts.sum())} readings, {', '.join(lost) or 'all with values'}"


def _event_lines(tally: EventTally) -> list[Line]:
    """Counts by level, what the warnings and errors were, and how often a part was late."""
    said = ", ".join(f"{count} {level}" for level, count in tally.counts.items() if count)
    late = sum(entry.times for entry in tally.entries() if _OVERRUN in entry.text.lower())
    watched = [entry for entry in tally.entries() if entry.source.endswith(_WATCH) and entry.level == "warning"]
    others = [entry for entry in tally.gravest(MOST_WARNINGS + len(watched), "warning") if entry not in watched]
    return [
        *(("not as asked", entry.words()) for entry in watched[:MOST_WATCHED]),
        ("events", said or "none"),
        *((entry.level, entry.words()) for entry in others[:MOST_WARNINGS]),
        ("overruns", f"{late}" if late else "none"),
    ]
