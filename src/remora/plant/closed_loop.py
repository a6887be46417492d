"""Feedback linearisation, control allocation and plant of a basic vehicle in one compiled loop.

Between two samples of its slower parts a vehicle needs no Python: the linearising wrench follows from the state, the
wrench of the other controllers is held, the pseudo-inverse gives the commands, and the plant takes a step.
"""

from functools import lru_cache
from typing import Any, NamedTuple, final

import numba
import numpy as np
from numba import float64, int64
from numpy.typing import NDArray

from remora.equations.algebra.pose import BODY_SIZE
from remora.equations.packed import actuator_count
from remora.files.arrays import Array
from remora.plant import compilation
from remora.plant.arrays import array_view
from remora.plant.entries import step_with, store_rate
from remora.plant.layouts import LAYOUT_SIZE, basic_layout, layout_at
from remora.plant.loops import FINISHED, rollout_basic
from remora.plant.stepper import Stepper

_row = float64[::1]
_SIGNATURE = int64(_row, int64[::1], _row, _row, _row, _row, _row, _row, int64)


class LinearisingLaw(NamedTuple):
    """Feedback linearisation of a vehicle and the pseudo-inverse of its allocation."""

    minus_inertia: Array  # 6 x 6, inertia with added mass about B, negative
    acts: Array  # 6, one for each linearised degree of freedom, else zero
    inverse: Array  # n x 6, forces of thrusters from a wrench
    free_state: Array  # state with resting actuators
    free_inputs: Array  # no external wrench, resting commands, still water
    outputs: int  # number of actuator outputs
    model: Array  # packed row of the vehicle that the law assumes, with the layout of the plant


class FinishedSteps(NamedTuple):
    """Result of several steps."""

    steps: int  # that were finished
    state: Array  # after them
    before: Array  # state at the beginning of the last one
    commands: Array  # of the last one


@final
class ClosedLoop:
    """Steps a vehicle under a law that is sampled at every step.

    The plant is a basic vehicle without speed bounds and without the history of a multi-step method.
    """

    def __init__(self, stepper: Stepper, law: LinearisingLaw) -> None:
        self._stepper, self._kernel = stepper, closed_loop_kernel()
        rows = (law.minus_inertia.ravel(), law.acts, law.inverse.ravel(), law.free_inputs, law.model)
        self._law = np.concatenate(rows)
        self._memory = np.zeros(2 * law.free_state.size + law.outputs)
        self._memory[: law.free_state.size] = law.free_state
        self._actuators = len(law.inverse)

    def run(self, state: Array, environment: Array, held: Array, steps: int) -> FinishedSteps:
        """Steps from a state; fewer are finished where one fails.

        The environment is as for `Stepper`, with a steady current. `held` is the wrench of all other controllers about
        B in body axes, N and N m.
        """
        end, commands = state.copy(), np.zeros(self._actuators)
        plant = self._stepper
        done = self._kernel(
            plant.prepared, plant.codes, end, commands, environment, self._law, self._memory, held, steps
        )
        return FinishedSteps(done, end, self._memory[end.size : 2 * end.size].copy(), commands)


def closed_loop(
    prepared: Array,
    codes: NDArray[np.int64],
    state: Array,
    commands: Array,
    environment: Array,
    law: Array,
    memory: Array,
    held: Array,
    steps: int,
) -> int:
    """Sample the law and step the plant, in place; returns the number of steps that were finished.

    `law` has the numbers of a `LinearisingLaw` in a row; `memory` is work space, the others are as in `ClosedLoop.run`
    and `entries.step_with`.
    """
    layout, parameters = basic_layout(layout_at(codes)), codes[LAYOUT_SIZE + 3]
    row, actuators, size = array_view(law, law.size - parameters, (parameters,)), actuator_count(layout), state.size
    free, rate = array_view(memory, 0, (size,)), array_view(memory, size, (size,))
    outputs = array_view(memory, 2 * size, (memory.size - 2 * size,))
    inputs = array_view(law, 42 + 6 * actuators, (law.size - parameters - 42 - 6 * actuators,))
    for k in range(steps):
        for i in range(3, BODY_SIZE):
            free[i] = state[i]
        store_rate(row, layout, free, inputs, outputs, rate)
        finite = 0.0
        for i in range(6):
            linearising = 0.0
            for j in range(6):
                linearising += law[6 * i + j] * rate[7 + j]
            rate[i] = held[i] + law[36 + i] * linearising
            finite += rate[i]
        if not abs(finite) < np.inf:
            return k
        for i in range(actuators):
            force = 0.0
            for j in range(6):
                force += law[42 + 6 * i + j] * rate[j]
            commands[i] = force
        for i in range(size):
            rate[i] = state[i]
        if step_with(rollout_basic, prepared, codes, state, commands, environment) != FINISHED:
            for i in range(size):
                state[i] = rate[i]
            return k
    return steps


def _entry_point(cached: dict[str, Any]) -> Any:
    return numba.njit(_SIGNATURE, **{**cached, "nogil": False})(closed_loop)


@lru_cache(maxsize=1)
def closed_loop_kernel() -> Any:
    """The compiled loop."""
    compilation.kernels()  # registers all that it calls
    return compilation.from_cache("control laws", _entry_point, seconds=5)
