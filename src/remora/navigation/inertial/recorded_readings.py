"""The navigation filter of a suite over recorded readings: alignment, inputs and all estimates in one call."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from remora.files.problems import InputError
from remora.messages.reading import Reading, Status
from remora.navigation.filters import Belief
from remora.navigation.filters.trajectory import FilterRun
from remora.navigation.inertial.aiding_sensors import AidingSensor
from remora.navigation.inertial.inertial_filter import InertialFilter, Launch
from remora.navigation.inertial.input_gaps import GAP_NS
from remora.navigation.inertial.recorded_gaps import RecordedGap, run_across_gaps
from remora.navigation.inertial.sensor_health import refusal


def filter_readings(
    made: InertialFilter, launch: Launch, readings: Sequence[Reading], apart: float = 0.0, in_order: bool = False
) -> FilterRun:
    """Estimates from recorded readings, with covariances.

    Parameters
    ----------
    made
        Filter of the suite.
    launch
        What is known at the start.
    readings
        Of all sensors, with their names in the suite; others are left out.
    apart
        Shortest time between two estimates, s.
    in_order
        Whether readings are taken in at their stamps, whenever they arrived.

    Raises
    ------
    InputError
        When there are no inertial readings or no attitude, their clock runs backwards, or their unit is wrong.
    """
    record = prepared(made, launch, readings)
    if in_order:
        record = record._replace(events=[e._replace(arrival_ns=e.stamp_ns) for e in record.events])
    return filter_record(made, record, apart)


class PreparedRecord(NamedTuple):
    """Recorded readings as a filter takes them."""

    belief: Belief  # at the start
    events: list[Reading]  # in no particular order
    gaps: list[RecordedGap]  # in the inertial readings


def filter_record(made: InertialFilter, record: PreparedRecord, apart: float) -> FilterRun:
    """Estimates in the order of arrival, with covariances, at least `apart` seconds from each other."""
    events = sorted(record.events, key=lambda e: e.arrival_ns)
    return run_across_gaps(made, record.belief, events, record.gaps, apart)


def prepared(made: InertialFilter, launch: Launch, readings: Sequence[Reading]) -> PreparedRecord:
    """The belief at the start, and the readings as the filter takes them."""
    suite = made.suite
    inertial = [r for r in readings if r.sensor == suite.inputs.name and r.status <= Status.PARTIAL]
    if not inertial and suite.inputs.driven_by:
        raise InputError(f'there are no readings of "{suite.inputs.name}", which drives the filter').about(
            suite.inputs.name, 0
        )
    sensors = {sensor.name: sensor for sensor in suite.aidings}
    events = [_converted(sensors[r.sensor], r) for r in readings if _is_usable(sensors.get(r.sensor), r)]
    attitude = suite.aiding("attitude")
    first = _first_attitude(attitude, readings)
    if attitude is not None and first is None:
        raise InputError(f'there are no readings of "{attitude.name}", which gives the attitude').about(
            attitude.name, 0
        )
    start_ns = first.stamp_ns if first is not None else inertial[0].stamp_ns
    inertial = [r for r in inertial if r.stamp_ns >= start_ns]
    values = made.body_inputs(inertial[0].values) if inertial else ()
    angles = attitude.angles(first.values) if attitude is not None and attitude.angles and first is not None else None
    belief = made.aligned(launch, start_ns, values, angles)
    events = [e for e in events if e.stamp_ns >= start_ns]
    last_ns = max((e.stamp_ns for e in events), default=start_ns)
    inputs, gaps = _inputs(made, inertial, start_ns, last_ns)
    return PreparedRecord(belief, [*inputs, *events], gaps)


def _is_usable(sensor: AidingSensor | None, reading: Reading) -> bool:
    return sensor is not None and not refusal(sensor, reading)


def _converted(sensor: AidingSensor, reading: Reading) -> Reading:
    return reading._replace(values=sensor.convert(reading.values))


def _first_attitude(sensor: AidingSensor | None, readings: Sequence[Reading]) -> Reading | None:
    if sensor is None:
        return None
    found = [r for r in readings if r.sensor == sensor.name and math.isfinite(sum(r.values))]
    return min(found, key=lambda r: r.stamp_ns, default=None)


def _inputs(
    made: InertialFilter, inertial: Sequence[Reading], start_ns: int, last_ns: int
) -> tuple[list[Reading], list[RecordedGap]]:
    """Inputs of the filter from inertial readings, and their gaps until the last reading of any sensor.

    Frozen readings count as missing. InputError where the clock runs backwards.
    """
    inputs: list[Reading] = []
    gaps: list[RecordedGap] = []
    if not inertial:
        return inputs, gaps
    mean = made.started(start_ns, made.body_inputs(inertial[0].values))
    for reading in inertial[1:]:
        if reading.stamp_ns <= mean.last_ns:
            raise InputError(
                f'the clock of "{reading.sensor}" runs backwards: {reading.stamp_ns} ns after {mean.last_ns} ns'
            ).about(reading.sensor, reading.stamp_ns)
        if not math.isfinite(sum(reading.values)):
            continue
        values = made.body_inputs(reading.values)
        if made.is_frozen(mean, values):
            continue
        if reading.stamp_ns - mean.last_ns > GAP_NS:
            gaps.append(RecordedGap(mean.last_ns, reading.stamp_ns))
            mean = made.started(reading.stamp_ns, values)
            continue
        mean, made_input = made.averaged(mean, reading.stamp_ns, values)
        inputs += [made_input] if made_input is not None else []
    if last_ns - mean.last_ns > GAP_NS:
        gaps.append(RecordedGap(mean.last_ns, last_ns))
    return inputs, gaps
