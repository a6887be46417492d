"""Cross-sections of tunnels.

Coordinates of a section are across, positive to the right, and down, both from its middle: half its width and half its
height away from the walls.
"""

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import NamedTuple, final

from remora.equations.geometry import tunnels
from remora.equations.types import Vector3


class Wall(NamedTuple):
    """A piece of the wall relative to a point."""

    clearance: float  # m, positive inside
    across: float  # unit vector into the tunnel
    down: float


class CrossSection(ABC):
    """Constant cross-section of a tunnel."""

    @property
    @abstractmethod
    def size(self) -> tuple[float, float]:
        """Largest width and height, m."""

    @abstractmethod
    def ray_distance(self, origin_T: Vector3, direction_T: Vector3, length: float) -> float:
        """Distance along a ray in tunnel axes to the wall between 0 and the length; infinite if there is none."""

    @abstractmethod
    def clearance(self, across: float, down: float) -> float:
        """Distance to the outline: positive inside, negative outside."""

    @abstractmethod
    def walls(self, across: float, down: float) -> tuple[Wall, ...]:
        """Pieces of the wall that face a point of the section."""

    @abstractmethod
    def outline(self, points: int = 64) -> tuple[tuple[float, float], ...]:
        """Points (across, down) around the outline, clockwise looking ahead, closed."""


@final
@dataclass(frozen=True)
class Rectangle(CrossSection):
    """A rectangular section; a ValueError when a size is not positive."""

    width: float
    height: float

    def __post_init__(self) -> None:
        _check(width=self.width, height=self.height)

    @property
    def size(self) -> tuple[float, float]:
        """See `CrossSection`."""
        return (self.width, self.height)

    def ray_distance(self, origin_T: Vector3, direction_T: Vector3, length: float) -> float:
        """See `CrossSection`."""
        return tunnels.rectangular_tunnel_distance(origin_T, direction_T, 0.5 * self.width, 0.5 * self.height, length)

    def clearance(self, across: float, down: float) -> float:
        """See `CrossSection`."""
        return tunnels.rectangle_clearance(across, down, 0.5 * self.width, 0.5 * self.height)

    def walls(self, across: float, down: float) -> tuple[Wall, ...]:
        """The four walls."""
        w, h = 0.5 * self.width, 0.5 * self.height
        return (*_side_walls(across, w), Wall(h - down, 0.0, -1.0), Wall(h + down, 0.0, 1.0))

    def outline(self, points: int = 64) -> tuple[tuple[float, float], ...]:
        """The four corners, whatever the number of points."""
        w, h = 0.5 * self.width, 0.5 * self.height
        return ((-w, -h), (w, -h), (w, h), (-w, h), (-w, -h))


@final
@dataclass(frozen=True)
class Round(CrossSection):
    """A round section; a ValueError when the diameter is not positive."""

    diameter: float

    def __post_init__(self) -> None:
        _check(diameter=self.diameter)

    @property
    def size(self) -> tuple[float, float]:
        """See `CrossSection`."""
        return (self.diameter, self.diameter)

    def ray_distance(self, origin_T: Vector3, direction_T: Vector3, length: float) -> float:
        """See `CrossSection`."""
        return tunnels.round_tunnel_distance(origin_T, direction_T, 0.5 * self.diameter, length)

    def clearance(self, across: float, down: float) -> float:
        """See `CrossSection`."""
        return tunnels.round_clearance(across, down, 0.5 * self.diameter)

    def walls(self, across: float, down: float) -> tuple[Wall, ...]:
        """The wall."""
        return (_circle(across, down, 0.5 * self.diameter),)

    def outline(self, points: int = 64) -> tuple[tuple[float, float], ...]:
        """See `CrossSection`."""
        return _arc(0.5 * self.diameter, 0.0, -math.pi, math.pi, points)


@final
@dataclass(frozen=True)
class Horseshoe(CrossSection):
    """Horseshoe: a semicircular vault on vertical walls and a flat floor.

    Raises a ValueError when a size is not positive, or the height leaves no room for the vault.
    """

    width: float
    height: float

    def __post_init__(self) -> None:
        _check(width=self.width, height=self.height)
        if self.height < 0.5 * self.width:
            raise ValueError(
                f"a horseshoe {self.width:g} m wide has a vault of {0.5 * self.width:g} m, more than its height of "
                f"{self.height:g} m: make it higher or narrower"
            )

    @property
    def size(self) -> tuple[float, float]:
        """See `CrossSection`."""
        return (self.width, self.height)

    def ray_distance(self, origin_T: Vector3, direction_T: Vector3, length: float) -> float:
        """See `CrossSection`."""
        return tunnels.horseshoe_tunnel_distance(origin_T, direction_T, 0.5 * self.width, 0.5 * self.height, length)

    def clearance(self, across: float, down: float) -> float:
        """See `CrossSection`."""
        return tunnels.horseshoe_clearance(across, down, 0.5 * self.width, 0.5 * self.height)

    def walls(self, across: float, down: float) -> tuple[Wall, ...]:
        """The floor, and above it the two walls or the vault."""
        w, h = 0.5 * self.width, 0.5 * self.height
        floor, spring = Wall(h - down, 0.0, -1.0), w - h
        return (floor, *_side_walls(across, w)) if down > spring else (floor, _circle(across, down - spring, w))

    def outline(self, points: int = 64) -> tuple[tuple[float, float], ...]:
        """See `CrossSection`."""
        w, h = 0.5 * self.width, 0.5 * self.height
        vault = _arc(w, w - h, -0.5 * math.pi, 0.5 * math.pi, max(points - 3, 2))
        return (*vault, (w, h), (-w, h), vault[0])


def _side_walls(across: float, half_width: float) -> tuple[Wall, Wall]:
    """The walls to the right and to the left."""
    return (Wall(half_width - across, -1.0, 0.0), Wall(half_width + across, 1.0, 0.0))


def _circle(across: float, down: float, radius: float) -> Wall:
    """A round wall; at its centre any direction is inward."""
    from_middle = math.hypot(across, down)
    if from_middle == 0.0:
        return Wall(radius, 0.0, -1.0)
    return Wall(tunnels.round_clearance(across, down, radius), -across / from_middle, -down / from_middle)


def _arc(radius: float, center: float, first: float, last: float, points: int) -> tuple[tuple[float, float], ...]:
    """Points of a circle from one angle to another; the angle is zero at the top and grows to the right."""
    angles = [first + (last - first) * i / (points - 1) for i in range(points)]
    return tuple((radius * math.sin(angle), center - radius * math.cos(angle)) for angle in angles)


def _check(**sizes: float) -> None:
    for name, size in sizes.items():
        if not 0.0 < size < math.inf:
            raise ValueError(f"{name} of a tunnel is {size}: give a positive number of metres")
