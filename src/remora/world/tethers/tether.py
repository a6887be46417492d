"""Lumped-mass tether between a vehicle and a ship, a wall or another vehicle.

Begin and end of a step are compiled, with the same bits as plain Python. An end is a row: position, velocity,
acceleration and jerk in N, then its mobility, row by row.
"""

import itertools
import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple, final

import numpy as np
from numba import float64, int64, void
from numpy.typing import ArrayLike

from remora.equations.algebra.vectors import (
    IDENTITY3,
    ZERO3,
    add_matrix3,
    inverse3,
    matmul3,
    matvec3,
    scale_matrix3,
    subtract3,
)
from remora.equations.tether import (
    TetherProperties,
    distance_of,
    extent_of,
    kinetic_energy,
    round_tether,
    segment_energy,
    weight_in_water,
)
from remora.files.arrays import Array
from remora.messages.site import GRAVITY
from remora.plant.kernels.strict import strict_kernel
from remora.plant.kernels.tether import WORK_SHEETS, forces_on_nodes, matrix3_at, step_tether, tether_kernels
from remora.world.tethers.ends import TetherEnd, TetherForces, end_from_row, end_row, tether_forces
from remora.world.tethers.static_shape import resting_shape

END_SIZE = 21
MOBILITY = 12  # index of the mobility in an end
READY, REELED_IN, NOT_FINITE = 0, 1, 2  # results of `begin_step`
ROW, TABLE = float64[::1], float64[:, ::1]


def begin_step(
    ends: Array,
    numbers: Array,
    first: int,
    rest_lengths: Array,
    rests: Array,
    x: Array,
    v: Array,
    rows: Array,
    masses: Array,
) -> int:
    """Prepare a step: rest lengths at its end, motion of the ends at its start, and ends for the integration.

    Ends, vehicle then far end, are a row each. The numbers are mass of a metre, kg/m; share of the distance between an
    end and its body that is kept; length of the step, s; speed of the winch, m/s, which changes the length from node
    `first` on.

    Filled in: rest lengths at the end of the step (`rests`), the ends among the nodes x and v, ends as the integration
    takes them (`rows`), and the mass of half a segment at each end in the middle of the step, kg. Returns READY,
    REELED_IN where no length is left, or NOT_FINITE for an end that is not.
    """
    mass, kept, elapsed, rate = numbers[0], numbers[1], numbers[2], numbers[3]
    total, segments, last = 0.0, rests.size, x.shape[0] - 1
    for j in range(segments):
        rests[j] = rest_lengths[j]
    # Beyond a snag alone: nothing runs through a node that is held.
    for j in range(first, segments):
        total += rests[j]
        rests[j] += rate * elapsed / (segments - first)
    # Half of the mean of both lengths, as the winch changes them during the step.
    masses[0] = 0.25 * mass * (rest_lengths[0] + rests[0])
    masses[1] = 0.25 * mass * (rest_lengths[segments - 1] + rests[segments - 1])
    check = 0.0
    for e in range(2):
        node, is_rigid = e * last, _is_rigid(ends, e)
        for j in range(3):
            # A body that gives way was moved by the mean pull, the end of the line by the pull as it came, so after a
            # step they are some micrometres apart. To put the end back at once would change the tension of a stiff
            # line; it creeps back.
            place = ends[e, j]
            x[node, j] = place if is_rigid else place + kept * (x[node, j] - place)
            v[node, j] = ends[e, 3 + j]
        _fill_row(ends, e, masses[e], is_rigid, rows)
        for j in range(END_SIZE):
            check += ends[e, j]
    # A sum keeps NaN and infinity, and either less itself is NaN.
    if check - check != 0.0:
        return NOT_FINITE
    return READY if total + rate * elapsed > 0.0 else REELED_IN


def _is_rigid(ends: Array, e: int) -> bool:
    moving = 0
    for j in range(MOBILITY, END_SIZE):
        moving += ends[e, j] != 0.0
    return moving == 0


def _fill_row(ends: Array, e: int, mass: float, is_rigid: bool, rows: Array) -> None:
    """Acceleration, jerk and gain of an end; half the mass of a segment moves with the body."""
    if is_rigid:
        for j in range(6):
            rows[e, j] = ends[e, 6 + j]
        for j in range(6, 15):
            rows[e, j] = 0.0
        return
    mobility = matrix3_at(ends[e], MOBILITY)
    # (1 + W m)^-1: the body carries the half segment, so that both give way to the rest of the line together.
    response = inverse3(add_matrix3(IDENTITY3, scale_matrix3(mass, mobility)))
    acceleration = matvec3(response, (ends[e, 6], ends[e, 7], ends[e, 8]))
    jerk = matvec3(response, (ends[e, 9], ends[e, 10], ends[e, 11]))
    gain = matmul3(response, mobility)
    for j in range(3):
        rows[e, j], rows[e, 3 + j] = acceleration[j], jerk[j]
        for k in range(3):
            rows[e, 6 + 3 * j + k] = gain[j][k]


def mean_pulls(ends: Array, masses: Array, impulses: Array, v: Array, elapsed: float, pulls: Array) -> None:
    """Fill the mean forces of a step of some seconds on the two ends, newtons in N.

    Masses are those of half a segment at each end, kg, impulses those of the line on its ends, N s, and v the velocity
    of each node at the end of the step.
    """
    last = v.shape[0] - 1
    for e in range(2):
        for j in range(3):
            # The half segment takes its share of the impulse. The rest gives the body the velocity of the end, so that
            # momentum is conserved.
            pulls[e, j] = (impulses[e, j] - masses[e] * (v[e * last, j] - ends[e, 3 + j])) / elapsed


@lru_cache(maxsize=1)
def begin_kernel() -> Any:
    """Compiled `begin_step`."""
    tables = (ROW, ROW, TABLE, TABLE, TABLE, ROW)
    return strict_kernel(begin_step, int64(TABLE, ROW, int64, *tables), "steps of tethers", 3)


@lru_cache(maxsize=1)
def pulls_kernel() -> Any:
    """Compiled `mean_pulls`."""
    return strict_kernel(mean_pulls, void(TABLE, ROW, TABLE, TABLE, float64, TABLE), "mean pulls of tethers", 1)


SEA_WATER = 1025.0  # kg/m3
FREE = -1  # no node is held
CREEP_TIME = 0.1  # s, time constant of the attachment of an end to a yielding body


class TetherState(NamedTuple):
    """State of a tether. Nodes count from the vehicle. A step returns a new state."""

    positions: Array  # m, [node, axis], in N
    velocities: Array  # m/s
    rest_lengths: Array  # m, of each segment
    held: int = FREE  # index of a snagged node, or -1

    @property
    def length(self) -> float:
        """Paid-out length without load, m."""
        return float(self.rest_lengths.sum())


@final
@dataclass(frozen=True)
class Tether:
    """Lumped masses with weight, buoyancy, drag and axial stiffness; no compression and no bending stiffness.

    Raises a ValueError when a number cannot be.
    """

    length: float  # m, paid out at the start
    diameter: float  # m
    mass: float  # kg/m, in air; `mass_of_density` and `mass_of_weight` give it from other numbers
    stiffness: float  # EA: newtons per strain
    damping_ratio: float = 0.1  # of the shortest axial wave that the nodes can carry, from 0 to 1
    normal_drag: float = 1.2  # coefficient across, on the diameter
    tangential_drag: float = 0.01  # coefficient along, on the whole surface
    added_mass: float = 1.0  # water that moves with the line across itself, as a share of its own volume
    nodes: int = 50  # masses, the two ends among them
    density: float = SEA_WATER  # kg/m3, of the water
    gravity: float = GRAVITY  # m/s2
    line: TetherProperties = field(init=False, repr=False, compare=False)
    row: Array = field(init=False, repr=False, compare=False)  # the parameters as an array, for the kernel

    def __post_init__(self) -> None:
        for name in ("length", "diameter", "mass", "stiffness", "density"):
            check_number(name, getattr(self, name), above_zero=True)
        for name in ("normal_drag", "tangential_drag", "added_mass", "gravity"):
            check_number(name, getattr(self, name))
        if not 0.0 <= self.damping_ratio <= 1.0:
            raise ValueError(f"damping_ratio of the tether is {self.damping_ratio}: give a number from 0 to 1")
        if not isinstance(self.nodes, int) or self.nodes < 2:
            raise ValueError(f"nodes of the tether is {self.nodes!r}: give a whole number of at least 2")
        line = round_tether(
            self.diameter,
            self.mass,
            self.stiffness,
            self.damping_ratio,
            self.normal_drag,
            self.tangential_drag,
            self.added_mass,
            self.density,
            self.gravity,
        )
        # Derived from the other fields, set once.
        object.__setattr__(self, "line", line)
        object.__setattr__(self, "row", np.array(line))

    def initial(self, vehicle: Iterable[float], far: Iterable[float], water: ArrayLike = ZERO3) -> TetherState:
        """Static equilibrium between two points in steady water: one velocity, or one per node.

        Raises a ValueError when the ends are in one place, or no equilibrium is found.
        """
        rests = np.full(self.nodes - 1, self.length / (self.nodes - 1))
        flow = self.flow_along(water)
        positions = resting_shape(self.line, rests, vehicle, far, flow)
        return TetherState(positions, np.zeros_like(positions), rests)

    def step(
        self,
        state: TetherState,
        vehicle_end: TetherEnd,
        far_end: TetherEnd,
        water: ArrayLike = ZERO3,
        length_rate: float = 0.0,
        elapsed: float = 0.01,
    ) -> tuple[TetherState, TetherForces]:
        """State after a step, and mean forces on the two ends.

        Parameters
        ----------
        state
            The line now; its ends are put where the two ends say.
        vehicle_end, far_end
            From `fixed_end`, `moving_end` or `yielding_end`.
        water
            Velocity of the water in N, held over the step: one vector, or one for each node.
        length_rate
            Speed at which the winch at the far end pays out, m/s; negative to reel in.
        elapsed
            s.

        Raises
        ------
        ValueError
            When a number is not finite, or the line is reeled in entirely.
        RunError
            When the line moves beyond all numbers.
        """
        ends = np.array([end_row(vehicle_end), end_row(far_end)])
        after, pulls = self.step_between(state, ends, self.flow_along(water), length_rate, elapsed)
        return after, tether_forces(pulls)

    def step_between(
        self, state: TetherState, ends: Array, flow: Array, length_rate: float, elapsed: float
    ) -> tuple[TetherState, Array]:
        """`step` for ends and water as arrays: state after a step, and mean forces on the two ends, a row each.

        Ends are rows of `end_row`; `flow`, from `flow_along`, is the velocity of the water at each node.
        """
        if not (0.0 < elapsed < math.inf and math.isfinite(length_rate)):
            check_winch(state.length, length_rate, elapsed)
        x, v, before, rests, rows, masses, numbers = self._begun(state, ends, length_rate, elapsed)
        impulses, pulls, work = np.zeros((2, 3)), np.empty((2, 3)), np.empty((WORK_SHEETS, self.nodes, 3))
        # The last two of `numbers` are the span of the integration: step and speed of the winch.
        kernel, first, held = tether_kernels().integrate_tether, max(state.held, 0), state.held
        if kernel(self.row, before, numbers[2:], first, held, flow, rows, x, v, work, impulses) <= 0:
            # The kernel has changed x and v. From the same start, the checked step says what is wrong.
            x, v, *_ = self._begun(state, ends, length_rate, elapsed)
            step_tether(self.row, before, elapsed, length_rate, held, flow, rows, x, v)  # raises
        pulls_kernel()(ends, masses, impulses, v, elapsed, pulls)
        return TetherState(x, v, rests, held), pulls

    def _begun(self, state: TetherState, ends: Array, length_rate: float, elapsed: float) -> tuple[Array, ...]:
        """Nodes and rest lengths at the start of a step, rest lengths at its end; ends, masses, numbers for kernels."""
        # Copies: kernels work in place, and the given state stays as it is.
        x, v = np.array(state.positions, dtype=float, order="C"), np.array(state.velocities, dtype=float, order="C")
        before, nodes, first = np.array(state.rest_lengths, dtype=float), self.nodes, max(state.held, 0)
        shapes = (x.shape, v.shape, before.shape)
        if shapes != ((nodes, 3), (nodes, 3), (nodes - 1,)):
            raise ValueError(f"the state of the tether has shapes {shapes}: give one of {nodes} nodes")
        rests, rows, masses = np.empty(nodes - 1), np.empty((2, 15)), np.empty(2)
        numbers = np.array((self.mass, math.exp(-elapsed / CREEP_TIME), elapsed, length_rate))
        outcome = begin_kernel()(ends, numbers, first, before, rests, x, v, rows, masses)
        # Compiled code gives a code only; these checks repeat its test and word the failure.
        if outcome == REELED_IN:
            check_winch(float(before[first:].sum()), length_rate, elapsed)
        elif outcome == NOT_FINITE:
            for end in ends:
                end_from_row(end)
        return x, v, before, rests, rows, masses, numbers

    def snagged(self, state: TetherState, along: float) -> TetherState:
        """Snag the tether at a distance from the vehicle along it, m: the nearest node is held from now on.

        The winch then changes the length beyond that node only. `freed` lets it go.
        """
        reached = np.concatenate([[0.0], np.cumsum(state.rest_lengths)])
        if not 0.0 <= along <= reached[-1]:
            raise ValueError(f"the line is snagged at {along} m: give a place on its {reached[-1]:g} m")
        if self.nodes < 3:
            raise ValueError("a tether of 2 nodes has none between its ends that could be snagged: give it more nodes")
        held = 1 + int(np.argmin(np.abs(reached[1:-1] - along)))
        velocities = state.velocities.copy()
        # A held node is not accelerated and would drift on with the speed at which it was caught.
        velocities[held] = 0.0
        return state._replace(velocities=velocities, held=held)

    def freed(self, state: TetherState) -> TetherState:
        """Release a snag."""
        return state._replace(held=FREE)

    def tensions(self, state: TetherState, water: ArrayLike = ZERO3) -> Array:
        """Force on each node, [node, axis]: zero at rest, at the ends the reaction."""
        return forces_on_nodes(self.row, state.rest_lengths, self.flow_along(water), state.positions, state.velocities)

    def energy(self, state: TetherState) -> float:
        """Kinetic, elastic and potential energy of all nodes between the ends, J; the last is zero at depth zero."""
        x, v = _tuples(state.positions), _tuples(state.velocities)
        rests = state.rest_lengths.tolist()
        separations = [subtract3(b, a) for a, b in itertools.pairwise(x)]
        extents = [extent_of(separation, rest) for separation, rest in zip(separations, rests, strict=True)]
        total = sum(segment_energy(self.line, rest, distance_of(s)) for rest, s in zip(rests, separations, strict=True))
        for segment, rest in enumerate(rests):
            for node in (segment, segment + 1):
                if 0 < node < self.nodes - 1:
                    half, extent = 0.5 * rest, extents[segment]
                    total += kinetic_energy(v[node], self.line.mass * half, self.line.added_mass * half, extent)
                    total -= weight_in_water(self.line) * half * x[node][2]
        return float(total)

    def flow_along(self, water: ArrayLike) -> Array:
        """The velocity of the water at each node, m/s in N, from one vector or one for each node."""
        given = np.asarray(water, dtype=float)
        if given.shape not in ((3,), (self.nodes, 3)):
            raise ValueError(
                f"water velocity has shape {given.shape}: give three numbers, or {self.nodes} rows of them"
            )
        if not np.isfinite(given).all():
            raise ValueError("water velocity is not finite everywhere: give finite numbers")
        flow = np.empty((self.nodes, 3))
        flow[:] = given
        return flow


def check_winch(length: float, length_rate: float, elapsed: float) -> None:
    """Refuse a winch rate that reels in more than the length."""
    if not (math.isfinite(length_rate) and 0.0 < elapsed < math.inf):
        raise ValueError(f"length rate is {length_rate} m/s over {elapsed} s: give a finite rate and a positive time")
    if not length + length_rate * elapsed > 0.0:
        raise ValueError(f"the winch reels in {-length_rate:g} m/s with {length:.3g} m left: stop it before")


def mass_of_density(density: float, diameter: float) -> float:
    """Mass of a metre of line, kg/m, from the density of the line itself, kg/m3."""
    return density * math.pi / 4.0 * diameter**2


def mass_of_weight(weight: float, diameter: float, density: float = SEA_WATER, gravity: float = GRAVITY) -> float:
    """Mass of a metre of line, kg/m, from its weight in water, N/m: zero for a neutral line, negative if it floats."""
    return weight / gravity + mass_of_density(density, diameter)


def check_number(name: str, value: float, above_zero: bool = False) -> None:
    """Refuse an impossible value of a parameter."""
    if not (math.isfinite(value) and (value > 0.0 if above_zero else value >= 0.0)):
        wanted = "a positive number" if above_zero else "a number that is not negative"
        raise ValueError(f"{name} of the tether is {value}: give {wanted}")


def _tuples(rows: Array) -> list[tuple[float, float, float]]:
    return [(a, b, c) for a, b, c in rows.tolist()]
