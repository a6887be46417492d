"""Dual decomposition: local minimisations coordinated by prices of edge constraints. Nielsen 2018, ch. 7."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from remora.control.docking.graph import Edge
from remora.files.arrays import Array

# Minimises J(x) + linear . x over the local variables.
LocalMinimiser: TypeAlias = Callable[[Array], Array]
# Matrices A of an edge by vertex; the constraint of the edge is the sum of A x over its vertices, equal to zero.
EdgeConstraint: TypeAlias = Mapping[int, Array]


class DecomposedSolution(NamedTuple):
    """Result of a dual decomposition."""

    variables: tuple[Array, ...]  # of each vertex
    prices: dict[Edge, Array]
    residuals: Array  # largest violation of an edge constraint after each iteration


def decompose(
    minimisers: Sequence[LocalMinimiser],
    constraints: Mapping[Edge, EdgeConstraint],
    step: float,
    iterations: int,
) -> DecomposedSolution:
    """Minimise a sum of local costs under edge constraints: each price rises by step x violation. Nielsen 2018, (7.39).

    Parameters
    ----------
    minimisers
        For each vertex, from the sum of A^T prices over its edges to its local minimiser.
    constraints
        Local matrices by edge and vertex.
    step
        Of the price update; must be below twice the least curvature of the costs over the largest squared norm of the
        stacked constraints.
    iterations
        Number of price updates.
    """
    _check_constraints(constraints, len(minimisers))
    if not (step > 0.0 and iterations >= 1):
        raise ValueError(f"step is {step} and iterations {iterations}: both must be positive")
    prices = {edge: np.zeros(len(next(iter(local.values())))) for edge, local in constraints.items()}
    residuals: list[float] = []
    variables: tuple[Array, ...] = ()
    for _ in range(iterations):
        variables = tuple(
            minimise(sum((local[i].T @ prices[edge] for edge, local in constraints.items() if i in local), np.zeros(1)))
            for i, minimise in enumerate(minimisers)
        )
        missing = {edge: sum(A @ variables[i] for i, A in local.items()) for edge, local in constraints.items()}
        prices = {edge: prices[edge] + step * missing[edge] for edge in prices}
        residuals.append(max(float(np.abs(value).max()) for value in missing.values()))
    return DecomposedSolution(variables, prices, np.array(residuals))


def _check_constraints(constraints: Mapping[Edge, EdgeConstraint], vertices: int) -> None:
    for edge, local in constraints.items():
        if set(local) != set(edge) or not all(0 <= i < vertices for i in edge):
            raise ValueError(f"edge {edge}: give one matrix for each of its vertices, which are 0 to {vertices - 1}")
        if len({len(A) for A in local.values()}) != 1:
            raise ValueError(f"edge {edge}: its matrices must have equally many rows")
