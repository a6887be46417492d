"""Part `depth_hold`: depth and heading hold, stabilised and manual force, from attitude, turn rates and depth alone.

The sink rate and the vertical force that the model lacks (net buoyancy, drag, a tether) are estimated from depth and
thrust by a Luenberger observer. The depth loop is P on the depth and P on the estimated sink rate, less the estimated
force, so that it has no integral that could wind up. Yaw, and roll and pitch where the thrusters control them, are P on
the angle and PI on the measured turn rate.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, final

from remora.control.autopilots.position import LEAST_MISSING
from remora.control.feedback.attitude import slowest_rise_time, tilt_error, turn_to_heading
from remora.control.parts.safe_output import LARGEST_AGE, Age, SafePart, age_of, check_held_axes
from remora.equations.algebra.kinematics import position_rate
from remora.equations.algebra.quaternions import to_euler_zyx
from remora.equations.algebra.vectors import ZERO3, ZERO6
from remora.equations.types import Quaternion, Vector3, Wrench
from remora.messages.estimate import ATTITUDE, RATES, Estimate
from remora.messages.part import PartInput, PartReport, Role
from remora.messages.part_options import PartKind, PartOptions, VehicleContext
from remora.messages.reference import STABILISED, StabilisedReference
from remora.vehicles.checks.actuation import levelled_axes
from remora.vehicles.parameters import VehicleParameters, net_buoyancy, total_inertia

SINK_GAIN, TURN_GAIN = 1.5, 4.0  # 1/s, of the inner loops, with quick thrusters
SINK_SHARE, TURN_SHARE = 0.3, 0.8  # largest gains times the lag of thrusters and sampling
OUTER_SHARE = 1.0 / 3.0  # of the gain of an outer loop in that of its inner one
INTEGRAL_SHARE = 0.5  # of the integral gain in that of the outer loop
OBSERVER_SHARE = 1.5  # of the poles of the observer in the gain on the sink rate
LARGEST_SINK_RATE, LARGEST_TURN_RATE = 0.3, 0.6  # m/s and rad/s, that an error asks for
LARGEST_INTEGRAL = 2.0  # rad/s
LEAST_UPRIGHT = 0.5  # cosine of the tilt up to which the heave force is raised for it
ANGLES = (3, 4, 5)  # roll, pitch and yaw


class SinkEstimate(NamedTuple):
    """Estimate of the depth observer."""

    depth: float  # m
    rate: float  # m/s, down
    pull: float  # N, down: all forces but thrust


class StabilisationState(NamedTuple):
    """State of the controller."""

    sink: SinkEstimate | None = None  # None before the first depth
    thrust: float = 0.0  # N, down, behind the lag of the thrusters
    asked: Wrench = ZERO6  # of the previous step
    integrals: Vector3 = ZERO3  # rad/s, in roll, pitch and yaw
    turn: float = 0.0  # rad, of the previous step
    is_safe: bool | None = None  # whether the last output was the safe one; None before the first sample
    has_depth: bool = True  # whether the depth was known where it is to be held


@final
@dataclass(frozen=True)
class Stabilisation:
    """Controller; `stabilisation` builds it for a vehicle."""

    mass: float  # kg, in heave, with added mass
    net_weight: float  # N, weight minus buoyancy: the pull before any is observed
    inertias: Vector3  # kg m2, in roll, pitch and yaw
    axes: tuple[int, ...]  # of ANGLES that are held
    period: float  # s
    lag: float  # s, of the thrusters
    sink_gain: float  # 1/s
    turn_gain: float  # 1/s

    def initial(self) -> StabilisationState:
        """Before the first step."""
        return StabilisationState()

    def safe(self, state: StabilisationState) -> StabilisationState:
        """State after a safe output: what was learnt is kept, the depth observer starts again."""
        return StabilisationState(integrals=state.integrals, is_safe=True, has_depth=state.has_depth)

    def step(
        self,
        state: StabilisationState,
        depth: float,
        q_NB: Quaternion,
        turn_rate: Vector3,
        reference: StabilisedReference,
        missing: Wrench = ZERO6,
    ) -> tuple[StabilisationState, Wrench]:
        """One sample; the depth may be unknown, NaN, and is not held then.

        `missing` is the part of the wrench before that the allocation could not produce.
        """
        sink, thrust = self._observed(state, depth, q_NB, missing)
        turn, integrals, torques = self._turned(state, q_NB, turn_rate, reference, missing)
        X, Y, Z, N = reference.force
        holds_depth = math.isfinite(reference.depth)
        if holds_depth and sink is not None:
            Z += self._heave(sink, q_NB, reference)
        wrench: Wrench = (X, Y, Z, torques[0], torques[1], torques[2] + N)
        knows = sink is not None or not holds_depth
        return StabilisationState(sink, thrust, wrench, integrals, turn, False, knows), wrench

    def _observed(
        self, state: StabilisationState, depth: float, q_NB: Quaternion, missing: Wrench
    ) -> tuple[SinkEstimate | None, float]:
        """The estimates of the observer, and the vertical thrust behind the lag."""
        applied = [asked - lost for asked, lost in zip(state.asked[:3], missing[:3], strict=True)]
        asked = position_rate(q_NB, (applied[0], applied[1], applied[2]))[2]
        share = 1.0 if self.lag <= 0.0 else 1.0 - math.exp(-self.period / self.lag)
        thrust = state.thrust + share * (asked - state.thrust)
        if not math.isfinite(depth):
            return None, thrust
        if state.sink is None:
            return SinkEstimate(depth, 0.0, self.net_weight), thrust
        z, w, pull = state.sink
        pole, step = OBSERVER_SHARE * self.sink_gain, self.period
        rate = w + step * (thrust + pull) / self.mass
        wrong = depth - (z + step * w)
        return SinkEstimate(
            depth - wrong + 3.0 * pole * step * wrong,
            rate + 3.0 * pole * pole * step * wrong,
            pull + self.mass * pole**3 * step * wrong,
        ), thrust

    def _heave(self, sink: SinkEstimate, q_NB: Quaternion, reference: StabilisedReference) -> float:
        """Heave force that brings the vehicle to the depth, N, with the vertical part of the other forces."""
        push = OUTER_SHARE * self.sink_gain * (reference.depth - sink.depth)
        asked = reference.sink_rate + min(max(push, -LARGEST_SINK_RATE), LARGEST_SINK_RATE)
        down = self.mass * self.sink_gain * (asked - sink.rate) - sink.pull
        upright = position_rate(q_NB, (0.0, 0.0, 1.0))[2]
        others = position_rate(q_NB, (reference.force[0], reference.force[1], 0.0))[2]
        return (down - others) / max(upright, LEAST_UPRIGHT)

    def _turned(
        self,
        state: StabilisationState,
        q_NB: Quaternion,
        turn_rate: Vector3,
        reference: StabilisedReference,
        missing: Wrench,
    ) -> tuple[float, Vector3, Vector3]:
        """The turn to the heading, the integrals, and the torques about the body axes."""
        turn, steers = 0.0, (reference.levels, reference.levels, reference.levels and reference.force[3] == 0.0)
        if math.isfinite(reference.heading):
            turn = turn_to_heading(to_euler_zyx(q_NB)[2], reference.heading, state.turn)
        outer, integrals, torques = OUTER_SHARE * self.turn_gain, [0.0] * 3, [0.0] * 3
        errors, ahead = (*tilt_error(q_NB), turn), (0.0, 0.0, reference.heading_rate)
        for i, axis in enumerate(ANGLES):
            integrals[i] = state.integrals[i]
            if axis not in self.axes or not steers[i]:
                continue
            asked = ahead[i] + min(max(outer * errors[i], -LARGEST_TURN_RATE), LARGEST_TURN_RATE)
            wrong = asked - turn_rate[i]
            growth = self.period * INTEGRAL_SHARE * outer * wrong
            if growth * missing[axis] <= 0.0 or abs(missing[axis]) <= LEAST_MISSING:  # anti-windup
                integrals[i] = min(max(integrals[i] + growth, -LARGEST_INTEGRAL), LARGEST_INTEGRAL)
            torques[i] = self.inertias[i] * self.turn_gain * (wrong + integrals[i])
        return turn, _three(integrals), _three(torques)


def _three(values: Sequence[float]) -> Vector3:
    return (values[0], values[1], values[2])


def stabilisation(parameters: VehicleParameters, period: float, locked: Sequence[str] = ()) -> Stabilisation:
    """The controller of a vehicle, with gains below the lag of its thrusters; period in s."""
    M, lag = total_inertia(parameters), slowest_rise_time(parameters)
    late = lag + 0.5 * period
    return Stabilisation(
        mass=M[2][2],
        net_weight=-net_buoyancy(parameters),
        inertias=(M[3][3], M[4][4], M[5][5]),
        axes=(*levelled_axes(parameters, locked), 5),
        period=period,
        lag=lag,
        sink_gain=min(SINK_GAIN, SINK_SHARE / late),
        turn_gain=min(TURN_GAIN, TURN_SHARE / late),
    )


class DepthHoldOptions(PartOptions):
    """Gains follow from the inertia of the vehicle and the lag of its thrusters."""

    max_age: Age | None = None


@final
@dataclass(frozen=True)
class DepthHold(SafePart):
    """Wrench that holds depth and attitude, plus the forces of the reference.

    Without a depth the heave force is that of the reference, and the attitude is held; without attitude or turn rates
    the wrench is zero.
    """

    control: Stabilisation
    max_age: float = LARGEST_AGE  # s, of the estimate
    needs = (ATTITUDE, RATES)

    def wanted(self, reference: Any) -> tuple[float, ...]:
        """Forces and rates; a depth or heading that is not held is not a number."""
        sink_rate = reference.sink_rate if math.isfinite(reference.depth) else 0.0
        return (*reference.force, sink_rate, reference.heading_rate)

    def controlled(
        self, state: StabilisationState, estimate: Estimate, now: PartInput
    ) -> tuple[StabilisationState, Wrench]:
        """The wrench of the law."""
        twist = estimate.twist
        turn_rate = (twist[3], twist[4], twist[5])
        return self.control.step(state, estimate.p_NB[2], estimate.q_NB, turn_rate, now.reference, now.missing)

    def reports(self, before: StabilisationState, after: StabilisationState) -> Iterator[PartReport]:
        """Beginning and end of the safe output, and of an unknown depth."""
        yield from super().reports(before, after)
        if before.has_depth and not after.has_depth:
            text = "the depth is unknown: the heave force is zero, attitude and heading are held"
            yield PartReport("warning", text, {"holds_depth": False})
        elif after.has_depth and not before.has_depth:
            yield PartReport("info", "the depth is known again and held", {"holds_depth": True})


def make_depth_hold(options: DepthHoldOptions, onboard: VehicleContext) -> DepthHold:
    """The controller of a vehicle; PartError where its thrusters cannot control it."""
    check_held_axes(onboard, "holds depth and heading", ("heave", "yaw"))
    control = stabilisation(onboard.vehicle.parameters, onboard.period, onboard.plant.locked)
    return DepthHold(control, age_of(options.max_age))


DEPTH_HOLD = PartKind("depth_hold", Role.CONTROL, DepthHoldOptions, make_depth_hold, takes=(STABILISED,))
