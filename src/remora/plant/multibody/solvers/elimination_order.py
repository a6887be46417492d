"""Elimination order of bodies in loops: minimum degree, and the program of the block Cholesky factorisation."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]


class FactorPlan(NamedTuple):
    """Program of a block Cholesky factorisation: bodies in order, their off-diagonal blocks, and updates."""

    bodies: Integers  # [step, 3]: body, first of its blocks, number of blocks
    blocks: Integers  # [block of a step, 2]: other body, slot
    updates: Integers  # [update, 5]: two slots, diagonal body or -1, slot or -1, transposed
    starts: Integers  # first update of each step, and the end
    slots: dict[tuple[int, int], int]  # slot of the block (body that is eliminated first, other body)


def factor_plan(bodies: list[int], edges: list[tuple[int, int]]) -> FactorPlan:
    """Minimum-degree elimination of bodies that are joined by edges."""
    order, neighbours = _minimum_degree(bodies, edges)
    position = {body: k for k, body in enumerate(order)}
    slots: dict[tuple[int, int], int] = {}
    for body, near in zip(order, neighbours, strict=True):
        for other in near:
            slots[(body, other)] = len(slots)
    steps: list[tuple[int, ...]] = []
    blocks: list[tuple[int, ...]] = []
    updates: list[tuple[int, ...]] = []
    starts = [0]
    for body, near in zip(order, neighbours, strict=True):
        steps.append((body, len(blocks), len(near)))
        blocks += [(other, slots[(body, other)]) for other in near]
        updates += _updates(body, near, slots, position)
        starts.append(len(updates))
    return FactorPlan(_integers(steps, 3), _integers(blocks, 2), _integers(updates, 5), np.array(starts), slots)


def _minimum_degree(bodies: list[int], edges: list[tuple[int, int]]) -> tuple[list[int], list[list[int]]]:
    """Bodies in the order of their elimination, and the neighbours of each at that moment."""
    adjacent: dict[int, set[int]] = {body: set() for body in bodies}
    for a, b in edges:
        adjacent[a].add(b)
        adjacent[b].add(a)
    left, order, neighbours = set(bodies), [], []
    while left:
        body = min(left, key=lambda one: (len(adjacent[one]), one))
        near = sorted(adjacent[body])
        order.append(body)
        neighbours.append(near)
        for other in near:
            adjacent[other] |= set(near) - {other}
            adjacent[other].discard(body)
        left.remove(body)
    return order, neighbours


def _updates(
    body: int, near: list[int], slots: dict[tuple[int, int], int], position: dict[int, int]
) -> list[tuple[int, int, int, int, int]]:
    """Updates of the blocks of all pairs of neighbours of an eliminated body."""
    found = []
    for i, u in enumerate(near):
        for w in near[: i + 1]:
            pair = slots[(body, u)], slots[(body, w)]
            if u == w:
                found.append((*pair, u, -1, 0))
            else:
                early, late = (u, w) if position[u] < position[w] else (w, u)
                found.append((*pair, -1, slots[(early, late)], 0 if early == w else 1))
    return found


def _integers(rows: list[tuple[int, ...]], width: int) -> Integers:
    return np.array(rows, dtype=np.int64).reshape(-1, width)
