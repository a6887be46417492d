"""Gaps in the inertial readings: constant velocity and turn rate until they are back, with the noise of such motion.

The turn rate is the slope of the attitudes that the other sensors give. Readings since the start of a gap are filtered
with the wide noise until the whole gap has left the memory of the filter, so that late readings still find their place.
"""

import math
from collections.abc import Sequence
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
from remora.navigation.filters import Belief
from remora.navigation.filters.beliefs import FilterSnapshot
from remora.navigation.inertial.inertial_filter import COASTING_RATE, COASTING_TIME, InertialFilter, held_inputs
from remora.navigation.inertial.state_functions import pose, vector_of

GAP_NS = 200_000_000  # longest interval between two inertial readings that is integrated across
SLOPE_NS = 250_000_000  # time over which attitudes give a turn rate; chosen
LEAST_SPAN_NS = 100_000_000  # of these attitudes


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
    """A reading as the filter takes it; that of a velocity with the error of the turn rate at its lever arm."""
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
    """Least-squares slope of the last attitudes in body axes, rad/s; that of the held inputs where they are too few."""
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
