"""Distributed predictive control for docking: all vehicles of a team, iteration by iteration.

Algorithm 1 of Nielsen 2018, ch. 8.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias, final

import numpy as np
from numpy.typing import ArrayLike

from remora.control.docking.agent import AgentState, DockingAgent, DockingMessage, LocalSolver
from remora.control.docking.link import DockingLink, LinkState
from remora.control.docking.sight import sight_margins
from remora.control.docking.team import AGREED, DockingTeam, PoseUncertainty
from remora.equations.control.docking import port_pose
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
