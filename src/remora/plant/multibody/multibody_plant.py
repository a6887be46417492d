"""`MultibodyPlant`: vehicles and passive bodies joined by links, stepped by compiled code."""

from __future__ import annotations  # so that help() shows ArrayLike and not its expansion

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise
from typing import final

import numpy as np
from numpy.typing import ArrayLike

from remora.equations.algebra.pose import BODY_SIZE
from remora.equations.packed import is_general
from remora.equations.water.local_water import STEADY_SIZE
from remora.files.arrays import Array
from remora.plant.failures import RunError, failure
from remora.plant.inputs import STILL_WATER, check_interval, check_quaternion, numbers, water_width
from remora.plant.loops import FINISHED
from remora.plant.multibody.assembly import BodyModel, body_regions, ends_of, system_memory
from remora.plant.multibody.link_table import Link, LinkError
from remora.plant.multibody.multibody_kernels import MultibodyKernels, multibody_kernels, piece_address
from remora.plant.multibody.solvers.loop_solver import inertia_entry
from remora.plant.multibody.solvers.memory import (
    ADVANCE_ADDRESS,
    BEGIN_ADDRESS,
    EVERY,
    LOADS_ADDRESS,
    LOOPS_ADDRESS,
    REACHED,
    STEP,
    STEPS,
    TREE_ADDRESS,
    SystemMemory,
)
from remora.plant.multibody.solvers.stepping import CONTRADICTION
from remora.plant.multibody.topology import Topology, topology_of
from remora.plant.pack import resting_outputs

SOLVERS = ("auto", "loops")
LARGEST_RATE = 1.5  # product of time step and fastest rate of a latch; RK4 is stable up to 2.6


@final
@dataclass(frozen=True)
class MultibodyPlant:
    """Bodies and links without a state of their own: every method takes a state and returns a new one.

    A state is one row: for each body in order its thirteen numbers and the states of its actuators, as in a state of
    `Plant`. A change of links gives another plant; the state stays valid.

    Parameters
    ----------
    bodies
        Vehicles and passive bodies.
    links
        Links between them.
    time_step
        Step of RK4, s.
    projection
        Poses and velocities are projected on the links every this many steps and at the end of a call; 0 for never.
    stabilisation
        Baumgarte's alpha and beta, 1/s; 0 for none.
    solver
        ``auto``: trees by articulated-body elimination, a rigid cluster as one body, loops by block Cholesky.
        ``loops``: all rigid links stay constraints, also those that a cluster does not need.
    """

    bodies: tuple[BodyModel, ...]
    links: tuple[Link, ...] = ()
    time_step: float = 0.01
    projection: int = 1
    stabilisation: tuple[float, float] = (0.0, 0.0)
    solver: str = "auto"
    topology: Topology = field(init=False, repr=False, compare=False)
    starts: tuple[int, ...] = field(init=False, repr=False, compare=False)
    _memories: dict[int, SystemMemory] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_interval(self.time_step, 1)
        if self.solver not in SOLVERS:
            raise ValueError(f"solver is {self.solver!r}: choose from {', '.join(SOLVERS)}")
        if not self.bodies:
            raise ValueError("bodies is empty: give at least one body")
        if not (isinstance(self.projection, int) and self.projection >= 0):
            raise ValueError(f"projection is {self.projection!r}: give every how many steps, 0 for never")
        gains = tuple(numbers("stabilisation", self.stabilisation, (2,)).tolist())
        if min(gains) < 0.0:
            raise ValueError(f"stabilisation is {gains}: give alpha and beta of at least 0")
        object.__setattr__(self, "bodies", tuple(self.bodies))
        object.__setattr__(self, "links", tuple(self.links))
        ends, fixed = ends_of(self.bodies, self.links), tuple(body.fixed for body in self.bodies)
        object.__setattr__(self, "topology", topology_of(ends, self.links, fixed, self.solver == "loops"))
        object.__setattr__(self, "starts", tuple(body_regions(self.bodies).starts.tolist()))
        object.__setattr__(self, "_memories", {})
        _check_latches(self)

    @property
    def body_names(self) -> tuple[str, ...]:
        """Names of the bodies."""
        return tuple(body.name for body in self.bodies)

    @property
    def clusters(self) -> tuple[tuple[str, ...], ...]:
        """Names of bodies that rigid links join."""
        return tuple(tuple(self.body_names[i] for i in one) for one in self.topology.clusters)

    @property
    def commands(self) -> int:
        """Number of commands of all bodies."""
        return sum(body.packed.actuators for body in self.bodies)

    def with_links(self, links: Sequence[Link]) -> MultibodyPlant:
        """The same bodies with other links."""
        return replace(self, links=tuple(links))

    def with_bodies(self, bodies: Sequence[BodyModel]) -> MultibodyPlant:
        """The same links with other parameters of the bodies, for example after a failure."""
        return replace(self, bodies=tuple(bodies))

    def detach(self, name: str) -> MultibodyPlant:
        """The plant without a link; the motion continues from the same state."""
        left = [link for link in self.links if link.name != name]
        if len(left) == len(self.links):
            names = ", ".join(link.name for link in self.links) or "none"
            raise LinkError(f"there is no link {name!r} to detach: the links are {names}")
        return self.with_links(left)

    def state_of(self, rows: Sequence[ArrayLike] | None = None) -> Array:
        """A state from one row per body, of thirteen numbers or a whole row of `Plant`; at rest at the origin without.

        Actuators that are not given are at rest. The poses are taken as they are; see `closed`.
        """
        given = [np.eye(1, BODY_SIZE, 3)[0]] * len(self.bodies) if rows is None else list(rows)
        if len(given) != len(self.bodies):
            raise ValueError(f"states of {len(given)} bodies are given: give {len(self.bodies)}")
        whole = [_whole_row(body, row) for body, row in zip(self.bodies, given, strict=True)]
        for body, row in zip(self.bodies, whole, strict=True):
            check_quaternion(row[:BODY_SIZE])
            if body.fixed and np.any(row[7:BODY_SIZE]):
                raise ValueError(f"body {body.name} is fixed but moves: give it a zero twist")
        return np.concatenate(whole)

    def rows(self, state: ArrayLike) -> list[Array]:
        """The row of each body in a state."""
        whole = self._checked(state)
        return [whole[start:end].copy() for start, end in pairwise(self.starts)]

    def body_states(self, state: ArrayLike) -> Array:
        """Thirteen numbers of each body: [body, number]."""
        return self._split(self._checked(state))[0]

    def step(
        self,
        state: ArrayLike,
        commands: ArrayLike = (),
        external: ArrayLike | None = None,
        water: ArrayLike = STILL_WATER,
        steps: int = 1,
    ) -> Array:
        """The state after some steps of held inputs.

        Parameters
        ----------
        state
            State at the start.
        commands
            Commands of all actuators, body after body.
        external
            External wrench on each body about its B, in its axes: [body, 6], N and N m.
        water
            Water around each body in N, [body, numbers], or one row for all; see `rollout`.
        steps
            Number of steps.

        Raises
        ------
        ValueError
            When an input has the wrong shape or holds a NaN.
        RunError
            When a body leaves its envelope or is no longer finite, or links contradict each other.
        """
        check_interval(self.time_step, steps)
        memory, kernels = self._filled(state, commands, external, water)
        memory.set_count(STEPS, int(steps))
        ended = kernels.step(memory.integers, memory.floats)
        reached = float(memory["settings"][REACHED])
        if ended == CONTRADICTION:
            raise RunError(
                "links of a loop contradict each other, or it is at a singular pose: look at `counts` and `drift`",
                reached,
            )
        if ended != FINISHED:
            raise failure(self.bodies[ended].packed, memory["x"][ended], memory["waters"][ended], reached, int(ended))
        return self._joined(memory)

    def accelerations(
        self,
        state: ArrayLike,
        commands: ArrayLike = (),
        external: ArrayLike | None = None,
        water: ArrayLike = STILL_WATER,
    ) -> Array:
        """Accelerations of all bodies in their axes, [body, 6], under inputs as in `step`."""
        return self.solved(state, commands, external, water)["rates"][:, 7:].copy()

    def solved(
        self,
        state: ArrayLike,
        commands: ArrayLike = (),
        external: ArrayLike | None = None,
        water: ArrayLike = STILL_WATER,
    ) -> SystemMemory:
        """The memory after an evaluation of the accelerations: loads, motions and multipliers, until the next call."""
        memory, kernels = self._filled(state, commands, external, water)
        kernels.accelerate(memory.integers, memory.floats)
        return memory

    def inertia_of(self, state: ArrayLike, body: int) -> Array:
        """Inertia of a body at a state, with its added mass: 6x6 about its B."""
        load = self.solved(state, np.zeros(self.commands))["loads"][body]
        return np.array([[inertia_entry(load, i, j) for j in range(6)] for i in range(6)])

    def evaluation(
        self,
        state: ArrayLike,
        commands: ArrayLike = (),
        external: ArrayLike | None = None,
        water: ArrayLike = STILL_WATER,
    ) -> Callable[[], object]:
        """A prepared evaluation of the accelerations, for measurements of its time; inputs as in `step`."""
        memory, kernels = self._filled(state, commands, external, water)
        return partial(kernels.accelerate, memory.integers, memory.floats)

    def project(self, state: ArrayLike, sweeps: int = 1) -> Array:
        """Mass-weighted projection of poses, in some sweeps, and of velocities on the links; 0: velocities only."""
        whole = self._checked(state)
        memory, kernels = self._filled(whole, np.zeros(self.commands), None, STILL_WATER)
        kernels.project(memory.integers, memory.floats, sweeps)
        memory["carried"][:] = self._split(whole)[1]
        return self._joined(memory)

    def _memory(self, water: int) -> SystemMemory:
        """The memory for water of this many numbers; its inputs are overwritten by every call."""
        if water not in self._memories:
            gains = float(self.stabilisation[0]), float(self.stabilisation[1])
            memory = system_memory(self.bodies, self.links, self.topology, gains, water)
            memory["settings"][STEP] = self.time_step
            memory.set_count(EVERY, self.projection)
            self._set_addresses(memory, water)
            self._memories[water] = memory
        return self._memories[water]

    def _set_addresses(self, memory: SystemMemory, water: int) -> None:
        """Compile what this system needs, and let the memory know where it is."""
        general = water > STEADY_SIZE or any(is_general(body.packed.layout) for body in self.bodies)
        memory.set_count(LOADS_ADDRESS, piece_address("general loads" if general else "basic loads"))
        memory.set_count(TREE_ADDRESS, piece_address("tree"))
        if self.topology.loop_links:
            memory.set_count(LOOPS_ADDRESS, piece_address("loops"))
        if memory["commands"].size:
            memory.set_count(BEGIN_ADDRESS, piece_address("begin"))
            memory.set_count(ADVANCE_ADDRESS, piece_address("advance"))

    def _filled(
        self, state: ArrayLike, commands: ArrayLike, external: ArrayLike | None, water: ArrayLike
    ) -> tuple[SystemMemory, MultibodyKernels]:
        """The memory with state and inputs, and the kernels for it."""
        n, flow = len(self.bodies), np.asarray(water, dtype=float)
        width = water_width([flow])
        memory = self._memory(width)
        memory["commands"][:] = numbers("commands", commands, memory["commands"].shape)
        memory["externals"][:] = 0.0 if external is None else numbers("external wrench", external, (n, 6))
        memory["waters"][:] = numbers("water", flow, (n, width) if flow.ndim > 1 else (width,))
        memory["x"][:], memory["carried"][:] = self._split(self._checked(state))
        check_quaternion(memory["x"])
        return memory, multibody_kernels()

    def _checked(self, state: ArrayLike) -> Array:
        return numbers("state", state, (self.starts[-1],))

    def _split(self, state: Array) -> tuple[Array, Array]:
        """Body states [body, 13], and all actuator states."""
        x = np.stack([state[start : start + BODY_SIZE] for start in self.starts[:-1]])
        parts = [state[a + BODY_SIZE : b] for a, b in pairwise(self.starts)]
        return x, np.concatenate(parts)

    def _joined(self, memory: SystemMemory) -> Array:
        """One state from the body states and actuator states of the memory."""
        state, at = np.empty(self.starts[-1]), 0
        for i, (start, end) in enumerate(pairwise(self.starts)):
            state[start : start + BODY_SIZE] = memory["x"][i]
            size = end - start - BODY_SIZE
            state[start + BODY_SIZE : end] = memory["carried"][at : at + size]
            at += size
        return state


def _whole_row(body: BodyModel, row: ArrayLike) -> Array:
    """The row of a body: as given, or with its actuators at rest."""
    size = BODY_SIZE + body.packed.actuator_states
    if np.shape(row) == (BODY_SIZE,):
        idle = np.zeros(body.packed.actuator_states)
        idle[: body.packed.actuators] = resting_outputs(body.packed)
        row = np.concatenate([np.asarray(row, dtype=float), idle])
    return numbers(f"state of {body.name}", row, (size,))


def _check_latches(plant: MultibodyPlant) -> None:
    """Refuse latches that are too stiff for the time step."""
    for k in plant.topology.latches:
        link = plant.links[k]
        rows = [body.packed.row[:36].reshape(6, 6) for body in plant.bodies if body.name in (link.first, link.second)]
        mass, inertia = (min(np.diag(row)[part].min() for row in rows) for part in (slice(3), slice(3, 6)))
        fastest = max(
            np.sqrt(2.0 * link.stiffness[0] / mass),
            np.sqrt(2.0 * link.stiffness[1] / inertia),
            2.0 * link.damping[0] / mass,
            2.0 * link.damping[1] / inertia,
        )
        if fastest * plant.time_step > LARGEST_RATE:
            raise LinkError(
                f"link {link.name}: stiffness {link.stiffness} or damping {link.damping} is too fast for a step of "
                f"{plant.time_step:g} s: choose a step below {LARGEST_RATE / fastest:.2g} s, or a softer latch"
            )
