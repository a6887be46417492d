"""Units of recorded turn rates: against the change of the recorded attitude."""

from typing import NamedTuple

import numpy as np

from remora.equations.algebra.quaternions import conjugate, from_euler_zyx, product, rotation_matrix
from remora.files.arrays import Array
from remora.identification.data.checks import check_ratio, rates_of_attitude
from remora.vehicles.names import DEGREES_OF_FREEDOM
from remora.vehicles.vehicle import SensorEntry

_SPAN = 1.0  # s, over which attitudes are compared: their noise then hardly matters
_FEWEST = 10  # of these


class RecordedTable(NamedTuple):
    """A table with its sensor."""

    entry: SensorEntry
    file: str
    times: Array  # s
    values: Array  # SI, a row for each time


def check_turn_rates(gyros: RecordedTable, attitude: RecordedTable) -> None:
    """Refuse turn rates in degrees per second, which are some 57 times the change of the attitude.

    Turn rates are the last three values of `gyros`; roll, pitch and heading the first three of `attitude`.
    """
    known = np.isfinite(attitude.values[:, :3]).all(axis=1) & (attitude.times >= gyros.times[0])
    times, angles = attitude.times[known], attitude.values[known, :3]
    if len(times) < _FEWEST:
        return
    rows = np.unique(np.searchsorted(times, np.arange(times[0], min(times[-1], gyros.times[-1]), _SPAN)))
    if len(rows) < _FEWEST:
        return
    back = conjugate(attitude.entry.q_BS or (1.0, 0.0, 0.0, 0.0))
    attitudes = np.array([product(from_euler_zyx(*angles[i].tolist()), back) for i in rows])
    elapsed = np.diff(times[rows])[:, None]
    shown, measured = rates_of_attitude(attitudes, 1.0)[:-1] / elapsed, _mean_rates(gyros, times[rows])
    for i in range(3):
        check_ratio(shown[:, i], measured[:, i], DEGREES_OF_FREEDOM[3 + i], gyros.file)


def _mean_rates(gyros: RecordedTable, edges: Array) -> Array:
    """Means of the turn rates in body axes between times."""
    known = np.isfinite(gyros.values[:, -3:]).all(axis=1)
    times, rates = gyros.times[known], gyros.values[known, -3:]
    rates = rates @ np.array(rotation_matrix(gyros.entry.q_BS or (1.0, 0.0, 0.0, 0.0))).T
    steps = 0.5 * (rates[1:] + rates[:-1]) * np.diff(times)[:, None]
    turned = np.vstack([np.zeros(3), np.cumsum(steps, axis=0)])
    at_edges = np.column_stack([np.interp(edges, times, turned[:, i]) for i in range(3)])
    return np.asarray(np.diff(at_edges, axis=0) / np.diff(edges)[:, None])
