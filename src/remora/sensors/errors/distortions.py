"""Deterministic errors: bias, drift, scale factor, misalignment, quantisation and clipping."""

import math
from dataclasses import dataclass
from operator import mul
from typing import final

from remora.messages.reading import Values
from remora.messages.truth import Truth
from remora.sensors.environment import Environment
from remora.sensors.sensor import Effect, State


@final
@dataclass(frozen=True)
class Bias(Effect):
    """Constant bias; a turn-on bias is drawn when the sensor is built."""

    offset: Values

    def initial(self) -> State:
        """No state."""
        return ()

    def apply(
        self, state: State, values: Values, truth: Truth, environment: Environment, k: int
    ) -> tuple[State, Values]:
        """Values plus the offset."""
        return state, tuple([v + b for v, b in zip(values, self.offset, strict=True)])


@final
@dataclass(frozen=True)
class Drift(Effect):
    """Bias that grows linearly from the first sample on."""

    rate: Values  # per second

    def initial(self) -> State:
        """Time of the first sample, ns; none before it."""
        return None

    def apply(
        self, state: State, values: Values, truth: Truth, environment: Environment, k: int
    ) -> tuple[State, Values]:
        """Values plus the drift since the first sample."""
        first = truth.time_ns if state is None else state
        elapsed = 1e-9 * (truth.time_ns - first)
        return first, tuple([v + elapsed * r for v, r in zip(values, self.rate, strict=True)])


@final
@dataclass(frozen=True)
class ScaleFactor(Effect):
    """Scale factor 1 + error, with separate errors for positive and negative values."""

    positive: Values
    negative: Values

    def initial(self) -> State:
        """No state."""
        return ()

    def apply(
        self, state: State, values: Values, truth: Truth, environment: Environment, k: int
    ) -> tuple[State, Values]:
        """Scaled values."""
        errors = zip(values, self.positive, self.negative, strict=True)
        return state, tuple([v + v * (p if v > 0.0 else n) for v, p, n in errors])


@final
@dataclass(frozen=True)
class SquareTerm(Effect):
    """Quadratic error, such as the g-squared term of accelerometers."""

    coefficient: Values  # per unit of the value

    def initial(self) -> State:
        """No state."""
        return ()

    def apply(
        self, state: State, values: Values, truth: Truth, environment: Environment, k: int
    ) -> tuple[State, Values]:
        """Values with the quadratic error."""
        return state, tuple([v + c * v * v for v, c in zip(values, self.coefficient, strict=True)])


@final
@dataclass(frozen=True)
class CrossCoupling(Effect):
    """Cross-coupling of channels: values plus matrix times values.

    One matrix holds misalignment, axes that are not square to each other and the sensitivity of gyros to force.
    """

    matrix: tuple[Values, ...]  # deviation from the identity, row by row

    def initial(self) -> State:
        """No state."""
        return ()

    def apply(
        self, state: State, values: Values, truth: Truth, environment: Environment, k: int
    ) -> tuple[State, Values]:
        """Values with the cross-coupling."""
        rows = zip(values, self.matrix, strict=True)
        return state, tuple([v + sum(map(mul, row, values)) for v, row in rows])


@final
@dataclass(frozen=True)
class Quantisation(Effect):
    """Quantisation to whole steps."""

    steps: Values  # zero: not rounded

    def initial(self) -> State:
        """No state."""
        return ()

    def apply(
        self, state: State, values: Values, truth: Truth, environment: Environment, k: int
    ) -> tuple[State, Values]:
        """Rounded values."""
        return state, tuple(
            [v - math.remainder(v, s) if s > 0.0 else v for v, s in zip(values, self.steps, strict=True)]
        )


@final
@dataclass(frozen=True)
class Clipping(Effect):
    """Clipping at the limits of the sensor, without a change of status."""

    limit: Values  # largest absolute value of each channel

    def initial(self) -> State:
        """No state."""
        return ()

    def apply(
        self, state: State, values: Values, truth: Truth, environment: Environment, k: int
    ) -> tuple[State, Values]:
        """Values inside the limits."""
        return state, tuple([math.copysign(m, v) if abs(v) > m else v for v, m in zip(values, self.limit, strict=True)])


@final
@dataclass(frozen=True)
class WrapAngles(Effect):
    """Angles wrapped into (-pi, pi] after errors were added."""

    is_angle: tuple[bool, ...]

    def initial(self) -> State:
        """No state."""
        return ()

    def apply(
        self, state: State, values: Values, truth: Truth, environment: Environment, k: int
    ) -> tuple[State, Values]:
        """Values with angles wrapped."""
        return state, tuple(
            [
                math.remainder(v, math.tau) if angle and not -math.pi < v <= math.pi else v
                for v, angle in zip(values, self.is_angle, strict=True)
            ]
        )
