"""Steps and node forces of lumped-mass tethers: checked inputs for the compiled kernel; arguments are not modified."""

from typing import NamedTuple

import numpy as np

from remora.files.arrays import Array
from remora.plant.compilation import tether_kernels
from remora.plant.failures import RunError
from remora.plant.inputs import check_interval, numbers
from remora.plant.tether.loop import END_SIZE, MAX_SUB_STEPS, NOT_FINITE, TETHER_SIZE, WORK_SHEETS


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
    shapes = (x.shape, v.shape, flow.shape, rests.shape, row.shape, ends.shape)
    if shapes == ((nodes, 3), (nodes, 3), (nodes, 3), (nodes - 1,), (TETHER_SIZE,), (2, END_SIZE)):
        span, work, impulses = np.array([elapsed, length_rate]), np.empty((WORK_SHEETS, nodes, 3)), np.zeros((2, 3))
        count = tether_kernels().step_tether(row, rests, span, max(held, 0), held, flow, ends, x, v, work, impulses)
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
