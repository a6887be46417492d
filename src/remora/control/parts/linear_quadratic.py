"""Linear-quadratic regulator of pose and twist with integral action, from the exact linearisation of the vehicle.

The design is discrete: the plant with the lag of its thrusters, sampled with a hold, and integrals of position and
heading. Errors are in body axes, so that one gain serves every heading. The wrench behind the lag is not measured; it
follows from the wrenches of the past. An oscillating force that navigation estimates is compensated, early enough for
thrust that arrives behind the lag.
"""

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated, Any, NamedTuple, TypeAlias, final

import numpy as np
import scipy.linalg

from remora.control.allocation.thrusters import HELD_AXES, pseudo_inverse
from remora.control.autopilots.position import PoseReferenceLike
from remora.control.feedback.feedback_linearisation import FeedbackLinearisation
from remora.control.parts.controllers import check_valid_speeds
from remora.control.parts.safe_output import LARGEST_AGE, Age, SafePart, age_of, check_held_axes, from_to, wanted_pose
from remora.control.tuning.loop_margins import LoopMargins, OperatingPoint, SampledLoop, linear_plant
from remora.control.tuning.sampled_plant import LoopTiming, drive_delay, linearised_chain, sampled_plant, thruster_lag
from remora.equations.algebra.kinematics import to_body
from remora.equations.algebra.quaternions import conjugate, from_euler_zyx, product
from remora.equations.algebra.vectors import ZERO3, ZERO6, dot3
from remora.equations.types import Vector3, Wrench
from remora.files.arrays import Array
from remora.files.problems import InputError
from remora.files.quantities import Is, Quantity
from remora.files.units import ANGLE, LENGTH, SPEED
from remora.messages.estimate import Estimate
from remora.messages.part import PartInput, Role
from remora.messages.part_options import PartError, PartKind, PartOptions, VehicleContext
from remora.messages.reference import POSE
from remora.plant.plant import Plant
from remora.vehicles.checks.actuation import levelled_axes, reachable_wrench
from remora.vehicles.names import DEGREES_OF_FREEDOM

ERRORS = 12
INTEGRATED = (0, 1, 2, 5)  # position and heading among the errors
BODY_AT_REST = np.array([0.0, 0.0, 0.0, 1.0, *np.zeros(9)])
LEAST_MISSING = 1e-6  # N and N m
TRACKING_TIME = 3.0  # s, of the integrals behind a missing wrench
LEAST_PHASE, LEAST_GAIN = math.radians(40.0), 2.0  # margins of every axis
LEAST_BANDWIDTH = 0.01  # rad/s, in every held axis
ATTEMPTS, DEARER = 30, 0.8  # at weights of the wrench, and the factor of the share of an axis from one to the next
FREQUENCIES = 120


class QuadraticWeights(NamedTuple):
    """Errors that cost as much as each other (Bryson's rule)."""

    position: float = 0.1  # m
    tilt: float = 0.2  # rad, of roll and pitch
    heading: float = 0.1  # rad
    speed: float = 0.3  # m/s
    rate: float = 0.5  # rad/s
    integral_time: float = 3.0  # s, for which an error of position or heading is as dear as its integral
    wrench: float = 0.15  # share of the largest wrench in each axis, in the weaker direction


DEFAULT_QUADRATIC = QuadraticWeights()


class RestingReference(NamedTuple):
    """A pose that stays."""

    p_NR: Vector3 = ZERO3  # m
    heading: float = 0.0  # rad
    v_NR_N: Vector3 = ZERO3  # m/s
    heading_rate: float = 0.0  # rad/s


class LinearQuadraticState(NamedTuple):
    """State of the regulator."""

    integral: tuple[float, ...] = (0.0, 0.0, 0.0, 0.0)  # m s in N, rad s
    lagged: tuple[float, ...] = ZERO6  # N and N m, wrench behind the lag
    wrench: Wrench = ZERO6  # of the previous sample, without that at rest
    is_safe: bool | None = None  # None before the first sample


@final
@dataclass(frozen=True, eq=False)
class LinearQuadraticControl:
    """State feedback of pose, twist, lag and integrals; the wrench at rest is added."""

    gain: Array  # 6 x (12 + lags + 4)
    period: float  # s
    decay: float  # of the lag per sample; zero without lag
    level_wrench: tuple[float, ...]  # N and N m, that holds the level vehicle at rest
    controlled: Array  # 6 numbers: one for a controlled axis
    max_error: float = math.inf  # m, to which position errors are shortened
    lead: float = 0.0  # s, by which the compensation of an estimated force leads it

    def initial(self) -> LinearQuadraticState:
        """Zero integrals."""
        return LinearQuadraticState()

    def safe(self, state: LinearQuadraticState) -> LinearQuadraticState:
        """State after a zero wrench: the integrals are kept."""
        return LinearQuadraticState(state.integral, is_safe=True)

    def step(
        self, state: LinearQuadraticState, now: Estimate, reference: PoseReferenceLike, missing: Wrench = ZERO6
    ) -> tuple[LinearQuadraticState, Wrench]:
        """One sample; `missing` is the part of the previous wrench that the allocation could not produce, N and N m."""
        errors, away, is_far = self._errors(now, reference)
        integral = self._integrated(state, now, (*away, errors[5]), missing, is_far)
        summed = (*to_body(now.q_NB, (integral[0], integral[1], integral[2])), integral[3])
        lagged = np.array(state.lagged)
        applied = np.array(state.wrench) - np.array(missing)
        lagged = applied + self.decay * (lagged - applied) if self.decay > 0.0 else lagged
        known = [errors, lagged, np.array(summed)] if self.decay > 0.0 else [errors, np.array(summed)]
        tau = -self.gain @ np.concatenate(known)
        weight = to_body(now.q_NB, (0.0, 0.0, self.level_wrench[2]))
        at_rest = np.array([*weight, *self.level_wrench[3:]])
        total = self.controlled * (tau + at_rest - self._known_force(now))
        X, Y, Z, K, M, N = total.tolist()
        a, b, c, d, e, f = (self.controlled * tau).tolist()
        after = LinearQuadraticState(integral, tuple(lagged.tolist()), (a, b, c, d, e, f), is_safe=False)
        return after, (X, Y, Z, K, M, N)

    def _known_force(self, now: Estimate) -> Array:
        """Estimated oscillating force when the thrust for it arrives, as a wrench; zero where none is estimated."""
        force = np.array(now.force_B) + self.lead * np.array(now.force_rate_B)
        return np.concatenate([force if np.isfinite(force).all() else np.zeros(3), np.zeros(3)])

    def _errors(self, now: Estimate, reference: PoseReferenceLike) -> tuple[Array, tuple[float, ...], bool]:
        """Errors of position, rotation and twist in body axes, position error in N, and whether it was shortened."""
        away = np.array(now.p_NB) - np.array(reference.p_NR)
        size = float(np.linalg.norm(away))
        is_far = size > self.max_error
        x, y, z = (away * (self.max_error / size) if is_far else away).tolist()
        turn = product(conjugate(from_euler_zyx(0.0, 0.0, reference.heading)), now.q_NB)
        sign = 2.0 if turn[0] >= 0.0 else -2.0
        desired = (*to_body(now.q_NB, reference.v_NR_N), 0.0, 0.0, reference.heading_rate)
        errors = [*to_body(now.q_NB, (x, y, z)), *(sign * part for part in turn[1:])]
        return np.array([*errors, *(np.array(now.twist) - np.array(desired))]), (x, y, z), is_far

    def _integrated(
        self, state: LinearQuadraticState, now: Estimate, errors: tuple[float, ...], missing: Wrench, is_far: bool
    ) -> tuple[float, ...]:
        """Integrals after this sample, with anti-windup.

        While a wrench is missing they follow it (back-calculation). Far from the target, where the position error is
        limited, they are kept, unless the vehicle comes no closer.
        """
        is_missing = max(abs(part) for part in missing) > LEAST_MISSING
        away = to_body(now.q_NB, (errors[0], errors[1], errors[2]))
        if is_far and (is_missing or dot3(away, now.twist[:3]) < 0.0):
            return state.integral
        if not is_missing:
            return tuple(before + self.period * error for before, error in zip(state.integral, errors, strict=True))
        x, y, z, heading = (self.period / TRACKING_TIME * self._integral_of_wrench @ np.array(missing)).tolist()
        back = (*to_body(conjugate(now.q_NB), (x, y, z)), heading)
        return tuple(before + change for before, change in zip(state.integral, back, strict=True))

    @cached_property
    def _integral_of_wrench(self) -> Array:
        """Integrals, in body axes, whose feedback is a wrench."""
        return np.asarray(np.linalg.pinv(self.controlled[:, None] * self.gain[:, -len(INTEGRATED) :]), dtype=np.float64)


def linear_quadratic_control(
    plant: Plant, period: float = 0.05, weights: QuadraticWeights = DEFAULT_QUADRATIC, smoothing: float = 0.0
) -> LinearQuadraticControl:
    """The regulator of a vehicle.

    The wrench of an axis is made dearer until it has a phase margin of 40 degrees and a gain margin of 6 dB. Command
    smoothing and the delay of the drives are part of the design, as lags that add to that of the thrusters.

    Parameters
    ----------
    plant
        The nominal vehicle.
    period
        Seconds between samples.
    weights
        Errors that cost equally much.
    smoothing
        Gain of the command smoothing of the allocation, 1/s; 0 for none.

    Raises
    ------
    InputError
        When weights are not above zero, or so far apart that the regulator hardly acts.
    ValueError
        When the Riccati equation has no stabilising solution, or no weight of the wrench gives the margins.
    """
    for name, value in weights._asdict().items():
        if not 0.0 < value < math.inf:
            raise InputError(f"{name} is {value:g}: must be above zero.").about(name, value)

    shares = np.full(6, weights.wrench)
    for _ in range(ATTEMPTS):
        control = _regulator(plant, period, weights, shares, smoothing)
        found = _margins(plant, control, smoothing)
        weak = _weak_axes(found)
        if not weak:
            _check_bandwidth(found, weights)
            return control
        shares[weak] *= DEARER
    least = min((one.margins.phase for one in found.axes), default=math.inf)
    raise ValueError(
        f"with a period of {period:.3g} s and a thruster lag of {thruster_lag(plant.vehicle.parameters):.3g} s the "
        f"phase margin is {math.degrees(least):.3g} deg at most. Shorten the period, or allow larger errors"
    )


def _weak_axes(found: LoopMargins) -> list[int]:
    """Axes below the least margins, by index; all of an unstable loop."""
    if not found.is_stable:
        return list(range(6))
    return [
        DEGREES_OF_FREEDOM.index(one.axis)
        for one in found.axes
        if one.margins.phase < LEAST_PHASE or min(one.margins.gain, one.margins.gain_reduction) < LEAST_GAIN
    ]


def _check_bandwidth(found: LoopMargins, weights: QuadraticWeights) -> None:
    """Refuse a regulator that hardly acts in an axis that it holds."""
    held = [DEGREES_OF_FREEDOM[axis] for axis in HELD_AXES]
    slow = [one for one in found.axes if one.axis in held and one.margins.crossover < LEAST_BANDWIDTH]
    if slow or len([one for one in found.axes if one.axis in held]) < len(held):
        axis, most = (slow[0].axis, slow[0].margins.crossover) if slow else ("an axis", 0.0)
        raise InputError(
            f"the regulator hardly acts in {axis}: its bandwidth is {most:.2g} rad/s, and {LEAST_BANDWIDTH:g} rad/s is "
            f"the least that holds a position. Allow smaller errors than {weights.position:.3g} m and "
            f"{weights.heading:.3g} rad, or a larger share of the wrench than {weights.wrench:.3g}."
        ).about("weights")


def _margins(plant: Plant, control: LinearQuadraticControl, smoothing: float) -> LoopMargins:
    """Margins of the loop of the level vehicle at rest."""
    at_rest = Estimate(0, ZERO3, (1.0, 0.0, 0.0, 0.0), ZERO6)
    target = RestingReference()
    chain = linearised_chain(lambda state, now: control.step(state, now, target), control.initial(), at_rest)
    lag = thruster_lag(plant.vehicle.parameters)
    timing = LoopTiming(control.period, lag, drive_delay(plant.vehicle.parameters), smoothing=smoothing)
    loop = SampledLoop(chain, np.diag(control.controlled), timing)
    return loop.margins(plant.packed, OperatingPoint(BODY_AT_REST, np.zeros(6), ZERO3), FREQUENCIES)


def _regulator(
    plant: Plant, period: float, weights: QuadraticWeights, shares: Array, smoothing: float
) -> LinearQuadraticControl:
    """The regulator with these weights and shares of the largest wrench in each axis."""
    parameters = plant.vehicle.parameters
    lag = thruster_lag(parameters) + drive_delay(parameters) + (1.0 / smoothing if smoothing > 0.0 else 0.0)
    A, B = linear_plant(plant.packed, OperatingPoint(BODY_AT_REST, np.zeros(6), ZERO3))
    levelled = levelled_axes(parameters, plant.locked)
    axes = tuple(sorted((*HELD_AXES, *levelled)))
    allocation = pseudo_inverse(parameters, axes)
    sampled = sampled_plant(A, B @ (allocation.matrix @ allocation.inverse), LoopTiming(period, lag))
    states = sampled.A.shape[0]
    size = states + len(INTEGRATED)
    F, G = np.zeros((size, size)), np.zeros((size, 6))
    F[:states, :states], G[:states] = sampled.A, sampled.B
    F[range(states, size), INTEGRATED] = period
    F[range(states, size), range(states, size)] = 1.0
    reach = np.array([min(abs(end) for end in one.most) or 1.0 for one in reachable_wrench(parameters)])
    Q = _state_weights(weights, states, levelled)
    R = np.diag((shares * np.where(np.isfinite(reach), reach, 1.0)) ** -2.0)
    used = list(axes)
    P = scipy.linalg.solve_discrete_are(F, G[:, used], Q, R[np.ix_(used, used)])
    small = np.linalg.solve(R[np.ix_(used, used)] + G[:, used].T @ P @ G[:, used], G[:, used].T @ P @ F)
    gain = np.zeros((6, size))
    gain[used] = small
    decay = math.exp(-period / lag) if lag > 0.0 else 0.0
    controlled = np.isin(np.arange(6), axes).astype(float)
    level = tuple(FeedbackLinearisation(plant.packed).wrench(BODY_AT_REST).tolist())
    return LinearQuadraticControl(gain, period, decay, level, controlled, lead=lag + 0.5 * period)


def _state_weights(weights: QuadraticWeights, states: int, levelled: tuple[int, ...]) -> Array:
    """Weights of states and integrals; roll and pitch without thrusters for them cost nothing."""
    w, free = weights, [axis not in levelled for axis in (3, 4)]
    errors = np.array([*(w.position,) * 3, w.tilt, w.tilt, w.heading, *(w.speed,) * 3, *(w.rate,) * 3])
    errors[[3, 4]] = np.where(free, np.inf, errors[[3, 4]])
    errors[[9, 10]] = np.where(free, np.inf, errors[[9, 10]])
    lags = np.full(states - ERRORS, np.inf)
    sums = w.integral_time * np.array([w.position] * 3 + [w.heading])
    diagonal = np.concatenate([errors, lags, sums])
    return np.diag(diagonal**-2.0)


Length: TypeAlias = Annotated[Quantity[float], Is(LENGTH, rule=from_to(1e-3, 100.0))]
Angle: TypeAlias = Annotated[Quantity[float], Is(ANGLE, rule=from_to(1e-3, math.pi))]
Speed: TypeAlias = Annotated[Quantity[float], Is(SPEED, rule=from_to(1e-3, 10.0))]
Share: TypeAlias = Annotated[Quantity[float], Is(None, rule=from_to(1e-3, 10.0), plain_only=True)]
LARGEST_ERROR = 1.0  # m, to which position errors are shortened, so that the vehicle stays within its speeds


class LinearQuadraticOptions(PartOptions):
    """Errors that cost equally much, and the share of the thrust that costs as much as they do."""

    position_error: Length | None = None
    heading_error: Angle | None = None
    speed_error: Speed | None = None
    wrench_share: Share | None = None
    max_error: Length | None = None
    max_age: Age | None = None


@final
@dataclass(frozen=True, eq=False)
class LinearQuadraticPart(SafePart):
    """The regulator; a zero wrench while estimate or reference is unknown or old."""

    control: LinearQuadraticControl
    max_age: float = LARGEST_AGE  # s, of the estimate

    def wanted(self, reference: Any) -> tuple[float, ...]:
        """Pose and its rates."""
        return wanted_pose(reference)

    def controlled(
        self, state: LinearQuadraticState, estimate: Estimate, now: PartInput
    ) -> tuple[LinearQuadraticState, Wrench]:
        """The wrench of the regulator."""
        return self.control.step(state, estimate, now.reference, now.missing)


def make_linear_quadratic(options: LinearQuadraticOptions, onboard: VehicleContext) -> LinearQuadraticPart:
    """The regulator of a vehicle."""
    check_held_axes(onboard, "holds poses")
    check_valid_speeds(onboard)
    given = {
        "position": options.position_error,
        "heading": options.heading_error,
        "speed": options.speed_error,
        "wrench": options.wrench_share,
    }
    weights = QuadraticWeights()._replace(**{name: one.value for name, one in given.items() if one is not None})
    try:
        control = linear_quadratic_control(onboard.plant, onboard.period, weights, onboard.smoothing)
    except InputError as error:
        raise PartError(str(error), "position_error" if options.position_error else "part") from None
    except ValueError as error:
        raise PartError(f"no regulator stabilises the linearised vehicle: {error}.", "part") from None
    if not math.isfinite(control.gain.sum()):
        raise PartError("the vehicle has no finite inertia.", "part")
    most = options.max_error.value if options.max_error else LARGEST_ERROR
    return LinearQuadraticPart(replace(control, max_error=most), age_of(options.max_age))


LQR = PartKind("lqr", Role.CONTROL, LinearQuadraticOptions, make_linear_quadratic, takes=(POSE,))
