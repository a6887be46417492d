"""The navigation filter of a suite over readings in arrays, for Monte Carlo runs: the results of `filter_readings`."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from remora.files.arrays import Array
from remora.messages.reading import Reading, ReadingArrays, Status
from remora.navigation.filters import FilterRun, run
from remora.navigation.filters.reading_table import SensorArrays, table_of_arrays
from remora.navigation.inertial.aiding_sensors import STEEP, AidingSensor, unchanged
from remora.navigation.inertial.inertial_filter import InertialFilter, Launch
from remora.navigation.inertial.input_gaps import GAP_NS
from remora.navigation.inertial.recorded_readings import filter_readings, prepared


def filter_arrays(
    made: InertialFilter,
    launch: Launch,
    arrays: Mapping[str, ReadingArrays],
    apart: float = 0.0,
    in_order: bool = False,
) -> FilterRun:
    """Estimates from readings in arrays, with covariances; those of `filter_readings` to the last bit.

    Parameters
    ----------
    made
        Filter of the suite.
    launch
        What is known at the start.
    arrays
        Readings by the names of the sensors in the suite, such as those of `RecordedSuite.draw`; others are left out.
    apart
        Shortest time between two estimates, s.
    in_order
        Whether readings are taken in at their stamps, whenever they arrived.

    Raises
    ------
    InputError
        As `filter_readings`.
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
    table = {made.suite.inputs.name: _inputs(made, inertial), **events}
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


def _inputs(made: InertialFilter, inertial: ReadingArrays) -> SensorArrays:
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
        keeps[keeps] = ~(np.abs(_converted(sensor.angles, one.values[keeps])[:, 1]) > STEEP)
    return SensorArrays(one.stamp_ns[keeps], one.arrival_ns[keeps], _converted(sensor.convert, one.values[keeps]))


def _converted(convert: Any, values: Array) -> Array:
    """Values as the model of the sensor predicts them, row by row."""
    if convert is unchanged or not len(values):
        return values
    return np.array([convert(tuple(row)) for row in values.tolist()])
