"""Cramér-Rao bound of the horizontal position of model-aided navigation, counted from the loss of bottom lock.

Linear covariance analysis of the horizontal plane, written apart from the filter: the truth of the simulated field is
linearised about a course of constant speed through the water, with first-order responses of surge and sway. The
vertical channel, which is nearly decoupled, is left out. Every error of the field is a state, heading included: a
dropped term would flatter the bound.
"""

import math
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from remora.files.arrays import Array
from remora.navigation.consistency import LinearisedStep, covariance_bound
from remora.navigation.model_aided import ModelAidedSettings

STEP = 0.2  # s
GRAVITY = 9.81
SPEED = 1.6  # m/s through the water
# States: position, velocity, heading, tilt about north and east, gyro bias (down, north, east at the start), bias of
# the accelerometer ahead and to starboard, modelled velocity, current, gust, force ahead and to starboard, deviation.
P, V, PSI, TILT, GYRO_Z, GYRO, FORCE_BIAS = slice(0, 2), slice(2, 4), 4, slice(5, 7), 7, slice(8, 10), slice(10, 12)
MODELLED, CURRENT, GUST, FORCE, DEVIATION, SIZE = slice(12, 14), slice(14, 16), slice(16, 18), slice(18, 20), 20, 21


class Course(NamedTuple):
    """Heading over time, and the end of bottom lock."""

    heading: Callable[[float], float]  # s -> rad
    lock: float  # s
    duration: float  # s


def position_bound(settings: ModelAidedSettings, course: Course) -> tuple[Array, Array]:
    """Times since the loss of lock and root of the trace of the position bound there, m."""
    before = covariance_bound(_prior(settings), _steps(settings, course, 0.0, course.lock))[-1]
    before[P, :], before[:, P] = 0.0, 0.0
    after = covariance_bound(before, _steps(settings, course, course.lock, course.duration))
    time = np.asarray(STEP * np.arange(1, len(after) + 1), dtype=float)
    return time, np.asarray(np.sqrt(after[:, 0, 0] + after[:, 1, 1]))


def _prior(settings: ModelAidedSettings) -> Array:
    inertial, water, model = settings.inertial, settings.water, settings.model
    std = np.zeros(SIZE)
    std[V], std[PSI], std[TILT] = 0.3, inertial.heading, inertial.tilt
    std[GYRO_Z], std[GYRO], std[FORCE_BIAS] = inertial.gyro_bias, inertial.gyro_bias, inertial.accelerometer_bias
    std[MODELLED], std[CURRENT], std[GUST] = 0.5, water.current, water.gust
    std[FORCE] = model.speed * SPEED / model.response[0], model.force[0]
    covariance = np.diag(std**2)
    if inertial.deviation > 0.0:  # the heading at the start is that of the compass
        variance = inertial.deviation**2
        covariance[PSI, PSI] = variance + settings.aiding.compass**2
        covariance[DEVIATION, DEVIATION], covariance[PSI, DEVIATION], covariance[DEVIATION, PSI] = (
            variance, -variance, -variance,
        )  # fmt: skip
    return covariance


def _steps(settings: ModelAidedSettings, course: Course, start: float, stop: float) -> Iterator[LinearisedStep]:
    for k in range(round(start / STEP), round(stop / STEP)):
        time = STEP * k
        yield LinearisedStep(*_transition(settings, course, time), *_measurement(settings, course, time + STEP))


def _transition(settings: ModelAidedSettings, course: Course, time: float) -> tuple[Array, Array]:
    """Transition of the error to second order, and its noise."""
    psi, water, inertial, model = course.heading(time + 0.5 * STEP), settings.water, settings.inertial, settings.model
    turn = (course.heading(time + STEP) - course.heading(time)) / STEP
    R, spin = _rotation(psi), np.array([[0.0, -1.0], [1.0, 0.0]])
    ahead_N = SPEED * R[:, 0]
    A = np.zeros((SIZE, SIZE))
    A[P, V] = np.eye(2)
    A[V, PSI] = spin @ (turn * spin @ ahead_N)  # heading error turns the horizontal acceleration
    A[V, TILT] = GRAVITY * np.array([[0.0, -1.0], [1.0, 0.0]])
    A[V, FORCE_BIAS] = -R
    A[PSI, GYRO_Z] = -1.0
    A[TILT, GYRO] = -R
    damping = np.diag(1.0 / np.array(model.response[:2]))
    A[MODELLED, MODELLED] = -damping - turn * spin
    A[MODELLED, GUST] = damping @ R.T
    A[MODELLED, FORCE] = np.eye(2)
    A[GUST, GUST] = -np.eye(2) / water.gust_time
    noise = np.zeros(SIZE)
    noise[V], noise[PSI], noise[TILT] = (
        inertial.velocity_random_walk, inertial.angle_random_walk, inertial.angle_random_walk,
    )  # fmt: skip
    noise[MODELLED] = model.noise[:2]
    noise[CURRENT], noise[GUST] = water.current_walk, water.gust * math.sqrt(2.0 / water.gust_time)
    noise[FORCE] = model.speed_walk * SPEED / model.response[0], model.force_walk
    F = np.eye(SIZE) + STEP * A + 0.5 * STEP**2 * A @ A
    return F, np.diag(STEP * noise**2)


def _measurement(settings: ModelAidedSettings, course: Course, time: float) -> tuple[Array, Array]:
    """Model constraint at every step, DVL with lock, compass once a second where there is one."""
    R, spin, aiding = _rotation(course.heading(time)), np.array([[0.0, -1.0], [1.0, 0.0]]), settings.aiding
    turned = -R.T @ spin @ (SPEED * R[:, 0])  # velocity in body axes per heading error
    constraint = np.zeros((2, SIZE))
    constraint[:, V], constraint[:, CURRENT], constraint[:, PSI] = R.T, -R.T, turned
    constraint[:, MODELLED] = -np.eye(2)
    rows, variances = [constraint], [aiding.constraint**2] * 2
    if time <= course.lock + 1e-9:
        dvl = np.zeros((2, SIZE))
        dvl[:, V], dvl[:, PSI] = R.T, turned
        rows.append(dvl)
        variances += [std**2 for std in aiding.dvl[:2]]
    if settings.inertial.deviation > 0.0 and round(time / STEP) % round(1.0 / STEP) == 0:
        compass = np.zeros((1, SIZE))
        compass[0, PSI], compass[0, DEVIATION] = 1.0, 1.0
        rows.append(compass)
        variances.append(aiding.compass**2)
    return np.vstack(rows), np.diag(variances)


def _rotation(psi: float) -> Array:
    return np.array([[math.cos(psi), -math.sin(psi)], [math.sin(psi), math.cos(psi)]])
