"""Integration loops of one vehicle: written as plain Python, compiled by `plant.compilation`.

State of a vehicle in an array: thirteen numbers of the body, the outputs of its actuators, and the history of the
method. Inputs follow a zero-order hold over an interval, which is integrated in equal steps or by an adaptive method.
One call site of the rate serves all methods, so there is one piece of machine code to compile.
"""

from typing import NamedTuple

import numpy as np

from remora.equations.actuators.moving_mass_dynamics import twist_after_impulse
from remora.equations.algebra.kinematics import position_rate, quaternion_rate
from remora.equations.algebra.pose import BODY_SIZE, add_scaled, with_unit_quaternion
from remora.equations.algebra.vectors import add6, vector6_at
from remora.equations.packed import (
    ENVELOPE_START,
    Layout,
    actuator_count,
    actuator_state_count,
    outputs_count,
    water_kind,
)
from remora.equations.plant import applied_body_rate
from remora.equations.types import BodyState, Numbers, Vector6
from remora.equations.water.local_water import STEADY, Water, water_from
from remora.files.arrays import Array
from remora.plant.layouts import basic_layout, general_layout, layered_layout
from remora.plant.methods import ADAMS_BASHFORTH, ADAPTIVE, CHAINED_RUNGE_KUTTA, SEMI_IMPLICIT
from remora.plant.stages import (
    StepArrays,
    begin_outputs,
    body_state_at,
    end_outputs,
    error_size,
    fill_decays,
    fill_outputs,
    is_within,
    node_of_stage,
    through_water,
    time_of_stage,
    with_twist_of,
)


class IntegrationPlan(NamedTuple):
    """The integration method, and the intervals over which inputs are held."""

    rule: int
    weights: Array
    tolerances: Array  # relative, absolute, maximum step
    interval: float  # s
    steps: int  # per interval
    intervals: int


class RolloutInputs(NamedTuple):
    """Inputs of a vehicle: one row for all intervals or one for each; for many vehicles one sheet each."""

    commands: Array
    externals: Array
    waters: Array


SMALLEST_SHARE_OF_INTERVAL = 1e-9  # an adaptive step below this fraction of its interval is a failure
FINISHED = -1


def semi_implicit_state(x: BodyState, step: float, rate: BodyState) -> BodyState:
    """Semi-implicit Euler: velocity first, then the pose with the new velocity."""
    moved = add_scaled(x, step, rate)
    q_NB = (x[3], x[4], x[5], x[6])
    p = position_rate(q_NB, (moved[7], moved[8], moved[9]))
    q = quaternion_rate(q_NB, (moved[10], moved[11], moved[12]))
    pose_rate = (p[0], p[1], p[2], q[0], q[1], q[2], q[3], 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    return with_twist_of(add_scaled(x, step, pose_rate), moved)


def stage_state(
    rule: int, weights: Array, rates: Array, s: int, x: BodyState, last: BodyState, step: float
) -> BodyState:
    """State at a stage of a step, from the rates of the stages before it."""
    if s == 0:
        return x
    # A chained stage needs no rate but the one before it, so that none is stored.
    if rule == CHAINED_RUNGE_KUTTA:
        return add_scaled(x, step * weights[s, s - 1], last)
    stage = x
    for j in range(s):
        stage = add_scaled(stage, step * weights[s, j], body_state_at(rates[j]))
    return stage


def state_after_impulse(
    row: Array, layout: Layout, x: BodyState, water: Water, before: Numbers, outputs: Numbers
) -> BodyState:
    """The state after the impulse of moving masses whose speeds jump with a new command."""
    twist = (x[7], x[8], x[9], x[10], x[11], x[12])
    t = twist_after_impulse(row, layout, twist, through_water(x, water, 0.0)[2], before, outputs)
    return (x[0], x[1], x[2], x[3], x[4], x[5], x[6], t[0], t[1], t[2], t[3], t[4], t[5])


def even_step(left: float, proposed: float) -> float:
    """The proposed step, reduced so that the last two steps of an interval are equal."""
    # Without the margin a remainder that is longer by rounding alone would take two steps.
    if left <= proposed * (1.0 + 1e-12):
        return left
    return min(proposed, 0.5 * left)


def time_left(rule: int, left: float, step: float, fixed_left: float) -> float:
    """Remaining time of an interval after a step; fixed steps are counted, so that rounding does not accumulate."""
    if rule != ADAPTIVE:
        return fixed_left
    return left - step if step < left else 0.0


def step_factor(size: float) -> float:
    """Ratio of the next step to this one, from the scaled error of this one."""
    if size == 0.0:
        return 5.0
    if not size < np.inf:
        return 0.2
    # The estimate of a fifth-order pair grows as h^5. With 0.9 the next step is seldom rejected; 0.2 and 5 keep one bad
    # estimate from stopping the integration or from a leap.
    return float(min(5.0, max(0.2, 0.9 * size**-0.2)))


def weighted_rates(
    a: StepArrays,
    layout: Layout,
    plan: IntegrationPlan,
    rates: Array,
    x: BodyState,
    step: float,
    water: Water,
    elapsed: float,
    external: Vector6,
) -> tuple[BodyState, BodyState]:
    """Evaluate the stages of a step: the state advanced by their weighted rates, and the last rate."""
    rule, weights = plan.rule, plan.weights
    stages = weights.shape[1]
    # The first stage takes a rate too, and does not use it.
    rate = moved = x
    for s in range(stages):
        stage = stage_state(rule, weights, rates, s, x, rate, step)
        n = node_of_stage(weights, s)
        # Thrusters that do not see the inflow were summed once per node, since stages may share one.
        applied = add6(external, vector6_at(a.thruster_wrenches[n], 0))
        now = elapsed
        if water.kind > STEADY:
            now = elapsed + step * time_of_stage(weights, s)
        rate = applied_body_rate(a.row, layout, stage, a.outputs[n], water, now, applied)
        moved = add_scaled(moved, step * weights[stages, s], rate)
        if rule != CHAINED_RUNGE_KUTTA:
            for i in range(BODY_SIZE):
                rates[s, i] = rate[i]
    return moved, rate


def error_of_step(weights: Array, step: float, rates: Array, x: BodyState, relative: float, absolute: float) -> float:
    """Estimated local error of a step, scaled by its tolerance."""
    stages = weights.shape[1]
    error = add_scaled(x, -1.0, x)
    for s in range(stages):
        error = add_scaled(error, step * weights[stages + 1, s], body_state_at(rates[s]))
    return error_size(error, x, relative, absolute)


def finished_step(rule: int, x: BodyState, step: float, moved: BodyState, rate: BodyState, history: Array) -> BodyState:
    """The state after a step, for the rules that do more than sum their stages."""
    if rule == SEMI_IMPLICIT:
        moved = semi_implicit_state(x, step, rate)
    if rule == ADAMS_BASHFORTH:
        # The first step has no rate before it and stays the Euler step of its single stage.
        if history[0] == 1.0:
            moved = add_scaled(add_scaled(x, 1.5 * step, rate), -0.5 * step, body_state_at(history[1:]))
        history[0] = 1.0
        for i in range(BODY_SIZE):
            history[1 + i] = rate[i]
    return with_unit_quaternion(moved)


def integrate(
    row: Array,
    layout: Layout,
    plan: IntegrationPlan,
    inputs: RolloutInputs,
    k: int,
    decays: Array,
    work: Array,
    state: Array,
) -> bool:
    """Integrate one vehicle over one interval of held inputs, in place; False when a speed left its limits."""
    rule, weights, tolerances = plan.rule, plan.weights, plan.tolerances
    nodes, actuators, carried = decays.shape[2], actuator_count(layout), actuator_state_count(layout)
    rates, history = work[2 * nodes + 1 :, :BODY_SIZE], state[BODY_SIZE + carried :]
    a = StepArrays(
        row,
        start=state[BODY_SIZE : BODY_SIZE + carried],
        commands=inputs.commands[held_index(inputs.commands, k)],
        targets=work[0, :actuators],
        decays=decays,
        outputs=work[1 : nodes + 1, : outputs_count(layout)],
        thruster_wrenches=work[nodes + 1 : 2 * nodes + 1, :6],
    )
    # A single row of commands is applied once; later intervals go on from the outputs of the last step.
    new_commands = k == 0 or inputs.commands.shape[0] > 1
    if new_commands:
        begin_outputs(a, layout)
    external = vector6_at(inputs.externals[held_index(inputs.externals, k)], 0)
    water = water_from(inputs.waters[held_index(inputs.waters, k)], water_kind(layout, inputs.waters.shape[1]))
    x = body_state_at(state)
    if new_commands and layout.moving_masses > 0:
        x = state_after_impulse(row, layout, x, water, a.start, a.outputs[0])
    left, steps, fixed = plan.interval, plan.steps, plan.interval / plan.steps
    # No step is carried over from the interval before, so that a run in pieces takes the steps of the whole.
    proposed = min(plan.interval, tolerances[2])
    valid = True
    while valid and left > 0.0:
        step = fixed
        if rule == ADAPTIVE:
            step = even_step(left, proposed)
            fill_decays(row, layout, weights, step, decays)
        elapsed = plan.interval - left
        fill_outputs(a, layout, weights, step, x, water, elapsed)
        moved, rate = weighted_rates(a, layout, plan, rates, x, step, water, elapsed, external)
        if rule == ADAPTIVE:
            size = error_of_step(weights, step, rates, x, tolerances[0], tolerances[1])
            proposed = min(step * step_factor(size), tolerances[2])
            # Also for NaN. Nothing was stored yet: the next try starts from the same state and outputs.
            if not size <= 1.0:
                valid = step > SMALLEST_SHARE_OF_INTERVAL * plan.interval
                continue
        x = finished_step(rule, x, step, moved, rate, history)
        end_outputs(a.outputs, a.thruster_wrenches, a.start)
        steps -= 1
        left = time_left(rule, left, step, steps * fixed)
        # At the end of steps only, as single stages may lie outside; NaN is outside as well.
        valid = is_within(through_water(x, water, plan.interval - left), vector6_at(row, ENVELOPE_START))
    for i in range(BODY_SIZE):
        state[i] = x[i]
    return valid


def held_index(rows: Array, k: int) -> int:
    """Index of the row for interval k, or of the sheet for vehicle k: its own, or the only one."""
    return min(k, rows.shape[0] - 1)


def rollout_intervals(
    row: Array, layout: Layout, plan: IntegrationPlan, inputs: RolloutInputs, decays: Array, work: Array, states: Array
) -> int:
    """Integrate over all intervals, from the first row of states on; the index of the one that failed, or FINISHED.

    With two rows of states the second holds the latest state. A single row is the start and is overwritten by the end.
    """
    last = states.shape[0] - 1
    for k in range(plan.intervals):
        state = states[min(k + 1, last)]
        if k < last:
            for i in range(state.size):
                state[i] = states[k, i]
        if not integrate(row, layout, plan, inputs, k, decays, work, state):
            return k
    return FINISHED


def rollout_basic(
    row: Array, layout: Layout, plan: IntegrationPlan, inputs: RolloutInputs, decays: Array, work: Array, states: Array
) -> int:
    """Roll out a basic vehicle in steady water."""
    return rollout_intervals(row, basic_layout(layout), plan, inputs, decays, work, states)


def rollout_layered(
    row: Array, layout: Layout, plan: IntegrationPlan, inputs: RolloutInputs, decays: Array, work: Array, states: Array
) -> int:
    """Roll out a basic vehicle in a layered current."""
    return rollout_intervals(row, layered_layout(layout), plan, inputs, decays, work, states)


def rollout_general(
    row: Array, layout: Layout, plan: IntegrationPlan, inputs: RolloutInputs, decays: Array, work: Array, states: Array
) -> int:
    """Roll out a general vehicle in any water."""
    return rollout_intervals(row, general_layout(layout), plan, inputs, decays, work, states)
