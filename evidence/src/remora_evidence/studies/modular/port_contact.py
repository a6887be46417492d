"""Contact and latch of two vehicles with docking ports in six degrees of freedom, with oriented boxes."""

import itertools
import math
from typing import NamedTuple

import numpy as np

from remora.control.docking.team import Latch
from remora.equations.algebra.quaternions import rotation_matrix
from remora.files.arrays import Array


class BodyBox(NamedTuple):
    """A box fixed in a body."""

    centre: tuple[float, float, float]  # m, in B
    size: tuple[float, float, float]  # m


class PortedBody(NamedTuple):
    """Hull, connector and port of a vehicle; the port has the axes of the body."""

    boxes: tuple[BodyBox, ...]
    port: tuple[float, float, float]  # m, in B


def boxes_touch(first: BodyBox, second: BodyBox, p: Array, R: Array) -> bool:
    """Whether two boxes overlap, by the separating-axis test.

    p and R are position, m, and attitude of the second body in the axes of the first.
    """
    a, b = 0.5 * np.array(first.size), 0.5 * np.array(second.size)
    gap = p + R @ np.array(second.centre) - np.array(first.centre)
    crossed = [np.cross(x, y) for x, y in itertools.product(np.eye(3), R.T)]
    for axis in (*np.eye(3), *R.T, *crossed):
        length = float(np.linalg.norm(axis))
        if length > 1e-9 and abs(gap @ axis) > a @ np.abs(axis) + b @ np.abs(R.T @ axis):
            return False
    return True


class PortGap(NamedTuple):
    """Pose and speed of one port relative to the other."""

    distance: float  # m
    angle: float  # rad, between the attitudes
    speed: float  # m/s

    def within(self, latch: Latch) -> bool:
        """Whether the latch closes."""
        return self.distance < latch.distance and self.angle < latch.heading and self.speed < latch.speed


def port_gap(bodies: tuple[PortedBody, PortedBody], states: tuple[Array, Array]) -> PortGap:
    """Gap between the ports of two bodies, from 13 numbers each."""
    R = [np.array(rotation_matrix(tuple(x[3:7]))) for x in states]
    arms = [np.array(body.port) for body in bodies]
    p = [x[:3] + r @ arm for x, r, arm in zip(states, R, arms, strict=True)]
    v = [r @ (x[7:10] + np.cross(x[10:13], arm)) for x, r, arm in zip(states, R, arms, strict=True)]
    cosine = 0.5 * (float(np.trace(R[0].T @ R[1])) - 1.0)
    angle = math.acos(min(max(cosine, -1.0), 1.0))
    return PortGap(float(np.linalg.norm(p[1] - p[0])), angle, float(np.linalg.norm(v[1] - v[0])))


def bodies_touch(bodies: tuple[PortedBody, PortedBody], states: tuple[Array, Array]) -> bool:
    """Whether any two boxes of two bodies overlap."""
    A, B = (np.array(rotation_matrix(tuple(x[3:7]))) for x in states)
    p, R = A.T @ (states[1][:3] - states[0][:3]), A.T @ B
    if np.linalg.norm(p) > 3.0:
        return False
    return any(boxes_touch(a, b, p, R) for a, b in itertools.product(bodies[0].boxes, bodies[1].boxes))
