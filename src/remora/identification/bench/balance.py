"""Centre of gravity by balancing on a bar; centre of buoyancy by added weights or from the attitude at rest.

All points are in body axes (forward, right, down), in metres from the body origin; attitudes are roll and pitch in rad.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from remora.equations.algebra.kinematics import down_in_body
from remora.equations.algebra.quaternions import from_euler_zyx, rotation_matrix
from remora.equations.algebra.vectors import add3, angular, cross, dot3, matvec3, scale3
from remora.equations.hull.restoring import restoring_wrench
from remora.equations.types import Vector3
from remora.files.arrays import Array
from remora.identification.bench.fitting import BenchDataError, BenchParameter, columns, fit_law, positive
from remora.identification.bench.result import BenchFit

_XYZ = ("x", "y", "z")


class Balance(NamedTuple):
    """The body balanced on a thin bar, with its centre of gravity above or below the bar."""

    point: Vector3  # m, a point of the bar
    bar: Vector3  # direction of the bar
    down: Vector3  # direction of gravity


class LeverTest(NamedTuple):
    """The submerged body at rest with loads on it."""

    roll: float  # rad
    pitch: float  # rad
    loads: tuple[tuple[Vector3, float], ...]  # point of action, m, and downward force, N; negative upwards


def fit_center_of_gravity(balances: Sequence[Balance], sigma: float | None = None) -> BenchFit[Vector3]:
    """Centre of gravity from balances about different axes; three bars that do not share a plane are needed.

    The standard deviation of the position of a bar, m, is that of the residuals unless given, which needs a fourth bar.
    """
    if not balances:
        raise BenchDataError("no balance was given. Balance the body about at least three bars.")
    normals = np.array([_normal(balance) for balance in balances])
    places = np.array([dot3(tuple(n), b.point) for n, b in zip(normals.tolist(), balances, strict=True)])
    numbers = [BenchParameter(f"center_of_gravity.{axis}", "m", 0.0, scale=1.0) for axis in _XYZ]
    return fit_law(
        "centre of gravity by balance",
        numbers,
        _point,
        lambda p: normals @ np.array(p),
        places,
        None if sigma is None else np.full(len(places), sigma),
        sigma is not None,
    )


def fit_center_of_buoyancy(
    tests: Sequence[LeverTest],
    mass: float,
    displaced_mass: float,
    gravity: float,
    p_BG: Vector3 = (0.0, 0.0, 0.0),
    axes: str = "xyz",
    sigma: float | None = None,
) -> BenchFit[Vector3]:
    """Centre of buoyancy for which all moments balance in every lever test (Proctor 2014, sec. 3.4).

    Parameters
    ----------
    tests
        Attitudes at rest with their loads, including that of a suspension line.
    mass, displaced_mass, gravity, p_BG
        Weight and buoyancy of the body, kg, kg and m/s2, and its centre of gravity, m.
    axes
        Coordinates to fit; the others are those of G. One test shows only its own plane.
    sigma
        Standard deviation of a torque, N m; from the residuals unless given.
    """
    if not tests:
        raise BenchDataError("no lever test was given. Hang a weight on the bow and another on the side.")
    positive(mass=mass, displaced_mass=displaced_mass, gravity=gravity)
    if not axes or not set(axes) <= set(_XYZ):
        raise BenchDataError(f'axes = "{axes}": give some of x, y and z.')
    chosen = [_XYZ.index(axis) for axis in axes]
    numbers = [BenchParameter(f"center_of_buoyancy.{_XYZ[i]}", "m", p_BG[i], scale=1.0) for i in chosen]

    def law_of(values: Array) -> Vector3:
        place = list(p_BG)
        for i, value in zip(chosen, values.tolist(), strict=True):
            place[i] = value
        return (place[0], place[1], place[2])

    def torques(p_BC: Vector3) -> Array:
        return np.concatenate([_torque(test, mass, displaced_mass, p_BG, p_BC, gravity) for test in tests])

    measured = np.zeros(2 * len(tests))
    spread = None if sigma is None else np.full(len(measured), sigma)
    return fit_law("centre of buoyancy by levers", numbers, law_of, torques, measured, spread, sigma is not None)


def fit_neutral_attitude(rolls: ArrayLike, pitches: ArrayLike, arm: float, arm_sigma: float = 0.0) -> BenchFit[Vector3]:
    """Centre of buoyancy relative to the centre of gravity, m, from the attitude at rest and their distance.

    At rest the centre of buoyancy is vertically above G (Proctor 2014, eq. 3.33).

    Parameters
    ----------
    rolls, pitches
        Attitudes at rest of repeated trials, rad.
    arm, arm_sigma
        Distance of C above G from a lever test, m, and its standard deviation.
    """
    roll, pitch = columns(1, rolls=rolls, pitches=pitches)
    positive(arm=arm)
    start = np.array([roll.mean(), pitch.mean()])
    place = np.array(_above(start, arm))
    slopes = np.column_stack([(np.array(_above(start + h, arm)) - np.array(_above(start - h, arm))) / 2e-6 for h in _H])
    count = len(roll)
    spread = np.cov(np.stack([roll, pitch])) / count if count > 1 else np.zeros((2, 2))
    covariance = slopes @ spread @ slopes.T + np.outer(place, place) * (arm_sigma / arm) ** 2
    warnings = [] if count > 1 else ["One trial only: how well the attitude repeats is not known."]
    return BenchFit(
        "centre of buoyancy by the attitude at rest",
        _point(place),
        tuple(f"center_of_buoyancy.{axis}" for axis in _XYZ),
        ("m",) * 3,
        place,
        covariance,
        float(count - 1) if count > 1 else np.inf,
        np.concatenate([roll - start[0], pitch - start[1]]),
        tuple(warnings),
    )


_H = (np.array([1e-6, 0.0]), np.array([0.0, 1e-6]))


def _above(attitude: Array, arm: float) -> Vector3:
    roll, pitch = attitude.tolist()
    return scale3(-arm, down_in_body(from_euler_zyx(roll, pitch, 0.0)))


def _torque(test: LeverTest, mass: float, displaced_mass: float, p_BG: Vector3, p_BC: Vector3, gravity: float) -> Array:
    """Horizontal components of the torque of weight, buoyancy and loads about the origin; zero at rest.

    All forces are vertical, so there is no torque about the vertical.
    """
    attitude = from_euler_zyx(test.roll, test.pitch, 0.0)
    down = down_in_body(attitude)
    torque = angular(restoring_wrench(mass, displaced_mass, p_BG, p_BC, gravity, down))
    for place, force in test.loads:
        torque = add3(torque, cross(place, scale3(force, down)))
    return np.array(matvec3(rotation_matrix(attitude), torque)[:2])


def _normal(balance: Balance) -> Array:
    """Normal of the plane through the bar and along gravity, which contains G."""
    normal = np.array(cross(balance.bar, balance.down), dtype=float)
    size = float(np.linalg.norm(normal))
    if not size > 1e-9:
        raise BenchDataError(f"the bar {balance.bar} is parallel to gravity {balance.down}. Lay it across.")
    return normal / size


def _point(values: Array) -> Vector3:
    x, y, z = values.tolist()
    return (x, y, z)
