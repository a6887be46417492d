"""Sampled loops: exact discretisation of a linear plant, linearisation of on-board software, stability of one axis.

The plant is behind a hold, a latency and a first-order actuator lag.

A `Chain` is one sample of the software: `step(state, estimate) -> (state, wrench)`. Its state is plain data, as in
every part. Central differences over the numbers of the state and over the twelve error coordinates of the estimate give
a discrete linear system.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias, final

import numpy as np
import scipy.linalg
from scipy.linalg import expm

from remora.equations.algebra.quaternions import product
from remora.equations.types import Wrench
from remora.files.arrays import Array
from remora.messages.estimate import Estimate
from remora.vehicles.checks.actuation import allocation_matrix
from remora.vehicles.parameters import VehicleParameters

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


ON_CIRCLE = 1.0 + 1e-7  # spectral radius; the pole of a sum that does not act is at 1 to rounding


def spectral_radius(
    proportional: float, integral: float, period: float, lag: float = 0.0, smoothing: float = 0.0
) -> float:
    """Spectral radius of one velocity loop per sample; unstable from 1 on.

    The plant is an integrator behind a first-order lag, as dynamic inversion leaves it. The controller acts on the
    sampled velocity and is held for a period. Gains are in 1/s and 1/s2, lag (time constant of the thrusters) and
    period in s, the gain of the command smoothing in 1/s; 0 for none.
    """
    # States: velocity, acceleration of the lag, integral, smoothed command; input: the new command, held.
    A = np.array([[0.0, 1.0], [0.0, -1.0 / lag]]) if lag > 0.0 else np.zeros((2, 2))
    B = np.array([[0.0], [1.0 / lag]]) if lag > 0.0 else np.array([[1.0], [0.0]])
    held = expm(period * np.block([[A, B], [np.zeros((1, 3))]]))
    if lag <= 0.0:
        held[:2, 1] = 0.0  # no state of the lag
    share = smoothing * period if smoothing > 0.0 else 1.0
    law = np.array([-proportional, 0.0, -integral, 0.0])  # on velocity, lag, integral, smoothed command
    command = share * law + np.array([0.0, 0.0, 0.0, 1.0 - share])
    F = np.zeros((4, 4))
    F[:2, :2] = held[:2, :2]
    F[:2] += np.outer(held[:2, 2], command)
    F[2] = [period, 0.0, 1.0, 0.0]
    F[3] = command
    return float(np.abs(np.linalg.eigvals(F)).max())


def largest_stable(radius: Callable[[float], float], unstable: float) -> float:
    """Largest gain below an unstable one with which the spectral radius is not above 1, to 2 %; zero if none is."""
    below = (float(gain) for gain in np.geomspace(unstable, 1e-3 * unstable, 350))
    return next((gain for gain in below if radius(gain) <= ON_CIRCLE), 0.0)


def largest_stable_gain(period: float, lag: float, smoothing: float) -> float:
    """Largest proportional gain, 1/s, with an integral gain of K_p^2 / 4, at which the loop is stable.

    Arguments are those of `spectral_radius`.
    """
    low, high = 0.0, 4.0 / period
    for _ in range(40):
        middle = 0.5 * (low + high)
        stable = spectral_radius(middle, 0.25 * middle * middle, period, lag, smoothing) < 1.0
        low, high = (middle, high) if stable else (low, middle)
    return low


SMALLEST_SHARE = 0.05  # of the largest lever, from which a thruster counts as acting in an axis


def thruster_lag(parameters: VehicleParameters, axis: int | None = None) -> float:
    """Largest time constant of the thrusters that act in an axis, by index, or of all, s.

    Where rise and fall differ it is their mean: thrusters of a loop do both in turn.
    """
    rows = np.abs(allocation_matrix(parameters))
    levers = rows.max(axis=0, initial=0.0) if axis is None else rows[axis]
    acts = [bool(lever > SMALLEST_SHARE * levers.max(initial=0.0)) for lever in levers]
    lags = (0.5 * (thruster.rise_time + thruster.fall_time) for thruster in parameters.thrusters)
    return max((lag for lag, used in zip(lags, acts, strict=True) if used), default=0.0)


def drive_delay(parameters: VehicleParameters) -> float:
    """Largest delay from a command to its effect in the drives, s."""
    return max((1e-9 * drive.delay_ns for drive in parameters.drives), default=0.0)


Chain: TypeAlias = Callable[[Any, Estimate], tuple[Any, Wrench]]
ERRORS = 12  # position in N, rotation about body axes, twist
DIFFERENCE = 1e-5  # of central differences, in SI units


def numbers_in(state: Any) -> Iterator[float]:
    """All floats of a nested state, in their order."""
    if isinstance(state, np.ndarray):
        yield from state.ravel().tolist()
    elif isinstance(state, tuple | list):
        for item in state:
            yield from numbers_in(item)
    elif isinstance(state, float):
        yield state


def with_numbers(state: Any, values: Iterator[float]) -> Any:
    """The same state with other floats."""
    if isinstance(state, np.ndarray):
        return np.array([next(values) for _ in range(state.size)]).reshape(state.shape)
    if isinstance(state, tuple | list):
        items = [with_numbers(item, values) for item in state]
        return type(state)(*items) if hasattr(state, "_fields") else type(state)(items)
    return next(values) if isinstance(state, float) else state


def moved_estimate(estimate: Estimate, errors: Array) -> Estimate:
    """An estimate moved by error coordinates: m, rad about the body axes, m/s and rad/s."""
    p, turn, twist = errors[:3].tolist(), 0.5 * errors[3:6], errors[6:].tolist()
    half = np.array([1.0, *turn])
    s, i, j, k = (half / np.linalg.norm(half)).tolist()
    x, y, z = (a + b for a, b in zip(estimate.p_NB, p, strict=True))
    u, v, w, a, b, c = (m + n for m, n in zip(estimate.twist, twist, strict=True))
    return estimate._replace(p_NB=(x, y, z), q_NB=product(estimate.q_NB, (s, i, j, k)), twist=(u, v, w, a, b, c))


def linearised_chain(chain: Chain, state: Any, estimate: Estimate) -> LinearSystem:
    """Discrete linear system of a chain, from the error coordinates of the estimate to the wrench, at this state."""
    return linearised_chains((chain,), state, estimate)[0]


def linearised_chains(chains: Sequence[Chain], state: Any, estimate: Estimate) -> list[LinearSystem]:
    """Discrete linear systems of chains that take turns on one state, with the same states in all of them."""
    return _reduced([_linearised(chain, state, estimate) for chain in chains])


def _linearised(chain: Chain, state: Any, estimate: Estimate) -> LinearSystem:
    start = np.array(list(numbers_in(state)))
    free = np.flatnonzero(np.isfinite(start))
    inputs = np.concatenate([start[free], np.zeros(ERRORS)])

    def outputs(values: Array) -> Array:
        numbers = start.copy()
        numbers[free] = values[: free.size]
        after, wrench = chain(
            with_numbers(state, iter(numbers.tolist())), moved_estimate(estimate, values[free.size :])
        )
        return np.concatenate([np.array(list(numbers_in(after)))[free], wrench])

    columns = []
    for k in range(inputs.size):
        step = np.zeros(inputs.size)
        step[k] = DIFFERENCE * max(1.0, abs(inputs[k]))
        columns.append((outputs(inputs + step) - outputs(inputs - step)) / (2.0 * step[k]))
    J, n = np.array(columns).T, free.size
    return LinearSystem(J[:n, :n], J[:n, n:], J[n:, :n], J[n:, n:])


def _reduced(systems: list[LinearSystem]) -> list[LinearSystem]:
    """The systems without states that never reach the output of any, such as memories of the last error."""
    A = np.maximum.reduce([np.abs(system.A) for system in systems])
    seen = np.vstack([np.abs(system.C) for system in systems]).max(axis=0, initial=0.0) > 0.0
    while True:
        more = seen | (A[seen].max(axis=0, initial=0.0) > 0.0)
        if np.array_equal(more, seen):
            break
        seen = more
    kept = np.ix_(seen, seen)
    return [LinearSystem(one.A[kept], one.B[seen], one.C[:, seen], one.D) for one in systems]
