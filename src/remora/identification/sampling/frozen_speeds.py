"""Frozen speeds: readings that repeat one value, found by the noise of the other readings."""

from typing import NamedTuple

import numpy as np

from remora.files.arrays import Array
from remora.identification.data.record import FrozenSpeed, Record

# A speed that is exactly constant for this long, s, and this many rows is frozen where it is noisy at other times, or
# jumps before or after. A vehicle at rest in a simulation without noise is constant too.
_FROZEN, _ROWS = 5.0, 25
# Differences of this order hold noise rather than motion, even of a DVL at 5 Hz on a manoeuvring vehicle: their signs
# alternate in 80 % of all rows for white noise, and they are 3.4 times larger than second differences. The motion of a
# simulation with commands in steps has less of one or the other. A rounded simulation alternates like noise, but its
# differences are two or three units of the last decimal.
_ORDER, _ALTERNATES, _ABOVE_RESOLUTION, _FEWEST_CHANGES = 4, 0.69, 4.0, 30
# The same share of first differences, 2/3 for white noise, from which on a slowly moving speed is noisy.
_NOISY = 0.4
# Differences below this share of the largest value are rounding errors of a change of units.
_ROUNDING = 1e-9
# Changes on each side of a stretch with which a jump at its end is compared.
_NEARBY = 5
# A jump is this many times larger than other changes.
_FAR = 5.0


class _Stretch(NamedTuple):
    """Rows [start, stop) of the readings of a speed with one value."""

    start: int
    stop: int


def frozen_speeds(record: Record) -> tuple[FrozenSpeed, ...]:
    """All stretches of a record in which a speed is frozen, by axis and time."""
    if record.frozen is not None:  # interpolation hides noise, and rounding looks like noise after it
        first, last = record.time_ns[0], record.time_ns[-1]
        return tuple(one for one in record.frozen if one.stop_ns >= first and one.start_ns <= last)
    return tuple(one for axis in record.measured for one in _frozen_in(record, axis))


def _frozen_in(record: Record, axis: str) -> list[FrozenSpeed]:
    known = np.isfinite(record.speed(axis))  # a slow sensor leaves rows of a fast table empty
    speed, stamps = record.speed(axis)[known], record.time_ns[known]
    if len(speed) < _ROWS:
        return []
    step = int(np.median(np.diff(stamps)))
    return [
        FrozenSpeed(axis, float(speed[one.start]), int(stamps[one.start]), int(stamps[one.stop - 1]), step)
        for one in _frozen_stretches(speed, step * 1e-9)
    ]


def _frozen_stretches(speed: Array, interval: float) -> list[_Stretch]:
    """Stretches of readings with this interval, s, in which a speed is frozen."""
    stops = np.flatnonzero(np.append(np.diff(speed) != 0.0, [True])) + 1
    starts = np.concatenate([[0], stops[:-1]])
    long = (stops - starts >= _ROWS) & ((stops - starts) * interval >= _FROZEN)
    stretches = [_Stretch(int(a), int(b)) for a, b in zip(starts[long], stops[long], strict=True)]
    is_noisy = bool(stretches) and _is_noisy(speed)
    return [one for one in stretches if is_noisy or _jumps(speed, one)]


def _is_noisy(speed: Array) -> bool:
    """Whether a speed has noise well above its resolution where it changes."""
    changes = np.diff(speed)
    values = speed[np.append([True], changes != 0.0)]  # readings may be held over several rows
    sizes = np.abs(changes[np.abs(changes) > _ROUNDING * np.abs(speed).max()])
    if len(sizes) < _FEWEST_CHANGES:
        return False
    noise = np.diff(values, _ORDER)
    if float(np.median(np.abs(noise))) < _ABOVE_RESOLUTION * float(sizes.min()):
        return False
    is_growing = float(np.median(np.abs(noise))) > float(np.median(np.abs(np.diff(values, 2))))
    return (is_growing and _alternating(noise) > _ALTERNATES) or _alternating(np.diff(values)) > _NOISY


def _alternating(changes: Array) -> float:
    """Share of changes with another sign than the one before."""
    return float(np.mean(changes[1:] * changes[:-1] < 0.0))


def _jumps(speed: Array, stretch: _Stretch) -> bool:
    """Whether a speed jumps at an end of a stretch, compared with its usual changes and those next to the jump."""
    changes = np.abs(np.diff(speed))
    moving = changes[changes != 0.0]
    if len(moving) < 2:
        return False
    usual, first, last = float(np.median(moving)), stretch.start - 1, stretch.stop - 1
    ends = [(first, changes[max(first - _NEARBY, 0) : max(first, 0)]), (last, changes[last + 1 : last + 1 + _NEARBY])]
    inside = [(k, nearby) for k, nearby in ends if 0 <= k < len(changes) and len(nearby)]
    return any(changes[k] > _FAR * max(usual, float(nearby.max())) for k, nearby in inside)
