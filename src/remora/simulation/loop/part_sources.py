"""Inputs of parts: readings and truth, from simulated sensors or from a vehicle in another process."""

from collections.abc import Mapping
from typing import Protocol

from remora.messages.reading import Reading
from remora.messages.truth import Truth


class TruthSource(Protocol):
    """Gives the truth to parts that may see it."""

    def truth_for_parts(self, time_ns: int) -> Truth:
        """The truth at a time."""


class ReadingSource(Protocol):
    """Gives readings to parts."""

    in_transit: list[Reading]

    @property
    def readings(self) -> Mapping[str, Reading]:
        """The latest of each sensor, by name without that of the vehicle."""

    def arrived(self, time_ns: int) -> list[Reading]:
        """Readings that have arrived since the last call."""

    def losses(self) -> str:
        """Sensors that have nothing to measure, with the cause."""
