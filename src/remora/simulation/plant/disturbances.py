"""Wrenches from outside that nobody on board knows of: constant, sinusoidal, in pulses, or by chance.

Each is a function of time and state alone, so that a run can be stopped and taken up again anywhere.
"""

import math
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, final

from remora.equations.algebra.kinematics import to_body
from remora.equations.algebra.vectors import ZERO6, Vector6, Wrench, angular, linear, scale6
from remora.sensors.errors.streams import Stream

Frame: TypeAlias = Literal["body", "world"]


@final
@dataclass(frozen=True)
class Window:
    """When a disturbance acts, and in which axes its wrench is given."""

    start_ns: int = 0
    stop_ns: int | None = None
    frame: Frame = "body"

    def holds(self, time_ns: int) -> bool:
        """Whether it acts at a time; the stop itself no longer counts."""
        return self.start_ns <= time_ns and (self.stop_ns is None or time_ns < self.stop_ns)

    def elapsed(self, time_ns: int) -> float:
        """Seconds since it began."""
        return 1e-9 * (time_ns - self.start_ns)

    def in_body(self, wrench: Wrench, state: Any) -> Wrench:
        """A wrench in body axes; force and torque of the world are turned by the attitude of the state."""
        if self.frame == "body":
            return wrench
        q0, q1, q2, q3 = (float(number) for number in state[3:7])
        q_NB = (q0, q1, q2, q3)
        return (*to_body(q_NB, linear(wrench)), *to_body(q_NB, angular(wrench)))


@final
@dataclass(frozen=True)
class Constant:
    """One wrench."""

    window: Window
    wrench: Wrench

    def __call__(self, time_ns: int, state: Any) -> Wrench:
        """The wrench in body axes."""
        return self.window.in_body(self.wrench, state) if self.window.holds(time_ns) else ZERO6


@final
@dataclass(frozen=True)
class Sinusoidal:
    """A wrench times sin(2 pi t / period + phase), t from the start of its window."""

    window: Window
    wrench: Wrench
    period: float  # s
    phase: float = 0.0  # rad

    def __call__(self, time_ns: int, state: Any) -> Wrench:
        """The wrench in body axes."""
        if not self.window.holds(time_ns):
            return ZERO6
        share = math.sin(2.0 * math.pi * self.window.elapsed(time_ns) / self.period + self.phase)
        return self.window.in_body(scale6(share, self.wrench), state)


@final
@dataclass(frozen=True)
class Pulses:
    """A wrench that is there for a width of time once in every period."""

    window: Window
    wrench: Wrench
    period_ns: int
    width_ns: int

    def __call__(self, time_ns: int, state: Any) -> Wrench:
        """The wrench in body axes."""
        on = self.window.holds(time_ns) and (time_ns - self.window.start_ns) % self.period_ns < self.width_ns
        return self.window.in_body(self.wrench, state) if on else ZERO6


@final
@dataclass(frozen=True, eq=False)
class Wandering:
    """A Gauss-Markov process in each component, stationary from the first step on.

    Its value at step k follows from the random numbers 0 to k of its stream; the last one is remembered, so that going
    on costs one number, and a run that is taken up later computes it anew, to the same bits.
    """

    window: Window
    std: Vector6
    time_constant: float  # s
    step_ns: int
    stream: Stream
    _memory: list[Any] = field(default_factory=lambda: [-1, ZERO6], init=False, repr=False)

    def __call__(self, time_ns: int, state: Any) -> Wrench:
        """The wrench in body axes."""
        if not self.window.holds(time_ns):
            return ZERO6
        unit = self._unit((time_ns - self.window.start_ns) // self.step_ns)
        X, Y, Z, K, M, N = (s * x for s, x in zip(self.std, unit, strict=True))
        return self.window.in_body((X, Y, Z, K, M, N), state)

    def _unit(self, k: int) -> Vector6:
        """Six processes of unit standard deviation at step k."""
        known, value = self._memory
        if known > k:
            known, value = -1, ZERO6
        kept = math.exp(-1e-9 * self.step_ns / self.time_constant)
        fresh = math.sqrt(1.0 - kept * kept)
        for i in range(known + 1, k + 1):
            a, b = (0.0, 1.0) if i == 0 else (kept, fresh)
            value = tuple(a * x + b * n for x, n in zip(value, self.stream.normals(i, 6), strict=True))
        self._memory[:] = (k, value)
        result: Vector6 = value
        return result
