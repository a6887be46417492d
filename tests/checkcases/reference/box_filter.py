"""Reference filter of UC-12: Joseph form, analytic Jacobians and rotation matrices; arrays have the runs first.

Errors: position, velocity and a rotation in the axes of N, then the biases. With `turning`, the rotation turns the
velocity along; the difference is of second order in the errors.
"""

from typing import NamedTuple

import numpy as np
from scipy.spatial.transform import Rotation
from scipy.stats import chi2

from reference.box_readings import Box, draw_box, is_lost, sample_times
from reference.problem import Array, Problem
from reference.trajectory import Trajectory

P, V, R, A, G, B = slice(0, 3), slice(3, 6), slice(6, 9), slice(9, 12), slice(12, 15), slice(15, 16)
ERRORS = 16
SENSORS = ("attitude", "dvl", "pressure")


class Estimate(NamedTuple):
    """State and covariance of all runs."""

    p: Array
    v: Array
    turn: Array  # R
    bias: Array  # of accelerometers, gyros, pressure
    cov: Array


def exponential(vectors: Array) -> Array:
    """Rotation matrices of rotation vectors."""
    return np.asarray(Rotation.from_rotvec(vectors).as_matrix())


def skews(vectors: Array) -> Array:
    """Matrices a x of vectors a."""
    found = np.zeros((*vectors.shape[:-1], 3, 3))
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        found[..., i, j], found[..., j, i] = -vectors[..., k], vectors[..., k]
    return found


def left_jacobian(vectors: Array) -> Array:
    """Derivative of exp: exp(a + d) = exp(J d) exp(a); for small vectors by its series."""
    K = skews(vectors)
    return np.eye(3) + K / 2.0 + K @ K / 6.0 + K @ K @ K / 24.0 + K @ K @ K @ K / 120.0


def plain(v: Array, turning: bool) -> Array:
    """Matrix from errors of the filter to those with an independent velocity."""
    T = np.tile(np.eye(ERRORS), (len(v), 1, 1))
    if turning:
        T[:, V, R] = -skews(v)
    return T


def applied(F: Array, x: Array) -> Array:
    """Matrices times vectors, run by run."""
    return np.asarray(np.einsum("rij,rj->ri", F, x))


def transposed(F: Array) -> Array:
    """Transposed matrices."""
    return np.swapaxes(F, -1, -2)


def predicted(x: Estimate, force: Array, rates: Array, box: Box, turning: bool) -> Estimate:
    """The estimate after an interval."""
    h = box.numbers["interval"]
    f, w = force - x.bias[:, :3], rates - x.bias[:, 3:6]
    middle = x.turn @ exponential(0.5 * h * w)
    v = x.v + h * (applied(middle, f) + np.array([0.0, 0.0, box.numbers["gravity"]]))
    turn = x.turn @ exponential(h * w)
    F = np.tile(np.eye(ERRORS), (len(v), 1, 1))
    tilted = skews(applied(middle, f))
    F[:, V, R] = -h * tilted
    F[:, V, A] = -h * middle
    F[:, V, G] = h * tilted @ x.turn @ left_jacobian(0.5 * h * w) * (0.5 * h)
    F[:, R, G] = -h * x.turn @ left_jacobian(h * w)
    F[:, P] += 0.5 * h * (F[:, V] + np.eye(ERRORS)[V])
    F = np.linalg.inv(plain(v, turning)) @ F @ plain(x.v, turning)
    Q = np.zeros(ERRORS)
    Q[V] = box.numbers["accelerometers"]["random_walk"] ** 2 * h
    Q[G] = box.numbers["gyros"]["bias_walk"] ** 2 * h
    return Estimate(x.p + 0.5 * h * (x.v + v), v, turn, x.bias, F @ x.cov @ transposed(F) + np.diag(Q))


def angles_of(turn: Array) -> Array:
    """Roll, pitch and heading."""
    return np.asarray(Rotation.from_matrix(turn).as_euler("ZYX")[:, ::-1])


def angle_rows(turn: Array) -> Array:
    """Derivative of the angles by a rotation about the axes of N."""
    roll, pitch, _ = angles_of(turn).T
    E = np.zeros((len(turn), 3, 3))
    E[:, 0, 0] = 1.0
    E[:, 0, 1], E[:, 0, 2] = np.sin(roll) * np.tan(pitch), np.cos(roll) * np.tan(pitch)
    E[:, 1, 1], E[:, 1, 2] = np.cos(roll), -np.sin(roll)
    E[:, 2, 1], E[:, 2, 2] = np.sin(roll) / np.cos(pitch), np.cos(roll) / np.cos(pitch)
    return E @ transposed(turn)


def measured(sensor: str, x: Estimate, rates: Array, box: Box) -> tuple[Array, Array]:
    """Predicted reading and its derivative by errors in the axes of N."""
    numbers = box.numbers[sensor]
    H = np.zeros((len(x.p), {"pressure": 1}.get(sensor, 3), ERRORS))
    if sensor == "attitude":
        H[:, :, R] = angle_rows(x.turn)
        return angles_of(x.turn), H
    if sensor == "dvl":
        H[:, :, V], H[:, :, R] = transposed(x.turn), transposed(x.turn) @ skews(x.v)
        H[:, :, G] = skews(np.array(numbers["position"], dtype=float))
        lever = np.cross(rates - x.bias[:, 3:6], numbers["position"])
        return applied(transposed(x.turn), x.v) + lever, H
    weight, place = box.numbers["density"] * box.numbers["gravity"], x.turn @ np.array(numbers["position"], dtype=float)
    H[:, 0, 2], H[:, :, B] = weight, 1.0
    H[:, 0, R] = -weight * skews(place)[:, 2]
    return weight * (x.p[:, 2] + place[:, 2])[:, None] + x.bias[:, 6:], H


def updated(x: Estimate, sensor: str, reading: Array, rates: Array, box: Box, turning: bool) -> Estimate:
    """The estimate after a reading; runs in which it does not pass the gate keep theirs."""
    expected, H = measured(sensor, x, rates, box)
    H = H @ plain(x.v, turning)
    innovation = reading - expected
    if sensor == "attitude":
        innovation = np.remainder(innovation + np.pi, 2.0 * np.pi) - np.pi
    noise = np.diag(np.broadcast_to(box.numbers[sensor]["std"], innovation.shape[1:]) ** 2)
    S = H @ x.cov @ transposed(H) + noise
    K = transposed(np.linalg.solve(S, H @ x.cov))
    squared = np.einsum("ri,ri->r", innovation, np.linalg.solve(S, innovation[..., None])[..., 0])
    passes = squared <= chi2.ppf(box.numbers["gate"], innovation.shape[1])
    left = np.eye(ERRORS) - K @ H
    cov = left @ x.cov @ transposed(left) + K @ noise @ transposed(K)
    moved = corrected(x, applied(K, innovation), cov, turning)
    return Estimate(*(np.where(passes.reshape(-1, *[1] * (a.ndim - 1)), b, a) for a, b in zip(x, moved, strict=True)))


def corrected(x: Estimate, error: Array, cov: Array, turning: bool) -> Estimate:
    """The estimate moved by an error, with the covariance in errors of the new one."""
    turned, reset = exponential(error[:, R]), np.tile(np.eye(ERRORS), (len(error), 1, 1))
    reset[:, R, R] = left_jacobian(error[:, R])
    v = x.v + error[:, V]
    if turning:
        reset[:, V, V] = turned
        v = applied(turned, v)
    return Estimate(x.p + error[:, P], v, turned @ x.turn, x.bias + error[:, 9:], reset @ cov @ transposed(reset))


def started(box: Box, turning: bool) -> Estimate:
    """The estimate at the start."""
    numbers, (p, v, turn) = box.numbers, box.start
    std = numbers["start"]["std"]
    sigma = np.concatenate([
        np.repeat([std["position"], std["velocity"], std["attitude"]], 3),
        np.repeat([numbers["accelerometers"]["bias_std"], numbers["gyros"]["bias_std"]], 3),
        [numbers["pressure"]["bias_std"]],
    ])  # fmt: skip
    T = np.linalg.inv(plain(v, turning))
    return Estimate(p, v, turn, np.zeros((len(p), 7)), T @ np.diag(sigma**2) @ transposed(T))


def row_of(x: Estimate, rates: Array, k: int, box: Box, turning: bool) -> Array:
    """Estimate, standard deviations and NEES in the columns of a trajectory."""
    T, back = plain(x.v, turning), transposed(x.turn)
    cov = T @ x.cov @ transposed(T)
    J = np.zeros((len(x.p), 9, ERRORS))
    J[:, 0:3, P] = np.eye(3)
    J[:, 3:6, V], J[:, 3:6, R], J[:, 6:9, R] = back, back @ skews(x.v), back
    sigma = np.sqrt(np.einsum("rii->ri", J @ cov @ transposed(J)))
    true = exponential(np.array([0.0, 0.0, box.path.heading[k]]))
    apart = true @ back
    velocity = np.tile(box.path.velocity[k], (len(x.v), 1))
    moved = (applied(transposed(apart), velocity) if turning else velocity) - x.v
    error = np.concatenate([box.path.position[k] - x.p, moved, Rotation.from_matrix(apart).as_rotvec()], axis=1)
    nees = np.einsum("ri,ri->r", error, np.linalg.solve(x.cov[:, :9, :9], error[..., None])[..., 0])
    quaternion = Rotation.from_matrix(x.turn).as_quat(canonical=True, scalar_first=True)
    w = rates - x.bias[:, 3:6]
    return np.concatenate([x.p, quaternion, applied(back, x.v), w, sigma, nees[:, None]], axis=1)


def solve_box(problem: Problem, turning: bool = False, interval: float | None = None) -> list[Trajectory]:
    """Estimates of all runs at the output times, or at other ones this far apart."""
    box, apart = draw_box(problem), interval or problem.interval
    h, every = box.numbers["interval"], round(apart / box.numbers["interval"])
    at = {
        name: {int(k): i for i, k in enumerate(sample_times(box.numbers, name, problem.duration))} for name in SENSORS
    }
    x, rows = started(box, turning), []
    for k in range(round(problem.duration / h) + 1):
        if k:
            x = predicted(x, box.force[:, k - 1], box.rates[:, k - 1], box, turning)
        for sensor in SENSORS:
            if k in at[sensor] and not (sensor == "dvl" and is_lost(box.numbers, k * h)):
                x = updated(x, sensor, box.readings[sensor][:, at[sensor][k]], box.rates[:, k], box, turning)
        if k % every == 0:
            rows.append(row_of(x, box.rates[:, k], k, box, turning))
    times = apart * np.arange(len(rows))
    return [Trajectory(run.name, times, one) for run, one in zip(problem.runs, np.swapaxes(rows, 0, 1), strict=True)]
