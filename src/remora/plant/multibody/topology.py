"""Graph of linked bodies: rigid clusters, trees from their roots, and components with loops."""

from typing import NamedTuple

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
