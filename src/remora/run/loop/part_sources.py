"""Inputs and outputs of parts: readings and truth, simulated or of a vehicle in another process, and actuators."""

from collections.abc import Mapping
from typing import Protocol

from remora.equations.types import Wrench
from remora.files.arrays import Array
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


class ActuatorChain(Protocol):
    """Takes commands: the actuators of a vehicle, or of all modules of an assembly."""

    missing: Wrench  # demanded wrench minus allocated wrench

    @property
    def count(self) -> int:
        """Number of actuators."""

    @property
    def rest(self) -> Array:
        """Commands at rest."""

    @property
    def commands(self) -> Array:
        """The present commands."""

    @property
    def inputs(self) -> Array:
        """The present inputs of the plant."""

    @property
    def faulty(self) -> frozenset[str]:
        """Actuators that do not follow their commands."""

    @property
    def charge(self) -> float | None:
        """State of charge of the battery; None without one."""

    def command(self, commands: Array, time_ns: int) -> None:
        """Set the commands, held until the next call."""
