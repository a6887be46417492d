"""Random errors: white noise, random walk, Gauss-Markov processes and outliers, each with its own random stream."""

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import final

import numpy as np

from remora.files.arrays import Array, Integers
from remora.messages.reading import Values
from remora.messages.truth import Truth
from remora.sensors.environment import Environment
from remora.sensors.errors.streams import Stream
from remora.sensors.recorded_motion import Samples
from remora.sensors.sensor import Altered, Effect, State


@final
@dataclass(frozen=True)
class WhiteNoise(Effect):
    """White noise: independent normal errors."""

    stream: Stream
    std: Values  # of each channel

    def apply(self, state: State, values: Values, truth: Truth, environment: Environment, k: int) -> Altered:
        """Values with noise."""
        drawn = self.stream.normals(k, len(self.std))
        return state, tuple([v + s * n for v, s, n in zip(values, self.std, drawn, strict=True)])

    def apply_all(self, values: Array, samples: Samples) -> Array:
        """The same for many samples."""
        return values + np.array(self.std) * self.stream.normal_rows(samples.index, len(self.std))


@final
@dataclass(frozen=True)
class ProportionalNoise(Effect):
    """White noise with a standard deviation proportional to the value, and at least a floor."""

    stream: Stream
    share: Values
    floor: Values

    def apply(self, state: State, values: Values, truth: Truth, environment: Environment, k: int) -> Altered:
        """Values with noise."""
        drawn = self.stream.normals(k, len(self.share))
        spoiled = [
            v + max(floor, share * abs(v)) * n
            for v, share, floor, n in zip(values, self.share, self.floor, drawn, strict=True)
        ]
        return state, tuple(spoiled)

    def apply_all(self, values: Array, samples: Samples) -> Array:
        """The same for many samples."""
        drawn = self.stream.normal_rows(samples.index, len(self.share))
        return values + np.fmax(np.array(self.floor), np.array(self.share) * np.abs(values)) * drawn


@final
@dataclass(frozen=True)
class RandomWalk(Effect):
    """Random-walk bias: its standard deviation grows with the root of time, from zero at the first sample.

    Allan deviation density sqrt(t / 3) where it dominates (IEEE Std 952).
    """

    stream: Stream
    density: Values  # of each channel, per root second

    def initial(self) -> State:
        """Time of the last sample, ns, and the bias; no time before the first."""
        return (None, (0.0,) * len(self.density))

    def apply(self, state: State, values: Values, truth: Truth, environment: Environment, k: int) -> Altered:
        """Values plus the bias, advanced from the last sample."""
        before, bias = state
        if before is not None:
            root = math.sqrt((truth.time_ns - before) * 1e-9)
            drawn = self.stream.normals(k, len(bias))
            bias = tuple([b + root * d * n for b, d, n in zip(bias, self.density, drawn, strict=True)])
        return (truth.time_ns, bias), tuple([v + b for v, b in zip(values, bias, strict=True)])

    def apply_all(self, values: Array, samples: Samples) -> Array:
        """The same for many samples."""
        from remora.plant.strict import accumulate  # loads the compiler

        roots = np.sqrt(np.diff(samples.time_ns) * 1e-9)
        steps = np.zeros_like(values)
        steps[1:] = roots[:, None] * np.array(self.density) * self._drawn(samples.index[1:])
        return values + accumulate(np.ones_like(values), steps)

    def _drawn(self, samples: Integers) -> Array:
        return self.stream.normal_rows(samples, len(self.density))


@lru_cache(maxsize=256)
def _decay(std: Values, time_constant: Values, elapsed_ns: int | None) -> tuple[Values, Values]:
    """Share of each bias that is left after a time, and the standard deviation of its increment."""
    kept = tuple(
        math.exp(-1e-9 * elapsed_ns / time) if elapsed_ns is not None and time > 0.0 else 0.0 for time in time_constant
    )
    return kept, tuple(d * math.sqrt(1.0 - a * a) for d, a in zip(std, kept, strict=True))


@final
@dataclass(frozen=True)
class GaussMarkov(Effect):
    """First-order Gauss-Markov bias: stationary, with the autocorrelation exp(-t / time_constant).

    The step is exact, so the process does not depend on the rate of the sensor. In-run bias instability of inertial
    sensors and the errors of filtered instruments are commonly modelled so (Groves 2013, ch. 4).
    """

    stream: Stream
    std: Values
    time_constant: Values  # s, of each channel; zero makes it white noise

    def initial(self) -> State:
        """Time of the last sample, ns, and the bias; no time before the first."""
        return (None, (0.0,) * len(self.std))

    def recursion(self, elapsed_ns: int | None) -> tuple[Values, Values]:
        """Share of each bias that is left after a time, and the standard deviation of its increment."""
        return _decay(self.std, self.time_constant, elapsed_ns)

    def apply(self, state: State, values: Values, truth: Truth, environment: Environment, k: int) -> Altered:
        """Values plus the bias, advanced from the last sample."""
        before, bias = state
        kept, fresh = self.recursion(None if before is None else truth.time_ns - before)
        drawn = self.stream.normals(k, len(bias))
        bias = tuple([a * b + c * n for a, b, c, n in zip(kept, bias, fresh, drawn, strict=True)])
        return (truth.time_ns, bias), tuple([v + b for v, b in zip(values, bias, strict=True)])

    def apply_all(self, values: Array, samples: Samples) -> Array:
        """The same for many samples."""
        from remora.plant.strict import accumulate  # loads the compiler

        kept, fresh = np.empty_like(values), np.empty_like(values)
        kept[:1], fresh[:1] = _decay(self.std, self.time_constant, None)
        elapsed = np.diff(samples.time_ns)
        for interval in np.unique(elapsed).tolist():
            rows = 1 + np.flatnonzero(elapsed == interval)
            kept[rows], fresh[rows] = _decay(self.std, self.time_constant, interval)
        return values + accumulate(kept, fresh * self.stream.normal_rows(samples.index, len(self.std)))


@final
@dataclass(frozen=True)
class Outliers(Effect):
    """Outliers: random samples in which all channels have a large normal error."""

    stream: Stream
    probability: float
    std: Values

    def apply(self, state: State, values: Values, truth: Truth, environment: Environment, k: int) -> Altered:
        """Values, with the large error in outliers."""
        if self.stream.uniforms(k, 1)[0] >= self.probability:
            return state, values
        drawn = self.stream.normals(k, len(self.std))
        return state, tuple([v + d * n for v, d, n in zip(values, self.std, drawn, strict=True)])

    def apply_all(self, values: Array, samples: Samples) -> Array:
        """The same for many samples."""
        is_outlier = self.stream.uniform_rows(samples.index, 1)[:, 0] < self.probability
        spoiled = values.copy()
        drawn = self.stream.normal_rows(samples.index[is_outlier], len(self.std))
        spoiled[is_outlier] += np.array(self.std) * drawn
        return spoiled


@final
@dataclass(frozen=True)
class HiddenGroups(Effect):
    """Groups of channels that are lost at random, independently: a hidden marker, a beam without echo."""

    stream: Stream
    probability: float
    size: int  # channels per group

    def apply(self, state: State, values: Values, truth: Truth, environment: Environment, k: int) -> Altered:
        """Values, NaN in lost groups."""
        chances = self.stream.uniforms(k, len(values) // self.size)
        return state, tuple(
            [math.nan if chances[i // self.size] < self.probability else v for i, v in enumerate(values)]
        )

    def apply_all(self, values: Array, samples: Samples) -> Array:
        """The same for many samples."""
        chances = self.stream.uniform_rows(samples.index, values.shape[1] // self.size)
        return np.where(np.repeat(chances, self.size, axis=1) < self.probability, math.nan, values)
