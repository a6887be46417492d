"""Uniform steady current."""

from dataclasses import dataclass
from typing import ClassVar, Literal, final

from remora.equations.types import Vector3
from remora.files.section import Section, Speed3
from remora.world.number_checks import check_finite
from remora.world.water.local_water import CurrentContext, CurrentKind, FlowField, LocalWater, Variation


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
