"""Minimum-jerk trajectories of scalars and attitudes, from the present to the desired value.

From rest to rest a blend follows s = 10 x^3 - 15 x^4 + 6 x^5 with x = t / T, with a peak rate of 1.875 d / T and a peak
acceleration of 5.774 d / T^2 (Flash and Hogan 1985). When the desired value changes during a blend, it restarts from
its present value, rate and acceleration, without a jump.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, final

from remora.equations.algebra.quaternions import conjugate, from_rotation_vector, product, to_rotation_vector
from remora.equations.algebra.vectors import ZERO3, add3, cross, scale3
from remora.equations.types import Quaternion, Vector3
from remora.files.units import SECOND

PEAK_RATE = 15.0 / 8.0
PEAK_ACCELERATION = 10.0 / math.sqrt(3.0)
GROWTH, ATTEMPTS = 1.1, 120  # factor on a duration beyond the limits, and the number of durations tried
SAMPLES = tuple(i / 32.0 for i in range(33))


class BlendLimits(NamedTuple):
    """Largest rate and acceleration, from which a blend takes its duration; per second and per second squared."""

    rate: float
    acceleration: float


class ScalarMotion(NamedTuple):
    """A scalar with its rate and acceleration."""

    value: float
    rate: float
    acceleration: float


def rest_to_rest_duration(distance: float, limits: BlendLimits) -> float:
    """Shortest duration of a change from rest to rest within limits of rate and acceleration, s."""
    size = abs(distance)
    return max(PEAK_RATE * size / limits.rate, math.sqrt(PEAK_ACCELERATION * size / limits.acceleration))


def blended(start: ScalarMotion, goal: float, duration: float, elapsed: float) -> ScalarMotion:
    """Quintic from a moving start to rest at the goal, a time in s after the start; s(x) when the start is at rest."""
    x = elapsed / duration if elapsed < duration else 1.0
    if x >= 1.0:
        return ScalarMotion(goal, 0.0, 0.0)
    d, v, a = goal - start.value, start.rate * duration, start.acceleration * duration * duration
    share, share_1, share_2 = shares(x)
    value = start.value + d * share[0] + v * share_1[0] + a * share_2[0]
    rate = d * share[1] + v * share_1[1] + a * share_2[1]
    acceleration = d * share[2] + v * share_1[2] + a * share_2[2]
    return ScalarMotion(value, rate / duration, acceleration / (duration * duration))


def shares(x: float) -> tuple[Vector3, Vector3, Vector3]:
    """Basis polynomials of distance, initial rate and initial acceleration at x = t / T, with two derivatives each."""
    y = 1.0 - x
    distance = (
        x * x * x * (10.0 - 15.0 * x + 6.0 * x * x),
        30.0 * x * x * y * y,
        60.0 * x * y * (1.0 - 2.0 * x),
    )
    rate = (
        x + x * x * x * (-6.0 + 8.0 * x - 3.0 * x * x),
        1.0 + x * x * (-18.0 + 32.0 * x - 15.0 * x * x),
        x * (-36.0 + 96.0 * x - 60.0 * x * x),
    )
    acceleration = (
        0.5 * x * x * y * y * y,
        x * y * y * (1.0 - 2.5 * x),
        1.0 + x * (-9.0 + 18.0 * x - 10.0 * x * x),
    )
    return distance, rate, acceleration


def fitting_duration(first: float, limits: BlendLimits, motion: Callable[[float, float], tuple[float, float]]) -> float:
    """The first of increasing durations whose rate and acceleration, by `motion(duration, x)`, stay within the limits.

    A start whose rate exceeds the limits, or is about to, cannot be brought back without a jump: then the duration with
    the smallest excess is returned.
    """
    best, best_excess, duration = first, math.inf, first
    for _ in range(ATTEMPTS):
        peaks = [motion(duration, x) for x in SAMPLES]
        excess = max(
            max(rate for rate, _ in peaks) / limits.rate,
            max(acceleration for _, acceleration in peaks) / limits.acceleration,
        )
        if excess < best_excess:
            best, best_excess = duration, excess
        if excess <= 1.0 + 1e-9:
            break
        duration *= GROWTH
    return best


class ScalarState(NamedTuple):
    """Start and goal of a scalar blend; the anchor is None before the first step."""

    anchor_ns: int | None
    start: ScalarMotion
    goal: float
    duration: float


@final
@dataclass(frozen=True)
class ScalarBlend:
    """Scalar reference that follows a desired value with minimum jerk.

    Parameters
    ----------
    duration
        Duration of each change, s; None takes it from the limits.
    limits
        Largest rate and acceleration; required without a duration.

    Raises
    ------
    ValueError
        When neither is given, or one is not positive.
    """

    duration: float | None = None
    limits: BlendLimits | None = None

    def __post_init__(self) -> None:
        _check(self.duration, self.limits)

    def initial(self) -> ScalarState:
        """Not yet anchored: the first step starts from the present value."""
        return ScalarState(None, ScalarMotion(0.0, 0.0, 0.0), 0.0, 1.0)

    def step(
        self, state: ScalarState, time_ns: int, desired: float, present: float
    ) -> tuple[ScalarState, ScalarMotion]:
        """The reference at a time; the present value matters at the first step only.

        Until there is a finite present value, the reference is the desired value. A desired value that is not finite
        is ignored.
        """
        if not math.isfinite(desired):
            desired = present if state.anchor_ns is None else state.goal
        if state.anchor_ns is None and not math.isfinite(present):
            return state, ScalarMotion(desired, 0.0, 0.0)
        if state.anchor_ns is None:
            state = self._anchored(time_ns, ScalarMotion(present, 0.0, 0.0), desired)
        elif desired != state.goal:
            now = blended(state.start, state.goal, state.duration, (time_ns - state.anchor_ns) / SECOND)
            state = self._anchored(time_ns, now, desired)
        assert state.anchor_ns is not None
        return state, blended(state.start, state.goal, state.duration, (time_ns - state.anchor_ns) / SECOND)

    def _anchored(self, time_ns: int, start: ScalarMotion, goal: float) -> ScalarState:
        return ScalarState(time_ns, start, goal, self._duration(start, goal))

    def _duration(self, start: ScalarMotion, goal: float) -> float:
        if self.duration is not None:
            return self.duration
        assert self.limits is not None
        rest = rest_to_rest_duration(goal - start.value, self.limits)
        if start.rate == 0.0 and start.acceleration == 0.0:
            return max(rest, 1e-9)

        def motion(duration: float, x: float) -> tuple[float, float]:
            at = blended(start, goal, duration, x * duration)
            return abs(at.rate), abs(at.acceleration)

        return fitting_duration(max(rest, abs(start.rate) / self.limits.acceleration, 1e-3), self.limits, motion)


class AttitudeMotion(NamedTuple):
    """An attitude and its angular velocity in its own axes."""

    q_NR: Quaternion
    w_NR_R: Vector3


class AttitudeState(NamedTuple):
    """Start and goal of an attitude blend; the anchor is None before the first step."""

    anchor_ns: int | None
    start: AttitudeMotion
    goal: Quaternion
    turn: Vector3  # rotation vector from start to goal, in axes of the start
    duration: float


@final
@dataclass(frozen=True)
class AttitudeBlend:
    """Attitude reference that follows a desired one by spherical interpolation (SLERP) with minimum jerk.

    A change during a blend keeps the present angular velocity. The parameters are those of `ScalarBlend`, in radians.
    """

    duration: float | None = None
    limits: BlendLimits | None = None

    def __post_init__(self) -> None:
        _check(self.duration, self.limits)

    def initial(self) -> AttitudeState:
        """Not yet anchored: the first step starts from the present attitude."""
        return AttitudeState(None, AttitudeMotion((1.0, 0.0, 0.0, 0.0), ZERO3), (1.0, 0.0, 0.0, 0.0), ZERO3, 1.0)

    def step(
        self, state: AttitudeState, time_ns: int, desired: Quaternion, present: Quaternion
    ) -> tuple[AttitudeState, AttitudeMotion]:
        """The reference at a time; the present attitude matters at the first step only. NaN as in `ScalarBlend`."""
        if not math.isfinite(sum(desired)):
            desired = present if state.anchor_ns is None else state.goal
        if state.anchor_ns is None and not math.isfinite(sum(present)):
            return state, AttitudeMotion(desired, ZERO3)
        if state.anchor_ns is None:
            state = self._anchored(time_ns, AttitudeMotion(present, ZERO3), desired)
        elif desired != state.goal:
            state = self._anchored(time_ns, self._at(state, time_ns), desired)
        return state, self._at(state, time_ns)

    def _anchored(self, time_ns: int, start: AttitudeMotion, goal: Quaternion) -> AttitudeState:
        turn = to_rotation_vector(product(conjugate(start.q_NR), goal))
        return AttitudeState(time_ns, start, goal, turn, self._duration(start.w_NR_R, turn))

    def _duration(self, w: Vector3, turn: Vector3) -> float:
        if self.duration is not None:
            return self.duration
        assert self.limits is not None
        rest = rest_to_rest_duration(math.hypot(*turn), self.limits)
        if w == ZERO3:
            return max(rest, 1e-9)

        def motion(duration: float, x: float) -> tuple[float, float]:
            distance, rate, _ = shares(x)
            turning = add3(scale3(distance[1] / duration, turn), scale3(rate[1], w))
            change = add3(scale3(distance[2] / duration**2, turn), scale3(rate[2] / duration, w))
            return math.hypot(*turning), math.hypot(*change)

        return fitting_duration(max(rest, math.hypot(*w) / self.limits.acceleration, 1e-3), self.limits, motion)

    @staticmethod
    def _at(state: AttitudeState, time_ns: int) -> AttitudeMotion:
        assert state.anchor_ns is not None
        elapsed, T = (time_ns - state.anchor_ns) / SECOND, state.duration
        if elapsed >= T:
            return AttitudeMotion(state.goal, ZERO3)
        distance, rate, _ = shares(elapsed / T)
        turned = scale3(distance[0], state.turn)
        turning = scale3(distance[1] / T, state.turn)
        if state.start.w_NR_R != ZERO3:
            turned = add3(turned, scale3(rate[0] * T, state.start.w_NR_R))
            turning = body_rate(turned, add3(turning, scale3(rate[1], state.start.w_NR_R)))
        return AttitudeMotion(product(state.start.q_NR, from_rotation_vector(turned)), turning)


def body_rate(turned: Vector3, turning: Vector3) -> Vector3:
    """Angular velocity in body axes of a changing rotation vector: right Jacobian times its rate."""
    angle = math.hypot(*turned)
    if angle < 1e-4:
        first, second = 0.5, 1.0 / 6.0
    else:
        first, second = (1.0 - math.cos(angle)) / angle**2, (angle - math.sin(angle)) / angle**3
    once = cross(turned, turning)
    return add3(turning, add3(scale3(-first, once), scale3(second, cross(turned, once))))


def _check(duration: float | None, limits: BlendLimits | None) -> None:
    if duration is None and limits is None:
        raise ValueError("a blend has neither a duration nor limits: give one of them")
    for name, value in (("duration", duration), *(limits._asdict().items() if limits else ())):
        if value is not None and not 0.0 < value < math.inf:
            raise ValueError(f"{name} of a blend is {value}: give a positive number")
