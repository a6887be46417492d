"""Recorded readings over the filter of a suite, as single readings or as arrays of each sensor."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from remora.files.arrays import Array
from remora.files.problems import InputError
from remora.messages.reading import Reading, ReadingArrays, Status
from remora.navigation.filters import Belief, FilterRun, run
from remora.navigation.filters.readings import SensorArrays, table_of_arrays
from remora.navigation.inertial.aiding_sensors import STEEP, AidingSensor, unchanged
from remora.navigation.inertial.inertial_filter import InertialFilter, Launch
from remora.navigation.inertial.input_gaps import GAP_NS, RecordedGap, run_across_gaps
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


def filter_arrays(
    made: InertialFilter,
    launch: Launch,
    arrays: Mapping[str, ReadingArrays],
    apart: float = 0.0,
    in_order: bool = False,
) -> FilterRun:
    """As `filter_readings`, to the last bit, from readings in arrays by the names of the sensors in the suite.

    `RecordedSuite.draw` gives such arrays; they are filtered without a step in Python for each reading.
    """
    start_ns = _start(made, arrays)
    inertial = None if start_ns is None else _whole_inertial(made, arrays[made.suite.inputs.name], start_ns)
    if start_ns is None or inertial is None:
        return _one_by_one(made, launch, arrays, apart, in_order)
    events = {
        sensor.name: _events(sensor, arrays[sensor.name], start_ns)
        for sensor in made.suite.aidings
        if sensor.name in arrays
    }
    last_ns = max((int(one.stamps_ns.max(initial=start_ns)) for one in events.values()), default=start_ns)
    if last_ns - int(inertial.stamp_ns[-1]) > GAP_NS:
        return _one_by_one(made, launch, arrays, apart, in_order)
    belief = prepared(made, launch, _first_readings(made, arrays, start_ns)).belief
    table = {made.suite.inputs.name: _input_arrays(made, inertial), **events}
    if in_order:
        table = {name: one._replace(arrivals_ns=one.stamps_ns) for name, one in table.items()}
    return run(made.filter, belief, table_of_arrays(table), apart=apart, covariances=True)


def _one_by_one(
    made: InertialFilter, launch: Launch, arrays: Mapping[str, ReadingArrays], apart: float, in_order: bool
) -> FilterRun:
    """The same from single readings, where inertial ones are missing, frozen or out of order."""
    readings = [reading for name, one in arrays.items() for reading in one.readings(name)]
    return filter_readings(made, launch, readings, apart, in_order)


def _start(made: InertialFilter, arrays: Mapping[str, ReadingArrays]) -> int | None:
    """Time of the first attitude, or of the first inertial reading without a sensor of it; None where there is none."""
    suite = made.suite
    attitude = suite.aiding("attitude")
    if not suite.inputs.driven_by or suite.inputs.name not in arrays:
        return None
    if attitude is None:
        one = arrays[suite.inputs.name]
        found = one.stamp_ns[one.status <= Status.PARTIAL][:1]
    elif attitude.name not in arrays:
        return None
    else:
        one = arrays[attitude.name]
        found = one.stamp_ns[np.isfinite(one.values).all(axis=1)]
    return int(found.min()) if found.size else None


def _first_readings(made: InertialFilter, arrays: Mapping[str, ReadingArrays], start_ns: int) -> list[Reading]:
    """The readings that align the filter: the first attitude, and the first inertial reading from then on."""
    attitude, inputs = made.suite.aiding("attitude"), arrays[made.suite.inputs.name]
    usable = (inputs.stamp_ns >= start_ns) & (inputs.status <= Status.PARTIAL)
    found = _first(inputs, usable).readings(made.suite.inputs.name)
    if attitude is not None:
        one = arrays[attitude.name]
        usable = (one.stamp_ns == start_ns) & np.isfinite(one.values).all(axis=1)
        found += _first(one, usable).readings(attitude.name)
    return found


def _first(one: ReadingArrays, usable: NDArray[np.bool_]) -> ReadingArrays:
    row = np.flatnonzero(usable)[:1]
    return ReadingArrays(one.stamp_ns[row], one.arrival_ns[row], one.status[row], one.values[row])


def _whole_inertial(made: InertialFilter, one: ReadingArrays, start_ns: int) -> ReadingArrays | None:
    """Inertial readings in body axes from the start on; None where one is missing, frozen or out of order."""
    rows = (one.status <= Status.PARTIAL) & (one.stamp_ns >= start_ns)
    if not rows.any() or not np.isfinite(one.values[rows]).all():
        return None
    values: Any = made.body_inputs(tuple(one.values[rows].T))
    body, stamps = np.stack(values, axis=1), one.stamp_ns[rows].copy()
    stamps[0] = start_ns
    steps = np.diff(stamps)
    is_frozen = (body[1:] == body[:-1]).all(axis=1) & any(made.suite.noise[6:9])
    if (steps <= 0).any() or (steps > GAP_NS).any() or is_frozen.any():
        return None
    return ReadingArrays(stamps, stamps, one.status[rows], body)


def _input_arrays(made: InertialFilter, inertial: ReadingArrays) -> SensorArrays:
    """Inputs of the filter: as `InertialFilter.averaged`, with the same order of operations."""
    count, stamps = made.per_input, inertial.stamp_ns
    half = 0.5e-9 * np.diff(stamps)[:, None]
    areas = half * (inertial.values[:-1] + inertial.values[1:])
    whole = len(areas) // count
    parts = areas[: whole * count].reshape(whole, count, areas.shape[1])
    total = np.zeros((whole, areas.shape[1]))
    for k in range(count):
        total = total + parts[:, k]
    ends = stamps[: whole * count + 1 : count]
    return SensorArrays(ends[:-1], ends[1:], total / (1e-9 * np.diff(ends))[:, None])


def _events(sensor: AidingSensor, one: ReadingArrays, start_ns: int) -> SensorArrays:
    """Readings of a sensor as the filter takes them, without those that `sensor_health.refusal` refuses."""
    keeps = (one.status <= Status.PARTIAL) & (one.stamp_ns >= start_ns)
    if sensor.zeros_mean_no_lock:
        keeps &= ~(one.values[:, :3] == 0.0).all(axis=1)
    if sensor.angles is not None:
        keeps[keeps] = ~(np.abs(_converted_rows(sensor.angles, one.values[keeps])[:, 1]) > STEEP)
    return SensorArrays(one.stamp_ns[keeps], one.arrival_ns[keeps], _converted_rows(sensor.convert, one.values[keeps]))


def _converted_rows(convert: Any, values: Array) -> Array:
    """Values as the model of the sensor predicts them, row by row."""
    if convert is unchanged or not len(values):
        return values
    return np.array([convert(tuple(row)) for row in values.tolist()])
