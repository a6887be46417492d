"""Rate-limited lags: outputs of fins, servos and moving masses."""

from typing import NamedTuple

from remora.equations.actuators.drives import rate_limited_lag
from remora.equations.algebra.elementary import both, maximum, minimum, select
from remora.equations.types import Seconds

UNLIMITED_RATE = 1e12  # no limit


class Slew(NamedTuple):
    """Lag, rate limit and range of an output."""

    lag: float  # s, time constant
    rate_limit: float  # units of the output per second
    lowest: float
    highest: float


def is_instantaneous(slew: Slew) -> bool:
    """Whether the output reaches its target instantly: neither lag nor rate limit."""
    return both(slew.lag == 0.0, slew.rate_limit >= UNLIMITED_RATE)


def slewed_output(slew: Slew, output: float, target: float, elapsed: Seconds) -> float:
    """Output after a time with a held target, exactly; an output at its target stays bit-identical."""
    moved = rate_limited_lag(output, target, elapsed, slew.lag, slew.rate_limit)
    return select(output == target, output, moved)


def slewing_speed(slew: Slew, output: float, target: float) -> float:
    """Rate of the output; zero for an instantaneous one."""
    left = target - output
    way = select(left > 0.0, 1.0, select(left < 0.0, -1.0, 0.0))
    lagging = slew.lag > 0.0
    desired = select(lagging, left / select(lagging, slew.lag, 1.0), way * slew.rate_limit)
    limited = maximum(minimum(desired, slew.rate_limit), -slew.rate_limit)
    return select(is_instantaneous(slew), 0.0, limited)


def slewing_acceleration(slew: Slew, output: float, target: float) -> float:
    """Second derivative of the output: zero at the rate limit, then decaying as a lag."""
    settling = both(slew.lag > 0.0, abs(target - output) <= slew.rate_limit * slew.lag)
    speed = slewing_speed(slew, output, target)
    return select(settling, -speed / select(settling, slew.lag, 1.0), 0.0)
