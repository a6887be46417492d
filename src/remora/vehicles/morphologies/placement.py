"""Initial poses of the modules of a morphology, closure of its loops, and its count of degrees of freedom."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from remora.equations.algebra.quaternions import (
    conjugate,
    from_rotation_vector,
    normalize,
    product,
    to_rotation_vector,
)
from remora.equations.algebra.vectors import matvec3, transpose3
from remora.files.arrays import Array
from remora.vehicles.morphologies.morphology import ORIGIN, Module, ModuleLink, PortPose, compose, inverse

CLOSED = 1e-9  # m and rad, residual of a closed loop
LARGEST_GAP = (1e-3, math.radians(0.1))  # m and rad, of a rigid loop whose numbers are rounded
_ITERATIONS = 50
_TRIALS = 8  # other initial angles of a loop that does not close
_DIFFERENCE = 1e-6  # m and rad
_RANK_TOLERANCE = 1e-7  # of the largest singular value; differences are exact to about 1e-9


class Gap(NamedTuple):
    """Residual of a link: distance in m and angle in rad by which its two sides miss each other."""

    link: ModuleLink
    distance: float
    angle: float


class Placement(NamedTuple):
    """Poses of all modules in the frame of the origin module."""

    poses: dict[str, PortPose]
    apart: tuple[str, ...]  # modules that no chain of links joins to the origin
    gap: Gap | None  # what is left open over all links where a loop does not close
    closing: dict[str, float] | None = None  # rad, of hinges by name, from which that loop does close; None: not found


def placed(
    modules: Sequence[Module], links: Sequence[ModuleLink], origin: str, starts: Sequence[PortPose]
) -> Placement:
    """Poses from the links, one after the other from the origin; loops are closed by their joints.

    `starts` are the initial poses of the second side of each link in the frame of its first.
    """
    poses, used = _along_links(links, origin, starts)
    apart = tuple(module.name for module in modules if module.name not in poses)
    joined = [link for link in links if link.first in poses and link.second in poses]
    closing = [link for i, link in enumerate(links) if i not in used and link in joined]
    if not closing:
        return Placement(poses, apart, None)
    poses = _closed(poses, joined, origin)
    found = [_gap(link, poses) for link in joined]
    if not any(_is_open(gap, joined) for gap in found):
        return Placement(poses, apart, None)
    distance, angle = sum(gap.distance for gap in found), sum(gap.angle for gap in found)
    return Placement(poses, apart, Gap(closing[-1], distance, angle), _closing_angles(links, joined, origin, starts))


def _closing_angles(
    links: Sequence[ModuleLink], joined: Sequence[ModuleLink], origin: str, starts: Sequence[PortPose]
) -> dict[str, float] | None:
    """Angles of the hinges of a closed pose, searched from random angles of all joints that turn; None if not found.

    `joined` are the links between modules that the origin reaches.
    """
    if not any(link.kind in ("hinge", "ball") for link in joined):
        return None
    for trial in range(_TRIALS):
        rng = np.random.default_rng(trial)
        turned = [_turned(link, start, rng) for link, start in zip(links, starts, strict=True)]
        poses = _closed(_along_links(links, origin, turned)[0], joined, origin)
        if not any(_is_open(_gap(link, poses), joined) for link in joined):
            return {link.name: _hinge_angle(link, poses) for link in joined if link.kind == "hinge"}
    return None


def _turned(link: ModuleLink, start: PortPose, rng: np.random.Generator) -> PortPose:
    """Another initial pose of a joint that turns."""
    if link.kind not in ("hinge", "ball"):
        return start
    axis = np.array(link.axis) if link.kind == "hinge" else rng.normal(size=3)
    x, y, z = (float(rng.uniform(-np.pi, np.pi)) * axis / np.linalg.norm(axis)).tolist()
    return PortPose(start.position, from_rotation_vector((x, y, z)))


def _hinge_angle(link: ModuleLink, poses: dict[str, PortPose]) -> float:
    """Angle of a hinge in rad."""
    a, b = compose(poses[link.first], link.frame_first), compose(poses[link.second], link.frame_second)
    turn = to_rotation_vector(product(conjugate(a.quaternion), b.quaternion))
    return float(np.dot(turn, link.axis))


def _along_links(
    links: Sequence[ModuleLink], origin: str, starts: Sequence[PortPose]
) -> tuple[dict[str, PortPose], set[int]]:
    """Poses of all modules that links join to the origin, and the links that placed them."""
    poses, used = {origin: ORIGIN}, set[int]()
    while True:
        step = next(
            (i for i, link in enumerate(links) if i not in used and (link.first in poses) != (link.second in poses)),
            None,
        )
        if step is None:
            return poses, used
        link, start = links[step], starts[step]
        used.add(step)
        if link.first in poses:
            frame = compose(compose(poses[link.first], link.frame_first), start)
            poses[link.second] = compose(frame, inverse(link.frame_second))
        else:
            frame = compose(compose(poses[link.second], link.frame_second), inverse(start))
            poses[link.first] = compose(frame, inverse(link.frame_first))


def residual(link: ModuleLink, first: PortPose, second: PortPose) -> Array:
    """Rows by which a link between poses in one frame is violated: m and rad, in the frame of the link."""
    a, b = compose(first, link.frame_first), compose(second, link.frame_second)
    between = np.array(matvec3(transpose3(a.axes), tuple(np.subtract(b.position, a.position).tolist())))
    turn = np.array(to_rotation_vector(product(conjugate(a.quaternion), b.quaternion)))
    if link.kind == "ball":
        return between
    if link.kind == "distance":
        return np.array([np.linalg.norm(between) - link.length])
    if link.kind == "latch":
        return np.empty(0)
    across = _across(np.array(link.axis))
    if link.kind == "hinge":
        return np.concatenate([between, across @ np.array(_tilt(link, a, b))])
    return np.concatenate([across @ between if link.kind == "slider" else between, turn])


def counts(modules: Sequence[Module], links: Sequence[ModuleLink]) -> tuple[int, int]:
    """Degrees of freedom of a placed morphology, and constraint rows beyond their rank."""
    matrix = _constraints(modules, links)
    rank = 6 * len(modules) - free_motions(modules, links).shape[1]
    return 6 * len(modules) - rank, len(matrix) - rank


def free_motions(modules: Sequence[Module], links: Sequence[ModuleLink]) -> Array:
    """Orthonormal basis of the motions that the links of a placed morphology allow, as columns.

    Rows are three displacements of a module in common axes and three turns in its own, module after module.
    """
    matrix = _constraints(modules, links)
    if not matrix.size:
        return np.eye(6 * len(modules))
    _, values, directions = np.linalg.svd(matrix)
    rank = int(np.sum(values > _RANK_TOLERANCE * max(float(values[0]), 1.0)))
    return np.asarray(directions[rank:].T, dtype=float)


def _constraints(modules: Sequence[Module], links: Sequence[ModuleLink]) -> Array:
    """Rows of all links over the motions of all modules."""
    if not links:
        return np.empty((0, 6 * len(modules)))
    return _jacobian({module.name: module.pose for module in modules}, links, [module.name for module in modules])


def _tilt(link: ModuleLink, a: PortPose, b: PortPose) -> tuple[float, float, float]:
    """Cross product of the hinge axes of both sides, in the frame of the first."""
    other = matvec3(transpose3(a.axes), matvec3(b.axes, link.axis))
    x, y, z = np.cross(link.axis, other).tolist()
    return (x, y, z)


def _across(axis: Array) -> Array:
    """Two unit vectors across an axis, as rows."""
    helper = np.eye(3)[int(np.argmin(np.abs(axis)))]
    first = np.cross(axis, helper)
    first /= np.linalg.norm(first)
    return np.array([first, np.cross(axis, first)])


def _gap(link: ModuleLink, poses: dict[str, PortPose]) -> Gap:
    rows = residual(link, poses[link.first], poses[link.second])
    places = {"rigid": 3, "ball": 3, "hinge": 3, "slider": 2, "distance": 1, "latch": 0}[link.kind]
    return Gap(link, float(np.linalg.norm(rows[:places])), float(np.linalg.norm(rows[places:])))


def _is_open(gap: Gap, links: Sequence[ModuleLink]) -> bool:
    rigid = all(link.kind == "rigid" for link in links)
    distance, angle = LARGEST_GAP if rigid else (1e3 * CLOSED, 1e3 * CLOSED)
    return gap.distance > distance or gap.angle > angle


def _closed(poses: dict[str, PortPose], links: Sequence[ModuleLink], origin: str) -> dict[str, PortPose]:
    """Poses with the least residual of all links near the given ones, by Gauss-Newton steps; the origin stays."""
    moving = [name for name in poses if name != origin]
    for _ in range(_ITERATIONS):
        rows = np.concatenate([residual(link, poses[link.first], poses[link.second]) for link in links])
        if np.abs(rows).max(initial=0.0) < CLOSED:
            break
        step, *_ = np.linalg.lstsq(_jacobian(poses, links, moving), -rows, rcond=1e-9)
        poses = poses | {name: _moved(poses[name], step[6 * i : 6 * i + 6]) for i, name in enumerate(moving)}
    return poses


def _jacobian(poses: dict[str, PortPose], links: Sequence[ModuleLink], moving: Sequence[str]) -> Array:
    """Derivative of all residuals with displacement and turn of the modules, by central differences."""
    columns = {name: 6 * i for i, name in enumerate(moving)}
    blocks = []
    for link in links:
        size = residual(link, poses[link.first], poses[link.second]).size
        block = np.zeros((size, 6 * len(moving)))
        for name in (link.first, link.second):
            for k in range(6) if name in columns else ():
                ends = []
                for sign in (1.0, -1.0):
                    changed = poses | {name: _moved(poses[name], sign * _DIFFERENCE * np.eye(6)[k])}
                    ends.append(residual(link, changed[link.first], changed[link.second]))
                block[:, columns[name] + k] = (ends[0] - ends[1]) / (2.0 * _DIFFERENCE)
        blocks.append(block)
    return np.vstack(blocks)


def _moved(pose: PortPose, step: Array) -> PortPose:
    """A pose displaced by a step: three metres in the outer axes, three radians in its own."""
    x, y, z, a, b, c = step.tolist()
    p = pose.position
    turned = normalize(product(pose.quaternion, from_rotation_vector((a, b, c))))
    return PortPose((p[0] + x, p[1] + y, p[2] + z), turned)
