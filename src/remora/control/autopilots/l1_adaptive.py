"""L1 adaptive velocity control in surge, sway, heave and yaw, with dynamic inversion at the desired velocity."""

import math
from dataclasses import dataclass
from typing import NamedTuple, final

import numpy as np

from remora.control.feedback.dynamic_inversion import DynamicInversion
from remora.control.tuning.sampled_plant import LoopTiming, sampled_plant
from remora.equations.algebra.vectors import ZERO6, subtract6
from remora.equations.control.l1_adaptive import L1Gains, L1State, l1_acceleration, l1_estimated, l1_predicted
from remora.equations.types import Quaternion, Twist, Vector4, Wrench

FOUR_RESTING = (L1State(), L1State(), L1State(), L1State())


class L1ControlState(NamedTuple):
    """State of the controller."""

    axes: tuple[L1State, ...] = FOUR_RESTING
    is_started: bool = False  # whether the predictors run
    is_safe: bool | None = None  # None before the first sample
    wrench: Wrench = ZERO6  # of the previous step, N and N m
    current: tuple[float, float] = (0.0, 0.0)  # m/s, north and east, estimated from the thrust


@final
@dataclass(frozen=True, eq=False)
class L1AdaptiveControl:
    """Wrench that follows body velocities and compensates what the model lacks, within the bandwidth of a filter.

    With an estimate or reference that is not finite the wrench is zero; the compensation is kept and the predictors
    start again from the measured velocity.
    """

    inversion: DynamicInversion
    gains: tuple[L1Gains, ...]  # of each axis
    period: float = 0.05  # s

    def initial(self) -> L1ControlState:
        """No compensation."""
        return L1ControlState()

    def safe(self, state: L1ControlState) -> L1ControlState:
        """State after a safe output."""
        return L1ControlState(state.axes, is_safe=True, current=state.current)

    def step(
        self, state: L1ControlState, q_NB: Quaternion, twist: Twist, desired: Vector4, missing: Wrench = ZERO6
    ) -> tuple[L1ControlState, Wrench]:
        """One sample; parameters as in `VelocityTracking`."""
        if not math.isfinite(sum(q_NB) + sum(twist) + sum(desired)):
            return self.safe(state), ZERO6
        velocity = (twist[0], twist[1], twist[2], twist[5])
        lost = self.inversion.acceleration(twist[2], missing)
        axes, asked = [], []
        for gains, before, v, want, less in zip(self.gains, state.axes, velocity, desired, lost, strict=True):
            known = before if state.is_started else before._replace(predicted=v, applied=0.0)
            known = l1_estimated(gains, known, v, self.period)
            command = l1_acceleration(gains, known, v, want)
            axes.append(l1_predicted(gains, known, v, command - less, self.period))
            asked.append(command)
        # Drag at the measured speed over ground would be positive feedback in a current.
        planned = (desired[0], desired[1], desired[2], twist[3], twist[4], desired[3])
        current = self.inversion.current(state.current, q_NB, twist, subtract6(state.wrench, missing))
        wrench = self.inversion.wrench(q_NB, planned, (asked[0], asked[1], asked[2], asked[3]), current)
        return L1ControlState(tuple(axes), True, False, wrench, current), wrench


def l1_radius(gains: L1Gains, period: float) -> float:
    """Spectral radius of the sampled velocity loop of one axis per sample; unstable from 1 on."""
    plant = sampled_plant(np.zeros((1, 1)), np.ones((1, 1)), LoopTiming(period, gains.lag))
    count = plant.A.shape[0]
    columns = []
    for unit in np.eye(count + 3):  # the loop is linear: its columns are the answers to unit states
        body, known = unit[:count], L1State(*unit[count:].tolist())
        velocity = float(body[0])
        known = l1_estimated(gains, known, velocity, period)
        command = l1_acceleration(gains, known, velocity, 0.0)
        after = l1_predicted(gains, known, velocity, command, period)
        columns.append([*(plant.A @ body + plant.B[:, 0] * command), *after])
    return float(np.abs(np.linalg.eigvals(np.array(columns).T)).max())
