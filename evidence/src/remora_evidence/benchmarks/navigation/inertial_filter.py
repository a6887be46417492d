"""The filter of the benchmarks: 19 error coordinates, strapdown mechanisation, DVL, depth, attitude and SBL ranges.

State: position and attitude, velocity in N, biases of gyro and accelerometer, current, DVL scale, pressure bias.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from remora.equations.algebra.kinematics import to_body
from remora.equations.algebra.quaternions import normalize, product, rotation_in_body, rotation_matrix, turned_in_body
from remora.equations.algebra.vectors import matvec3
from remora.equations.instruments import attitude_angles, point_position, range_to_point, velocity_over_ground
from remora.files.arrays import Array
from remora.navigation.filters import AidingModel, Chart, ErrorStateFilter, compile_filter
from remora.navigation.filters.beliefs import Integers

STATES = 20
GRAVITY = 9.81
IDENTITY = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
DVL, PRESSURE, TRANSDUCER = (-0.4, 0.12, 0.35), (0.1, -0.2, 0.26), (-0.48, 0.31, -0.27)  # in B, m
# Surveyed transponders of the Falcon's tank, Proctor 2014, in N, m.
TRANSPONDERS = ((2.3653, -2.9915, 1.4906), (0.7572, 2.9798, 1.4311), (-0.6258, -2.2295, 1.4379), (3.78, 2.1843, 1.4161))
NOISE = (0.0,) * 3 + (1e-3,) * 3 + (0.03,) * 3 + (1e-5,) * 3 + (1e-4,) * 3 + (1e-3,) * 2 + (1e-6, 1e-5)
SIGMA = (0.1,) * 3 + (0.05,) * 3 + (0.1,) * 3 + (0.01,) * 3 + (0.05,) * 3 + (0.1,) * 2 + (1e-3, 0.01)
LATENCIES = {"dvl": 0.25, "attitude": 0.35, "sbl": 0.7}  # s, of the Falcon
RATES = {"dvl": 5, "depth": 20, "attitude": 10, "sbl": 1}  # Hz
IMU_RATE = 125


def plus(x: Any, d: Any) -> tuple[Any, ...]:
    """Right error of the attitude."""
    q = turned_in_body((x[3], x[4], x[5], x[6]), (d[3], d[4], d[5]))
    return (
        x[0] + d[0], x[1] + d[1], x[2] + d[2], q[0], q[1], q[2], q[3], x[7] + d[6], x[8] + d[7], x[9] + d[8],
        x[10] + d[9], x[11] + d[10], x[12] + d[11], x[13] + d[12], x[14] + d[13], x[15] + d[14], x[16] + d[15],
        x[17] + d[16], x[18] + d[17], x[19] + d[18],
    )  # fmt: skip


def minus(y: Any, x: Any) -> tuple[Any, ...]:
    """Inverse of `plus`."""
    e = rotation_in_body((y[3], y[4], y[5], y[6]), (x[3], x[4], x[5], x[6]))
    return (
        y[0] - x[0], y[1] - x[1], y[2] - x[2], e[0], e[1], e[2], y[7] - x[7], y[8] - x[8], y[9] - x[9], y[10] - x[10],
        y[11] - x[11], y[12] - x[12], y[13] - x[13], y[14] - x[14], y[15] - x[15], y[16] - x[16], y[17] - x[17],
        y[18] - x[18], y[19] - x[19],
    )  # fmt: skip


def process(x: Any, u: Any, dt: Any, row: Any) -> tuple[Any, ...]:
    """Strapdown mechanisation with the specific force in the attitude of the middle."""
    h = 0.5 * dt
    w, q = (u[0] - x[10], u[1] - x[11], u[2] - x[12]), (x[3], x[4], x[5], x[6])
    middle = normalize(product(q, (1.0, 0.5 * h * w[0], 0.5 * h * w[1], 0.5 * h * w[2])))
    end = normalize(product(q, (1.0, h * w[0], h * w[1], h * w[2])))
    a = matvec3(rotation_matrix(middle), (u[3] - x[13], u[4] - x[14], u[5] - x[15]))
    v = (x[7] + dt * a[0], x[8] + dt * a[1], x[9] + dt * (a[2] + row[0]))
    return (
        x[0] + h * (x[7] + v[0]), x[1] + h * (x[8] + v[1]), x[2] + h * (x[9] + v[2]), end[0], end[1], end[2], end[3],
        v[0], v[1], v[2], x[10], x[11], x[12], x[13], x[14], x[15], x[16], x[17], x[18], x[19],
    )  # fmt: skip


def dvl(x: Any, u: Any, row: Any) -> tuple[Any, ...]:
    """Velocity over ground with a scale error."""
    v = to_body((x[3], x[4], x[5], x[6]), (x[7], x[8], x[9]))
    z = velocity_over_ground((v[0], v[1], v[2], u[0] - x[10], u[1] - x[11], u[2] - x[12]), DVL, IDENTITY)
    scale = 1.0 + x[18]
    return (scale * z[0], scale * z[1], scale * z[2])


def depth(x: Any, u: Any, row: Any) -> tuple[Any, ...]:
    """Depth of the pressure sensor with a bias."""
    return (point_position((x[0], x[1], x[2]), (x[3], x[4], x[5], x[6]), PRESSURE)[2] + x[19],)


def attitude(x: Any, u: Any, row: Any) -> tuple[Any, ...]:
    """Roll, pitch and heading."""
    return attitude_angles((x[3], x[4], x[5], x[6]), (1.0, 0.0, 0.0, 0.0))


def ranges(x: Any, u: Any, row: Any) -> tuple[Any, ...]:
    """Ranges to the four transponders."""
    p, q = (x[0], x[1], x[2]), (x[3], x[4], x[5], x[6])
    return (
        range_to_point(p, q, TRANSDUCER, TRANSPONDERS[0]),
        range_to_point(p, q, TRANSDUCER, TRANSPONDERS[1]),
        range_to_point(p, q, TRANSDUCER, TRANSPONDERS[2]),
        range_to_point(p, q, TRANSDUCER, TRANSPONDERS[3]),
    )


AIDINGS = {
    "dvl": AidingModel(dvl, (0.04,) * 3, gate=0.9999999),
    "depth": AidingModel(depth, (0.0025,), gate=0.9999999),
    "attitude": AidingModel(attitude, (0.01,) * 3, (True,) * 3, gate=0.9999999),
    "sbl": AidingModel(ranges, (0.035,) * 4, gate=0.9999999),
}


def inertial_filter(lag: float = 1.0) -> ErrorStateFilter:
    """The compiled filter, for readings that are late by up to this many seconds."""
    return compile_filter(
        Chart(plus, minus), process, AIDINGS, states=STATES, noise=NOISE, inputs="imu", input_size=6,
        parameters=(GRAVITY,), lag=lag,
    )  # fmt: skip


def start_state() -> Array:
    """At rest, one metre deep."""
    state = np.zeros(STATES)
    state[2], state[3] = 1.0, 1.0
    return state


def turning_in_place(seconds: float, rates: Mapping[str, int], seed: int) -> dict[str, tuple[Integers, Array]]:
    """Noisy readings of a vehicle that turns at 0.1 rad/s without moving: stamps, ns, and values by sensor."""
    random, turn, count = np.random.default_rng(seed), 0.1, round(seconds * IMU_RATE)
    exact_imu = np.array([0.0, 0.0, turn, 0.0, 0.0, -GRAVITY])
    noise = np.array([1e-3] * 3 + [0.02] * 3) * IMU_RATE**0.5
    imu = exact_imu + noise * random.normal(size=(count, 6))
    series: dict[str, tuple[Integers, Array]] = {"imu": (np.arange(count) * 10**9 // IMU_RATE, imu)}
    for name, rate in rates.items():
        stamps = np.arange(1, round(seconds * rate)) * 10**9 // rate
        yaw, rest = 1e-9 * stamps * turn, np.zeros(len(stamps))
        state = [rest] * STATES
        state[2], state[3], state[6] = rest + 1.0, np.cos(0.5 * yaw), np.sin(0.5 * yaw)
        exact = AIDINGS[name].measure(tuple(state), exact_imu, (GRAVITY,))
        values = np.stack([rest + one for one in exact], axis=1)
        series[name] = (stamps, values + random.normal(size=values.shape) * AIDINGS[name].sigma)
    return series
