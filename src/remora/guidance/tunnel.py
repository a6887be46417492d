"""Guidance of the tunnel mission of Gava et al. 2022: smooth references from desired values.

The offsets are differences of opposite echosounder readings, port minus starboard and up minus down. In a symmetric
tunnel they are twice the distance of the vehicle to the right of and below the axis.
"""

from dataclasses import dataclass, field
from typing import NamedTuple, final

from remora.equations.types import Quaternion, Vector3
from remora.files.units import SECOND
from remora.guidance.minimum_jerk import AttitudeBlend, AttitudeState, ScalarBlend, ScalarState
from remora.guidance.signals import Sinusoid


class TunnelGoal(NamedTuple):
    """Desired values."""

    surge: float  # m/s
    lateral: float = 0.0  # m, difference of readings port - starboard
    vertical: float = 0.0  # m, difference of readings up - down
    q_NB: Quaternion = (1.0, 0.0, 0.0, 0.0)


class TunnelMeasurements(NamedTuple):
    """Measured values; an offset is None while an echosounder of its pair has no echo."""

    surge: float
    lateral: float | None
    vertical: float | None
    q_NB: Quaternion


class TunnelReference(NamedTuple):
    """Reference of the controllers."""

    surge: float  # m/s
    surge_rate: float  # m/s2
    lateral: float  # m
    lateral_rate: float  # m/s
    vertical: float  # m
    vertical_rate: float  # m/s
    q_NR: Quaternion
    w_NR_R: Vector3  # rad/s


class TunnelGuidanceState(NamedTuple):
    """States of the blends, the start time of guidance, and whether the walls were seen last."""

    start_ns: int | None
    surge: ScalarState
    lateral: ScalarState
    vertical: ScalarState
    attitude: AttitudeState
    sees_sides: bool = True
    sees_heights: bool = True  # above and below


@final
@dataclass(frozen=True)
class TunnelGuidance:
    """Minimum-jerk references from desired and measured values; usually at 20 Hz.

    The blend of an offset starts with its first echo. Until then its reference is the desired value.
    """

    surge: ScalarBlend = field(default=ScalarBlend(duration=10.0))
    offset: ScalarBlend = field(default=ScalarBlend(duration=20.0))
    attitude: AttitudeBlend = field(default=AttitudeBlend(duration=10.0))
    vertical_swing: Sinusoid | None = None

    def initial(self) -> TunnelGuidanceState:
        """Before the first step: every reference starts from the first measured value."""
        surge, offset = self.surge.initial(), self.offset.initial()
        return TunnelGuidanceState(None, surge, offset, offset, self.attitude.initial())

    def step(
        self, state: TunnelGuidanceState, time_ns: int, goal: TunnelGoal, present: TunnelMeasurements
    ) -> tuple[TunnelGuidanceState, TunnelReference]:
        """References at a time."""
        start_ns = time_ns if state.start_ns is None else state.start_ns
        surge, u = self.surge.step(state.surge, time_ns, goal.surge, present.surge)
        attitude, turned = self.attitude.step(state.attitude, time_ns, goal.q_NB, present.q_NB)
        lateral, y, y_rate = self._offset(state.lateral, time_ns, goal.lateral, present.lateral)
        vertical, z, z_rate = self._offset(state.vertical, time_ns, goal.vertical, present.vertical)
        if self.vertical_swing is not None:
            swing, swing_rate = self.vertical_swing.at((time_ns - start_ns) / SECOND)
            z, z_rate = z + swing, z_rate + swing_rate
        sees = present.lateral is not None, present.vertical is not None
        after = TunnelGuidanceState(start_ns, surge, lateral, vertical, attitude, *sees)
        return after, TunnelReference(u.value, u.rate, y, y_rate, z, z_rate, *turned)

    def _offset(
        self, state: ScalarState, time_ns: int, desired: float, present: float | None
    ) -> tuple[ScalarState, float, float]:
        if present is None and state.anchor_ns is None:
            return state, desired, 0.0
        after, motion = self.offset.step(state, time_ns, desired, desired if present is None else present)
        return after, motion.value, motion.rate


def simu2vita_guidance(vertical_swing: Sinusoid | None = None) -> TunnelGuidance:
    """Durations of the tunnel mission: 10 s for the speed, 20 s for the offsets, 10 s for the attitude."""
    return TunnelGuidance(vertical_swing=vertical_swing)
