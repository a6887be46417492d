"""Integration loop of a SIMD batch: several vehicles at once, one per lane, with fixed steps.

The arithmetic of a lane depends on its own vehicle only, so a result does not depend on the other lanes.
"""

import sys
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numba
import numpy as np
from numba import float64, int64, void
from numpy.typing import NDArray

from remora.equations.algebra.pose import BODY_SIZE, with_unit_quaternion
from remora.equations.algebra.vectors import vector6_at
from remora.equations.packed import (
    ENVELOPE_START,
    Layout,
    actuator_count,
    actuator_state_count,
    outputs_count,
    water_kind,
)
from remora.equations.water.local_water import WATER_SIZE, water_from
from remora.files.arrays import Array
from remora.plant import registration
from remora.plant.batches.lanes import WIDTH, all_set, lane_array
from remora.plant.compilation import from_cache, kernels
from remora.plant.layouts import basic_layout, general_layout, layout_at
from remora.plant.loops import FINISHED, IntegrationPlan, RolloutInputs, held_index, state_after_impulse, weighted_rates
from remora.plant.stages import (
    StepArrays,
    WholeArrays,
    begin_outputs,
    body_state_at,
    end_outputs,
    fill_decays,
    fill_outputs,
    is_within,
    through_water,
)

Integers = NDArray[np.int64]
LANE_FAILED = -3  # a vehicle of the group left its limits: roll them out one by one to find it


def memory_size(layout: Layout, parameters: int, stages: int, nodes: int) -> int:
    """Size of all arrays of lanes."""
    actuators = actuator_count(layout)
    state, inputs = BODY_SIZE + actuator_state_count(layout), 6 + WATER_SIZE + 2 * actuators
    within = nodes * (2 * actuators + outputs_count(layout) + 6) + stages * BODY_SIZE
    return WIDTH * (parameters + state + inputs + within)


def lanes_in(memory: Array, layout: Layout, parameters: int, stages: int, nodes: int) -> WholeArrays:
    """All arrays of lanes as views of one row of numbers."""
    actuators, carried, wide = actuator_count(layout), actuator_state_count(layout), outputs_count(layout)
    at_body = WIDTH * parameters
    at_start = at_body + WIDTH * BODY_SIZE
    at_inputs = at_start + WIDTH * carried
    at_commands = at_inputs + WIDTH * (6 + WATER_SIZE)
    at_targets = at_commands + WIDTH * actuators
    at_decays = at_targets + WIDTH * actuators
    at_outputs = at_decays + WIDTH * actuators * 2 * nodes
    at_wrenches = at_outputs + WIDTH * nodes * wide
    of_actuators = StepArrays(
        row=lane_array(memory, 0, (parameters,)),
        start=lane_array(memory, at_start, (carried,)),
        commands=lane_array(memory, at_commands, (actuators,)),
        targets=lane_array(memory, at_targets, (actuators,)),
        decays=lane_array(memory, at_decays, (actuators, 2, nodes)),
        outputs=lane_array(memory, at_outputs, (nodes, wide)),
        thruster_wrenches=lane_array(memory, at_wrenches, (nodes, 6)),
    )
    return WholeArrays(
        of_actuators,
        body=lane_array(memory, at_body, (BODY_SIZE,)),
        environment=lane_array(memory, at_inputs, (6 + WATER_SIZE,)),
        rates=lane_array(memory, at_wrenches + WIDTH * nodes * 6, (stages, BODY_SIZE)),
    )


def load_lanes(memory: Array, values: Array, k: int, first: int, last: int) -> None:
    """Fill the lanes with values[vehicle, k, number] of the vehicles from first on; the last fills unused lanes."""
    for lane in range(WIDTH):
        sheet = values[held_index(values, min(first + lane, last - 1))]
        row = sheet[held_index(sheet, k)]
        for i in range(row.size):
            memory[WIDTH * i + lane] = row[i]


def store_lanes(memory: Array, values: Array, k: int, first: int, last: int) -> None:
    """Write lanes into values[vehicle, k, number] of the vehicles from first on."""
    for lane in range(min(WIDTH, last - first)):
        row = values[first + lane, min(k, values.shape[1] - 1)]
        for i in range(row.size):
            row[i] = memory[WIDTH * i + lane]


def integrate_lanes(whole: WholeArrays, layout: Layout, plan: IntegrationPlan, new_commands: bool, kind: int) -> bool:
    """Integrate a group over one interval of held inputs, in place; False when a speed left its limits."""
    a = whole.actuators
    if new_commands:
        begin_outputs(a, layout)
    x, limits = body_state_at(whole.body), vector6_at(a.row, ENVELOPE_START)
    external, water = vector6_at(whole.environment, 0), water_from(whole.environment[6:], kind)
    step = plan.interval / plan.steps
    if new_commands and layout.moving_masses > 0:
        x = state_after_impulse(a.row, layout, x, water, a.start, a.outputs[0])
    for n in range(plan.steps):
        elapsed = n * step
        fill_outputs(a, layout, plan.weights, step, x, water, elapsed)
        moved, _ = weighted_rates(a, layout, plan, whole.rates, x, step, water, elapsed, external)
        x = with_unit_quaternion(moved)
        end_outputs(a.outputs, a.thruster_wrenches, a.start)
        if not all_set(is_within(through_water(x, water, elapsed + step), limits)):
            return False
    for i in range(BODY_SIZE):
        whole.body[i] = x[i]
    return True


def rollout_lanes(
    rows: Array,
    layout: Layout,
    plan: IntegrationPlan,
    inputs: RolloutInputs,
    first: int,
    last: int,
    nodes: int,
    memory: Array,
    states: Array,
) -> int:
    """Roll out the vehicles from first to last, at most one per lane; FINISHED, or LANE_FAILED."""
    arrays = lanes_in(memory, layout, rows.shape[2], plan.weights.shape[1], nodes)
    body = memory[WIDTH * rows.shape[2] :]
    environment = body[WIDTH * (BODY_SIZE + actuator_state_count(layout)) :]
    load_lanes(memory, rows, 0, first, last)
    load_lanes(body, states, 0, first, last)
    fill_decays(arrays.actuators.row, layout, plan.weights, plan.interval / plan.steps, arrays.actuators.decays)
    kind = water_kind(layout, inputs.waters.shape[2])
    for k in range(plan.intervals):
        load_lanes(environment, inputs.externals, k, first, last)
        load_lanes(environment[WIDTH * 6 :], inputs.waters, k, first, last)
        load_lanes(environment[WIDTH * (6 + WATER_SIZE) :], inputs.commands, k, first, last)
        if not integrate_lanes(arrays, layout, plan, k == 0 or inputs.commands.shape[1] > 1, kind):
            return LANE_FAILED
        store_lanes(body, states, k + 1, first, last)
    return FINISHED


def rollout_groups(
    rows: Array,
    layout: Layout,
    plan: IntegrationPlan,
    inputs: RolloutInputs,
    first: int,
    last: int,
    nodes: int,
    memory: Array,
    states: Array,
    failures: Integers,
) -> None:
    """Roll out the vehicles from first to last in groups of lanes; one sheet of inputs applies to all."""
    for i in range(first, last, WIDTH):
        end = min(i + WIDTH, last)
        failures[i:end] = rollout_lanes(rows, layout, plan, inputs, i, end, nodes, memory, states)


def rollout_batch_with(kind: Callable[[Layout], Layout]) -> Callable[..., None]:
    """Entry point for vehicles whose layout is of a kind; see `rollout_groups`."""

    def rollout_batch(
        rows: Array,
        codes: Integers,
        rule: int,
        weights: Array,
        tolerances: Array,
        interval: float,
        steps: int,
        count: int,
        commands: Array,
        externals: Array,
        waters: Array,
        first: int,
        last: int,
        nodes: int,
        memory: Array,
        states: Array,
        failures: Integers,
    ) -> None:
        plan = IntegrationPlan(rule, weights, tolerances, interval, steps, count)
        inputs = RolloutInputs(commands, externals, waters)
        rollout_groups(rows, kind(layout_at(codes)), plan, inputs, first, last, nodes, memory, states, failures)

    rollout_batch.__name__ = rollout_batch.__qualname__ = f"rollout_batch_{kind.__name__}"  # for Numba's cache
    return rollout_batch


_row, _integers, _sheet, _book = float64[::1], int64[::1], float64[:, ::1], float64[:, :, ::1]
SIGNATURE = void(
    _book, _integers, int64, _sheet, _row, float64, int64, int64, _book, _book, _book, int64, int64, int64, _row, _book,
    _integers,
)  # fmt: skip


@lru_cache(maxsize=1)
def _register() -> None:
    kernels()  # registers all that the loop calls
    registration.register_functions(sys.modules[__name__], without=("rollout_batch_with",))


def _kernel(part: str, kind: Callable[[Layout], Layout]) -> Any:
    _register()
    return from_cache(part, lambda cached: numba.njit(SIGNATURE, **cached)(rollout_batch_with(kind)))


@lru_cache(maxsize=1)
def batch_kernel() -> Any:
    """The SIMD kernel for batches of basic vehicles."""
    return _kernel("the equations for batches", basic_layout)


@lru_cache(maxsize=1)
def general_batch_kernel() -> Any:
    """The SIMD kernel for batches of general vehicles."""
    return _kernel("the equations for batches with general actuators", general_layout)
