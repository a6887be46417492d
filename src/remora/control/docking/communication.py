"""Communication budget of distributed docking. Nielsen 2018, ch. 8."""

from typing import NamedTuple

ACOUSTIC_LIMIT = 0.5e6  # bit/s of an acoustic modem at 60 m, as quoted by Nielsen 2018
MESSAGE_VALUES = 6  # pose and consensus point of a stage
VALUE_BITS = 32


class CommunicationBudget(NamedTuple):
    """Bit rate from one vehicle to a neighbour."""

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

    Parameters
    ----------
    iterations
        Price updates per sample.
    horizon
        Stages in a message.
    step
        Time between samples, s.
    values
        Numbers per stage.
    bits
        Per number.
    """
    numbers = {"iterations": iterations, "horizon": horizon, "step": step, "values": values, "bits": bits}
    for name, value in numbers.items():
        if not value > 0:
            raise ValueError(f"{name} is {value}: must be positive")
    return CommunicationBudget(horizon * values * bits, iterations / step)
