"""Deterministic errors: bias, drift, scale factor, misalignment, quantisation and clipping."""

import math
from dataclasses import dataclass
from typing import final

import numpy as np

from remora.files.arrays import Array
from remora.messages.reading import Values
from remora.messages.truth import Truth
from remora.sensors.environment import Environment
from remora.sensors.recorded_motion import Samples
from remora.sensors.sensor import Altered, Effect, State


@final
@dataclass(frozen=True)
class Bias(Effect):
    """Constant bias; a turn-on bias is drawn when the sensor is built."""

    offset: Values

    def apply(self, state: State, values: Values, truth: Truth, environment: Environment, k: int) -> Altered:
        """Values plus the offset."""
        return state, tuple([v + b for v, b in zip(values, self.offset, strict=True)])

    def apply_all(self, values: Array, samples: Samples) -> Array:
        """The same for many samples."""
        return values + np.array(self.offset)


@final
@dataclass(frozen=True)
class Drift(Effect):
    """Bias that grows linearly from the first sample on."""

    rate: Values  # per second

    def initial(self) -> State:
        """Time of the first sample, ns; none before it."""
        return None

    def apply(self, state: State, values: Values, truth: Truth, environment: Environment, k: int) -> Altered:
        """Values plus the drift since the first sample."""
        first = truth.time_ns if state is None else state
        elapsed = 1e-9 * (truth.time_ns - first)
        return first, tuple([v + elapsed * r for v, r in zip(values, self.rate, strict=True)])

    def apply_all(self, values: Array, samples: Samples) -> Array:
        """The same for many samples."""
        elapsed = 1e-9 * (samples.time_ns - samples.time_ns[:1])
        return values + elapsed[:, None] * np.array(self.rate)


@final
@dataclass(frozen=True)
class ScaleFactor(Effect):
    """Scale factor 1 + error, with separate errors for positive and negative values."""

    positive: Values
    negative: Values

    def apply(self, state: State, values: Values, truth: Truth, environment: Environment, k: int) -> Altered:
        """Scaled values."""
        errors = zip(values, self.positive, self.negative, strict=True)
        return state, tuple([v + v * (p if v > 0.0 else n) for v, p, n in errors])

    def apply_all(self, values: Array, samples: Samples) -> Array:
        """The same for many samples."""
        return values + values * np.where(values > 0.0, np.array(self.positive), np.array(self.negative))


@final
@dataclass(frozen=True)
class SquareTerm(Effect):
    """Quadratic error, such as the g-squared term of accelerometers."""

    coefficient: Values  # per unit of the value

    def apply(self, state: State, values: Values, truth: Truth, environment: Environment, k: int) -> Altered:
        """Values with the quadratic error."""
        return state, tuple([v + c * v * v for v, c in zip(values, self.coefficient, strict=True)])

    def apply_all(self, values: Array, samples: Samples) -> Array:
        """The same for many samples."""
        return values + np.array(self.coefficient) * values * values


@final
@dataclass(frozen=True)
class CrossCoupling(Effect):
    """Cross-coupling of channels: values plus matrix times values.

    One matrix holds misalignment, axes that are not square to each other and the sensitivity of gyros to force.
    """

    matrix: tuple[Values, ...]  # deviation from the identity, row by row

    def apply(self, state: State, values: Values, truth: Truth, environment: Environment, k: int) -> Altered:
        """Values with the cross-coupling."""
        # The sum of Python is compensated from version 3.12 on and plain before; the order is fixed here.
        coupled = []
        for value, row in zip(values, self.matrix, strict=True):
            total = 0.0
            for factor, other in zip(row, values, strict=True):
                total += factor * other
            coupled.append(value + total)
        return state, tuple(coupled)

    def apply_all(self, values: Array, samples: Samples) -> Array:
        """The same for many samples."""
        matrix, total = np.array(self.matrix), np.zeros_like(values)
        for i in range(values.shape[1]):
            total += matrix[:, i] * values[:, i, None]
        return values + total


@final
@dataclass(frozen=True)
class Quantisation(Effect):
    """Quantisation to whole steps."""

    steps: Values  # zero: not rounded

    def apply(self, state: State, values: Values, truth: Truth, environment: Environment, k: int) -> Altered:
        """Rounded values."""
        return state, tuple(
            [v - math.remainder(v, s) if s > 0.0 else v for v, s in zip(values, self.steps, strict=True)]
        )

    def apply_all(self, values: Array, samples: Samples) -> Array:
        """The same for many samples."""
        steps = np.array(self.steps)
        rounded = values - nearest_remainder(values, np.where(steps > 0.0, steps, 1.0))
        return np.where(steps > 0.0, rounded, values)


@final
@dataclass(frozen=True)
class Clipping(Effect):
    """Clipping at the limits of the sensor, without a change of status."""

    limit: Values  # largest absolute value of each channel

    def apply(self, state: State, values: Values, truth: Truth, environment: Environment, k: int) -> Altered:
        """Values inside the limits."""
        return state, tuple([math.copysign(m, v) if abs(v) > m else v for v, m in zip(values, self.limit, strict=True)])

    def apply_all(self, values: Array, samples: Samples) -> Array:
        """The same for many samples."""
        limit = np.array(self.limit)
        return np.where(np.abs(values) > limit, np.copysign(limit, values), values)


@final
@dataclass(frozen=True)
class WrapAngles(Effect):
    """Angles wrapped into (-pi, pi] after errors were added."""

    is_angle: tuple[bool, ...]

    def apply(self, state: State, values: Values, truth: Truth, environment: Environment, k: int) -> Altered:
        """Values with angles wrapped."""
        return state, tuple(
            [
                math.remainder(v, math.tau) if angle and not -math.pi < v <= math.pi else v
                for v, angle in zip(values, self.is_angle, strict=True)
            ]
        )

    def apply_all(self, values: Array, samples: Samples) -> Array:
        """The same for many samples."""
        is_outside = np.array(self.is_angle) & ~((values > -math.pi) & (values <= math.pi))
        return np.where(is_outside, nearest_remainder(values, np.array(math.tau)), values)


def nearest_remainder(values: Array, step: Array) -> Array:
    """`math.remainder` on arrays: value less the nearest whole multiple of a step, ties to even; exact (IEEE 754).

    `fmod` with twice the step is exact and keeps whether the multiple is even; the subtractions round nothing.
    """
    size, half = np.abs(np.fmod(values, 2.0 * step)), 0.5 * step
    is_above = size > half
    size = np.where(is_above, size - step, size)
    size = np.where(is_above & (size >= half), size - step, size)
    return np.copysign(1.0, values) * size
