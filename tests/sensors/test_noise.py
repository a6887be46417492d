"""N1: mean, deviation and Allan deviation of what a sensor gives are those of its parameters."""

import math

import numpy as np
import pytest
from sensor_runs import AT_REST, WATER, allan_deviation, readings, sensor, values

from remora.sensors import Status
from remora.sensors.errors.distortions import Clipping

COUNT = 20_000
FOUR_SIGMA = 4.0  # all bounds below are four standard deviations of the estimate itself


def deviation_bound(count):
    """Relative scatter of a sample deviation."""
    return FOUR_SIGMA / math.sqrt(2.0 * count)


def test_mean_and_deviation_of_white_noise():
    found = values(sensor("gyro", std=[0.1, 0.2, 0.3], bias=[1.0, -2.0, 3.0]), COUNT)
    for i, (bias, deviation) in enumerate(((1.0, 0.1), (-2.0, 0.2), (3.0, 0.3))):
        assert found[:, i].mean() == pytest.approx(bias, abs=FOUR_SIGMA * deviation / math.sqrt(COUNT))
        assert found[:, i].std() == pytest.approx(deviation, rel=deviation_bound(COUNT))
    correlation = np.corrcoef(found.T)[np.triu_indices(3, 1)]
    assert np.abs(correlation).max() < FOUR_SIGMA / math.sqrt(COUNT)
    lagged = np.corrcoef(found[1:, 0], found[:-1, 0])[0, 1]
    assert abs(lagged) < FOUR_SIGMA / math.sqrt(COUNT)


@pytest.mark.parametrize("rate", [10.0, 125.0])
def test_densities_give_the_deviation_of_their_band(rate):
    density = values(sensor("gyro", rate, noise_density=0.01), COUNT).std()
    walk = values(sensor("gyro", rate, random_walk=0.01), COUNT).std()
    assert density == pytest.approx(0.01 * math.sqrt(rate / 2.0), rel=deviation_bound(3 * COUNT))
    assert walk == pytest.approx(0.01 * math.sqrt(rate), rel=deviation_bound(3 * COUNT))


def test_allan_deviation_of_white_noise_falls_with_the_root_of_time():
    """N / sqrt(t) with N the random walk; the estimate scatters by 1 / sqrt(2 (n / m - 1)) (IEEE Std 952)."""
    signal = values(sensor("gyro", 100.0, random_walk=0.02), 3 * COUNT)[:, 0]
    found = {m: allan_deviation(signal, 0.01, m) for m in (1, 10, 100)}
    for m, deviation in found.items():
        bound = FOUR_SIGMA / math.sqrt(2.0 * (len(signal) / m - 1.0))
        assert deviation == pytest.approx(0.02 / math.sqrt(0.01 * m), rel=bound)
    slope = math.log(found[100] / found[1]) / math.log(100)
    assert slope == pytest.approx(-0.5, abs=0.03)


def test_allan_deviation_of_a_random_walk_grows_with_the_root_of_time():
    """K sqrt(t / 3), averaged over ten seeds."""
    found = {m: [] for m in (10, 100)}
    for seed in range(10):
        signal = values(sensor("gyro", 10.0, seed, bias_walk=0.05), COUNT // 4)
        for m, squares in found.items():
            squares += [allan_deviation(column, 0.1, m) ** 2 for column in signal.T]
    root = {m: math.sqrt(np.mean(squares)) for m, squares in found.items()}
    for m, deviation in root.items():
        assert deviation == pytest.approx(0.05 * math.sqrt(0.1 * m / 3.0), rel=0.10)
    assert math.log(root[100] / root[10]) / math.log(10) == pytest.approx(0.5, abs=0.05)


@pytest.mark.parametrize("rate", [1.0, 4.0])
def test_gauss_markov_bias_keeps_its_deviation_and_its_time_at_any_rate(rate):
    """Four hundred runs: the spread at the start and after one and three time constants, and the memory between."""
    runs = np.array(
        [
            values(sensor("gyro", rate, seed, bias_wander=[0.1, 0.2, 0.3], bias_wander_time=5.0), round(15 * rate) + 1)
            for seed in range(400)
        ]
    ) / (0.1, 0.2, 0.3)
    for k in (0, round(5 * rate), round(15 * rate)):
        assert runs[:, k].std() == pytest.approx(1.0, rel=deviation_bound(1200))
    memory = np.mean(runs[:, 0] * runs[:, round(5 * rate)])
    assert memory == pytest.approx(math.exp(-1.0), abs=FOUR_SIGMA / math.sqrt(1200))


def test_gauss_markov_bias_catches_up_after_a_time_without_values():
    """The step is exact in time, not counted in samples: without lock nothing moves, with it again all time counts."""
    made = sensor("dvl", 1.0, bias_wander=0.1, bias_wander_time=10.0, bottom_track_max_range=30.0)
    high = AT_REST._replace(p_NB=(0.0, 0.0, -500.0))
    state, _ = made.step(made.initial(), AT_REST, WATER, 0)
    held = state
    for k in range(1, 20):
        state, lost = made.step(state, high._replace(time_ns=k * 10**9), WATER, k)
        assert lost.status == Status.NO_LOCK
        assert state == held
    again = AT_REST._replace(time_ns=20 * 10**9)
    state, after = made.step(state, again, WATER, 20)
    direct, straight = made.step(held, again, WATER, 20)
    assert after.status == Status.OK
    assert (state, after) == (direct, straight)


def test_turn_on_bias_and_scale_differ_from_run_to_run_and_not_within_one():
    runs = np.array([values(sensor("gyro", seed=seed, bias_std=0.1), 3) for seed in range(600)])
    assert np.ptp(runs, axis=1).max() == 0.0
    assert runs[:, 0].std() == pytest.approx(0.1, rel=deviation_bound(1800))


def test_outliers_come_as_often_and_jump_as_far_as_told():
    found = values(sensor("gyro", outlier_probability=0.05, outlier_std=10.0), COUNT)
    jumped = found[np.abs(found[:, 0]) > 0]
    share = len(jumped) / COUNT
    assert share == pytest.approx(0.05, abs=FOUR_SIGMA * math.sqrt(0.05 * 0.95 / COUNT))
    assert jumped.std() == pytest.approx(10.0, rel=deviation_bound(3 * len(jumped)))


def test_dropout_loses_as_many_readings_as_told():
    found = readings(sensor("gyro", dropout=0.2, std=0.1), COUNT)
    lost = [reading for reading in found if reading.status == Status.DROPPED]
    assert len(lost) / COUNT == pytest.approx(0.2, abs=FOUR_SIGMA * math.sqrt(0.2 * 0.8 / COUNT))
    assert all(np.isnan(reading.values).all() for reading in lost)


def test_steps_limits_and_scale_by_sign():
    truth = AT_REST._replace(twist=(0.0, 0.0, 0.0, 0.123, -0.456, 9.0))
    (found,) = values(sensor("gyro", resolution=0.05, limit=1.0), 1, truth)
    np.testing.assert_allclose(found, (0.1, -0.45, 1.0), atol=1e-12)
    (found,) = values(sensor("gyro", scale_error=0.1, scale_difference=[0.02, 0.02, 0.02]), 1, truth)
    np.testing.assert_allclose(found, (0.123 * 1.12, -0.456 * 1.08, 9.0 * 1.12))


def test_both_ends_of_a_sensor_are_clipped():
    """Saturation keeps the sign: a value far below is held at the lower end."""
    clipped = Clipping((2.0, 3.0, 1.0, 5.0)).apply((), (7.0, -8.0, -1.5, -4.0), AT_REST, WATER, 0)[1]
    assert clipped == (2.0, -3.0, -1.0, -4.0)
