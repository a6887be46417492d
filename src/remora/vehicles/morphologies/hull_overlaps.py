"""Modules of a morphology whose hulls share a place, judged by boxes around them."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from remora.files.arrays import Array
from remora.vehicles.morphologies.morphology import Module

TOLERATED = 0.5  # of the least side of the smaller hull: frames and brackets may reach into each other


class HullBox(NamedTuple):
    """Box around a hull."""

    centre: Array  # m, in the frame of the origin module
    axes: Array  # 3 x 3, its axes as columns
    half: Array  # m, half of its sides


def overlapping(modules: Sequence[Module]) -> Iterator[tuple[Module, Module, float]]:
    """Pairs of modules that overlap by more than a connector needs, with the depth in m."""
    boxes = [(module, hull_box(module)) for module in modules]
    for (first, a), (second, b) in combinations(boxes, 2):
        depth = penetration(a, b)
        if depth > TOLERATED * 2.0 * min(a.half.min(), b.half.min()):
            yield first, second, depth


def hull_box(module: Module) -> HullBox:
    """Box around the solids that the file of a module gives."""
    ends = np.array([end for solid in module.vehicle.looks for end in _ends(solid)])
    low, high = ends.min(axis=0), ends.max(axis=0)
    axes = np.array(module.pose.axes)
    return HullBox(np.array(module.pose.position) + axes @ (0.5 * (low + high)), axes, 0.5 * (high - low))


def _ends(solid: Mapping[str, Any]) -> tuple[Array, Array]:
    """Opposite corners of the box around a solid, in the axes of its module."""
    place = np.array(solid["position"], dtype=float)
    if "triangles" in solid:
        corners = np.reshape(solid["triangles"], (-1, 3)) + place
        return corners.min(axis=0), corners.max(axis=0)
    if "size" in solid:
        half = 0.5 * np.array(solid["size"], dtype=float)
    elif "axis" in solid:
        along = np.abs(solid["axis"]) / np.linalg.norm(solid["axis"])
        half = 0.5 * np.maximum(along * solid["length"], solid["diameter"])
    else:
        half = np.full(3, 0.5 * solid["diameter"])
    return place - half, place + half


def penetration(a: HullBox, b: HullBox) -> float:
    """Depth by which two boxes overlap, m, along the axis where it is least; zero or less where they are apart."""
    across = [np.cross(u, v) for u in a.axes.T for v in b.axes.T]
    depth = np.inf
    for axis in (*a.axes.T, *b.axes.T, *across):
        length = float(np.linalg.norm(axis))
        if length < 1e-6:  # parallel sides
            continue
        n = axis / length
        reach = np.abs(n @ a.axes) @ a.half + np.abs(n @ b.axes) @ b.half
        depth = min(depth, float(reach - abs(n @ (b.centre - a.centre))))
    return depth
