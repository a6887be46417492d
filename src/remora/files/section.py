"""The common ground of all sections of a vehicle file."""

from typing import Annotated, Any, ClassVar, NamedTuple, TypeAlias

from pydantic import BaseModel, ConfigDict

from remora.files.quantities import Is, NumbersOrWords, Quantity
from remora.files.units import LENGTH


class Choice(NamedTuple):
    """Fields of which at most one may be given, and one must be where it is required."""

    fields: tuple[str, ...]
    required: bool | str = True  # the name of a field: one is required where that field is given


class Section(BaseModel):
    """A mapping with known keys; its source holds for each number in it that has none of its own."""

    model_config = ConfigDict(extra="forbid", frozen=True, arbitrary_types_allowed=True, strict=True)
    choices: ClassVar[tuple[Choice, ...]] = ()
    source: str | None = None


Triple: TypeAlias = tuple[float, float, float]
Length3: TypeAlias = Annotated[Quantity[Triple], Is(LENGTH, (3,))]
# Named numbers of any kind that no equation reads, kept for people and for later parts.
NamedQuantities: TypeAlias = dict[str, Annotated[Quantity[Any], Is(None, None)]]
# Those of a sensor, which may be words too.
SensorParameters: TypeAlias = dict[str, Annotated[Quantity[Any], NumbersOrWords()]]
