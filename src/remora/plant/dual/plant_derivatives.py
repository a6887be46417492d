"""Derivatives of the plant with dual numbers: written as plain Python, compiled by `linearisation`.

One loop serves rates and steps, so there is one piece of machine code to compile. Derivatives are taken in error
coordinates: position in N, rotation vector about the body axes, twist, actuator states; then commands, external wrench
and velocity of the water.
"""

from typing import Any

import numpy as np

from remora.equations.algebra.pose import BODY_SIZE, with_unit_quaternion
from remora.equations.algebra.quaternions import conjugate, product
from remora.equations.algebra.vectors import vector6_at
from remora.equations.packed import (
    ENVELOPE_START,
    Layout,
    actuator_count,
    actuator_state_count,
    outputs_count,
    water_kind,
)
from remora.equations.types import Quaternion, Vector3
from remora.equations.water.local_water import WATER_SIZE, Water, water_from
from remora.files.arrays import Array
from remora.plant.arrays import array_view
from remora.plant.dual.dual_functions import SLOPES, dual_array, seeded, store_slopes, value_of
from remora.plant.entries import Integers
from remora.plant.layouts import LAYOUT_SIZE, basic_layout, layout_at
from remora.plant.loops import FINISHED, IntegrationPlan, state_after_impulse, weighted_rates
from remora.plant.stages import (
    StepArrays,
    WholeArrays,
    begin_outputs,
    body_state_at,
    end_outputs,
    fill_outputs,
    is_within,
    output_rate,
    through_water,
)

BODY_ERRORS = 12  # error coordinates of position, attitude and twist
OUTSIDE = 0  # the step left the vehicle's limits
NOT_FINITE = -4  # a value or a derivative is not finite
DUAL_SIZE = 1 + SLOPES


def memory_size(layout: Layout, stages: int, nodes: int) -> int:
    """Size of all arrays of dual numbers."""
    actuators, wide = actuator_count(layout), outputs_count(layout)
    inputs = BODY_SIZE + actuator_state_count(layout) + actuators + 6 + WATER_SIZE
    return DUAL_SIZE * (inputs + actuators + nodes * (wide + 6) + stages * BODY_SIZE)


def dual_work(row: Array, decays: Array, memory: Array, layout: Layout, stages: int) -> WholeArrays:
    """All arrays of dual numbers as views of one row of numbers."""
    actuators, nodes, wide = actuator_count(layout), decays.shape[2], outputs_count(layout)
    at_start = DUAL_SIZE * BODY_SIZE
    at_commands = at_start + DUAL_SIZE * actuator_state_count(layout)
    at_environment = at_commands + DUAL_SIZE * actuators
    at_targets = at_environment + DUAL_SIZE * (6 + WATER_SIZE)
    at_outputs = at_targets + DUAL_SIZE * actuators
    at_wrenches = at_outputs + DUAL_SIZE * nodes * wide
    of_actuators = StepArrays(
        row=row,
        start=dual_array(memory, at_start, (actuator_state_count(layout),)),
        commands=dual_array(memory, at_commands, (actuators,)),
        targets=dual_array(memory, at_targets, (actuators,)),
        decays=decays,
        outputs=dual_array(memory, at_outputs, (nodes, wide)),
        thruster_wrenches=dual_array(memory, at_wrenches, (nodes, 6)),
    )
    return WholeArrays(
        of_actuators,
        body=dual_array(memory, 0, (BODY_SIZE,)),
        environment=dual_array(memory, at_environment, (6 + WATER_SIZE,)),
        rates=dual_array(memory, at_wrenches + DUAL_SIZE * nodes * 6, (stages, BODY_SIZE)),
    )


def turned(q_NB: Quaternion, rotation: Vector3) -> Quaternion:
    """An attitude after a small rotation about the body axes; exact in value and first derivative at zero."""
    return product(q_NB, (1.0, 0.5 * rotation[0], 0.5 * rotation[1], 0.5 * rotation[2]))


def rotation_error(reference: Quaternion, q: Quaternion) -> Vector3:
    """Small rotation about the body axes from one attitude to another."""
    e = product(conjugate(reference), q)
    return (2.0 * e[1], 2.0 * e[2], 2.0 * e[3])


def rotation_error_rate(reference: Quaternion, reference_rate: Quaternion, q: Quaternion, rate: Quaternion) -> Vector3:
    """Rate of `rotation_error` when both attitudes move."""
    a, b = rotation_error(reference, rate), rotation_error(reference_rate, q)
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


def load_inputs(a: WholeArrays, inputs: Array, columns: Integers, first: int) -> None:
    """Fill body, actuators, commands and environment with the slopes of the directions from `first` on.

    The columns give the direction of each error coordinate of the inputs, negative where there is none.
    """
    q_NB = (inputs[3], inputs[4], inputs[5], inputs[6])
    # The rotation is zero and has slopes only, so that four numbers of a quaternion get three directions.
    small = (seeded(0.0, columns[3] - first), seeded(0.0, columns[4] - first), seeded(0.0, columns[5] - first))
    q = turned(q_NB, small)
    for i in range(3):
        a.body[i] = seeded(inputs[i], columns[i] - first)
    for i in range(4):
        a.body[3 + i] = q[i]
    for i in range(7, BODY_SIZE):
        # Thirteen numbers have twelve error coordinates: from the twist on the column is one less.
        a.body[i] = seeded(inputs[i], columns[i - 1] - first)
    at, column = BODY_SIZE, BODY_ERRORS
    for i in range(a.actuators.start.size):
        a.actuators.start[i] = seeded(inputs[at + i], columns[column + i] - first)
    at, column = at + a.actuators.start.size, column + a.actuators.start.size
    for i in range(a.actuators.commands.size):
        a.actuators.commands[i] = seeded(inputs[at + i], columns[column + i] - first)
    at, column = at + a.actuators.commands.size, column + a.actuators.commands.size
    for i in range(9):
        a.environment[i] = seeded(inputs[at + i], columns[column + i] - first)
    # Wrench and velocity of the water have directions; further numbers of varying water are constants.
    for i in range(9, inputs.size - at):
        a.environment[i] = inputs[at + i]


def started(a: WholeArrays, layout: Layout, stepping: bool, water: Water) -> Any:
    """The body state after the commands have been applied to the actuators."""
    begin_outputs(a.actuators, layout)
    x = body_state_at(a.body)
    if stepping and layout.moving_masses > 0:
        x = state_after_impulse(a.actuators.row, layout, x, water, a.actuators.start, a.actuators.outputs[0])
    return x


def rate_or_step(a: WholeArrays, layout: Layout, plan: IntegrationPlan, x: Any, water: Water, elapsed: float) -> Any:
    """The body state one step later, or its rate when the plan has no steps."""
    step, stepping = plan.interval, plan.steps > 0
    if stepping:
        fill_outputs(a.actuators, layout, plan.weights, step, x, water, elapsed)
    external = vector6_at(a.environment, 0)
    moved, rate = weighted_rates(a.actuators, layout, plan, a.rates, x, step, water, elapsed, external)
    if not stepping:
        return rate
    end_outputs(a.actuators.outputs, a.actuators.thruster_wrenches, a.actuators.start)
    return with_unit_quaternion(moved)


def actuator_rates(whole: WholeArrays, layout: Layout, water: Water) -> None:
    """Overwrite the actuator part of the state by its rate."""
    a = whole.actuators
    actuators, masses = actuator_count(layout), layout.moving_masses
    twist = through_water(body_state_at(whole.body), water, 0.0)
    for i in range(actuators):
        a.start[i] = output_rate(a.row, layout, a.outputs[0], i, a.targets[i], twist)
    for i in range(masses):
        a.start[actuators + i] = a.outputs[0, actuators + masses + i]


def attitude_rows(a: WholeArrays, x: Any, stepping: bool) -> Vector3:
    """Rotation error of the new attitude from its own value, or the rate of the error when x is a rate."""
    q = (x[3], x[4], x[5], x[6])
    values = (value_of(q[0]), value_of(q[1]), value_of(q[2]), value_of(q[3]))
    # From the value without its slopes: the error itself is zero, and its slopes are the derivative.
    if stepping:
        return rotation_error(values, q)
    before = (a.body[3], a.body[4], a.body[5], a.body[6])
    known = (value_of(before[0]), value_of(before[1]), value_of(before[2]), value_of(before[3]))
    return rotation_error_rate(known, values, before, q)


def store_values(a: WholeArrays, x: Any, result: Array) -> None:
    """Write the values of a state or a rate, and keep its body part."""
    for i in range(BODY_SIZE):
        a.body[i] = x[i]
    for i in range(BODY_SIZE):
        result[i] = value_of(a.body[i])
    for i in range(a.actuators.start.size):
        result[BODY_SIZE + i] = value_of(a.actuators.start[i])


def store_derivatives(a: WholeArrays, errors: Vector3, result: Array, first: int, padded: int) -> None:
    """Write the slopes of one group of directions after the values, row after row."""
    at = BODY_SIZE + a.actuators.start.size + first
    store_slopes(result, at + 3 * padded, errors[0])
    store_slopes(result, at + 4 * padded, errors[1])
    store_slopes(result, at + 5 * padded, errors[2])
    for i in range(3):
        store_slopes(result, at + i * padded, a.body[i])
    for i in range(7, BODY_SIZE):
        store_slopes(result, at + (i - 1) * padded, a.body[i])
    for i in range(a.actuators.start.size):
        store_slopes(result, at + (BODY_ERRORS + i) * padded, a.actuators.start[i])


def differentiate_group(
    a: WholeArrays, layout: Layout, plan: IntegrationPlan, kind: int, padded: int, first: int, result: Array
) -> int:
    """Derivatives in one group of directions, after `load_inputs`."""
    stepping = plan.steps > 0
    water = water_from(a.environment[6 : 6 + WATER_SIZE], kind)
    x = started(a, layout, stepping, water)
    for n in range(max(plan.steps, 1)):
        x = rate_or_step(a, layout, plan, x, water, n * plan.interval)
        if stepping and not is_within(
            through_water(x, water, (n + 1) * plan.interval), vector6_at(a.actuators.row, ENVELOPE_START)
        ):
            store_values(a, x, result)
            return OUTSIDE
    # Before `store_values`, which overwrites the body that attitude rows and actuator rates read.
    errors = attitude_rows(a, x, stepping)
    if not stepping:
        actuator_rates(a, layout, water)
    store_values(a, x, result)
    store_derivatives(a, errors, result, first, padded)
    return FINISHED


def are_finite(numbers: Array) -> bool:
    """Whether all numbers are finite; four sums at once, because one would wait for each addition."""
    a = b = c = d = 0.0
    whole = numbers.size // 4 * 4
    for i in range(0, whole, 4):
        a += numbers[i]
        b += numbers[i + 1]
        c += numbers[i + 2]
        d += numbers[i + 3]
    for i in range(whole, numbers.size):
        a += numbers[i]
    return abs((a + b) + (c + d)) < np.inf


def differentiate_with(layout: Layout, prepared: Array, codes: Integers, inputs: Array, result: Array) -> int:
    """Values and derivatives of a rate or of steps. Few arguments, because each costs time.

    The codes hold the layout, then the rule, the numbers of stages, nodes, parameters and directions, 1 for one step
    per prepared interval, the number of steps (0 for the rate), and the direction of each error coordinate. The
    prepared numbers are those of `entries.prepare`, with the memory of `memory_size` at their end. The inputs are
    state, commands, external wrench and water. Returns FINISHED, OUTSIDE with the state that left the limits, or
    NOT_FINITE.
    """
    k = LAYOUT_SIZE
    rule, stages, nodes, parameters, directions, steps = (
        codes[k], codes[k + 1], codes[k + 2], codes[k + 3], codes[k + 4], codes[k + 6],
    )  # fmt: skip
    columns = codes[k + 7 :]
    actuators = actuator_count(layout)
    at_tolerances = parameters + stages * (stages + 3)
    # Three tolerances, then the length of a step.
    at_decays = at_tolerances + 4
    weights = array_view(prepared, parameters, (stages + 3, stages))
    tolerances = array_view(prepared, at_tolerances, (3,))
    plan = IntegrationPlan(rule, weights, tolerances, prepared[at_decays - 1], steps, 1)
    decays = array_view(prepared, at_decays, (actuators, 2, nodes))
    memory = prepared[at_decays + 2 * actuators * nodes :]
    a = dual_work(array_view(prepared, 0, (parameters,)), decays, memory, layout, stages)
    kind = water_kind(layout, inputs.size - BODY_SIZE - actuator_state_count(layout) - actuators - 6)
    padded = (directions + SLOPES - 1) // SLOPES * SLOPES
    for first in range(0, padded, SLOPES):
        # Again for each group, because a step overwrites state and actuators.
        load_inputs(a, inputs, columns, first)
        if differentiate_group(a, layout, plan, kind, padded, first, result) != FINISHED:
            return OUTSIDE
    return FINISHED if are_finite(result) else NOT_FINITE


def differentiate(prepared: Array, codes: Integers, inputs: Array, result: Array) -> int:
    """Derivatives of a basic vehicle in a steady current; see `differentiate_with`."""
    return differentiate_with(basic_layout(layout_at(codes)), prepared, codes, inputs, result)


def differentiate_general(prepared: Array, codes: Integers, inputs: Array, result: Array) -> int:
    """Derivatives of a general vehicle in any water; see `differentiate_with`."""
    return differentiate_with(layout_at(codes), prepared, codes, inputs, result)
