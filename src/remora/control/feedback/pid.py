"""PID controller with anti-windup, sampled at a fixed period.

The integral is a rectangle sum that includes the present error. The derivative is a backward difference of the error or
of the measurement, with an optional first-order filter. Anti-windup is conditional integration: the integral is frozen
while the output is saturated and the error would increase it.
"""

import math
from dataclasses import dataclass
from typing import Literal, NamedTuple, final

SAFE_OUTPUT = 0.0  # for an error that is not finite


class PidState(NamedTuple):
    """State of a controller."""

    integral: float = 0.0  # error x s
    previous: float | None = None  # differentiated quantity of the previous sample; None after a gap
    slope: float = 0.0  # filtered derivative


@final
@dataclass(frozen=True)
class Pid:
    """Sampled controller: u = proportional e + integral sum(e dt) + derivative de/dt + feedforward, within limits.

    Anti-windup by conditional integration: while the output is at a limit, or an actuator behind it is (`blocked`), the
    integral changes only in the direction that leads back. Without a finite error (None: no measurement) the output is
    zero and the integral is kept.

    Parameters
    ----------
    period
        Seconds between steps.
    proportional, integral, derivative
        Gains.
    lowest, highest
        Limits of the output.
    derivative_of
        ``error``, or ``measurement`` to avoid a derivative kick when the reference jumps.
    filter_time
        Time constant of the derivative filter, s; 0 for none.

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
        """Zero integral, no previous sample."""
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
            State after the previous step.
        reference, measurement
            Desired and measured value; None for no measurement.
        feedforward
            Added to the output.
        blocked
            +1 or -1 when the actuators are saturated in that direction: the integral does not grow that way.
        """
        if measurement is None or not math.isfinite(reference - measurement + feedforward):
            return PidState(state.integral), SAFE_OUTPUT
        error = reference - measurement
        differentiated = error if self.derivative_of == "error" else -measurement
        slope = self._slope(state, differentiated)
        free = feedforward + self.proportional * error + self.derivative * slope
        summed = state.integral + error * self.period
        output = free + self.integral * summed
        push = self.integral * error
        stuck = output > self.highest or blocked > 0 if push > 0.0 else output < self.lowest or blocked < 0
        if stuck:
            summed = state.integral
            output = free + self.integral * summed
        return PidState(summed, differentiated, slope), min(max(output, self.lowest), self.highest)

    def _slope(self, state: PidState, differentiated: float) -> float:
        """Filtered backward difference; zero at the first sample."""
        if self.derivative == 0.0 or state.previous is None:
            return 0.0
        raw = (differentiated - state.previous) / self.period
        if self.filter_time == 0.0:
            return raw
        return state.slope + self.period / (self.filter_time + self.period) * (raw - state.slope)
