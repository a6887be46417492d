"""Communication graphs: neighbours, incident edges, incidence, Laplacian, connectivity. Nielsen 2018, ch. 7."""

from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np

from remora.files.arrays import Array

Edge = tuple[int, int]


@final
@dataclass(frozen=True)
class CommunicationGraph:
    """An undirected graph whose edges have an arbitrary orientation, from tail to head.

    Raises a ValueError for an edge from a vertex to itself, a repeated edge or an unknown vertex.
    """

    size: int  # number of vertices
    edges: tuple[Edge, ...]

    def __post_init__(self) -> None:
        if self.size < 1:
            raise ValueError(f"size is {self.size}: a graph has at least one vertex")
        seen: set[frozenset[int]] = set()
        for tail, head in self.edges:
            if not (0 <= tail < self.size and 0 <= head < self.size):
                raise ValueError(f"edge {(tail, head)}: vertices are 0 to {self.size - 1}")
            if tail == head:
                raise ValueError(f"edge {(tail, head)} joins a vertex to itself: remove it")
            if frozenset((tail, head)) in seen:
                raise ValueError(f"edge {(tail, head)} is listed twice, in one or the other direction: keep one")
            seen.add(frozenset((tail, head)))

    def neighbours(self, vertex: int) -> tuple[int, ...]:
        """Vertices that share an edge with a vertex, in the order of its edges."""
        return tuple(sum(edge) - vertex for edge in self.incident(vertex))

    def incident(self, vertex: int) -> tuple[Edge, ...]:
        """Edges that contain a vertex."""
        return tuple(edge for edge in self.edges if vertex in edge)

    @cached_property
    def incidence(self) -> Array:
        """Edges x vertices: +1 at the tail of an edge, -1 at its head."""
        matrix = np.zeros((len(self.edges), self.size))
        for row, (tail, head) in enumerate(self.edges):
            matrix[row, tail], matrix[row, head] = 1.0, -1.0
        return matrix

    @property
    def laplacian(self) -> Array:
        """Graph Laplacian, vertices x vertices."""
        return self.incidence.T @ self.incidence

    @cached_property
    def components(self) -> tuple[frozenset[int], ...]:
        """Sets of vertices that are joined by paths, ordered by their least vertex."""
        left, found = set(range(self.size)), []
        while left:
            reached, border = set(), {min(left)}
            while border:
                reached |= border
                border = {j for i in border for j in self.neighbours(i)} - reached
            found.append(frozenset(reached))
            left -= reached
        return tuple(found)

    @property
    def is_connected(self) -> bool:
        """Whether paths join all vertices."""
        return len(self.components) == 1


def path_graph(size: int) -> CommunicationGraph:
    """Vertices in a row."""
    return CommunicationGraph(size, tuple((i, i + 1) for i in range(size - 1)))


def ring_graph(size: int) -> CommunicationGraph:
    """Vertices in a ring, at least three."""
    if size < 3:
        raise ValueError(f"size is {size}: a ring has at least three vertices")
    return CommunicationGraph(size, (*path_graph(size).edges, (size - 1, 0)))


def star_graph(size: int, centre: int = 0) -> CommunicationGraph:
    """One vertex joined to all others."""
    return CommunicationGraph(size, tuple((centre, i) for i in range(size) if i != centre))
