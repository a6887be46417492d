"""Free oscillations: period, logarithmic decrement, and batched integration of one axis."""

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from scipy import signal

from remora.equations.algebra.elementary import sqrt
from remora.files.arrays import Array
from remora.identification.bench.data import BenchDataError

Acceleration: TypeAlias = Callable[[Any, Any, float], Any]  # of position, speed and time

_NOISES = 5.0  # standard deviations of noise below which no turning point is counted


class TurningPoints(NamedTuple):
    """Turning points of a free oscillation, alternating in sign."""

    times: Array  # s
    sizes: Array  # distance from rest
    rest: float  # equilibrium

    @property
    def frequency(self) -> float:
        """Damped frequency, rad/s: a line through the times of all turning points."""
        return float(np.pi / np.polyfit(np.arange(len(self.times)), self.times, 1)[0])


def turning_points(times: Array, angles: Array, smallest: float = 0.0) -> TurningPoints:
    """Turning points of a free oscillation, each from a parabola through the samples around it.

    Stamps are in s, evenly or unevenly spaced, angles in rad. The smallest amplitude, rad, is a few times the noise, or
    1 % of the largest, unless given.
    """
    rest = float(np.median(angles[len(angles) // 2 :]))
    away = angles - rest
    half = half_period(times, away)
    gap = max(int(0.6 * half / float(np.median(np.diff(times)))), 1)
    noise = float(np.median(np.abs(np.diff(away, 2)))) / (0.6745 * np.sqrt(6.0))
    least = smallest or max(_NOISES * noise, 0.01 * float(np.abs(away).max()))
    found = [(i, sign) for sign in (1.0, -1.0) for i in signal.find_peaks(sign * away, least, distance=gap)[0]]
    points = sorted(_vertex(times, away, int(i), sign, 0.25 * half) for i, sign in found)
    if len(points) < 3:
        raise BenchDataError(f"{len(points)} turning points are too few. Record at least two whole periods.")
    t, size = np.array(points).T
    return TurningPoints(t, size, rest)


def half_period(times: Array, away: Array) -> float:
    """Half period of the dominant frequency, s."""
    step = float(np.median(np.diff(times)))
    even = np.interp(np.arange(times[0], times[-1], step), times, away)
    power = np.abs(np.fft.rfft(even - even.mean(), 8 * len(even)))
    power[:8] = 0.0  # periods longer than the record
    if not power.max() > 0.0:
        raise BenchDataError("the record shows no oscillation: it never changes. Release the body away from rest.")
    return 4.0 * len(even) * step / float(np.argmax(power))


def _vertex(times: Array, away: Array, i: int, sign: float, width: float) -> tuple[float, float]:
    near = np.abs(times - times[i]) <= width
    if np.sum(near) < 4:
        return float(times[i]), float(sign * away[i])
    a, b, c = np.polyfit(times[near] - times[i], sign * away[near], 2)
    at = float(np.clip(-b / (2.0 * a), -width, width)) if a < 0.0 else 0.0
    return float(times[i]) + at, float((a * at + b) * at + c)


def decrements(swing: TurningPoints) -> Array:
    """Logarithmic decrement from each turning point to the next, over half a period."""
    return np.log(swing.sizes[:-1] / swing.sizes[1:])


def integrate(
    acceleration: Acceleration, place: Any, speed: Any, times: Array, largest_step: float
) -> tuple[Array, Array]:
    """Positions and speeds by the classical Runge-Kutta method, one row per time and one column per trial."""
    x, v = np.atleast_1d(np.asarray(place, dtype=float)), np.atleast_1d(np.asarray(speed, dtype=float))
    places, speeds = [x], [v]
    for start, end in zip(times[:-1].tolist(), times[1:].tolist(), strict=True):
        count = max(int(np.ceil((end - start) / largest_step - 1e-9)), 1)
        h = (end - start) / count
        for k in range(count):
            x, v = _step(acceleration, x, v, start + k * h, h)
        places.append(x)
        speeds.append(v)
    return np.array(places), np.array(speeds)


def _step(acceleration: Acceleration, x: Array, v: Array, t: float, h: float) -> tuple[Array, Array]:
    a1 = acceleration(x, v, t)
    v2 = v + 0.5 * h * a1
    a2 = acceleration(x + 0.5 * h * v, v2, t + 0.5 * h)
    v3 = v + 0.5 * h * a2
    a3 = acceleration(x + 0.5 * h * v2, v3, t + 0.5 * h)
    v4 = v + h * a3
    a4 = acceleration(x + h * v3, v4, t + h)
    return x + h / 6.0 * (v + 2.0 * v2 + 2.0 * v3 + v4), v + h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4)


def undamped(damped_frequency: float, ratio: float) -> float:
    """Natural frequency from the damped one."""
    return float(damped_frequency / sqrt(max(1.0 - ratio * ratio, 1e-12)))
