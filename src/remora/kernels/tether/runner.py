"""Steps lines through time: the public face of the compiled kernel for tethers. Nothing is written into an argument."""

from typing import NamedTuple

import numpy as np

from remora.files.arrays import Array
from remora.kernels.compilation import line_kernels
from remora.kernels.failures import RunError
from remora.kernels.inputs import check_interval, numbers
from remora.kernels.tether.loop import ASTRAY, END_SIZE, LINE_SIZE, MOST_SUBSTEPS, WORK_SHEETS


class LineStep(NamedTuple):
    """What a step of a line came to."""

    positions: Array  # m, [node, axis]
    velocities: Array  # m/s
    impulses: Array  # N s: what the line did to its two ends, the inertia of their half segments left out
    sub_steps: int


def step_line(
    row: Array,
    rest_lengths: Array,
    elapsed: float,
    length_rate: float,
    held: int,
    water: Array,
    ends: Array,
    positions: Array,
    velocities: Array,
) -> LineStep:
    """Step a line whose ends start where its first and last node are.

    Parameters
    ----------
    row
        The fields of `equations.tether.Line`.
    rest_lengths
        Of each segment, m.
    elapsed
        Length of the step, s.
    length_rate
        Rate of the length between the held node, or else the first one, and the far end, m/s.
    held
        Index of a node that does not move, or -1.
    water
        Velocity of the water at each node, m/s.
    ends
        For both ends the acceleration without the line, its jerk, and the 3x3 gain from force to acceleration.
    positions, velocities
        Of each node, in N.

    Raises
    ------
    ValueError
        When a shape is wrong or a number is not finite.
    RunError
        When the step would need too many sub-steps, or the motion is no longer a number.
    """
    nodes = len(positions)
    x, v = np.array(positions, dtype=float, order="C"), np.array(velocities, dtype=float, order="C")
    rests, flow = np.array(rest_lengths, dtype=float), np.array(water, dtype=float, order="C")
    shapes = (x.shape, v.shape, flow.shape, rests.shape, row.shape, ends.shape)
    if shapes == ((nodes, 3), (nodes, 3), (nodes, 3), (nodes - 1,), (LINE_SIZE,), (2, END_SIZE)):
        span, work, impulses = np.array([elapsed, length_rate]), np.empty((WORK_SHEETS, nodes, 3)), np.zeros((2, 3))
        count = line_kernels().step_line(row, rests, span, max(held, 0), held, flow, ends, x, v, work, impulses)
        if count > 0:
            return LineStep(x, v, impulses, count)
    check_interval(elapsed, 1)
    numbers("length rate", length_rate, ())
    numbers("positions of the line", positions, (nodes, 3))
    numbers("velocities of the line", velocities, (nodes, 3))
    numbers("water velocity", water, (nodes, 3))
    numbers("rest lengths", rest_lengths, (nodes - 1,))
    numbers("line", row, (LINE_SIZE,))
    numbers("ends of the line", ends, (2, END_SIZE))
    raise _failure(count, rests, elapsed)


def _failure(count: int, rests: Array, elapsed: float) -> RunError:
    """What went wrong in a step whose inputs were sound."""
    if count == ASTRAY:
        return RunError("the motion of the tether is no longer a finite number (did an end jump?)", elapsed)
    return RunError(
        f"a line with segments of {rests.min():.3g} m needs more than {MOST_SUBSTEPS} sub-steps for a step of "
        f"{elapsed:g} s (give it fewer nodes, less stiffness or more mass, or stop reeling it in)",
        elapsed,
    )


def forces_on_nodes(row: Array, rest_lengths: Array, water: Array, positions: Array, velocities: Array) -> Array:
    """What acts on each node of a line: tension, weight, buoyancy and drag; for its ends, what they must hold."""
    nodes = len(positions)
    forces = np.empty((nodes, 3))
    line_kernels().line_forces(
        numbers("line", row, (LINE_SIZE,)),
        numbers("rest lengths", rest_lengths, (nodes - 1,)),
        numbers("water velocity", water, (nodes, 3)),
        numbers("positions of the line", positions, (nodes, 3)),
        numbers("velocities of the line", velocities, (nodes, 3)),
        np.empty((WORK_SHEETS, nodes, 3)),
        forces,
    )
    return forces
