"""Sensors of the Falcon's navigation sled as its filters predict them. Proctor 2014, chapter 4 and appendix E.

The state begins with position, quaternion, twist and the biases of accelerometer (m/s2) and gyro (rad/s). A row holds
gravity, latitude and depth of the surface, correlation time of the unmodelled wrench and relative errors of the
hydrodynamic one, the mounts of the sensors and the stations of the short-baseline array; the packed vehicle follows.
"""

from remora.equations.algebra.elementary import sqrt
from remora.equations.algebra.quaternions import to_euler_zyx
from remora.equations.algebra.vectors import vector3_at
from remora.equations.instruments.bearing import range_to_point
from remora.equations.instruments.doppler import velocity_over_ground
from remora.equations.instruments.inertial import point_position
from remora.equations.instruments.pressure import pressure_at_depth
from remora.equations.navigation.plant_motion import twist_of
from remora.equations.types import BodyState, Matrix3, Numbers, Quaternion, Vector3, Vector6

STATES = 19
GRAVITY_AT, LATITUDE_AT, SURFACE_AT, FORCE_TIME_AT = 0, 1, 2, 3
FORCE_ERROR_AT, TORQUE_ERROR_AT = 4, 5  # relative error of coefficients over force and torque at rest: 1/N, 1/(N m)
IMU_AT = 6  # position, then axes by rows
PRESSURE_AT = 18
DVL_AT = 21
ROVER_AT = 33
STATIONS_AT, STATIONS = 36, 4
SLED_SIZE = STATIONS_AT + 3 * STATIONS

Ranges = tuple[float, float, float, float]


def matrix3_at(row: Numbers, k: int) -> Matrix3:
    """A 3x3 matrix by rows."""
    return (vector3_at(row, k), vector3_at(row, k + 3), vector3_at(row, k + 6))


def body_of(state: Numbers) -> BodyState:
    """Position, quaternion and twist of a state."""
    return (
        state[0], state[1], state[2], state[3], state[4], state[5], state[6],
        state[7], state[8], state[9], state[10], state[11], state[12],
    )  # fmt: skip


def position_of(state: Numbers) -> Vector3:
    """Position of a state in N, m."""
    return (state[0], state[1], state[2])


def attitude_of(state: Numbers) -> Quaternion:
    """Attitude q_NB of a state."""
    return (state[3], state[4], state[5], state[6])


def sled_pressure(state: Numbers, row: Numbers) -> tuple[float]:
    """Gauge pressure, Pa. Proctor 2014, eqs. 4.6 and 4.7."""
    place = point_position(position_of(state), attitude_of(state), vector3_at(row, PRESSURE_AT))
    return (pressure_at_depth(place[2] - row[SURFACE_AT], row[LATITUDE_AT]),)


def sled_compass(state: Numbers, row: Numbers) -> Vector3:
    """Roll, pitch and heading, rad. Proctor 2014, eq. 4.12 with the signs of eqs. D.6 to D.8."""
    return to_euler_zyx(attitude_of(state))


def sled_velocity(state: Numbers, row: Numbers) -> Vector3:
    """Velocity of the DVL over ground in its axes, m/s. Proctor 2014, eq. 4.13."""
    return velocity_over_ground(twist_of(state), vector3_at(row, DVL_AT), matrix3_at(row, DVL_AT + 3))


def sled_ranges(state: Numbers, row: Numbers) -> Ranges:
    """Ranges from the rover to the four stations, m. Proctor 2014, eq. 4.15."""
    p_NB, q_NB, p_BS = position_of(state), attitude_of(state), vector3_at(row, ROVER_AT)
    return (
        range_to_point(p_NB, q_NB, p_BS, vector3_at(row, STATIONS_AT)),
        range_to_point(p_NB, q_NB, p_BS, vector3_at(row, STATIONS_AT + 3)),
        range_to_point(p_NB, q_NB, p_BS, vector3_at(row, STATIONS_AT + 6)),
        range_to_point(p_NB, q_NB, p_BS, vector3_at(row, STATIONS_AT + 9)),
    )


def wrench_growth(squares: Vector6, force_error: float, torque_error: float) -> Vector6:
    """Standard deviation of the unmodelled force and torque of each axis over that at rest.

    `squares` is the sum of the squared hydrodynamic terms, N2 and N2 m2 in body axes; the errors are relative standard
    deviations of their coefficients over the ones of force and torque at rest, 1/N and 1/(N m).
    """
    f, t = force_error * force_error, torque_error * torque_error
    return (
        sqrt(1.0 + f * squares[0]), sqrt(1.0 + f * squares[1]), sqrt(1.0 + f * squares[2]),
        sqrt(1.0 + t * squares[3]), sqrt(1.0 + t * squares[4]), sqrt(1.0 + t * squares[5]),
    )  # fmt: skip
