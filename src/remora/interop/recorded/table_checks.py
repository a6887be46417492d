"""Checks of recorded tables: clocks against stated rates and each other, and units and signs of motions.

Turn rates, specific forces and Doppler logs are judged against attitude and depth.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from remora.equations.algebra.quaternions import IDENTITY, conjugate, from_euler_zyx, product, rotation_matrix
from remora.files.arrays import Array
from remora.files.problems import InputError
from remora.identification.data.checks import check_ratio, rates_of_attitude
from remora.identification.data.stamp_checks import check_clock
from remora.messages.site import GRAVITY
from remora.navigation.inertial.inertial_filter import PLAUSIBLE_GRAVITY
from remora.vehicles.names import DEGREES_OF_FREEDOM
from remora.vehicles.vehicle import SensorEntry

_INPUT_KINDS = ("imu", "gyro")  # their rate is never so low that its stamps are taken for milliseconds


class TableClock(NamedTuple):
    """Times of one table."""

    name: str  # of the sensor
    kind: str
    rate: float | None  # Hz, as stated
    file: str
    times: Array  # s


def check_interval(clock: TableClock, values: Array) -> None:
    """Refuse stamps that contradict the stated rate; rows that repeat the values before them are no new readings."""
    is_new = np.ones(len(values), dtype=bool)
    is_new[1:] = np.any((values[1:] != values[:-1]) & ~np.isnan(values[1:]), axis=1)
    if clock.rate is not None or clock.kind in _INPUT_KINDS:
        times = clock.times[is_new]
        check_clock(times[np.diff(times, prepend=-np.inf) > 0.0], clock.file, clock.rate)


def check_overlap(clocks: Sequence[TableClock]) -> None:
    """Refuse a table without a time in common with the inertial unit, or with the first table where there is none."""
    main = next((one for kind in _INPUT_KINDS for one in clocks if one.kind == kind), clocks[0])
    for one in clocks:
        if one.times[-1] < main.times[0] or one.times[0] > main.times[-1]:
            raise InputError(
                f'{one.file}: "{one.name}" has times from {one.times[0]:.10g} to {one.times[-1]:.10g} s, but '
                f'"{main.name}" from {main.times[0]:.10g} to {main.times[-1]:.10g} s: they have no time in common. '
                "Give both the same clock and unit, as in COLUMN:ms."
            ).about(f"sensors.{one.name}.time", float(one.times[0]))


_SPAN = 1.0  # s, over which attitudes are compared: their noise then hardly matters
_FEWEST = 10  # of these
# Roll, pitch and heading are three values of a reading from this one on, by kind of sensor.
ATTITUDE_AT = {"ahrs": 0, "compass": 0, "ins": 5}
_ALIKE = 0.8  # correlation from which on the ratio of two vertical speeds is judged
_OFF = 2.5  # factor between them that no scale error or misalignment explains
_TILTED = 60.0  # deg between specific force and gravity that no manoeuvre explains
_TURNING = 0.02  # rad/s, root mean square of a turn rate whose sign is judged
_MOVING = 0.01  # m/s, standard deviation of a vertical speed that is judged


class RecordedTable(NamedTuple):
    """A table with its sensor."""

    entry: SensorEntry
    file: str
    times: Array  # s
    values: Array  # SI, a row for each time


def check_turn_rates(gyros: RecordedTable, attitude: RecordedTable) -> None:
    """Refuse turn rates in degrees per second, some 57 times the change of the attitude, or of the opposite sign.

    Turn rates are the last three values of `gyros`.
    """
    times, angles = _angles(attitude, gyros.times[0])
    if len(times) < _FEWEST:
        return
    rows = np.unique(np.searchsorted(times, np.arange(times[0], min(times[-1], gyros.times[-1]), _SPAN)))
    if len(rows) < _FEWEST:
        return
    back = conjugate(attitude.entry.q_BS or IDENTITY)
    attitudes = np.array([product(from_euler_zyx(*angles[i].tolist()), back) for i in rows])
    elapsed = np.diff(times[rows])[:, None]
    shown, measured = rates_of_attitude(attitudes, 1.0)[:-1] / elapsed, _mean_rates(gyros, times[rows])
    for i in range(3):
        check_ratio(shown[:, i], measured[:, i], DEGREES_OF_FREEDOM[3 + i], gyros.file)
        _check_sign(shown[:, i], measured[:, i], "xyz"[i], gyros, attitude)


def _check_sign(shown: Array, measured: Array, axis: str, gyros: RecordedTable, attitude: RecordedTable) -> None:
    """Refuse turn rates about an axis of the body that are opposite to the change of the attitude."""
    sizes = [float(np.sqrt(np.mean(one**2))) for one in (shown, measured)]
    if min(sizes) > _TURNING and float(np.mean(shown * measured)) < -_ALIKE * sizes[0] * sizes[1]:
        raise InputError(
            f'"{gyros.entry.name}" turns the other way than "{attitude.entry.name}" about the {axis} axis of the body. '
            f"Check signs, order of columns and orientation in {gyros.file} and {attitude.file}."
        ).about(f"sensors.{gyros.entry.name}.columns", axis)


def check_gravity_direction(imu: RecordedTable, attitude: RecordedTable) -> None:
    """Refuse specific forces that do not point against gravity by the attitude: wrong signs or order of axes.

    Specific forces are the first three values of `imu`.
    """
    times, angles = _angles(attitude, imu.times[0])
    known = np.isfinite(imu.values[:, :3]).all(axis=1) & (imu.times <= (times[-1] if len(times) else -np.inf))
    if len(times) < _FEWEST or known.sum() < _FEWEST:
        return
    up = -_down(imu.times[known], times, angles, attitude.entry)
    f_B = imu.values[known, :3] @ np.array(rotation_matrix(imu.entry.q_BS or IDENTITY)).T
    sizes = np.linalg.norm(f_B, axis=1)
    cosines = np.sum(up * f_B, axis=1) / np.maximum(sizes, 1e-9)
    off = float(np.degrees(np.arccos(np.clip(np.median(cosines), -1.0, 1.0))))
    low, high = (share * GRAVITY for share in PLAUSIBLE_GRAVITY)
    if off > _TILTED and low < np.median(sizes) < high:  # other sizes are a matter of units
        raise InputError(
            f'the specific force of "{imu.entry.name}" points {off:.0f} deg away from up by "{attitude.entry.name}": '
            "at rest it is one g upwards. Check signs, order of columns and orientation in "
            f"{imu.file} and {attitude.file}."
        ).about(f"sensors.{imu.entry.name}.columns", f"{off:.0f}")


def _mean_rates(gyros: RecordedTable, edges: Array) -> Array:
    """Means of the turn rates in body axes between times."""
    known = np.isfinite(gyros.values[:, -3:]).all(axis=1)
    times, rates = gyros.times[known], gyros.values[known, -3:]
    rates = rates @ np.array(rotation_matrix(gyros.entry.q_BS or IDENTITY)).T
    steps = 0.5 * (rates[1:] + rates[:-1]) * np.diff(times)[:, None]
    turned = np.vstack([np.zeros(3), np.cumsum(steps, axis=0)])
    at_edges = np.column_stack([np.interp(edges, times, turned[:, i]) for i in range(3)])
    return np.asarray(np.diff(at_edges, axis=0) / np.diff(edges)[:, None])


def check_vertical_speeds(log: RecordedTable, pressure: RecordedTable, attitude: RecordedTable) -> None:
    """Refuse a Doppler log and a pressure sensor that go up and down together, but one several times as fast.

    The vertical part of the velocity, the first three values of the log, is compared with the change of the depth in
    water of 10 kPa/m.
    """
    times, angles = _angles(attitude, log.times[0])
    known = np.isfinite(pressure.values[:, 0])
    if len(times) < _FEWEST or known.sum() < _FEWEST:
        return
    sinking = _vertical_speed(log, times, angles, attitude.entry)
    edges = np.arange(max(times[0], pressure.times[known][0]), min(times[-1], log.times[-1]), _SPAN)
    if len(edges) <= _FEWEST:
        return
    depth = np.interp(edges, pressure.times[known], pressure.values[known, 0] / 1e4)
    by_pressure = np.diff(depth) / (_SPAN)
    by_log = np.array([np.mean(sinking(a, b)) for a, b in pairwise(edges.tolist())])
    both = np.isfinite(by_log)
    if both.sum() < _FEWEST or min(np.std(by_log[both]), np.std(by_pressure[both])) == 0.0:
        return
    ratio = float(np.std(by_log[both]) / np.std(by_pressure[both]))
    is_moving = max(np.std(by_log[both]), np.std(by_pressure[both])) > _MOVING
    is_alike = abs(np.corrcoef(by_log[both], by_pressure[both])[0, 1]) > _ALIKE
    if is_moving and is_alike and not 1.0 / _OFF < ratio < _OFF:
        raise InputError(
            f'"{log.entry.name}" sinks {ratio:.3g} times as fast as "{pressure.entry.name}" says: '
            f"one of them is in another unit, or has wrong axes. Check the columns of {log.file} and {pressure.file}."
        ).about(f"sensors.{log.entry.name}.columns", f"{ratio:.3g}")


def _angles(attitude: RecordedTable, start: float) -> tuple[Array, Array]:
    """Times from the start on, s, and roll, pitch and heading of an attitude sensor; none of raw angles."""
    if attitude.entry.parameters.get("raw"):
        return np.empty(0), np.empty((0, 3))
    first = ATTITUDE_AT[attitude.entry.kind]
    angles = attitude.values[:, first : first + 3]
    known = np.isfinite(angles).all(axis=1) & (attitude.times >= start)
    return attitude.times[known], angles[known]


def _down(when: Array, times: Array, angles: Array, attitude: SensorEntry) -> Array:
    """Direction of gravity in body axes at some times, from roll and pitch at others."""
    roll, pitch = (np.interp(when, times, angles[:, i]) for i in (0, 1))
    down_S = np.column_stack([-np.sin(pitch), np.sin(roll) * np.cos(pitch), np.cos(roll) * np.cos(pitch)])
    return np.asarray(down_S @ np.array(rotation_matrix(attitude.q_BS or IDENTITY)).T)


def _vertical_speed(
    log: RecordedTable, times: Array, angles: Array, attitude: SensorEntry
) -> Callable[[float, float], Array]:
    """Downward velocities of a Doppler log between two times, m/s."""
    v_B = log.values[:, :3] @ np.array(rotation_matrix(log.entry.q_BS or IDENTITY)).T
    speeds = np.sum(_down(log.times, times, angles, attitude) * v_B, axis=1)
    known = np.isfinite(speeds) & np.any(log.values[:, :3] != 0.0, axis=1)

    def between(a: float, b: float) -> Array:
        found = speeds[known & (log.times >= a) & (log.times < b)]
        return found if len(found) else np.array([np.nan])

    return between
