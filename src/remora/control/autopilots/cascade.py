"""Cascaded attitude control of an autopilot: angle P loop, rate PID loop, one per body axis, at 400 Hz.

The real vehicle of Gava et al. 2022 held its attitude this way, without quaternion feedback and feedback
linearisation.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, final

import numpy as np

from remora.control.feedback.pid import Pid, PidState
from remora.equations.algebra.vectors import ZERO3
from remora.equations.control.cascades import (
    AxisGains,
    AxisMemory,
    PidMemory,
    cascade_torque,
    rotation_to_reference,
)
from remora.equations.types import Quaternion, Twist, Vector3
from remora.vehicles.checks.actuation import allocation_matrix, thrust_limits
from remora.vehicles.parameters import VehicleParameters, total_inertia

# Public defaults of ArduSub for the BlueROV2 Heavy: outputs are fractions of full thrust.
ANGLE_GAIN = 6.0  # 1/s
RATE_GAINS = ((0.135, 0.090, 0.0036), (0.135, 0.090, 0.0036), (0.18, 0.018, 0.0))  # P, I, D of roll, pitch, yaw
DERIVATIVE_FILTER, YAW_ERROR_FILTER = 30.0, 5.0  # Hz
LARGEST_RATE = math.radians(60.0)
# With a thruster time constant T the rate loop must not cross over above 1 / T, the angle loop not above a quarter.
ANGLE_SHARE = 0.25


class CascadeAxis(NamedTuple):
    """Angle and rate controller of one body axis."""

    angle_gain: float  # 1/s
    largest_rate: float  # rad/s
    rate: Pid  # N m from rad/s
    error_filter_time: float  # s, of the rate error; 0 for none

    @property
    def gains(self) -> AxisGains:
        """The same numbers for `cascade_torque`."""
        return AxisGains(self.angle_gain, self.largest_rate, self.error_filter_time, self.rate.gains)


class AxisState(NamedTuple):
    """State of one axis."""

    rate: PidState
    error: float | None  # filtered rate error, rad/s


class CascadeState(NamedTuple):
    """State of the three axes."""

    roll: AxisState
    pitch: AxisState
    yaw: AxisState


@final
@dataclass(frozen=True)
class CascadeControl:
    """Cascades of roll, pitch and yaw; the output is a torque in body axes, N m.

    With an attitude or turn rate that is not finite the torque is zero and all integrals are kept. The velocity is not
    used.
    """

    roll: CascadeAxis
    pitch: CascadeAxis
    yaw: CascadeAxis

    @property
    def gains(self) -> tuple[AxisGains, AxisGains, AxisGains]:
        """Gains of the three axes."""
        return (self.roll.gains, self.pitch.gains, self.yaw.gains)

    def initial(self) -> CascadeState:
        """Zero integrals."""
        axis = AxisState(PidState(), None)
        return CascadeState(axis, axis, axis)

    @staticmethod
    def continued(axes: Sequence[AxisMemory]) -> CascadeState:
        """The state of three axes after compiled steps."""
        return CascadeState(*(AxisState(PidState(*axis.rate), axis.error) for axis in axes))

    def step(
        self, state: CascadeState, q_NB: Quaternion, twist: Twist, q_NR: Quaternion
    ) -> tuple[CascadeState, Vector3]:
        """One sample: estimated attitude and twist, and reference attitude."""
        if not math.isfinite(sum(q_NB) + sum(twist[3:]) + sum(q_NR)):
            return CascadeState(*(AxisState(PidState(axis.rate.integral), None) for axis in state)), ZERO3
        angles = rotation_to_reference(q_NB, q_NR)
        roll, K = _axis_step(self.roll, state.roll, angles[0], twist[3])
        pitch, M = _axis_step(self.pitch, state.pitch, angles[1], twist[4])
        yaw, N = _axis_step(self.yaw, state.yaw, angles[2], twist[5])
        return CascadeState(roll, pitch, yaw), (K, M, N)


def _axis_step(axis: CascadeAxis, state: AxisState, angle: float, rate: float) -> tuple[AxisState, float]:
    gains = axis.gains
    if state.error is None or state.rate.previous is None:  # the first sample, or one after a gap, has no memory
        gains = gains._replace(error_filter_time=0.0, rate=gains.rate._replace(derivative=0.0))
    memory = AxisMemory(
        state.error or 0.0, PidMemory(state.rate.integral, state.rate.previous or 0.0, state.rate.slope)
    )
    (error, after), torque = cascade_torque(gains, memory, angle, rate)
    return AxisState(PidState(*after), error), torque


def ardusub_cascade(parameters: VehicleParameters, period: float = 0.0025) -> CascadeControl:
    """A cascade with the public default gains of ArduSub, scaled to the torques of a vehicle.

    An output of one is the torque at full thrust, or less where the thrusters are slow: the rate loop must not cross
    over above the inverse of their time constant. The angle gain is limited for the same reason.

    Raises a ValueError when the thrusters have neither limits nor a lag that the gains could be scaled to.
    """
    limits, levers = thrust_limits(parameters), np.abs(allocation_matrix(parameters)[3:])
    largest = np.broadcast_to(np.abs(limits).min(axis=1, initial=math.inf), levers.shape)
    full = np.where(levers > 0.0, levers, 1.0) * np.where(levers > 0.0, largest, 0.0)  # no lever, no torque
    full = full.sum(axis=1)
    lag = max((thruster.rise_time for thruster in parameters.thrusters), default=0.0)
    axes = []
    for i, (p, integral, d) in enumerate(RATE_GAINS):
        unit = float(full[i])
        if lag > 0.0:
            unit = min(unit, total_inertia(parameters)[3 + i][3 + i] / (lag * p))
        if not math.isfinite(unit):
            raise ValueError("the thrusters have neither limits nor a lag that the gains could be scaled to")
        rate = Pid(
            period,
            proportional=unit * p,
            integral=unit * integral,
            derivative=unit * d,
            lowest=-float(full[i]) or -math.inf,
            highest=float(full[i]) or math.inf,
            filter_time=1.0 / (2.0 * math.pi * DERIVATIVE_FILTER),
        )
        gain = min(ANGLE_GAIN, ANGLE_SHARE / lag) if lag > 0.0 else ANGLE_GAIN
        smoothing = 1.0 / (2.0 * math.pi * YAW_ERROR_FILTER) if i == 2 else 0.0
        axes.append(CascadeAxis(gain, LARGEST_RATE, rate, smoothing))
    return CascadeControl(*axes)
