"""Gaps in the inertial readings: constant velocity and turn rate until they are back, with the noise of such motion.

The turn rate is the slope of the attitudes that the other sensors give. Readings since the start of a gap are filtered
with the wide noise until the whole gap has left the memory of the filter, so that late readings still find their place.
"""

from typing import NamedTuple

import numpy as np

from remora.equations.algebra.kinematics import to_body
from remora.equations.algebra.quaternions import conjugate, product
from remora.equations.algebra.vectors import Vector3, add3, cross
from remora.equations.navigation.charts import vector_from_rotation
from remora.messages.reading import Reading, Status, Values
from remora.navigation.filters import Belief
from remora.navigation.inertial.inertial_filter import InertialFilter, held_inputs
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


def coasting_input(made: InertialFilter, belief: Belief, stamp_ns: int) -> Reading:
    """Input of constant velocity and turn rate in body axes from a time on.

    Parameters
    ----------
    made
        The filter.
    belief
        Its estimate.
    stamp_ns
        The time, ns.
    """
    x, suite = tuple(belief.state.tolist()), made.suite
    here, w = pose(x), _turn_rate(made, belief)
    force: Values = ()
    if suite.inputs.driven_by == "imu":
        still = add3(to_body(here.q, (0.0, 0.0, -suite.gravity)), cross(w, to_body(here.q, here.v)))
        force = add3(still, vector_of(suite.layout, "accelerometer_bias")(x))
    turning = add3(w, vector_of(suite.layout, "gyro_bias")(x))
    return Reading(suite.inputs.name, stamp_ns, stamp_ns, Status.OK, (*force, *turning))


def _turn_rate(made: InertialFilter, belief: Belief) -> Vector3:
    """Least-squares slope of the last attitudes in body axes, rad/s; that of the held inputs where they are too few."""
    newest = belief.stamp_ns
    recent = [one for one in belief.snapshots if newest - one.last.valid_ns <= SLOPE_NS]
    attitudes = {one.last.valid_ns: pose(one.memory.tolist()).q for one in recent}  # the last at each time
    if len(attitudes) < 3 or newest - min(attitudes) < LEAST_SPAN_NS:
        w: Vector3 = made.rate(tuple(belief.state.tolist()), held_inputs(belief))
        return w
    times = 1e-9 * (np.array(list(attitudes)) - newest)
    back = conjugate(attitudes[newest])
    turns = np.array([vector_from_rotation(product(back, q)) for q in attitudes.values()])
    x, y, z = ((times - times.mean()) @ turns / np.sum((times - times.mean()) ** 2)).tolist()
    return (x, y, z)
