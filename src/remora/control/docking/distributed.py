"""Distributed predictive control for docking: all vehicles of a team, iteration by iteration, from start to latch.

Algorithm 1 of Nielsen 2018, ch. 8. `simulate_docking` closes the loop in the horizontal plane with the motion model of
the planner.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias, final

import numpy as np
from numpy.typing import ArrayLike

from remora.control.docking.agent import AgentState, DockingAgent, DockingMessage, LocalSolver, sight_margins
from remora.control.docking.link import DockingLink, LinkState
from remora.control.docking.solvers import columns
from remora.control.docking.team import AGREED, NIELSEN_LATCH, DockingTeam, Latch, PoseUncertainty
from remora.equations.control.docking import PlanarModel, off_axis, planar_step, port_pose
from remora.files.arrays import Array

SolverMaker: TypeAlias = Callable[[DockingTeam, int], LocalSolver]


class TeamState(NamedTuple):
    """State of all vehicles of a team and of the links between them."""

    agents: tuple[AgentState, ...]
    link: LinkState
    sample: int
    scale: float  # largest difference of the port poses of neighbours at the first sample, m or rad


class SampleResult(NamedTuple):
    """What a sample of the team gives."""

    plans: Array  # vehicles x N x 3, planned forces
    iterations: int  # used
    agreed_after: int  # iterations until the disagreement was below AGREED; 0: not reached
    disagreements: Array  # after each iteration, over the scale

    @property
    def forces(self) -> Array:
        """Vehicles x 3, to apply until the next sample."""
        return self.plans[:, 0]


@final
class DistributedPlanner:
    """Distributed planner of a team over a modelled link.

    Parameters
    ----------
    team
        Vehicles and their parameters.
    link
        Loss, delay, resolution and idle iterations; the default is perfect.
    solver
        Makes the local solver of a vehicle; default the real-time iteration.
    """

    def __init__(self, team: DockingTeam, link: DockingLink | None = None, solver: SolverMaker | None = None) -> None:
        self.team, self.link = team, link or DockingLink()
        self.agents = [DockingAgent(team, i, solver(team, i) if solver else None) for i in range(team.graph.size)]

    def initial(self, states: ArrayLike, random: np.random.Generator | None = None) -> TeamState:
        """Vehicles that know the poses of their neighbours, from states [vehicle, 6].

        A link with losses or idle iterations needs a random generator.
        """
        known = np.array(states, dtype=float)
        if known.shape != (self.team.graph.size, 6) or not np.isfinite(known).all():
            raise ValueError(f"states have shape {known.shape}: give six finite numbers for each vehicle")
        ports = np.array([port_pose(v.port, tuple(x[:3])) for v, x in zip(self.team.vehicles, known, strict=True)])
        differences = [float(np.abs(ports[a] - ports[b]).max()) for a, b in self.team.graph.edges]
        margins = sight_margins(self.team, known)
        agents = tuple(
            agent.initial(known[i], {j: known[j] for j in self.team.graph.neighbours(i)}, margins)
            for i, agent in enumerate(self.agents)
        )
        return TeamState(agents, self.link.initial(random), 0, max(differences, default=1.0) or 1.0)

    def sample(
        self, state: TeamState, measured: Array, uncertainties: Sequence[PoseUncertainty] | None = None
    ) -> tuple[TeamState, SampleResult]:
        """Plan from measured states, exchange, and return the forces until the next sample.

        Measured states are vehicles x 6; their uncertainties, none by default, narrow the cones.
        """
        margins = sight_margins(self.team, measured, uncertainties)
        agents, link, history = [agent._replace(margins=margins) for agent in state.agents], state.link, []
        for iteration in range(self.team.iterations):
            active, link = self.link.active(link, len(agents))
            agents, link = self._iterated(agents, link, active, measured, state.sample, iteration)
            history.append(self._disagreement(agents) / state.scale)
            if self.team.stop_when_agreed and history[-1] < AGREED:
                break
        plans = np.array([agent.forces for agent in agents])
        below = np.flatnonzero(np.array(history) < AGREED)
        result = SampleResult(plans, len(history), int(below[0]) + 1 if below.size else 0, np.array(history))
        moved = tuple(agent.next_sample(s) for agent, s in zip(self.agents, agents, strict=True))
        return TeamState(moved, link, state.sample + 1, state.scale), result

    def _iterated(
        self, agents: list[AgentState], link: LinkState, active: Sequence[bool], measured: Array, sample: int,
        iteration: int,
    ) -> tuple[list[AgentState], LinkState]:  # fmt: skip
        """All active vehicles solve, then exchange messages over the link and update their prices."""
        sent: dict[int, dict[int, DockingMessage]] = {}
        agents = list(agents)
        for i, agent in enumerate(self.agents):
            if active[i]:
                agents[i], sent[i] = agent.solved(agents[i], measured[i])
        time = (sample + iteration / self.team.iterations) * self.team.step
        link = self.link.sent(link, time, sample, sent)
        received, link = self.link.received(link, time, sample)
        for i in sent:
            agents[i] = self.agents[i].exchanged(agents[i], sent[i], received.get(i, {}))
        return agents, link

    def _disagreement(self, agents: Sequence[AgentState]) -> float:
        """Largest component of the difference between the copies of neighbours."""
        return max(
            (float(np.abs(agents[a].copy - agents[b].copy).max()) for a, b in self.team.graph.edges), default=0.0
        )


@final
@dataclass(frozen=True, eq=False)
class DockingRun:
    """Record of a docking manoeuvre; row 0 is the start."""

    team: DockingTeam
    times: Array  # s
    states: Array  # samples + 1 x vehicles x 6
    forces: Array  # samples x vehicles x 3
    iterations: Array  # samples, used by the planner
    agreed_after: Array  # samples, iterations until agreement; 0: not reached
    docked_at: float | None  # s; None: not docked

    @property
    def ports(self) -> Array:
        """Port poses, samples + 1 x vehicles x 3."""
        return port_poses(self.team, self.states)

    def distance(self, a: int, b: int) -> Array:
        """Distance between the ports of two vehicles, m."""
        return np.linalg.norm(self.ports[:, a, :2] - self.ports[:, b, :2], axis=1)

    def heading_difference(self, a: int, b: int) -> Array:
        """Difference between the headings of the ports of two vehicles in (-pi, pi], rad."""
        return _wrapped(self.ports[:, a, 2] - self.ports[:, b, 2])

    def bearing(self, carrier: int, other: int) -> Array:
        """Angle of a neighbour off the axis of the camera towards it, rad."""
        offset = self.states[:, other, :2] - self.states[:, carrier, :2]
        axis = self.states[:, carrier, 2] + self.team.cameras[carrier, other].mounting
        return np.asarray(np.vectorize(lambda a, n, e: off_axis(a, (n, e)))(axis, offset[:, 0], offset[:, 1]))

    def target_bearing(self, carrier: int) -> Array:
        """Angle of the target off the axis of the camera towards it, rad."""
        target = self.team.targets[carrier]
        axis = self.states[:, carrier, 2] + target.camera.mounting
        north, east = target.north - self.states[:, carrier, 0], target.east - self.states[:, carrier, 1]
        return np.asarray(np.vectorize(lambda a, n, e: off_axis(a, (n, e)))(axis, north, east))

    def target_distance(self, carrier: int) -> Array:
        """Distance of a vehicle to its target, m."""
        target = self.team.targets[carrier]
        return np.hypot(target.north - self.states[:, carrier, 0], target.east - self.states[:, carrier, 1])


def port_poses(team: DockingTeam, states: Array) -> Array:
    """Poses of the ports, with vehicles along the second last axis of the states."""
    poses: list[Array] = [
        np.moveaxis(np.array(port_pose(v.port, columns(states[..., i, :3]))), 0, -1)
        for i, v in enumerate(team.vehicles)
    ]
    return np.stack(poses, axis=-2)


def port_velocities(team: DockingTeam, states: Array) -> Array:
    """Velocities of the ports in N, m/s, vehicles x 2."""
    found = []
    for v, x in zip(team.vehicles, states, strict=True):
        c, s = math.cos(x[2]), math.sin(x[2])
        surge, sway = x[3] - x[5] * v.port[1], x[4] + x[5] * v.port[0]
        found.append((c * surge - s * sway + v.current[0], s * surge + c * sway + v.current[1]))
    return np.array(found)


def is_docked(team: DockingTeam, states: Array, latch: Latch) -> bool:
    """Whether the ports of all neighbours are within the latch; states are vehicles x 6."""
    ports, velocities = port_poses(team, states), port_velocities(team, states)
    for a, b in team.graph.edges:
        gap = ports[a] - ports[b]
        near = math.hypot(gap[0], gap[1]) < latch.distance and abs(_wrapped(gap[2])) < latch.heading
        if not (near and np.linalg.norm(velocities[a] - velocities[b]) < latch.speed):
            return False
    return True


def simulate_docking(
    planner: DistributedPlanner,
    starts: ArrayLike,
    duration: float,
    latch: Latch = NIELSEN_LATCH,
    stop_when_docked: bool = False,
    random: np.random.Generator | None = None,
) -> DockingRun:
    """Run a team in the horizontal plane, with the motion model of the planner as the plant.

    Parameters
    ----------
    planner
        Of the team.
    starts
        Six numbers for each vehicle: north, east (m), heading (rad), surge, sway (m/s), yaw rate (rad/s).
    duration
        s.
    latch
        Tolerance within which the team counts as docked; `docked_at` of the result is None where it never does.
    stop_when_docked
        End the run then.
    random
        Stream of the link.
    """
    team, states = planner.team, [np.array(starts, dtype=float)]
    if not isinstance(duration, float | int) or not team.step <= duration < np.inf:
        raise ValueError(f"duration is {duration!r}: give seconds, at least one step of {team.step:g} s")
    state, results, docked_at = planner.initial(starts, random), [], None
    models = [PlanarModel(v.inertia, v.drag, v.current) for v in team.vehicles]
    for k in range(round(duration / team.step)):
        state, result = planner.sample(state, states[-1])
        pairs = zip(models, states[-1], result.forces, strict=True)
        states.append(np.array([planar_step(m, tuple(x), tuple(u), team.step) for m, x, u in pairs]))
        results.append(result)
        if docked_at is None and is_docked(team, states[-1], latch):
            docked_at = (k + 1) * team.step
            if stop_when_docked:
                break
    return _recorded(team, states, results, docked_at)


def _recorded(
    team: DockingTeam, states: Sequence[Array], results: Sequence[SampleResult], docked_at: float | None
) -> DockingRun:
    return DockingRun(
        team,
        np.array([k * team.step for k in range(len(states))], dtype=float),
        np.array(states),
        np.array([r.forces for r in results]),
        np.array([r.iterations for r in results]),
        np.array([r.agreed_after for r in results]),
        docked_at,
    )


def _wrapped(angle: Array) -> Array:
    """An angle in [-pi, pi)."""
    return (angle + math.pi) % (2.0 * math.pi) - math.pi
