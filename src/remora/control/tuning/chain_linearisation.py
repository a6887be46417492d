"""Linearisation of on-board software: controllers as black boxes, from a pose and a twist to a wrench.

A `Chain` is one sample of the software: `step(state, estimate) -> (state, wrench)`. Its state is plain data, as that of
every part. Central differences over the numbers of the state and over the twelve error coordinates of the estimate give
a discrete linear system.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

import numpy as np

from remora.control.tuning.sampled_plant import LinearSystem
from remora.equations.algebra.quaternions import product
from remora.equations.types import Wrench
from remora.files.arrays import Array
from remora.messages.estimate import Estimate

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
