"""A small inertial filter: position, attitude, velocity in N and gyro bias, with DVL, depth and attitude readings."""

import numpy as np

from remora.equations.algebra.kinematics import to_body
from remora.equations.algebra.quaternions import (
    normalize,
    product,
    rotation_in_body,
    rotation_in_N,
    rotation_matrix,
    small_rotation,
    turned_in_body,
    turned_in_N,
)
from remora.equations.algebra.vectors import matvec3
from remora.equations.instruments import attitude_angles, length3, velocity_over_ground
from remora.messages.reading import Reading, Status
from remora.navigation.filters import AidingModel, Chart, compile_filter

IDENTITY = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
GRAVITY = 9.81
STATES, ERRORS = 13, 12
LEVER = (0.4, -0.1, 0.2)  # of the DVL, m
BEACON = (30.0, -20.0, 5.0)  # in N, m


def moved(x, d, q):
    """The state with its vectors moved by an error and this attitude."""
    return (
        x[0] + d[0], x[1] + d[1], x[2] + d[2], q[0], q[1], q[2], q[3], x[7] + d[6], x[8] + d[7], x[9] + d[8],
        x[10] + d[9], x[11] + d[10], x[12] + d[11],
    )  # fmt: skip


def apart(y, x, e):
    """The error of a state with this error of its attitude."""
    return (
        y[0] - x[0], y[1] - x[1], y[2] - x[2], e[0], e[1], e[2], y[7] - x[7], y[8] - x[8], y[9] - x[9], y[10] - x[10],
        y[11] - x[11], y[12] - x[12],
    )  # fmt: skip


def plus_right(x, d):
    return moved(x, d, turned_in_body((x[3], x[4], x[5], x[6]), (d[3], d[4], d[5])))


def minus_right(y, x):
    return apart(y, x, rotation_in_body((y[3], y[4], y[5], y[6]), (x[3], x[4], x[5], x[6])))


def plus_left(x, d):
    return moved(x, d, turned_in_N((x[3], x[4], x[5], x[6]), (d[3], d[4], d[5])))


def minus_left(y, x):
    return apart(y, x, rotation_in_N((y[3], y[4], y[5], y[6]), (x[3], x[4], x[5], x[6])))


def plus_invariant(x, d):
    """The error of the attitude turns position and velocity too: errors are those of the group SE_2(3)."""
    R, q = rotation_matrix(small_rotation((d[3], d[4], d[5]))), (x[3], x[4], x[5], x[6])
    p, v = matvec3(R, (x[0], x[1], x[2])), matvec3(R, (x[7], x[8], x[9]))
    turned = (p[0], p[1], p[2], q[0], q[1], q[2], q[3], v[0], v[1], v[2], x[10], x[11], x[12])
    return moved(turned, d, turned_in_N(q, (d[3], d[4], d[5])))


def minus_invariant(y, x):
    e = rotation_in_N((y[3], y[4], y[5], y[6]), (x[3], x[4], x[5], x[6]))
    R = rotation_matrix(small_rotation(e))
    p, v = matvec3(R, (x[0], x[1], x[2])), matvec3(R, (x[7], x[8], x[9]))
    return apart(y, (p[0], p[1], p[2], x[3], x[4], x[5], x[6], v[0], v[1], v[2], x[10], x[11], x[12]), e)


def process(x, u, dt, row):
    """Strapdown mechanisation: the attitude turns first, the specific force acts in the attitude of the middle."""
    h = 0.5 * dt
    w = (u[0] - x[10], u[1] - x[11], u[2] - x[12])
    q = (x[3], x[4], x[5], x[6])
    middle = normalize(product(q, (1.0, 0.5 * h * w[0], 0.5 * h * w[1], 0.5 * h * w[2])))
    end = normalize(product(q, (1.0, h * w[0], h * w[1], h * w[2])))
    a = matvec3(rotation_matrix(middle), (u[3], u[4], u[5]))
    v = (x[7] + dt * a[0], x[8] + dt * a[1], x[9] + dt * (a[2] + row[0]))
    return (
        x[0] + h * (x[7] + v[0]), x[1] + h * (x[8] + v[1]), x[2] + h * (x[9] + v[2]), end[0], end[1], end[2], end[3],
        v[0], v[1], v[2], x[10], x[11], x[12],
    )  # fmt: skip


def dvl(x, u, row):
    v = to_body((x[3], x[4], x[5], x[6]), (x[7], x[8], x[9]))
    twist = (v[0], v[1], v[2], u[0] - x[10], u[1] - x[11], u[2] - x[12])
    return velocity_over_ground(twist, LEVER, IDENTITY)


def depth(x, u, row):
    return (x[2],)


def attitude(x, u, row):
    return attitude_angles((x[3], x[4], x[5], x[6]), (1.0, 0.0, 0.0, 0.0))


def beacon(x, u, row):
    return (length3((x[0] - BEACON[0], x[1] - BEACON[1], x[2] - BEACON[2])),)


RIGHT, LEFT = Chart(plus_right, minus_right), Chart(plus_left, minus_left)
INVARIANT = Chart(plus_invariant, minus_invariant)
AIDINGS = {
    "dvl": AidingModel(dvl, (0.02, 0.02, 0.02), gate=0.9999, latency=0.2),
    "depth": AidingModel(depth, (0.01,), gate=0.9999),
    "attitude": AidingModel(attitude, (0.02, 0.02, 0.03), (True, True, True), gate=0.9999),
    "beacon": AidingModel(beacon, (0.1,), gate=0.9999, latency=0.7),
}
NOISE = (0.0,) * 3 + (1e-3,) * 3 + (5e-3,) * 3 + (1e-5,) * 3
SIGMA = (1.0,) * 3 + (0.1,) * 3 + (0.2,) * 3 + (0.01,) * 3
STEP_NS = 10_000_000


def inertial_filter(chart=RIGHT):
    return compile_filter(
        chart, process, AIDINGS, states=STATES, noise=NOISE, inputs="imu", input_size=6, parameters=(GRAVITY,), lag=1.0
    )


def reading(sensor, stamp_ns, values, arrival_ns=None):
    arrival = stamp_ns if arrival_ns is None else arrival_ns
    return Reading(sensor, stamp_ns, arrival, Status.OK, tuple(map(float, values)))


def mission(steps, noisy=True, seed=0, attitude=(1.0, 0.1, -0.05, 0.4)):
    """True states every 10 ms by the process model itself, and the readings of all sensors with their stamps."""
    random = np.random.default_rng(seed)
    x = (0.0, 0.0, 5.0, *normalize(attitude), 0.6, 0.1, 0.0, 0.003, -0.002, 0.001)
    states, readings, measures = [x], [], {name: aiding.measure for name, aiding in AIDINGS.items()}
    periods = {"dvl": 20, "depth": 10, "attitude": 10, "beacon": 100}
    for k in range(steps):
        t = 1e-9 * STEP_NS * k
        w = (0.05 * np.sin(0.7 * t), 0.04 * np.cos(0.5 * t), 0.2 * np.sin(0.3 * t))
        f = np.array(to_body(x[3:7], (0.1 * np.sin(0.4 * t), 0.1 * np.cos(0.3 * t), -GRAVITY)))
        u = (*(np.array(w) + x[10:13]), *f)
        readings.append(reading("imu", k * STEP_NS, u))
        for name, period in periods.items():
            if k > 0 and k % period == 0:
                aiding, noise = AIDINGS[name], noisy * random.standard_normal(len(AIDINGS[name].sigma))
                values = np.array(measures[name](x, u, (GRAVITY,))) + noise * aiding.sigma
                readings.append(reading(name, k * STEP_NS + round(1e9 * aiding.latency), values))
        x = process(x, u, 1e-9 * STEP_NS, (GRAVITY,))
        states.append(x)
    return states, readings
