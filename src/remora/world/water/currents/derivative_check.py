"""Gradient and rate of a current against differences of its velocity."""

from collections.abc import Callable

from remora.equations.types import Vector3
from remora.world.water.local_water import LocalWater

LENGTH, TIME_NS = 1e-3, 1_000_000  # m and ns, steps of the differences
RELATIVE = 0.02  # of the larger of derivative and difference
SMALLEST = 1e-6  # 1/s and m/s2; smaller derivatives move no vehicle
KINK = 0.1  # relative difference of the two one-sided differences at which there is no derivative

At = Callable[[int, Vector3], LocalWater]


def derivative_fault(at: At, time_ns: int, p_N: Vector3) -> str:
    """Message for a gradient or rate that is not that of the velocity; empty where both are.

    The time is in ns, the place in N, m.
    """
    here = at(time_ns, p_N)
    for axis, name in enumerate(("north", "east", "down")):
        step = tuple(LENGTH * (i == axis) for i in range(3))
        after, before = at(time_ns, _plus(p_N, step, 1.0)), at(time_ns, _plus(p_N, step, -1.0))
        for i in range(3):
            slopes = _slopes(before.velocity[i], here.velocity[i], after.velocity[i], LENGTH)
            if _differs(here.gradient[i][axis], slopes):
                found = f"gradient[{i}][{axis}] is {here.gradient[i][axis]:.4g} 1/s"
                return f"{found}, but velocity[{i}] changes by {sum(slopes) / 2.0:.4g} m/s per metre {name}"
    after, before = at(time_ns + TIME_NS, p_N), at(time_ns - TIME_NS, p_N)
    for i in range(3):
        slopes = _slopes(before.velocity[i], here.velocity[i], after.velocity[i], 1e-9 * TIME_NS)
        if _differs(here.rate[i], slopes):
            found = f"rate[{i}] is {here.rate[i]:.4g} m/s2"
            return f"{found}, but velocity[{i}] changes by {sum(slopes) / 2.0:.4g} m/s per second"
    return ""


def _plus(p_N: Vector3, step: tuple[float, ...], sign: float) -> Vector3:
    return (p_N[0] + sign * step[0], p_N[1] + sign * step[1], p_N[2] + sign * step[2])


def _slopes(before: float, here: float, after: float, step: float) -> tuple[float, float]:
    return (here - before) / step, (after - here) / step


def _differs(derivative: float, slopes: tuple[float, float]) -> bool:
    """Whether a derivative is not that of two one-sided differences; never at a kink, which has none."""
    low, high = slopes
    size = max(abs(low), abs(high), abs(derivative))
    if size < SMALLEST or abs(high - low) > KINK * size:
        return False
    return abs(derivative - 0.5 * (low + high)) > RELATIVE * size
