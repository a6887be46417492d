"""Gaps in the inertial readings: constant velocity and turn rate until they are back, with a growing covariance.

The covariance is widened at the oldest time that the filter remembers, and what it remembers is filtered again, so
that late readings still find their place.
"""

import math
from typing import NamedTuple

import numpy as np

from remora.equations.algebra.kinematics import to_body
from remora.equations.algebra.vectors import add3, cross
from remora.files.arrays import Array
from remora.messages.reading import Reading, Status, Values
from remora.navigation.filters import Belief
from remora.navigation.inertial.inertial_filter import InertialFilter
from remora.navigation.inertial.state_functions import pose, vector_of

GAP_NS = 200_000_000  # longest interval between two inertial readings that is integrated across
# Random walk of velocity and attitude during a gap; chosen: 0.3 m/s2 and 0.3 rad/s with a correlation of a second.
MOVING, TURNING = 0.3, 0.3  # m/s and rad per root second


class InputGap(NamedTuple):
    """A gap, until its uncertainty has been added in full."""

    until_ns: int | None  # None while it lasts
    added_ns: int  # up to which its uncertainty is in the covariance


def coasting_input(made: InertialFilter, belief: Belief, stamp_ns: int) -> Reading:
    """Input of constant velocity and turn rate in body axes from a time on; the turn rate is the last measured one.

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
    held, here = belief.inputs.tolist(), pose(x)
    force: Values = ()
    if suite.inputs.driven_by == "imu":
        turning = cross(made.rate(x, held), to_body(here.q, here.v))
        still = add3(to_body(here.q, (0.0, 0.0, -suite.gravity)), turning)
        force = add3(still, vector_of(suite.layout, "accelerometer_bias")(x))
    return Reading(suite.inputs.name, stamp_ns, stamp_ns, Status.OK, (*force, *held[-3:]))


def widened_over_gap(
    made: InertialFilter, belief: Belief, gap: InputGap, now_ns: int
) -> tuple[Belief, InputGap | None]:
    """The belief with the uncertainty of the part of a gap that left its memory; None once all of it has.

    Parameters
    ----------
    made
        The filter.
    belief
        Its estimate.
    gap
        The gap.
    now_ns
        Present time, ns.
    """
    end = now_ns if gap.until_ns is None else gap.until_ns
    reached = min(belief.snapshots[0].last.valid_ns, end)
    if reached > gap.added_ns:
        belief = made.filter.widened(belief, _sigma(made, reached - gap.added_ns))
        gap = gap._replace(added_ns=reached)
    is_over = gap.until_ns is not None and gap.added_ns >= gap.until_ns
    return belief, None if is_over else gap


def pending_variance(made: InertialFilter, gap: InputGap, now_ns: int) -> Array:
    """Covariance of the error coordinates that a gap adds up to now and that is not in the belief yet.

    Parameters
    ----------
    made
        The filter.
    gap
        The gap.
    now_ns
        Present time, ns.
    """
    end = now_ns if gap.until_ns is None else gap.until_ns
    return np.diag(_sigma(made, end - gap.added_ns) ** 2)


def coasting_noise(made: InertialFilter) -> Array:
    """Random walk of each error coordinate in a gap, per root second."""
    return np.hypot(made.suite.noise, _sigma(made, 1_000_000_000))


def _sigma(made: InertialFilter, elapsed_ns: int) -> Array:
    """Standard deviation that the error coordinates gain in a time."""
    sigma, root = np.zeros(made.suite.layout.states - 1), math.sqrt(1e-9 * elapsed_ns)
    sigma[3:6] = MOVING * root if made.suite.inputs.driven_by == "imu" else 0.0
    sigma[6:9] = TURNING * root
    return sigma
