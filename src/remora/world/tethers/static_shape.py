"""Static equilibrium shape of a tether between two points in steady water.

Solved for tensions, not for places: while the load on each segment is known, one tension gives all others, and the
energy of the line as a function of that one tension vector is convex, however slack the line is. Its lowest point is
the equilibrium. Drag depends on where the segments point, so loads and tensions are found in turns.
"""

import math
from collections.abc import Callable, Iterable

import numpy as np
from scipy.linalg import solve_banded

from remora.equations.tether import TetherProperties, tether_load
from remora.files.arrays import Array
from remora.plant.inputs import numbers
from remora.plant.tether import END_SIZE, forces_on_nodes, step_tether

_MOST_TURNS = 60
_SETTLED = 1e-6  # iterations end when all residual forces are below this share of the largest load
_TOLERANCE = 1e-2  # accepted residual, the same share; reached only at a fold, where the tension vanishes
_SOFTNESS = (1e-2, 1e-4, 1e-6)  # regularisation of segments without tension, as shares of the load
_MOVING_TIME, _MOVING_STEP = 200.0, 0.1  # s
_NUDGE = 1e-7  # m, for differences
_BAND = 5  # bandwidth of the Jacobian: a node couples to its two neighbours


def resting_shape(
    line: TetherProperties, rests: Array, vehicle: Iterable[float], far: Iterable[float], water: Array
) -> Array:
    """Positions of all nodes in static equilibrium.

    Raises a ValueError when the ends are in one place or not finite, or no equilibrium is found.
    """
    start = numbers("vehicle's end of the tether", list(vehicle), (3,))
    stop = numbers("far end of the tether", list(far), (3,))
    if not np.linalg.norm(stop - start) > 1e-6 * rests.sum():
        raise ValueError(f"both ends of the tether are at {tuple(start.tolist())}: put them apart")
    if rests.size == 1:
        return np.array([start, stop])
    row, still = np.array(line), np.zeros((rests.size + 1, 3))

    def left(shape: Array) -> Array:
        return forces_on_nodes(row, rests, water, shape, still)[1:-1]

    shape = _arc(start, stop, rests, _loads(line, rests, np.zeros((rests.size, 3)), water).sum(axis=0))
    scale = max(float(np.abs(_loads(line, rests, _directions(shape), water)).max()), 1e-9 * line.stiffness)
    if _size(left(shape)) <= _SETTLED * scale:
        return shape
    shape = _in_turns(line, rests, shape, water, left, scale)
    if _size(left(shape)) > _SETTLED * scale:
        shape = _polished(left, shape, scale)
    if _size(left(shape)) > _TOLERANCE * scale:
        shape = _let_go(row, rests, shape, water, left, _TOLERANCE * scale)
    if not _size(left(shape)) <= _TOLERANCE * scale:
        raise ValueError(
            f"no equilibrium of the tether was found: {_size(left(shape)):.3g} N are left on a node. Give it more "
            "nodes, or another place to start from"
        )
    return shape


def _size(forces: Array) -> float:
    return float(np.abs(forces).max(initial=0.0))


def _directions(shape: Array) -> Array:
    steps = np.diff(shape, axis=0)
    return np.asarray(steps / np.maximum(np.linalg.norm(steps, axis=1), 1e-12)[:, None])


def _loads(line: TetherProperties, rests: Array, directions: Array, water: Array) -> Array:
    """Weight and drag on each inner node for given segment directions."""
    along: tuple[Array, ...] = tuple(directions.T)
    before, behind = tether_load(line, along, tuple(water[:-1].T)), tether_load(line, along, tuple(water[1:].T))  # type: ignore[arg-type]
    first, last = np.column_stack(np.broadcast_arrays(*before)), np.column_stack(np.broadcast_arrays(*behind))
    halves = 0.5 * rests[:, None]
    return np.asarray((halves * first)[1:] + (halves * last)[:-1])


def _arc(start: Array, stop: Array, rests: Array, load: Array) -> Array:
    """Initial guess: nodes on an arc towards the load with the tether's length, or on the chord if that is longer."""
    chord, length = stop - start, rests.sum() * (1.0 - 1e-12)
    distance = np.linalg.norm(chord)
    share = np.concatenate([[0.0], np.cumsum(rests) / rests.sum()])[:, None]
    if distance >= length:
        return np.asarray(start + share * chord)
    # The half angle of a circle's arc follows from chord over arc length, by bisection.
    low, high = 1e-9, math.pi
    for _ in range(100):
        half = 0.5 * (low + high)
        low, high = (half, high) if math.sin(half) / half > distance / length else (low, half)
    angle, radius = half * (2.0 * share - 1.0), 0.5 * length / half
    along, out = radius * np.sin(angle), radius * (np.cos(angle) - math.cos(half))
    shape = start + 0.5 * chord + along * chord / distance + out * _aside(chord / distance, load)
    shape[0], shape[-1] = start, stop
    return np.asarray(shape)


def _aside(direction: Array, load: Array) -> Array:
    """Unit vector perpendicular to the chord, towards the load, else downwards, else north."""
    ways = np.array([load, (0.0, 0.0, 1.0), (1.0, 0.0, 0.0)])
    across = ways - np.outer(ways @ direction, direction)
    sizes = np.linalg.norm(across, axis=1)
    chosen = next(i for i in range(3) if sizes[i] > 1e-3 * np.linalg.norm(ways[i]))
    return np.asarray(across[chosen] / sizes[chosen])


def _in_turns(
    line: TetherProperties, rests: Array, shape: Array, water: Array, left: Callable[[Array], Array], scale: float
) -> Array:
    """Fixed-point iteration between loads and shape, with damping while it does not converge."""
    load, share, best = _loads(line, rests, _directions(shape), water), 1.0, math.inf
    tension = np.zeros(3)
    found = shape
    for turn in range(_MOST_TURNS):
        softness = _SOFTNESS if turn == 0 else _SOFTNESS[-1:]
        tension, shape = _hanging(line, rests, load, shape[0], shape[-1], tension, [soft * scale for soft in softness])
        size = _size(left(shape))
        if size < best:
            best, found = size, shape
        else:
            share = max(0.5 * share, 0.05)
        change = _loads(line, rests, _directions(shape), water) - load
        if size <= _SETTLED * scale or _size(change) <= _SETTLED * scale:
            break
        load = load + share * change
    return found


def _hanging(
    line: TetherProperties, rests: Array, load: Array, start: Array, stop: Array, tension: Array, softness: list[float]
) -> tuple[Array, Array]:
    """Tension of the first segment, and the shape, under given loads on the inner nodes."""
    below = np.concatenate([np.zeros((1, 3)), np.cumsum(load, axis=0)])
    for soft in softness:
        tension = _lowest(line, rests, below, stop - start, tension, soft)
    steps = _segments(line, rests, tension - below, softness[-1])[0]
    shape = start + np.concatenate([np.zeros((1, 3)), np.cumsum(steps, axis=0)])
    shape[-1] = stop
    return tension, shape


def _segments(line: TetherProperties, rests: Array, tensions: Array, soft: float) -> tuple[Array, Array, Array]:
    """Segment vectors, tensions, and the complementary energy."""
    sizes = np.sqrt((tensions**2).sum(axis=1) + soft**2)
    vectors = (rests * (1.0 / sizes + 1.0 / line.stiffness))[:, None] * tensions
    energy = rests * (sizes + 0.5 * sizes**2 / line.stiffness)
    return vectors, sizes, energy


def _lowest(line: TetherProperties, rests: Array, below: Array, chord: Array, tension: Array, soft: float) -> Array:
    """Minimum of the complementary energy by Newton steps with backtracking."""
    for _ in range(40):
        tensions = tension - below
        vectors, sizes, energy = _segments(line, rests, tensions, soft)
        gap = vectors.sum(axis=0) - chord
        if np.linalg.norm(gap) < 1e-12 * rests.sum():
            break
        bent = rests / sizes**3
        slope = np.eye(3) * (rests * (1.0 / sizes + 1.0 / line.stiffness)).sum() - (tensions.T * bent) @ tensions
        way = -np.linalg.solve(slope, gap)
        now, share = energy.sum() - tension @ chord, 1.0
        while share > 1e-6:
            tried = tension + share * way
            if _segments(line, rests, tried - below, soft)[2].sum() - tried @ chord <= now + 1e-4 * share * (gap @ way):
                break
            share *= 0.5
        else:
            break
        tension = tried
    return tension


def _let_go(row: Array, rests: Array, shape: Array, water: Array, left: Callable[[Array], Array], goal: float) -> Array:
    """Dynamic relaxation from the best shape found."""
    x, v, ends = shape, np.zeros_like(shape), np.zeros((2, END_SIZE))
    for _ in range(round(_MOVING_TIME / _MOVING_STEP)):
        x, v, _, _ = step_tether(row, rests, _MOVING_STEP, 0.0, -1, water, ends, x, v)
        if _size(left(x)) <= goal:
            break
    return x


def _polished(left: Callable[[Array], Array], shape: Array, scale: float) -> Array:
    """Newton steps on the node positions for the remaining residual."""
    for _ in range(50):
        force = left(shape)
        if _size(force) <= _SETTLED * scale:
            break
        way = solve_banded((_BAND, _BAND), _stiffness(left, shape), force.ravel()).reshape(-1, 3)
        share = 1.0
        while share > 1e-3:
            tried = shape.copy()
            tried[1:-1] += share * way
            if np.linalg.norm(left(tried)) < np.linalg.norm(force):
                break
            share *= 0.5
        else:
            break
        shape = tried
    return shape


def _stiffness(left: Callable[[Array], Array], shape: Array) -> Array:
    """Banded negative Jacobian of the forces by finite differences; nodes three apart share a perturbation."""
    inner, base = shape.shape[0] - 2, left(shape).ravel()
    bands = np.zeros((2 * _BAND + 1, 3 * inner))
    bands[_BAND] = 1e-9
    for node in range(min(3, inner)):
        for axis in range(3):
            nudged = shape.copy()
            nudged[1 + node : -1 : 3, axis] += _NUDGE
            change = -(left(nudged).ravel() - base) / _NUDGE
            for column in range(3 * node + axis, 3 * inner, 9):
                near = np.arange(max(0, 3 * (column // 3) - 3), min(3 * inner, 3 * (column // 3) + 6))
                bands[_BAND + near - column, column] += change[near]
    return bands
