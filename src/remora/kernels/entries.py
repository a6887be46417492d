"""The doors into compiled code: each takes plain arrays, in one order and one type, and calls the loops.

They allocate nothing. What a call needs besides its arguments (decays of lags, stage rates) is handed in as work space.
"""

import numpy as np
from numpy.typing import NDArray

from remora.equations.packed import Layout
from remora.equations.plant import actuator_lag_time, actuator_target, body_rate
from remora.equations.thrusters import rises
from remora.kernels.loops import BODY_SIZE, Array, fill_decays, roll
from remora.kernels.stages import body_state_at

Integers = NDArray[np.int64]
MISFIT = -2  # an input of `step_once` has the wrong size


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
    layout = layout_at(codes)
    for i in range(first, last):
        row = rows[i]
        fill_decays(row, layout, weights, interval / steps, decays)
        failures[i] = roll(
            row,
            layout,
            rule,
            weights,
            tolerances,
            interval,
            steps,
            count,
            commands[min(i, commands.shape[0] - 1)],
            externals[min(i, externals.shape[0] - 1)],
            waters[min(i, waters.shape[0] - 1)],
            decays,
            work,
            states[i],
        )


def prepared_size(parameters: int, stages: int, actuators: int) -> int:
    """Numbers that `step_once` wants beside its inputs: row, weights, tolerances and interval, decays, work space."""
    width = max(BODY_SIZE, actuators)
    return parameters + stages * (stages + 2) + 4 + 2 * actuators * (stages + 1) + width * (2 * stages + 2)


def prepare(prepared: Array, codes: Integers, parameters: int, stages: int) -> None:
    """Fill the decays in the prepared numbers of `step_once`, once its row, weights and interval are in place."""
    layout = layout_at(codes)
    actuators = layout.thrusters + layout.fins
    after_weights = parameters + stages * (stages + 2)
    weights = prepared[parameters:after_weights].reshape((stages + 2, stages))
    decays = prepared[after_weights + 4 : after_weights + 4 + 2 * actuators * (stages + 1)]
    interval = prepared[after_weights + 3]
    fill_decays(prepared[:parameters], layout, weights, interval, decays.reshape((actuators, 2, stages + 1)))


def step_once(
    prepared: Array, codes: Integers, state: Array, commands: Array, surroundings: Array, states: Array
) -> int:
    """One step of one vehicle into the second row of states, with as few arguments as possible: each costs time.

    The codes hold the layout, then the rule, the stages and the number of parameters. The surroundings are the external
    wrench and the water velocity. Returns the index of a failed interval, -1, or -2 when a size does not fit.
    """
    layout, rule, stages, parameters = layout_at(codes), codes[10], codes[11], codes[12]
    actuators = layout.thrusters + layout.fins
    if state.size != states.shape[1] or commands.size != actuators or surroundings.size != 9:
        return MISFIT
    for i in range(state.size):
        states[0, i] = state[i]
    after_weights = parameters + stages * (stages + 2)
    after_decays = after_weights + 4 + 2 * actuators * (stages + 1)
    tolerances = prepared[after_weights : after_weights + 4]
    width = max(BODY_SIZE, actuators)
    return roll(
        prepared[:parameters],
        layout,
        rule,
        prepared[parameters:after_weights].reshape((stages + 2, stages)),
        tolerances,
        tolerances[3],
        1,
        1,
        commands.reshape((1, actuators)),
        surroundings[:6].reshape((1, 6)),
        surroundings[6:].reshape((1, 3)),
        prepared[after_weights + 4 : after_decays].reshape((actuators, 2, stages + 1)),
        prepared[after_decays:].reshape((2 * stages + 2, width)),
        states,
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
