"""The loop that steps several vehicles abreast, each in its own lane: for batches with fixed steps.

All arithmetic of a lane depends on its own vehicle only, so a vehicle comes out the same whoever is beside it.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from remora.equations.packed import (
    ENVELOPE_START,
    Layout,
    actuator_count,
    carried_count,
    outputs_count,
    vector6_at,
    water_varies,
)
from remora.equations.water.local_water import WATER_SIZE, water_from
from remora.files.arrays import Array
from remora.kernels.entries import layout_at
from remora.kernels.layouts.layout_types import common_layout
from remora.kernels.loops import BODY_SIZE, FINISHED, Inputs, Plan, held, struck_state, weighted_rates
from remora.kernels.simd.lanes import WIDTH, all_marked, lane_array
from remora.kernels.stages.actuators import begin_pushes, end_pushes, fill_decays, fill_pushes
from remora.kernels.stages.body import body_state_at, is_within, through_water, with_unit_quaternion

Integers = NDArray[np.int64]
ASTRAY = -3  # one of the vehicles abreast left its limits: step them one by one to see which


class Abreast(NamedTuple):
    """What the vehicles abreast are and do, as arrays of lanes."""

    row: Any  # their parameters
    body: Any  # their state: the body, and the outputs of the actuators and speeds of loads behind it
    start: Any
    surroundings: Any  # external wrench, water
    commands: Any
    targets: Any
    decays: Any
    outputs: Any
    pushes: Any
    rates: Any


def memory_size(layout: Layout, parameters: int, stages: int, nodes: int) -> int:
    """Numbers that the arrays of lanes take together."""
    actuators = actuator_count(layout)
    state, inputs = BODY_SIZE + carried_count(layout), 6 + WATER_SIZE + 2 * actuators
    within = nodes * (2 * actuators + outputs_count(layout) + 6) + stages * BODY_SIZE
    return WIDTH * (parameters + state + inputs + within)


def lanes_in(memory: Array, layout: Layout, parameters: int, stages: int, nodes: int) -> Abreast:
    """All arrays of lanes, one behind the other in one row of numbers."""
    actuators, carried, wide = actuator_count(layout), carried_count(layout), outputs_count(layout)
    at_body = WIDTH * parameters
    at_start = at_body + WIDTH * BODY_SIZE
    at_inputs = at_start + WIDTH * carried
    at_commands = at_inputs + WIDTH * (6 + WATER_SIZE)
    at_targets = at_commands + WIDTH * actuators
    at_decays = at_targets + WIDTH * actuators
    at_outputs = at_decays + WIDTH * actuators * 2 * nodes
    at_pushes = at_outputs + WIDTH * nodes * wide
    return Abreast(
        lane_array(memory, 0, (parameters,)),
        lane_array(memory, at_body, (BODY_SIZE,)),
        lane_array(memory, at_start, (carried,)),
        lane_array(memory, at_inputs, (6 + WATER_SIZE,)),
        lane_array(memory, at_commands, (actuators,)),
        lane_array(memory, at_targets, (actuators,)),
        lane_array(memory, at_decays, (actuators, 2, nodes)),
        lane_array(memory, at_outputs, (nodes, wide)),
        lane_array(memory, at_pushes, (nodes, 6)),
        lane_array(memory, at_pushes + WIDTH * nodes * 6, (stages, BODY_SIZE)),
    )


def load_lanes(memory: Array, values: Array, k: int, first: int, last: int) -> None:
    """Fill lanes with values[vehicle, k, number] of the vehicles from first on; the last fills what is left over."""
    for lane in range(WIDTH):
        sheet = values[held(values, min(first + lane, last - 1))]
        row = sheet[held(sheet, k)]
        for i in range(row.size):
            memory[WIDTH * i + lane] = row[i]


def store_lanes(memory: Array, values: Array, k: int, first: int, last: int) -> None:
    """Write lanes into values[vehicle, k, number] of the vehicles from first on."""
    for lane in range(min(WIDTH, last - first)):
        row = values[first + lane, min(k, values.shape[1] - 1)]
        for i in range(row.size):
            row[i] = memory[WIDTH * i + lane]


def walk_abreast(a: Abreast, layout: Layout, plan: Plan, fresh: bool, varies: int) -> bool:
    """Carry vehicles over one interval of held inputs, in place; False when a speed of one of them left its limits.

    The commands are fresh unless they are those of the interval before, which then ended as this one begins.
    """
    if fresh:
        begin_pushes(a.row, layout, a.decays, a.start, a.commands, a.targets, a.outputs, a.pushes)
    x, limits = body_state_at(a.body), vector6_at(a.row, ENVELOPE_START)
    external, water = vector6_at(a.surroundings, 0), water_from(a.surroundings[6:], varies)
    rule, weights, step = plan.rule, plan.weights, plan.interval / plan.steps
    if fresh and layout.loads > 0:
        x = struck_state(a.row, layout, x, water, a.start, a.outputs[0])
    for n in range(plan.steps):
        elapsed = n * step
        fill_pushes(a.row, layout, weights, step, a.decays, a.start, a.targets, a.outputs, a.pushes, x, water, elapsed)
        moved, _ = weighted_rates(
            a.row, layout, rule, weights, x, step, a.outputs, a.pushes, a.rates, water, elapsed, external
        )
        x = with_unit_quaternion(moved)
        end_pushes(a.outputs, a.pushes, a.start)
        if not all_marked(is_within(through_water(x, water, elapsed + step), limits)):
            return False
    for i in range(BODY_SIZE):
        a.body[i] = x[i]
    return True


def roll_abreast(
    rows: Array,
    layout: Layout,
    plan: Plan,
    inputs: Inputs,
    first: int,
    last: int,
    nodes: int,
    memory: Array,
    states: Array,
) -> int:
    """Roll the vehicles from first to last, at most as many as there are lanes; -1, or -3 when one failed."""
    a = lanes_in(memory, layout, rows.shape[2], plan.weights.shape[1], nodes)
    body = memory[WIDTH * rows.shape[2] :]
    around = body[WIDTH * (BODY_SIZE + carried_count(layout)) :]
    load_lanes(memory, rows, 0, first, last)
    load_lanes(body, states, 0, first, last)
    fill_decays(a.row, layout, plan.weights, plan.interval / plan.steps, a.decays)
    varies = water_varies(layout, inputs.waters.shape[2])
    for k in range(plan.intervals):
        load_lanes(around, inputs.externals, k, first, last)
        load_lanes(around[WIDTH * 6 :], inputs.waters, k, first, last)
        load_lanes(around[WIDTH * (6 + WATER_SIZE) :], inputs.commands, k, first, last)
        if not walk_abreast(a, layout, plan, k == 0 or inputs.commands.shape[1] > 1, varies):
            return ASTRAY
        store_lanes(body, states, k + 1, first, last)
    return FINISHED


def all_abreast(
    rows: Array,
    layout: Layout,
    plan: Plan,
    inputs: Inputs,
    first: int,
    last: int,
    nodes: int,
    memory: Array,
    states: Array,
    failures: Integers,
) -> None:
    """Roll the vehicles from first to last, each with its own parameters; inputs with one sheet serve all."""
    for i in range(first, last, WIDTH):
        end = min(i + WIDTH, last)
        failures[i:end] = roll_abreast(rows, layout, plan, inputs, i, end, nodes, memory, states)


def roll_many_abreast(
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
    """Roll vehicles of the common kind; see `all_abreast`."""
    plan, inputs = Plan(rule, weights, tolerances, interval, steps, count), Inputs(commands, externals, waters)
    all_abreast(rows, common_layout(layout_at(codes)), plan, inputs, first, last, nodes, memory, states, failures)


def roll_many_uncommon_abreast(
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
    """Roll any vehicles; see `all_abreast`."""
    plan, inputs = Plan(rule, weights, tolerances, interval, steps, count), Inputs(commands, externals, waters)
    all_abreast(rows, layout_at(codes), plan, inputs, first, last, nodes, memory, states, failures)
