"""Dynamic inversion: wrench for accelerations in surge, sway, heave and yaw, by the model of the vehicle.

Proctor 2014, eq. 6.6. Roll and pitch are left to hydrostatics. The model is that of still water: in a current the
cancelled drag is that of the speed over ground, which integral action or adaptation must make up for.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np

from remora.control.allocation.thrusters import HELD_AXES
from remora.control.feedback.feedback_linearisation import FeedbackLinearisation
from remora.equations.algebra.four_axes import ZERO4, Vector4
from remora.equations.algebra.quaternions import Quaternion
from remora.equations.algebra.vectors import ZERO6, Matrix6, Twist, Wrench, matrix6_at
from remora.equations.control.velocity_tracking import inverted_wrench
from remora.files.arrays import Array

_HELD_BLOCK = np.ix_(HELD_AXES, HELD_AXES)


@final
@dataclass(frozen=True, eq=False)
class DynamicInversion:
    """Inverse of the nominal model of a vehicle."""

    model: FeedbackLinearisation

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

    def wrench(self, q_NB: Quaternion, twist: Twist, acceleration: Vector4) -> Wrench:
        """Wrench about B in body axes for an acceleration in surge, sway, heave and yaw, m/s2 and rad/s2."""
        X, Y, Z, K, M, N = self.model.wrench(np.array([0.0, 0.0, 0.0, *q_NB, *twist])).tolist()
        return inverted_wrench(self._inertia_rows(twist[2]), acceleration, (X, Y, Z, K, M, N))

    def acceleration(self, heave: float, wrench: Wrench) -> Vector4:
        """Acceleration in surge, sway, heave and yaw that a wrench adds, with roll and pitch at rest; heave in m/s."""
        if wrench == ZERO6:
            return ZERO4
        reduced = self.inertia(heave)[_HELD_BLOCK]
        u, v, w, r = np.linalg.solve(reduced, np.array([wrench[i] for i in HELD_AXES])).tolist()
        return (u, v, w, r)
