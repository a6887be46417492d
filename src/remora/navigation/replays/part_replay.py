"""A navigation part over recorded readings: estimates at its own rate, its reports, errors and a verdict."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from remora.equations.algebra.vectors import ZERO6
from remora.files.arrays import Array
from remora.files.problems import InputError
from remora.messages.estimate import Estimate
from remora.messages.part import Part, PartInput, PartReport
from remora.messages.reading import Reading
from remora.navigation.consistency import average_bounds
from remora.navigation.filters.beliefs import Integers
from remora.navigation.replays.truth_errors import ErrorOverDistance, RecordedTruth, error_over_distance
from remora.navigation.replays.verdict import SURE_OF_RUN, ReplayVerdict


class RecordedCommands(NamedTuple):
    """Commands of the actuators, held from each stamp on."""

    stamps_ns: Integers
    values: Array  # a row for each stamp, in the units of the actuators


class TimedReport(NamedTuple):
    """A report of the part and its time."""

    time_ns: int
    report: PartReport


class PartReplay(NamedTuple):
    """Results of a navigation part over a log."""

    name: str
    estimates: tuple[Estimate, ...]
    reports: tuple[TimedReport, ...]
    errors: Array | None  # m in N, of the position at each estimate; None without a truth
    nees: Array | None  # of the position, from the standard deviations of its components
    verdict: ReplayVerdict
    travelled: ErrorOverDistance | None = None  # where there is a truth


def replay_part(
    name: str,
    part: Part,
    period_ns: int,
    readings: Sequence[Reading],
    commands: RecordedCommands | None = None,
    truth: RecordedTruth | None = None,
) -> PartReplay:
    """Run a part at its rate on readings as they arrived.

    Parameters
    ----------
    name
        Of the part.
    part
        A navigation part.
    period_ns
        Between two steps, ns.
    readings
        Of all sensors, with their names in the part.
    commands
        Of the vehicle; None where the part needs none.
    truth
        True motion.

    Raises
    ------
    InputError
        When there is no reading, or the part gives no estimate.
    """
    if not readings:
        raise InputError("the log is empty: it holds no reading of a sensor").about("readings", 0)
    estimates, reports = _stepped(part, period_ns, sorted(readings, key=lambda r: r.arrival_ns), commands)
    if not estimates:
        raise InputError(f"{name} gives no estimate: a reading that it needs is missing in the log").about("readings")
    errors = _position_errors(estimates, truth) if truth is not None and len(truth.stamps_ns) else None
    if errors is None or truth is None:
        return PartReplay(name, tuple(estimates), tuple(reports), None, None, _verdict(None))
    nees = np.sum((errors / np.array([one.sigma_p_N for one in estimates])) ** 2, axis=1)
    travelled = error_over_distance(np.array([one.time_ns for one in estimates]), errors, truth)
    return PartReplay(name, tuple(estimates), tuple(reports), errors, nees, _verdict(nees), travelled)


def _stepped(
    part: Part, period_ns: int, arriving: Sequence[Reading], commands: RecordedCommands | None
) -> tuple[list[Estimate], list[TimedReport]]:
    """Estimates and reports of all steps."""
    state: Any = part.initial()
    reporting = getattr(part, "reports", None)
    estimates, reports, next_reading = [], [], 0
    latest: dict[str, Reading] = {}
    stamps = [reading.stamp_ns for reading in arriving]
    for now in range(min(stamps) // period_ns * period_ns, max(stamps) + 1, period_ns):
        first = next_reading
        while next_reading < len(arriving) and arriving[next_reading].arrival_ns <= now:
            next_reading += 1
        new = tuple(arriving[first:next_reading])
        latest.update({reading.sensor.partition("/")[2]: reading for reading in new})
        given = PartInput(now, new, latest, None, None, ZERO6, ZERO6, None, _held(commands, now))
        before = state
        state, estimate = part.step(state, given)
        if reporting is not None:
            reports += [TimedReport(now, report) for report in reporting(before, state)]
        if estimate is not None and math.isfinite(sum(estimate.p_NB)):
            estimates.append(estimate)
    return estimates, reports


def _held(commands: RecordedCommands | None, now_ns: int) -> tuple[float, ...]:
    """Commands of before a time."""
    if commands is None:
        return ()
    row = int(np.searchsorted(commands.stamps_ns, now_ns)) - 1
    return tuple(commands.values[max(row, 0)].tolist()) if row >= 0 else (0.0,) * commands.values.shape[1]


def _position_errors(estimates: Sequence[Estimate], truth: RecordedTruth) -> Array:
    """True less estimated positions; between the times of the truth by interpolation."""
    times = np.array([one.time_ns for one in estimates], dtype=float)
    true = np.column_stack([np.interp(times, truth.stamps_ns, truth.positions[:, i]) for i in range(3)])
    return np.asarray(true - np.array([one.p_NB for one in estimates]))


def _verdict(nees: Array | None) -> ReplayVerdict:
    """By the mean NEES of the position, which counts as a single sample, since errors of one run are correlated.

    The position at launch is the true one: errors that are smaller than expected show nothing.
    """
    if nees is None or not np.isfinite(nees).all():
        return ReplayVerdict("not judged", ("the log has no truth, or the estimates have no standard deviations",))
    high, mean = average_bounds(3, 1, SURE_OF_RUN)[1], float(np.mean(nees))
    if mean > high:
        return ReplayVerdict("overconfident", (f"mean NEES of the position {mean:.3g}, above {high:.3g}",))
    return ReplayVerdict("consistent")
