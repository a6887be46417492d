"""Autopilot of a vehicle steered by fins: depth, heading and speed.

Cascades: depth to sink rate to pitch angle, pitch and heading to turn rates, and PI control of the turn rates to
moments, which `FinMixing` converts into deflections at the present speed. Turn rates are limited because many
torpedo-shaped hulls are unstable on course: they do not recover from a sideslip that the fins cannot balance. A PI
controller holds the speed, with the drag of the model as feedforward.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple, final

import numpy as np

from remora.control.allocation.commands import commands_from_forces
from remora.control.allocation.fin_mixing import FinMixing, fin_mixing
from remora.control.allocation.thrusters import BoundedAllocation, bounded_allocation
from remora.control.feedback.feedback_linearisation import FeedbackLinearisation
from remora.control.feedback.pid import Pid, PidState
from remora.equations.algebra.pose import BODY_SIZE
from remora.equations.algebra.quaternions import to_euler_zyx
from remora.equations.types import Quaternion, Twist
from remora.plant.pack import pack
from remora.vehicles.parameters import VehicleParameters, total_inertia

LEAST_MISSING = 1e-6  # N m; a smaller missing moment is rounding


class FinGains(NamedTuple):
    """Gains and limits; gains of moments and of the force are multiplied by the inertia of their axis."""

    depth: float = 0.15  # 1/s, sink rate per metre
    depth_integral: float = 0.004  # 1/s2
    max_pitch: float = math.radians(20.0)  # rad
    angle: float = 0.5  # 1/s, turn rate per radian of pitch and heading
    rate: float = 2.0  # 1/s
    rate_integral: float = 1.0  # 1/s2
    max_pitch_rate: float = math.radians(5.0)  # rad/s
    max_turn_rate: float = math.radians(4.0)  # rad/s
    roll: float = 1.0  # 1/s2
    roll_rate: float = 1.5  # 1/s
    speed: float = 0.5  # 1/s
    speed_integral: float = 0.05  # 1/s2
    least_speed: float = 0.3  # m/s, below which fins are undeflected


class FinAutopilotState(NamedTuple):
    """States of the controllers, and the signs of the moments missing at the previous step (anti-windup)."""

    depth: PidState
    pitch_rate: PidState
    turn_rate: PidState
    speed: PidState
    blocked: tuple[int, int]  # pitch, yaw


@final
@dataclass(frozen=True, eq=False)
class FinAutopilot:
    """Depth, heading and speed by fins and thrusters; `fin_autopilot` builds it for a vehicle.

    With an estimate that is not finite, forces and deflections are zero and integrals are kept.
    """

    parameters: VehicleParameters
    gains: FinGains
    mixing: FinMixing
    thrust: BoundedAllocation
    drag: FeedbackLinearisation
    inertia: tuple[float, float, float]  # kg m2, of roll, pitch and yaw with added mass
    depth: Pid
    pitch_rate: Pid
    turn_rate: Pid
    speed: Pid

    def initial(self) -> FinAutopilotState:
        """Zero integrals."""
        return FinAutopilotState(PidState(), PidState(), PidState(), PidState(), (0, 0))

    def step(
        self,
        state: FinAutopilotState,
        depth: float,
        q_NB: Quaternion,
        twist: Twist,
        reference: tuple[float, float, float],
    ) -> tuple[FinAutopilotState, list[float]]:
        """Commands of thrusters, then of fins, for a depth in m, a heading in rad and a speed ahead in m/s.

        The estimate is depth of B in m, attitude and twist in body axes; its surge speed is taken as that through the
        water.
        """
        if not math.isfinite(depth + sum(q_NB) + sum(twist) + sum(reference)):
            at_rest = commands_from_forces(self.parameters, [0.0] * len(self.parameters.thrusters))
            return state, [*at_rest, *(0.0 for _ in self.mixing.limits)]
        speed_state, forces = self._thrust(state.speed, twist, reference[2])
        commands = commands_from_forces(self.parameters, forces, twist)
        if twist[0] < self.gains.least_speed:
            rested = FinAutopilotState(state.depth, PidState(), PidState(), speed_state, (0, 0))
            return rested, [*commands, *(0.0 for _ in self.parameters.fins)]
        angles = to_euler_zyx(q_NB)
        depth_state, pitch = self._pitch(state, depth, twist[0], reference[0])
        pitch_state, M = self._moment(self.pitch_rate, state.pitch_rate, pitch - angles[1], twist[4], state.blocked[0])
        turn = math.remainder(reference[1] - angles[2], math.tau)
        turn_state, N = self._moment(self.turn_rate, state.turn_rate, turn, twist[5], state.blocked[1])
        K = -self.inertia[0] * (self.gains.roll * angles[0] + self.gains.roll_rate * twist[3])
        fins, blocked = self._fins((K, M, N), twist[0])
        after = FinAutopilotState(depth_state, pitch_state, turn_state, speed_state, blocked)
        return after, [*commands, *fins]

    def _thrust(self, state: PidState, twist: Twist, desired: float) -> tuple[PidState, list[float]]:
        """Forces of the thrusters for a speed ahead."""
        body = np.zeros(BODY_SIZE)
        body[3], body[7] = 1.0, desired
        drag = float(self.drag.wrench(body)[0])
        state, force = self.speed.step(state, desired, twist[0], feedforward=drag)
        return state, self.thrust.allocate(np.array([force, 0.0, 0.0, 0.0, 0.0, 0.0])).forces.tolist()

    def _pitch(self, state: FinAutopilotState, depth: float, speed: float, desired: float) -> tuple[PidState, float]:
        """Pitch angle for the sink rate that the depth loop demands, with the bow along the path."""
        deepest = math.sin(self.gains.max_pitch) * speed
        after, sink = self.depth.step(state.depth, desired, depth)
        held = abs(sink) > deepest and (sink > 0.0) == (desired > depth)
        kept = PidState(state.depth.integral, after.previous, after.slope) if held else after
        return kept, -math.asin(min(max(sink, -deepest), deepest) / speed)

    def _moment(self, control: Pid, state: PidState, error: float, rate: float, blocked: int) -> tuple[PidState, float]:
        """Moment for an angle error, by a limited turn rate."""
        largest = self.gains.max_pitch_rate if control is self.pitch_rate else self.gains.max_turn_rate
        desired = min(max(self.gains.angle * error, -largest), largest)
        return control.step(state, desired, rate, blocked=blocked)

    def _fins(self, moments: tuple[float, float, float], speed: float) -> tuple[list[float], tuple[int, int]]:
        """Deflections, and the signs of the missing moments in pitch and yaw."""
        fins = self.mixing.fins_from_moments(moments, speed)
        missing = np.array(moments) - self.mixing.moments_from_fins(fins.tolist(), speed)
        pitch, yaw = (0 if abs(m) < LEAST_MISSING else 1 if m > 0.0 else -1 for m in missing[1:].tolist())
        return fins.tolist(), (pitch, yaw)


def fin_autopilot(parameters: VehicleParameters, period: float, gains: FinGains | None = None) -> FinAutopilot:
    """The fin autopilot of a vehicle; the period between steps is in s.

    Raises a ValueError when its fins cannot turn it in pitch and in yaw, or no thruster drives it ahead.
    """
    gains, mixing = gains or FinGains(), fin_mixing(parameters)
    lost = [axis for axis in ("pitch", "yaw") if axis in mixing.uncontrollable]
    if lost:
        raise ValueError(f"its fins cannot turn it in {' and '.join(lost)}")
    if not parameters.thrusters:
        raise ValueError("it has no thruster that drives it ahead")
    thrust = bounded_allocation(parameters, (0,))
    if "surge" in thrust.uncontrollable:
        raise ValueError("it has no thruster that drives it ahead")
    M = total_inertia(parameters)
    inertia = (M[3][3], M[4][4], M[5][5])
    rates = [Pid(period, gains.rate * own, gains.rate_integral * own) for own in inertia[1:]]
    return FinAutopilot(
        parameters,
        gains,
        mixing,
        thrust,
        FeedbackLinearisation(pack(parameters)),
        inertia,
        Pid(period, gains.depth, gains.depth_integral),
        rates[0],
        rates[1],
        Pid(period, gains.speed * M[0][0], gains.speed_integral * M[0][0]),
    )
