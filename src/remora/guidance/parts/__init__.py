"""Guidance as parts of a vehicle, with their options."""

from abc import ABC
from collections.abc import Sequence
from typing import Any, ClassVar

from remora.logs.schema import Field
from remora.messages.reference import flat


class GuidancePart(ABC):
    """A part whose output is a reference, of which the log holds every number."""

    fields: ClassVar[tuple[Field, ...]]

    def row(self, output: Any) -> Sequence[float]:
        """The reference as numbers."""
        return flat(output)
