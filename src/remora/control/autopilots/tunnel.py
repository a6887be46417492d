"""Outer controllers of the tunnel mission of Gava et al. 2022: forward speed, centring and orientation, at 20 Hz.

Their wrench is added to that of feedback linearisation, which cancels drag and weight, so that with zero error only the
acceleration feedforward remains. References come from guidance; any object with these fields is accepted.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple, Protocol, final

from remora.control.feedback.attitude import AttitudeGains, attitude_torque
from remora.control.feedback.pid import Pid, PidState
from remora.equations.algebra.vectors import ZERO3, ZERO6, angular
from remora.equations.types import Quaternion, Twist, Vector3, Wrench
from remora.vehicles.parameters import VehicleParameters, total_inertia


class TunnelReferenceLike(Protocol):
    """Reference of the controllers."""

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
    """States of the three PID controllers."""

    surge: PidState
    lateral: PidState
    vertical: PidState


@final
@dataclass(frozen=True)
class TunnelControl:
    """Speed, centring and orientation; the output is a wrench about B in body axes.

    Without an echo the force in that axis is zero and its integral is kept. With an attitude or twist that is not
    finite the wrench is zero and all integrals are kept.
    """

    surge: Pid  # PI on the speed ahead
    lateral: Pid  # PID on half the difference of readings, the distance from the axis, m
    vertical: Pid  # the same
    surge_mass: float  # kg, with added mass; for the acceleration feedforward
    orientation: AttitudeGains | None  # quaternion feedback; None gives no torque
    follows_rate: bool = False  # whether the rate error is relative to the rate of the reference, or to zero

    def initial(self) -> TunnelControlState:
        """Zero integrals."""
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
        """One sample from estimated attitude, twist and offsets.

        `blocked` holds the signs of the missing forces of the allocation in surge, sway and heave (anti-windup).
        """
        if not math.isfinite(sum(q_NB) + sum(twist) + sum(reference.q_NR)):
            return TunnelControlState(*(PidState(part.integral) for part in state)), ZERO6
        feedforward = self.surge_mass * reference.surge_rate
        surge, X = self.surge.step(state.surge, reference.surge, twist[0], feedforward, blocked[0])
        lateral_state, Y = self.lateral.step(state.lateral, 0.5 * reference.lateral, _half(lateral), 0.0, blocked[1])
        vertical_state, Z = self.vertical.step(
            state.vertical, 0.5 * reference.vertical, _half(vertical), 0.0, blocked[2]
        )
        torque = self._torque(q_NB, twist, reference)
        return TunnelControlState(surge, lateral_state, vertical_state), (X, Y, Z, *torque)

    def _torque(self, q_NB: Quaternion, twist: Twist, reference: TunnelReferenceLike) -> Vector3:
        if self.orientation is None:
            return ZERO3
        w_reference = reference.w_NR_R if self.follows_rate else ZERO3
        return attitude_torque(self.orientation, q_NB, reference.q_NR, angular(twist), w_reference)


def _half(offset: float | None) -> float | None:
    return None if offset is None else 0.5 * offset


def simu2vita_control(
    parameters: VehicleParameters,
    period: float = 0.05,
    lateral_derivative: float = 25.0,
    vertical_derivative: float = 35.0,
    orientation: bool = True,
) -> TunnelControl:
    """Controllers with gains that reproduce the simulated mission of Gava et al. 2022; the article prints none.

    Parameters
    ----------
    parameters
        The vehicle.
    period
        Seconds between steps.
    lateral_derivative, vertical_derivative
        Derivative gains of the offsets, N s/m; 15 and 20 are better with noisy echosounders.
    orientation
        Whether torques are included; the real vehicle uses the cascade of its autopilot (`ardusub_cascade`) instead.
    """
    gains = AttitudeGains(attitude=(4.0, 4.0, 6.0), rate=(1.5, 1.5, 2.0))
    return TunnelControl(
        surge=Pid(period, proportional=40.0, integral=10.0),
        lateral=Pid(period, proportional=25.0, integral=1.0, derivative=lateral_derivative),
        vertical=Pid(period, proportional=35.0, integral=1.0, derivative=vertical_derivative),
        surge_mass=total_inertia(parameters)[0][0],
        orientation=gains if orientation else None,
    )
