"""Actuators and loads of all bodies of a linked system at the stage times of an RK4 step. Plain Python, compiled."""

from typing import NamedTuple

from remora.equations.algebra.pose import BODY_SIZE, pose_of
from remora.equations.algebra.quaternions import rotation_matrix
from remora.equations.algebra.vectors import add6, blocks, matvec6, vector6_at
from remora.equations.packed import (
    ENVELOPE_START,
    Layout,
    actuator_count,
    actuator_state_count,
    outputs_count,
    water_kind,
)
from remora.equations.plant import applied_twist_rate, body_inertia
from remora.equations.types import BodyState, Numbers, Wrench
from remora.equations.water.local_water import Water, water_from
from remora.files.arrays import Array
from remora.plant.arrays import array_view
from remora.plant.layouts import LAYOUT_SIZE, basic_layout, layout_at
from remora.plant.loops import FINISHED, state_after_impulse
from remora.plant.methods import RK4
from remora.plant.multibody.solvers.memory import (
    ACTUATORS,
    BODIES,
    CARRIED,
    CODES,
    COMMANDS,
    EXTERNALS,
    FORCE,
    FREE_ACCELERATION,
    LOAD_BLOCKS,
    LOAD_SIZE,
    LOADS,
    ROTATION,
    ROWS,
    SETTINGS,
    STEP,
    WATER,
    WATERS,
    WEIGHTS,
    Integers,
    X,
    put6,
    put_matrix3,
)
from remora.plant.stages import (
    StepArrays,
    begin_outputs,
    body_state_at,
    end_outputs,
    fill_decays,
    fill_outputs,
    is_within,
    through_water,
)

STAGES = RK4.nodes  # distinct stage times
WEIGHT_ROWS, WEIGHT_COLUMNS = RK4.weights.shape
# Columns after the layout codes of a body: where its numbers start in their regions.
ROW, ROW_SIZE, COMMAND, CARRY, MEMORY, BODY_CODES = (LAYOUT_SIZE + i for i in range(6))


class ActuatorOffsets(NamedTuple):
    """Where the work space of the actuators of one body starts, and its sizes; compiled code cannot return views."""

    targets: int
    outputs: int
    wrenches: int
    decays: int
    start: int
    actuators: int
    width: int  # of the outputs
    states: int


def memory_size(layout: Layout) -> int:
    """Size of the actuator work space of one body."""
    return actuator_count(layout) * (1 + 2 * STAGES) + STAGES * (outputs_count(layout) + 6)


def actuator_offsets(codes: Integers, own: Integers, layout: Layout) -> ActuatorOffsets:
    """Offsets of the actuators of a body, from the head of the system and the codes of the body."""
    a, o, k = actuator_count(layout), outputs_count(layout), codes[ACTUATORS] + own[MEMORY]
    wrenches = k + a + STAGES * o
    start = codes[CARRIED] + own[CARRY]
    return ActuatorOffsets(k, k + a, wrenches, wrenches + STAGES * 6, start, a, o, actuator_state_count(layout))


def water_of(codes: Integers, memory: Array, layout: Layout, i: int) -> Water:
    """The water around a body."""
    size = codes[WATER]
    return water_from(array_view(memory, codes[WATERS] + size * i, (size,)), water_kind(layout, size))


def begin_actuators(codes: Integers, memory: Array) -> bool:
    """Apply the commands to all actuators; whether moving masses changed the velocity of a body."""
    struck, n = False, codes[BODIES]
    bodies, x = array_view(codes, codes[CODES], (n, BODY_CODES)), array_view(memory, codes[X], (n, BODY_SIZE))
    weights = array_view(memory, codes[WEIGHTS], (WEIGHT_ROWS, WEIGHT_COLUMNS))
    for i in range(n):
        own = bodies[i]
        layout = layout_at(own)
        row = array_view(memory, codes[ROWS] + own[ROW], (own[ROW_SIZE],))
        at = actuator_offsets(codes, own, layout)
        a = StepArrays(
            row,
            start=array_view(memory, at.start, (at.states,)),
            commands=array_view(memory, codes[COMMANDS] + own[COMMAND], (at.actuators,)),
            targets=array_view(memory, at.targets, (at.actuators,)),
            decays=array_view(memory, at.decays, (at.actuators, 2, STAGES)),
            outputs=array_view(memory, at.outputs, (STAGES, at.width)),
            thruster_wrenches=array_view(memory, at.wrenches, (STAGES, 6)),
        )
        fill_decays(row, layout, weights, memory[codes[SETTINGS] + STEP], a.decays)
        begin_outputs(a, layout)
        if layout.moving_masses > 0:
            water = water_of(codes, memory, layout, i)
            after = state_after_impulse(row, layout, body_state_at(x[i]), water, a.start, a.outputs[0])
            for j in range(BODY_SIZE):
                x[i, j] = after[j]
            struck = True
    return struck


def advance_actuators(codes: Integers, memory: Array, elapsed: float) -> None:
    """Outputs of all actuators at the stage times of a step."""
    n, h = codes[BODIES], memory[codes[SETTINGS] + STEP]
    bodies, x = array_view(codes, codes[CODES], (n, BODY_CODES)), array_view(memory, codes[X], (n, BODY_SIZE))
    weights = array_view(memory, codes[WEIGHTS], (WEIGHT_ROWS, WEIGHT_COLUMNS))
    for i in range(n):
        own = bodies[i]
        layout = layout_at(own)
        at = actuator_offsets(codes, own, layout)
        if at.actuators == 0:
            continue
        row = array_view(memory, codes[ROWS] + own[ROW], (own[ROW_SIZE],))
        a = StepArrays(
            row,
            start=array_view(memory, at.start, (at.states,)),
            commands=array_view(memory, codes[COMMANDS] + own[COMMAND], (at.actuators,)),
            targets=array_view(memory, at.targets, (at.actuators,)),
            decays=array_view(memory, at.decays, (at.actuators, 2, STAGES)),
            outputs=array_view(memory, at.outputs, (STAGES, at.width)),
            thruster_wrenches=array_view(memory, at.wrenches, (STAGES, 6)),
        )
        water, state = water_of(codes, memory, layout, i), body_state_at(x[i])
        fill_outputs(a, layout, weights, h, state, water, elapsed)


def end_actuators(codes: Integers, memory: Array) -> None:
    """Start the next step with the outputs at the end of this one."""
    bodies = array_view(codes, codes[CODES], (codes[BODIES], BODY_CODES))
    for i in range(codes[BODIES]):
        at = actuator_offsets(codes, bodies[i], layout_at(bodies[i]))
        if at.actuators > 0:
            outputs = array_view(memory, at.outputs, (STAGES, at.width))
            wrenches = array_view(memory, at.wrenches, (STAGES, 6))
            end_outputs(outputs, wrenches, array_view(memory, at.start, (at.states,)))


def store_load(
    row: Array,
    layout: Layout,
    x: BodyState,
    outputs: Numbers,
    water: Water,
    elapsed: float,
    applied: Wrench,
    load: Array,
) -> None:
    """Write rotation matrix, inertia, force and unconstrained acceleration of a body.

    The force is the inertia times the acceleration without links: every feature of a vehicle enters as it does alone.
    """
    place, twist = pose_of(x), (x[7], x[8], x[9], x[10], x[11], x[12])
    a = applied_twist_rate(row, layout, place, twist, outputs, water, elapsed, applied)
    inertia = body_inertia(row, layout, x, outputs, water, elapsed)
    A, B, _, D = blocks(inertia)
    put_matrix3(load, ROTATION, rotation_matrix(place.q_NB))
    put_matrix3(load, LOAD_BLOCKS, A)
    put_matrix3(load, LOAD_BLOCKS + 9, B)
    put_matrix3(load, LOAD_BLOCKS + 18, D)
    put6(load, FORCE, matvec6(inertia, a))
    put6(load, FREE_ACCELERATION, a)


def fill_loads_basic(codes: Integers, memory: Array, at_x: int, node: int, elapsed: float) -> None:
    """Loads of basic vehicles in steady water at a node of a step."""
    n = codes[BODIES]
    bodies, x = array_view(codes, codes[CODES], (n, BODY_CODES)), array_view(memory, at_x, (n, BODY_SIZE))
    externals, loads = array_view(memory, codes[EXTERNALS], (n, 6)), array_view(memory, codes[LOADS], (n, LOAD_SIZE))
    for i in range(n):
        own = bodies[i]
        at = actuator_offsets(codes, own, layout_at(own))
        outputs = array_view(memory, at.outputs + node * at.width, (at.width,))
        row = array_view(memory, codes[ROWS] + own[ROW], (own[ROW_SIZE],))
        layout = basic_layout(layout_at(own))
        water = water_of(codes, memory, layout, i)
        applied = add6(vector6_at(externals[i], 0), vector6_at(memory, at.wrenches + 6 * node))
        store_load(row, layout, body_state_at(x[i]), outputs, water, elapsed, applied, loads[i])


def fill_loads_general(codes: Integers, memory: Array, at_x: int, node: int, elapsed: float) -> None:
    """Loads of any vehicles in any water at a node of a step."""
    n = codes[BODIES]
    bodies, x = array_view(codes, codes[CODES], (n, BODY_CODES)), array_view(memory, at_x, (n, BODY_SIZE))
    externals, loads = array_view(memory, codes[EXTERNALS], (n, 6)), array_view(memory, codes[LOADS], (n, LOAD_SIZE))
    for i in range(n):
        own = bodies[i]
        layout = layout_at(own)
        at = actuator_offsets(codes, own, layout)
        outputs = array_view(memory, at.outputs + node * at.width, (at.width,))
        row = array_view(memory, codes[ROWS] + own[ROW], (own[ROW_SIZE],))
        water = water_of(codes, memory, layout, i)
        applied = add6(vector6_at(externals[i], 0), vector6_at(memory, at.wrenches + 6 * node))
        store_load(row, layout, body_state_at(x[i]), outputs, water, elapsed, applied, loads[i])


def first_outside(codes: Integers, memory: Array, elapsed: float) -> int:
    """Index of the first body outside its envelope, or FINISHED."""
    n = codes[BODIES]
    bodies, x = array_view(codes, codes[CODES], (n, BODY_CODES)), array_view(memory, codes[X], (n, BODY_SIZE))
    for i in range(n):
        water = water_of(codes, memory, layout_at(bodies[i]), i)
        limits = vector6_at(memory, codes[ROWS] + bodies[i, ROW] + ENVELOPE_START)
        if not is_within(through_water(body_state_at(x[i]), water, elapsed), limits):
            return i
    return FINISHED
