"""The shape of a line at rest between two places in steady water: the start of a run.

Forces on the nodes are brought to zero by Newton steps that are held back at first, like a motion through honey that
becomes thinner as the forces fall (pseudo-transient continuation, Kelley and Keyes 1998). So a slack line, which has no
stiffness of its own in places, comes to rest as well.
"""

import math
from collections.abc import Iterable

import numpy as np
from scipy.linalg import solve_banded

from remora.kernels.inputs import numbers
from remora.kernels.line_running import forces_on_nodes
from remora.kernels.loops import Array

_MOST_STEPS = 2000
_TOLERANCE = 1e-8  # of the largest load on a node, or of the stiffness at this strain
_NUDGE = 1e-7  # m, for differences
_BAND = 5  # a node feels its two neighbours: three columns each to both sides


def resting_shape(row: Array, rests: Array, vehicle: Iterable[float], far: Iterable[float], water: Array) -> Array:
    """Positions of all nodes of a line at rest.

    Raises
    ------
    ValueError
        When the ends are in one place or not finite, or no equilibrium is found.
    """
    start = numbers("vehicle's end of the tether", list(vehicle), (3,))
    stop = numbers("far end of the tether", list(far), (3,))
    if not np.linalg.norm(stop - start) > 1e-6 * rests.sum():
        raise ValueError(f"both ends of the tether are at {tuple(start.tolist())}: put them apart")
    load = _load(row, rests, start, stop, water)
    shape = _guess(start, stop, rests, load)
    return _relaxed(row, rests, shape, water)


def _load(row: Array, rests: Array, start: Array, stop: Array, water: Array) -> Array:
    """All that pulls a straight, slack line aside."""
    straight = np.linspace(0.0, 1.0, rests.size + 1)[:, None] * (stop - start) + start
    slack = np.maximum(rests, 2.0 * np.linalg.norm(stop - start))
    scale = rests.sum() / slack.sum()
    total: Array = scale * forces_on_nodes(row, slack, water, straight, np.zeros_like(straight)).sum(axis=0)
    return total


def _guess(start: Array, stop: Array, rests: Array, load: Array) -> Array:
    """Nodes on an arc towards the load that is as long as the line, or on the chord when that is longer."""
    chord, length = stop - start, rests.sum() * (1.0 - 1e-9)
    distance = np.linalg.norm(chord)
    share = np.concatenate([[0.0], np.cumsum(rests) / rests.sum()])[:, None]
    if distance >= length:
        return np.asarray(start + share * chord)
    aside = _aside(chord / distance, load)
    # A circle's arc: its half angle is found from chord over arc length by bisection.
    low, high = 1e-9, math.pi
    for _ in range(100):
        half = 0.5 * (low + high)
        low, high = (half, high) if math.sin(half) / half > distance / length else (low, half)
    angle = half * (2.0 * share - 1.0)
    radius = 0.5 * length / half
    along, out = radius * np.sin(angle), radius * (np.cos(angle) - math.cos(half))
    shape = start + 0.5 * chord + along * chord / distance + out * aside
    shape[0], shape[-1] = start, stop
    return np.asarray(shape)


def _aside(direction: Array, load: Array) -> Array:
    """Unit vector square to the chord, towards the load; any one where the load leaves it open."""
    for way in (load, np.array([0.0, 0.0, 1.0]), np.array([1.0, 0.0, 0.0])):
        across = way - direction * (way @ direction)
        size = np.linalg.norm(across)
        if size > 1e-3 * np.linalg.norm(way) and size > 0.0:
            return np.asarray(across / size)
    raise AssertionError("one of two upright vectors is square to the chord")


def _relaxed(row: Array, rests: Array, shape: Array, water: Array) -> Array:
    still = np.zeros_like(shape)

    def forces(positions: Array) -> Array:
        return forces_on_nodes(row, rests, water, positions, still)[1:-1].ravel()

    force = forces(shape)
    goal = _TOLERANCE * max(np.abs(force).max(initial=0.0), 1e-3 * row[3] * 1e-3)
    size = np.linalg.norm(force)
    honey = row[3] / rests.min()  # N/m
    for _ in range(_MOST_STEPS):
        if np.abs(force).max(initial=0.0) <= goal:
            return shape
        bands = _stiffness(forces, shape)
        bands[_BAND] += honey
        way = solve_banded((_BAND, _BAND), bands, force).reshape(-1, 3)
        way *= min(1.0, 0.5 * rests.max() / max(np.linalg.norm(way, axis=1).max(), 1e-300))
        shape = shape.copy()
        shape[1:-1] += way
        force, before = forces(shape), size
        size = np.linalg.norm(force)
        honey *= min(2.0, max(0.2, size / before)) if size > 0.0 else 0.2
    raise ValueError(
        f"no equilibrium of the tether was found: {np.abs(force).max():.3g} N are left on a node. Give it more nodes, or "
        "bring its ends closer"
    )


def _stiffness(forces: object, shape: Array) -> Array:
    """Minus the derivative of the forces by the positions, in bands; nodes three apart share a nudge."""
    base = forces(shape)  # type: ignore[operator]
    inner = shape.shape[0] - 2
    bands = np.zeros((2 * _BAND + 1, 3 * inner))
    for node in range(min(3, inner)):
        for axis in range(3):
            nudged = shape.copy()
            nudged[1 + node : -1 : 3, axis] += _NUDGE
            change = -(forces(nudged) - base) / _NUDGE  # type: ignore[operator]
            for column in range(3 * node + axis, 3 * inner, 9):
                first = max(0, 3 * (column // 3) - 3)
                last = min(3 * inner, 3 * (column // 3) + 6)
                for r in range(first, last):
                    bands[_BAND + r - column, column] = change[r]
    return bands
