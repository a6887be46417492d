"""Sampled plant: exact discretisation of a linear plant behind a hold, a latency and a first-order actuator lag."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, final

import numpy as np
import scipy.linalg

from remora.files.arrays import Array

LEAST_DELAY = 1e-9  # of a period; a shorter fraction counts as none


class LoopTiming(NamedTuple):
    """Delays of a sampled loop, s."""

    period: float  # between samples; the output is held in between
    lag: float = 0.0  # time constant of the actuators
    latency: float = 0.0  # from the measured motion to the command; of position and velocity where they differ
    turn_latency: float | None = None  # of attitude and rates; None: the same
    smoothing: float = 0.0  # 1/s, gain of the command smoothing of the allocation; 0 for none

    @property
    def smoothing_share(self) -> float:
        """Share of a new command in the smoothed one, per sample; 1 without smoothing."""
        return self.smoothing * self.period if self.smoothing > 0.0 else 1.0


@final
@dataclass(frozen=True, eq=False)
class LinearSystem:
    """Discrete linear system: x' = A x + B u, y = C x + D u."""

    A: Array
    B: Array
    C: Array
    D: Array

    def response(self, z: Array) -> Array:
        """Frequency response at complex numbers z = exp(j w h): [frequency, output, input]."""
        size = self.A.shape[0]
        if not size:
            return np.broadcast_to(self.D, (z.size, *self.D.shape)).astype(complex)
        inverse = np.linalg.solve(z[:, None, None] * np.eye(size) - self.A, self.B[None].astype(complex))
        return np.asarray(self.C @ inverse + self.D)


def smoothing_response(share: float, z: Array) -> Array:
    """Frequency response of the command smoothing with a share per sample, at z = exp(j w h)."""
    return np.asarray(share / (1.0 - (1.0 - share) / z))


def with_lag(A: Array, B: Array, lag: float) -> tuple[Array, Array]:
    """Continuous plant with a first-order lag on each input, as states after those of the plant; as it is without."""
    if lag <= 0.0:
        return A, B
    states, inputs = B.shape
    held = -np.eye(inputs) / lag
    return (
        np.block([[A, B], [np.zeros((inputs, states)), held]]),
        np.vstack([np.zeros((states, inputs)), -held]),
    )


def sampled_plant(A: Array, B: Array, timing: LoopTiming, latencies: Sequence[float] | None = None) -> LinearSystem:
    """Plant from held inputs to its states, sampled: lag, then hold with latency, both exact.

    The continuous plant is rate of the states = A states + B inputs, SI. Each input may have a latency of its own, s.
    """
    outputs = A.shape[0]
    A, B = with_lag(A, B, timing.lag)
    states, inputs = B.shape
    delays = [_steps(late / timing.period) for late in latencies or (timing.latency,) * inputs]
    full, first = _held(A, B, timing.period)
    size = states + sum(steps for steps, _ in delays)
    F, G = np.zeros((size, size)), np.zeros((size, inputs))
    F[:states, :states] = full
    place = states
    for j, (steps, late) in enumerate(delays):
        # A new input acts during the last (1 - late) of a period, the one before it until then.
        newer = _held(A, B[:, j : j + 1], (1.0 - late) * timing.period)[1][:, 0] if late else first[:, j] * 0.0
        _queue(F, G, (place, j, steps), first[:, j] - newer, newer)
        place += steps
    return LinearSystem(F, G, np.eye(outputs, size), np.zeros((outputs, inputs)))


def _steps(periods: float) -> tuple[int, float]:
    """Whole samples in the queue of a latency, and the share of a period by which the oldest acts on."""
    whole = round(periods)
    if abs(periods - whole) < LEAST_DELAY:
        return whole, 0.0
    return int(periods) + 1, periods - int(periods)


def _queue(F: Array, G: Array, which: tuple[int, int, int], oldest: Array, next_: Array) -> None:
    """Queue of one input: its place, index and length; effects of the oldest entry and of the one after it."""
    (place, j, steps), states = which, oldest.size
    for entry, effect in ((0, oldest), (1, next_)):
        if entry < steps:
            F[:states, place + entry] += effect
        elif entry == steps:
            G[:states, j] += effect
    for k in range(steps - 1):
        F[place + k, place + k + 1] = 1.0
    if steps:
        G[place + steps - 1, j] = 1.0


def _held(A: Array, B: Array, period: float) -> tuple[Array, Array]:
    """Transition and input matrices of an interval of held inputs."""
    states, inputs = B.shape
    both = np.zeros((states + inputs, states + inputs))
    both[:states, :states], both[:states, states:] = A, B
    moved = scipy.linalg.expm(period * both)
    return moved[:states, :states], moved[:states, states:]


def frequencies_for(period: float, count: int = 400, lowest: float = 0.02) -> Array:
    """Frequencies up to the Nyquist frequency of a period in s, rad/s, at equal ratios from the lowest on."""
    return np.geomspace(lowest, math.pi / period, count)
