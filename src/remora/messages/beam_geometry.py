"""Geometry of the beams of a ranging sensor."""

import math
from typing import NamedTuple

from remora.equations.algebra.kinematics import position_rate
from remora.equations.algebra.vectors import add3, scale3
from remora.equations.types import Quaternion, Vector3


class BeamGeometry(NamedTuple):
    """Mount and beam angles of a ranging sensor, needed to map its readings."""

    p_BS: Vector3  # m
    q_BS: Quaternion
    angles: tuple[float, ...] = ()  # rad from x_S towards y_S, one per range; empty where readings contain the angle

    def points_B(self, ranges: tuple[float, ...]) -> list[Vector3]:
        """Positions of all echoes in body axes, m; beams without an echo are left out."""
        found = []
        for angle, distance in zip(self.angles, ranges, strict=True):
            if math.isfinite(distance):
                ray = position_rate(self.q_BS, (math.cos(angle), math.sin(angle), 0.0))
                found.append(add3(self.p_BS, scale3(distance, ray)))
        return found
