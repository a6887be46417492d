"""Dynamic inversion: wrench for accelerations in surge, sway, heave and yaw, by the model of the vehicle.

Proctor 2014, eq. 6.6. Roll and pitch are left to hydrostatics. Forces and yaw moment are those of the speed through the
water, with a current that is estimated from the thrust. At the speed over ground, as printed, the Munk moment turns a
vehicle that is under way against a current, and in one from behind more drag is cancelled the faster the vehicle gets
than the water takes: a limit cycle in surge. Integral action follows neither.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np

from remora.control.allocation.thrusters import HELD_AXES
from remora.control.feedback.feedback_linearisation import FeedbackLinearisation
from remora.control.feedback.flow import CurrentFromThrust, flow_from_thrust
from remora.equations.algebra.four_axes import ZERO4
from remora.equations.algebra.kinematics import to_body
from remora.equations.algebra.vectors import ZERO6, linear, matrix6_at, subtract3
from remora.equations.control.velocity_tracking import inverted_wrench
from remora.equations.types import Matrix6, Quaternion, Twist, Vector2, Vector3, Vector4, Wrench
from remora.files.arrays import Array
from remora.plant.pack import PackedVehicle
from remora.vehicles.parameters import VehicleParameters, net_buoyancy

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
        """Estimate of the current, north and east in m/s, after a step with a wrench of the thrusters.

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
        """Wrench about B in body axes for an acceleration in surge, sway, heave and yaw.

        Parameters
        ----------
        q_NB
            Attitude.
        twist
            At which forces are cancelled, m/s and rad/s in body axes.
        acceleration
            m/s2 and rad/s2.
        current
            North and east, m/s.
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

    Parameters
    ----------
    parameters, packed
        The vehicle.
    valid_speeds
        Largest speeds along each axis for which its parameters are valid, m/s.
    period
        Seconds between steps.
    """
    model = FeedbackLinearisation(packed)
    level = (1.0, 0.0, 0.0, 0.0)
    at_rest = model.wrench(np.array([0.0, 0.0, 0.0, *level, *ZERO6]))

    def resistance(v: Vector3) -> tuple[float, ...]:
        force = model.wrench(np.array([0.0, 0.0, 0.0, *level, *v, 0.0, 0.0, 0.0])) - at_rest
        return tuple(force.tolist())

    flow = flow_from_thrust(resistance, valid_speeds)
    return DynamicInversion(model, CurrentFromThrust(flow, -net_buoyancy(parameters), period, UNDER_WAY_TIME))
