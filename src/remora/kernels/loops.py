"""The loops that step a vehicle through time: written as plain Python, compiled by `kernels.compilation`.

State of a vehicle in an array: thirteen numbers of the body, the outputs of its actuators, and what the method carries
along. Inputs are held over an interval, which is walked in a number of equal steps, or in as many as an adaptive
method wants. One call site of the rate serves all methods, so there is one piece of machine code to compile.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from remora.equations.elementary import select
from remora.equations.kinematics import position_rate, quaternion_rate
from remora.equations.packed import ENVELOPE_START, Layout, vector3_at, vector6_at
from remora.equations.plant import (
    BodyState,
    actuator_lag_time,
    actuator_target,
    pushed_body_rate,
    static_thrusters_wrench,
)
from remora.equations.thrusters import lag_decay, lagged_output, rises
from remora.equations.vectors import Vector3, Vector6, add6
from remora.kernels.methods import ADAMS_BASHFORTH, ADAPTIVE, CHAINED_RUNGE_KUTTA, SEMI_IMPLICIT
from remora.kernels.stages import (
    add_scaled,
    body_state_at,
    error_size,
    is_within,
    through_water,
    with_twist_of,
    with_unit_quaternion,
)

Array = NDArray[np.float64]


class Plan(NamedTuple):
    """How to go through time: the method, and the intervals over which inputs are held."""

    rule: int
    weights: Array
    tolerances: Array  # relative, absolute, maximum step
    interval: float  # s
    steps: int  # per interval
    intervals: int  # how many of them


class Inputs(NamedTuple):
    """What acts on a vehicle: one row for all intervals or one for each; for many vehicles one sheet of them each."""

    commands: Array
    externals: Array
    waters: Array


BODY_SIZE = 13
SMALLEST_SHARE_OF_INTERVAL = 1e-9  # an adaptive step below this share of its interval has lost its way
FINISHED = -1


def node_of_stage(weights: Array, s: int) -> int:
    """Which of the nodes of a step a stage stands at: several stages may share one."""
    return int(weights[weights.shape[1] + 2, s])


def time_of_stage(weights: Array, s: int) -> float:
    """Where in its step a stage stands, from 0 to 1."""
    time = 0.0
    for j in range(s):
        time += weights[s, j]
    return time


def fill_decays(row: Array, layout: Layout, weights: Array, step: float, decays: Array) -> None:
    """What is left of each actuator's lag at each node of a step: decays[actuator, falling or rising, node]."""
    end = decays.shape[2] - 1
    for i in range(layout.thrusters + layout.fins):
        for rising in range(2):
            time_constant = actuator_lag_time(row, layout, i, rising == 1)
            for s in range(weights.shape[1]):
                decays[i, rising, node_of_stage(weights, s)] = lag_decay(
                    time_of_stage(weights, s) * step, time_constant
                )
            decays[i, rising, end] = lag_decay(step, time_constant)


def keep_push(pushes: Array, n: int, push: Vector6) -> None:
    """Write the wrench at a node."""
    for i in range(6):
        pushes[n, i] = push[i]


def begin_pushes(
    row: Array,
    layout: Layout,
    decays: Array,
    start: Array,
    commands: Array,
    targets: Array,
    outputs: Array,
    pushes: Array,
) -> None:
    """Take up fresh commands: targets of the actuators, and what they do at the start of the first step.

    Their outputs there are taken as they are, not computed: a run in pieces comes out like the whole, bit by bit.
    """
    for i in range(targets.size):
        targets[i] = actuator_target(row, layout, i, commands[i])
        lags = select(rises(start[i], targets[i]), decays[i, 1, 0], decays[i, 0, 0]) > 0.0
        outputs[0, i] = select(lags, start[i], targets[i])
    keep_push(pushes, 0, static_thrusters_wrench(row, layout, outputs[0]))


def fill_pushes(
    row: Array,
    layout: Layout,
    decays: Array,
    start: Array,
    targets: Array,
    outputs: Array,
    pushes: Array,
) -> None:
    """What the actuators do at the nodes of a step behind its start.

    Their outputs, from those at the start of the step: outputs[node, actuator]; and pushes[node], the wrench of
    thrusters that do not feel the water.
    """
    for n in range(1, outputs.shape[0]):
        for i in range(targets.size):
            decay = select(rises(start[i], targets[i]), decays[i, 1, n], decays[i, 0, n])
            outputs[n, i] = lagged_output(start[i], targets[i], decay)
        keep_push(pushes, n, static_thrusters_wrench(row, layout, outputs[n]))


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
    if left <= wanted * (1.0 + 1e-12):
        return left
    return min(wanted, 0.5 * left)


def time_left(rule: int, left: float, step: float, fixed_left: float) -> float:
    """What remains of an interval after a step: counted in whole steps, so that rounding does not add up."""
    if rule != ADAPTIVE:
        return fixed_left
    return left - step if step < left else 0.0


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
    pushes: Array,
    rates: Array,
    water: Vector3,
    external: Vector6,
) -> tuple[BodyState, BodyState]:
    """Evaluate the stages of a step: the state moved by their weighted rates, and the last rate."""
    stages = weights.shape[1]
    rate = moved = x
    for s in range(stages):
        stage = stage_state(rule, weights, rates, s, x, rate, step)
        n = node_of_stage(weights, s)
        rate = pushed_body_rate(row, layout, stage, outputs[n], water, add6(external, vector6_at(pushes[n], 0)))
        moved = add_scaled(moved, step * weights[stages, s], rate)
        if rule != CHAINED_RUNGE_KUTTA:
            for i in range(BODY_SIZE):
                rates[s, i] = rate[i]
    return moved, rate


def error_of_step(weights: Array, step: float, rates: Array, x: BodyState, relative: float, absolute: float) -> float:
    """The estimated error of a step against its tolerance, from the rates of all its stages."""
    stages = weights.shape[1]
    error = add_scaled(x, -1.0, x)
    for s in range(stages):
        error = add_scaled(error, step * weights[stages + 1, s], body_state_at(rates[s]))
    return error_size(error, x, relative, absolute)


def end_pushes(outputs: Array, pushes: Array, start: Array) -> None:
    """Let the next step begin with what the actuators do at the end of this one."""
    last = outputs.shape[0] - 1
    for i in range(start.size):
        outputs[0, i] = start[i] = outputs[last, i]
    for i in range(6):
        pushes[0, i] = pushes[last, i]


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
    row: Array, layout: Layout, plan: Plan, inputs: Inputs, k: int, decays: Array, work: Array, state: Array
) -> bool:
    """Carry one vehicle over one interval of held inputs, in place; False when a speed left its limits."""
    rule, weights, tolerances = plan.rule, plan.weights, plan.tolerances
    nodes, actuators = decays.shape[2], layout.thrusters + layout.fins
    targets, outputs = work[0, :actuators], work[1 : nodes + 1, :actuators]
    pushes, rates = work[nodes + 1 : 2 * nodes + 1, :6], work[2 * nodes + 1 :, :BODY_SIZE]
    start, history = state[BODY_SIZE : BODY_SIZE + actuators], state[BODY_SIZE + actuators :]
    fresh = k == 0 or inputs.commands.shape[0] > 1
    if fresh:
        commands = inputs.commands[held(inputs.commands, k)]
        begin_pushes(row, layout, decays, start, commands, targets, outputs, pushes)
    external = vector6_at(inputs.externals[held(inputs.externals, k)], 0)
    water = vector3_at(inputs.waters[held(inputs.waters, k)], 0)
    x = body_state_at(state)
    left, steps, fixed = plan.interval, plan.steps, plan.interval / plan.steps
    wanted = min(plan.interval, tolerances[2])
    valid = True
    while valid and left > 0.0:
        step = fixed
        if rule == ADAPTIVE:
            step = even_step(left, wanted)
            fill_decays(row, layout, weights, step, decays)
        fill_pushes(row, layout, decays, start, targets, outputs, pushes)
        moved, rate = weighted_rates(row, layout, rule, weights, x, step, outputs, pushes, rates, water, external)
        if rule == ADAPTIVE:
            size = error_of_step(weights, step, rates, x, tolerances[0], tolerances[1])
            wanted = min(step * step_factor(size), tolerances[2])
            if not size <= 1.0:
                valid = step > SMALLEST_SHARE_OF_INTERVAL * plan.interval
                continue
        x = finished_step(rule, x, step, moved, rate, history)
        end_pushes(outputs, pushes, start)
        steps -= 1
        left = time_left(rule, left, step, steps * fixed)
        valid = is_within(through_water(x, water), vector6_at(row, ENVELOPE_START))
    for i in range(BODY_SIZE):
        state[i] = x[i]
    return valid


def held(rows: Array, k: int) -> int:
    """Which row is meant for interval k, or sheet for vehicle k: its own, or the only one there is."""
    return min(k, rows.shape[0] - 1)


def roll(row: Array, layout: Layout, plan: Plan, inputs: Inputs, decays: Array, work: Array, states: Array) -> int:
    """Walk through intervals of held inputs, from the first row of states on; the index of one that failed, or -1.

    Two rows of states are enough for the end of a run: the second is written over. A single row is both: it goes in as
    the start and comes out as the end.
    """
    last = states.shape[0] - 1
    for k in range(plan.intervals):
        state = states[min(k + 1, last)]
        if k < last:
            for i in range(state.size):
                state[i] = states[k, i]
        if not walk(row, layout, plan, inputs, k, decays, work, state):
            return k
    return FINISHED
