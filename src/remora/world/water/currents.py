"""Steady currents: uniform, or a function of depth."""

import math
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import final

from remora.equations.algebra.vectors import ZERO3, Matrix3, Vector3, scale3, subtract3
from remora.equations.water.current import power_law_fraction
from remora.world.water.local_water import NO_GRADIENT, LocalWater

_new_tuple = tuple.__new__


@final
@dataclass(frozen=True)
class Uniform:
    """Uniform steady current, m/s in N."""

    velocity: Vector3

    def __post_init__(self) -> None:
        check_finite("velocity of the current", self.velocity)

    def at(self, time_ns: int, p_N: Vector3) -> LocalWater:
        """See `FlowField`."""
        return LocalWater(self.velocity)


@final
@dataclass(frozen=True)
class Sheared:
    """Current profile over depth: piecewise linear, constant above the first depth and below the last.

    Parameters
    ----------
    depths
        m below the still surface, growing.
    velocities
        m/s in N, one for each depth.
    level
        z of the still surface in N, m.

    Raises
    ------
    ValueError
        When there is no node, depths do not grow, or numbers are missing or not finite.
    """

    depths: tuple[float, ...]
    velocities: tuple[Vector3, ...]
    level: float = 0.0
    _slopes: tuple[tuple[Vector3, Matrix3], ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not self.depths or len(self.depths) != len(self.velocities):
            raise ValueError(
                f"{len(self.depths)} depths and {len(self.velocities)} velocities: give one velocity for each depth"
            )
        check_growing("depths of a sheared current", self.depths)
        for velocity in self.velocities:
            check_finite("velocity of the current", velocity)
        pairs = zip(self.depths, self.depths[1:], self.velocities, self.velocities[1:], strict=False)
        slopes = [scale3(1.0 / (below - above), subtract3(v, u)) for above, below, u, v in pairs]
        held = (ZERO3, NO_GRADIENT)
        object.__setattr__(self, "_slopes", (held, *((slope, _by_depth(slope)) for slope in slopes), held))

    def at(self, time_ns: int, p_N: Vector3) -> LocalWater:
        """See `FlowField`."""
        depth = p_N[2] - self.level
        node = bisect_right(self.depths, depth)
        (a, b, c), gradient = self._slopes[node]
        above = node - 1 if node else 0
        u, v, w = self.velocities[above]
        if gradient is NO_GRADIENT:
            return _new_tuple(LocalWater, ((u, v, w), NO_GRADIENT, ZERO3, 0.0))
        below = depth - self.depths[above]
        return _new_tuple(LocalWater, ((u + a * below, v + b * below, w + c * below), gradient, ZERO3, 0.0))


@final
@dataclass(frozen=True)
class PowerLaw:
    """Power-law boundary layer: surface velocity times (height above the bed / water depth)^exponent.

    In the lowest hundredth of the water it falls linearly to zero, because the power law is vertical at the bed; above
    the surface it stays.

    Parameters
    ----------
    velocity
        m/s in N, at the surface.
    level, bottom
        z of the still surface and of the bed in N, m.
    exponent
        A seventh is usual for tidal streams.

    Raises
    ------
    ValueError
        When the bed does not lie below the surface or the exponent is not positive.
    """

    velocity: Vector3
    bottom: float
    level: float = 0.0
    exponent: float = 1.0 / 7.0

    def __post_init__(self) -> None:
        check_finite("velocity of the current", self.velocity)
        if not 0.0 < self.bottom - self.level < math.inf:
            raise ValueError(f"the bed at {self.bottom:g} m does not lie below the surface at {self.level:g} m")
        if not 0.0 < self.exponent < math.inf:
            raise ValueError(f"exponent of the profile is {self.exponent}: give a positive number, such as 0.143")

    def at(self, time_ns: int, p_N: Vector3) -> LocalWater:
        """See `FlowField`."""
        water_depth = self.bottom - self.level
        share, slope = power_law_fraction((self.bottom - p_N[2]) / water_depth, self.exponent)
        return LocalWater(scale3(share, self.velocity), _by_depth(scale3(-slope / water_depth, self.velocity)))


def _by_depth(slope: Vector3) -> Matrix3:
    """Velocity gradient of a current that depends on depth only."""
    return ((0.0, 0.0, slope[0]), (0.0, 0.0, slope[1]), (0.0, 0.0, slope[2]))


def check_finite(what: str, numbers: Iterable[float]) -> None:
    """Refuse numbers that are not finite."""
    numbers = tuple(numbers)
    if not all(math.isfinite(number) for number in numbers):
        raise ValueError(f"{what} is {numbers}: give finite numbers")


def check_growing(what: str, numbers: tuple[float, ...]) -> None:
    """Refuse numbers that are not strictly increasing."""
    check_finite(what, numbers)
    for first, second in pairwise(numbers):
        if not second > first:
            raise ValueError(f"{what}: {second:g} comes after {first:g}. Give them in growing order, each once")
