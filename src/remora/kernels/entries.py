"""The doors into compiled code: each takes plain arrays, in one order and one type, and calls the loops.

They allocate nothing. What a call needs besides its arguments (decays of lags, stage rates) is handed in as work space.
"""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from remora.equations.algebra.quaternions import squared_norm
from remora.equations.packed import Layout, actuator_count, carried_count, outputs_count, water_varies
from remora.equations.plant import actuator_target, body_rate_in
from remora.equations.water.local_water import SIZES, water_from
from remora.files.arrays import Array
from remora.kernels.layouts.array_views import carve
from remora.kernels.layouts.layout_types import common_layout, drifting_layout
from remora.kernels.loops import BODY_SIZE, Inputs, Plan, held, roll_common, roll_drifting, roll_uncommon
from remora.kernels.stages.actuators import fill_decays, keep_speeds, output_rate
from remora.kernels.stages.body import body_state_at, through_water

Integers = NDArray[np.int64]
Roll: TypeAlias = Callable[[Array, Layout, Plan, Inputs, Array, Array, Array], int]
LAYOUT_SIZE = len(Layout._fields)
MISFIT = -2  # an input of `step_once` has the wrong size, or a number that cannot be
QUATERNION_TOLERANCE = 1e-6  # of the length of a quaternion that comes in


def layout_at(codes: Integers) -> Layout:
    """The layout from an array of its integers."""
    return Layout(
        special=codes[0],
        locked=codes[1],
        two_heaves=codes[2],
        tensor=codes[3],
        lift=codes[4],
        coriolis=codes[5],
        thrust_law=codes[6],
        mapped_commands=codes[7],
        strips=codes[8],
        thrusters=codes[9],
        fins=codes[10],
        slewing=codes[11],
        motors=codes[12],
        harmonics=codes[13],
        servos=codes[14],
        loads=codes[15],
        floats=codes[16],
        water=codes[17],
    )


def each_rolled(
    roll: Roll,
    rows: Array,
    codes: Integers,
    plan: Plan,
    sheets: Inputs,
    first: int,
    last: int,
    decays: Array,
    work: Array,
    states: Array,
    failures: Integers,
) -> None:
    """Roll the vehicles from first to last, each with its own parameters; inputs with one sheet serve all."""
    layout, commands, externals, waters = layout_at(codes), sheets.commands, sheets.externals, sheets.waters
    for i in range(first, last):
        row = rows[i]
        fill_decays(row, layout, plan.weights, plan.interval / plan.steps, decays)
        inputs = Inputs(commands[held(commands, i)], externals[held(externals, i)], waters[held(waters, i)])
        failures[i] = roll(row, layout, plan, inputs, decays, work, states[i])


def roll_many(
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
    decays: Array,
    work: Array,
    states: Array,
    failures: Integers,
) -> None:
    """Roll vehicles of the common kind; see `each_rolled`."""
    plan, inputs = Plan(rule, weights, tolerances, interval, steps, count), Inputs(commands, externals, waters)
    each_rolled(roll_common, rows, codes, plan, inputs, first, last, decays, work, states, failures)


def roll_many_drifting(
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
    decays: Array,
    work: Array,
    states: Array,
    failures: Integers,
) -> None:
    """Roll vehicles of the common kind in a current that varies with depth and time; see `each_rolled`."""
    plan, inputs = Plan(rule, weights, tolerances, interval, steps, count), Inputs(commands, externals, waters)
    each_rolled(roll_drifting, rows, codes, plan, inputs, first, last, decays, work, states, failures)


def roll_many_uncommon(
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
    decays: Array,
    work: Array,
    states: Array,
    failures: Integers,
) -> None:
    """Roll any vehicles; see `each_rolled`."""
    plan, inputs = Plan(rule, weights, tolerances, interval, steps, count), Inputs(commands, externals, waters)
    each_rolled(roll_uncommon, rows, codes, plan, inputs, first, last, decays, work, states, failures)


def prepared_size(layout: Layout, parameters: int, stages: int, nodes: int) -> int:
    """Numbers that `step_once` wants beside its inputs: row, weights, tolerances and interval, decays, work space."""
    known = parameters + stages * (stages + 3) + 4
    return known + 2 * actuator_count(layout) * nodes + work_width(layout) * (2 * nodes + stages + 1)


def work_width(layout: Layout) -> int:
    """Length of the rows of the work space."""
    return max(BODY_SIZE, outputs_count(layout))


def prepare(prepared: Array, codes: Integers, parameters: int, stages: int, nodes: int) -> None:
    """Fill the decays in the prepared numbers of `step_once`, once its row, weights and interval are in place."""
    layout = layout_at(codes)
    actuators = actuator_count(layout)
    weights = carve(prepared, parameters, (stages + 3, stages))
    at_decays = parameters + weights.size + 4
    decays = carve(prepared, at_decays, (actuators, 2, nodes))
    fill_decays(prepared[:parameters], layout, weights, prepared[at_decays - 1], decays)


def is_usable(state: Array, commands: Array, surroundings: Array) -> bool:
    """Whether all numbers are finite and the quaternion has unit length."""
    total = 0.0
    for i in range(state.size):
        total += state[i]
    for i in range(commands.size):
        total += commands[i]
    for i in range(surroundings.size):
        total += surroundings[i]
    length = squared_norm((state[3], state[4], state[5], state[6]))
    return abs(total) < np.inf and abs(length - 1.0) < 2.0 * QUATERNION_TOLERANCE


def fits_surroundings(size: int) -> bool:
    """Whether so many numbers are an external wrench and water, steady or not."""
    return size - 6 in SIZES


def step_once(prepared: Array, codes: Integers, state: Array, commands: Array, surroundings: Array) -> int:
    """One step of a vehicle of the common kind; see `stepped`."""
    return stepped(roll_common, prepared, codes, state, commands, surroundings)


def step_once_drifting(prepared: Array, codes: Integers, state: Array, commands: Array, surroundings: Array) -> int:
    """One step of a vehicle of the common kind in a current that varies with depth and time; see `stepped`."""
    return stepped(roll_drifting, prepared, codes, state, commands, surroundings)


def step_once_uncommon(prepared: Array, codes: Integers, state: Array, commands: Array, surroundings: Array) -> int:
    """One step of any vehicle; see `stepped`."""
    return stepped(roll_uncommon, prepared, codes, state, commands, surroundings)


def stepped(roll: Roll, prepared: Array, codes: Integers, state: Array, commands: Array, surroundings: Array) -> int:
    """One step of one vehicle, in place, with as few arguments as possible: each costs time.

    The codes hold the layout, then the rule, the numbers of stages, nodes and parameters, and the size of the state.
    The surroundings are the external wrench and the water, of one of the `SIZES` there are. Returns 0 when the step
    failed, -1, or -2 when the inputs cannot be used.
    """
    layout, k = layout_at(codes), LAYOUT_SIZE
    rule, stages, nodes, parameters = codes[k], codes[k + 1], codes[k + 2], codes[k + 3]
    actuators = actuator_count(layout)
    if state.size != codes[k + 4] or commands.size != actuators or not fits_surroundings(surroundings.size):
        return MISFIT
    if not is_usable(state, commands, surroundings):
        return MISFIT
    at_tolerances = parameters + stages * (stages + 3)
    at_decays = at_tolerances + 4
    weights, tolerances = carve(prepared, parameters, (stages + 3, stages)), carve(prepared, at_tolerances, (3,))
    plan = Plan(rule, weights, tolerances, prepared[at_tolerances + 3], 1, 1)
    around = carve(surroundings, 0, (1, 6)), carve(surroundings, 6, (1, surroundings.size - 6))
    return roll(
        carve(prepared, 0, (parameters,)),
        layout,
        plan,
        Inputs(carve(commands, 0, (1, actuators)), around[0], around[1]),
        carve(prepared, at_decays, (actuators, 2, nodes)),
        carve(prepared, at_decays + 2 * actuators * nodes, (2 * nodes + stages + 1, work_width(layout))),
        carve(state, 0, (1, state.size)),
    )


def rate(row: Array, codes: Integers, state: Array, inputs: Array, outputs: Array, result: Array) -> None:
    """The rate of a whole state of a vehicle of the common kind; see `keep_rate`."""
    keep_rate(row, common_layout(layout_at(codes)), state, inputs, outputs, result)


def rate_drifting(row: Array, codes: Integers, state: Array, inputs: Array, outputs: Array, result: Array) -> None:
    """The rate of a vehicle of the common kind in a current that varies with depth and time; see `keep_rate`."""
    keep_rate(row, drifting_layout(layout_at(codes)), state, inputs, outputs, result)


def rate_uncommon(row: Array, codes: Integers, state: Array, inputs: Array, outputs: Array, result: Array) -> None:
    """The rate of a whole state of any vehicle; see `keep_rate`."""
    keep_rate(row, layout_at(codes), state, inputs, outputs, result)


def keep_rate(row: Array, layout: Layout, state: Array, inputs: Array, outputs: Array, result: Array) -> None:
    """Write the rate of a whole state: body, then actuators, whose outputs move towards their targets.

    The inputs are external wrench, commands, and water as of now; the outputs are work space.
    """
    actuators = actuator_count(layout)
    varies = water_varies(layout, inputs.size - actuators - 6)
    water = water_from(inputs[6 + actuators :], varies)
    external = (inputs[0], inputs[1], inputs[2], inputs[3], inputs[4], inputs[5])
    x = body_state_at(state)
    twist = through_water(x, water, 0.0)
    targets, rates = result[:actuators], result[BODY_SIZE:]
    for i in range(actuators):
        targets[i] = actuator_target(row, layout, i, inputs[6 + i])
        outputs[i] = state[BODY_SIZE + i]
    keep_speeds(row, layout, targets, outputs)
    for i in range(carried_count(layout) - actuators):
        rates[actuators + i] = outputs[actuators + layout.loads + i]
    for i in range(actuators):
        rates[i] = output_rate(row, layout, outputs, i, actuator_target(row, layout, i, inputs[6 + i]), twist)
    body = body_rate_in(row, layout, x, outputs, water, 0.0, external)
    for i in range(BODY_SIZE):
        result[i] = body[i]
