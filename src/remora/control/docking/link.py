"""Modelled communication link of a docking team: loss, delay, resolution and idle iterations; and its bit rate."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple, final

import numpy as np

from remora.control.docking.agent import DockingMessage, moved
from remora.files.arrays import Array

ACOUSTIC_LIMIT = 0.5e6  # bit/s of an acoustic modem at 60 m, as quoted by Nielsen 2018
MESSAGE_VALUES = 6  # pose and consensus point of a stage
VALUE_BITS = 32


class _Underway(NamedTuple):
    """A message between its sending and its arrival."""

    arrives: float
    sample: int
    sender: int
    receiver: int
    message: DockingMessage


class LinkState(NamedTuple):
    """Messages on their way, and the stream of random numbers."""

    underway: tuple[_Underway, ...]
    random: np.random.Generator | None


@final
@dataclass(frozen=True)
class DockingLink:
    """An acoustic or optical link between neighbours; the default loses and delays nothing.

    Raises a ValueError for a share outside [0, 1) and for a negative delay or resolution.
    """

    loss: float = 0.0  # share of lost messages
    delay: float = 0.0  # s
    resolution: float = 0.0  # m and rad, of the numbers in messages; 0: exact
    idle: float = 0.0  # share of iterations that a vehicle misses (asynchronous updates)

    def __post_init__(self) -> None:
        for name in ("loss", "idle"):
            if not 0.0 <= getattr(self, name) < 1.0:
                raise ValueError(f"{name} is {getattr(self, name)}: must be in [0, 1)")
        for name in ("delay", "resolution"):
            if not 0.0 <= getattr(self, name) < np.inf:
                raise ValueError(f"{name} is {getattr(self, name)}: must be zero or positive")

    def initial(self, random: np.random.Generator | None) -> LinkState:
        """No message on its way."""
        if random is None and (self.loss > 0.0 or self.idle > 0.0):
            raise ValueError("random is missing: a link with loss or idle iterations needs a random generator")
        return LinkState((), random)

    def active(self, state: LinkState, vehicles: int) -> tuple[list[bool], LinkState]:
        """Which vehicles take part in an iteration."""
        if state.random is None or self.idle == 0.0:
            return [True] * vehicles, state
        return [bool(draw >= self.idle) for draw in state.random.random(vehicles)], state

    def sent(
        self, state: LinkState, time: float, sample: int, messages: Mapping[int, Mapping[int, DockingMessage]]
    ) -> LinkState:
        """Put messages that begin at a sample on their way at a time in s, by sender and receiver."""
        new = [
            _Underway(time + self.delay, sample, i, j, self._rounded(message))
            for i, to in messages.items()
            for j, message in to.items()
            if self.loss == 0.0 or state.random is None or state.random.random() >= self.loss
        ]
        return state._replace(underway=(*state.underway, *new))

    def received(
        self, state: LinkState, time: float, sample: int
    ) -> tuple[dict[int, dict[int, DockingMessage]], LinkState]:
        """The newest message of each neighbour that has arrived, by receiver and sender, moved on to the sample."""
        found: dict[int, dict[int, DockingMessage]] = {}
        left = []
        for one in state.underway:
            if one.arrives > time + 1e-9:
                left.append(one)
            else:
                found.setdefault(one.receiver, {})[one.sender] = moved(one.message, sample - one.sample)
        return found, state._replace(underway=tuple(left))

    def _rounded(self, message: DockingMessage) -> DockingMessage:
        if self.resolution == 0.0:
            return message
        return DockingMessage(*(self._quantised(part) for part in message))

    def _quantised(self, values: Array) -> Array:
        return self.resolution * np.round(values / self.resolution)


class CommunicationBudget(NamedTuple):
    """Bit rate from one vehicle to a neighbour. Nielsen 2018, ch. 8."""

    bits_per_message: int
    messages_per_second: float

    @property
    def bit_rate(self) -> float:
        """bit/s."""
        return self.bits_per_message * self.messages_per_second

    @property
    def fits_acoustic_link(self) -> bool:
        """Whether the rate is within that of an acoustic modem at 60 m."""
        return self.bit_rate <= ACOUSTIC_LIMIT


def communication_budget(
    iterations: int, horizon: int, step: float, values: int = MESSAGE_VALUES, bits: int = VALUE_BITS
) -> CommunicationBudget:
    """Budget of exchanging the planned trajectory in every iteration of every sample.

    Iterations are price updates in a sample of `step` seconds; a message has `values` numbers of `bits` for each stage
    of the horizon.
    """
    numbers = {"iterations": iterations, "horizon": horizon, "step": step, "values": values, "bits": bits}
    for name, value in numbers.items():
        if not value > 0:
            raise ValueError(f"{name} is {value}: must be positive")
    return CommunicationBudget(horizon * values * bits, iterations / step)
