"""The doors into compiled code: each takes plain arrays, in one order and one type, and calls the loops.

They allocate nothing. What a call needs besides its arguments (decays of lags, stage rates) is handed in as work space.
"""

import numpy as np
from numpy.typing import NDArray

from remora.equations.packed import Layout
from remora.equations.plant import actuator_lag_time, actuator_target, body_rate
from remora.equations.quaternions import squared_norm
from remora.equations.thrusters import rises
from remora.kernels.carving import carve
from remora.kernels.loops import BODY_SIZE, Array, Inputs, Plan, fill_decays, held, roll
from remora.kernels.stages import body_state_at

Integers = NDArray[np.int64]
MISFIT = -2  # an input of `step_once` has the wrong size, or a number that cannot be
QUATERNION_TOLERANCE = 1e-6  # of the length of a quaternion that comes in


def layout_at(codes: Integers) -> Layout:
    """The layout from an array of its integers."""
    return Layout(codes[0], codes[1], codes[2], codes[3], codes[4], codes[5], codes[6], codes[7], codes[8], codes[9])


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
    """Roll the vehicles from first to last, each with its own parameters; inputs with one sheet serve all."""
    layout, plan = layout_at(codes), Plan(rule, weights, tolerances, interval, steps, count)
    for i in range(first, last):
        row = rows[i]
        fill_decays(row, layout, weights, interval / steps, decays)
        inputs = Inputs(commands[held(commands, i)], externals[held(externals, i)], waters[held(waters, i)])
        failures[i] = roll(row, layout, plan, inputs, decays, work, states[i])


def prepared_size(parameters: int, stages: int, nodes: int, actuators: int) -> int:
    """Numbers that `step_once` wants beside its inputs: row, weights, tolerances and interval, decays, work space."""
    width = max(BODY_SIZE, actuators)
    return parameters + stages * (stages + 3) + 4 + 2 * actuators * nodes + width * (2 * nodes + stages + 1)


def prepare(prepared: Array, codes: Integers, parameters: int, stages: int, nodes: int) -> None:
    """Fill the decays in the prepared numbers of `step_once`, once its row, weights and interval are in place."""
    layout = layout_at(codes)
    actuators = layout.thrusters + layout.fins
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


def step_once(prepared: Array, codes: Integers, state: Array, commands: Array, surroundings: Array) -> int:
    """One step of one vehicle, in place, with as few arguments as possible: each costs time.

    The codes hold the layout, then the rule, the numbers of stages, nodes and parameters, and the size of the state.
    The surroundings are the external wrench and the water velocity. Returns 0 when the step failed, -1, or -2 when the
    inputs cannot be used.
    """
    layout, rule, stages, nodes, parameters = layout_at(codes), codes[10], codes[11], codes[12], codes[13]
    actuators = layout.thrusters + layout.fins
    if state.size != codes[14] or commands.size != actuators or surroundings.size != 9:
        return MISFIT
    if not is_usable(state, commands, surroundings):
        return MISFIT
    at_tolerances = parameters + stages * (stages + 3)
    at_decays = at_tolerances + 4
    weights, tolerances = carve(prepared, parameters, (stages + 3, stages)), carve(prepared, at_tolerances, (3,))
    plan = Plan(rule, weights, tolerances, prepared[at_tolerances + 3], 1, 1)
    around = carve(surroundings, 0, (1, 6)), carve(surroundings, 6, (1, 3))
    return roll(
        carve(prepared, 0, (parameters,)),
        layout,
        plan,
        Inputs(carve(commands, 0, (1, actuators)), around[0], around[1]),
        carve(prepared, at_decays, (actuators, 2, nodes)),
        carve(prepared, at_decays + 2 * actuators * nodes, (2 * nodes + stages + 1, max(BODY_SIZE, actuators))),
        carve(state, 0, (1, state.size)),
    )


def rate(row: Array, codes: Integers, state: Array, inputs: Array, result: Array) -> None:
    """The rate of a whole state: body, then actuators, whose outputs move towards their targets."""
    layout = layout_at(codes)
    actuators = layout.thrusters + layout.fins
    outputs = state[BODY_SIZE : BODY_SIZE + actuators]
    external = (inputs[0], inputs[1], inputs[2], inputs[3], inputs[4], inputs[5])
    body = body_rate(row, layout, body_state_at(state), outputs, (inputs[6], inputs[7], inputs[8]), external)
    for i in range(BODY_SIZE):
        result[i] = body[i]
    for i in range(actuators):
        target = actuator_target(row, layout, i, inputs[9 + i])
        lag = actuator_lag_time(row, layout, i, rises(outputs[i], target))
        # An actuator without lag is at its target; it has no rate.
        result[BODY_SIZE + i] = (target - outputs[i]) / lag if lag > 0.0 else 0.0
