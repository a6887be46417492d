"""Text summary of a run from its log: motion, tracking, battery, saturation, lost readings and events."""

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import NamedTuple, TypeAlias, final

import numpy as np
import numpy.typing as npt

from remora.files.arrays import Array
from remora.logs import Event, Series
from remora.logs.schema import field_name
from remora.messages.reading import Status
from remora.report.logs.panels import vehicles_of
from remora.report.logs.source import OpenLog, Source, open_log
from remora.report.simulations.chatter_tally import ChatterTally
from remora.report.simulations.event_tally import EventTally, WaypointTally
from remora.report.simulations.surroundings import SurroundingsTally
from remora.report.simulations.tracking_tally import TrackingTally

SummaryLine: TypeAlias = tuple[str, str]
Times: TypeAlias = npt.NDArray[np.int64]
MOST_WARNINGS = 5
MOST_WATCHED = 20
_POSITION, _VELOCITY = (tuple(f"{name}_{axis}" for axis in "xyz") for name in ("p_NB", "v_NB_B"))
_SIGMA = tuple(f"sigma_p_N_{axis}" for axis in "xyz")
_OVERRUN = "overrun"  # data key of the event of a part that took longer than its period
WATCH = "/watch"  # end of the source of events of the monitor


class ActuatorLimits(NamedTuple):
    """Limits and outages of the actuators of a vehicle."""

    inputs: dict[str, tuple[float, float]]  # by field of the log: from which on an actuator is at a limit
    outages: tuple[tuple[str, int, int], ...] = ()  # name, start and end in ns; commands are not followed meanwhile


def run_summary(source: Source) -> list[SummaryLine]:
    """Summary as pairs of label and text, from one pass over the log; a LogError when it cannot be read.

    Of a log whose header has no actuator limits only commands that were cut are counted.
    """
    with open_log(source) as log:
        vehicles = vehicles_of(log.channels.values())
        tallies = {
            vehicle: _VehicleTally(
                vehicle, log.channels, _limits_of(log, vehicle), ChatterTally(log.header.vehicles.get(vehicle, {}))
            )
            for vehicle in vehicles
        }
        events, times, progress = EventTally(), _Times(), WaypointTally()
        around = SurroundingsTally(log.header)
        for series_list, some in log.pieces():
            events.add(some)
            progress.add(some)
            around.add(some)
            for event in some:
                _take_cause(event, tallies)
            for series in series_list:
                times.take(series)
                vehicle = series.channel.name.rpartition("/")[0]
                if len(series):
                    around.take(vehicle, series)
                    if vehicle in tallies:
                        tallies[vehicle].take(series)
            for tally in tallies.values():
                tally.tracking.settle()
        return [
            *_origin(log),
            ("simulated", times.text()),
            *(line for tally in tallies.values() for line in tally.lines()),
            *(("waypoints", text) for text in progress.lines()),
            *around.lines(),
            *_event_lines(events, Path(log.path).name or "the log"),
            *(("damaged", text) for text in log.problems[:MOST_WARNINGS]),
        ]


def _limits_of(log: OpenLog, vehicle: str) -> ActuatorLimits | None:
    """Limits in the header of a log; None where there are none."""
    stored = log.header.vehicles.get(vehicle, {}).get("limits")
    if stored is None:
        return None
    ends = {
        field_name(name): (-np.inf if low is None else low, np.inf if high is None else high)
        for name, (low, high) in stored["inputs"].items()
    }
    return ActuatorLimits(ends, tuple((name, *times) for name, *times in stored["outages"]))


def _origin(log: OpenLog) -> list[SummaryLine]:
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

    def text(self) -> str:
        if self._first > self._last:
            return "nothing"
        return f"{self._last - self._first:.6g} s, from {self._first:.6g} to {self._last:.6g} s"


SPARSE = 1.0  # s between rows, from which on distance and speeds are taken from the rows only


class _Motion(NamedTuple):
    """Motion of a vehicle so far."""

    distance: float = 0.0  # m
    deepest: float = -np.inf  # m
    fastest: float = 0.0  # m/s
    total_speed: float = 0.0  # m/s, of all rows together
    rows: int = 0
    last: Array | None = None  # position
    from_ns: int = 0
    until_ns: int = 0

    def after(self, stamps_ns: Times, positions: Array, speeds: Array) -> "_Motion":
        """With more rows: stamps, positions in m, speeds in m/s."""
        path = positions if self.last is None else np.concatenate([self.last[None], positions])
        return _Motion(
            self.distance + float(np.linalg.norm(np.diff(path, axis=0), axis=1).sum()),
            max(self.deepest, float(positions[:, 2].max())),
            max(self.fastest, float(speeds.max())),
            self.total_speed + float(speeds.sum()),
            self.rows + len(positions),
            positions[-1],
            self.from_ns if self.rows else int(stamps_ns[0]),
            int(stamps_ns[-1]),
        )

    def text(self) -> str:
        """Summary text."""
        mean = self.total_speed / self.rows
        return (
            f"{self.distance:.1f} m travelled, down to {self.deepest:.2f} m, "
            f"{mean:.2f} m/s on average, {self.fastest:.2f} m/s at most{self._sparse()}"
        )

    def _sparse(self) -> str:
        """Words on rows that are too far apart to show the motion between them."""
        if self.rows < 2:
            return ", of a single logged row"
        interval = 1e-9 * (self.until_ns - self.from_ns) / (self.rows - 1)
        return f", of {self.rows} logged rows {interval:.4g} s apart" if interval > SPARSE else ""

    def end(self) -> str:
        """Last position."""
        assert self.last is not None
        north, east, down = self.last
        return f"{north:.2f} m north, {east:.2f} m east, {down:.2f} m deep"


class _Battery(NamedTuple):
    """State of charge and voltage of a battery so far."""

    charge: float = 1.0
    lowest_voltage: float = np.inf  # V
    empty: float | None = None  # s, since when

    def after(self, series: Series) -> "_Battery":
        """With more rows."""
        empty = series.time[series["charge"] <= 0.0]
        since = self.empty if self.empty is not None or not len(empty) else float(empty[0])
        return _Battery(float(series["charge"][-1]), min(self.lowest_voltage, float(series["voltage"].min())), since)

    def text(self) -> str:
        """Summary text."""
        left = f"{100.0 * self.charge:.3g} % left" if self.empty is None else f"empty from {self.empty:.6g} s on"
        return f"{left}, {self.lowest_voltage:.3g} V at least"


@final
class _Saturation:
    """Fraction of limited commands; commands and limited commands are matched by their times."""

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

    def text(self) -> str:
        """The share, empty where nothing could be compared."""
        return f"{100.0 * self._cut / self._rows:.1f} % of {self._rows} commands were limited" if self._rows else ""


@final
class _AtLimit:
    """Fraction of the time with commands at a limit, from evenly spaced rows of the log."""

    def __init__(self, limits: ActuatorLimits) -> None:
        self._limits, self._outages = limits
        count = len(self._limits)
        self._rows, self._any = 0, 0
        self._each, self._faulty = np.zeros(count, np.int64), np.zeros(count, np.int64)
        self._names: tuple[str, ...] = ()

    def take(self, series: Series) -> None:
        """Add a piece of the limited commands."""
        self._names = tuple(field.name for field in series.channel.fields)
        if set(self._names) != set(self._limits):
            return
        table, limits = series.table(), np.array([self._limits[name] for name in self._names])
        faulty = np.zeros(table.shape, dtype=bool)
        for name, start, until in self._outages:
            faulty[:, self._names.index(field_name(name))] |= (series.time_ns >= start) & (series.time_ns < until)
        at = ((table <= limits[:, 0]) | (table >= limits[:, 1])) & ~faulty
        self._rows, self._any = self._rows + len(at), self._any + int(at.any(axis=1).sum())
        self._each += at.sum(axis=0)
        self._faulty += faulty.sum(axis=0)

    def text(self) -> str:
        """The share of time with any command at its limit, then the share of each actuator; empty without rows."""
        if not self._rows:
            return ""
        each, faulty = self._shares(self._each), self._shares(self._faulty)
        text = f"{100.0 * self._any / self._rows:.1f} % of the time at a limit{': ' if each else ''}{each}"
        return f"{text}; faulty: {faulty}" if faulty else text

    def _shares(self, rows: npt.NDArray[np.int64]) -> str:
        shares = zip(self._names, (100.0 * rows / self._rows).tolist(), strict=True)
        return ", ".join(f"{name} {share:.1f} %" for name, share in shares if share > 0.0)


def _joined(waiting: tuple[Times, Array], piece: tuple[Times, Array]) -> tuple[Times, Array]:
    if not len(waiting[0]):
        return piece
    return np.concatenate([waiting[0], piece[0]]), np.concatenate([waiting[1], piece[1]])


LATEST = 1000  # rows of truth and estimate that are searched for a common time


@final
class _LastEstimate:
    """Error of the estimated position at the latest time at which both truth and estimate are known."""

    def __init__(self) -> None:
        self._truth = self._estimate = (np.empty(0, np.int64), np.empty((0, 0)))
        self._text = ""

    def take(self, is_truth: bool, series: Series) -> None:
        """Add a piece of the truth or of the estimate."""
        rows = (series.time_ns[-LATEST:], series.table(*_POSITION, *(() if is_truth else _SIGMA))[-LATEST:])
        if is_truth:
            self._truth = rows
        else:
            self._estimate = rows
        (times, true), (others, estimated) = self._truth, self._estimate
        _, here, there = np.intersect1d(times, others, return_indices=True)
        if not len(here):
            return
        error = float(np.linalg.norm(estimated[there[-1], :3] - true[here[-1]]))
        sigma = 3.0 * float(np.linalg.norm(estimated[there[-1], 3:]))
        stated = f"3 sigma {sigma:.3g} m" if np.isfinite(sigma) else "no standard deviation stated"
        self._text = f"off by {error:.3g} m at the end ({stated})" if np.isfinite(error) and error > 0.0 else ""

    def text(self) -> str:
        """The error, empty where nothing could be compared, the position is not known, or it is the true one."""
        return self._text


@final
class _VehicleTally:
    """Counts of one vehicle while its log is read."""

    def __init__(
        self, vehicle: str, channels: Collection[str], limits: ActuatorLimits | None, chatter: ChatterTally
    ) -> None:
        self._chatter = chatter
        self._at_limit = None if limits is None else _AtLimit(limits)
        self._vehicle = vehicle
        self._motion = _Motion()
        self.tracking = TrackingTally()
        self.causes: dict[str, list[str]] = {}  # of losses, by sensor
        self._battery: _Battery | None = None
        self._saturation = _Saturation()
        self._last_estimate = _LastEstimate()
        # With a drive, the limits apply to its output.
        self._asked = "inputs" if f"{vehicle}/inputs" in channels else "commands"
        self._limits = f"{vehicle}/{self._asked}" in channels and f"{vehicle}/limited" in channels
        self._readings: dict[str, npt.NDArray[np.int64]] = {}  # of each sensor, by status

    def take(self, series: Series) -> None:
        """Count a piece of a channel."""
        word = series.channel.name.rpartition("/")[2]
        if word == "commands":
            self._chatter.take(series)
        if word == "truth" and {*_POSITION, *_VELOCITY} <= set(series.columns):
            speeds = np.linalg.norm(series.table(*_VELOCITY), axis=1)
            self._motion = self._motion.after(series.time_ns, series.table(*_POSITION), speeds)
            self.tracking.take_truth(series)
            self._last_estimate.take(True, series)
        elif word == "estimate" and {*_POSITION, *_SIGMA} <= set(series.columns):
            self._last_estimate.take(False, series)
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

    def lines(self) -> list[SummaryLine]:
        """Everything about this vehicle; none where there is only its name."""
        lines = [("vehicle", self._vehicle)]
        lines += [("motion", self._motion.text()), ("ended at", self._motion.end())] if self._motion.rows else []
        lines += [("tracking", text)] if (text := self.tracking.text()) else []
        lines += [("cross-track", text)] if (text := self.tracking.cross_track()) else []
        lines += [("estimate", text)] if (text := self._last_estimate.text()) else []
        lines += [("battery", self._battery.text())] if self._battery else []
        saturation = self._saturation.text() if self._at_limit is None else self._at_limit.text()
        lines += [("saturation", saturation)] if saturation else []
        lines += [("chatter", chatter)] if (chatter := self._chatter.text()) else []
        causes = {name: f" ({'; '.join(text)})" for name, text in self.causes.items()}
        lines += [
            ("sensor", f"{name}: {_readings(counts)}{causes.get(name, '')}") for name, counts in self._readings.items()
        ]
        return lines if len(lines) > 1 else []  # an assembly has a reference only


def _take_cause(event: Event, tallies: Mapping[str, "_VehicleTally"]) -> None:
    """Note why a sensor lost what it measures, each cause once."""
    owner = tallies.get(event.source.rpartition("/")[0])
    sensor, cause = event.data.get("sensor"), event.data.get("cause")
    if owner is not None and sensor and cause and cause not in owner.causes.setdefault(sensor, []):
        owner.causes[sensor].append(cause)


def _readings(counts: npt.NDArray[np.int64]) -> str:
    """Number of readings, and the reasons of those without values."""
    lost = [
        f"{count} {status.name.lower().replace('_', ' ')}"
        for status, count in zip(Status, counts.tolist(), strict=True)
        if count and status != Status.OK
    ]
    return f"{int(counts.sum())} readings, {', '.join(lost) or 'all with values'}"


def _event_lines(tally: EventTally, file: str) -> list[SummaryLine]:
    """Counts by level, texts of the gravest warnings and errors, and overruns; the file has all events."""
    listed = ", ".join(f"{count} {level}" for level, count in tally.counts.items() if count)
    late = sum(entry.times for entry in tally.entries() if _OVERRUN in entry.text.lower())
    watched = [entry for entry in tally.entries() if entry.source.endswith(WATCH) and entry.level == "warning"]
    others = [entry for entry in tally.by_gravity("warning") if entry not in watched]
    return [
        *(("not as asked", entry.line()) for entry in watched[:MOST_WATCHED]),
        *_left_out("not as asked", len(watched) - MOST_WATCHED, file),
        ("events", listed or "none"),
        *((entry.level, entry.line()) for entry in others[:MOST_WARNINGS]),
        *_left_out("warning", len(others) - MOST_WARNINGS, file),
        ("overruns", f"{late}" if late else "none"),
    ]


def _left_out(label: str, count: int, file: str) -> list[SummaryLine]:
    """A line for entries that the summary leaves out; none where it shows all."""
    return [(label, f"and {count} more among the events of {file}")] if count > 0 else []
