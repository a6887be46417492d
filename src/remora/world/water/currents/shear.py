"""Current profile over depth."""

from bisect import bisect_right
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Literal, final

from remora.equations.algebra.vectors import ZERO3, scale3, subtract3
from remora.equations.types import Matrix3, Vector3
from remora.files.quantities import Is, Quantity
from remora.files.section import Lengths, Section
from remora.files.units import SPEED
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
