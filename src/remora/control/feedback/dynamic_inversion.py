"""Dynamic inversion: wrench for accelerations in surge, sway, heave and yaw, by the model of the vehicle.

Proctor 2014, eq. 6.6. Roll and pitch are left to hydrostatics. Forces and yaw moment belong to the speed through the
water, with a current that is estimated from the thrust. At the speed over ground, as printed, the Munk moment turns a
vehicle that is under way against a current, and in one from behind more drag is cancelled the faster the vehicle gets
than the water takes: a limit cycle in surge. Integral action follows neither.

A vehicle that keeps station in an unknown current knows its thrust. The flow that balances it, by the inverse of the
drag, axis by axis, gives the moments to cancel: above all the Munk moment, which turns a hull broadside to the flow and
grows with the square of the speed.
"""

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import expm1
from typing import TypeAlias, final

import numpy as np

from remora.control.allocation.thrusters import HELD_AXES
from remora.control.feedback.feedback_linearisation import FeedbackLinearisation
from remora.equations.algebra.four_axes import ZERO4
from remora.equations.algebra.kinematics import position_rate, to_body
from remora.equations.algebra.vectors import ZERO6, add3, linear, matrix6_at, subtract3
from remora.equations.control.velocity_tracking import inverted_wrench
from remora.equations.types import Matrix6, Quaternion, Twist, Vector2, Vector3, Vector4, Wrench
from remora.files.arrays import Array
from remora.plant.pack import PackedVehicle
from remora.vehicles.parameters import VehicleParameters, net_buoyancy

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
        """Estimate after a step with a wrench of the thrusters."""
        thrust = add3(linear(wrench), to_body(q_NB, (0.0, 0.0, self.net_weight)))
        north, east, _ = position_rate(q_NB, subtract3(linear(twist), self.flow.velocity(thrust)))
        share = -expm1(-self.period / self.time)
        return (before[0] + share * (north - before[0]), before[1] + share * (east - before[1]))


def flow_from_thrust(resistance: Callable[[Vector3], tuple[float, ...]], max_speeds: Vector3) -> FlowFromThrust:
    """Tabulate the inverse of the drag along each axis, up to the largest valid speeds, m/s, and at most 3 m/s.

    The resistance is the wrench in body axes that balances the drag of a level vehicle at a velocity through the water;
    its first three numbers are used.
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


# s, of the current of a vehicle under way: the thrust that accelerates it to and fro must not count as a current.
UNDER_WAY_TIME = 10.0
_HELD_BLOCK = np.ix_(HELD_AXES, HELD_AXES)


@final
@dataclass(frozen=True, eq=False)
class DynamicInversion:
    """Inverse of the nominal model of a vehicle."""

    model: FeedbackLinearisation
    water: CurrentFromThrust | None = None  # None takes still water, as printed

    def current(self, before: Vector2, q_NB: Quaternion, twist: Twist, wrench: Wrench) -> Vector2:
        """Estimate of the current, north and east in m/s, after a step with a wrench of the thrusters."""
        return before if self.water is None else self.water.averaged(before, q_NB, twist, wrench)

    def inertia(self, heave: float) -> Array:
        """Inertia with added mass at a heave velocity in m/s, 6 x 6."""
        return np.array(self._inertia_rows(heave))

    @cached_property
    def _mean_rows(self) -> Matrix6:
        """Inertia without the difference between sinking and rising; plain numbers are quicker than those of NumPy."""
        return matrix6_at(self.model.inertia.ravel().tolist(), 0)

    def _inertia_rows(self, heave: float) -> Matrix6:
        """Inertia with added mass at a heave velocity in m/s."""
        rows, change = self._mean_rows, self.model.heave_mass_change(heave)
        a, b, c, d, e, f = rows[2]
        return rows if change == 0.0 else (rows[0], rows[1], (a, b, c + change, d, e, f), rows[3], rows[4], rows[5])

    def wrench(self, q_NB: Quaternion, twist: Twist, acceleration: Vector4, current: Vector2 = (0.0, 0.0)) -> Wrench:
        """Wrench for an acceleration in surge, sway, heave and yaw, m/s2 and rad/s2.

        Forces at the twist are cancelled; the current is north and east, m/s.
        """
        X, Y, Z, K, M, N = self._cancelling(q_NB, twist)
        if current != (0.0, 0.0):
            u, v, w = subtract3(linear(twist), to_body(q_NB, (*current, 0.0)))
            X, Y, _, _, _, N = self._cancelling(q_NB, (u, v, w, *twist[3:]))
        return inverted_wrench(self._inertia_rows(twist[2]), acceleration, (X, Y, Z, K, M, N))

    def _cancelling(self, q_NB: Quaternion, twist: Twist) -> Wrench:
        """Wrench that cancels the forces at a motion in still water."""
        X, Y, Z, K, M, N = self.model.wrench(np.array([0.0, 0.0, 0.0, *q_NB, *twist])).tolist()
        return (X, Y, Z, K, M, N)

    def acceleration(self, heave: float, wrench: Wrench) -> Vector4:
        """Acceleration in surge, sway, heave and yaw that a wrench adds, with roll and pitch at rest; heave in m/s."""
        if wrench == ZERO6:
            return ZERO4
        reduced = self.inertia(heave)[_HELD_BLOCK]
        u, v, w, r = np.linalg.solve(reduced, np.array([wrench[i] for i in HELD_AXES])).tolist()
        return (u, v, w, r)


def inversion_in_current(
    parameters: VehicleParameters, packed: PackedVehicle, valid_speeds: Vector3, period: float
) -> DynamicInversion:
    """The inversion with forces and yaw moment of the speed through the water.

    Parameters of the vehicle are valid up to `valid_speeds` along each axis, m/s; the period between steps is in s.
    """
    model = FeedbackLinearisation(packed)
    level = (1.0, 0.0, 0.0, 0.0)
    at_rest = model.wrench(np.array([0.0, 0.0, 0.0, *level, *ZERO6]))

    def resistance(v: Vector3) -> tuple[float, ...]:
        force = model.wrench(np.array([0.0, 0.0, 0.0, *level, *v, 0.0, 0.0, 0.0])) - at_rest
        return tuple(force.tolist())

    flow = flow_from_thrust(resistance, valid_speeds)
    return DynamicInversion(model, CurrentFromThrust(flow, -net_buoyancy(parameters), period, UNDER_WAY_TIME))
