"""One vehicle of a docking team: its plan, what it knows of its neighbours, and its messages.

Neighbours agree on a common port pose over the edges of a graph, by ADMM or by the subgradient rule of Nielsen 2018.
Each vehicle keeps a copy theta of the common pose for every stage of its horizon. The copy is eliminated from the local
problem, which leaves a quadratic or a linear cost on the pose of the port.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol, TypeAlias, final

import numpy as np

from remora.control.docking.solvers import DockingPlan, DockingProblem, RealTimeSolver, columns, shifted
from remora.control.docking.team import LARGEST_MARGIN, DockingPrices, DockingTeam, PoseUncertainty
from remora.equations.control.docking import clearance_side, cone_normals, cone_values, port_pose, sight_margin
from remora.files.arrays import Array


class EdgeConsensus(NamedTuple):
    """What one end of an edge keeps: common pose and own price, N + 1 x 3 each."""

    point: Array
    price: Array


class ConsensusCost(NamedTuple):
    """Cost of the port pose after elimination of the copy: K/2 (port - goal)^2 + pull . port."""

    stiffness: Array  # K, three numbers
    goal: Array
    pull: Array


class ConsensusRule(Protocol):
    """Update of copies and prices over the edges of one vehicle, which are named by its neighbours."""

    def cost(self, edges: Mapping[int, EdgeConsensus]) -> ConsensusCost:
        """Cost that the edges put on the port of the vehicle."""

    def copy(self, ports: Array, edges: Mapping[int, EdgeConsensus]) -> Array:
        """The copy theta that belongs to the planned port poses."""

    def outgoing(self, copy: Array, edge: EdgeConsensus) -> Array:
        """The part of the message to a neighbour that concerns the agreement."""

    def updated(self, edge: EdgeConsensus, sent: Array, incoming: Array) -> EdgeConsensus:
        """The edge after an exchange."""


@final
class AdmmConsensus:
    """Alternating direction method of multipliers, over-relaxed. Boyd et al. 2011, ch. 3 and 7.

    A message holds relaxed copy + price / rho. Both ends compute the common pose as the mean of both messages and their
    prices from the difference, so prices of the two ends stay opposite without a memory that lost messages could spoil.
    """

    def __init__(self, agreement: Array, prices: DockingPrices) -> None:
        self._weight, self._rho, self._relaxation = 2.0 * agreement, prices.rho, prices.relaxation

    def _sum(self, edges: Mapping[int, EdgeConsensus]) -> Array:
        return np.add.reduce([self._rho * edge.point - edge.price for edge in edges.values()])

    def cost(self, edges: Mapping[int, EdgeConsensus]) -> ConsensusCost:
        """Quadratic cost about the mean of the common poses, shifted by the prices."""
        pull = self._rho * len(edges)
        goal = self._sum(edges) / pull
        return ConsensusCost(self._weight * pull / (self._weight + pull), goal, np.zeros_like(goal))

    def copy(self, ports: Array, edges: Mapping[int, EdgeConsensus]) -> Array:
        """Weighted mean of the own port and the goal."""
        pull = self._rho * len(edges)
        return (self._weight * ports + self._sum(edges)) / (self._weight + pull)

    def outgoing(self, copy: Array, edge: EdgeConsensus) -> Array:
        """Relaxed copy + price / rho."""
        return self._relaxation * copy + (1.0 - self._relaxation) * edge.point + edge.price / self._rho

    def updated(self, edge: EdgeConsensus, sent: Array, incoming: Array) -> EdgeConsensus:
        """Mean and difference of both messages."""
        return EdgeConsensus(0.5 * (sent + incoming), 0.5 * self._rho * (sent - incoming))


@final
class SubgradientConsensus:
    """Prices that rise by gamma x disagreement. Nielsen 2018, (8.24)."""

    def __init__(self, agreement: Array, prices: DockingPrices) -> None:
        self._weight, self._gamma = 2.0 * agreement, prices.gamma

    def cost(self, edges: Mapping[int, EdgeConsensus]) -> ConsensusCost:
        """Linear cost: the sum of the prices."""
        pull = np.add.reduce([edge.price for edge in edges.values()])
        return ConsensusCost(np.zeros(3), np.zeros_like(pull), pull)

    def copy(self, ports: Array, edges: Mapping[int, EdgeConsensus]) -> Array:
        """The port, shifted by the prices over twice the weight."""
        return ports - np.add.reduce([edge.price for edge in edges.values()]) / self._weight

    def outgoing(self, copy: Array, edge: EdgeConsensus) -> Array:
        """The copy itself."""
        return copy

    def updated(self, edge: EdgeConsensus, sent: Array, incoming: Array) -> EdgeConsensus:
        """A step along the disagreement."""
        return EdgeConsensus(0.5 * (sent + incoming), edge.price + self._gamma * (sent - incoming))


def consensus_rule(agreement: tuple[float, ...], prices: DockingPrices) -> ConsensusRule:
    """The rule of a name, for weights of the distance to the common pose."""
    weights = np.asarray(agreement, dtype=float)
    return (AdmmConsensus if prices.rule == "admm" else SubgradientConsensus)(weights, prices)


# Margin in rad by (carrier, neighbour), and by (carrier, carrier) for the camera towards a target.
SightMargins: TypeAlias = Mapping[tuple[int, int], float]


def sight_margins(
    team: DockingTeam, states: Array, uncertainties: Sequence[PoseUncertainty] | None = None
) -> SightMargins:
    """Margins of all cones of a team, for states [vehicle, 6] and the uncertainty of each vehicle, none by default."""
    known = uncertainties or [PoseUncertainty()] * team.graph.size
    margins = {}
    for (i, j), camera in team.cameras.items():
        spread = math.hypot(known[i].position, known[j].position)
        margins[i, j] = sight_margin(
            team.margin, team.margin_factor, known[i].heading, spread, math.dist(states[i][:2], states[j][:2]),
            max(team.margin, LARGEST_MARGIN * camera.half_angle),
        )  # fmt: skip
    for i, target in team.targets.items():
        margins[i, i] = sight_margin(
            team.margin, team.margin_factor, known[i].heading, known[i].position,
            math.dist(states[i][:2], target[:2]), max(team.margin, LARGEST_MARGIN * target.camera.half_angle),
        )  # fmt: skip
    return margins


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
