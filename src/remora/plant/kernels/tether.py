"""Lumped-mass tethers: the integration loop, and its compiled steps and node forces with checked inputs.

The loop is plain Python, compiled on first use: RK4 in equal sub-steps that resolve the fastest axial wave. It
allocates nothing: work space is an argument. Arguments of `step_tether` and `forces_on_nodes` are not modified.
"""

import sys
from functools import lru_cache
from typing import Any, NamedTuple, cast

import numba
import numpy as np
from numba import float64, int64, void

from remora.equations.algebra.elementary import maximum
from remora.equations.algebra.vectors import ZERO3, add3, dot3, scale3, subtract3
from remora.equations.tether import (
    TetherProperties,
    direction_of,
    distance_of,
    end_acceleration,
    extent_of,
    extent_rate,
    fastest_rate,
    node_acceleration,
    segment_tension,
    tether_at,
    tether_load,
    turning_force,
)
from remora.equations.types import Matrix3, Numbers, Vector3
from remora.files.arrays import Array
from remora.plant import registration
from remora.plant.compilation import from_cache
from remora.plant.failures import RunError
from remora.plant.inputs import check_interval, numbers

# Largest product of sub-step and fastest rate. RK4 is stable up to 2.6 in the whole left half plane; at 1.5 even the
# shortest wave loses energy and none can gain any.
STABILITY_LIMIT = 1.5
MAX_SUB_STEPS = 100_000  # of one step
TOO_MANY_SUB_STEPS = -1
NOT_FINITE = -2  # the motion is no longer finite
# Tension, direction, extent and its rate of each segment; acceleration, stage and sum of each node's x and v.
WORK_SHEETS = 9
TETHER_SIZE = 8  # fields of a `TetherProperties`
# Numbers of an end: acceleration of its body without the tether, its jerk, and the 3x3 gain from the tether force.
END_SIZE = 15


class WinchFeed(NamedTuple):
    """Rest lengths and their rate: equal for all segments from one node to the far end."""

    rests: Array  # m, at the start of the step
    rate: float  # m/s, of each segment between that node and the winch
    first: int  # first affected node: the vehicle's end, or where the tether is snagged


def vector_at(rows: Array, i: int) -> Vector3:
    """A row of three numbers."""
    return (rows[i, 0], rows[i, 1], rows[i, 2])


def store_vector(rows: Array, i: int, vector: Vector3) -> None:
    """Write a row of three numbers."""
    rows[i, 0], rows[i, 1], rows[i, 2] = vector[0], vector[1], vector[2]


def matrix3_at(row: Numbers, start: int) -> Matrix3:
    """Nine numbers as a matrix."""
    return (
        (row[start], row[start + 1], row[start + 2]),
        (row[start + 3], row[start + 4], row[start + 5]),
        (row[start + 6], row[start + 7], row[start + 8]),
    )


def rest_rate(winch: WinchFeed, segment: int) -> float:
    """Rate of the rest length of a segment."""
    return winch.rate if segment >= winch.first else 0.0


def rest_length(winch: WinchFeed, segment: int, time: float) -> float:
    """Rest length of a segment at a time of the step."""
    return winch.rests[segment] + time * rest_rate(winch, segment)


def feed_speed(winch: WinchFeed, node: int) -> float:
    """Speed at which the tether runs through a node towards the vehicle."""
    return winch.rate * max(node - winch.first, 0)


def fill_segments(tether: TetherProperties, winch: WinchFeed, time: float, x: Array, v: Array, work: Array) -> None:
    """For each segment: tension force on the node before it, direction, extent, and rate of the extent."""
    for j in range(winch.rests.size):
        separation = subtract3(vector_at(x, j + 1), vector_at(x, j))
        distance, direction, rest = distance_of(separation), direction_of(separation), rest_length(winch, j, time)
        parting = subtract3(vector_at(v, j + 1), vector_at(v, j))
        # Only stretching is damped: line that the winch pays out lengthens a segment too.
        tension = segment_tension(tether, rest, distance, dot3(parting, direction) - rest_rate(winch, j))
        store_vector(work[0], j, scale3(tension, direction))
        store_vector(work[1], j, direction)
        store_vector(work[2], j, extent_of(separation, rest))
        store_vector(work[3], j, extent_rate(separation, rest, parting))


def half_load(
    tether: TetherProperties,
    winch: WinchFeed,
    time: float,
    water: Array,
    v: Array,
    directions: Array,
    node: int,
    segment: int,
) -> Vector3:
    """Weight and drag of the half of a segment that belongs to a node."""
    direction = vector_at(directions, segment)
    # The line runs through its node towards the vehicle, against the direction of the segment: drag acts on the line.
    speed = subtract3(vector_at(v, node), scale3(feed_speed(winch, node), direction))
    load = tether_load(tether, direction, subtract3(vector_at(water, node), speed))
    return scale3(0.5 * rest_length(winch, segment, time), load)


def node_force(
    tether: TetherProperties, winch: WinchFeed, time: float, water: Array, v: Array, work: Array, node: int
) -> Vector3:
    """Force on a node: tensions of its two segments, and weight and drag of half of each."""
    tensions, directions = work[0], work[1]
    force = ZERO3
    if node > 0:
        load = half_load(tether, winch, time, water, v, directions, node, node - 1)
        force = subtract3(load, vector_at(tensions, node - 1))
    if node < winch.rests.size:
        load = half_load(tether, winch, time, water, v, directions, node, node)
        force = add3(force, add3(load, vector_at(tensions, node)))
    return force


def fill_accelerations(
    tether: TetherProperties,
    winch: WinchFeed,
    time: float,
    water: Array,
    held: int,
    v: Array,
    work: Array,
    accelerations: Array,
) -> None:
    """Accelerations of all nodes between the ends; zero for a held node."""
    extents, turns = work[2], work[3]
    for i in range(1, winch.rests.size):
        before, behind = 0.5 * rest_length(winch, i - 1, time), 0.5 * rest_length(winch, i, time)
        added = (tether.added_mass * before, tether.added_mass * behind)
        t, u = vector_at(extents, i - 1), vector_at(extents, i)
        force = add3(
            turning_force(added[0], t, vector_at(turns, i - 1), vector_at(v, i)),
            turning_force(added[1], u, vector_at(turns, i), vector_at(v, i)),
        )
        force = add3(force, node_force(tether, winch, time, water, v, work, i))
        store_vector(accelerations, i, node_acceleration(force, tether.mass * (before + behind), added, t, u))
    if held > 0:
        store_vector(accelerations, held, ZERO3)


def sub_step(
    tether: TetherProperties,
    winch: WinchFeed,
    start: float,
    h: float,
    water: Array,
    held: int,
    ends: Array,
    x: Array,
    v: Array,
    work: Array,
    impulses: Array,
) -> None:
    """One RK4 step of all nodes, in place; the impulses of the tether on its ends are accumulated."""
    a, stage_x, stage_v, sum_x, sum_v = work[4], work[5], work[6], work[7], work[8]
    nodes = x.shape[0]
    for i in range(nodes):
        store_vector(stage_x, i, vector_at(x, i))
        store_vector(stage_v, i, vector_at(v, i))
        store_vector(sum_x, i, vector_at(x, i))
        store_vector(sum_v, i, vector_at(v, i))
    for stage in range(4):
        time = start + h * (0.0 if stage == 0 else 1.0 if stage == 3 else 0.5)
        share = h / 6.0 if stage == 0 or stage == 3 else h / 3.0
        fill_segments(tether, winch, time, stage_x, stage_v, work)
        fill_accelerations(tether, winch, time, water, held, stage_v, work, a)
        for e in range(2):
            node = e * (nodes - 1)
            force = node_force(tether, winch, time, water, stage_v, work, node)
            # Summed with the weights of RK4, so that the impulse belongs to the same motion as the velocities.
            store_vector(impulses, e, add3(vector_at(impulses, e), scale3(share, force)))
            free, jerk = (ends[e, 0], ends[e, 1], ends[e, 2]), (ends[e, 3], ends[e, 4], ends[e, 5])
            # The time counts from the start of the whole step, as the free motion of the body does.
            store_vector(a, node, end_acceleration(free, jerk, time, matrix3_at(ends[e], 6), force))
        ahead = h if stage == 2 else 0.5 * h
        for i in range(nodes):
            store_vector(sum_x, i, add3(vector_at(sum_x, i), scale3(share, vector_at(stage_v, i))))
            store_vector(sum_v, i, add3(vector_at(sum_v, i), scale3(share, vector_at(a, i))))
            store_vector(stage_x, i, add3(vector_at(x, i), scale3(ahead, vector_at(stage_v, i))))
            store_vector(stage_v, i, add3(vector_at(v, i), scale3(ahead, vector_at(a, i))))
    for i in range(nodes):
        store_vector(x, i, vector_at(sum_x, i))
        store_vector(v, i, vector_at(sum_v, i))


def sub_step_count(tether: TetherProperties, winch: WinchFeed, elapsed: float, water: Array, v: Array) -> int:
    """Number of sub-steps of a step, from its shortest segment and its fastest flow, or TOO_MANY_SUB_STEPS."""
    shortest, speed = np.inf, 0.0
    for j in range(winch.rests.size):
        # Rest lengths are linear in time: the shortest is found at the start or at the end.
        shortest = min(shortest, rest_length(winch, j, 0.0), rest_length(winch, j, elapsed))
    for i in range(v.shape[0]):
        speed = maximum(speed, distance_of(subtract3(vector_at(water, i), vector_at(v, i))) + abs(feed_speed(winch, i)))
    needed = elapsed * fastest_rate(tether, shortest, speed) / STABILITY_LIMIT
    # Both comparisons are false for NaN.
    return int(needed) + 1 if 0.0 <= needed < MAX_SUB_STEPS else TOO_MANY_SUB_STEPS


def integrate_tether(
    row: Array,
    rests: Array,
    span: Array,
    first: int,
    held: int,
    water: Array,
    ends: Array,
    x: Array,
    v: Array,
    work: Array,
    impulses: Array,
) -> int:
    """Step a tether in place by span = (elapsed, length rate): number of sub-steps, or a negative failure code."""
    tether, elapsed = tether_at(row), span[0]
    winch = WinchFeed(rests, span[1] / (rests.size - first), first)
    count = sub_step_count(tether, winch, elapsed, water, v)
    # A negative count is a failure code, with which no sub-step is made.
    h = elapsed / count
    for k in range(count):
        sub_step(tether, winch, k * h, h, water, held, ends, x, v, work, impulses)
    total = 0.0
    for i in range(x.shape[0]):
        total += dot3(vector_at(x, i), vector_at(x, i)) + dot3(vector_at(v, i), vector_at(v, i))
    return count if count < 0 or total < np.inf else NOT_FINITE


def tether_forces(row: Array, rests: Array, water: Array, x: Array, v: Array, work: Array, forces: Array) -> None:
    """Force on each node of a tether, its ends included."""
    tether, winch = tether_at(row), WinchFeed(rests, 0.0, 0)
    fill_segments(tether, winch, 0.0, x, v, work)
    for i in range(x.shape[0]):
        store_vector(forces, i, node_force(tether, winch, 0.0, water, v, work, i))


_row, _sheet, _book = float64[::1], float64[:, ::1], float64[:, :, ::1]
TETHER_SIGNATURES = {
    "integrate_tether": int64(_row, _row, _row, int64, int64, _sheet, _sheet, _sheet, _sheet, _book, _sheet),
    "tether_forces": void(_row, _row, _sheet, _sheet, _sheet, _book, _sheet),
}


class TetherKernels(NamedTuple):
    """The compiled entry points for tethers."""

    integrate_tether: Any
    tether_forces: Any


class TetherStep(NamedTuple):
    """Result of a tether step."""

    positions: Array  # m, [node, axis]
    velocities: Array  # m/s
    impulses: Array  # N s: on its two ends, without the inertia of their half segments
    sub_steps: int


def step_tether(
    row: Array,
    rest_lengths: Array,
    elapsed: float,
    length_rate: float,
    held: int,
    water: Array,
    ends: Array,
    positions: Array,
    velocities: Array,
) -> TetherStep:
    """Step a tether whose ends start at its first and last node.

    The row holds the fields of `equations.tether.TetherProperties`. A node may be held (-1 for none); the length
    between it, or the first node, and the far end changes at the length rate, m/s. Of both ends come the acceleration
    without the tether, its jerk, and the 3x3 gain from force to acceleration. Water, positions and velocities are those
    of each node; all in N, SI.

    Raises a ValueError when a shape is wrong or a number is not finite, and a RunError when the step would need too
    many sub-steps or the motion is no longer finite.
    """
    nodes = len(positions)
    x, v = np.array(positions, dtype=float, order="C"), np.array(velocities, dtype=float, order="C")
    rests, flow = np.array(rest_lengths, dtype=float), np.array(water, dtype=float, order="C")
    # Shapes first, as compiled code does not check bounds. Numbers are checked only where the step fails: a check of
    # each would take longer than the step.
    shapes = (x.shape, v.shape, flow.shape, rests.shape, row.shape, ends.shape)
    if shapes == ((nodes, 3), (nodes, 3), (nodes, 3), (nodes - 1,), (TETHER_SIZE,), (2, END_SIZE)):
        span, work, impulses = np.array([elapsed, length_rate]), np.empty((WORK_SHEETS, nodes, 3)), np.zeros((2, 3))
        count = tether_kernels().integrate_tether(
            row, rests, span, max(held, 0), held, flow, ends, x, v, work, impulses
        )
        if count > 0:
            return TetherStep(x, v, impulses, count)
    check_interval(elapsed, 1)
    numbers("length rate", length_rate, ())
    numbers("positions of the line", positions, (nodes, 3))
    numbers("velocities of the line", velocities, (nodes, 3))
    numbers("water velocity", water, (nodes, 3))
    numbers("rest lengths", rest_lengths, (nodes - 1,))
    numbers("line", row, (TETHER_SIZE,))
    numbers("ends of the line", ends, (2, END_SIZE))
    raise _failure(count, rests, elapsed)


def _failure(count: int, rests: Array, elapsed: float) -> RunError:
    """The error of a step whose inputs were valid."""
    if count == NOT_FINITE:
        return RunError("the motion of the tether is no longer a finite number (did an end jump?)", elapsed)
    return RunError(
        f"a line with segments of {rests.min():.3g} m needs more than {MAX_SUB_STEPS} sub-steps for a step of "
        f"{elapsed:g} s (give it fewer nodes, less stiffness or more mass, or stop reeling it in)",
        elapsed,
    )


def forces_on_nodes(row: Array, rest_lengths: Array, water: Array, positions: Array, velocities: Array) -> Array:
    """Force on each node of a tether: tension, weight, buoyancy and drag; at its ends the force that they must hold."""
    nodes = len(positions)
    forces = np.empty((nodes, 3))
    tether_kernels().tether_forces(
        numbers("line", row, (TETHER_SIZE,)),
        numbers("rest lengths", rest_lengths, (nodes - 1,)),
        numbers("water velocity", water, (nodes, 3)),
        numbers("positions of the line", positions, (nodes, 3)),
        numbers("velocities of the line", velocities, (nodes, 3)),
        np.empty((WORK_SHEETS, nodes, 3)),
        forces,
    )
    return forces


def _entry_points(cached: dict[str, Any]) -> TetherKernels:
    registration.register_functions(sys.modules[__name__], without=(*TETHER_SIGNATURES, "_entry_points"))
    made = {name: numba.njit(kind, **cached)(globals()[name]) for name, kind in TETHER_SIGNATURES.items()}
    return TetherKernels(**made)


@lru_cache(maxsize=1)
def tether_kernels() -> TetherKernels:
    """The kernels for tethers, separate so that only runs with a tether wait for them."""
    return cast(TetherKernels, from_cache("the equations of tethers", _entry_points, seconds=5))
