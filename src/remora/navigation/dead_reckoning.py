"""Dead reckoning: position from velocity over ground, between position fixes or without any.

The velocity in N is interpolated linearly between the stamps of its readings and held after the last one (zero-order
hold). A position fix corrects the position at the stamp of the fix, weighted by the variances of both.

The standard deviation of the horizontal position has a white part (noise of the velocity readings) and a systematic
part (bias and scale of the velocity, heading error), which grows with time and distance travelled (Leonard and Bahr
2016, Autonomous Underwater Vehicle Navigation).
"""

import math
from dataclasses import dataclass
from typing import NamedTuple, final

from remora.equations.algebra.vectors import ZERO3, add3, scale3, subtract3
from remora.equations.types import Vector3
from remora.files.units import SECOND

LAUNCH_SIGMA = 0.1  # m, default for the launch position
LOST_VELOCITY_SIGMA = 0.5  # m/s, of the held velocity during a dropout


class VelocityErrors(NamedTuple):
    """Standard deviations of the errors of velocity and heading."""

    noise: float = 0.0  # m/s, independent from reading to reading
    noise_of_speed: float = 0.0  # fraction of the speed, independent from reading to reading
    bias: float = 0.0  # m/s, constant
    scale: float = 0.0  # fraction of the speed, constant
    heading: float = 0.0  # rad, constant

    @property
    def per_metre(self) -> float:
        """Error per metre travelled, along-track and cross-track combined."""
        return math.hypot(self.scale, self.heading)


class PastPosition(NamedTuple):
    """Position at the stamp of an earlier velocity."""

    stamp_ns: int
    p_NB: Vector3


class DeadReckoningState(NamedTuple):
    """State of dead reckoning: position and its uncertainty at the stamp of the last velocity."""

    stamp_ns: int
    p_NB: Vector3  # m
    v_N: Vector3 | None  # m/s, of the last velocity; None before the first
    variance: float  # m2, from launch position, velocity noise and fixes
    distance: float  # m, travelled since the last fix; systematic errors grow with it
    duration: float  # s, since the last fix
    history: tuple[PastPosition, ...] = ()  # covers the largest delay of a fix


@final
@dataclass(frozen=True)
class DeadReckoning:
    """Position from integrated velocities, corrected by fixes. Every method returns a new state."""

    errors: VelocityErrors
    largest_gap_ns: int = SECOND  # between velocities; a longer gap is a dropout
    latest_fix_ns: int = 0  # largest delay at which a fix is compared with the position at its stamp

    def initial(self, time_ns: int, p_NB: Vector3, sigma: float = LAUNCH_SIGMA) -> DeadReckoningState:
        """State at a known launch position, before the first velocity."""
        return DeadReckoningState(time_ns, p_NB, None, sigma * sigma, 0.0, 0.0)

    def propagate(self, state: DeadReckoningState, stamp_ns: int, v_N: Vector3) -> DeadReckoningState:
        """Integrate a velocity over ground up to its stamp; one older than the last is ignored."""
        gap_ns = stamp_ns - state.stamp_ns
        if gap_ns < 0 or (gap_ns == 0 and state.v_N is not None) or not math.isfinite(sum(v_N)):
            return state
        gap, before = gap_ns / SECOND, v_N if state.v_N is None else state.v_N
        mean = scale3(0.5, add3(before, v_N))
        p_NB = add3(state.p_NB, scale3(gap, mean))
        oldest = stamp_ns - self.latest_fix_ns
        history = tuple(past for past in state.history if past.stamp_ns >= oldest - self.largest_gap_ns)
        return DeadReckoningState(
            stamp_ns,
            p_NB,
            v_N,
            state.variance + self._added_variance(gap_ns, mean),
            state.distance + gap * math.hypot(*mean),
            state.duration + gap,
            (*history, PastPosition(stamp_ns, p_NB)) if self.latest_fix_ns > 0 else (),
        )

    def correct(self, state: DeadReckoningState, stamp_ns: int, p_fix: Vector3, sigma: float) -> DeadReckoningState:
        """Correct the position by a fix measured at a stamp; a depth that is NaN is left uncorrected."""
        if not math.isfinite(p_fix[0] + p_fix[1]):
            return state
        state = self._after_gap(state, stamp_ns)
        variance = self._variance(state)
        share = 1.0 if sigma == 0.0 else variance / (variance + sigma * sigma)
        was = self._past_position(state, stamp_ns)
        x, y, z = (share * d if math.isfinite(d) else 0.0 for d in subtract3(p_fix, was))
        left, shift = 1.0 - share, (x, y, z)
        # Systematic errors shrink by the same factor.
        kept = left * left * state.variance + share * share * sigma * sigma
        moved = tuple(past._replace(p_NB=add3(past.p_NB, shift)) for past in state.history)
        return DeadReckoningState(
            state.stamp_ns,
            add3(state.p_NB, shift),
            state.v_N,
            kept,
            left * state.distance,
            left * state.duration,
            moved,
        )

    def position_at(self, state: DeadReckoningState, time_ns: int) -> tuple[Vector3, float]:
        """Extrapolated position at a time, and the standard deviation of each horizontal component."""
        ahead_ns = time_ns - state.stamp_ns
        v_N = ZERO3 if state.v_N is None else state.v_N
        lost = self._added_variance(ahead_ns, ZERO3) if ahead_ns > self.largest_gap_ns else 0.0
        return add3(state.p_NB, scale3(ahead_ns / SECOND, v_N)), math.sqrt(self._variance(state) + lost)

    def _added_variance(self, gap_ns: int, mean: Vector3) -> float:
        """Variance added by one reading, or by a dropout."""
        gap = gap_ns / SECOND
        if gap_ns > self.largest_gap_ns:
            return (LOST_VELOCITY_SIGMA * gap) ** 2
        return float(gap * gap * (self.errors.noise**2 + (self.errors.noise_of_speed * math.hypot(*mean)) ** 2))

    def _after_gap(self, state: DeadReckoningState, stamp_ns: int) -> DeadReckoningState:
        """State at the end of a dropout; unchanged when there was none."""
        gap_ns = stamp_ns - state.stamp_ns
        if gap_ns <= self.largest_gap_ns:
            return state
        place, variance = self.position_at(state, stamp_ns)[0], state.variance + self._added_variance(gap_ns, ZERO3)
        return state._replace(stamp_ns=stamp_ns, p_NB=place, variance=variance, history=())

    def _variance(self, state: DeadReckoningState) -> float:
        grown = math.hypot(self.errors.per_metre * state.distance, self.errors.bias * state.duration)
        return state.variance + grown * grown

    def _past_position(self, state: DeadReckoningState, stamp_ns: int) -> Vector3:
        """Position at a stamp, interpolated between velocities or extrapolated from the last one."""
        if stamp_ns >= state.stamp_ns or len(state.history) < 2:
            return self.position_at(state, stamp_ns)[0]
        later = next(i for i, past in enumerate(state.history) if past.stamp_ns > stamp_ns)
        one, two = state.history[max(later - 1, 0)], state.history[max(later, 1)]
        share = (stamp_ns - one.stamp_ns) / (two.stamp_ns - one.stamp_ns)
        return add3(one.p_NB, scale3(share, subtract3(two.p_NB, one.p_NB)))
