"""Free decay of roll or pitch: inertia with added mass and damping, from a known righting moment."""

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike
from scipy import signal

from remora.equations.algebra.elementary import sqrt
from remora.equations.algebra.kinematics import down_in_body
from remora.equations.algebra.quaternions import from_euler_zyx
from remora.equations.estimation.single_axis import axis_acceleration, equivalent_damping
from remora.equations.hull.restoring import restoring_wrench
from remora.equations.types import Vector3
from remora.files.arrays import Array
from remora.identification.bench.fitting import (
    BenchDataError,
    BenchParameter,
    columns,
    fit_integrated,
    fit_law,
    positive,
    rising,
)
from remora.identification.bench.result import BenchFit

Acceleration: TypeAlias = Callable[[Any, Any, float], Any]  # of position, speed and time

NOISES = 5.0  # standard deviations of noise below which a reading counts as rest


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
    least = smallest or max(NOISES * white_noise(away), 0.01 * float(np.abs(away).max()))
    found = [(i, sign) for sign in (1.0, -1.0) for i in signal.find_peaks(sign * away, least, distance=gap)[0]]
    points = sorted(_vertex(times, away, int(i), sign, 0.25 * half) for i, sign in found)
    if len(points) < 3:
        raise BenchDataError(f"{len(points)} turning points are too few. Record at least two whole periods.")
    t, size = np.array(points).T
    return TurningPoints(t, size, rest)


def white_noise(values: Array) -> float:
    """Standard deviation of white noise on a smooth record, from its second differences."""
    return float(np.median(np.abs(np.diff(values, 2)))) / (0.6745 * np.sqrt(6.0))


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


_STEPS_PER_PERIOD = 40


class Righting(NamedTuple):
    """Weight and buoyancy of a submerged body, which give its righting moment."""

    mass: float  # kg
    displaced_mass: float  # kg
    p_BG: Vector3  # m
    p_BC: Vector3  # m
    gravity: float  # m/s2


class AxisDynamics(NamedTuple):
    """Inertia and damping about one axis."""

    inertia: float  # kg m2, with added mass
    linear: float  # N m s
    quadratic: float  # N m s2


def righting_moment(righting: Righting, axis: str, angle: Any) -> Any:
    """Moment of weight and buoyancy about the roll or pitch axis, N m, at an angle in rad; the other angle is zero."""
    still = 0.0 * angle
    attitude = from_euler_zyx(angle, still, still) if axis == "roll" else from_euler_zyx(still, angle, still)
    return restoring_wrench(*righting, down_in_body(attitude))[{"roll": 3, "pitch": 4}[axis]]


def decay_by_turning_points(times: ArrayLike, angles: ArrayLike, stiffness: float) -> BenchFit[AxisDynamics]:
    """Inertia from the period, damping from the logarithmic decrements over amplitude.

    Parameters
    ----------
    times, angles, stiffness
        Stamps, s, roll or pitch, rad, and righting moment per angle at rest, N m/rad.
    """
    t, angle = columns(12, times=times, angles=angles)
    rising("times", t)
    positive(stiffness=stiffness)
    swing = turning_points(t, angle)
    amplitude: Any = 0.5 * (swing.sizes[:-1] + swing.sizes[1:])
    halves = np.diff(swing.times)
    # The period of a pendulum grows with amplitude, by A^2 / 16 to leading order.
    natural = float(np.mean(np.pi / halves * (1.0 + amplitude**2 / 16.0)))
    inertia = stiffness / natural**2
    lost = 2.0 * inertia * decrements(swing) / halves
    speed = natural * amplitude
    top, full = float(speed.max()), max(float(np.abs(lost).max()), 1e-12)
    if len(lost) < 3:
        raise BenchDataError("fewer than 4 turning points. Record for longer, or release it further from rest.")
    damping = fit_law(
        "free decay by its turning points",
        [
            BenchParameter("linear", "N m s", 0.5 * full, 0.0),
            BenchParameter("quadratic", "N m s2", 0.5 * full / top, 0.0, scale=full / top),
        ],
        lambda x: AxisDynamics(inertia, float(x[0]), float(x[1])),
        lambda law: np.asarray(equivalent_damping(law.linear, law.quadratic, speed)),
        lost,
    )
    covariance = np.zeros((3, 3))
    covariance[1:, 1:] = damping.covariance
    covariance[0, 0] = (2.0 * inertia * float(np.std(halves, ddof=1) / halves.mean())) ** 2 / len(halves)
    return BenchFit(
        damping.method, damping.law, ("inertia", *damping.names), ("kg m2", *damping.units),
        np.array([inertia, *damping.values]), covariance, damping.degrees_of_freedom, damping.residuals,
        damping.warnings,
    )  # fmt: skip


def fit_free_decay(
    times: ArrayLike,
    righting: Righting,
    axis: str,
    angles: ArrayLike | None = None,
    rates: ArrayLike | None = None,
    angle_sigma: float = 1.0,
    rate_sigma: float = 1.0,
) -> BenchFit[AxisDynamics]:
    """Inertia and damping from a record of a free decay, by integration.

    Parameters
    ----------
    times, righting, axis
        Stamps, s, weight and buoyancy, which fix the scale, and "roll" or "pitch".
    angles, rates, angle_sigma, rate_sigma
        Recorded angle, rad, or rate, rad/s, or both, and their relative noise.
    """
    if axis not in ("roll", "pitch"):
        raise BenchDataError(f'axis = "{axis}": give "roll" or "pitch"; weight rights nothing else.')
    t, *seen = columns(20, times=times, **_given(angles=angles, rates=rates))
    rising("times", t)
    t = t - t[0]
    angle = seen[0] if angles is not None else None
    rate = seen[-1] if rates is not None else None
    numbers, period = _decay_numbers(t, righting, axis, angle, rate)
    parts = [part for part in (angle, rate) if part is not None]
    sigmas = [s for s, part in ((angle_sigma, angle), (rate_sigma, rate)) if part is not None]

    # The moment is linear in the direction of gravity: two attitudes determine it for all.
    upright, lying = (righting_moment(righting, axis, angle) for angle in (0.0, 0.5 * np.pi))

    def predict_trials(trials: Array) -> Array:
        inertia, linear, quadratic, start, speed = trials

        def acceleration(place: Any, turning: Any, time: float) -> Any:
            moment = upright * np.cos(place) + lying * np.sin(place)
            return axis_acceleration(inertia, linear, quadratic, turning, moment)

        places, speeds = integrate(acceleration, start, speed, t, period / _STEPS_PER_PERIOD)
        return np.concatenate([x for x, part in ((places, angle), (speeds, rate)) if part is not None])

    sigma = np.concatenate([np.full(len(t), sigma) for sigma in sigmas])
    fit = fit_integrated(f"free decay of {axis}", numbers, predict_trials, np.concatenate(parts), sigma)
    return fit.with_law(AxisDynamics(*fit.values[:3].tolist()))


def _given(**recorded: ArrayLike | None) -> dict[str, ArrayLike]:
    found = {name: values for name, values in recorded.items() if values is not None}
    if not found:
        raise BenchDataError(f"nothing was recorded. Give {' or '.join(recorded)}.")
    return found


def _decay_numbers(
    t: Array, righting: Righting, axis: str, angle: Array | None, rate: Array | None
) -> tuple[list[BenchParameter], float]:
    """Starting values: the dominant frequency, and a tenth of critical damping, half of it quadratic."""
    stiffness = _stiffness(lambda x: righting_moment(righting, axis, x))
    record = angle if angle is not None else rate
    assert record is not None
    half = half_period(t, record)
    if t[-1] < 2.0 * half:
        raise BenchDataError(f"the record of {t[-1]:.3g} s holds no whole period. Record for longer.")
    frequency = np.pi / half
    inertia = stiffness / frequency**2
    size = float(np.abs(record - np.median(record)).max())
    speed = frequency * size if angle is not None else size
    start = float(angle[0]) if angle is not None else _angle_from_rate(t, record, inertia, stiffness)
    full = 0.1 * 2.0 * inertia * frequency
    numbers = [
        BenchParameter("inertia", "kg m2", inertia, 0.0),
        BenchParameter("linear", "N m s", 0.5 * full, 0.0, scale=full),
        BenchParameter("quadratic", "N m s2", 0.5 * full / speed, 0.0, scale=full / speed),
        BenchParameter("start_angle", "rad", start, scale=speed / frequency),
        BenchParameter("start_rate", "rad/s", float(rate[0]) if rate is not None else 0.0, scale=speed),
    ]
    return numbers, 2.0 * half


def _angle_from_rate(t: Array, rate: Array, inertia: float, stiffness: float) -> float:
    """Initial angle from the slope of the rate."""
    first = slice(0, max(4, len(t) // 100))
    change = float(np.polyfit(t[first], rate[first], 1)[0])
    return float(np.clip(-inertia * change / stiffness, -1.5, 1.5))


def _stiffness(moment: Callable[[float], float]) -> float:
    """Righting moment per angle at the upright, N m/rad."""
    stiffness = -(moment(1e-4) - moment(-1e-4)) / 2e-4
    if not stiffness > 0.0:
        raise BenchDataError("the body does not right itself: its centre of buoyancy is not above that of gravity.")
    return stiffness
