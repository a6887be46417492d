"""Base class of all sections of input files."""

from typing import Annotated, Any, ClassVar, NamedTuple, TypeAlias

from pydantic import BaseModel, ConfigDict

from remora.files.quantities import Is, NumbersOrWords, Quantity, positive
from remora.files.units import LENGTH, SPEED


class Choice(NamedTuple):
    """Mutually exclusive fields, of which one may be required."""

    fields: tuple[str, ...]
    required: bool | str = True  # the name of a field: one is required where that field is given


class Section(BaseModel):
    """A mapping with known keys; its source applies to numbers without one."""

    model_config = ConfigDict(extra="forbid", frozen=True, arbitrary_types_allowed=True, strict=True)
    choices: ClassVar[tuple[Choice, ...]] = ()
    source: str | None = None


def row_of_numbers(value: Any) -> str | None:
    """Rule of a quantity: a list of numbers of any length, but not empty."""
    fits = isinstance(value, tuple) and value and all(isinstance(number, float) for number in value)
    return None if fits else "expected a list of numbers."


Triple: TypeAlias = tuple[float, float, float]
Length: TypeAlias = Annotated[Quantity[float], Is(LENGTH, rule=positive)]
Place: TypeAlias = Annotated[Quantity[float], Is(LENGTH)]
Length3: TypeAlias = Annotated[Quantity[Triple], Is(LENGTH, (3,))]
Lengths: TypeAlias = Annotated[Quantity[tuple[float, ...]], Is(LENGTH, None, rule=row_of_numbers)]
Speed3: TypeAlias = Annotated[Quantity[Triple], Is(SPEED, (3,))]
# Named numbers of any dimension that no equation reads.
NamedQuantities: TypeAlias = dict[str, Annotated[Quantity[Any], Is(None, None)]]
# Parameters of a sensor: numbers or words.
SensorParameters: TypeAlias = dict[str, Annotated[Quantity[Any], NumbersOrWords()]]
