"""`BatchRunner`: the compiled rollout of a batch of vehicles, distributed over threads."""

import itertools
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import final

import numpy as np

from remora.equations.packed import is_general
from remora.equations.water.local_water import STEADY_SIZE
from remora.files.arrays import Array
from remora.plant.batches.lane_loop import LANE_FAILED, batch_kernel, general_batch_kernel, memory_size
from remora.plant.batches.lanes import WIDTH
from remora.plant.batches.packed_batch import PackedBatch
from remora.plant.compilation import kernels_for
from remora.plant.entries import Integers, work_width
from remora.plant.forms.user_forms import codes_of
from remora.plant.inputs import check_interval
from remora.plant.loops import RolloutInputs
from remora.plant.methods import CHAINED_RUNGE_KUTTA, RUNGE_KUTTA, IntegrationMethod


def shares(vehicles: int, together: int, most: int) -> list[tuple[int, int]]:
    """First and last vehicle of each chunk, at most `most` chunks; groups of `together` vehicles stay whole."""
    groups = -(-vehicles // together)
    count = min(most, groups)
    ends = np.arange(count + 1) * groups // count * together
    return list(itertools.pairwise(np.minimum(ends, vehicles).tolist()))


def work_off(share: Callable[[int, int], None], limits: list[tuple[int, int]], threads: int) -> None:
    """Process the chunks on several threads, this one included; each takes the next chunk when it is free."""
    left = iter(limits)

    def work() -> None:
        for first, last in left:
            share(first, last)

    helpers = min(threads, len(limits)) - 1
    if helpers == 0:
        return work()
    with ThreadPoolExecutor(helpers) as pool:
        tasks = [pool.submit(work) for _ in range(helpers)]
        work()
        for task in tasks:
            task.result()


def uses_lanes(method: IntegrationMethod) -> bool:
    """Whether a method processes several vehicles at once in SIMD lanes: every fixed-step Runge-Kutta method."""
    return method.rule in (RUNGE_KUTTA, CHAINED_RUNGE_KUTTA)


@final
class BatchRunner:
    """Rolls out a batch over intervals of held inputs, s; compiled code runs without the interpreter's lock.

    There is a thread per core unless given. With `simd` several vehicles are processed at once in SIMD lanes.
    """

    def __init__(
        self,
        vehicles: PackedBatch,
        interval: float,
        steps: int,
        method: IntegrationMethod,
        threads: int | None,
        simd: bool,
    ) -> None:
        check_interval(interval, steps)
        self.threads = os.cpu_count() or 1 if threads is None else threads
        if not isinstance(self.threads, int | np.integer) or self.threads < 1:
            raise ValueError(f"threads is {threads!r}: give at least 1, or None for all cores")
        self.vehicles, self.method, self.simd = vehicles, method, simd
        self.interval, self.steps = float(interval), int(steps)
        self._codes = codes_of(vehicles.layout)
        self._rule = (method.rule, method.weights, method.tolerances)

    def run(self, count: int, inputs: RolloutInputs, states: Array, failures: Integers) -> None:
        """Roll out all vehicles over `count` intervals, in place.

        Sheets of inputs are [vehicle or one for all, interval or one for all, number], states [vehicle, row, number]
        with the start in the first row; see `rollout_intervals` for the others. `failures` is set to the interval in
        which each vehicle failed; FINISHED where it did not.
        """
        most = 1 if self.threads == 1 else 8 * self.threads
        limits = shares(len(self.vehicles), WIDTH if self.simd else 1, most)
        one_by_one = self._one_by_one(count, inputs, states, failures)
        share = self._in_lanes(count, inputs, states, failures, one_by_one) if self.simd else one_by_one
        work_off(share, limits, self.threads)

    def _one_by_one(
        self, count: int, inputs: RolloutInputs, states: Array, failures: Integers
    ) -> Callable[[int, int], None]:
        """Function that rolls out the vehicles from first to last one after the other."""
        layout, nodes, rows = self.vehicles.layout, self.method.nodes, self.vehicles.rows
        kernel = kernels_for(layout, inputs.waters.shape[2]).rollout_many
        plan = (*self._rule, self.interval, self.steps, count)

        def share(first: int, last: int) -> None:
            decays = np.empty((self.vehicles.actuators, 2, nodes))
            work = np.empty((2 * nodes + self.method.stages + 1, work_width(layout)))
            kernel(rows, self._codes, *plan, *inputs, first, last, decays, work, states, failures)

        return share

    def _in_lanes(
        self,
        count: int,
        inputs: RolloutInputs,
        states: Array,
        failures: Integers,
        one_by_one: Callable[[int, int], None],
    ) -> Callable[[int, int], None]:
        """Function that rolls out the vehicles from first to last in SIMD lanes."""
        layout, nodes, rows = self.vehicles.layout, self.method.nodes, self.vehicles.rows[:, None]
        general = is_general(layout) or inputs.waters.shape[2] > STEADY_SIZE
        kernel = general_batch_kernel() if general else batch_kernel()
        plan = (*self._rule, self.interval, self.steps, count)
        size = memory_size(layout, rows.shape[2], self.method.stages, nodes)

        def share(first: int, last: int) -> None:
            memory = np.empty(size)

            def together(start: int, end: int) -> None:
                kernel(rows, self._codes, *plan, *inputs, start, end, nodes, memory, states, failures)

            together(first, last)
            for i in (first + np.flatnonzero(failures[first:last] == LANE_FAILED)).tolist():
                together(i, i + 1)  # alone in its lanes: a sound vehicle gives the result of any batch
                if failures[i] == LANE_FAILED:
                    one_by_one(i, i + 1)

        return share
