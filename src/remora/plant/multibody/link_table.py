"""Links between named bodies: their description, its checks, and their numbers for compiled code."""

from dataclasses import dataclass, replace
from typing import final

import numpy as np
from numpy.typing import ArrayLike

from remora.equations.algebra.quaternions import conjugate, product, rotation_matrix
from remora.equations.types import Quaternion, Vector3
from remora.files.arrays import Array
from remora.vehicles.morphologies.morphology import ModuleLink

KINDS = ("rigid", "ball", "hinge", "slider", "distance", "latch")
WITH_AXIS = ("hinge", "slider")


class LinkError(ValueError):
    """A link that cannot be made: field, value and fix."""


@final
@dataclass(frozen=True)
class Link:
    """A link between two bodies.

    Parameters
    ----------
    name
        Name of the link, unique among the links of a system.
    kind
        rigid, ball, hinge, slider, distance or latch (a spring and damper in all directions).
    first, second
        Names of the bodies.
    point_first, point_second
        Joint point in the axes of each body, m.
    attitude
        Attitude of the second body in the first, quaternion: rigid link, slider, latch, and hinge at angle zero.
    axis
        Axis of a hinge or slider in the axes of the first body.
    length
        Length of a distance link, m.
    stiffness, damping
        Of a latch: N/m and N m/rad, N s/m and N m s/rad.
    """

    name: str
    kind: str
    first: str
    second: str
    point_first: Vector3 = (0.0, 0.0, 0.0)
    point_second: Vector3 = (0.0, 0.0, 0.0)
    attitude: Quaternion = (1.0, 0.0, 0.0, 0.0)
    axis: Vector3 = (1.0, 0.0, 0.0)
    length: float = 0.0
    stiffness: tuple[float, float] = (0.0, 0.0)
    damping: tuple[float, float] = (0.0, 0.0)

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise LinkError(f"link {self.name}: kind is {self.kind!r}: choose from {', '.join(KINDS)}")
        if self.first == self.second:
            raise LinkError(f"link {self.name}: joins {self.first!r} to itself: name two different bodies")
        for field, size in (("point_first", 3), ("point_second", 3), ("attitude", 4), ("axis", 3)):
            object.__setattr__(self, field, _numbers(self.name, field, getattr(self, field), size))
        for field in ("stiffness", "damping"):
            object.__setattr__(self, field, _positive_pair(self.name, field, getattr(self, field)))
        if not abs(np.linalg.norm(self.attitude) - 1.0) < 1e-6:
            raise LinkError(f"link {self.name}: attitude {self.attitude} is no unit quaternion: scale it to length 1")
        if self.kind in WITH_AXIS and not np.linalg.norm(self.axis) > 0.0:
            raise LinkError(f"link {self.name}: axis is zero: give the direction of the {self.kind}")
        if self.kind == "distance" and not 0.0 < self.length < np.inf:
            raise LinkError(f"link {self.name}: length is {self.length}: give a positive length in m")
        if self.kind == "latch" and not max(self.stiffness) > 0.0:
            raise LinkError(f"link {self.name}: stiffness is {self.stiffness}: give N/m and N m/rad of the latch")


def _numbers(link: str, field: str, values: ArrayLike, size: int) -> tuple[float, ...]:
    """Finite numbers of a field."""
    try:
        row = np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        row = np.full(1, np.nan)
    if row.shape != (size,) or not np.all(np.isfinite(row)):
        raise LinkError(f"link {link}: {field} is {values!r:.60}: give {size} finite numbers")
    return tuple(row.tolist())


def _positive_pair(link: str, field: str, values: ArrayLike) -> tuple[float, ...]:
    """Two numbers that are not negative."""
    pair = _numbers(link, field, values, 2)
    if min(pair) < 0.0:
        raise LinkError(f"link {link}: {field} is {pair}: give two numbers of at least 0")
    return pair


def record_of(link: Link) -> Array:
    """Numbers of a link, as `equations.links.joint.link_at` reads them."""
    axis = np.array(link.axis) / (np.linalg.norm(link.axis) or 1.0)
    q = np.array(link.attitude) / np.linalg.norm(link.attitude)
    return _record(np.array(link.point_first), np.array(link.point_second), axis, tuple(q.tolist()), link)


def reversed_record(link: Link) -> Array:
    """The same with second and first body exchanged."""
    record = record_of(link)
    q = conjugate((record[12], record[13], record[14], record[15]))
    return _record(record[3:6], record[0:3], record[9:12], q, link)


def _record(point_A: Array, point_B: Array, axis_A: Array, q_AB: Quaternion, link: Link) -> Array:
    axis_B = np.array(rotation_matrix(q_AB)).T @ axis_A
    smallest = np.eye(3)[int(np.argmin(np.abs(axis_A)))]
    across = np.cross(axis_A, smallest)
    across /= np.linalg.norm(across)
    beyond = np.cross(axis_A, across)
    numbers = (link.length, *link.stiffness, *link.damping)
    return np.concatenate([point_A, point_B, axis_A, axis_B, q_AB, numbers, across, beyond])


def fitted(link: Link, x_first: ArrayLike, x_second: ArrayLike) -> Link:
    """The link with the geometry of the current poses of its bodies: its joint is where the first body has it.

    Parameters
    ----------
    link
        Any link; its joint point and axis in the first body stay.
    x_first, x_second
        States of its bodies, of which position and quaternion are used.
    """
    a, b = np.asarray(x_first, dtype=float), np.asarray(x_second, dtype=float)
    q_NA, q_NB = tuple(a[3:7].tolist()), tuple(b[3:7].tolist())
    R_NB, there = np.array(rotation_matrix(q_NB)), a[:3] + np.array(rotation_matrix(q_NA)) @ np.array(link.point_first)
    if link.kind == "distance":
        apart = b[:3] + R_NB @ np.array(link.point_second) - there
        return replace(link, length=float(np.linalg.norm(apart)))
    second = tuple((R_NB.T @ (there - b[:3])).tolist())
    return replace(link, point_second=second, attitude=product(conjugate(q_NA), q_NB))


def weld(name: str, first: str, second: str, x_first: ArrayLike, x_second: ArrayLike, point: Vector3) -> Link:
    """Rigid link at the current relative pose of two bodies.

    Parameters
    ----------
    name
        Name of the link.
    first, second
        Names of the bodies.
    x_first, x_second
        Their states, of which position and quaternion are used.
    point
        Joint point in axes of the first body, m.
    """
    return fitted(Link(name, "rigid", first, second, point), x_first, x_second)


def body_link(link: ModuleLink, scope: str = "") -> Link:
    """A link of a morphology between bodies, whose names carry a scope: robot/module."""
    prefix = f"{scope}/" if scope else ""
    return Link(
        name=f"{prefix}{link.name}",
        kind=link.kind,
        first=f"{prefix}{link.first}",
        second=f"{prefix}{link.second}",
        point_first=link.frame_first.position,
        point_second=link.frame_second.position,
        attitude=link.attitude,
        axis=link.axis_first,
        length=link.length,
        stiffness=link.stiffness,
        damping=link.damping,
    )
