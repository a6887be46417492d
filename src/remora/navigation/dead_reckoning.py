"""Dead reckoning: position from velocity over ground, between position fixes or without any.

Velocities come at their own stamps; between two of them the velocity in N is taken to be linear in time, after the last
one it is held. Position fixes correct the position at their own stamp, weighted by the variances of both.

The standard deviation of the horizontal position has a part that is independent from reading to reading (noise of the
velocity) and one that is not (bias and scale of the velocity, error of the heading), which grows with time and with the
distance travelled (Leonard and Bahr 2016, Autonomous Underwater Vehicle Navigation).
"""

import math
from dataclasses import dataclass
from typing import NamedTuple, final

from remora.equations.algebra.vectors import ZERO3, Vector3, add3, scale3, subtract3

SECOND = 1_000_000_000  # ns
LAUNCH_SIGMA = 0.1  # m, of the launch position unless stated
LOST_VELOCITY_SIGMA = 0.5  # m/s, of the held velocity while the instrument gives none


class VelocityErrors(NamedTuple):
    """One standard deviation of what is wrong with velocity and heading."""

    noise: float = 0.0  # m/s, independent from reading to reading
    noise_of_speed: float = 0.0  # share of the speed, likewise
    bias: float = 0.0  # m/s, constant
    scale: float = 0.0  # share of the speed, constant
    heading: float = 0.0  # rad, constant

    @property
    def per_metre(self) -> float:
        """Error per metre travelled, along and across the track together."""
        return math.hypot(self.scale, self.heading)


class Past(NamedTuple):
    """Where the vehicle was at the stamp of a velocity."""

    stamp_ns: int
    p_NB: Vector3


class ReckonedState(NamedTuple):
    """What dead reckoning remembers: position and its uncertainty at the stamp of the last velocity."""

    stamp_ns: int
    p_NB: Vector3  # m
    v_N: Vector3 | None  # m/s, of the last velocity; None before the first
    variance: float  # m2, of launch position, noise and fixes
    distance: float  # m, travelled since the last fix, in which constant errors grow
    duration: float  # s, since the last fix
    trail: tuple[Past, ...] = ()  # as far back as a fix may be late


@final
@dataclass(frozen=True)
class DeadReckoning:
    """Carries a position on by velocities, and corrects it by fixes. All functions give a new state."""

    errors: VelocityErrors
    largest_gap_ns: int = SECOND  # between velocities; beyond it the velocity counts as lost
    latest_fix_ns: int = 0  # how late a fix may be and still be placed exactly

    def launched(self, time_ns: int, p_NB: Vector3, sigma: float = LAUNCH_SIGMA) -> ReckonedState:
        """At a known place, before the first velocity."""
        return ReckonedState(time_ns, p_NB, None, sigma * sigma, 0.0, 0.0)

    def moved(self, state: ReckonedState, stamp_ns: int, v_N: Vector3) -> ReckonedState:
        """With a velocity over ground measured at a stamp; one that is older than the last is ignored."""
        gap_ns = stamp_ns - state.stamp_ns
        if gap_ns < 0 or (gap_ns == 0 and state.v_N is not None) or not math.isfinite(sum(v_N)):
            return state
        gap, before = gap_ns / SECOND, v_N if state.v_N is None else state.v_N
        mean = scale3(0.5, add3(before, v_N))
        p_NB = add3(state.p_NB, scale3(gap, mean))
        oldest = stamp_ns - self.latest_fix_ns
        trail = tuple(past for past in state.trail if past.stamp_ns >= oldest - self.largest_gap_ns)
        return ReckonedState(
            stamp_ns,
            p_NB,
            v_N,
            state.variance + self._noise(gap_ns, mean),
            state.distance + gap * math.hypot(*mean),
            state.duration + gap,
            (*trail, Past(stamp_ns, p_NB)) if self.latest_fix_ns > 0 else (),
        )

    def fixed(self, state: ReckonedState, stamp_ns: int, p_fix: Vector3, sigma: float) -> ReckonedState:
        """With a position fix measured at a stamp; a depth that is no number corrects nothing."""
        if not math.isfinite(p_fix[0] + p_fix[1]):
            return state
        state = self._resumed(state, stamp_ns)
        variance = self._variance(state)
        share = 1.0 if sigma == 0.0 else variance / (variance + sigma * sigma)
        was = self._place_at(state, stamp_ns)
        x, y, z = (share * d if math.isfinite(d) else 0.0 for d in subtract3(p_fix, was))
        left, shift = 1.0 - share, (x, y, z)
        # What is left of errors that persist is the same share of their size.
        kept = left * left * state.variance + share * share * sigma * sigma
        moved = tuple(past._replace(p_NB=add3(past.p_NB, shift)) for past in state.trail)
        return ReckonedState(
            state.stamp_ns,
            add3(state.p_NB, shift),
            state.v_N,
            kept,
            left * state.distance,
            left * state.duration,
            moved,
        )

    def now(self, state: ReckonedState, time_ns: int) -> tuple[Vector3, float]:
        """Position at a time after the last velocity, and the standard deviation of each horizontal component."""
        ahead_ns = time_ns - state.stamp_ns
        v_N = ZERO3 if state.v_N is None else state.v_N
        lost = self._noise(ahead_ns, ZERO3) if ahead_ns > self.largest_gap_ns else 0.0
        return add3(state.p_NB, scale3(ahead_ns / SECOND, v_N)), math.sqrt(self._variance(state) + lost)

    def _noise(self, gap_ns: int, mean: Vector3) -> float:
        """Variance that one reading adds, or the gap in which there was none."""
        gap = gap_ns / SECOND
        if gap_ns > self.largest_gap_ns:
            return (LOST_VELOCITY_SIGMA * gap) ** 2
        return float(gap * gap * (self.errors.noise**2 + (self.errors.noise_of_speed * math.hypot(*mean)) ** 2))

    def _resumed(self, state: ReckonedState, stamp_ns: int) -> ReckonedState:
        """The state at a stamp so long after the last velocity that it is lost; else the same."""
        gap_ns = stamp_ns - state.stamp_ns
        if gap_ns <= self.largest_gap_ns:
            return state
        place, variance = self.now(state, stamp_ns)[0], state.variance + self._noise(gap_ns, ZERO3)
        return state._replace(stamp_ns=stamp_ns, p_NB=place, variance=variance, trail=())

    def _variance(self, state: ReckonedState) -> float:
        grown = math.hypot(self.errors.per_metre * state.distance, self.errors.bias * state.duration)
        return state.variance + grown * grown

    def _place_at(self, state: ReckonedState, stamp_ns: int) -> Vector3:
        """Where the vehicle was at a stamp: on the line between two velocities, or ahead of the last."""
        if stamp_ns >= state.stamp_ns or len(state.trail) < 2:
            return self.now(state, stamp_ns)[0]
        later = next(i for i, past in enumerate(state.trail) if past.stamp_ns > stamp_ns)
        one, two = state.trail[max(later - 1, 0)], state.trail[max(later, 1)]
        share = (stamp_ns - one.stamp_ns) / (two.stamp_ns - one.stamp_ns)
        return add3(one.p_NB, scale3(share, subtract3(two.p_NB, one.p_NB)))
