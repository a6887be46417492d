"""The loop that steps a line of nodes through time: written as plain Python, compiled by `kernels.compilation`.

RK4 in as many equal sub-steps as the fastest wave of the line asks for. Nothing is allocated: work space is handed in.
"""

from typing import NamedTuple

import numpy as np

from remora.equations.algebra.elementary import maximum
from remora.equations.algebra.vectors import ZERO3, Matrix3, Numbers, Vector3, add3, dot3, scale3, subtract3
from remora.equations.tether import (
    Line,
    direction_of,
    distance_of,
    end_acceleration,
    extent_of,
    extent_rate,
    fastest_rate,
    line_at,
    line_load,
    node_acceleration,
    segment_tension,
    turning_force,
)
from remora.files.arrays import Array

# Largest product of sub-step and fastest rate. RK4 is stable up to 2.6 in the whole left half plane; at 1.5 even the
# shortest wave loses energy and none can gain any.
REACH = 1.5
MOST_SUBSTEPS = 100_000  # of one step; who asks for more has asked for something else
TOO_MANY = -1
ASTRAY = -2  # the motion is no longer a number
WORK_SHEETS = 9
LINE_SIZE = 8  # fields of a `Line`
# Numbers of an end: acceleration of its body without the line, its jerk, and the gain from the line's force.
END_SIZE = 15


class Paying(NamedTuple):
    """How rest lengths change: from one node on to the far end, each segment by the same rate."""

    rests: Array  # m, at the start of the step
    rate: float  # m/s, of each segment that the winch reaches
    first: int  # node from which on it is felt: the vehicle's end, or where the line is snagged


def vector_at(rows: Array, i: int) -> Vector3:
    """A row of three numbers."""
    return (rows[i, 0], rows[i, 1], rows[i, 2])


def put(rows: Array, i: int, vector: Vector3) -> None:
    """Write a row of three numbers."""
    rows[i, 0], rows[i, 1], rows[i, 2] = vector[0], vector[1], vector[2]


def matrix3_at(row: Numbers, start: int) -> Matrix3:
    """Nine numbers as a matrix."""
    return (
        (row[start], row[start + 1], row[start + 2]),
        (row[start + 3], row[start + 4], row[start + 5]),
        (row[start + 6], row[start + 7], row[start + 8]),
    )


def rest_rate(paying: Paying, segment: int) -> float:
    """Rate of the rest length of a segment."""
    return paying.rate if segment >= paying.first else 0.0


def rest_length(paying: Paying, segment: int, time: float) -> float:
    """Rest length of a segment at a time of the step."""
    return paying.rests[segment] + time * rest_rate(paying, segment)


def feed(paying: Paying, node: int) -> float:
    """Speed at which the line runs through a node towards the vehicle: the nodes share out what the winch gives."""
    return paying.rate * max(node - paying.first, 0)


def fill_segments(line: Line, paying: Paying, time: float, x: Array, v: Array, work: Array) -> None:
    """Of each segment its pull on the node before it, its direction, its extent, and the rate of that."""
    for j in range(paying.rests.size):
        separation = subtract3(vector_at(x, j + 1), vector_at(x, j))
        distance, direction, rest = distance_of(separation), direction_of(separation), rest_length(paying, j, time)
        parting = subtract3(vector_at(v, j + 1), vector_at(v, j))
        tension = segment_tension(line, rest, distance, dot3(parting, direction) - rest_rate(paying, j))
        put(work[0], j, scale3(tension, direction))
        put(work[1], j, direction)
        put(work[2], j, extent_of(separation, rest))
        put(work[3], j, extent_rate(separation, rest, parting))


def half_load(
    line: Line, paying: Paying, time: float, water: Array, v: Array, directions: Array, node: int, segment: int
) -> Vector3:
    """Weight and drag of the half of a segment that belongs to a node."""
    direction = vector_at(directions, segment)
    speed = subtract3(vector_at(v, node), scale3(feed(paying, node), direction))
    load = line_load(line, direction, subtract3(vector_at(water, node), speed))
    return scale3(0.5 * rest_length(paying, segment, time), load)


def node_force(line: Line, paying: Paying, time: float, water: Array, v: Array, work: Array, node: int) -> Vector3:
    """All that acts on a node: the pulls of its two segments, and weight and drag of half of each."""
    pulls, directions = work[0], work[1]
    force = ZERO3
    if node > 0:
        load = half_load(line, paying, time, water, v, directions, node, node - 1)
        force = subtract3(load, vector_at(pulls, node - 1))
    if node < paying.rests.size:
        load = half_load(line, paying, time, water, v, directions, node, node)
        force = add3(force, add3(load, vector_at(pulls, node)))
    return force


def fill_accelerations(
    line: Line, paying: Paying, time: float, water: Array, held: int, v: Array, work: Array, accelerations: Array
) -> None:
    """Accelerations of all nodes between the ends; a held one has none."""
    extents, turns = work[2], work[3]
    for i in range(1, paying.rests.size):
        before, behind = 0.5 * rest_length(paying, i - 1, time), 0.5 * rest_length(paying, i, time)
        added = (line.added_mass * before, line.added_mass * behind)
        t, u = vector_at(extents, i - 1), vector_at(extents, i)
        force = add3(
            turning_force(added[0], t, vector_at(turns, i - 1), vector_at(v, i)),
            turning_force(added[1], u, vector_at(turns, i), vector_at(v, i)),
        )
        force = add3(force, node_force(line, paying, time, water, v, work, i))
        put(accelerations, i, node_acceleration(force, line.mass * (before + behind), added, t, u))
    if held > 0:
        put(accelerations, held, ZERO3)


def sub_step(
    line: Line,
    paying: Paying,
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
    """One RK4 step of all nodes, in place; what the line does to its ends is added to the impulses."""
    a, stage_x, stage_v, sum_x, sum_v = work[4], work[5], work[6], work[7], work[8]
    nodes = x.shape[0]
    for i in range(nodes):
        put(stage_x, i, vector_at(x, i))
        put(stage_v, i, vector_at(v, i))
        put(sum_x, i, vector_at(x, i))
        put(sum_v, i, vector_at(v, i))
    for stage in range(4):
        time = start + h * (0.0 if stage == 0 else 1.0 if stage == 3 else 0.5)
        share = h / 6.0 if stage == 0 or stage == 3 else h / 3.0
        fill_segments(line, paying, time, stage_x, stage_v, work)
        fill_accelerations(line, paying, time, water, held, stage_v, work, a)
        for e in range(2):
            node = e * (nodes - 1)
            force = node_force(line, paying, time, water, stage_v, work, node)
            put(impulses, e, add3(vector_at(impulses, e), scale3(share, force)))
            free, jerk = (ends[e, 0], ends[e, 1], ends[e, 2]), (ends[e, 3], ends[e, 4], ends[e, 5])
            put(a, node, end_acceleration(free, jerk, time, matrix3_at(ends[e], 6), force))
        ahead = h if stage == 2 else 0.5 * h
        for i in range(nodes):
            put(sum_x, i, add3(vector_at(sum_x, i), scale3(share, vector_at(stage_v, i))))
            put(sum_v, i, add3(vector_at(sum_v, i), scale3(share, vector_at(a, i))))
            put(stage_x, i, add3(vector_at(x, i), scale3(ahead, vector_at(stage_v, i))))
            put(stage_v, i, add3(vector_at(v, i), scale3(ahead, vector_at(a, i))))
    for i in range(nodes):
        put(x, i, vector_at(sum_x, i))
        put(v, i, vector_at(sum_v, i))


def sub_steps(line: Line, paying: Paying, elapsed: float, water: Array, v: Array) -> int:
    """How many sub-steps a step needs, from its shortest segment and its fastest flow; TOO_MANY beyond all sense."""
    shortest, speed = np.inf, 0.0
    for j in range(paying.rests.size):
        shortest = min(shortest, rest_length(paying, j, 0.0), rest_length(paying, j, elapsed))
    for i in range(v.shape[0]):
        speed = maximum(speed, distance_of(subtract3(vector_at(water, i), vector_at(v, i))) + abs(feed(paying, i)))
    wanted = elapsed * fastest_rate(line, shortest, speed) / REACH
    return int(wanted) + 1 if 0.0 <= wanted < MOST_SUBSTEPS else TOO_MANY


def step_line(
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
    """Step a line in place: the number of sub-steps, or TOO_MANY or ASTRAY. The span is (elapsed, length rate)."""
    line, elapsed = line_at(row), span[0]
    paying = Paying(rests, span[1] / (rests.size - first), first)
    count = sub_steps(line, paying, elapsed, water, v)
    h = elapsed / count
    for k in range(count):
        sub_step(line, paying, k * h, h, water, held, ends, x, v, work, impulses)
    total = 0.0
    for i in range(x.shape[0]):
        total += dot3(vector_at(x, i), vector_at(x, i)) + dot3(vector_at(v, i), vector_at(v, i))
    return count if count < 0 or total < np.inf else ASTRAY


def line_forces(row: Array, rests: Array, water: Array, x: Array, v: Array, work: Array, forces: Array) -> None:
    """What acts on each node of a line, the pulls on its ends among them."""
    line, paying = line_at(row), Paying(rests, 0.0, 0)
    fill_segments(line, paying, 0.0, x, v, work)
    for i in range(x.shape[0]):
        put(forces, i, node_force(line, paying, 0.0, water, v, work, i))
