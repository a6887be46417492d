"""Hydrodynamics of a body in a rigid-body engine: one call per evaluation, on the engine's own arrays.

Plain Python, compiled on first use. The memory holds, in this order: the packed vehicle, the hull as the
engine models it, the added mass that may be added to its inertia, q_NE, q_FB, the velocity of the water in N, the point
where the engine's wrench acts, the time of the last commands, the lower triangle of the engine's inertia after the last
change, and for all actuators their outputs at the last commands, their targets, and their present outputs.
"""

import sys
from functools import lru_cache
from typing import Any, NamedTuple

import numba
from numba import float64, int64, void

from remora.equations.actuators.response import actuator_lag_time
from remora.equations.actuators.thrusters import lag_decay, lagged_output, rises
from remora.equations.algebra.elementary import maximum
from remora.equations.algebra.quaternions import normalize, product
from remora.equations.algebra.vectors import matrix6_at, vector3_at, vector6_at
from remora.equations.engine import (
    direct_wrench,
    inertia_to_engine,
    to_engine,
    twist_from_engine,
    wrench_for_added_inertia,
    wrench_from_engine,
)
from remora.equations.packed import HULL_SIZE, hull_at
from remora.equations.types import Matrix6
from remora.files.arrays import Array
from remora.plant import registration
from remora.plant.arrays import array_view
from remora.plant.compilation import from_cache, kernels
from remora.plant.entries import Integers
from remora.plant.layouts import LAYOUT_SIZE, basic_layout, layout_at

ADD_INERTIA = LAYOUT_SIZE  # index in the codes: 1 when the added mass goes into the engine's inertia
PARAMETERS = ADD_INERTIA + 1  # index in the codes: length of the packed vehicle
INERTIA_INDICES = ADD_INERTIA + 2  # start in the codes: indices of the lower triangle of the engine's inertia
TRIANGLE = 21


class EngineMemory(NamedTuple):
    """Start of each block in the memory, after the packed vehicle."""

    hull: int
    added_inertia: int
    q_NE: int
    q_FB: int
    water: int
    wrench_point: int
    time: int
    last_inertia: int
    outputs: int


def engine_memory(parameters: int) -> EngineMemory:
    """Start of each block in the memory, for a packed vehicle of this length."""
    added_inertia = parameters + HULL_SIZE
    k = added_inertia + 36
    return EngineMemory(parameters, added_inertia, k, k + 4, k + 8, k + 11, k + 14, k + 15, k + 15 + TRIANGLE)


def memory_size(parameters: int, actuators: int) -> int:
    """Size of the memory."""
    return engine_memory(parameters).outputs + 3 * actuators


def update_outputs(memory: Array, codes: Integers, time: float) -> None:
    """Update the outputs of the actuators to a time after the last commands: exact lags."""
    layout, at = basic_layout(layout_at(codes)), engine_memory(codes[PARAMETERS])
    count = layout.thrusters + layout.fins
    for i in range(count):
        output, target = memory[at.outputs + i], memory[at.outputs + count + i]
        lag = actuator_lag_time(memory, layout, i, rises(output, target))
        decay = lag_decay(maximum(time - memory[at.time], 0.0), lag)
        memory[at.outputs + 2 * count + i] = lagged_output(output, target, decay)


def inertia_is_unchanged(memory: Array, codes: Integers, inertia: Array) -> bool:
    """Whether the engine still holds the inertia of the last change: it may evaluate twice without resetting it."""
    last, same = engine_memory(codes[PARAMETERS]).last_inertia, 0
    for k in range(TRIANGLE):
        same += inertia[codes[INERTIA_INDICES + k]] == memory[last + k]
    return same == TRIANGLE


def add_inertia(memory: Array, codes: Integers, added: Matrix6, inertia: Array) -> None:
    """Add the lower triangle of a matrix to the engine's inertia of the body."""
    last, k = engine_memory(codes[PARAMETERS]).last_inertia, 0
    for i in range(6):
        row = added[i]
        for j in range(i + 1):
            inertia[codes[INERTIA_INDICES + k]] += row[j]
            memory[last + k] = inertia[codes[INERTIA_INDICES + k]]
            k += 1


def apply_hydrodynamics(
    memory: Array,
    codes: Integers,
    position: Array,
    speed: Array,
    time: float,
    applied: Array,
    given: Array,
    inertia: Array,
) -> None:
    """Apply the hydrodynamic wrench to a free body of an engine.

    The position is that of the origin in E and q_EF, the speed that of the origin in E and the angular velocity in F.
    By default the wrench is written to `given` and scales the wrench `applied` by the engine. With ADD_INERTIA the
    wrench is added to `given` and the added mass to the engine's inertia.
    """
    layout, at = basic_layout(layout_at(codes)), engine_memory(codes[PARAMETERS])
    update_outputs(memory, codes, time)
    count = layout.thrusters + layout.fins
    outputs = array_view(memory, at.outputs + 2 * count, (count,))
    engine = hull_at(array_view(memory, at.hull, (HULL_SIZE,)))
    q_NE = (memory[at.q_NE], memory[at.q_NE + 1], memory[at.q_NE + 2], memory[at.q_NE + 3])
    q_FB = (memory[at.q_FB], memory[at.q_FB + 1], memory[at.q_FB + 2], memory[at.q_FB + 3])
    q_EB = product(normalize((position[3], position[4], position[5], position[6])), q_FB)
    q_NB = product(q_NE, q_EB)
    water = vector3_at(memory, at.water)
    twist = twist_from_engine(q_EB, q_FB, vector3_at(speed, 0), vector3_at(speed, 3))
    adds_inertia = codes[ADD_INERTIA] == 1
    if adds_inertia:
        added_inertia = matrix6_at(memory, at.added_inertia)
        wrench = wrench_for_added_inertia(memory, layout, engine, added_inertia, q_NB, twist, outputs, water)
        if not inertia_is_unchanged(memory, codes, inertia):
            add_inertia(memory, codes, inertia_to_engine(q_EB, q_FB, added_inertia), inertia)
    else:
        external = wrench_from_engine(q_EB, vector3_at(memory, at.wrench_point), vector6_at(applied, 0))
        wrench = direct_wrench(memory, layout, engine, q_NB, twist, outputs, water, external)
    force = to_engine(q_EB, q_FB, wrench)
    for i in range(6):
        given[i] = force[i] + (given[i] if adds_inertia else 0.0)


_row = float64[::1]
SIGNATURE = void(_row, int64[::1], _row, _row, float64, _row, _row, _row)


def _entry_point(cached: dict[str, Any]) -> Any:
    """Compile or load the entry point; a call is too short to release the interpreter's lock."""
    names = ("memory_size", "apply_hydrodynamics", "_entry_point")
    registration.register_functions(sys.modules[__name__], without=names)
    return numba.njit(SIGNATURE, **{**cached, "nogil": False})(apply_hydrodynamics)


@lru_cache(maxsize=1)
def engine_hydrodynamics_kernel() -> Any:
    """The kernel that adds hydrodynamics to a body of a rigid-body engine."""
    kernels()
    return from_cache("the equations for other engines", _entry_point)
