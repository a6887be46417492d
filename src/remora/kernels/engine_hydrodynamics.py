"""Water around the body of a rigid-body engine: one call per evaluation, on the engine's own arrays.

Written as plain Python and compiled by `kernels.compilation`. The memory holds, one after the other: the packed
vehicle, the hull as the engine knows it, the added mass that may be put into its inertia, q_NE, q_FB, the velocity of
the water in N, the place where pushes act, the time of the last commands, the lower triangle of the engine's inertia as
it was left, and for all actuators their outputs at the last commands, the targets to which these move, and room for the
outputs now.
"""

from typing import NamedTuple

from remora.equations.actuators.thrusters import lag_decay, lagged_output, rises
from remora.equations.algebra.elementary import maximum
from remora.equations.algebra.quaternions import normalize, product
from remora.equations.algebra.vectors import Matrix6
from remora.equations.engine import (
    direct_wrench,
    enlarged_wrench,
    inertia_to_engine,
    to_engine,
    twist_from_engine,
    wrench_from_push,
)
from remora.equations.packed import HULL_SIZE, hull_at, matrix6_at, vector3_at, vector6_at
from remora.equations.plant import actuator_lag_time
from remora.files.arrays import Array
from remora.kernels.entries import LAYOUT_SIZE, Integers, layout_at
from remora.kernels.layouts.array_views import carve
from remora.kernels.layouts.layout_types import common_layout

ENLARGE = LAYOUT_SIZE  # place in the codes: 1 when the added mass goes into the engine's inertia
PARAMETERS = ENLARGE + 1  # place in the codes: length of the packed vehicle
INERTIA_PLACES = ENLARGE + 2  # places in the codes: where the lower triangle of the engine's inertia is kept
TRIANGLE = 21


class Places(NamedTuple):
    """Where things are in the memory behind a packed vehicle of some length."""

    hull: int
    put_in: int
    q_NE: int
    q_FB: int
    water: int
    push: int
    time: int
    left: int
    outputs: int


def places(parameters: int) -> Places:
    """Where things are in the memory."""
    put_in = parameters + HULL_SIZE
    k = put_in + 36
    return Places(parameters, put_in, k, k + 4, k + 8, k + 11, k + 14, k + 15, k + 15 + TRIANGLE)


def memory_size(parameters: int, actuators: int) -> int:
    """Numbers in the memory."""
    return places(parameters).outputs + 3 * actuators


def outputs_now(memory: Array, codes: Integers, time: float) -> None:
    """Write the outputs of the actuators at a time after the last commands: exact lags."""
    layout, at = common_layout(layout_at(codes)), places(codes[PARAMETERS])
    count = layout.thrusters + layout.fins
    for i in range(count):
        output, target = memory[at.outputs + i], memory[at.outputs + count + i]
        lag = actuator_lag_time(memory, layout, i, rises(output, target))
        decay = lag_decay(maximum(time - memory[at.time], 0.0), lag)
        memory[at.outputs + 2 * count + i] = lagged_output(output, target, decay)


def holds(memory: Array, codes: Integers, inertia: Array) -> bool:
    """Whether the engine's inertia is still as it was left: the engine may evaluate twice without making it anew."""
    left, same = places(codes[PARAMETERS]).left, 0
    for k in range(TRIANGLE):
        same += inertia[codes[INERTIA_PLACES + k]] == memory[left + k]
    return same == TRIANGLE


def add_inertia(memory: Array, codes: Integers, added: Matrix6, inertia: Array) -> None:
    """Add the lower triangle of a matrix where the engine keeps that of its body."""
    left, k = places(codes[PARAMETERS]).left, 0
    for i in range(6):
        row = added[i]
        for j in range(i + 1):
            inertia[codes[INERTIA_PLACES + k]] += row[j]
            memory[left + k] = inertia[codes[INERTIA_PLACES + k]]
            k += 1


def submerge(
    memory: Array,
    codes: Integers,
    position: Array,
    speed: Array,
    time: float,
    pushed: Array,
    given: Array,
    inertia: Array,
) -> None:
    """Give a free body of an engine what the water does to it.

    Position is that of the origin in E and q_EF, speed that of the origin in E and the angular velocity in F. Without
    enlarging, the wrench is written to `given`, and scales what is pushed. With it, the wrench is added there and the
    added mass to the engine's inertia.
    """
    layout, at = common_layout(layout_at(codes)), places(codes[PARAMETERS])
    outputs_now(memory, codes, time)
    count = layout.thrusters + layout.fins
    outputs = carve(memory, at.outputs + 2 * count, (count,))
    engine = hull_at(carve(memory, at.hull, (HULL_SIZE,)))
    q_NE = (memory[at.q_NE], memory[at.q_NE + 1], memory[at.q_NE + 2], memory[at.q_NE + 3])
    q_FB = (memory[at.q_FB], memory[at.q_FB + 1], memory[at.q_FB + 2], memory[at.q_FB + 3])
    q_EB = product(normalize((position[3], position[4], position[5], position[6])), q_FB)
    q_NB = product(q_NE, q_EB)
    water = vector3_at(memory, at.water)
    twist = twist_from_engine(q_EB, q_FB, vector3_at(speed, 0), vector3_at(speed, 3))
    enlarge = codes[ENLARGE] == 1
    if enlarge:
        put_in = matrix6_at(memory, at.put_in)
        wrench = enlarged_wrench(memory, layout, engine, put_in, q_NB, twist, outputs, water)
        if not holds(memory, codes, inertia):
            add_inertia(memory, codes, inertia_to_engine(q_EB, q_FB, put_in), inertia)
    else:
        push = wrench_from_push(q_EB, vector3_at(memory, at.push), vector6_at(pushed, 0))
        wrench = direct_wrench(memory, layout, engine, q_NB, twist, outputs, water, push)
    force = to_engine(q_EB, q_FB, wrench)
    for i in range(6):
        given[i] = force[i] + (given[i] if enlarge else 0.0)
