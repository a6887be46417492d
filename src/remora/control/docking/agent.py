"""One vehicle of a docking team: its plan, what it knows of its neighbours, and its messages."""

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol, final

import numpy as np

from remora.control.docking.consensus import EdgeConsensus, consensus_rule
from remora.control.docking.local_problem import DockingPlan, DockingProblem, columns, shifted
from remora.control.docking.real_time import RealTimeSolver
from remora.control.docking.sight import SightMargins
from remora.control.docking.team import DockingTeam
from remora.equations.control.docking import clearance_side, cone_normals, cone_values, port_pose
from remora.files.arrays import Array


class LocalSolver(Protocol):
    """Improves the forces of a local problem."""

    def step(self, problem: DockingProblem, forces: Array) -> DockingPlan:
        """A better plan than the given forces."""


class DockingMessage(NamedTuple):
    """What a vehicle sends to a neighbour in an iteration, for stages 0 to N."""

    poses: Array  # N + 1 x 3: planned north, east, heading
    consensus: Array  # N + 1 x 3


class Neighbour(NamedTuple):
    """What a vehicle knows of a neighbour."""

    message: DockingMessage  # the last one received, moved on to the current sample
    edge: EdgeConsensus
    own_prices: Array  # N + 1 x 2, of the camera towards the neighbour
    other_prices: Array  # N + 1 x 2, of the neighbour's camera towards this vehicle
    clearance_prices: Array  # N + 1, of the distance to the neighbour


class AgentState(NamedTuple):
    """State of a vehicle between iterations."""

    forces: Array  # N x 3
    poses: Array  # N + 1 x 3, planned
    copy: Array  # N + 1 x 3, of the common pose
    neighbours: dict[int, Neighbour]
    margins: SightMargins


@final
class DockingAgent:
    """Local part of Algorithm 1 of Nielsen 2018 for one vehicle of a team."""

    def __init__(self, team: DockingTeam, index: int, solver: LocalSolver | None = None) -> None:
        self.team, self.index = team, index
        self._model = team.model_row(index)
        self._rule = consensus_rule(team.weights.agreement, team.prices)
        self._solver = solver or RealTimeSolver(team.horizon, index in team.targets)
        self._watched = [j for j in team.graph.neighbours(index) if (index, j) in team.cameras]
        self._avoided = [j for j in team.graph.neighbours(index) if team.clearance(index, j) > 0.0]
        penalty = team.prices.penalty if team.prices.rule == "admm" else 0.0
        self._weights = np.array([*team.weights.velocity, *team.weights.force, penalty])
        self._limits = np.array(team.vehicles[index].force_limits, dtype=float)

    def _cone(self, margins: SightMargins, carrier: int, other: int) -> tuple[float, float]:
        """Mounting angle and narrowed half angle of a camera."""
        camera = self.team.cameras[carrier, other]
        return camera.mounting, camera.half_angle - margins[carrier, other]

    def initial(self, start: Array, neighbours: Mapping[int, Array], margins: SightMargins) -> AgentState:
        """Rest at the start, with the poses that the neighbours report; states have six numbers."""
        stages = self.team.horizon + 1
        own = np.tile(start[:3], (stages, 1))
        ports, zeros = self._ports(own, self.index), np.zeros((stages, 2))
        known = {}
        for j, pose in neighbours.items():
            other = np.tile(pose[:3], (stages, 1))
            point = 0.5 * (ports + self._ports(other, j))
            message = DockingMessage(other, self._ports(other, j))
            edge = EdgeConsensus(point, np.zeros_like(point))
            known[j] = Neighbour(message, edge, zeros, zeros, np.zeros(stages))
        return AgentState(np.zeros((self.team.horizon, 3)), own, ports, known, margins)

    def _ports(self, poses: Array, index: int) -> Array:
        return np.array(port_pose(self.team.vehicles[index].port, columns(poses))).T

    def problem(self, state: AgentState, measured: Array) -> DockingProblem:
        """The local problem for the known messages and prices."""
        cost = self._rule.cost({j: n.edge for j, n in state.neighbours.items()})
        shape = (len(self._watched), self.team.horizon + 1, 2)
        watchers = [j for j in state.neighbours if (j, self.index) in self.team.cameras]
        sides = [self._sides(state.margins, j, state.neighbours[j].message.poses) for j in watchers]
        sides += [self._clearance_side(state, j) for j in self._avoided]
        watching = [state.neighbours[j].other_prices for j in watchers]
        watching += [_one_side(state.neighbours[j].clearance_prices) for j in self._avoided]
        return DockingProblem(
            start=np.asarray(measured, dtype=float),
            model=self._model,
            weights=np.concatenate([cost.stiffness, self._weights]),
            goal=np.ascontiguousarray(cost.goal),
            pull=np.ascontiguousarray(cost.pull),
            cones=np.array([self._cone(state.margins, self.index, j) for j in self._watched]).reshape(-1, 2),
            points=np.array([state.neighbours[j].message.poses[:, :2] for j in self._watched]).reshape(shape),
            prices=np.array([state.neighbours[j].own_prices for j in self._watched]).reshape(shape),
            watchers=np.array(sides).reshape(len(sides), shape[1], 6),
            watcher_prices=np.array(watching).reshape(len(sides), shape[1], 2),
            target=self.team.target_row(self.index, state.margins.get((self.index, self.index), 0.0)),
            force_limits=self._limits,
        )

    def _sides(self, margins: SightMargins, carrier: int, poses: Array) -> Array:
        """Sides of the cone of a neighbour along its plan: normal and constant of each."""
        mounting, half_angle = self._cone(margins, carrier, self.index)
        heading: Any = poses[:, 2]
        right, left = cone_normals(heading + mounting, half_angle)
        constants = [-n[0] * poses[:, 0] - n[1] * poses[:, 1] for n in (right, left)]
        return np.stack([*right, constants[0], *left, constants[1]], axis=1)

    def _clearance_side(self, state: AgentState, other: int) -> Array:
        """Side of the clearance to a neighbour along both plans; the second side of a cone is left open."""
        own, theirs = columns(state.poses[:, :2]), columns(state.neighbours[other].message.poses[:, :2])
        north, east, constant = clearance_side(own, theirs, self.team.clearance(self.index, other))
        zeros = np.zeros(len(state.poses))
        return np.stack([north, east, constant, zeros, zeros, zeros - 1.0], axis=1)

    def solved(self, state: AgentState, measured: Array) -> tuple[AgentState, dict[int, DockingMessage]]:
        """Improve the plan and write a message to each neighbour."""
        plan = self._solver.step(self.problem(state, measured), state.forces)
        poses = plan.states[:, :3]
        edges = {j: n.edge for j, n in state.neighbours.items()}
        copy = self._rule.copy(self._ports(poses, self.index), edges)
        messages = {j: DockingMessage(poses, self._rule.outgoing(copy, edge)) for j, edge in edges.items()}
        return state._replace(forces=plan.forces, poses=poses, copy=copy), messages

    def exchanged(
        self, state: AgentState, sent: Mapping[int, DockingMessage], received: Mapping[int, DockingMessage]
    ) -> AgentState:
        """Update prices with the messages that arrived; without one the last message of a neighbour counts."""
        known = {}
        for j, neighbour in state.neighbours.items():
            incoming = received.get(j, neighbour.message)
            known[j] = Neighbour(
                incoming,
                self._rule.updated(neighbour.edge, sent[j].consensus, incoming.consensus),
                self._cone_prices(state.margins, neighbour.own_prices, (self.index, j), state.poses, incoming.poses),
                self._cone_prices(state.margins, neighbour.other_prices, (j, self.index), incoming.poses, state.poses),
                self._clearance_prices(neighbour.clearance_prices, j, state.poses, incoming.poses),
            )
        return state._replace(neighbours=known)

    def _cone_prices(
        self, margins: SightMargins, prices: Array, pair: tuple[int, int], own: Array, seen: Array
    ) -> Array:
        """Prices of a camera's cone after an iteration. Nielsen 2018, (8.24), with the sum projected."""
        if pair not in self.team.cameras:
            return prices
        mounting, half_angle = self._cone(margins, *pair)
        north, east, heading = columns(own)
        offset = (seen[:, 0] - north, seen[:, 1] - east)
        values = np.array(cone_values(heading + mounting, half_angle, offset)).T
        if self.team.prices.rule == "literal":
            return prices + self.team.prices.kappa * np.maximum(values, 0.0)
        return np.maximum(prices + self.team.prices.kappa * values, 0.0)

    def _clearance_prices(self, prices: Array, other: int, own: Array, theirs: Array) -> Array:
        """Prices of the clearance to a neighbour after an iteration."""
        clearance = self.team.clearance(self.index, other)
        if clearance == 0.0:
            return prices
        missing = clearance - np.linalg.norm(own[:, :2] - theirs[:, :2], axis=1)
        return np.maximum(prices + self.team.prices.kappa * missing, 0.0)

    def next_sample(self, state: AgentState) -> AgentState:
        """Move all sequences on by one step."""
        known = {
            j: Neighbour(
                moved(n.message, 1),
                EdgeConsensus(shifted(n.edge.point), shifted(n.edge.price)),
                shifted(n.own_prices),
                shifted(n.other_prices),
                shifted(n.clearance_prices),
            )
            for j, n in state.neighbours.items()
        }
        return AgentState(shifted(state.forces), shifted(state.poses), shifted(state.copy), known, state.margins)


def _one_side(prices: Array) -> Array:
    """Prices of a constraint in the place of a cone, whose other side costs nothing."""
    return np.stack([prices, np.zeros_like(prices)], axis=1)


def moved(message: DockingMessage, samples: int) -> DockingMessage:
    """A message as seen some samples after it was sent."""
    return DockingMessage(shifted(message.poses, samples), shifted(message.consensus, samples))
