"""The outer controllers of the tunnel mission of Gava et al. 2022: forward speed, centring and orientation, at 20 Hz.

Their wrench adds to that of the linearisation, which cancels drag and weight, so that with zero error nothing but the
acceleration feedforward remains. The references come from guidance; any object with these fields will do.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple, Protocol, final

from remora.control.feedback.attitude import AttitudeGains, attitude_torque
from remora.control.feedback.pid import Pid, PidState
from remora.equations.algebra.quaternions import Quaternion
from remora.equations.algebra.vectors import ZERO3, ZERO6, Twist, Vector3, Wrench, angular
from remora.vehicles.parameters import VehicleParameters, total_inertia


class TunnelReferenceLike(Protocol):
    """What the controllers follow."""

    @property
    def surge(self) -> float:
        """Speed ahead, m/s."""

    @property
    def surge_rate(self) -> float:
        """Its rate, m/s2."""

    @property
    def lateral(self) -> float:
        """Difference of readings port - starboard, m."""

    @property
    def vertical(self) -> float:
        """Difference of readings up - down, m."""

    @property
    def q_NR(self) -> Quaternion:
        """Attitude."""

    @property
    def w_NR_R(self) -> Vector3:
        """Its angular velocity in its own axes, rad/s."""


class TunnelControlState(NamedTuple):
    """What the three controllers with memory remember."""

    surge: PidState
    lateral: PidState
    vertical: PidState


@final
@dataclass(frozen=True)
class TunnelControl:
    """Speed, centring and orientation as one sampled part; its output is a wrench about B in body axes.

    An offset without an echo gives no force in its axis and leaves its integral alone. The safe output for an attitude
    or twist that is no finite number is no wrench at all, with all integrals left alone.

    Parameters
    ----------
    surge
        PI on the speed ahead.
    lateral, vertical
        PID on half the differences of readings, which are metres from the middle.
    surge_mass
        kg, body and water: what an acceleration ahead is multiplied with.
    orientation
        Gains of the quaternion law; None leaves the torques to others.
    follows_rate
        Whether the quaternion law damps the rate against that of the reference, or against rest.
    """

    surge: Pid
    lateral: Pid
    vertical: Pid
    surge_mass: float
    orientation: AttitudeGains | None
    follows_rate: bool = False

    def initial(self) -> TunnelControlState:
        """Nothing summed yet."""
        return TunnelControlState(self.surge.initial(), self.lateral.initial(), self.vertical.initial())

    def step(
        self,
        state: TunnelControlState,
        q_NB: Quaternion,
        twist: Twist,
        lateral: float | None,
        vertical: float | None,
        reference: TunnelReferenceLike,
        blocked: tuple[int, int, int] = (0, 0, 0),
    ) -> tuple[TunnelControlState, Wrench]:
        """One sample: attitude, twist and offsets as estimated; blocked says which forces cannot grow, and which way.

        The signs of what an allocation could not make are what `blocked` wants: surge, sway, heave.
        """
        if not math.isfinite(sum(q_NB) + sum(twist) + sum(reference.q_NR)):
            return TunnelControlState(*(PidState(part.integral) for part in state)), ZERO6
        push = self.surge_mass * reference.surge_rate
        surge, X = self.surge.step(state.surge, reference.surge, twist[0], push, blocked[0])
        sideways, Y = self.lateral.step(state.lateral, 0.5 * reference.lateral, _half(lateral), 0.0, blocked[1])
        upright, Z = self.vertical.step(state.vertical, 0.5 * reference.vertical, _half(vertical), 0.0, blocked[2])
        torque = self._torque(q_NB, twist, reference)
        return TunnelControlState(surge, sideways, upright), (X, Y, Z, *torque)

    def _torque(self, q_NB: Quaternion, twist: Twist, reference: TunnelReferenceLike) -> Vector3:
        if self.orientation is None:
            return ZERO3
        wanted = reference.w_NR_R if self.follows_rate else ZERO3
        return attitude_torque(self.orientation, q_NB, reference.q_NR, angular(twist), wanted)


def _half(offset: float | None) -> float | None:
    return None if offset is None else 0.5 * offset


def simu2vita_control(
    parameters: VehicleParameters,
    period: float = 0.05,
    lateral_derivative: float = 25.0,
    vertical_derivative: float = 35.0,
    orientation: bool = True,
) -> TunnelControl:
    """The gains with which the simulated mission of Gava et al. 2022 is reproduced; the article prints none.

    With noisy echosounders derivative gains of 15 and 20 are better; on the real vehicle the orientation is the
    business of a cascade in its autopilot (`ardusub_cascade`).
    """
    gains = AttitudeGains(attitude=(4.0, 4.0, 6.0), rate=(1.5, 1.5, 2.0))
    return TunnelControl(
        surge=Pid(period, proportional=40.0, integral=10.0),
        lateral=Pid(period, proportional=25.0, integral=1.0, derivative=lateral_derivative),
        vertical=Pid(period, proportional=35.0, integral=1.0, derivative=vertical_derivative),
        surge_mass=total_inertia(parameters)[0][0],
        orientation=gains if orientation else None,
    )
