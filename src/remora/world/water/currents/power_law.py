"""Power-law boundary layer of a current over a bed."""

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Any, ClassVar, Literal, final

import numpy as np
from numba import float64, types

from remora.equations.algebra.vectors import scale3
from remora.equations.types import Vector3
from remora.equations.water.current import power_law_fraction
from remora.files.arrays import Array
from remora.files.quantities import Is, Quantity, positive
from remora.files.section import Length, Section, Speed3
from remora.files.units import RATIO
from remora.plant.kernels.strict import strict_kernel
from remora.world.number_checks import check_finite
from remora.world.water.local_water import (
    CurrentContext,
    CurrentKind,
    FlowField,
    LocalWater,
    Variation,
    gradient_over_depth,
)

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
