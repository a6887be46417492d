"""The Falcon under guidance and velocity control, Proctor 2014, chapter 6: a plant that its controller does not know.

Plant coefficients differ from those of the controller by up to 20 %, thrusters take whole percents and have random dead
bands, and sinusoidal wrenches act in all degrees of freedom. The estimate that is fed back is the true state, or that
of a navigation.
"""

import math
from functools import lru_cache
from typing import Any, NamedTuple, Protocol, final

import numpy as np

from remora.control.allocation.commands import commands_from_forces
from remora.control.allocation.thrusters import HELD_AXES, pseudo_inverse
from remora.control.autopilots.velocity_tracking import (
    VelocityTracking,
    VelocityTrackingState,
    critical_gains,
    velocity_tracking,
)
from remora.control.feedback.shaft_speed_loop import thrusters_wrench
from remora.equations.algebra.four_axes import multiply4
from remora.equations.algebra.pose import BODY_SIZE
from remora.equations.control.adaptive_network import Network
from remora.equations.control.velocity_tracking import smoothed_command
from remora.equations.guidance.lyapunov import AXIS_BY_AXIS
from remora.equations.types import Twist, Vector4
from remora.files.arrays import Array
from remora.guidance.mission import MissionTarget
from remora.guidance.velocity_guidance import VelocityGuidance, VelocityGuidanceState, lyapunov_law
from remora.messages.estimate import Estimate
from remora.plant import Stepper, initial_state, pack
from remora.sensors import Stream
from remora.vehicles.parameters import VehicleParameters
from remora.vehicles.variants.scatter import Spread, scattered
from remora_evidence.studies.falcon.thrust_steps import falcon

PROPORTIONAL: Vector4 = (3.75, 3.75, 1.25, 5.0)  # 1/s, Table 6.1
SMOOTHING = 4.0  # 1/s, K_TH
STEP, PERIOD = 0.01, 0.05  # s, of plant and software
COEFFICIENTS = Spread(added_mass=0.2, linear_damping=0.2, quadratic_damping=0.2, uniform=True)
AMPLITUDES = (20.0, 20.0, 5.0, 2.0, 2.0, 2.0)  # N and N m, of the disturbance
FREQUENCIES = (0.05, 0.15)  # Hz
LARGEST_DEAD_BAND = 5.0  # %


class Disturbance(NamedTuple):
    """Sinusoids in all degrees of freedom."""

    amplitudes: Array  # N and N m
    frequencies: Array  # rad/s
    phases: Array  # rad

    def at(self, time: float) -> Array:
        """Wrench at a time in s, N and N m."""
        return np.asarray(self.amplitudes * np.sin(self.frequencies * time + self.phases))


class Passed(NamedTuple):
    """True motion since the last sample of the software."""

    states: tuple[Array, ...]  # at the ends of the steps, from the last sample to this one
    taken: Array  # commands that the thrusters took meanwhile, %


class Navigation(Protocol):
    """Gives the estimate that guidance and control use."""

    @property
    def step(self) -> float:
        """Step of the plant that it needs, s."""

    def initial(self, state: Array) -> Any:
        """What it keeps, at rest at a state of the plant."""

    def estimate(self, held: Any, k: int, passed: Passed) -> tuple[Any, Estimate]:
        """What it keeps, and its estimate, at sample k."""


@final
class TrueStates:
    """The estimate is the truth."""

    step = STEP

    def initial(self, state: Array) -> None:
        """Nothing is kept."""

    def estimate(self, held: None, k: int, passed: Passed) -> tuple[None, Estimate]:
        """The state at sample k."""
        return None, estimate_of(passed.states[-1], k)


class FalconTrial(NamedTuple):
    """Set-up of one run."""

    seed: int
    is_adaptive: bool = False
    has_lag: bool = False  # thruster lag of the vehicle file; without it thrusters are quasi-static
    is_scattered: bool = True  # whether plant coefficients differ from those of the controller
    is_disturbed: bool = True  # sinusoidal wrenches and dead bands
    hedging: bool = True  # of the adaptive controller
    learning: bool = True  # of the adaptive controller


class FalconRun(NamedTuple):
    """A run, one row per sample of the software."""

    times: Array  # s
    states: Array  # 13 numbers of the body
    desired: Array  # velocity of the guidance, m/s and rad/s
    model: Array  # velocity of the reference model
    integral: Array  # integral term, m/s2 and rad/s2
    commands: Array  # smoothed, %
    modes: Array  # 1 PI, 0 P: horizontal, heave, yaw
    largest_weight: Array  # of the network

    @property
    def velocity(self) -> Array:
        """Surge, sway, heave and yaw, m/s and rad/s."""
        return self.states[:, [7, 8, 9, 12]]


def nominal(has_lag: bool) -> VehicleParameters:
    """The Falcon with thrusters that lag, or quasi-static ones."""
    parameters = falcon().parameters
    if has_lag:
        return parameters
    still = tuple(thruster._replace(rise_time=0.0, fall_time=0.0) for thruster in parameters.thrusters)
    return parameters._replace(thrusters=still)


def plant_of(trial: FalconTrial) -> VehicleParameters:
    """The simulated vehicle, which its controller does not know."""
    parameters = nominal(trial.has_lag)
    return scattered(parameters, COEFFICIENTS, Stream(trial.seed, "plant")) if trial.is_scattered else parameters


@lru_cache(maxsize=256)
def disturbance_of(trial: FalconTrial) -> Disturbance:
    """Sinusoids of random frequency and phase."""
    stream = Stream(trial.seed, "disturbance")
    slow, fast = FREQUENCIES
    shares = np.array(stream.of("frequency").uniforms(0, 6))
    phases = 2.0 * math.pi * np.array(stream.of("phase").uniforms(0, 6))
    scale = 1.0 if trial.is_disturbed else 0.0
    return Disturbance(scale * np.array(AMPLITUDES), 2.0 * math.pi * (slow + (fast - slow) * shares), phases)


def controller(trial: FalconTrial) -> VelocityTracking:
    """The controller of a trial, with the nominal vehicle."""
    gains = critical_gains(PROPORTIONAL)  # the integral ones of Table 6.1 are those of the double pole, rounded
    parameters = nominal(trial.has_lag)
    network = Network() if trial.is_adaptive and trial.learning else None
    hedges = trial.is_adaptive and trial.hedging
    return velocity_tracking(parameters, pack(parameters), gains, PERIOD, network, hedges)


class ThrusterChain(NamedTuple):
    """Allocation, inverse thrust law, smoothing, rounding and dead band."""

    parameters: VehicleParameters
    dead_bands: Array  # %
    inverse: Array

    def commands(self, wrench: Array, twist: Twist, filtered: list[float]) -> list[float]:
        """Smoothed commands for a wrench, %."""
        asked = commands_from_forces(self.parameters, (self.inverse @ wrench).tolist(), twist)
        return [smoothed_command(a, b, SMOOTHING, PERIOD) for a, b in zip(filtered, asked, strict=True)]

    def taken(self, commands: list[float]) -> Array:
        """Commands as the thrusters take them: whole percents outside of the dead band."""
        rounded = np.round(commands)
        return np.where(np.abs(rounded) < self.dead_bands, 0.0, rounded)


def thruster_chain(trial: FalconTrial) -> ThrusterChain:
    """The thrusters of a trial, with dead bands of up to 5 % each."""
    parameters = nominal(trial.has_lag)
    share = np.array(Stream(trial.seed, "dead bands").uniforms(0, len(parameters.thrusters)))
    widest = LARGEST_DEAD_BAND if trial.is_disturbed else 0.0
    return ThrusterChain(parameters, widest * share, pseudo_inverse(parameters, HELD_AXES).inverse)


@lru_cache(maxsize=256)
def fly(trial: FalconTrial, target: tuple[float, float, float, float], seconds: float = 60.0) -> FalconRun:
    """From rest at the origin to a target of north, east, down and heading, m and rad, with true states."""
    return fly_by(TrueStates(), trial, target, seconds)


def fly_by(
    navigation: Navigation, trial: FalconTrial, target: tuple[float, float, float, float], seconds: float = 60.0
) -> FalconRun:
    """The same with the estimates of a navigation."""
    waypoint = MissionTarget("go_to", 0, target[:2], target[2], heading=target[3])
    return _flown(
        trial, navigation, VelocityGuidance((waypoint,), lyapunov_law(limits=AXIS_BY_AXIS), PERIOD), None, seconds
    )


def step_response(trial: FalconTrial, levels: tuple[Vector4, ...], seconds: float) -> FalconRun:
    """Without guidance: desired velocities that step from level to level, each for the same time."""
    return _flown(trial, TrueStates(), None, levels, seconds * len(levels))


def _flown(
    trial: FalconTrial,
    navigation: Navigation,
    guidance: VelocityGuidance | None,
    levels: tuple[Vector4, ...] | None,
    seconds: float,
) -> FalconRun:
    packed, control, chain = pack(plant_of(trial)), controller(trial), thruster_chain(trial)
    stepper, wrench_at = Stepper(packed, navigation.step), disturbance_of(trial)
    state, held, count = initial_state(packed), control.initial(), round(seconds / PERIOD)
    guided, filtered, rows = None, [0.0] * packed.actuators, []
    known, passed = navigation.initial(state), Passed((state,), np.zeros(packed.actuators))
    for k in range(count):
        known, now = navigation.estimate(known, k, passed)
        guided, desired = _desired(guidance, guided, levels, now, k / count)
        measured = state[BODY_SIZE : BODY_SIZE + packed.actuators].tolist()
        applied = thrusters_wrench(chain.parameters, measured, now.twist) if control.hedges else None
        before = held
        held, wrench = control.step(held, now.q_NB, now.twist, desired, applied=applied)
        filtered = chain.commands(np.array(wrench), now.twist, filtered)
        rows.append(_row(state, desired, control, held if before.tracking is None else before, filtered, guided))
        passed = _moved(stepper, state, chain.taken(filtered), wrench_at, k)
        state = passed.states[-1]
    return _run_of(np.array(rows))


def _moved(stepper: Stepper, state: Array, taken: Array, wrench_at: Disturbance, k: int) -> Passed:
    """The motion from sample k to the next."""
    states = [state]
    for j in range(round(PERIOD / stepper.interval)):
        states.append(stepper(states[-1], taken, external=wrench_at.at(k * PERIOD + j * stepper.interval)))
    return Passed(tuple(states), taken)


def estimate_of(state: Array, k: int) -> Estimate:
    """The true state as an estimate at sample k."""
    x, y, z, s, i, j, m, *twist = state[:BODY_SIZE].tolist()
    u, v, w, p, q, r = twist
    return Estimate(round(k * PERIOD * 1e9), (x, y, z), (s, i, j, m), (u, v, w, p, q, r))


def _desired(
    guidance: VelocityGuidance | None,
    guided: VelocityGuidanceState | None,
    levels: tuple[Vector4, ...] | None,
    now: Estimate,
    share: float,
) -> tuple[VelocityGuidanceState | None, Vector4]:
    """State of the guidance and desired velocity; of the levels the one at a share of the run."""
    if guidance is None:
        assert levels is not None
        return None, levels[int(share * len(levels))]
    begun = guidance.begun(now.time_ns, now) if guided is None else guided
    after, reference = guidance.step(begun, now.time_ns, now)
    return after, reference.velocity


def _row(
    state: Array,
    desired: Vector4,
    control: VelocityTracking,
    held: VelocityTrackingState,
    commands: list[float],
    guided: VelocityGuidanceState | None,
) -> tuple[float, ...]:
    """What a run keeps of one sample."""
    assert held.tracking is not None
    integral = multiply4(control.gains.integral, held.tracking.integral)
    modes = (1.0, 1.0, 1.0) if guided is None else guided.law.integrates
    weight = max(abs(w) for columns in held.weights for column in columns for w in column)
    return (*state[:BODY_SIZE].tolist(), *desired, *held.tracking.model, *integral, *modes, weight, *commands)


def _run_of(table: Array) -> FalconRun:
    parts = np.split(table, np.cumsum([BODY_SIZE, 4, 4, 4, 3, 1]), axis=1)
    states, desired, model, integral, modes, weights, commands = parts
    times = PERIOD * np.arange(len(table), dtype=np.float64)
    return FalconRun(times, states, desired, model, integral, commands, modes, weights[:, 0])
