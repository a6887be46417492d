"""Reference filter of UC-12: Joseph form, analytic Jacobians and rotation matrices; arrays have the runs first.

Errors are those of the problem file: position in N, velocity in body axes, two tilts about the horizontal axes of N and
a rotation about the vertical, which turns the velocity along, then the biases.
"""

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import numpy as np
from scipy.spatial.transform import Rotation
from scipy.stats import chi2

from reference.box_readings import Box, draw_box, is_lost, sample_times
from reference.problem import Array, Problem
from reference.trajectory import Trajectory

P, V, R, A, G, B = slice(0, 3), slice(3, 6), slice(6, 9), slice(9, 12), slice(12, 15), slice(15, 16)
ERRORS = 16
SENSORS = ("attitude", "dvl", "pressure")
UP_AXIS = np.array([0.0, 0.0, 1.0])  # z of N


Turn: TypeAlias = Callable[[Array], Array]  # rotation vectors -> matrices
Gain: TypeAlias = Callable[[Array, Array, Array, Array], tuple[Array, Array]]


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


def fourth_order(vectors: Array) -> Array:
    """The same by the classical fourth-order method in one step: the series of exp to the fourth power."""
    K = skews(vectors)
    return np.asarray(np.eye(3) + K @ (np.eye(3) + K @ (np.eye(3) + K @ (np.eye(3) + K / 4.0) / 3.0) / 2.0))


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


def in_N(x: Estimate) -> Array:
    """Matrix from small errors of the filter to errors in the axes of N with an independent velocity."""
    T = np.tile(np.eye(ERRORS), (len(x.v), 1, 1))
    T[:, V, V] = x.turn
    T[:, V, 8] = np.cross(UP_AXIS, x.v)
    return T


def tilted(tilts: Array) -> Array:
    """Rotation matrices of tilts a: those of the quaternion (1, a / 2), normalised."""
    quaternions = np.concatenate([np.ones((len(tilts), 1)), 0.5 * tilts, np.zeros((len(tilts), 1))], axis=1)
    return np.asarray(Rotation.from_quat(quaternions, scalar_first=True).as_matrix())


def about_vertical(angles: Array) -> Array:
    """Rotation matrices of angles about the vertical."""
    return exponential(angles[:, None] * UP_AXIS)


def applied(F: Array, x: Array) -> Array:
    """Matrices times vectors, run by run."""
    return np.asarray(np.einsum("rij,rj->ri", F, x))


def transposed(F: Array) -> Array:
    """Transposed matrices."""
    return np.swapaxes(F, -1, -2)


def predicted(x: Estimate, force: Array, rates: Array, box: Box, rotation: Turn = exponential) -> Estimate:
    """The estimate after an interval."""
    h = box.numbers["interval"]
    f, w = force - x.bias[:, :3], rates - x.bias[:, 3:6]
    middle = x.turn @ rotation(0.5 * h * w)
    v = x.v + h * (applied(middle, f) + np.array([0.0, 0.0, box.numbers["gravity"]]))
    turn = x.turn @ rotation(h * w)
    F = np.tile(np.eye(ERRORS), (len(v), 1, 1))
    pushed = skews(applied(middle, f))
    F[:, V, R] = -h * pushed
    F[:, V, A] = -h * middle
    F[:, V, G] = h * pushed @ x.turn @ left_jacobian(0.5 * h * w) * (0.5 * h)
    F[:, R, G] = -h * x.turn @ left_jacobian(h * w)
    F[:, P] += 0.5 * h * (F[:, V] + np.eye(ERRORS)[V])
    Q = np.zeros(ERRORS)
    Q[V] = box.numbers["accelerometers"]["random_walk"] ** 2 * h
    Q[G] = box.numbers["gyros"]["bias_walk"] ** 2 * h
    after = Estimate(x.p + 0.5 * h * (x.v + v), v, turn, x.bias, x.cov)
    F = np.linalg.inv(in_N(after)) @ F @ in_N(x)
    return after._replace(cov=F @ x.cov @ transposed(F) + np.diag(Q))


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


def by_vector(cov: Array, H: Array, variances: Array, innovation: Array) -> tuple[Array, Array]:
    """Error and covariance after a reading as one vector, in Joseph form."""
    noise = np.diag(variances)
    K = transposed(np.linalg.solve(H @ cov @ transposed(H) + noise, H @ cov))
    left = np.eye(ERRORS) - K @ H
    return applied(K, innovation), left @ cov @ transposed(left) + K @ noise @ transposed(K)


def by_component(cov: Array, H: Array, variances: Array, innovation: Array) -> tuple[Array, Array]:
    """The same, one component after the other: equal but for rounding."""
    error = np.zeros(cov.shape[:2])
    for i, variance in enumerate(variances.tolist()):
        row = H[:, i : i + 1]
        left = innovation[:, i : i + 1] - applied(row, error)
        more, cov = by_vector(cov, row, np.array([variance]), left)
        error = error + more
    return error, cov


def updated(x: Estimate, sensor: str, reading: Array, rates: Array, box: Box, gained: Gain = by_vector) -> Estimate:
    """The estimate after a reading; runs in which it does not pass the gate keep theirs."""
    expected, H = measured(sensor, x, rates, box)
    H = H @ in_N(x)
    innovation = reading - expected
    if sensor == "attitude":
        innovation = np.remainder(innovation + np.pi, 2.0 * np.pi) - np.pi
    variances = np.broadcast_to(np.square(box.numbers[sensor]["std"]), innovation.shape[1:])
    S = H @ x.cov @ transposed(H) + np.diag(variances)
    squared = np.einsum("ri,ri->r", innovation, np.linalg.solve(S, innovation[..., None])[..., 0])
    passes = squared <= chi2.ppf(box.numbers["gate"], innovation.shape[1])
    moved = corrected(x, *gained(x.cov, H, variances, innovation))
    return Estimate(*(np.where(passes.reshape(-1, *[1] * (a.ndim - 1)), b, a) for a, b in zip(x, moved, strict=True)))


def corrected(x: Estimate, error: Array, cov: Array) -> Estimate:
    """The estimate moved by an error, with the covariance in errors of the new one."""
    tilts, about = error[:, 6:8], about_vertical(error[:, 8])
    turn = about @ tilted(tilts) @ x.turn
    v = applied(about, x.v + applied(x.turn, error[:, V]))
    moved = Estimate(x.p + error[:, P], v, turn, x.bias + error[:, 9:], cov)
    reset = reset_matrix(x, moved, tilts, about)
    return moved._replace(cov=reset @ cov @ transposed(reset))


def reset_matrix(x: Estimate, moved: Estimate, tilts: Array, about: Array) -> Array:
    """Derivative of the errors from the moved estimate by those from the estimate before."""
    a = np.concatenate([tilts, np.zeros((len(tilts), 1))], axis=1)
    # Rotation between the tilts a and a + d: (d + a x d / 2) / (1 + a^2 / 4), then turned about the vertical.
    between = (np.eye(3) + 0.5 * skews(a)) / (1.0 + 0.25 * np.sum(a**2, axis=1))[:, None, None]
    reset = np.tile(np.eye(ERRORS), (len(a), 1, 1))
    reset[:, R, 6:8] = (about @ between)[:, :, :2]
    back = transposed(moved.turn)
    reset[:, V, V] = back @ about @ x.turn
    # What tilts turn about the vertical turns the velocity with the new errors, and did not with the old ones.
    across = applied(back, np.cross(UP_AXIS, moved.v))
    reset[:, V, 6:8] = -across[:, :, None] * reset[:, 8:9, 6:8]
    return reset


def started(box: Box) -> Estimate:
    """The estimate at the start."""
    numbers, (p, v, turn) = box.numbers, box.start
    std = numbers["start"]["std"]
    sigma = np.concatenate([
        np.repeat([std["position"], std["velocity"], std["attitude"]], 3),
        np.repeat([numbers["accelerometers"]["bias_std"], numbers["gyros"]["bias_std"]], 3),
        [numbers["pressure"]["bias_std"]],
    ])  # fmt: skip
    begun = Estimate(p, v, turn, np.zeros((len(p), 7)), np.tile(np.diag(sigma**2), (len(p), 1, 1)))
    T = np.linalg.inv(in_N(begun))
    return begun._replace(cov=T @ begun.cov @ transposed(T))


def error_to(turn: Array, v: Array, x: Estimate) -> tuple[Array, Array]:
    """Errors of velocity and attitude that move an estimate to another attitude and velocity."""
    w, a, b, c = Rotation.from_matrix(turn @ transposed(x.turn)).as_quat(scalar_first=True).T
    angle = 2.0 * np.arctan2(c * np.sign(w), np.abs(w))
    scale = 2.0 / (w * w + c * c)
    rotation = np.column_stack([scale * (w * a + c * b), scale * (w * b - c * a), angle])
    return applied(transposed(x.turn), applied(about_vertical(-angle), v) - x.v), rotation


def row_of(x: Estimate, rates: Array, k: int, box: Box) -> Array:
    """Estimate, standard deviations and NEES in the columns of a trajectory."""
    T, back = in_N(x), transposed(x.turn)
    cov = T @ x.cov @ transposed(T)
    J = np.zeros((len(x.p), 9, ERRORS))
    J[:, 0:3, P] = np.eye(3)
    J[:, 3:6, V], J[:, 3:6, R], J[:, 6:9, R] = back, back @ skews(x.v), back
    sigma = np.sqrt(np.einsum("rii->ri", J @ cov @ transposed(J)))
    true = exponential(np.array([0.0, 0.0, box.path.heading[k]]))
    velocity = np.tile(box.path.velocity[k], (len(x.v), 1))
    error = np.concatenate([box.path.position[k] - x.p, *error_to(true, velocity, x)], axis=1)
    nees = np.einsum("ri,ri->r", error, np.linalg.solve(x.cov[:, :9, :9], error[..., None])[..., 0])
    quaternion = Rotation.from_matrix(x.turn).as_quat(canonical=True, scalar_first=True)
    w = rates - x.bias[:, 3:6]
    return np.concatenate([x.p, quaternion, applied(back, x.v), w, sigma, nees[:, None]], axis=1)


def solve_box(problem: Problem, gained: Gain = by_vector, rotation: Turn = exponential) -> list[Trajectory]:
    """Estimates of all runs at the output times."""
    box = draw_box(problem)
    h, every = box.numbers["interval"], round(problem.interval / box.numbers["interval"])
    at = {
        name: {int(k): i for i, k in enumerate(sample_times(box.numbers, name, problem.duration))} for name in SENSORS
    }
    x, rows = started(box), []
    for k in range(round(problem.duration / h) + 1):
        if k:
            x = predicted(x, box.force[:, k - 1], box.rates[:, k - 1], box, rotation)
        for sensor in SENSORS:
            if k in at[sensor] and not (sensor == "dvl" and is_lost(box.numbers, k * h)):
                x = updated(x, sensor, box.readings[sensor][:, at[sensor][k]], box.rates[:, k], box, gained)
        if k % every == 0:
            rows.append(row_of(x, box.rates[:, k], k, box))
    times = problem.interval * np.arange(len(rows))
    return [Trajectory(run.name, times, one) for run, one in zip(problem.runs, np.swapaxes(rows, 0, 1), strict=True)]
