"""Excitation for identification: signals with value and rate as functions of time, as references in several axes.

Britto Neto 2018 excites the FlatFish with A sin(w t) through its position controller, one degree of freedom at a time.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, final

import numpy as np

from remora.equations.types import Vector3
from remora.files.units import SECOND
from remora.guidance.manoeuvres import Legs, RelativeMotion, TurningCircle
from remora.vehicles.names import FOUR_AXES

# Samples per period of the highest frequency, for the search of the peak value.
_SAMPLES = 16
# The norm of this power is a smooth approximation of the peak value.
_POWER = 20


class ExcitationSignal(Protocol):
    """A function of time."""

    def at(self, elapsed: float) -> tuple[float, float]:
        """Value and rate, a time in seconds after the start."""


@final
@dataclass(frozen=True)
class Sinusoid:
    """A sin(2 pi t / P), with a linear ramp to full amplitude.

    Raises a ValueError when the period is not positive or the ramp is negative.
    """

    amplitude: float
    period: float  # s
    ramp: float = 0.0  # s

    def __post_init__(self) -> None:
        if not self.period > 0.0 or not self.ramp >= 0.0:
            raise ValueError(f"sinusoid has period {self.period} s and ramp {self.ramp} s: give positive ones")

    def at(self, elapsed: float) -> tuple[float, float]:
        """Value and rate, a time in seconds after the start."""
        w = 2.0 * math.pi / self.period
        sine, cosine = math.sin(w * elapsed), math.cos(w * elapsed)
        if elapsed >= self.ramp:
            return self.amplitude * sine, self.amplitude * w * cosine
        grown = elapsed / self.ramp
        return self.amplitude * grown * sine, self.amplitude * (grown * w * cosine + sine / self.ramp)


@final
@dataclass(frozen=True)
class Multisine:
    """Sum of A sin(w t + phase) between start and stop, t from the start.

    Raised-cosine ramps lead in and out.

    Raises a ValueError when the lists differ in length, a frequency is not positive, or the ramps do not fit between
    start and stop.
    """

    amplitudes: tuple[float, ...]
    frequencies: tuple[float, ...]  # rad/s
    phases: tuple[float, ...]  # rad
    ramp: float = 0.0  # s
    start: float = 0.0  # s
    stop: float = math.inf  # s

    def __post_init__(self) -> None:
        if not len(self.amplitudes) == len(self.frequencies) == len(self.phases) > 0:
            raise ValueError("a multisine needs as many amplitudes as frequencies and phases, and at least one")
        if not all(0.0 < w < math.inf for w in self.frequencies):
            raise ValueError(f"frequencies of a multisine are {self.frequencies}: give positive numbers in rad/s")
        if not (self.ramp >= 0.0 and self.start >= 0.0 and self.stop - self.start >= 2.0 * self.ramp):
            raise ValueError(
                f"a multisine from {self.start} to {self.stop} s has no room for two ramps of {self.ramp} s"
            )

    def at(self, elapsed: float) -> tuple[float, float]:
        """Value and rate, a time in seconds after the start of the excitation."""
        if not self.start <= elapsed <= self.stop:
            return 0.0, 0.0
        t, value, rate = elapsed - self.start, 0.0, 0.0
        for a, w, phase in zip(self.amplitudes, self.frequencies, self.phases, strict=True):
            value += a * math.sin(w * t + phase)
            rate += a * w * math.cos(w * t + phase)
        share, growth = self._share(t, self.stop - elapsed)
        return share * value, share * rate + growth * value

    def _share(self, since: float, left: float) -> tuple[float, float]:
        """Value and rate of the ramp, from 0 to 1."""
        near = min(since, left)
        if near >= self.ramp:
            return 1.0, 0.0
        x = math.pi * near / self.ramp
        growth = 0.5 * math.sin(x) * math.pi / self.ramp
        return 0.5 * (1.0 - math.cos(x)), growth if since < left else -growth


@final
@dataclass(frozen=True)
class ZigZag:
    """Square wave between A and -A, half a period each.

    Raises a ValueError when the period is not positive.
    """

    amplitude: float
    period: float  # s

    def __post_init__(self) -> None:
        if not 0.0 < self.period < math.inf:
            raise ValueError(f"zig-zag has a period of {self.period} s: give a positive one")

    def at(self, elapsed: float) -> tuple[float, float]:
        """Value and rate, a time in seconds after the start; the rate of a jump is zero."""
        return (self.amplitude if elapsed % self.period < 0.5 * self.period else -self.amplitude), 0.0


@final
@dataclass(frozen=True)
class Steps:
    """Successive levels, each held for a time; the last one stays. A single step is one level.

    Raises a ValueError when there is no level or the time is not positive.
    """

    levels: tuple[float, ...]
    hold: float  # s

    def __post_init__(self) -> None:
        if not self.levels or not 0.0 < self.hold < math.inf:
            raise ValueError(f"steps have {len(self.levels)} levels of {self.hold} s: give some, with a positive time")

    def at(self, elapsed: float) -> tuple[float, float]:
        """Value and rate, a time in seconds after the start; the rate of a jump is zero."""
        return self.levels[min(int(max(elapsed, 0.0) / self.hold), len(self.levels) - 1)], 0.0


def schroeder_phases(amplitudes: Sequence[float]) -> tuple[float, ...]:
    """Phases of a multisine with a low crest factor, the start of `low_crest_phases`. Schroeder 1970."""
    powers = np.square(np.asarray(amplitudes, dtype=float))
    shares = powers / powers.sum()
    before = np.cumsum(shares) - shares
    phases = [-2.0 * math.pi * float(np.sum(before[: k + 1])) for k in range(len(shares))]
    return tuple(math.remainder(phase, 2.0 * math.pi) for phase in phases)


def low_crest_phases(amplitudes: Sequence[float], frequencies: Sequence[float], duration: float) -> tuple[float, ...]:
    """Phases that minimise the peak of a multisine over a duration, starting from those of Schroeder.

    A low crest factor gives more power within the same workspace, speed and thrust.

    Parameters
    ----------
    amplitudes, frequencies
        Amplitude and angular frequency (rad/s) of each line.
    duration
        Length of the signal, s.
    """
    from scipy import optimize  # imported here: slow, and few missions have a multisine

    a, w = np.asarray(amplitudes, dtype=float), np.asarray(frequencies, dtype=float)
    t = np.arange(0.0, duration, 2.0 * math.pi / (_SAMPLES * float(w.max())))
    start = np.array(schroeder_phases(amplitudes))
    if len(a) < 2:
        return tuple(start.tolist())

    def size(phases: np.ndarray) -> float:
        values = np.abs(a @ np.sin(np.outer(w, t) + phases[:, None]))
        return float(np.mean((values / a.sum()) ** _POWER) ** (1.0 / _POWER))

    found = optimize.minimize(size, start, method="Nelder-Mead", options={"maxiter": 200, "xatol": 1e-3})
    best = found.x if found.fun < size(start) else start
    return tuple(math.remainder(float(phase), 2.0 * math.pi) for phase in best)


def crest_factor(values: Sequence[float]) -> float:
    """Peak over root mean square: 1.414 for a sinusoid, smaller is better."""
    array = np.asarray(values, dtype=float)
    return float(np.abs(array).max() / np.sqrt(np.mean(array**2)))


_AT_START = RelativeMotion(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


class PoseReference(NamedTuple):
    """Reference pose and its rates."""

    p_NR: Vector3  # m
    heading: float  # rad, unwrapped
    v_NR_N: Vector3  # m/s
    heading_rate: float  # rad/s


class ExcitationState(NamedTuple):
    """Time and pose at the start of the excitation; the time is None before the first step."""

    start_ns: int | None
    p_N: Vector3
    heading: float


@final
@dataclass(frozen=True)
class ExcitationGuidance:
    """Excitation signals about the pose at the first step, in level axes along the heading there.

    Parameters
    ----------
    surge, sway, heave
        Signals ahead, to the right and down, in m; None holds the axis.
    yaw
        ExcitationSignal of the heading, in rad.
    manoeuvre
        A turning circle or legs; the signals are added.
    """

    surge: ExcitationSignal | None = None
    sway: ExcitationSignal | None = None
    heave: ExcitationSignal | None = None
    yaw: ExcitationSignal | None = None
    manoeuvre: TurningCircle | Legs | None = None

    @classmethod
    def single(cls, axis: str, amplitude: float, frequency: float, ramp: float = 0.0) -> "ExcitationGuidance":
        """A sin(w t) in one axis, with w in rad/s; the others are held.

        Raises a ValueError when the axis is not surge, sway, heave or yaw, or the frequency is not positive.
        """
        if axis not in FOUR_AXES:
            raise ValueError(f"unknown axis {axis!r}: choose from {', '.join(FOUR_AXES)}")
        swing: dict[str, Any] = {axis: Sinusoid(amplitude, _period(frequency), ramp)}
        return cls(**swing)

    @classmethod
    def all_four(
        cls, amplitudes: tuple[float, ...], frequencies: tuple[float, ...], ramp: float = 0.0
    ) -> "ExcitationGuidance":
        """Simultaneous sinusoids in surge, sway, heave and yaw; amplitudes in m and rad, frequencies in rad/s."""
        swings = (Sinusoid(a, _period(w), ramp) for a, w in zip(amplitudes, frequencies, strict=True))
        all_swings: dict[str, Any] = dict(zip(FOUR_AXES, swings, strict=True))
        return cls(**all_swings)

    def initial(self) -> ExcitationState:
        """Before the first step."""
        return ExcitationState(None, (0.0, 0.0, 0.0), 0.0)

    def step(
        self, state: ExcitationState, time_ns: int, p_NB: Vector3, heading: float
    ) -> tuple[ExcitationState, PoseReference]:
        """The reference at a time; position and heading matter at the first step only."""
        if state.start_ns is None and not math.isfinite(sum(p_NB) + heading):
            return state, PoseReference(p_NB, heading, (0.0, 0.0, 0.0), 0.0)  # starts at the first known pose
        if state.start_ns is None:
            state = ExcitationState(time_ns, p_NB, heading)
        assert state.start_ns is not None
        elapsed = (time_ns - state.start_ns) / SECOND
        x, y, z, turn, vx, vy, vz, rate = self.relative_motion(elapsed)
        c, s = math.cos(state.heading), math.sin(state.heading)
        p = state.p_N
        position = (p[0] + c * x - s * y, p[1] + s * x + c * y, p[2] + z)
        return state, PoseReference(position, state.heading + turn, (c * vx - s * vy, s * vx + c * vy, vz), rate)

    def relative_motion(self, elapsed: float) -> RelativeMotion:
        """Motion of the reference relative to its start, a time in seconds after it."""
        signals = (self.surge, self.sway, self.heave, self.yaw)
        values, rates = zip(*(one.at(elapsed) if one else (0.0, 0.0) for one in signals), strict=True)
        under_way = self.manoeuvre.at(elapsed) if self.manoeuvre else _AT_START
        return RelativeMotion(*(a + b for a, b in zip((*values, *rates), under_way, strict=True)))


def _period(frequency: float) -> float:
    if not 0.0 < frequency < math.inf:
        raise ValueError(f"frequency is {frequency}: give a positive number in rad/s")
    return 2.0 * math.pi / frequency
