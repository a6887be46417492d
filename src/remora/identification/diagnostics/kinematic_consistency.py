"""Kinematic consistency of a record: change of depth against the vertical speed, of attitude against its rates."""

from collections.abc import Callable, Iterator, Mapping

import numpy as np

from remora.equations.algebra.quaternions import rotation_matrix
from remora.files.arrays import Array
from remora.identification.data.checks import rates_of_attitude
from remora.identification.data.record import Record
from remora.vehicles.names import DEGREES_OF_FREEDOM

# Time over which changes are compared, s: noise of single readings averages out. Fewest such intervals.
_INTERVAL, _FEWEST = 5.0, 10
# Correlation below which two signals are not compared, and the ratio of equal signals: scale errors of instruments and
# errors of a level attitude are smaller.
_ALIKE, _EQUAL = 0.9, 1.25
# Smallest standard deviation of changes that are compared, m and rad.
_LEAST = 0.05
# Frequent unit mistakes of speeds and rates by their factor, and the tolerance of the factor.
_SPEED_UNITS = {
    10.0: "mm/s and cm/s", 100.0: "cm/s and m/s", 1000.0: "mm/s and m/s", 3.281: "ft/s and m/s",
    1.944: "knots and m/s", 3.6: "km/h and m/s",
}  # fmt: skip
_RATE_UNITS = {57.3: "deg/s and rad/s", 1000.0: "mrad/s and rad/s", 9.549: "rpm and rad/s"}
_NEAR = 1.15


def kinematic_contradictions(record: Record) -> list[str]:
    """Warnings on speeds whose integral contradicts depth or attitude; the record is at one rate."""
    found = []
    if "heave" in record.measured and record.position is not None:
        by_heave, others = _down_speeds(record)
        depth, carried = record.position[:, 2], _integral_of(others, record.interval)
        ratio = _ratio(record, by_heave, lambda rows: depth[rows.stop - 1] - depth[rows.start] - carried(rows))
        found += _contradiction(ratio, "heave", "depth", _SPEED_UNITS)
    if record.quaternion is not None:
        turned = rates_of_attitude(record.quaternion, record.interval)
        for i, axis in enumerate(DEGREES_OF_FREEDOM[3:]):
            if axis in record.measured:
                ratio = _ratio(record, record.speed(axis), _integral_of(turned[:, i], record.interval))
                found += _contradiction(ratio, axis, f"{axis} angle", _RATE_UNITS)
    return [f"{record.source}: {sentence}" for sentence in found]


def _down_speeds(record: Record) -> tuple[Array, Array]:
    """Speed down in N by heave, and by surge and sway, m/s; unmeasured speeds are zero, an unknown attitude level."""
    level = np.tile([1.0, 0.0, 0.0, 0.0], (len(record), 1))
    w, x, y, z = (level if record.quaternion is None else record.quaternion).T
    by_surge, by_sway, by_heave = (
        share * record.speed(axis) if axis in record.measured else np.zeros(len(record))
        for share, axis in zip(rotation_matrix((w, x, y, z))[2], DEGREES_OF_FREEDOM[:3], strict=True)
    )
    return by_heave, by_surge + by_sway


def _integral_of(rates: Array, interval: float) -> Callable[[slice], float]:
    return lambda rows: interval * float(np.sum(rates[rows.start : rows.stop - 1]))


def _ratio(record: Record, speed: Array, change: Callable[[slice], float]) -> tuple[float, float] | None:
    """Ratio of shown to integrated changes and their correlation; None where they cannot be compared."""
    step = record.interval
    pairs = [
        (step * float(np.sum(0.5 * (speed[rows][1:] + speed[rows][:-1]))), float(change(rows)))
        for rows in _intervals(record, max(2, round(_INTERVAL / step) + 1))
    ]
    known = np.array([pair for pair in pairs if np.isfinite(pair).all()]).reshape(-1, 2)
    if len(known) < _FEWEST:
        return None
    integrated, shown = known.std(axis=0)
    if integrated == 0.0 or shown < _LEAST:
        return None
    correlation = float(np.corrcoef(known.T)[0, 1])
    return (float(shown / integrated), correlation) if abs(correlation) >= _ALIKE else None


def _intervals(record: Record, rows: int) -> Iterator[slice]:
    """Rows of consecutive intervals, none across a gap; neighbours share one row."""
    for segment in record.segments:
        for start in range(segment.start, segment.stop - rows + 1, rows - 1):
            yield slice(start, start + rows)


def _contradiction(found: tuple[float, float] | None, axis: str, shown: str, units: Mapping[float, str]) -> list[str]:
    """Warning for a ratio that noise does not explain, or for opposite signs."""
    if found is None:
        return []
    ratio, correlation = found
    factor = max(ratio, 1.0 / ratio)
    if correlation < 0.0:
        return [f"{shown} changes against {axis}: one of the two columns has the wrong sign, or other axes."]
    # Noise in one of the two signals moves the ratio by at most the correlation.
    if factor * correlation < _EQUAL:
        return []
    pair = next((names for unit, names in units.items() if 1.0 / _NEAR < factor / unit < _NEAR), "")
    likely = f", the factor between {pair}" if pair else ""
    return [
        f"{shown} changes {ratio:.3g} times as much as the integral of {axis}{likely}: the unit of the column of "
        f"{axis} or of {shown} is wrong. All numbers of {axis} are wrong if so."
    ]
