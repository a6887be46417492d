"""Entry points of compiled code: each takes plain arrays, in one order and one type, and calls the loops.

They allocate nothing: work space for decays of lags and stage rates is an argument.
"""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from remora.equations.actuators.response import actuator_target
from remora.equations.algebra.pose import BODY_SIZE
from remora.equations.algebra.quaternions import squared_norm
from remora.equations.packed import Layout, actuator_count, actuator_state_count, outputs_count, water_kind
from remora.equations.plant import body_rate_in_water
from remora.equations.water.local_water import SIZES, water_from
from remora.files.arrays import Array
from remora.plant.arrays import array_view
from remora.plant.layouts import LAYOUT_SIZE, layout_at
from remora.plant.loops import IntegrationPlan, RolloutInputs, held_index
from remora.plant.stages import body_state_at, fill_decays, output_rate, store_moving_mass_rates, through_water

Integers = NDArray[np.int64]
Rollout: TypeAlias = Callable[[Array, Layout, IntegrationPlan, RolloutInputs, Array, Array, Array], int]
UNUSABLE = -2  # an input of `step_once` has the wrong size or holds an invalid number
QUATERNION_TOLERANCE = 1e-6  # of the length of an input quaternion


def rollout_many_with(rollout: Rollout) -> Callable[..., None]:
    """Entry point that rolls out the vehicles from first to last, each with its own parameters."""

    def rollout_many(
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
        layout, plan = layout_at(codes), IntegrationPlan(rule, weights, tolerances, interval, steps, count)
        for i in range(first, last):
            row = rows[i]
            fill_decays(row, layout, plan.weights, plan.interval / plan.steps, decays)
            # Inputs with one sheet apply to all.
            inputs = RolloutInputs(
                commands[held_index(commands, i)], externals[held_index(externals, i)], waters[held_index(waters, i)]
            )
            failures[i] = rollout(row, layout, plan, inputs, decays, work, states[i])

    return rollout_many


def step_once_with(rollout: Rollout) -> Callable[..., int]:
    """Entry point that steps one vehicle; see `step_with`."""

    def step_once(prepared: Array, codes: Integers, state: Array, commands: Array, environment: Array) -> int:
        return step_with(rollout, prepared, codes, state, commands, environment)

    return step_once


def rate_with(kind: Callable[[Layout], Layout]) -> Callable[..., None]:
    """Entry point for the rate of a state; see `store_rate`."""

    def rate(row: Array, codes: Integers, state: Array, inputs: Array, outputs: Array, result: Array) -> None:
        store_rate(row, kind(layout_at(codes)), state, inputs, outputs, result)

    return rate


def prepared_size(layout: Layout, parameters: int, stages: int, nodes: int) -> int:
    """Size of the prepared numbers of `step_once`: row, weights, tolerances, interval, decays, work space."""
    fixed = parameters + stages * (stages + 3) + 4
    return fixed + 2 * actuator_count(layout) * nodes + work_width(layout) * (2 * nodes + stages + 1)


def work_width(layout: Layout) -> int:
    """Length of the rows of the work space."""
    return max(BODY_SIZE, outputs_count(layout))


def prepare(prepared: Array, codes: Integers, parameters: int, stages: int, nodes: int) -> None:
    """Fill the decays in the prepared numbers of `step_once`, after row, weights and interval."""
    layout = layout_at(codes)
    actuators = actuator_count(layout)
    weights = array_view(prepared, parameters, (stages + 3, stages))
    at_decays = parameters + weights.size + 4
    decays = array_view(prepared, at_decays, (actuators, 2, nodes))
    fill_decays(prepared[:parameters], layout, weights, prepared[at_decays - 1] / codes[LAYOUT_SIZE + 5], decays)


def is_usable(state: Array, commands: Array, environment: Array) -> bool:
    """Whether all numbers are finite and the quaternion has unit length."""
    total = 0.0
    for i in range(state.size):
        total += state[i]
    for i in range(commands.size):
        total += commands[i]
    for i in range(environment.size):
        total += environment[i]
    length = squared_norm((state[3], state[4], state[5], state[6]))
    return abs(total) < np.inf and abs(length - 1.0) < 2.0 * QUATERNION_TOLERANCE


def fits_environment(size: int) -> bool:
    """Whether this is the size of an external wrench and water of some kind."""
    return size - 6 in SIZES


def step_with(
    rollout: Rollout, prepared: Array, codes: Integers, state: Array, commands: Array, environment: Array
) -> int:
    """One interval of one vehicle, in place. Few arguments, because each costs time.

    The codes hold the layout, then the rule, the numbers of stages, nodes and parameters, the size of the state, and
    the number of steps in the interval. The environment is the external wrench followed by the water, of one of the
    `SIZES`. Returns FINISHED, 0 when the interval failed, or UNUSABLE.
    """
    layout, k = layout_at(codes), LAYOUT_SIZE
    rule, stages, nodes, parameters = codes[k], codes[k + 1], codes[k + 2], codes[k + 3]
    actuators = actuator_count(layout)
    if state.size != codes[k + 4] or commands.size != actuators or not fits_environment(environment.size):
        return UNUSABLE
    if not is_usable(state, commands, environment):
        return UNUSABLE
    at_tolerances = parameters + stages * (stages + 3)
    at_decays = at_tolerances + 4
    weights, tolerances = (
        array_view(prepared, parameters, (stages + 3, stages)),
        array_view(prepared, at_tolerances, (3,)),
    )
    plan = IntegrationPlan(rule, weights, tolerances, prepared[at_tolerances + 3], codes[k + 5], 1)
    wrench_and_water = array_view(environment, 0, (1, 6)), array_view(environment, 6, (1, environment.size - 6))
    return rollout(
        array_view(prepared, 0, (parameters,)),
        layout,
        plan,
        RolloutInputs(array_view(commands, 0, (1, actuators)), wrench_and_water[0], wrench_and_water[1]),
        array_view(prepared, at_decays, (actuators, 2, nodes)),
        array_view(prepared, at_decays + 2 * actuators * nodes, (2 * nodes + stages + 1, work_width(layout))),
        array_view(state, 0, (1, state.size)),
    )


def store_rate(row: Array, layout: Layout, state: Array, inputs: Array, outputs: Array, result: Array) -> None:
    """Write the rate of a state: body, then actuator outputs.

    The inputs are external wrench, commands and water; the outputs are work space.
    """
    actuators = actuator_count(layout)
    kind = water_kind(layout, inputs.size - actuators - 6)
    water = water_from(inputs[6 + actuators :], kind)
    external = (inputs[0], inputs[1], inputs[2], inputs[3], inputs[4], inputs[5])
    x = body_state_at(state)
    twist = through_water(x, water, 0.0)
    targets, rates = result[:actuators], result[BODY_SIZE:]
    for i in range(actuators):
        targets[i] = actuator_target(row, layout, i, inputs[6 + i])
        outputs[i] = state[BODY_SIZE + i]
    store_moving_mass_rates(row, layout, targets, outputs)
    for i in range(actuator_state_count(layout) - actuators):
        rates[actuators + i] = outputs[actuators + layout.moving_masses + i]
    for i in range(actuators):
        rates[i] = output_rate(row, layout, outputs, i, actuator_target(row, layout, i, inputs[6 + i]), twist)
    body = body_rate_in_water(row, layout, x, outputs, water, 0.0, external)
    for i in range(BODY_SIZE):
        result[i] = body[i]
