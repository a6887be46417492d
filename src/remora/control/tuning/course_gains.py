"""Gain selection for a vehicle that is steered by fins: depth, heading and speed under way.

Among the gains that keep the stated margins on the straight and level course, the ones with the stiffest course and
depth are chosen.

At rest fins have no force, so that the loop is linearised on the straight and level course at a speed. Plant and
actuators are linearised there by dual numbers over one period, with the lag that each actuator has in the simulation;
the autopilot is linearised by differences.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, NoReturn, final

import numpy as np

from remora.control.allocation.commands import commands_from_forces
from remora.control.allocation.thrusters import HELD_AXES, pseudo_inverse
from remora.control.autopilots.fin_autopilot import FinAutopilot, FinAutopilotState, FinGains, fin_autopilot
from remora.control.feedback.pid import Pid, PidState
from remora.control.tuning.gain_selection import (
    DEFAULT_GOALS,
    LARGEST_BANDWIDTH,
    THRUST_SHARE,
    TuningGoals,
    check_goals,
)
from remora.control.tuning.loop_margins import (
    LEAST_GAIN,
    STABLE,
    AxisMargins,
    LoopMargins,
    margin_text,
    stability_margins,
)
from remora.control.tuning.sampled_plant import ERRORS, LEAST_DELAY, LinearSystem, frequencies_for, linearised_chain
from remora.equations.algebra.pose import BODY_SIZE
from remora.equations.types import Twist
from remora.files.arrays import Array
from remora.files.problems import InputError
from remora.messages.estimate import Estimate
from remora.plant.dual.linearisation import STATE, PlantJacobian
from remora.plant.failures import RunError
from remora.plant.pack import PackedVehicle, resting_outputs
from remora.plant.plant import Plant
from remora.vehicles.parameters import VehicleParameters

SETTLING = 200.0  # s
LONGEST_STEP = 0.02  # s, of the integration
SAMPLE, AVERAGED = 0.1, 500  # s between samples of the settling, and the latest of them, which are averaged
STEADY = 0.01  # m/s and rad/s of drift over these: less is a straight and level course
LOWEST_FREQUENCY = 0.002  # rad/s
CUTS = ("surge", "roll", "pitch", "yaw")  # at the force and the moments
MEASURED = {"depth": 2, "heading": 5}  # cut at what is measured: among the error coordinates


class CoursePoint(NamedTuple):
    """A straight and level course."""

    state: Array  # of the plant
    held: FinAutopilotState
    commands: Array
    speed: float  # m/s ahead, as asked
    depth: float  # m, as asked


class CourseTiming(NamedTuple):
    """Timing of the loop, s."""

    period: float
    latency: float = 0.0  # from the motion to the command


@final
@dataclass(frozen=True, eq=False)
class CourseLoop:
    """The autopilot of a vehicle on a course; any plant closes it."""

    autopilot: FinAutopilot
    point: CoursePoint
    timing: CourseTiming

    def margins(self, packed: PackedVehicle, count: int = 400, effect: float = 1.0) -> LoopMargins:
        """Margins with a plant, whose actuators may have another effect, from this many frequencies."""
        plant = self._plant(packed, effect)
        radius = self._radius(plant)
        frequencies = frequencies_for(self.timing.period, count, LOWEST_FREQUENCY)
        z = np.exp(1j * frequencies * self.timing.period)
        motion, answer = plant.response(z), self._software.response(z)
        rows = [(axis, answer @ motion, k) for k, axis in enumerate(CUTS)]
        rows += [(axis, motion @ answer, k) for axis, k in MEASURED.items()]
        axes = []
        for axis, loop, k in rows:
            response = -_others_closed(loop, k)
            if np.abs(response).max() > LEAST_GAIN:
                axes.append(AxisMargins(axis, response, stability_margins(frequencies, response)))
        time = self.timing.period / abs(math.log(radius)) if 0.0 < radius != 1.0 else math.inf
        return LoopMargins(radius, time, frequencies, tuple(axes))

    def stable_share(self, packed: PackedVehicle) -> float:
        """Largest share of the gains, up to one, at which the loop is stable; zero where none of those tried is."""
        for share in np.geomspace(1.0, 0.02, 79):
            if self._radius(self._plant(packed, float(share))) < STABLE:
                return float(share)
        return 0.0

    @cached_property
    def _software(self) -> LinearSystem:
        """The autopilot from pose and twist errors to force and moments."""
        found = linearised_chain(self._sample, self.point.held, estimate_of(self.point.state))
        inverse = np.linalg.pinv(self._steering)
        return LinearSystem(found.A, found.B, inverse @ found.C, inverse @ found.D)

    def _sample(self, state: Any, now: Estimate) -> tuple[Any, Any]:
        reference = (self.point.depth, 0.0, self.point.speed)
        after, commands = self.autopilot.step(state, now.p_NB[2], now.q_NB, now.twist, reference)
        return after, np.array(commands)

    @cached_property
    def _steering(self) -> Array:
        """Commands of thrusters and fins per force ahead and moments."""
        twist, autopilot = estimate_of(self.point.state).twist, self.autopilot
        thrusters = len(autopilot.parameters.thrusters)
        columns = np.zeros((thrusters + len(autopilot.parameters.fins), len(CUTS)))
        columns[:thrusters, 0] = _per_newton(autopilot, twist)
        for k in range(3):
            small = np.where(np.arange(3) == k, 1e-6, 0.0).tolist()
            columns[thrusters:, 1 + k] = 1e6 * autopilot.mixing.fins_from_moments(small, twist[0])
        return columns

    def _plant(self, packed: PackedVehicle, effect: float) -> LinearSystem:
        """Pose and twist errors per force and moments, sampled behind the latency."""
        period, latency = self.timing
        whole, late = divmod(latency, period)
        if min(late, period - late) < LEAST_DELAY * period:
            whole, late = float(round(latency / period)), 0.0
        A, B = self._moved(packed, period - late)
        effects = [(int(whole), B)]
        if late > 0.0:  # until then the command before acts
            before, held = self._moved(packed, late)
            A, effects = A @ before, [*effects, (int(whole) + 1, A @ held)]
        return _queued(A, [(wait, found @ (effect * self._steering)) for wait, found in effects])

    def _moved(self, packed: PackedVehicle, interval: float) -> tuple[Array, Array]:
        """Errors after an interval with held commands, per those before it and per commands of thrusters and fins."""
        steps = max(1, math.ceil(interval / LONGEST_STEP - 1e-9))
        jacobian = PlantJacobian(packed, (*STATE, "commands"), interval / steps, steps)
        _, J = jacobian(jacobian.inputs(self.point.state, self.point.commands))
        states, used = J.shape[0], self._steering.shape[0]
        return J[:, :states].copy(), J[:, states : states + used].copy()

    def _radius(self, plant: LinearSystem) -> float:
        software, n, m = self._software, plant.A.shape[0], self._software.A.shape[0]
        F = np.zeros((n + m, n + m))
        F[:n, :n] = plant.A + plant.B @ software.D @ plant.C
        F[:n, n:] = plant.B @ software.C
        F[n:, :n], F[n:, n:] = software.B @ plant.C, software.A
        return float(np.abs(np.linalg.eigvals(F)).max(initial=0.0))


def _per_newton(autopilot: FinAutopilot, twist: Twist) -> Array:
    """Change of the commands of the thrusters per newton ahead, at the thrust that balances the drag."""
    body, ends = np.zeros(BODY_SIZE), []
    body[3], body[7] = 1.0, twist[0]
    force = float(autopilot.drag.wrench(body)[0])
    for change in (0.01, -0.01):
        forces = autopilot.thrust.allocate([force + change, 0.0, 0.0, 0.0, 0.0, 0.0]).forces.tolist()
        ends.append(np.array(commands_from_forces(autopilot.parameters, forces, twist)))
    return np.asarray((ends[0] - ends[1]) / 0.02)


def _queued(A: Array, effects: Sequence[tuple[int, Array]]) -> LinearSystem:
    """A sampled plant with the effects of inputs some samples after they were given."""
    (states, inputs), samples = effects[0][1].shape, max(wait for wait, _ in effects)
    size = states + samples * inputs
    F, G = np.zeros((size, size)), np.zeros((size, inputs))
    F[:states, :states] = A
    for wait, effect in effects:
        if wait == 0:
            G[:states] += effect
        else:
            F[:states, states + (wait - 1) * inputs : states + wait * inputs] += effect
    if samples:
        G[states : states + inputs] = np.eye(inputs)
        F[states + inputs :, states : size - inputs] = np.eye(size - states - inputs)
    return LinearSystem(F, G, np.eye(ERRORS, size), np.zeros((ERRORS, inputs)))


def _others_closed(loop: Array, i: int) -> Array:
    """Response around one cut, all others closed."""
    rest = [k for k in range(loop.shape[1]) if k != i]
    inner = np.eye(len(rest)) - loop[:, rest][:, :, rest]
    answer = np.linalg.solve(inner, loop[:, rest, i][:, :, None])
    return np.asarray(loop[:, i, i] + (loop[:, i, rest][:, None] @ answer)[:, 0, 0])


def estimate_of(state: Array) -> Estimate:
    """Exact estimate of a state of the plant."""
    x, y, z, s, i, j, k, u, v, w, p, q, r = state[:BODY_SIZE].tolist()
    return Estimate(0, (x, y, z), (s, i, j, k), (u, v, w, p, q, r))


def settled_course(plant: Plant, autopilot: FinAutopilot, speed: float, depth: float) -> CoursePoint:
    """The straight and level course of a vehicle at a speed in m/s and a depth in m, with integrals that hold it.

    The default gains bring it there, so that an unstable loop has an operating point as well. A roll that nothing damps
    is averaged. Raises an InputError when it comes to no steady course.
    """
    parameters = plant.vehicle.parameters
    usual = fin_autopilot(parameters, SAMPLE)
    state, held = plant.initial_state((0.0, 0.0, depth), twist=(speed, 0.0, 0.0, 0.0, 0.0, 0.0)), usual.initial()
    resting = resting_outputs(plant.packed)
    others, steps = resting[len(parameters.thrusters) + len(parameters.fins) :], math.ceil(SAMPLE / LONGEST_STEP)
    states, commands = [state], [resting]
    try:
        for _ in range(round(SETTLING / SAMPLE)):
            now = estimate_of(state)
            held, given = usual.step(held, now.p_NB[2], now.q_NB, now.twist, (depth, 0.0, speed))
            commands.append(np.array([*given, *others]))
            state = plant.step(state, commands[-1], SAMPLE, steps)
            states.append(state)
        mean, rows = _mean(states), np.array(states[-AVERAGED:])
        drift = np.abs(rows[0] - rows[-1])[[7, 8, 9, 11, 12]].max()
    except RunError:
        mean, drift = state, math.inf
    if not (drift < STEADY and abs(mean[7] - speed) < 0.1 * speed):
        raise InputError(
            f"{plant.vehicle.name} comes to no steady course at {speed:.3g} m/s. Ask for a speed that its thrust "
            "and its fins can hold."
        ).about("speed", speed)
    return CoursePoint(mean, held_by(autopilot, usual, held), np.mean(commands[-AVERAGED:], axis=0), speed, depth)


def _mean(states: list[Array]) -> Array:
    """Mean of the latest states, with the velocity that they have on average, at rest about all axes."""
    mean = np.mean(states[-AVERAGED:], axis=0)
    mean[3:7] /= np.linalg.norm(mean[3:7])
    mean[10:BODY_SIZE] = 0.0
    return mean


def held_by(autopilot: FinAutopilot, usual: FinAutopilot, held: FinAutopilotState) -> FinAutopilotState:
    """State of an autopilot whose integrals give what those of the usual one give."""

    def of(own: Pid, other: Pid, state: PidState) -> PidState:
        return PidState(state.integral * other.integral / own.integral if own.integral > 0.0 else 0.0, 0.0)

    return FinAutopilotState(
        of(autopilot.depth, usual.depth, held.depth),
        of(autopilot.pitch_rate, usual.pitch_rate, held.pitch_rate),
        of(autopilot.turn_rate, usual.turn_rate, held.turn_rate),
        of(autopilot.speed, usual.speed, held.speed),
        (0, 0),
    )


DEPTH = 10.0  # m, of the course; nothing depends on it
RATES, ANGLE_SHARES = np.geomspace(0.4, 8.0, 16), (0.1, 0.15, 0.2, 0.25, 0.35)  # 1/s, and of the rate gain
DEPTHS, SPEEDS = np.geomspace(0.05, 0.6, 12), np.geomspace(0.1, 2.0, 12)  # 1/s
INTEGRAL_SHARE, DEPTH_INTEGRAL_SHARE = 0.15, 0.15  # of the square of a gain in its integral gain
COARSE = 120  # frequencies of the search
ENVELOPE_SHARE = 0.7  # of the speed for which the parameters are valid


class TunedCourse(NamedTuple):
    """Gains of the fin autopilot, and their margins at a speed."""

    goals: TuningGoals
    timing: CourseTiming
    speed: float  # m/s
    gains: FinGains
    axes: tuple[AxisMargins, ...]


def is_steered_by_fins(parameters: VehicleParameters) -> bool:
    """Whether fins steer a vehicle that its thrusters cannot hold in place."""
    if not parameters.fins:
        return False
    return not parameters.thrusters or bool(pseudo_inverse(parameters, HELD_AXES).uncontrollable)


def tuned_course(
    plant: Plant,
    goals: TuningGoals = DEFAULT_GOALS,
    period: float = 0.1,
    latency: float = 0.0,
    speed: float | None = None,
) -> TunedCourse:
    """Gains of the fin autopilot for a vehicle.

    Parameters
    ----------
    plant
        The nominal vehicle.
    goals
        Margins, and the largest crossover of pitch and yaw; speeds, noise and smoothing are for thrusters only.
    period
        Seconds between samples of the controller.
    latency
        Latency of the estimate, s.
    speed
        Speed ahead, m/s; default that of four fifths of the thrust, within the valid speeds.

    Raises
    ------
    InputError
        When fins cannot steer the vehicle, the speed is out of reach, or no gains keep the margins.
    """
    check_goals(goals, period, latency)
    for field in ("max_speeds", "noise", "smoothing"):
        if getattr(goals, field) is not None:
            raise InputError(f"{field} is for vehicles that thrusters hold in place. Leave it out.").about(field)
    parameters = plant.vehicle.parameters
    try:
        usual = fin_autopilot(parameters, period)
    except ValueError as error:
        raise InputError(f"{plant.vehicle.name} cannot be steered by fins: {error}.").about("vehicle") from None
    most = largest_course_speed(usual)
    asked = most if speed is None else speed
    if not usual.gains.least_speed <= asked <= most / THRUST_SHARE:
        raise InputError(
            f"speed is {asked:.3g} m/s: must be from {usual.gains.least_speed:g} m/s, where fins begin to steer, to "
            f"{most / THRUST_SHARE:.3g} m/s, which thrust and valid speeds allow."
        ).about("speed", asked)
    point, timing = settled_course(plant, usual, asked, DEPTH), CourseTiming(period, latency)

    def margins(gains: FinGains, count: int = COARSE) -> LoopMargins:
        made = fin_autopilot(parameters, period, gains)
        held = CourseLoop(made, point._replace(held=held_by(made, usual, point.held)), timing)
        return held.margins(plant.packed, count)

    gains = _selected(margins, goals)
    return TunedCourse(goals, timing, asked, gains, margins(gains, 400).axes)


def _selected(margins: Callable[[FinGains], LoopMargins], goals: TuningGoals) -> FinGains:
    """The stiffest course whose depth keeps the margins, then the stiffest depth, then the stiffest speed."""
    tried = [
        FinGains(rate=rate, rate_integral=INTEGRAL_SHARE * rate**2, angle=share * rate)
        for rate in RATES.tolist()
        for share in ANGLE_SHARES
    ]
    search = _Search(margins, goals)
    for course in sorted(tried, key=lambda one: -one.rate * one.angle):
        if search.keeps(_deep(course, 0.15 * course.angle), ("pitch", "yaw", "heading")):
            deeper = (_deep(course, depth) for depth in DEPTHS[::-1].tolist())
            gains = search.first(deeper, ("pitch", "yaw", "heading", "depth"))
            if gains is not None:
                faster = (gains._replace(speed=one) for one in SPEEDS[::-1].tolist())
                return search.first(faster, ("surge",)) or search.refuse()
    return search.refuse()


def _deep(course: FinGains, depth: float) -> FinGains:
    """A course with a gain of the depth, 1/s."""
    return course._replace(depth=depth, depth_integral=DEPTH_INTEGRAL_SHARE * depth**2)


@final
class _Search:
    """Margins of tried gains, and those that came nearest to the goals."""

    def __init__(self, margins: Callable[[FinGains], LoopMargins], goals: TuningGoals) -> None:
        self._margins, self._goals, self._nearest = margins, goals, (-math.inf, "")

    def keeps(self, gains: FinGains, axes: tuple[str, ...]) -> bool:
        """Whether the loop is stable and keeps the margins in some axes."""
        found = self._margins(gains)
        judged = [_share_met(one, self._goals) for one in found.axes if one.axis in axes]
        met, text = min(judged) if found.is_stable and judged else (-math.inf, "")
        self._nearest = max(self._nearest, (met, text)) if met < 1.0 else self._nearest
        return met >= 1.0

    def first(self, tried: Iterable[FinGains], axes: tuple[str, ...]) -> FinGains | None:
        """The first gains that keep the margins in some axes."""
        return next((gains for gains in tried if self.keeps(gains, axes)), None)

    def refuse(self) -> NoReturn:
        """InputError with the margins that came nearest."""
        goals, best = self._goals, f"; the nearest leave {self._nearest[1]}" if self._nearest[1] else ""
        raise InputError(
            f"no gains keep a phase margin of {math.degrees(goals.phase_margin):.3g} deg and a gain margin of "
            f"{margin_text(goals.gain_margin)}{best}. Ask for smaller margins, another speed or bandwidth, or shorten "
            "latency or period."
        ).about("phase_margin")


def _share_met(one: AxisMargins, goals: TuningGoals) -> tuple[float, str]:
    """The share of a goal that an axis meets least, and its margins as text."""
    found, gain = one.margins, min(one.margins.gain, one.margins.gain_reduction)
    shares = [found.phase / goals.phase_margin, math.log(gain) / math.log(goals.gain_margin)]
    if one.axis in ("pitch", "yaw"):
        shares.append((goals.bandwidth or LARGEST_BANDWIDTH) / max(found.crossover, 1e-9))
    text = f"{math.degrees(found.phase):.3g} deg and {margin_text(gain)} in {one.axis} at {found.crossover:.2g} rad/s"
    return min(shares), text


def largest_course_speed(autopilot: FinAutopilot) -> float:
    """Speed at which the drag takes the share of the thrust that is left for control, within the valid speeds, m/s."""
    envelope = autopilot.parameters.envelope
    low, high = 0.0, 20.0 if envelope is None else ENVELOPE_SHARE * envelope[0]
    thrust = THRUST_SHARE * float(autopilot.thrust.allocate([1e6, 0.0, 0.0, 0.0, 0.0, 0.0]).wrench[0])
    for _ in range(40):
        middle = 0.5 * (low + high)
        body = np.zeros(BODY_SIZE)
        body[3], body[7] = 1.0, middle
        low, high = (middle, high) if float(autopilot.drag.wrench(body)[0]) <= thrust else (low, middle)
    return low
