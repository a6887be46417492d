"""A navigation filter over recorded readings: estimates, statistics of every sensor, errors and a verdict."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from remora.files.did_you_mean import suggestion
from remora.files.problems import InputError
from remora.messages.estimate import Estimate
from remora.messages.reading import Reading
from remora.navigation.filters import FilterRun
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
from remora.navigation.replays.verdict import ReplayVerdict, verdict_on

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
