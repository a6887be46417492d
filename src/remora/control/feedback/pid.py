"""One controller of proportional, integral and derivative action, sampled at a fixed period.

The integral is a sum of rectangles that includes the present error; the derivative is a backward difference, of the
error or of the measurement, with a first-order filter where a time constant is given.
"""

import math
from dataclasses import dataclass
from typing import Literal, NamedTuple, final

SAFE_OUTPUT = 0.0  # what an error that is no number gives


class PidState(NamedTuple):
    """What a controller remembers."""

    integral: float = 0.0  # error x s
    previous: float | None = None  # what is differentiated, one sample ago; None after a gap
    slope: float = 0.0  # filtered derivative


@final
@dataclass(frozen=True)
class Pid:
    """A sampled controller: u = proportional e + integral sum(e dt) + derivative de/dt + feedforward, within limits.

    It does not wind up: while the output is at a limit, or the caller says that something behind it is, the integral
    changes only in the direction that leads back. An error that is None (no measurement) or no finite number gives the
    safe output zero and leaves the integral alone.

    Parameters
    ----------
    period
        Seconds between steps.
    proportional, integral, derivative
        Gains.
    lowest, highest
        Limits of the output.
    derivative_of
        ``error``, or ``measurement`` so that a jump of the reference gives no kick.
    filter_time
        Time constant in seconds of the filter on the derivative; 0 for none.

    Raises
    ------
    ValueError
        When the period is not positive, the filter time is negative or the limits are in the wrong order.
    """

    period: float
    proportional: float
    integral: float = 0.0
    derivative: float = 0.0
    lowest: float = -math.inf
    highest: float = math.inf
    derivative_of: Literal["error", "measurement"] = "error"
    filter_time: float = 0.0

    def __post_init__(self) -> None:
        if not 0.0 < self.period < math.inf:
            raise ValueError(f"period of a controller is {self.period}: give a positive number of seconds")
        if not self.filter_time >= 0.0:
            raise ValueError(f"filter time is {self.filter_time}: give zero or a positive number of seconds")
        if not self.lowest < self.highest:
            raise ValueError(f"limits are {self.lowest} and {self.highest}: give the lowest first")

    def initial(self) -> PidState:
        """Nothing summed, nothing to differentiate yet."""
        return PidState()

    def step(
        self,
        state: PidState,
        reference: float,
        measurement: float | None,
        feedforward: float = 0.0,
        blocked: int = 0,
    ) -> tuple[PidState, float]:
        """One sample.

        Parameters
        ----------
        state
            What it remembers.
        reference, measurement
            What is wanted and what is; None for no measurement.
        feedforward
            Added to the output.
        blocked
            +1 or -1 when what follows cannot push further that way: the integral does not grow that way either.
        """
        if measurement is None or not math.isfinite(reference - measurement + feedforward):
            return PidState(state.integral), SAFE_OUTPUT
        error = reference - measurement
        watched = error if self.derivative_of == "error" else -measurement
        slope = self._slope(state, watched)
        free = feedforward + self.proportional * error + self.derivative * slope
        summed = state.integral + error * self.period
        output = free + self.integral * summed
        push = self.integral * error
        stuck = output > self.highest or blocked > 0 if push > 0.0 else output < self.lowest or blocked < 0
        if stuck:
            summed = state.integral
            output = free + self.integral * summed
        return PidState(summed, watched, slope), min(max(output, self.lowest), self.highest)

    def _slope(self, state: PidState, watched: float) -> float:
        """The derivative: nothing at the first sample, then the backward difference through the filter."""
        if self.derivative == 0.0 or state.previous is None:
            return 0.0
        raw = (watched - state.previous) / self.period
        if self.filter_time == 0.0:
            return raw
        return state.slope + self.period / (self.filter_time + self.period) * (raw - state.slope)
