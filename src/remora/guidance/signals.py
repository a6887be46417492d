"""Signals of time for excitation: a value and its rate so many seconds after the start.

Sinusoid, multisine, zig-zag and steps. Each is frozen numbers with one function, `at`.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, final

import numpy as np
from scipy import optimize

# The largest value of a periodic signal is looked for at so many places per period of its fastest line.
_PLACES = 16
# A norm of this power is nearly the largest value, and smooth.
_POWER = 20


class Signal(Protocol):
    """A number that changes with time."""

    def at(self, elapsed: float) -> tuple[float, float]:
        """Value and rate so many seconds after its start."""


@final
@dataclass(frozen=True)
class Sinusoid:
    """A reference that swings: A sin(2 pi t / P), from the first step on; it grows to its amplitude over a ramp.

    Raises
    ------
    ValueError
        When the period is not positive or the ramp is negative.
    """

    amplitude: float
    period: float  # s
    ramp: float = 0.0  # s

    def __post_init__(self) -> None:
        if not self.period > 0.0 or not self.ramp >= 0.0:
            raise ValueError(f"sinusoid has period {self.period} s and ramp {self.ramp} s: give positive ones")

    def at(self, elapsed: float) -> tuple[float, float]:
        """Value and rate so many seconds after its start."""
        w = 2.0 * math.pi / self.period
        sine, cosine = math.sin(w * elapsed), math.cos(w * elapsed)
        if elapsed >= self.ramp:
            return self.amplitude * sine, self.amplitude * w * cosine
        grown = elapsed / self.ramp
        return self.amplitude * grown * sine, self.amplitude * (grown * w * cosine + sine / self.ramp)


@final
@dataclass(frozen=True)
class Multisine:
    """Sinusoids at several frequencies at once, between two times: sum of A sin(w t + phase), t from the start.

    It grows from nothing over a ramp, and goes back to nothing over a ramp before its end, as a raised cosine.

    Raises
    ------
    ValueError
        When the lists differ in length, a frequency is not positive, or the ramps do not fit between start and stop.
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
        """Value and rate so many seconds after the start of the excitation."""
        if not self.start <= elapsed <= self.stop:
            return 0.0, 0.0
        t, value, rate = elapsed - self.start, 0.0, 0.0
        for a, w, phase in zip(self.amplitudes, self.frequencies, self.phases, strict=True):
            value += a * math.sin(w * t + phase)
            rate += a * w * math.cos(w * t + phase)
        share, growth = self._share(t, self.stop - elapsed)
        return share * value, share * rate + growth * value

    def _share(self, since: float, left: float) -> tuple[float, float]:
        """How much of it is there, and how that grows."""
        near = min(since, left)
        if near >= self.ramp:
            return 1.0, 0.0
        x = math.pi * near / self.ramp
        growth = 0.5 * math.sin(x) * math.pi / self.ramp
        return 0.5 * (1.0 - math.cos(x)), growth if since < left else -growth


@final
@dataclass(frozen=True)
class ZigZag:
    """To one side for half a period, then to the other: a reference that jumps between A and -A.

    Raises
    ------
    ValueError
        When the period is not positive.
    """

    amplitude: float
    period: float  # s

    def __post_init__(self) -> None:
        if not 0.0 < self.period < math.inf:
            raise ValueError(f"zig-zag has a period of {self.period} s: give a positive one")

    def at(self, elapsed: float) -> tuple[float, float]:
        """Value and rate so many seconds after its start; the rate of a jump is not told."""
        return (self.amplitude if elapsed % self.period < 0.5 * self.period else -self.amplitude), 0.0


@final
@dataclass(frozen=True)
class Steps:
    """One level after the other, each held so long; the last one stays. A single step is one level.

    Raises
    ------
    ValueError
        When there is no level or the time is not positive.
    """

    levels: tuple[float, ...]
    hold: float  # s

    def __post_init__(self) -> None:
        if not self.levels or not 0.0 < self.hold < math.inf:
            raise ValueError(f"steps have {len(self.levels)} levels of {self.hold} s: give some, with a positive time")

    def at(self, elapsed: float) -> tuple[float, float]:
        """Value and rate so many seconds after its start; the rate of a jump is not told."""
        return self.levels[min(int(max(elapsed, 0.0) / self.hold), len(self.levels) - 1)], 0.0


def schroeder_phases(amplitudes: Sequence[float]) -> tuple[float, ...]:
    """Phases that spread the peaks of the lines of a multisine: a good start for `low_crest_phases`. Schroeder 1970."""
    powers = np.square(np.asarray(amplitudes, dtype=float))
    shares = powers / powers.sum()
    before = np.cumsum(shares) - shares
    phases = [-2.0 * math.pi * float(np.sum(before[: k + 1])) for k in range(len(shares))]
    return tuple(math.remainder(phase, 2.0 * math.pi) for phase in phases)


def low_crest_phases(amplitudes: Sequence[float], frequencies: Sequence[float], duration: float) -> tuple[float, ...]:
    """Phases for which a multisine has a small largest value over a duration, from Schroeder's on.

    A small crest puts more power into the same room, speed and thrust.
    """
    a, w = np.asarray(amplitudes, dtype=float), np.asarray(frequencies, dtype=float)
    t = np.arange(0.0, duration, 2.0 * math.pi / (_PLACES * float(w.max())))
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
    """Largest size over root mean square: 1.414 for a sinusoid, smaller is better."""
    array = np.asarray(values, dtype=float)
    return float(np.abs(array).max() / np.sqrt(np.mean(array**2)))
