"""L1 adaptive velocity control in surge, sway, heave and yaw, with dynamic inversion at the desired velocity."""

import math
from dataclasses import dataclass
from typing import Any, NamedTuple, final

import numpy as np

from remora.control.allocation.thrusters import HELD_AXES
from remora.control.autopilots.velocity_tracking import FALCON_GAINS, LAG_SHARE
from remora.control.feedback.attitude import Levelling
from remora.control.feedback.dynamic_inversion import DynamicInversion
from remora.control.parts.controllers import FourNumbers, check_valid_speeds
from remora.control.parts.safe_output import LARGEST_AGE, Age, SafePart, age_of, check_held_axes
from remora.control.parts.velocity_controllers import inversion_of, levelling_of
from remora.control.tuning.sampled_plant import LoopTiming, sampled_plant, thruster_lag
from remora.equations.algebra.vectors import ZERO6, subtract6
from remora.equations.control.l1_adaptive import L1Gains, L1State, l1_acceleration, l1_estimated, l1_predicted
from remora.equations.types import Quaternion, Twist, Vector4, Wrench
from remora.messages.estimate import Estimate
from remora.messages.part import PartInput, Role
from remora.messages.part_options import PartError, PartKind, PartOptions, VehicleContext
from remora.messages.reference import VELOCITY
from remora.vehicles.names import FOUR_AXES

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


LARGEST_RADIUS = 0.9999  # per sample
FILTER_SHARE = 0.5  # bandwidth of the compensation over the gain, unless given


class L1Options(PartOptions):
    """Gains for surge, sway, heave and yaw."""

    model_gains: FourNumbers | None = None
    filter_bandwidths: FourNumbers | None = None
    max_age: Age | None = None


@final
@dataclass(frozen=True, eq=False)
class L1Part(SafePart):
    """Wrench that follows body velocities; zero while estimate or reference is unknown or old."""

    control: L1AdaptiveControl
    levelling: Levelling
    max_age: float = LARGEST_AGE  # s, of the estimate

    def wanted(self, reference: Any) -> tuple[float, ...]:
        """Velocity."""
        return tuple(reference.velocity)

    def controlled(self, state: L1ControlState, estimate: Estimate, now: PartInput) -> tuple[L1ControlState, Wrench]:
        """The wrench of the law, with levelling."""
        q, twist = estimate.q_NB, estimate.twist
        after, wrench = self.control.step(state, q, twist, now.reference.velocity, now.missing)
        return after, self.levelling.added_to(wrench, q, twist)


def make_l1(options: L1Options, onboard: VehicleContext) -> L1Part:
    """L1 adaptive control of a vehicle."""
    parameters, period = onboard.vehicle.parameters, onboard.period
    check_held_axes(onboard, "follows velocities")
    check_valid_speeds(onboard)
    lags = [thruster_lag(parameters, axis) for axis in HELD_AXES]
    default = [min(gain, LAG_SHARE / (lag + period)) for gain, lag in zip(FALCON_GAINS, lags, strict=True)]
    model = options.model_gains.value if options.model_gains else default
    filters = options.filter_bandwidths.value if options.filter_bandwidths else [FILTER_SHARE * one for one in model]
    gains = []
    for k, axis in enumerate(FOUR_AXES):
        one = L1Gains(model[k], filters[k], lags[k])
        radius = l1_radius(one, period)
        if not radius < LARGEST_RADIUS or not one.model > 0.0:
            raise PartError(
                f"make the {axis} loop unstable: with a period of {period:.3g} s and a thruster time constant of "
                f"{one.lag:.3g} s its largest pole is {radius:.4g} per step. Stay near {default[k]:.2g} 1/s.",
                "model_gains" if options.model_gains or not options.filter_bandwidths else "filter_bandwidths",
            )
        gains.append(one)
    control = L1AdaptiveControl(inversion_of(onboard), tuple(gains), period)
    return L1Part(control, levelling_of(onboard), age_of(options.max_age))


L1_ADAPTIVE = PartKind("l1_adaptive", Role.CONTROL, L1Options, make_l1, takes=(VELOCITY,))
