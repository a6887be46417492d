"""The loops that step a vehicle through time: written as plain Python, compiled by `kernels.compilation`.

State of a vehicle in an array: thirteen numbers of the body, the outputs of its actuators, and what the method carries
along. Inputs are held over an interval, which is walked in a number of equal steps, or in as many as an adaptive
method wants. One call site of the rate serves all methods, so there is one piece of machine code to compile.
"""

import numpy as np
from numpy.typing import NDArray

from remora.equations.kinematics import position_rate, quaternion_rate
from remora.equations.packed import ENVELOPE_START, Layout
from remora.equations.plant import BodyState, actuator_lag_time, actuator_target, body_rate
from remora.equations.thrusters import lag_decay, lagged_output, rises
from remora.equations.vectors import Vector3, Vector6
from remora.kernels.methods import ADAMS_BASHFORTH, ADAPTIVE, CHAINED_RUNGE_KUTTA, SEMI_IMPLICIT
from remora.kernels.stages import add_scaled, body_state_at, error_size, is_within, with_twist_of, with_unit_quaternion

Array = NDArray[np.float64]

BODY_SIZE = 13
SMALLEST_SHARE_OF_INTERVAL = 1e-9  # an adaptive step below this share of its interval has lost its way
FINISHED = -1


def node_of_stage(weights: Array, s: int) -> float:
    """Where in its step a stage stands, from 0 to 1; the one behind the last stage is the end of the step."""
    if s == weights.shape[1]:
        return 1.0
    node = 0.0
    for j in range(s):
        node += weights[s, j]
    return node


def fill_decays(row: Array, layout: Layout, weights: Array, step: float, decays: Array) -> None:
    """What is left of each actuator's lag at each node of a step: decays[actuator, falling or rising, node]."""
    stages = weights.shape[1]
    for i in range(layout.thrusters + layout.fins):
        for rising in range(2):
            time_constant = actuator_lag_time(row, layout, i, rising == 1)
            for s in range(stages + 1):
                decays[i, rising, s] = lag_decay(node_of_stage(weights, s) * step, time_constant)


def fill_outputs(decays: Array, start: Array, targets: Array, outputs: Array) -> None:
    """The actuators' outputs at the nodes of a step, from those at its start: outputs[node, actuator]."""
    for i in range(targets.size):
        rising = 1 if rises(start[i], targets[i]) else 0
        for s in range(outputs.shape[0]):
            outputs[s, i] = lagged_output(start[i], targets[i], decays[i, rising, s])


def semi_implicit_state(x: BodyState, step: float, rate: BodyState) -> BodyState:
    """Velocity first, then the pose with the new velocity."""
    moved = add_scaled(x, step, rate)
    q_NB = (x[3], x[4], x[5], x[6])
    p = position_rate(q_NB, (moved[7], moved[8], moved[9]))
    q = quaternion_rate(q_NB, (moved[10], moved[11], moved[12]))
    pose_rate = (p[0], p[1], p[2], q[0], q[1], q[2], q[3], 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    return with_twist_of(add_scaled(x, step, pose_rate), moved)


def stage_state(
    rule: int, weights: Array, rates: Array, s: int, x: BodyState, last: BodyState, step: float
) -> BodyState:
    """Where a stage of a step stands, from the rates of the stages before it."""
    if s == 0:
        return x
    if rule == CHAINED_RUNGE_KUTTA:
        return add_scaled(x, step * weights[s, s - 1], last)
    stage = x
    for j in range(s):
        stage = add_scaled(stage, step * weights[s, j], body_state_at(rates[j]))
    return stage


def even_step(left: float, wanted: float) -> float:
    """The wanted step, cut so that the last two steps of an interval are even instead of a long one and a sliver."""
    if left <= wanted:
        return left
    return min(wanted, 0.5 * left)


def step_factor(size: float) -> float:
    """How much longer the next step may be, from the error of this one against its tolerance."""
    if size == 0.0:
        return 5.0
    if not size < np.inf:
        return 0.2
    return float(min(5.0, max(0.2, 0.9 * size**-0.2)))


def weighted_rates(
    row: Array,
    layout: Layout,
    rule: int,
    weights: Array,
    x: BodyState,
    step: float,
    outputs: Array,
    rates: Array,
    water: Vector3,
    external: Vector6,
) -> tuple[BodyState, BodyState, BodyState]:
    """Evaluate the stages of a step: the state moved by their weighted rates, the error estimate, the last rate."""
    stages = weights.shape[1]
    rate = moved = x
    error = add_scaled(x, -1.0, x)
    for s in range(stages):
        stage = stage_state(rule, weights, rates, s, x, rate, step)
        rate = body_rate(row, layout, stage, outputs[s], water, external)
        moved = add_scaled(moved, step * weights[stages, s], rate)
        if rule != CHAINED_RUNGE_KUTTA:
            error = add_scaled(error, step * weights[stages + 1, s], rate)
            for i in range(BODY_SIZE):
                rates[s, i] = rate[i]
    return moved, error, rate


def finished_step(rule: int, x: BodyState, step: float, moved: BodyState, rate: BodyState, history: Array) -> BodyState:
    """The state after a step, for the rules that do more than sum their stages."""
    if rule == SEMI_IMPLICIT:
        moved = semi_implicit_state(x, step, rate)
    if rule == ADAMS_BASHFORTH:
        if history[0] == 1.0:
            moved = add_scaled(add_scaled(x, 1.5 * step, rate), -0.5 * step, body_state_at(history[1:]))
        history[0] = 1.0
        for i in range(BODY_SIZE):
            history[1 + i] = rate[i]
    return with_unit_quaternion(moved)


def walk(
    row: Array,
    layout: Layout,
    rule: int,
    weights: Array,
    tolerances: Array,
    interval: float,
    steps: int,
    commands: Array,
    external: Vector6,
    water: Vector3,
    decays: Array,
    work: Array,
    state: Array,
) -> bool:
    """Carry one vehicle over one interval of held inputs, in place; False when a speed left its limits."""
    stages = weights.shape[1]
    actuators = layout.thrusters + layout.fins
    targets, outputs = work[0, :actuators], work[1 : stages + 2, :actuators]
    rates = work[stages + 2 : 2 * stages + 2, :BODY_SIZE]
    history = state[BODY_SIZE + actuators :]
    for i in range(actuators):
        targets[i] = actuator_target(row, layout, i, commands[i])
    x = body_state_at(state)
    left, wanted, fixed = interval, min(interval, tolerances[2]), interval / steps
    valid = True
    while valid and left > 0.0:
        step = fixed
        if rule == ADAPTIVE:
            step = even_step(left, wanted)
            fill_decays(row, layout, weights, step, decays)
        fill_outputs(decays, state[BODY_SIZE : BODY_SIZE + actuators], targets, outputs)
        moved, error, rate = weighted_rates(row, layout, rule, weights, x, step, outputs, rates, water, external)
        if rule == ADAPTIVE:
            size = error_size(error, x, tolerances[0], tolerances[1])
            wanted = min(step * step_factor(size), tolerances[2])
            if not size <= 1.0:
                valid = step > SMALLEST_SHARE_OF_INTERVAL * interval
                continue
        x = finished_step(rule, x, step, moved, rate, history)
        for i in range(actuators):
            state[BODY_SIZE + i] = outputs[stages, i]
        steps -= 1
        left = left - step if rule == ADAPTIVE and step < left else steps * fixed
        valid = is_within(x, row[ENVELOPE_START : ENVELOPE_START + 6])
    for i in range(BODY_SIZE):
        state[i] = x[i]
    return valid


def roll(
    row: Array,
    layout: Layout,
    rule: int,
    weights: Array,
    tolerances: Array,
    interval: float,
    steps: int,
    count: int,
    commands: Array,
    externals: Array,
    waters: Array,
    decays: Array,
    work: Array,
    states: Array,
) -> int:
    """Walk through intervals of held inputs, from the first row of states on; the index of one that failed, or -1.

    Inputs with one row hold all along. Two rows of states are enough for the end of a run: the second is written over.
    """
    last = states.shape[0] - 1
    for k in range(count):
        state = states[min(k + 1, last)]
        if k < last:
            for i in range(state.size):
                state[i] = states[k, i]
        e, w = externals[min(k, externals.shape[0] - 1)], waters[min(k, waters.shape[0] - 1)]
        if not walk(
            row,
            layout,
            rule,
            weights,
            tolerances,
            interval,
            steps,
            commands[min(k, commands.shape[0] - 1)],
            (e[0], e[1], e[2], e[3], e[4], e[5]),
            (w[0], w[1], w[2]),
            decays,
            work,
            state,
        ):
            return k
    return FINISHED
