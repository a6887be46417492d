"""Smoother: batch least squares, covariances below those of the filter, fixed lag, consistency, exactness."""

import numpy as np
import pytest

from filter_models import RIGHT, SIGMA as INERTIAL_SIGMA, STEP_NS, inertial_filter, mission, reading
from line_filter import NOISE, SECOND, line_filter
from remora.files.problems import InputError
from remora.navigation.consistency import average_bounds, normalised_squares
from remora.navigation.filters import reading_table, run, smooth, smoothing

pytestmark = [pytest.mark.xdist_group("filters"), pytest.mark.timeout(600)]  # one compilation for all

STEP, PRIOR, SIGMA = 0.1, (1.0, 0.3), 0.1  # s; m and m/s; m


@pytest.fixture(scope="module")
def line():
    return line_filter()


def start(line):
    return line.initial((0.0, 1.0), PRIOR)


def travelled(steps, seed):
    """True states every 0.1 s, and readings: accelerations at each time, a fix at every third."""
    random, G = np.random.default_rng(seed), np.array([0.5 * STEP, 1.0])
    x, states, readings = np.array([0.0, 1.0]) + PRIOR * random.standard_normal(2), [], []
    for k in range(steps):
        states.append(x)
        stamp, u = round(k * STEP * SECOND), 0.2 * np.sin(0.3 * k)
        readings.append(reading("imu", stamp, (u,)))
        if k % 3 == 0:
            readings.append(reading("fix", stamp, (x[0] + SIGMA * random.standard_normal(),)))
        x = np.array([x[0] + STEP * x[1] + 0.5 * STEP**2 * u, x[1] + STEP * u])
        x = x + G * NOISE * np.sqrt(STEP) * random.standard_normal()
    return np.array(states), readings


def least_squares(steps, readings):
    """Estimates and covariances of all states from one linear least squares problem in the start and the noise."""
    F, G = np.array([[1.0, STEP], [0.0, 1.0]]), np.array([0.5 * STEP, 1.0]) * NOISE * np.sqrt(STEP)
    inputs = [one.values[0] for one in readings if one.sensor == "imu"]
    fixes = {round(1e-9 * one.stamp_ns / STEP): one.values[0] for one in readings if one.sensor == "fix"}
    A, c = np.zeros((2, steps + 1)), np.array([0.0, 1.0])
    A[:, :2] = np.diag(PRIOR)
    maps, rows, targets = [], [], []
    for k in range(steps):
        maps.append((A, c))
        if k in fixes:
            rows.append(A[0] / SIGMA)
            targets.append((fixes[k] - c[0]) / SIGMA)
        A, c = F @ A, F @ c + np.array([0.5 * STEP**2, STEP]) * inputs[k]
        if k < steps - 1:
            A[:, 2 + k] = G
    whitened = np.vstack([np.eye(steps + 1), *rows])
    information = whitened.T @ whitened
    best = np.linalg.solve(information, whitened.T @ np.concatenate([np.zeros(steps + 1), targets]))
    covariance = np.linalg.inv(information)
    return np.array([A @ best + c for A, c in maps]), np.array([A @ covariance @ A.T for A, _ in maps])


def test_the_smoother_is_batch_least_squares(line):
    """On a linear problem with a singular process noise: states and covariances to 1e-9."""
    _, readings = travelled(60, 0)
    found = smooth(line, start(line), readings, covariances=True)
    states, covariances = least_squares(60, readings)
    np.testing.assert_allclose(found.states, states, atol=1e-9)
    np.testing.assert_allclose([found.covariance(k) for k in range(60)], covariances, rtol=1e-9, atol=1e-12)


def test_readings_in_any_order_and_in_parts_give_the_same(line, monkeypatch):
    _, readings = travelled(60, 1)
    whole = smooth(line, start(line), readings)
    shuffled = [readings[i] for i in np.random.default_rng(0).permutation(len(readings))]
    monkeypatch.setattr(smoothing, "CHUNK", 7)
    parts = smooth(line, start(line), reading_table(shuffled))
    assert (parts.states == whole.states).all()
    assert (parts.sigma == whole.sigma).all()


def test_more_readings_never_make_an_estimate_worse(line):
    """Standard deviations: full smoother <= two seconds of lag <= half a second <= none, which is the filter."""
    _, readings = travelled(60, 2)
    filtered = run(line, start(line), readings)
    runs = [smooth(line, start(line), readings, lag=lag) for lag in (0.0, 0.5, 2.0, 100.0)]
    np.testing.assert_allclose(runs[0].states, filtered.states, rtol=1e-12)
    np.testing.assert_allclose(runs[0].sigma, filtered.sigma, rtol=1e-12)
    for longer, shorter in zip(runs[1:], runs, strict=False):
        assert (longer.sigma <= shorter.sigma * (1.0 + 1e-9)).all()
    full = smooth(line, start(line), readings)
    np.testing.assert_allclose(runs[-1].states, full.states, atol=1e-12)
    assert full.sigma[30, 0] < 0.9 * filtered.sigma[30, 0]
    with pytest.raises(InputError, match="lag is -1"):
        smooth(line, start(line), readings, lag=-1)
    with pytest.raises(InputError, match="no readings"):
        smooth(line, start(line), [])


def test_smoothed_errors_fit_their_covariances(line):
    """NEES averaged over 40 runs at six times, each within its two-sided 99.9 % interval."""
    runs, times, squares = 40, [0, 10, 20, 30, 45, 59], []
    for seed in range(runs):
        states, readings = travelled(60, 100 + seed)
        found = smooth(line, start(line), readings, covariances=True)
        errors = (found.states - states)[times]
        squares.append(normalised_squares(errors, np.array([found.covariance(k) for k in times])))
    low, high = average_bounds(2, runs, 0.999)
    average = np.mean(squares, axis=0)
    assert ((low < average) & (average < high)).all()


def test_a_smoothed_inertial_run_is_exact_without_noise_and_better_with_it():
    """With attitude errors on a chart: no error without noise, less than that of the filter with noise."""
    made = inertial_filter()
    errors = {}
    for noisy in (False, True):
        states, readings = mission(400, noisy=noisy)
        readings = [one for one in readings if one.stamp_ns <= 400 * STEP_NS]
        belief = made.initial(states[0], INERTIAL_SIGMA, inputs=readings[0].values)
        found = smooth(made, belief, readings)
        truth = [states[stamp // STEP_NS] for stamp in found.stamps_ns]
        errors[noisy] = np.array([RIGHT.minus(x, y) for x, y in zip(found.states, truth, strict=True)])
        if noisy:
            done = run(made, belief, sorted(readings, key=lambda one: one.stamp_ns))
            assert (found.sigma[:-1].min(axis=0) <= done.sigma.min(axis=0) * (1.0 + 1e-9)).all()
            last = [RIGHT.minus(x, states[t // STEP_NS]) for x, t in zip(done.states, done.stamps_ns, strict=True)]
            velocity = slice(6, 9)
            assert np.std(errors[True][:, velocity]) < np.std(np.array(last)[:, velocity])
    assert np.abs(errors[False]).max() < 1e-9
