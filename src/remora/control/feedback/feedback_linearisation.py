"""Feedback linearisation: cancels hydrodynamic and gravity forces, so that outer controllers see plain inertia.

Gava et al. 2022: tau_s = C(nu) nu + C_a(nu) nu + D(nu) nu + g(eta), from the equations of the vehicle. With tau_s
added, a wrench tau gives M nu' = tau.
"""

import math
from dataclasses import dataclass, field
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from remora.equations.actuators.moving_mass_dynamics import with_moving_masses
from remora.equations.algebra.kinematics import down_in_body
from remora.equations.algebra.pose import BODY_SIZE, TWIST
from remora.equations.algebra.vectors import matrix6_at
from remora.equations.hull.inertia import HeaveAsymmetry, heave_mass_change
from remora.equations.motion import Hull, hull_wrench
from remora.equations.packed import heave_asymmetry_at, outputs_count
from remora.equations.types import Quaternion, Twist, Wrench
from remora.files.arrays import Array
from remora.plant.closed_loop import LinearisingLaw
from remora.plant.compilation import kernels_for
from remora.plant.forms.user_forms import codes_of
from remora.plant.pack import PackedVehicle, resting_outputs


def linearising_wrench(hull: Hull, q_NB: Quaternion, twist: Twist) -> Wrench:
    """Wrench tau_s that cancels Coriolis forces, damping, weight and buoyancy of a hull in still water."""
    w = hull_wrench(hull, twist, down_in_body(q_NB))
    return (-w[0], -w[1], -w[2], -w[3], -w[4], -w[5])


@final
@dataclass(frozen=True, eq=False)
class FeedbackLinearisation:
    """Linearising wrench of a whole vehicle, with lift, strips and two heave masses, from compiled equations.

    The compiled plant gives the acceleration with thrusters off, nu'_free; the wrench is -M nu'_free. For a hull alone
    this equals `linearising_wrench` to rounding. Fins are undeflected. An estimate that is not finite gives a zero
    wrench.
    """

    packed: PackedVehicle
    _minus_inertia: Array = field(init=False, repr=False, compare=False)
    _codes: NDArray[np.int64] = field(init=False, repr=False, compare=False)
    _state: Array = field(init=False, repr=False, compare=False)
    _inputs: Array = field(init=False, repr=False, compare=False)
    _outputs: Array = field(init=False, repr=False, compare=False)
    _rate: Array = field(init=False, repr=False, compare=False)
    _kernel: Any = field(init=False, repr=False, compare=False)
    _asymmetry: HeaveAsymmetry = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        packed, still = self.packed, resting_outputs(self.packed)
        state = np.concatenate([np.zeros(BODY_SIZE), still, np.zeros(packed.actuator_states - packed.actuators)])
        hull = matrix6_at(packed.row, 0)
        prepared = {
            "_minus_inertia": -np.array(with_moving_masses(packed.row, packed.layout, still, hull)),
            "_codes": codes_of(packed.layout),
            "_state": state,
            "_inputs": np.concatenate([np.zeros(6), still, np.zeros(3)]),
            "_outputs": np.zeros(outputs_count(packed.layout)),
            "_rate": np.zeros(state.size),
            "_kernel": kernels_for(packed.layout).rate,
            "_asymmetry": heave_asymmetry_at(packed.row.tolist()),
        }
        for name, value in prepared.items():
            object.__setattr__(self, name, value)  # constants and work space, set once

    def __reduce__(self) -> tuple[type["FeedbackLinearisation"], tuple[PackedVehicle]]:
        """Copied and pickled as its vehicle; compiled code is looked up again."""
        return FeedbackLinearisation, (self.packed,)

    @property
    def inertia(self) -> Array:
        """Inertia with added mass and resting moving masses about B, 6 x 6; without the heave asymmetry."""
        return -self._minus_inertia

    def heave_mass_change(self, heave: float) -> float:
        """Inertia in heave beyond the mean at a heave velocity in m/s, kg; zero with one heave mass."""
        return heave_mass_change(self._asymmetry, heave) if self.packed.layout.asymmetric_heave else 0.0

    def compiled_law(self, acts: Wrench, inverse: Array) -> LinearisingLaw | None:
        """The law with an allocation, for compiled loops; None with two heave masses.

        `acts` is one for each linearised degree of freedom, else zero; `inverse` gives forces of the thrusters from a
        wrench, n x 6.
        """
        if self.packed.layout.asymmetric_heave:
            return None
        free = (self._state, self._inputs, self._outputs.size)
        return LinearisingLaw(self._minus_inertia, np.array(acts), inverse, *free, self.packed.row)

    def initial(self) -> None:
        """No state."""

    def step(self, state: None, body: Array) -> tuple[None, Array]:
        """One sample; see `wrench`."""
        return state, self.wrench(body)

    def wrench(self, body: Array) -> Array:
        """Wrench about B in body axes for position, q_NB and twist, thirteen numbers; further ones are ignored."""
        self._state[:BODY_SIZE] = body[:BODY_SIZE]
        self._kernel(self.packed.row, self._codes, self._state, self._inputs, self._outputs, self._rate)
        wrench: Array = self._minus_inertia.dot(self._rate[TWIST])  # quicker than @ for so few numbers
        if self.packed.layout.asymmetric_heave:
            wrench[2] -= self.heave_mass_change(float(body[9])) * self._rate[9]
        if math.isfinite(wrench.dot(wrench)):
            return wrench
        return np.zeros(6)
