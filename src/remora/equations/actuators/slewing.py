"""Outputs that follow their targets by a lag and can only move so fast: fins, servos, trim masses and tanks."""

from typing import NamedTuple

from remora.equations.actuators.drives import rate_limited_lag
from remora.equations.algebra.elementary import both, maximum, minimum, select

UNLIMITED_RATE = 1e12  # stands for no limit: nothing moves that fast


class Slew(NamedTuple):
    """How an output moves, and between which ends."""

    lag: float  # s, time constant
    rate_limit: float  # units of the output per second
    lowest: float
    highest: float


def is_instantaneous(slew: Slew) -> bool:
    """Whether the output is at its target as soon as the command is given: neither lag nor largest rate."""
    return both(slew.lag == 0.0, slew.rate_limit >= UNLIMITED_RATE)


def slewed_output(slew: Slew, output: float, target: float, elapsed: float) -> float:
    """The output after a time with a held target, exactly; one at its target rests there to the last bit."""
    moved = rate_limited_lag(output, target, elapsed, slew.lag, slew.rate_limit)
    return select(output == target, output, moved)


def slewing_speed(slew: Slew, output: float, target: float) -> float:
    """Rate of the output on its way; none for one that is at its target at once."""
    left = target - output
    way = select(left > 0.0, 1.0, select(left < 0.0, -1.0, 0.0))
    lagging = slew.lag > 0.0
    wanted = select(lagging, left / select(lagging, slew.lag, 1.0), way * slew.rate_limit)
    limited = maximum(minimum(wanted, slew.rate_limit), -slew.rate_limit)
    return select(is_instantaneous(slew), 0.0, limited)


def slewing_acceleration(slew: Slew, output: float, target: float) -> float:
    """Rate of that speed: none at the largest rate, and dying away as a lag behind it."""
    settling = both(slew.lag > 0.0, abs(target - output) <= slew.rate_limit * slew.lag)
    speed = slewing_speed(slew, output, target)
    return select(settling, -speed / select(settling, slew.lag, 1.0), 0.0)
