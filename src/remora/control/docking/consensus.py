"""Agreement on a common port pose over the edges of a graph: ADMM, and the subgradient rule of Nielsen 2018.

Each vehicle keeps a copy theta of the common pose for every stage of its horizon. The copy is eliminated from the local
problem, which leaves a quadratic or a linear cost on the pose of the port.
"""

from collections.abc import Mapping
from typing import NamedTuple, Protocol, final

import numpy as np

from remora.control.docking.team import DockingPrices
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
