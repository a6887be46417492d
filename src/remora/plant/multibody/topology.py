"""Graph of linked bodies: rigid clusters, trees from their roots, components with loops and their elimination order."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from remora.plant.multibody.link_table import Link

GROUND = -1  # all fixed bodies are one node of the graph


class TreeLink(NamedTuple):
    """Link of a body to its parent in a tree."""

    parent: int
    link: int
    flipped: bool  # the parent is the second body of the link


class Topology(NamedTuple):
    """Bodies and links sorted by the solver that serves them."""

    order: tuple[int, ...]  # bodies of trees, from the roots to the leaves
    parents: dict[int, TreeLink]
    loop_bodies: tuple[int, ...]  # bodies of components with loops, and the fixed ones among them
    loop_links: tuple[int, ...]
    latches: tuple[int, ...]
    surplus: tuple[int, ...]  # rigid links within a rigid cluster that other links hold together
    clusters: tuple[tuple[int, ...], ...]  # bodies that rigid links join


class _Sets:
    """Disjoint sets of bodies."""

    def __init__(self, members: list[int]) -> None:
        self._above = {one: one for one in members}

    def root(self, one: int) -> int:
        while self._above[one] != one:
            one = self._above[one]
        return one

    def join(self, a: int, b: int) -> bool:
        """Join the sets of two members; False when they were one already."""
        a, b = self.root(a), self.root(b)
        self._above[max(a, b)] = min(a, b)
        return a != b


def topology_of(
    ends: list[tuple[int, int]], links: tuple[Link, ...], fixed: tuple[bool, ...], keep_surplus: bool
) -> Topology:
    """Sort bodies and links by solver; `ends` are the indices of the two bodies of each link.

    With `keep_surplus` rigid links within a rigid cluster stay constraints, so that they form loops.
    """
    nodes = [GROUND if fixed[a] else a for a in range(len(fixed))]
    rigid = _Sets([GROUND, *range(len(fixed))])
    surplus = [k for k, one in enumerate(links) if one.kind == "rigid" and not rigid.join(*(nodes[i] for i in ends[k]))]
    dropped = [] if keep_surplus else surplus
    latches = [k for k, one in enumerate(links) if one.kind == "latch"]
    active = [k for k in range(len(links)) if k not in dropped and k not in latches]
    looped = _looped_components(nodes, ends, active)
    loop_links = [k for k in active if any(looped[i] for i in ends[k])]
    loop_bodies = sorted({i for k in loop_links for i in ends[k]})
    trees = [i for i in range(len(fixed)) if fixed[i] or not looped[i]]
    order, parents = _trees(trees, ends, [k for k in active if k not in loop_links], fixed)
    clusters = _clusters(rigid, nodes)
    return Topology(
        tuple(order), parents, tuple(loop_bodies), tuple(loop_links), tuple(latches), tuple(dropped), clusters
    )


def _looped_components(nodes: list[int], ends: list[tuple[int, int]], active: list[int]) -> list[bool]:
    """Whether each moving body belongs to a component with more links than a tree; the ground joins no components."""
    moving, links, grounded = _Sets([*nodes, GROUND]), dict.fromkeys(nodes, 0), set()
    for k in active:
        a, b = (nodes[i] for i in ends[k])
        if GROUND not in (a, b):
            moving.join(a, b)
    for k in active:
        a, b = (nodes[i] for i in ends[k])
        component = moving.root(b if a == GROUND else a)
        links[component] = links.get(component, 0) + 1
        if GROUND in (a, b):
            grounded.add(component)
    sizes: dict[int, int] = {}
    for node in nodes:
        sizes[moving.root(node)] = sizes.get(moving.root(node), 0) + 1
    return [
        node != GROUND and links[moving.root(node)] > sizes[moving.root(node)] - (moving.root(node) not in grounded)
        for node in nodes
    ]


def _trees(
    bodies: list[int], ends: list[tuple[int, int]], active: list[int], fixed: tuple[bool, ...]
) -> tuple[list[int], dict[int, TreeLink]]:
    """Bodies from the roots to the leaves, and the link of each to its parent; fixed bodies are roots."""
    near: dict[int, list[tuple[int, int, bool]]] = {i: [] for i in bodies}
    for k in active:
        a, b = ends[k]
        near[a].append((b, k, False))
        near[b].append((a, k, True))
    order: list[int] = []
    parents: dict[int, TreeLink] = {}
    seen = {i for i in bodies if fixed[i]}
    for root in sorted(bodies, key=lambda i: (not fixed[i], i)):
        if root in seen and not fixed[root]:
            continue
        seen.add(root)
        queue = [root]
        for body in queue:
            for other, link, flipped in near[body]:
                if other not in seen:
                    seen.add(other)
                    parents[other] = TreeLink(body, link, flipped)
                    queue.append(other)
        order += queue
    return order, parents


def _clusters(rigid: _Sets, nodes: list[int]) -> tuple[tuple[int, ...], ...]:
    """Bodies joined by rigid links, clusters of at least two."""
    found: dict[int, list[int]] = {}
    for body, node in enumerate(nodes):
        found.setdefault(rigid.root(node), []).append(body)
    return tuple(tuple(one) for one in found.values() if len(one) > 1)


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
