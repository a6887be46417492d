"""Gaps in the inertial readings: constant velocity and turn rate until they are back, with the noise of such motion.

The turn rate is the slope of the attitudes that the other sensors give. Readings since the start of a gap are filtered
with the wide noise until the whole gap has left the memory of the filter, so that late readings still find their place.
Recorded readings are filtered piece by piece, in a gap at their stamps.
"""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from remora.equations.algebra.kinematics import to_body
from remora.equations.algebra.quaternions import conjugate, product
from remora.equations.algebra.vectors import add3, cross
from remora.equations.navigation.charts import vector_from_rotation
from remora.equations.types import Vector3
from remora.files.arrays import Array
from remora.messages.estimate import Estimate
from remora.messages.reading import Reading, Status, Values
from remora.navigation.filters import Belief, ErrorStateFilter, FilterRun, run
from remora.navigation.filters.beliefs import FilterSnapshot
from remora.navigation.filters.trajectory import InnovationSeries
from remora.navigation.inertial.inertial_filter import COASTING_RATE, COASTING_TIME, InertialFilter, held_inputs
from remora.navigation.inertial.state_functions import pose, vector_of

GAP_NS = 200_000_000  # longest interval between two inertial readings that is integrated across
SLOPE_NS = 250_000_000  # time over which attitudes give a turn rate; chosen
LEAST_SPAN_NS = 100_000_000  # of these attitudes
PIECE_NS = 100_000_000  # after which the velocity that is held is taken from the estimate again


class InputGap(NamedTuple):
    """A gap, until it has left the memory of the filter."""

    until_ns: int | None  # None while it lasts

    def is_over(self, belief: Belief) -> bool:
        """Whether a belief remembers nothing of it."""
        return self.until_ns is not None and belief.snapshots[0].last.valid_ns >= self.until_ns


def coasting_input(
    made: InertialFilter, belief: Belief, stamp_ns: int, earlier: Sequence[FilterSnapshot] = ()
) -> Reading:
    """Input of constant velocity and turn rate in body axes from a time on.

    `earlier` are estimates before the memory of the belief.
    """
    x, suite = tuple(belief.state.tolist()), made.suite
    here, w = pose(x), _turn_rate(made, belief, earlier)
    force: Values = ()
    if suite.inputs.driven_by == "imu":
        still = add3(to_body(here.q, (0.0, 0.0, -suite.gravity)), cross(w, to_body(here.q, here.v)))
        force = add3(still, vector_of(suite.layout, "accelerometer_bias")(x))
    turning = add3(w, vector_of(suite.layout, "gyro_bias")(x))
    return Reading(suite.inputs.name, stamp_ns, stamp_ns, Status.OK, (*force, *turning))


def coasting_reading(made: InertialFilter, reading: Reading) -> Reading:
    """A reading as the filter takes it; a velocity with the error of the turn rate at its lever arm."""
    sensor = next((one for one in made.suite.aidings if one.name == reading.sensor), None)
    if sensor is None or sensor.role not in ("velocity", "water"):
        return reading
    r, axes, size = np.array(sensor.numbers[:3]), np.reshape(sensor.numbers[3:12], (3, 3)), len(sensor.sigma)
    if beams := sensor.numbers[12:]:
        axes = axes @ np.reshape(beams, (-1, 3)).T
    more = turn_rate_sigma(made) * _across(r, axes)
    end = size + len(more)
    wide = np.hypot(reading.values[size:end], more).tolist()
    return reading._replace(values=(*reading.values[:size], *wide, *reading.values[end:]))


def coasting_estimate(made: InertialFilter, estimate: Estimate) -> Estimate:
    """An estimate of B with the error of the turn rate at the place of the inertial unit."""
    more = turn_rate_sigma(made) * _across(np.array(made.suite.inputs.p_BI), np.eye(3))
    x, y, z = np.hypot(estimate.sigma_v_B, more).tolist()
    return estimate._replace(sigma_v_B=(x, y, z))


def _across(r: Array, axes: Array) -> Array:
    """Lengths of a lever arm across each column of axes, m."""
    return np.sqrt(np.maximum(0.0, r @ r - (r @ axes) ** 2))


def turn_rate_sigma(made: InertialFilter) -> float:
    """Standard deviation of the turn rate in a gap, rad/s.

    Noise of the attitudes in their slope, and the change of the rate of the chosen motion since the middle of these: a
    Gauss-Markov process. Where attitudes are too rare for a slope, the rate before the gap has nothing to do with it.
    """
    sensor = made.suite.aiding("attitude")
    count = 1 + SLOPE_NS // sensor.period_ns if sensor is not None else 0
    if sensor is None or count < 3:
        return math.sqrt(2.0) * COASTING_RATE
    spread = (1e-9 * sensor.period_ns) ** 2 * count * (count**2 - 1) / 12.0
    changed = 2.0 * COASTING_RATE**2 / COASTING_TIME * 1e-9 * (SLOPE_NS / 3.0 + LEAST_SPAN_NS)
    return math.sqrt(max(sensor.sigma) ** 2 / spread + changed)


def _turn_rate(made: InertialFilter, belief: Belief, earlier: Sequence[FilterSnapshot]) -> Vector3:
    """Least-squares slope of the last attitudes in body axes, rad/s; the held turn rate where they are too few."""
    newest = belief.stamp_ns
    recent = [one for one in (*earlier, *belief.snapshots) if newest - one.last.valid_ns <= SLOPE_NS]
    attitudes = {one.last.valid_ns: pose(one.memory.tolist()).q for one in recent}  # the last at each time
    if len(attitudes) < 3 or newest - min(attitudes) < LEAST_SPAN_NS:
        w: Vector3 = made.rate(tuple(belief.state.tolist()), held_inputs(belief))
        return w
    times = 1e-9 * (np.array(list(attitudes)) - newest)
    back = conjugate(attitudes[newest])
    turns = np.array([vector_from_rotation(product(back, q)) for q in attitudes.values()])
    x, y, z = ((times - times.mean()) @ turns / np.sum((times - times.mean()) ** 2)).tolist()
    return (x, y, z)


class RecordedGap(NamedTuple):
    """A gap between two inertial readings."""

    from_ns: int
    until_ns: int


class RecordPiece(NamedTuple):
    """Readings of an interval of stamps, its end included."""

    from_ns: int
    until_ns: int
    is_gap: bool


def run_across_gaps(
    made: InertialFilter, belief: Belief, events: Sequence[Reading], gaps: Sequence[RecordedGap], apart: float
) -> FilterRun:
    """Estimates from readings in order of arrival, with covariances; in a gap, readings are taken in at their stamps.

    Inputs and readings are as the filter takes them; `apart` is the shortest time between two estimates, s.
    """
    if not gaps:
        return run(made.filter, belief, events, apart=apart, covariances=True)
    found, stamps = [], np.array([event.stamp_ns for event in events])
    earlier: list[FilterSnapshot] = []
    for piece in _pieces(gaps, belief.stamp_ns, int(stamps.max(initial=0))):
        rows = np.flatnonzero((stamps > piece.from_ns) & (stamps <= piece.until_ns)).tolist()
        given = [events[i] for i in rows]
        if piece.is_gap:
            given = [coasting_reading(made, one) for one in sorted(given, key=lambda event: event.stamp_ns)]
            given.insert(0, coasting_input(made, belief, piece.from_ns, earlier))
        found.append(_taken_in(made.coasting if piece.is_gap else made.filter, belief, given, apart))
        earlier = [one for one in (*earlier, *belief.snapshots) if belief.stamp_ns - one.last.valid_ns <= SLOPE_NS]
        belief = found[-1].belief
    return _joined(found, round(1e9 * apart))


def _pieces(gaps: Sequence[RecordedGap], start_ns: int, last_ns: int) -> Iterator[RecordPiece]:
    """Intervals between the gaps, and the gaps in short pieces; the first begins before the start."""
    start_ns -= 1
    for gap in gaps:
        yield RecordPiece(start_ns, gap.from_ns, False)
        for begin in range(gap.from_ns, gap.until_ns, PIECE_NS):
            yield RecordPiece(begin, min(begin + PIECE_NS, gap.until_ns), True)
        start_ns = gap.until_ns
    if start_ns < last_ns:
        yield RecordPiece(start_ns, last_ns, False)


def _taken_in(used: ErrorStateFilter, belief: Belief, events: Sequence[Reading], apart: float) -> FilterRun:
    """A run that never goes back to readings before it, which were filtered with another noise."""
    return run(used, used.restarted(belief, belief.stamp_ns), events, apart=apart, covariances=True)


def _joined(found: Sequence[FilterRun], apart_ns: int) -> FilterRun:
    """Runs one after the other as one."""
    stamps = np.concatenate([one.stamps_ns for one in found])
    kept: list[int] = []
    for i, time in enumerate(stamps.tolist()):
        if not kept or time - stamps[kept[-1]] >= apart_ns:
            kept.append(i)
    states, sigma, memories = (
        np.concatenate([getattr(one, name) for one in found])[kept] for name in ("states", "sigma", "memories")
    )
    innovations = {
        name: InnovationSeries(*map(np.concatenate, zip(*(one.innovations[name] for one in found), strict=True)))
        for name in found[0].innovations
    }
    return FilterRun(stamps[kept], states, sigma, innovations, found[-1].belief, memories, found[0].sizes)
