"""Charts of the states of the Falcon filters: additive with the quaternion scaled to unit length, and error states.

Base: position, quaternion, twist, accelerometer bias, gyro bias. The error-state filters add an unmodelled force and
torque in body axes, one of them the effectiveness of five thrusters, another an oscillating force.
"""

from typing import Any

from remora.equations.algebra.quaternions import normalize
from remora.equations.algebra.vectors import add3, add6, subtract3, subtract6
from remora.equations.navigation.charts import heading_error, turned_level
from remora.equations.navigation.oscillating_force import oscillation_minus, oscillation_plus
from remora.navigation.filters.models import Chart

MOTION_STATES, MOTION_ERRORS = 25, 24
THRUST_STATES, THRUST_ERRORS = 30, 29
OSCILLATING_STATES, OSCILLATING_ERRORS = 34, 33


def additive_plus(x: Any, d: Any) -> Any:
    """State moved by an additive error, its quaternion scaled to unit length.

    The slope of this normalisation is the projection I - s s^T, so it stands in every Jacobian and in the reset of the
    covariance: no reading can be explained by the length of the quaternion.
    """
    p = add3((x[0], x[1], x[2]), (d[0], d[1], d[2]))
    q = normalize((x[3] + d[3], x[4] + d[4], x[5] + d[5], x[6] + d[6]))
    twist = add6((x[7], x[8], x[9], x[10], x[11], x[12]), (d[7], d[8], d[9], d[10], d[11], d[12]))
    bias = add6((x[13], x[14], x[15], x[16], x[17], x[18]), (d[13], d[14], d[15], d[16], d[17], d[18]))
    return p + q + twist + bias


def additive_minus(y: Any, x: Any) -> Any:
    """Difference of two states, component by component."""
    p = subtract3((y[0], y[1], y[2]), (x[0], x[1], x[2]))
    q = (y[3] - x[3], y[4] - x[4], y[5] - x[5], y[6] - x[6])
    twist = subtract6((y[7], y[8], y[9], y[10], y[11], y[12]), (x[7], x[8], x[9], x[10], x[11], x[12]))
    bias = subtract6((y[13], y[14], y[15], y[16], y[17], y[18]), (x[13], x[14], x[15], x[16], x[17], x[18]))
    return p + q + twist + bias


def base_plus(x: Any, d: Any) -> Any:
    """First nineteen numbers of a state moved by an error; that of the attitude is two tilts and a turn of the heading.

    Before the first reading of the compass the heading is unknown. About a body axis its error would also tilt the
    vehicle, so that accelerometers would seem to observe it; about the vertical only compass and ranges do.
    """
    p = add3((x[0], x[1], x[2]), (d[0], d[1], d[2]))
    q = turned_level((x[3], x[4], x[5], x[6]), (d[3], d[4], d[5]))
    twist = add6((x[7], x[8], x[9], x[10], x[11], x[12]), (d[6], d[7], d[8], d[9], d[10], d[11]))
    bias = add6((x[13], x[14], x[15], x[16], x[17], x[18]), (d[12], d[13], d[14], d[15], d[16], d[17]))
    return p + q + twist + bias


def base_minus(y: Any, x: Any) -> Any:
    """Error of the first nineteen numbers: inverse of `base_plus`."""
    p = subtract3((y[0], y[1], y[2]), (x[0], x[1], x[2]))
    r = heading_error((y[3], y[4], y[5], y[6]), (x[3], x[4], x[5], x[6]))
    twist = subtract6((y[7], y[8], y[9], y[10], y[11], y[12]), (x[7], x[8], x[9], x[10], x[11], x[12]))
    bias = subtract6((y[13], y[14], y[15], y[16], y[17], y[18]), (x[13], x[14], x[15], x[16], x[17], x[18]))
    return p + r + twist + bias


def motion_plus(x: Any, d: Any) -> Any:
    """State with an unmodelled wrench, moved by an error."""
    wrench, error = (x[19], x[20], x[21], x[22], x[23], x[24]), (d[18], d[19], d[20], d[21], d[22], d[23])
    return base_plus(x, d) + add6(wrench, error)


def motion_minus(y: Any, x: Any) -> Any:
    """Error of a state with an unmodelled wrench."""
    wrench, reference = (y[19], y[20], y[21], y[22], y[23], y[24]), (x[19], x[20], x[21], x[22], x[23], x[24])
    return base_minus(y, x) + subtract6(wrench, reference)


def thrust_plus(x: Any, d: Any) -> Any:
    """State with force and effectiveness, moved by an error."""
    changed = (x[25] + d[24], x[26] + d[25], x[27] + d[26], x[28] + d[27], x[29] + d[28])
    return motion_plus(x, d) + changed


def thrust_minus(y: Any, x: Any) -> Any:
    """Error of a state with force and effectiveness."""
    changed = (y[25] - x[25], y[26] - x[26], y[27] - x[27], y[28] - x[28], y[29] - x[29])
    return motion_minus(y, x) + changed


def oscillating_plus(x: Any, d: Any) -> Any:
    """State with an oscillating force, moved by an error."""
    return motion_plus(x, d) + oscillation_plus(x, d)


def oscillating_minus(y: Any, x: Any) -> Any:
    """Error of a state with an oscillating force."""
    return motion_minus(y, x) + oscillation_minus(y, x)


ADDITIVE = Chart(additive_plus, additive_minus)
MOTION = Chart(motion_plus, motion_minus)
THRUST = Chart(thrust_plus, thrust_minus)
OSCILLATING = Chart(oscillating_plus, oscillating_minus)
