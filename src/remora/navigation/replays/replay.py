"""A filter or a navigation part over recorded readings: estimates, statistics, reports, errors and a verdict."""

import math
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from remora.equations.algebra.vectors import ZERO6
from remora.files.arrays import Array
from remora.files.did_you_mean import suggestion
from remora.files.problems import InputError
from remora.messages.estimate import Estimate
from remora.messages.part import Part, PartInput, PartReport
from remora.messages.reading import Reading
from remora.navigation.consistency import average_bounds
from remora.navigation.filters import FilterRun
from remora.navigation.filters.beliefs import Integers
from remora.navigation.filters.compiling import filter_sizes
from remora.navigation.inertial.inertial_filter import InertialFilter, Launch
from remora.navigation.inertial.input_gaps import coasting_estimate
from remora.navigation.inertial.recorded_readings import filter_record, prepared
from remora.navigation.parts.filter_options import Pause
from remora.navigation.replays.sensor_statistics import (
    RecordSpan,
    ReplayedInputs,
    ReplayedSensor,
    input_outages,
    sensor_statistics,
)
from remora.navigation.replays.truth_errors import (
    ErrorOverDistance,
    RecordedTruth,
    TruthErrors,
    error_over_distance,
    truth_errors,
)
from remora.navigation.replays.verdict import SURE_OF_RUN, ReplayVerdict, verdict_on

APART = 0.1  # s, between two estimates


class FilterReplay(NamedTuple):
    """Results of a filter over a log."""

    made: InertialFilter
    run: FilterRun
    inputs: ReplayedInputs
    sensors: tuple[ReplayedSensor, ...]
    errors: TruthErrors | None  # where the log has a truth
    verdict: ReplayVerdict
    travelled: ErrorOverDistance | None = None  # likewise

    def estimates(self) -> Iterator[Estimate]:
        """Estimates of B with standard deviations, about ten a second."""
        held = filter_sizes(self.run.sizes)["HELD"]
        for i, stamp in enumerate(self.run.stamps_ns.tolist()):
            inputs = tuple(self.run.memories[i, held : held + self.run.sizes.inputs].tolist())
            x = tuple(self.run.states[i].tolist())
            estimate = self.made.estimate_of(stamp, x, self.run.covariance(i), inputs)
            is_coasting = any(gap.from_ns < stamp <= gap.until_ns for gap in self.inputs.outages)
            yield coasting_estimate(self.made, estimate) if is_coasting else estimate


def replay(
    made: InertialFilter,
    launch: Launch,
    readings: Sequence[Reading],
    pauses: Sequence[Pause] = (),
    truth: RecordedTruth | None = None,
) -> FilterReplay:
    """Filter recorded readings in the order of their arrival.

    Parameters
    ----------
    made
        Filter of the suite.
    launch
        What is known at the start.
    readings
        Of all sensors, with their names in the suite; others are left out.
    pauses
        Readings that are not used.
    truth
        True motion.

    Raises
    ------
    InputError
        When there is nothing to filter, a pause names no sensor of the filter, or a clock runs backwards.
    """
    aidings = made.suite.aidings
    names = {made.suite.inputs.name, *(one.name for one in aidings)}
    for pause in pauses:
        if pause.sensor not in names:
            raise InputError(f'the filter has no sensor "{pause.sensor}". {suggestion(pause.sensor, names)}').about(
                "pauses", pause.sensor, names
            )
    arrived = sorted((r for r in readings if r.sensor in names), key=lambda r: r.arrival_ns)
    if not arrived:
        raise InputError("the log is empty: it holds no reading of a sensor that the filter takes").about("readings", 0)
    kept = [reading for reading in arrived if not _is_masked(reading, pauses)]
    record = prepared(made, launch, kept)
    start = np.sqrt(np.diag(record.belief.covariance))
    done = filter_record(made, record, APART)
    if not len(done.stamps_ns):
        raise InputError("no reading follows the first attitude: there is nothing to filter").about("readings", 0)
    left_out = [reading for reading in arrived if _is_masked(reading, pauses)]
    span = RecordSpan(record.belief.stamp_ns, max(r.stamp_ns for r in kept))
    driven_by = made.suite.inputs.name
    inertial, masked = ([r for r in some if r.sensor == driven_by] for some in (kept, left_out))
    inputs = ReplayedInputs(driven_by, len(inertial), input_outages(record.gaps, inertial, masked, span))
    sensors = []
    for one in aidings:
        given = [r for r in kept if r.sensor == one.name]
        masked = [r for r in left_out if r.sensor == one.name]
        sensors.append(sensor_statistics(one, given, masked, done.innovations[one.name], span))
    errors = truth_errors(made, done, truth) if truth is not None and len(truth.stamps_ns) else None
    verdict = verdict_on(done, start, inputs, sensors, errors)
    travelled = None
    if errors is not None and truth is not None:
        travelled = error_over_distance(errors.stamps_ns, errors.errors, truth)
    return FilterReplay(made, done, inputs, tuple(sensors), errors, verdict, travelled)


def _is_masked(reading: Reading, pauses: Sequence[Pause]) -> bool:
    return any(pause.covers(reading) for pause in pauses)


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
