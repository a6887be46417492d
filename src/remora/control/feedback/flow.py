"""The velocity through the water that goes with a push: the inverse of the resistance, axis by axis.

A vehicle that is held against a current does not know the water around it, but it knows how hard it pushes. With that
the moments that the flow makes can be cancelled: above all the Munk moment, which turns a hull broadside on and grows
with the square of the speed.
"""

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias, final

from remora.equations.algebra.vectors import Vector3

LARGEST_SPEED, POINTS = 3.0, 31  # m/s, and how many speeds each way are tabulated
Curve: TypeAlias = tuple[tuple[float, ...], tuple[float, ...]]  # pushes in rising order, and the speeds they make


@final
@dataclass(frozen=True)
class FlowFromPush:
    """Velocity through the water in body axes, from a steady push in body axes."""

    curves: tuple[Curve, Curve, Curve]

    def velocity(self, push: Vector3) -> Vector3:
        """m/s, for a push in N; the ends of the curves where it is beyond them."""
        x, y, z = (_between(curve, force) for curve, force in zip(self.curves, push, strict=True))
        return (x, y, z)


def flow_from_push(resistance: Callable[[Vector3], tuple[float, ...]], largest_speeds: Vector3) -> FlowFromPush:
    """Tabulate the inverse of a resistance, the force in body axes that a velocity through the water needs.

    Parameters
    ----------
    resistance
        Force, and whatever follows it, for a velocity in body axes on a level vehicle.
    largest_speeds
        Up to which the numbers of the vehicle hold, m/s; not more than 3 m/s are tabulated.
    """
    x, y, z = (_curve(resistance, axis, min(most, LARGEST_SPEED)) for axis, most in enumerate(largest_speeds))
    return FlowFromPush((x, y, z))


def _curve(resistance: Callable[[Vector3], tuple[float, ...]], axis: int, most: float) -> Curve:
    """Pushes and speeds along one axis; where a push does not grow with the speed, there is nothing to invert."""
    pushes, speeds = [0.0], [0.0]
    for sign in (-1.0, 1.0):
        for k in range(1, POINTS):
            speed = sign * most * k / (POINTS - 1)
            u, v, w = (speed if i == axis else 0.0 for i in range(3))
            push = resistance((u, v, w))[axis]
            if not push * sign > abs(pushes[-1 if sign > 0.0 else 0]):
                break
            pushes.insert(len(pushes) if sign > 0.0 else 0, push)
            speeds.insert(len(speeds) if sign > 0.0 else 0, speed)
    return tuple(pushes), tuple(speeds)


def _between(curve: Curve, push: float) -> float:
    pushes, speeds = curve
    i = bisect_right(pushes, push)
    if i == 0 or i == len(pushes):
        return speeds[min(i, len(pushes) - 1)]
    share = (push - pushes[i - 1]) / (pushes[i] - pushes[i - 1])
    return speeds[i - 1] + share * (speeds[i] - speeds[i - 1])
