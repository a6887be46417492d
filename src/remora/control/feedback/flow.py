"""Velocity through the water from a steady thrust: the inverse of the drag, axis by axis.

A vehicle that keeps station in an unknown current knows its thrust. The flow that balances it gives the moments to
cancel: above all the Munk moment, which turns a hull broadside to the flow and grows with the square of the speed.
"""

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from math import expm1
from typing import TypeAlias, final

from remora.equations.algebra.kinematics import position_rate, to_body
from remora.equations.algebra.vectors import add3, linear, subtract3
from remora.equations.types import Quaternion, Twist, Vector2, Vector3, Wrench

LARGEST_SPEED, POINTS = 3.0, 31  # m/s, and number of tabulated speeds in each direction
CURRENT_TIME = 2.0  # s, time constant of the current estimate
Curve: TypeAlias = tuple[tuple[float, ...], tuple[float, ...]]  # forces in ascending order, N, and their speeds, m/s


@final
@dataclass(frozen=True)
class FlowFromThrust:
    """Velocity through the water from a steady thrust, both in body axes."""

    curves: tuple[Curve, Curve, Curve]

    def velocity(self, force: Vector3) -> Vector3:
        """Velocity in m/s for a force in N; clipped to the ends of the curves."""
        x, y, z = (_between(curve, component) for curve, component in zip(self.curves, force, strict=True))
        return (x, y, z)


@final
@dataclass(frozen=True)
class CurrentFromThrust:
    """Current, north and east in m/s: velocity over ground minus the flow that balances the thrust, filtered."""

    flow: FlowFromThrust
    net_weight: float  # N, weight minus buoyancy
    period: float  # s
    time: float = CURRENT_TIME  # s, time constant

    def averaged(self, before: Vector2, q_NB: Quaternion, twist: Twist, wrench: Wrench) -> Vector2:
        """Estimate after a step.

        Parameters
        ----------
        before
            Estimate before it.
        q_NB
            Attitude.
        twist
            m/s and rad/s, in body axes.
        wrench
            Of the thrusters, N and N m in body axes.
        """
        thrust = add3(linear(wrench), to_body(q_NB, (0.0, 0.0, self.net_weight)))
        north, east, _ = position_rate(q_NB, subtract3(linear(twist), self.flow.velocity(thrust)))
        share = -expm1(-self.period / self.time)
        return (before[0] + share * (north - before[0]), before[1] + share * (east - before[1]))


def flow_from_thrust(resistance: Callable[[Vector3], tuple[float, ...]], max_speeds: Vector3) -> FlowFromThrust:
    """Tabulate the inverse of the drag, the force in body axes that a velocity through the water needs.

    Parameters
    ----------
    resistance
        Wrench that balances the drag at a velocity in body axes, of a level vehicle; its first three numbers are used.
    max_speeds
        Largest valid speed along each axis, m/s; at most 3 m/s are tabulated.
    """
    x, y, z = (_curve(resistance, axis, min(most, LARGEST_SPEED)) for axis, most in enumerate(max_speeds))
    return FlowFromThrust((x, y, z))


def _curve(resistance: Callable[[Vector3], tuple[float, ...]], axis: int, most: float) -> Curve:
    """Forces and speeds along one axis, as far as the force grows with the speed."""
    forces, speeds = [0.0], [0.0]
    for sign in (-1.0, 1.0):
        for k in range(1, POINTS):
            speed = sign * most * k / (POINTS - 1)
            u, v, w = (speed if i == axis else 0.0 for i in range(3))
            force = resistance((u, v, w))[axis]
            if not force * sign > abs(forces[-1 if sign > 0.0 else 0]):
                break
            forces.insert(len(forces) if sign > 0.0 else 0, force)
            speeds.insert(len(speeds) if sign > 0.0 else 0, speed)
    return tuple(forces), tuple(speeds)


def _between(curve: Curve, force: float) -> float:
    forces, speeds = curve
    i = bisect_right(forces, force)
    if i == 0 or i == len(forces):
        return speeds[min(i, len(forces) - 1)]
    share = (force - forces[i - 1]) / (forces[i] - forces[i - 1])
    return speeds[i - 1] + share * (speeds[i] - speeds[i - 1])
