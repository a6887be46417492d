"""Steady currents: uniform, a profile over depth, and the power-law boundary layer over a bed."""

import math
from bisect import bisect_right
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Annotated, Any, ClassVar, Literal, final

import numpy as np
from numba import float64, types

from remora.equations.algebra.vectors import ZERO3, scale3, subtract3
from remora.equations.types import Matrix3, Vector3
from remora.equations.water.current import power_law_fraction
from remora.files.arrays import Array
from remora.files.quantities import Is, Quantity, positive
from remora.files.section import Length, Lengths, Section, Speed3
from remora.files.units import RATIO, SPEED
from remora.plant.strict import strict_kernel
from remora.world.number_checks import check_finite, check_growing
from remora.world.water.local_water import (
    NO_GRADIENT,
    CurrentContext,
    CurrentKind,
    FlowField,
    LocalWater,
    Variation,
    gradient_over_depth,
)


@final
@dataclass(frozen=True)
class Uniform(FlowField):
    """Uniform steady current, m/s in N."""

    velocity: Vector3
    variation: ClassVar = Variation.STEADY

    def __post_init__(self) -> None:
        check_finite("velocity of the current", self.velocity)

    def at(self, time_ns: int, p_N: Vector3) -> LocalWater:
        """See `FlowField`."""
        return LocalWater(self.velocity)


class UniformSection(Section):
    """A uniform current."""

    kind: Literal["uniform"]
    velocity: Speed3


def _uniform(section: UniformSection, context: CurrentContext) -> Uniform:
    return Uniform(section.velocity.value)


UNIFORM = CurrentKind("uniform", UniformSection, _uniform)


_new_tuple = tuple.__new__


@final
@dataclass(frozen=True)
class Sheared(FlowField):
    """Current profile over depth: piecewise linear, constant above the first depth and below the last.

    Raises a ValueError when there is no node, depths do not grow, or numbers are missing or not finite.
    """

    depths: tuple[float, ...]  # m below the still surface, growing
    velocities: tuple[Vector3, ...]  # m/s in N, one for each depth
    level: float = 0.0  # z of the still surface in N, m
    variation: ClassVar = Variation.LAYERED
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
        object.__setattr__(self, "_slopes", (held, *((slope, gradient_over_depth(slope)) for slope in slopes), held))

    def at(self, time_ns: int, p_N: Vector3) -> LocalWater:
        """See `FlowField`."""
        depth = p_N[2] - self.level
        node = bisect_right(self.depths, depth)
        (a, b, c), gradient = self._slopes[node]
        above = node - 1 if node else 0
        u, v, w = self.velocities[above]
        if gradient is NO_GRADIENT:
            return _new_tuple(LocalWater, ((u, v, w), NO_GRADIENT, ZERO3, 0.0, 0.0))
        below = depth - self.depths[above]
        return _new_tuple(LocalWater, ((u + a * below, v + b * below, w + c * below), gradient, ZERO3, 0.0, 0.0))


def _vectors(value: Any) -> str | None:
    fits = isinstance(value, tuple) and value and all(isinstance(row, tuple) and len(row) == 3 for row in value)
    return None if fits else "expected a list of velocities, each [north, east, down]."


class ShearSection(Section):
    """A current profile over depth."""

    kind: Literal["shear"]
    depths: Lengths
    velocities: Annotated[Quantity[tuple[Vector3, ...]], Is(SPEED, None, rule=_vectors)]


def _sheared(section: ShearSection, context: CurrentContext) -> Sheared:
    return Sheared(section.depths.value, section.velocities.value, context.level)


SHEAR = CurrentKind("shear", ShearSection, _sheared)


SIGNATURE = types.UniTuple(float64, 2)(float64, float64)  # type: ignore[no-untyped-call]


@lru_cache(maxsize=1)
def fraction_kernel() -> Any:
    """Compiled `power_law_fraction`, for single points."""
    return strict_kernel(power_law_fraction, SIGNATURE, "power-law currents", 2)


@final
@dataclass(frozen=True)
class PowerLaw(FlowField):
    """Power-law boundary layer: surface velocity times (height above the bed / water depth)^exponent.

    In the lowest hundredth of the water it falls linearly to zero, because the power law is vertical at the bed; above
    the surface it stays. Raises a ValueError when the bed does not lie below the surface or the exponent is not
    positive.
    """

    velocity: Vector3  # m/s in N, at the surface
    bottom: float  # z of the bed in N, m
    level: float = 0.0  # z of the still surface in N, m
    exponent: float = 1.0 / 7.0  # usual for tidal streams
    variation: ClassVar = Variation.LAYERED

    def __post_init__(self) -> None:
        check_finite("velocity of the current", self.velocity)
        if not 0.0 < self.bottom - self.level < math.inf:
            raise ValueError(f"the bed at {self.bottom:g} m does not lie below the surface at {self.level:g} m")
        if not 0.0 < self.exponent < math.inf:
            raise ValueError(f"exponent of the profile is {self.exponent}: give a positive number, such as 0.143")

    def at(self, time_ns: int, p_N: Vector3) -> LocalWater:
        """See `FlowField`."""
        water_depth = self.bottom - self.level
        share, slope = fraction_kernel()((self.bottom - p_N[2]) / water_depth, self.exponent)
        gradient = gradient_over_depth(scale3(-slope / water_depth, self.velocity))
        return LocalWater(scale3(share, self.velocity), gradient)

    def velocities_at(self, time_ns: int, places_N: Array) -> Array:
        """See `FlowField`."""
        heights: Any = (self.bottom - places_N[:, 2]) / (self.bottom - self.level)
        share: Any = power_law_fraction(heights, self.exponent)[0]
        return np.outer(share, self.velocity)


class PowerLawSection(Section):
    """A power-law boundary layer."""

    kind: Literal["power_law"]
    velocity: Speed3
    water_depth: Length | None = None
    exponent: Annotated[Quantity[float], Is(RATIO, rule=positive)] | None = None


def _power_law(section: PowerLawSection, context: CurrentContext) -> PowerLaw:
    level = context.level
    if section.water_depth:
        depth = section.water_depth.value
    elif context.flat_bed is not None:
        depth = context.flat_bed - level
    else:
        raise ValueError("a power law needs a flat bed, or water_depth")
    exponent = section.exponent.value if section.exponent else 1.0 / 7.0
    return PowerLaw(section.velocity.value, level + depth, level, exponent)


POWER_LAW = CurrentKind("power_law", PowerLawSection, _power_law)
