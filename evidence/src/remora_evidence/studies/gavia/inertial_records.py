"""Readings of an inertial unit, a DVL, a pressure sensor and a compass on a flown run, drawn by the seed.

A run is flown once; every seed and every grade of inertial unit draws its readings from the same truth. The readings
are means over their interval, as inertial units sum them up.
"""

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicHermiteSpline

from remora.equations.algebra.quaternions import conjugate, from_euler_zyx, product, rotation_matrix, to_rotation_vector
from remora.equations.estimation.gyro_driven import GyroDriven
from remora.equations.navigation.charts import rotation_over_step
from remora.files.arrays import Array
from remora.messages.reading import Reading
from remora.navigation.model_aided import (
    INERTIAL,
    MODEL,
    ModelAidedSettings,
    aiding_reading,
)
from remora.vehicles import Vehicle
from remora_evidence.studies.gavia import records
from remora_evidence.studies.sampling import normals

STEP = 0.1  # s, between inertial readings
SECOND = 1_000_000_000  # ns
GRAVITY = 9.81
THRUST = 95e-6 / records.RPM**2  # N s2/rad2, of the vehicle file
DVL_EVERY, SLOW_EVERY, MODEL_EVERY = 2, 10, 5  # inertial readings per reading of DVL, of depth and compass, of model


class InertialRun(NamedTuple):
    """True motion at the inertial readings, and their values without errors."""

    time: Array  # s
    p_N: Array  # n x 3
    v_N: Array  # n x 3
    quaternion: Array  # n x 4
    rates: Array  # (n - 1) x 3, mean of each interval, rad/s
    force: Array  # (n - 1) x 3, m/s2
    thrust: Array  # n, N
    heading: Array  # n, rad


def inertial_run(truth: records.TrueRun, path: records.Manoeuvre) -> InertialRun:
    """A run in fine steps: the velocity in N as a cubic spline through the integrated one and its rate."""
    R = _matrices(truth.euler)
    nu, w = truth.twist[:, :3], truth.twist[:, 3:]
    velocity = np.einsum("nij,nj->ni", R, nu)
    rate = np.einsum("nij,nj->ni", R, truth.twist_rate[:, :3] + np.cross(w, nu))
    spline = CubicHermiteSpline(truth.time, velocity, rate)
    time = np.asarray(STEP * np.arange(int(truth.time[-1] / STEP)), dtype=float)
    v_N, p_N = spline(time), truth.position[0] + spline.antiderivative()(time)
    attitude: Any = from_euler_zyx(path.roll(time), path.pitch(time), path.heading(time))
    q = np.column_stack(attitude)
    before: Any = tuple(q[:-1].T)
    after: Any = tuple(q[1:].T)
    rates: Any = tuple(column / STEP for column in _rotation_vectors(product(conjugate(before), after)))
    half_turn: Any = tuple(0.5 * STEP * column for column in rates)
    middle = np.array(rotation_matrix(product(before, rotation_over_step(half_turn)))).transpose(2, 0, 1)
    acceleration = np.diff(v_N, axis=0) / STEP - np.array([0.0, 0.0, GRAVITY])
    force = np.einsum("nji,nj->ni", middle, acceleration)
    thrust = THRUST * path.shaft(time) ** 2
    return InertialRun(time, p_N, v_N, q, np.column_stack(rates), force, thrust, path.heading(time))


def _rotation_vectors(q: Any) -> Any:
    return np.array([to_rotation_vector(tuple(row)) for row in np.column_stack(q).tolist()]).T


def _matrices(euler: Array) -> Array:
    angles: Any = tuple(euler.T)
    return np.array(rotation_matrix(from_euler_zyx(*angles))).transpose(2, 0, 1)


class DrawnErrors(NamedTuple):
    """Errors that one seed draws for one grade."""

    rates: Array  # (n - 1) x 3
    force: Array  # (n - 1) x 3
    dvl: Array  # n x 3
    depth: Array  # n
    compass: Array  # n, deviation included
    rotation: Array  # 3: small rotation about the axes of N of the attitude at the start


def drawn_errors(run: InertialRun, settings: ModelAidedSettings, seed: int, name: str) -> DrawnErrors:
    """Errors of all readings of a run."""
    n, inertial = len(run.time), settings.inertial
    white = 1.0 / math.sqrt(STEP)

    def drawn(what: str, count: int) -> Array:
        return normals(seed, f"{name}/{what}", count)

    def biased(what: str, bias: float, walk: float) -> Array:
        constant = bias * drawn(f"{what} bias", 3)
        return np.asarray(constant + walk * white * drawn(what, 3 * (n - 1)).reshape(n - 1, 3))

    aligned = drawn("alignment", 4)
    deviation = inertial.deviation * aligned[3]
    compass = deviation + settings.aiding.compass * drawn("compass", n)
    heading = compass[0] if inertial.deviation > 0.0 else inertial.heading * aligned[2]
    return DrawnErrors(
        biased("gyro", inertial.gyro_bias, inertial.angle_random_walk),
        biased("accelerometer", inertial.accelerometer_bias, inertial.velocity_random_walk),
        np.array(settings.aiding.dvl) * drawn("dvl", 3 * n).reshape(n, 3),
        settings.aiding.depth * drawn("depth", n),
        compass,
        np.array([inertial.tilt * aligned[0], inertial.tilt * aligned[1], heading]),
    )


def stamp(time: float) -> int:
    """A time in ns."""
    return round(SECOND * time)


class LockTimes(NamedTuple):
    """When the DVL has bottom lock, and when the pressure sensor works."""

    dvl_until: float = math.inf  # s
    dvl_again: float = math.inf  # s, lock returns
    depth_until: float = math.inf  # s


def sensor_series(
    run: InertialRun, errors: DrawnErrors, settings: ModelAidedSettings, model: GyroDriven, lock: LockTimes
) -> dict[str, tuple[NDArray[np.int64], Array]]:
    """Stamps and values of each sensor of the filter, over the times of a run but the last."""
    rates, force = run.rates + errors.rates, run.force + errors.force
    # The angular acceleration at a time is known from the readings before it.
    turn = np.vstack([np.zeros((2, 3)), np.diff(rates, axis=0)])[:-1] / STEP
    R = np.array(rotation_matrix(tuple(run.quaternion.T))).transpose(2, 0, 1)
    arms, has_compass = settings.lever_arms, settings.inertial.deviation > 0.0
    body = np.einsum("nji,nj->ni", R, run.v_N)
    over_ground = body[:-1] + np.cross(run.rates, arms.dvl) + errors.dvl[:-1]
    deep = run.p_N[:, 2] + R[:, 2] @ np.array(arms.depth) + errors.depth
    compass = run.heading + errors.compass
    time = run.time[:-1]
    at, stamps = np.arange(len(time)), np.rint(SECOND * time).astype(np.int64)
    moving = np.column_stack([rates, force, turn, run.thrust[:-1]])
    numbers = np.array([model.surge_mass, *model.surge, *model.sway, *model.heave, model.circular_heading])
    inertial = np.column_stack([moving, np.tile(numbers, (len(time), 1))])
    slow, locked = at % SLOW_EVERY == 0, (time < lock.dvl_until) | (time >= lock.dvl_again)
    rows = {
        INERTIAL: (at >= 0, inertial),
        "dvl": (locked & (at % DVL_EVERY == 0), over_ground),
        "depth": (slow & (time < lock.depth_until), deep[:-1, None]),
        "compass": (slow & has_compass, compass[:-1, None]),
        MODEL: (at % MODEL_EVERY == 0, np.zeros((len(time), 3))),
    }
    return {name: (stamps[used], values[used]) for name, (used, values) in rows.items()}


def readings(
    run: InertialRun, errors: DrawnErrors, settings: ModelAidedSettings, model: GyroDriven, lock: LockTimes
) -> Iterator[list[Reading]]:
    """Readings at each time of a run but the last."""
    series = sensor_series(run, errors, settings, model, lock)
    known = {
        name: dict(zip(stamps.tolist(), values.tolist(), strict=True)) for name, (stamps, values) in series.items()
    }
    for now in known[INERTIAL]:
        yield [aiding_reading(name, now, tuple(rows[now])) for name, rows in known.items() if now in rows]


def flown(vehicle: Vehicle, path: records.Manoeuvre, water: records.Water, push: records.Push) -> InertialRun:
    """Fly a manoeuvre."""
    return inertial_run(records.follow(vehicle, path, water, push, 1), path)
