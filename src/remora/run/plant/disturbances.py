"""Disturbance wrenches: constant, sinusoidal, pulsed and stochastic (Gauss-Markov).

Each is a function of time and state only, so that a run can continue from any checkpoint.
"""

import math
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, final

from remora.equations.algebra.kinematics import to_body
from remora.equations.algebra.vectors import ZERO6, angular, linear, scale6
from remora.equations.types import Vector6, Wrench
from remora.sensors.errors.streams import Stream

Frame: TypeAlias = Literal["body", "world"]


@final
@dataclass(frozen=True)
class DisturbanceWindow:
    """Active time of a disturbance, and the frame of its wrench."""

    start_ns: int = 0
    stop_ns: int | None = None
    frame: Frame = "body"

    def is_active(self, time_ns: int) -> bool:
        """Whether the disturbance acts at a time; the interval excludes its stop."""
        return self.start_ns <= time_ns and (self.stop_ns is None or time_ns < self.stop_ns)

    def elapsed(self, time_ns: int) -> float:
        """Seconds since the start."""
        return 1e-9 * (time_ns - self.start_ns)

    def in_body(self, wrench: Wrench, state: Any) -> Wrench:
        """The wrench in body axes; one given in N is rotated by the attitude of the state."""
        if self.frame == "body":
            return wrench
        q0, q1, q2, q3 = (float(number) for number in state[3:7])
        q_NB = (q0, q1, q2, q3)
        return (*to_body(q_NB, linear(wrench)), *to_body(q_NB, angular(wrench)))


@final
@dataclass(frozen=True)
class ConstantWrench:
    """A constant wrench."""

    window: DisturbanceWindow
    wrench: Wrench

    def __call__(self, time_ns: int, state: Any) -> Wrench:
        """The wrench in body axes."""
        return self.window.in_body(self.wrench, state) if self.window.is_active(time_ns) else ZERO6


@final
@dataclass(frozen=True)
class SinusoidalWrench:
    """A wrench times sin(2 pi t / period + phase), t since the start of its window."""

    window: DisturbanceWindow
    wrench: Wrench
    period: float  # s
    phase: float = 0.0  # rad

    def __call__(self, time_ns: int, state: Any) -> Wrench:
        """The wrench in body axes."""
        if not self.window.is_active(time_ns):
            return ZERO6
        share = math.sin(2.0 * math.pi * self.window.elapsed(time_ns) / self.period + self.phase)
        return self.window.in_body(scale6(share, self.wrench), state)


@final
@dataclass(frozen=True)
class PulsedWrench:
    """A wrench that acts for `width_ns` at the start of every period."""

    window: DisturbanceWindow
    wrench: Wrench
    period_ns: int
    width_ns: int

    def __call__(self, time_ns: int, state: Any) -> Wrench:
        """The wrench in body axes."""
        on = self.window.is_active(time_ns) and (time_ns - self.window.start_ns) % self.period_ns < self.width_ns
        return self.window.in_body(self.wrench, state) if on else ZERO6


@final
@dataclass(frozen=True, eq=False)
class StochasticWrench:
    """A stationary first-order Gauss-Markov process in each component.

    Its value at step k depends on the random numbers 0 to k of its stream. The latest value is cached, so that a step
    costs one draw; after a checkpoint it is computed again, with the same bits.
    """

    window: DisturbanceWindow
    std: Vector6
    time_constant: float  # s
    step_ns: int
    stream: Stream
    _last: list[Any] = field(default_factory=lambda: [-1, ZERO6], init=False, repr=False)

    def __call__(self, time_ns: int, state: Any) -> Wrench:
        """The wrench in body axes."""
        if not self.window.is_active(time_ns):
            return ZERO6
        unit = self._unit((time_ns - self.window.start_ns) // self.step_ns)
        X, Y, Z, K, M, N = (s * x for s, x in zip(self.std, unit, strict=True))
        return self.window.in_body((X, Y, Z, K, M, N), state)

    def _unit(self, k: int) -> Vector6:
        """Six processes of unit variance at step k."""
        known, value = self._last
        if known > k:
            known, value = -1, ZERO6
        kept = math.exp(-1e-9 * self.step_ns / self.time_constant)
        noise = math.sqrt(1.0 - kept * kept)
        for i in range(known + 1, k + 1):
            a, b = (0.0, 1.0) if i == 0 else (kept, noise)
            value = tuple(a * x + b * n for x, n in zip(value, self.stream.normals(i, 6), strict=True))
        self._last[:] = (k, value)
        result: Vector6 = value
        return result
