"""Charts, process and IMU models of the Falcon filters, with the plant inside.

Base: position, quaternion, twist, accelerometer bias, gyro bias. The additive filter takes differences, its quaternion
scaled to unit length. The error-state filters add an unmodelled force and torque in body axes, one of them the
effectiveness of five thrusters, another an oscillating force. Models are templates: `for_layout` fills in the layout of
a vehicle, which compiled code must know.
"""

from types import FunctionType
from typing import Any, NamedTuple

from remora.equations.algebra.quaternions import normalize
from remora.equations.algebra.vectors import ZERO3, ZERO6, add3, add6, subtract3, subtract6, vector3_at
from remora.equations.navigation.charts import heading_error, turned_level
from remora.equations.navigation.falcon_filter import (
    FORCE_ERROR_AT,
    FORCE_TIME_AT,
    GRAVITY_AT,
    IMU_AT,
    SLED_SIZE,
    TORQUE_ERROR_AT,
    body_of,
    matrix3_at,
    sled_compass,
    sled_pressure,
    sled_ranges,
    sled_velocity,
    wrench_growth,
)
from remora.equations.navigation.oscillating_force import (
    oscillated,
    oscillating_force,
    oscillation_minus,
    oscillation_plus,
)
from remora.equations.navigation.plant_motion import (
    plant_inertial_reading,
    plant_motion,
    squared_hydrodynamic_wrench,
    thrust_change_wrench,
    twist_of,
)
from remora.equations.navigation.process_models import decayed3
from remora.equations.packed import Layout, is_general
from remora.files.problems import InputError
from remora.navigation.filters.models import Chart, Measure, NoiseScale, Process
from remora.plant.layouts import basic_layout

MOTION_STATES, MOTION_ERRORS = 25, 24
THRUST_STATES, THRUST_ERRORS = 30, 29
OSCILLATING_STATES, OSCILLATING_ERRORS = 34, 33
LAYOUT: Any = None
ONES5 = (1.0,) * 5
ONES9 = (1.0,) * 9
ONES18 = (1.0,) * 18  # error coordinates before the unmodelled wrench


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
    """First nineteen numbers of a state moved by an error, of the attitude two tilts and a turn of the heading.

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


def biases_of(x: Any) -> Any:
    """Biases of accelerometer and gyro."""
    return (x[13], x[14], x[15], x[16], x[17], x[18])


def unmodelled_wrench(x: Any) -> Any:
    """Unmodelled force and torque."""
    return (x[19], x[20], x[21], x[22], x[23], x[24])


def kept_wrench(x: Any, dt: Any, row: Any) -> Any:
    """Unmodelled force and torque after a time: they decay."""
    rate = 1.0 / row[FORCE_TIME_AT]
    return decayed3((x[19], x[20], x[21]), rate, dt) + decayed3((x[22], x[23], x[24]), rate, dt)


def thrust_wrench(x: Any, u: Any, row: Any) -> Any:
    """Unmodelled wrench and the wrench of the lost thrust."""
    effectiveness = (x[25], x[26], x[27], x[28], x[29])
    lost = thrust_change_wrench(row[SLED_SIZE:], LAYOUT, u, twist_of(x), effectiveness)
    return add6(unmodelled_wrench(x), lost)


def oscillating_wrench(x: Any) -> Any:
    """Unmodelled and oscillating wrench."""
    return add6(unmodelled_wrench(x), oscillating_force(x) + ZERO3)


def additive_process(x: Any, u: Any, dt: Any, row: Any) -> Any:
    """Motion of the plant; constant biases."""
    return plant_motion(row[SLED_SIZE:], LAYOUT, body_of(x), u, ZERO6, dt) + biases_of(x)


def motion_process(x: Any, u: Any, dt: Any, row: Any) -> Any:
    """Motion of the plant with an unmodelled wrench, which decays."""
    body = plant_motion(row[SLED_SIZE:], LAYOUT, body_of(x), u, unmodelled_wrench(x), dt)
    return body + biases_of(x) + kept_wrench(x, dt, row)


def thrust_process(x: Any, u: Any, dt: Any, row: Any) -> Any:
    """The same with the effectiveness of the thrusters, which stays."""
    body = plant_motion(row[SLED_SIZE:], LAYOUT, body_of(x), u, thrust_wrench(x, u, row), dt)
    return body + biases_of(x) + kept_wrench(x, dt, row) + (x[25], x[26], x[27], x[28], x[29])


def oscillating_process(x: Any, u: Any, dt: Any, row: Any) -> Any:
    """The same as `motion_process` with an oscillating force."""
    body = plant_motion(row[SLED_SIZE:], LAYOUT, body_of(x), u, oscillating_wrench(x), dt)
    return body + biases_of(x) + kept_wrench(x, dt, row) + oscillated(x, dt)


def wrench_scale(x: Any, u: Any, row: Any, wrench: Any) -> Any:
    """Factors of the process noise up to the unmodelled wrench, which grows with the hydrodynamic one."""
    squares = squared_hydrodynamic_wrench(row[SLED_SIZE:], LAYOUT, body_of(x), u, wrench)
    return ONES18 + wrench_growth(squares, row[FORCE_ERROR_AT], row[TORQUE_ERROR_AT])


def motion_scale(x: Any, u: Any, dt: Any, row: Any) -> Any:
    """Factors of the process noise with an unmodelled wrench."""
    return wrench_scale(x, u, row, unmodelled_wrench(x))


def thrust_scale(x: Any, u: Any, dt: Any, row: Any) -> Any:
    """Factors of the process noise with an unmodelled wrench and the effectiveness of the thrusters."""
    return wrench_scale(x, u, row, thrust_wrench(x, u, row)) + ONES5


def oscillating_scale(x: Any, u: Any, dt: Any, row: Any) -> Any:
    """Factors of the process noise with an unmodelled and an oscillating force."""
    return wrench_scale(x, u, row, oscillating_wrench(x)) + ONES9


def imu_of(x: Any, u: Any, row: Any, wrench: Any) -> Any:
    """Specific force and turn rate with their biases."""
    place, axes = vector3_at(row, IMU_AT), matrix3_at(row, IMU_AT + 3)
    reading = plant_inertial_reading(row[SLED_SIZE:], LAYOUT, body_of(x), u, wrench, row[GRAVITY_AT], place, axes)
    return add6(reading, biases_of(x))


def additive_imu(x: Any, u: Any, row: Any) -> Any:
    """IMU of the additive filter."""
    return imu_of(x, u, row, ZERO6)


def motion_imu(x: Any, u: Any, row: Any) -> Any:
    """IMU with an unmodelled wrench."""
    return imu_of(x, u, row, unmodelled_wrench(x))


def thrust_imu(x: Any, u: Any, row: Any) -> Any:
    """IMU with an unmodelled wrench and lost thrust."""
    return imu_of(x, u, row, thrust_wrench(x, u, row))


def oscillating_imu(x: Any, u: Any, row: Any) -> Any:
    """IMU with an unmodelled and an oscillating force."""
    return imu_of(x, u, row, oscillating_wrench(x))


def pressure(x: Any, u: Any, row: Any) -> Any:
    """Gauge pressure, Pa."""
    return sled_pressure(x, row)


def compass(x: Any, u: Any, row: Any) -> Any:
    """Roll, pitch and heading, rad."""
    return sled_compass(x, row)


def dvl(x: Any, u: Any, row: Any) -> Any:
    """Velocity of the DVL, m/s."""
    return sled_velocity(x, row)


def sbl(x: Any, u: Any, row: Any) -> Any:
    """Ranges to the four stations, m."""
    return sled_ranges(x, row)


class LayoutModels(NamedTuple):
    """Models of a filter that depend on the layout of the vehicle."""

    process: Process
    imu: Measure
    scale: NoiseScale | None = None  # of the process noise


def for_layout(layout: Layout, models: LayoutModels) -> LayoutModels:
    """Models for vehicles of a layout, from templates.

    Raises an InputError for user-defined forces and for actuators with dynamics of their own.
    """
    refuse_layout(layout)
    names = {"LAYOUT": basic_layout(layout._replace(user_forms=0))}
    for template in (thrust_wrench, wrench_scale, imu_of):
        names[template.__name__] = _filled_in(template, names)
    scale = None if models.scale is None else _filled_in(models.scale, names)
    return LayoutModels(_filled_in(models.process, names), _filled_in(models.imu, names), scale)


def refuse_layout(layout: Layout) -> None:
    """Refuse a vehicle with more than plain thrusters."""
    if layout.user_forms or is_general(layout) or layout.fins:
        raise InputError(
            "the vehicle has user-defined forces, fins, motors, servos or moving masses: the Falcon filter takes "
            "vehicles with plain thrusters"
        ).about("vehicle")


def _filled_in(template: Any, names: dict[str, Any]) -> Any:
    return FunctionType(template.__code__, {**template.__globals__, **names}, template.__name__)
