"""Dynamic inversion: wrench for accelerations in surge, sway, heave and yaw, by the model of the vehicle.

Proctor 2014, eq. 6.6. Roll and pitch are left to hydrostatics. The model is that of still water: in a current the
cancelled drag is that of the speed over ground, which integral action or adaptation must make up for.
"""

from dataclasses import dataclass
from typing import final

import numpy as np

from remora.control.allocation.thrusters import HELD_AXES
from remora.control.feedback.feedback_linearisation import FeedbackLinearisation
from remora.equations.algebra.four_axes import ZERO4, Vector4
from remora.equations.algebra.quaternions import Quaternion
from remora.equations.algebra.vectors import ZERO6, Twist, Wrench, matrix6_at
from remora.equations.control.velocity_tracking import inverted_wrench
from remora.equations.hull.heave import heave_mass_change
from remora.equations.packed import heave_asymmetry_at
from remora.files.arrays import Array


@final
@dataclass(frozen=True, eq=False)
class DynamicInversion:
    """Inverse of the nominal model of a vehicle."""

    model: FeedbackLinearisation

    def inertia(self, heave: float) -> Array:
        """Inertia with added mass at a heave velocity in m/s, 6 x 6."""
        inertia = self.model.inertia
        if self.model.packed.layout.asymmetric_heave:
            inertia[2, 2] += heave_mass_change(heave_asymmetry_at(self.model.packed.row), heave)
        return inertia

    def wrench(self, q_NB: Quaternion, twist: Twist, acceleration: Vector4) -> Wrench:
        """Wrench about B in body axes.

        Parameters
        ----------
        q_NB
            Attitude.
        twist
            m/s and rad/s, in body axes.
        acceleration
            Desired acceleration in surge, sway, heave and yaw, m/s2 and rad/s2.
        """
        X, Y, Z, K, M, N = self.model.wrench(np.array([0.0, 0.0, 0.0, *q_NB, *twist])).tolist()
        inertia = self.inertia(twist[2]).ravel().tolist()  # plain numbers are quicker than those of NumPy
        return inverted_wrench(matrix6_at(inertia, 0), acceleration, (X, Y, Z, K, M, N))

    def acceleration(self, heave: float, wrench: Wrench) -> Vector4:
        """Acceleration in surge, sway, heave and yaw that a wrench adds, with roll and pitch at rest.

        Parameters
        ----------
        heave
            Heave velocity, m/s.
        wrench
            About B in body axes, N and N m.
        """
        if wrench == ZERO6:
            return ZERO4
        held = list(HELD_AXES)
        reduced = self.inertia(heave)[np.ix_(held, held)]
        u, v, w, r = np.linalg.solve(reduced, np.array(wrench)[held]).tolist()
        return (u, v, w, r)
