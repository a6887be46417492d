"""PID controller with anti-windup, sampled at a fixed period.

The integral is a rectangle sum that includes the present error. The derivative is a backward difference of the error or
of the measurement, with an optional first-order filter. Anti-windup is conditional integration: the integral is frozen
while the output is saturated and the error would increase it.
"""

import math
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, final

from remora.equations.control.cascades import PidGains, PidMemory, pid_law

SAFE_OUTPUT = 0.0  # for an error that is not finite


class PidState(NamedTuple):
    """State of a controller."""

    integral: float = 0.0  # error x s
    previous: float | None = None  # differentiated quantity of the previous sample; None after a gap
    slope: float = 0.0  # filtered derivative

    def before(self, differentiated: float) -> PidMemory:
        """The numbers before a sample; after a gap the derivative starts at zero."""
        if self.previous is None:
            return PidMemory(self.integral, differentiated, 0.0)
        return PidMemory(self.integral, self.previous, self.slope)


@final
@dataclass(frozen=True)
class Pid:
    """Sampled controller: u = proportional e + integral sum(e dt) + derivative de/dt + feedforward, within limits.

    Anti-windup by conditional integration: while the output is at a limit, or an actuator behind it is (`blocked`), the
    integral changes only in the direction that leads back. Without a finite error (None: no measurement) the output is
    zero and the integral is kept. Raises a ValueError when the period is not positive, the filter time is negative or
    the limits are in the wrong order.
    """

    period: float  # s
    proportional: float
    integral: float = 0.0
    derivative: float = 0.0
    lowest: float = -math.inf  # limits of the output
    highest: float = math.inf
    derivative_of: Literal["error", "measurement"] = "error"  # the latter without a kick when the reference jumps
    filter_time: float = 0.0  # s, time constant of the derivative filter; 0 for none
    gains: PidGains = field(init=False, repr=False, compare=False)  # the same numbers for `pid_law`

    def __post_init__(self) -> None:
        if not 0.0 < self.period < math.inf:
            raise ValueError(f"period of a controller is {self.period}: give a positive number of seconds")
        if not self.filter_time >= 0.0:
            raise ValueError(f"filter time is {self.filter_time}: give zero or a positive number of seconds")
        if not self.lowest < self.highest:
            raise ValueError(f"limits are {self.lowest} and {self.highest}: give the lowest first")
        factors = (self.proportional, self.integral, self.derivative)
        object.__setattr__(self, "gains", PidGains(self.period, *factors, self.lowest, self.highest, self.filter_time))

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
        """One sample; None for no measurement, and the feedforward is added to the output.

        `blocked` is +1 or -1 when the actuators are saturated in that direction: the integral does not grow that way.
        """
        if measurement is None or not math.isfinite(reference - measurement + feedforward):
            return PidState(state.integral), SAFE_OUTPUT
        error = reference - measurement
        differentiated = error if self.derivative_of == "error" else -measurement
        memory = state.before(differentiated)
        after, output = pid_law(self.gains, memory, error, differentiated, feedforward, float(blocked))
        return PidState(*after), output
