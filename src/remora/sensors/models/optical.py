"""Cameras that measure directions of known points, and motion capture of markers."""

import math
from dataclasses import dataclass
from typing import final

from remora.equations.algebra.vectors import Vector3, scale3
from remora.equations.instruments import (
    bearing_and_elevation,
    direction_in_N,
    length3,
    point_in_sensor,
    point_position,
)
from remora.messages.reading import SensorChannel, Status, Values, axes3, partial_status
from remora.messages.truth import Mount, Truth
from remora.sensors.environment import Environment
from remora.sensors.models.acoustic import Target, place_of
from remora.sensors.sensor import Measurement

# An obstacle hides a point when it is nearer by more than this, m; a lamp on a wall does not hide itself.
_CLEARANCE = 0.01


@final
@dataclass(frozen=True)
class Camera(Measurement):
    """Bearing and elevation of known points from the optical axis x_S; NaN for a point out of view."""

    mount: Mount
    targets: tuple[Target, ...]
    half_angle: float = math.radians(30.0)  # rad, of the cone that it sees
    max_range: float = math.inf  # m

    @property
    def channels(self) -> tuple[SensorChannel, ...]:
        """Two angles per point."""
        return tuple(
            SensorChannel(f"{word}_{i}", "rad", "S")
            for i in range(1, len(self.targets) + 1)
            for word in ("bearing", "elevation")
        )

    def read(self, truth: Truth, environment: Environment) -> tuple[Status, Values]:
        """The directions of the points in sight."""
        values: list[float] = []
        for target in self.targets:
            values += self._direction(target, truth, environment)
        return partial_status(tuple(values), Status.NO_LOCK), tuple(values)

    def _direction(self, target: Target, truth: Truth, environment: Environment) -> tuple[float, float]:
        p_NP = place_of(target, environment)
        if p_NP is None:
            return (math.nan, math.nan)
        p_SP = point_in_sensor(truth.p_NB, truth.q_NB, self.mount.p_BS, self.mount.R_BS, p_NP)
        distance = length3(p_SP)
        outside = p_SP[0] < distance * math.cos(self.half_angle) or not 0.0 < distance <= self.max_range
        if outside or self._hidden(p_SP, distance, truth, environment):
            return (math.nan, math.nan)
        return bearing_and_elevation(p_SP)

    def _hidden(self, p_SP: Vector3, distance: float, truth: Truth, environment: Environment) -> bool:
        """Whether an obstacle hides the point."""
        place = point_position(truth.p_NB, truth.q_NB, self.mount.p_BS)
        towards = direction_in_N(truth.q_NB, self.mount.R_BS, scale3(1.0 / distance, p_SP))
        found = environment.distance(place, towards)
        return found is not None and found < distance - _CLEARANCE


@final
@dataclass(frozen=True)
class Markers(Measurement):
    """Positions in N of markers on the body; markers on a mast are lost under water."""

    places: tuple[Vector3, ...]  # m, p_BM
    in_air: bool = False

    @property
    def channels(self) -> tuple[SensorChannel, ...]:
        """Three coordinates per marker."""
        numbers = range(1, len(self.places) + 1)
        return tuple(channel for i in numbers for channel in axes3(f"marker_{i}", "m", "N"))

    def read(self, truth: Truth, environment: Environment) -> tuple[Status, Values]:
        """The markers in sight."""
        values: list[float] = []
        for place in self.places:
            p_NM = point_position(truth.p_NB, truth.q_NB, place)
            wet = self.in_air and p_NM[2] > environment.surface_depth
            values += (math.nan, math.nan, math.nan) if wet else p_NM
        return partial_status(tuple(values), Status.NO_LOCK), tuple(values)
