"""Predictive controller: a disturbance observer and one real-time iteration per sample.

The observer compares the measured twist with the predicted one and attributes the difference to a constant wrench in
body axes. Forces at rest balance it, so that the controller holds its reference without offset in a current.

An estimate behind sensors with a latency describes the past, and drives with a delay act late. The model is run from
the time of the measurement to the time from which on new forces act. Motion (position and velocity) and turn (attitude
and rates) may be of different age.
"""

import math
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, NamedTuple, final

import numpy as np
import threadpoolctl

from remora.control.predictive.problem import PredictiveProblem, StageReference
from remora.control.predictive.real_time_iteration import PredictiveInput, RealTimeIteration, Solution
from remora.equations.algebra.pose import BODY_SIZE
from remora.equations.algebra.quaternions import from_euler_zyx
from remora.equations.algebra.vectors import ZERO3
from remora.equations.types import Vector3
from remora.files.arrays import Array
from remora.messages.estimate import Estimate
from remora.plant.failures import RunError
from remora.plant.pack import PackedVehicle
from remora.plant.rollouts import derivative
from remora.plant.stepper import Stepper, environment_row

LEAST_TIME = 1e-9  # s; shorter segments are rounding
LONGEST_STEP = 0.05  # s
MOTION = [0, 1, 2, 7, 8, 9]
TURN = [3, 4, 5, 6, 10, 11, 12]


class Delays(NamedTuple):
    """Ages of an estimate, and the delay of the drives, s."""

    motion: float = 0.0
    turn: float = 0.0
    drive: float = 0.0


NO_DELAYS = Delays()


class ForceSegment(NamedTuple):
    """A time over which the same forces act."""

    sent: int  # samples ago at which its forces were sent; 0 for those of this sample
    stepper: Any
    steps: int


@final
@dataclass(frozen=True, eq=False)
class DelayCompensation:
    """Runs of the model between the ages of an estimate and the time at which new forces act."""

    packed: PackedVehicle
    period: float  # s, between samples
    delays: Delays

    @property
    def samples(self) -> int:
        """Number of past samples whose forces still matter."""
        return math.ceil((max(self.delays.motion, self.delays.turn) + self.delays.drive) / self.period - LEAST_TIME)

    def segments(self, oldest: float, newest: float) -> tuple[ForceSegment, ...]:
        """Segments between two ages in s, which are negative for the time after this sample.

        The forces that were sent j samples ago act from the age j T - d on, d the delay of the drives.
        """
        found = []
        for sent in range(self.samples, -1, -1):
            begins = min(sent * self.period - self.delays.drive, oldest)
            ends = max((sent - 1) * self.period - self.delays.drive, newest)
            if begins - ends > LEAST_TIME:
                steps = math.ceil((begins - ends) / LONGEST_STEP - LEAST_TIME)
                found.append(ForceSegment(sent, Stepper(self.packed, (begins - ends) / steps), steps))
        return tuple(found)

    @cached_property
    def _plan(self) -> tuple[tuple[ForceSegment, ...], ...]:
        """Segments of the alignment, of the prediction, and of one period for the older and for both parts."""
        older, younger = max(self.delays[:2]), min(self.delays[:2])
        return (
            self.segments(older, younger),
            self.segments(younger, -self.delays.drive),
            self.segments(older, older - self.period),
            self.segments(younger, younger - self.period),
        )

    def aligned(self, measured: Array, sent: Array, environment: Array) -> Array:
        """State in which motion and turn have the age of the younger of both.

        The measured state has the thrusts at the time of its older part. Forces of the past samples come newest last,
        N; the environment is the external wrench about B in body axes, then the current in N.
        """
        state = _run(self._plan[0], measured, sent, environment)
        younger = TURN if self.delays.motion >= self.delays.turn else MOTION
        # The run began with the older part; the younger one is already as old as the state is to be.
        state[younger] = measured[younger]
        return state

    def present(self, aligned: Array, sent: Array, environment: Array) -> Array:
        """State from which on new forces act; parameters as of `aligned`, which gives the first."""
        return _run(self._plan[1], aligned, sent, environment)

    def next_measured(self, measured: Array, aligned: Array, sent: Array, environment: Array) -> Array:
        """Twist that the next estimate is expected to have, and the thrusts at the time of its older part.

        `sent` ends with the forces of this sample; other parameters as of `aligned`.
        """
        older = _run(self._plan[2], measured, sent, environment, newest=0)
        younger = _run(self._plan[3], aligned, sent, environment, newest=0)
        late = MOTION if self.delays.motion >= self.delays.turn else TURN
        younger[late], younger[BODY_SIZE:] = older[late], older[BODY_SIZE:]
        return younger


def _run(segments: tuple[ForceSegment, ...], state: Array, sent: Array, environment: Array, newest: int = 1) -> Array:
    """The state after segments; the last row of `sent` was sent `newest` samples ago."""
    state = np.array(state)
    for segment in segments:
        forces = sent[len(sent) - 1 - (segment.sent - newest)]
        for _ in range(segment.steps):
            state = segment.stepper(state, forces, environment)
    return state


OBSERVER_TIME = 0.2  # s, time constant of the disturbance estimate
OBSERVER_LATENCIES = 4.0  # time constants of the disturbance estimate per latency of the estimate


def observer_time(latency: float) -> float:
    """Time constant of the disturbance estimate behind a latency of the estimate, both in s.

    Beyond the latency, readings of sensors with a period of their own vary in age, which the observer takes for a
    disturbance.
    """
    return max(OBSERVER_TIME, OBSERVER_LATENCIES * latency)


class PredictiveState(NamedTuple):
    """State of the controller; forces and thrusts in N."""

    plan: tuple[float, ...]  # forces of all stages, one after the other
    before: tuple[float, ...]  # forces of the previous period
    thrusts: tuple[float, ...]  # predicted for the time of the next estimate, of every thruster
    disturbance: tuple[float, ...]  # wrench about B in body axes, N and N m
    twist: tuple[float, ...] | None = None  # predicted for this sample; None after a gap
    failures: int = 0  # samples without a solution
    is_safe: bool | None = None  # whether the last output was the safe one; None before the first
    sent: tuple[tuple[float, ...], ...] = ()  # forces of past samples, newest last, where delays are made up for


class PoseTarget(NamedTuple):
    """Reference pose, with its rates, as guidance gives it."""

    p_NR: Vector3  # m
    heading: float  # rad
    v_NR_N: Vector3  # m/s
    heading_rate: float  # rad/s


@final
@dataclass(frozen=True, eq=False)
class PredictiveControl:
    """Forces of the thrusters from an estimate and a reference pose."""

    problem: PredictiveProblem
    water: Vector3 = ZERO3  # m/s, known current in N
    observer_time: float = OBSERVER_TIME  # s
    iterations: int = 1  # per sample
    delays: Delays = NO_DELAYS

    @cached_property
    def iteration(self) -> RealTimeIteration:
        """The prepared iteration."""
        return RealTimeIteration(self.problem)

    @cached_property
    def compensation(self) -> DelayCompensation:
        """Prediction over latency and delay."""
        return DelayCompensation(self.problem.packed, self.problem.sample, self.delays)

    def initial(self) -> PredictiveState:
        """No forces, no disturbance."""
        p, rest = self.problem, (0.0,) * self.problem.thrusters
        return PredictiveState((0.0,) * p.size, rest, rest, (0.0,) * 6, sent=(rest,) * self.compensation.samples)

    def safe(self, state: PredictiveState) -> PredictiveState:
        """State after a safe output: thrusters off, the disturbance kept."""
        return self.initial()._replace(disturbance=state.disturbance, failures=state.failures, is_safe=True)

    def step(self, state: PredictiveState, estimate: Estimate, target: PoseTarget) -> tuple[PredictiveState, Array]:
        """One sample: the next state and the forces, N."""
        p = self.problem
        try:
            given, aligned = self._given(state, estimate, target)
            forces = np.clip(np.array(state.plan).reshape(p.horizon, p.thrusters), p.lowest, p.highest)
            solution, solved = Solution(forces, math.inf, 0.0, False, 0.0), False
            with single_blas_thread():
                for _ in range(self.iterations):
                    solution = self.iteration.solve(given, solution.forces)
                    solved = solved or solution.is_solved
            expected = self._expected(state, estimate, given, aligned, solution.forces[0])
        except RunError:
            # The model has left the valid speeds: no plan holds, so that the thrusters are off until the next estimate.
            return self.safe(state)._replace(failures=state.failures + 1, is_safe=False), np.zeros(p.thrusters)
        failures = state.failures + (0 if solved else 1)
        return self._after(state, given, solution.forces, expected, failures), solution.forces[0]

    def given(self, state: PredictiveState, estimate: Estimate, target: PoseTarget) -> PredictiveInput:
        """The optimal control problem of a sample; parameters as of `step`."""
        return self._given(state, estimate, target)[0]

    def _given(
        self, state: PredictiveState, estimate: Estimate, target: PoseTarget
    ) -> tuple[PredictiveInput, Array | None]:
        """The problem of a sample, and the estimate with parts of equal age where delays are made up for."""
        p, aligned = self.problem, None
        reference, d = self.stage_reference(target), self._disturbance(state, estimate)
        body = _measured(state, estimate)
        if state.sent:
            environment, sent = environment_row(d, self.water), np.array(state.sent)
            aligned = self.compensation.aligned(body, sent, environment)
            body = self.compensation.present(aligned, sent, environment)
        before = np.clip(np.array(state.before), p.lowest, p.highest)
        return PredictiveInput(body, before, reference, d, self._steady(reference, d), self.water), aligned

    def _expected(
        self, state: PredictiveState, estimate: Estimate, given: PredictiveInput, aligned: Array | None, forces: Array
    ) -> Array:
        """Model state that the next estimate is expected to show."""
        p = self.problem
        if aligned is not None:
            sent, environment = np.array([*state.sent, forces]), environment_row(given.disturbance, self.water)
            return self.compensation.next_measured(_measured(state, estimate), aligned, sent, environment)
        if p.sample == p.period:
            return np.asarray(self.iteration.rollout(given, forces[None])[1])
        return np.asarray(self._stepper(given.state, forces, environment_row(given.disturbance, self.water)))

    @cached_property
    def _stepper(self) -> Stepper:
        return Stepper(self.problem.packed, self.problem.sample)

    def _after(
        self, state: PredictiveState, given: PredictiveInput, forces: Array, expected: Array, failures: int
    ) -> PredictiveState:
        # A sample may be shorter than a stage: the plan moves on by that share of a stage.
        share, first = self.problem.sample / self.problem.period, tuple(forces[0].tolist())
        plan = np.vstack([forces[1:], forces[-1:]])
        plan = plan if share == 1.0 else forces + share * (plan - forces)
        return PredictiveState(
            tuple(plan.ravel().tolist()),
            first,
            tuple(expected[BODY_SIZE:].tolist()),
            tuple(given.disturbance.tolist()),
            tuple(expected[7:BODY_SIZE].tolist()),
            failures,
            is_safe=False,
            sent=(*state.sent[1:], first) if state.sent else (),
        )

    def _disturbance(self, state: PredictiveState, estimate: Estimate) -> Array:
        """Disturbance estimate after the twist of this sample."""
        d = np.array(state.disturbance)
        if state.twist is None:
            return d
        # The wrench that would explain the difference of the twists within one sample, through a low-pass filter.
        share = -math.expm1(-self.problem.sample / self.observer_time) / self.problem.sample
        return np.asarray(d + share * (self.problem.inertia @ (np.array(estimate.twist) - np.array(state.twist))))

    def _steady(self, reference: StageReference, disturbance: Array) -> Array:
        """Forces that keep the reference against drag, weight and disturbance."""
        p, last = self.problem, len(reference.headings) - 1
        q = from_euler_zyx(0.0, 0.0, float(reference.headings[last]))
        state = np.array([*reference.positions[last], *q, *reference.twists[last], *np.zeros(p.thrusters)])
        rate = derivative(p.packed, state, np.zeros(p.thrusters), disturbance, self.water)
        return p.steady_forces(p.inertia @ rate[7:BODY_SIZE])

    def stage_reference(self, target: PoseTarget) -> StageReference:
        """Reference of all stages: the target moves on at its present rates."""
        p = self.problem
        times = self.delays.drive + p.period * np.arange(1, p.horizon + 1)
        positions = np.array(target.p_NR) + times[:, None] * np.array(target.v_NR_N)
        headings: Array = np.asarray(target.heading + times * target.heading_rate, dtype=float)
        c, s = np.cos(headings), np.sin(headings)
        north, east, down = target.v_NR_N
        twists = np.zeros((p.horizon, 6))
        twists[:, 0], twists[:, 1], twists[:, 2] = c * north + s * east, c * east - s * north, down
        twists[:, 5] = target.heading_rate
        return StageReference(positions, headings, twists)


def _measured(state: PredictiveState, estimate: Estimate) -> Array:
    """Model state of an estimate, with the predicted thrusts."""
    body = np.array([*estimate.p_NB, *estimate.q_NB, *estimate.twist, *state.thrusts])
    body[3:7] /= np.linalg.norm(body[3:7])
    return body


def single_blas_thread() -> AbstractContextManager[object]:
    """Context in which NumPy and SciPy use one thread."""
    return _libraries().limit(limits=1, user_api="blas")


@cache
def _libraries() -> threadpoolctl.ThreadpoolController:
    """The BLAS libraries of this process; finding them takes 10 ms, limiting them 15 us."""
    return threadpoolctl.ThreadpoolController()
