"""Process and IMU models of the Falcon filters, with the plant inside.

Templates: `for_layout` fills in the layout of a vehicle, which compiled code must know.
"""

from types import FunctionType
from typing import Any

from remora.equations.algebra.vectors import ZERO3, ZERO6, add6, vector3_at
from remora.equations.navigation.falcon_filter import (
    FORCE_TIME_AT,
    GRAVITY_AT,
    IMU_AT,
    SLED_SIZE,
    body_of,
    matrix3_at,
    sled_compass,
    sled_pressure,
    sled_ranges,
    sled_velocity,
)
from remora.equations.navigation.oscillating_force import oscillated, oscillating_force
from remora.equations.navigation.plant_motion import (
    plant_inertial_reading,
    plant_motion,
    thrust_change_wrench,
    twist_of,
)
from remora.equations.navigation.process_models import decayed3
from remora.equations.packed import Layout, is_general
from remora.files.problems import InputError
from remora.kernels.layouts.layout_types import basic_layout
from remora.navigation.filters.models import Measure, Process

LAYOUT: Any = None


def biases_of(x: Any) -> Any:
    """Biases of accelerometer and gyro."""
    return (x[13], x[14], x[15], x[16], x[17], x[18])


def force_wrench(x: Any) -> Any:
    """Wrench of the unmodelled force."""
    return (x[19], x[20], x[21], 0.0, 0.0, 0.0)


def thrust_wrench(x: Any, u: Any, row: Any) -> Any:
    """Wrench of the unmodelled force and of the lost thrust."""
    effectiveness = (x[22], x[23], x[24], x[25], x[26])
    lost = thrust_change_wrench(row[SLED_SIZE:], LAYOUT, u, twist_of(x), effectiveness)
    return add6(force_wrench(x), lost)


def oscillating_wrench(x: Any) -> Any:
    """Wrench of the unmodelled force and of the oscillating one."""
    return add6(force_wrench(x), oscillating_force(x) + ZERO3)


def additive_process(x: Any, u: Any, dt: Any, row: Any) -> Any:
    """Motion of the plant; constant biases."""
    return plant_motion(row[SLED_SIZE:], LAYOUT, body_of(x), u, ZERO6, dt) + biases_of(x)


def motion_process(x: Any, u: Any, dt: Any, row: Any) -> Any:
    """Motion of the plant with an unmodelled force, which decays."""
    body = plant_motion(row[SLED_SIZE:], LAYOUT, body_of(x), u, force_wrench(x), dt)
    return body + biases_of(x) + decayed3((x[19], x[20], x[21]), 1.0 / row[FORCE_TIME_AT], dt)


def thrust_process(x: Any, u: Any, dt: Any, row: Any) -> Any:
    """The same with the effectiveness of the thrusters, which stays."""
    body = plant_motion(row[SLED_SIZE:], LAYOUT, body_of(x), u, thrust_wrench(x, u, row), dt)
    force = decayed3((x[19], x[20], x[21]), 1.0 / row[FORCE_TIME_AT], dt)
    return body + biases_of(x) + force + (x[22], x[23], x[24], x[25], x[26])


def oscillating_process(x: Any, u: Any, dt: Any, row: Any) -> Any:
    """The same as `motion_process` with an oscillating force."""
    body = plant_motion(row[SLED_SIZE:], LAYOUT, body_of(x), u, oscillating_wrench(x), dt)
    force = decayed3((x[19], x[20], x[21]), 1.0 / row[FORCE_TIME_AT], dt)
    return body + biases_of(x) + force + oscillated(x, dt)


def imu_of(x: Any, u: Any, row: Any, wrench: Any) -> Any:
    """Specific force and turn rate with their biases."""
    place, axes = vector3_at(row, IMU_AT), matrix3_at(row, IMU_AT + 3)
    reading = plant_inertial_reading(row[SLED_SIZE:], LAYOUT, body_of(x), u, wrench, row[GRAVITY_AT], place, axes)
    return add6(reading, biases_of(x))


def additive_imu(x: Any, u: Any, row: Any) -> Any:
    """IMU of the additive filter."""
    return imu_of(x, u, row, ZERO6)


def motion_imu(x: Any, u: Any, row: Any) -> Any:
    """IMU with an unmodelled force."""
    return imu_of(x, u, row, force_wrench(x))


def thrust_imu(x: Any, u: Any, row: Any) -> Any:
    """IMU with an unmodelled force and lost thrust."""
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


def for_layout(layout: Layout, process: Process, imu: Measure) -> tuple[Process, Measure]:
    """Process and IMU models for vehicles of a layout, from templates.

    Raises an InputError for user-defined forces and for actuators with dynamics of their own.
    """
    refuse_layout(layout)
    names = {"LAYOUT": basic_layout(layout._replace(user_forms=0))}
    for template in (thrust_wrench, imu_of):
        names[template.__name__] = _filled_in(template, names)
    return _filled_in(process, names), _filled_in(imu, names)


def refuse_layout(layout: Layout) -> None:
    """Refuse a vehicle with more than plain thrusters."""
    if layout.user_forms or is_general(layout) or layout.fins:
        raise InputError(
            "the vehicle has user-defined forces, fins, motors, servos or moving masses: the Falcon filter takes "
            "vehicles with plain thrusters"
        ).about("vehicle")


def _filled_in(template: Any, names: dict[str, Any]) -> Any:
    return FunctionType(template.__code__, {**template.__globals__, **names}, template.__name__)
