"""Integration of linked bodies: RK4 at a fixed step and projection on the links. Plain Python, compiled.

All numbers are in the two arrays of `memory.SystemMemory`; nothing is allocated. Numba optimises the code of every
callee again in each caller. Calls of separately compiled pieces by address keep the parts of a step apart, so that they
compile in seconds, and only those that a system needs.
"""

# Numba's internals are untyped.
# mypy: disable-error-code="untyped-decorator, no-untyped-call"

from typing import Any

import numba.extending
from llvmlite import ir
from numba import types
from numba.np.arrayobj import make_array, populate_array

from remora.equations.algebra.kinematics import position_rate, quaternion_rate
from remora.equations.algebra.pose import BODY_SIZE, with_unit_quaternion
from remora.equations.algebra.quaternions import product, rotation_matrix
from remora.equations.algebra.vectors import (
    add3,
    angular,
    cross,
    linear,
    matvec3,
    scale3,
    subtract3,
    transpose3,
    vector3_at,
)
from remora.equations.links.joint import ACCELERATION, LINK_SIZE, POSITION, VELOCITY, latch_wrench, link_at
from remora.files.arrays import Array
from remora.plant.arrays import array_view
from remora.plant.loops import FINISHED
from remora.plant.multibody.solvers.linked_actuators import end_actuators, first_outside
from remora.plant.multibody.solvers.memory import (
    ADVANCE_ADDRESS,
    BEGIN_ADDRESS,
    BODIES,
    EVERY,
    FIXED,
    FORCE,
    LATCH_ENDS,
    LATCH_RECORDS,
    LATCHES,
    LINKED,
    LOAD_SIZE,
    LOADS,
    LOADS_ADDRESS,
    LOOP_BODIES,
    LOOPS_ADDRESS,
    MOTION,
    RATES,
    REACHED,
    ROTATION,
    SETTINGS,
    STAGE,
    STEP,
    STEPS,
    TOTAL,
    TREE_ADDRESS,
    Integers,
    LinkedPair,
    X,
    accumulate3,
    put3,
    put_matrix3,
)
from remora.plant.multibody.solvers.tree_solver import joint_between
from remora.plant.stages import body_state_at

_intrinsic: Any = numba.extending.intrinsic
# Integers and floats of the system, start of the states, a number (level or node), time since the inputs were set.
SIGNATURE = types.float64(
    types.CPointer(types.int64), types.CPointer(types.float64), types.int64, types.int64, types.float64
)
_DOUBLE, _WORD = ir.DoubleType(), ir.IntType(64)
_FUNCTION = ir.FunctionType(_DOUBLE, [_WORD.as_pointer(), _DOUBLE.as_pointer(), _WORD, _WORD, _DOUBLE])


@_intrinsic
def call_piece(typingctx: Any, address: Any, integers: Any, floats: Any, start: Any, number: Any, elapsed: Any) -> Any:
    """Result of the function at an address, of `SIGNATURE`."""

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        function = builder.inttoptr(args[0], _FUNCTION.as_pointer())
        pointers = [make_array(sig.args[k])(context, builder, args[k]).data for k in (1, 2)]
        words = [context.cast(builder, args[k], sig.args[k], types.int64) for k in (3, 4)]
        time = context.cast(builder, args[5], sig.args[5], types.float64)
        return builder.call(function, [*pointers, *words, time])

    return types.float64(address, integers, floats, start, number, elapsed), lower


@_intrinsic
def memory_view(typingctx: Any, pointer: Any) -> Any:
    """Array at a pointer; its length is not known, and bounds are not checked."""
    kind = types.Array(pointer.dtype, 1, "C")

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        whole, itemsize = make_array(kind)(context, builder), context.get_constant(types.intp, 8)
        # A length for the type only: `array_view` cuts regions of known size out of it.
        size = context.get_constant(types.intp, 1 << 40)
        populate_array(whole, data=args[0], shape=[size], strides=[itemsize], itemsize=itemsize, meminfo=None)
        return whole._getvalue()

    return kind(pointer), lower


INCONSISTENT = 1e-6  # relative residual of rows above which links of a loop contradict each other
CONTRADICTION = -2  # result of a step whose links contradict each other


def add_latches(codes: Integers, memory: Array, at_x: int) -> None:
    """Add the wrenches of compliant latches to the loads of their bodies."""
    n, count = codes[BODIES], codes[LATCHES]
    ends, records = (
        array_view(codes, codes[LATCH_ENDS], (count, 2)),
        array_view(memory, codes[LATCH_RECORDS], (count, LINK_SIZE)),
    )
    x, loads = array_view(memory, at_x, (n, BODY_SIZE)), array_view(memory, codes[LOADS], (n, LOAD_SIZE))
    for e in range(count):
        a, b, link = ends[e, 0], ends[e, 1], link_at(records[e], 0)
        joint = joint_between(link, LinkedPair(records[e], x[a], x[b], loads[a], loads[b]))
        wrench = latch_wrench(link, body_state_at(x[a]), body_state_at(x[b]), joint)
        force, torque, R_AB = linear(wrench), angular(wrench), transpose3(joint.R_BA)
        accumulate3(loads[b], FORCE, force)
        accumulate3(loads[b], FORCE + 3, add3(torque, cross(link.point_B, force)))
        # The opposite wrench acts on A at the same point of space, so that angular momentum is conserved.
        at = subtract3(link.point_A, matvec3(R_AB, joint.gap))
        on_A = matvec3(R_AB, scale3(-1.0, force))
        accumulate3(loads[a], FORCE, on_A)
        accumulate3(loads[a], FORCE + 3, add3(matvec3(R_AB, scale3(-1.0, torque)), cross(at, on_A)))


def begin_with_commands(codes: Integers, memory: Array) -> bool:
    """Apply the commands, if there are actuators; whether moving masses changed the velocity of a body."""
    if codes[BEGIN_ADDRESS] == 0:
        return False
    return bool(call_piece(codes[BEGIN_ADDRESS], codes, memory, 0, 0, 0.0) > 0.0)


def solve_links(codes: Integers, memory: Array, at_x: int, level: int) -> float:
    """Motions of all bodies at a level: the largest relative residual of the rows of loops."""
    call_piece(codes[TREE_ADDRESS], codes, memory, at_x, level, 0.0)
    if codes[LOOP_BODIES] == 0:
        return 0.0
    return float(call_piece(codes[LOOPS_ADDRESS], codes, memory, at_x, level, 0.0))


def store_rates(codes: Integers, memory: Array, at_x: int) -> None:
    """Rates of all body states from their motions."""
    n = codes[BODIES]
    x, motion = array_view(memory, at_x, (n, BODY_SIZE)), array_view(memory, codes[MOTION], (n, 6))
    rates, fixed = array_view(memory, codes[RATES], (n, BODY_SIZE)), array_view(codes, codes[FIXED], (n,))
    for i in range(n):
        q = (x[i, 3], x[i, 4], x[i, 5], x[i, 6])
        # The state of a fixed body may hold a twist, which must not move its pose.
        moving = 1.0 - fixed[i]
        put3(rates[i], 0, scale3(moving, position_rate(q, vector3_at(x[i], 7))))
        turning = quaternion_rate(q, vector3_at(x[i], 10))
        for j in range(4):
            rates[i, 3 + j] = moving * turning[j]
        for j in range(6):
            rates[i, 7 + j] = motion[i, j]


def normalise(x: Array) -> None:
    """Scale the quaternion of a body to unit length."""
    state = with_unit_quaternion(body_state_at(x))
    for j in range(BODY_SIZE):
        x[j] = state[j]


def refresh_rotations(codes: Integers, memory: Array) -> None:
    """Rotation matrices of all bodies."""
    n = codes[BODIES]
    x, loads = array_view(memory, codes[X], (n, BODY_SIZE)), array_view(memory, codes[LOADS], (n, LOAD_SIZE))
    for i in range(n):
        put_matrix3(loads[i], ROTATION, rotation_matrix((x[i, 3], x[i, 4], x[i, 5], x[i, 6])))


def correct_poses(codes: Integers, memory: Array) -> None:
    """Displace all bodies by their motions at the level of positions."""
    n = codes[BODIES]
    x, motion = array_view(memory, codes[X], (n, BODY_SIZE)), array_view(memory, codes[MOTION], (n, 6))
    for i in range(n):
        q = (x[i, 3], x[i, 4], x[i, 5], x[i, 6])
        put3(x[i], 0, add3(vector3_at(x[i], 0), matvec3(rotation_matrix(q), vector3_at(motion[i], 0))))
        half = scale3(0.5, vector3_at(motion[i], 3))
        # First order in the angle; the next sweep or projection removes what is left.
        turned = product(q, (1.0, half[0], half[1], half[2]))
        for j in range(4):
            x[i, 3 + j] = turned[j]
        normalise(x[i])
    refresh_rotations(codes, memory)


def correct_velocities(codes: Integers, memory: Array) -> None:
    """Mass-weighted projection of the velocities on the links: the impulse of an attachment. Loads hold the inertia."""
    n = codes[BODIES]
    x, motion = array_view(memory, codes[X], (n, BODY_SIZE)), array_view(memory, codes[MOTION], (n, 6))
    solve_links(codes, memory, codes[X], VELOCITY)
    for i in range(n):
        for j in range(6):
            x[i, 7 + j] += motion[i, j]


def project(codes: Integers, memory: Array, sweeps: int) -> None:
    """Mass-weighted projection of poses and velocities on the links. Loads hold the inertia."""
    # The last stage left its own rotations in the loads. Its inertias serve as weights as they are.
    refresh_rotations(codes, memory)
    for _ in range(sweeps):
        solve_links(codes, memory, codes[X], POSITION)
        correct_poses(codes, memory)
    # After the poses, on which the rows of the velocities depend.
    correct_velocities(codes, memory)


def advance_stage(codes: Integers, memory: Array, ahead: float, share: float) -> None:
    """Add the rates of a stage to the result of the step, and go to the next stage."""
    n = codes[BODIES] * BODY_SIZE
    x, rates = array_view(memory, codes[X], (n,)), array_view(memory, codes[RATES], (n,))
    stage, total = array_view(memory, codes[STAGE], (n,)), array_view(memory, codes[TOTAL], (n,))
    for i in range(n):
        stage[i] = x[i] + ahead * rates[i]
        total[i] += share * rates[i]


def begin_step(codes: Integers, memory: Array) -> None:
    """Start stage and result of a step with the state."""
    n = codes[BODIES] * BODY_SIZE
    x = array_view(memory, codes[X], (n,))
    stage, total = array_view(memory, codes[STAGE], (n,)), array_view(memory, codes[TOTAL], (n,))
    for i in range(n):
        stage[i] = total[i] = x[i]


def finish_step(codes: Integers, memory: Array) -> None:
    """The result of a step becomes the state, with unit quaternions."""
    n = codes[BODIES]
    x, total = array_view(memory, codes[X], (n, BODY_SIZE)), array_view(memory, codes[TOTAL], (n, BODY_SIZE))
    for i in range(n):
        for j in range(BODY_SIZE):
            x[i, j] = total[i, j]
        normalise(x[i])


def accelerate(codes: Integers, memory: Array, at_x: int, node: int, elapsed: float) -> float:
    """Rates of all body states at a node of a step; the largest relative residual of the rows of loops."""
    call_piece(codes[LOADS_ADDRESS], codes, memory, at_x, node, elapsed)
    add_latches(codes, memory, at_x)
    left = solve_links(codes, memory, at_x, ACCELERATION)
    store_rates(codes, memory, at_x)
    return left


def runge_kutta_step(codes: Integers, memory: Array, elapsed: float) -> float:
    """One RK4 step of all bodies, in place; the largest relative residual of the rows of loops at its start.

    The later stages are off the links by the square of the step, so redundant rows disagree there by as much.
    """
    h, left = memory[codes[SETTINGS] + STEP], 0.0
    if codes[ADVANCE_ADDRESS] != 0:
        call_piece(codes[ADVANCE_ADDRESS], codes, memory, 0, 0, elapsed)
    begin_step(codes, memory)
    for s in range(4):
        # Nodes are start, middle and end of the step, half a step apart; stages 1 and 2 share the middle.
        node = 0 if s == 0 else 2 if s == 3 else 1
        residual = accelerate(codes, memory, codes[STAGE], node, elapsed + 0.5 * h * node)
        left = residual if s == 0 else left
        advance_stage(codes, memory, 0.5 * h if s < 2 else h, h / 6.0 if s == 0 or s == 3 else h / 3.0)
    finish_step(codes, memory)
    if codes[ADVANCE_ADDRESS] != 0:
        end_actuators(codes, memory)
    return left


def step_bodies(codes: Integers, memory: Array) -> int:
    """Steps of held inputs, in place; poses and velocities are projected every few steps and at the end.

    Returns FINISHED, the index of a body outside its envelope, or CONTRADICTION.
    """
    h, every, linked = memory[codes[SETTINGS] + STEP], codes[EVERY], codes[LINKED] == 1
    # A moving mass strikes its own body alone, and the links pass the impulse on. Loads first: they hold the inertia.
    if begin_with_commands(codes, memory) and linked:
        call_piece(codes[LOADS_ADDRESS], codes, memory, codes[X], 0, 0.0)
        correct_velocities(codes, memory)
    for k in range(codes[STEPS]):
        left = runge_kutta_step(codes, memory, k * h)
        # At the end of a call as well, so that a state that is handed out satisfies its links.
        if linked and every > 0 and ((k + 1) % every == 0 or k == codes[STEPS] - 1):
            project(codes, memory, 1)
        memory[codes[SETTINGS] + REACHED] = (k + 1) * h
        # Asked before the contradiction: a diverging motion shows both, and the envelope names the body.
        outside = first_outside(codes, memory, (k + 1) * h)
        if outside != FINISHED:
            return outside
        if not left < INCONSISTENT:
            return CONTRADICTION
    return FINISHED


def accelerate_bodies(codes: Integers, memory: Array) -> float:
    """Rates of the state under the commands; loads, motions and multipliers stay in their regions."""
    begin_with_commands(codes, memory)
    return accelerate(codes, memory, codes[X], 0, 0.0)


def project_bodies(codes: Integers, memory: Array, sweeps: int) -> None:
    """Projection of poses, in some sweeps, and of velocities."""
    begin_with_commands(codes, memory)
    call_piece(codes[LOADS_ADDRESS], codes, memory, codes[X], 0, 0.0)
    project(codes, memory, sweeps)
