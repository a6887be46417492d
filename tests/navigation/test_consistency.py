"""Tools that judge filters accept a filter that is right and name one that is not."""

import numpy as np
import pytest

from remora.navigation.consistency import (
    ConsistencyError,
    LinearisedStep,
    average_bounds,
    consistency,
    covariance_bound,
    normalised_squares,
    observability,
    whiteness,
)

F, Q, H, R = np.array([[1.0, 0.1], [0.0, 1.0]]), np.diag([1e-6, 1e-4]), np.array([[1.0, 0.0]]), np.array([[0.04]])
STEP = LinearisedStep(F, Q, H, R)


def kalman(runs, steps, process=1.0, seed=0):
    """Errors, covariances and innovations of a filter that assumes `process` times the true process noise."""
    generator = np.random.default_rng(seed)
    P = np.diag([1.0, 1.0])
    x = generator.normal(size=(runs, 2))
    mean = np.zeros((runs, 2))
    errors, covariances, innovations = [], [], []
    for _ in range(steps):
        x = x @ F.T + generator.normal(size=(runs, 2)) @ np.sqrt(Q)
        mean, P = mean @ F.T, F @ P @ F.T + process * Q
        S = P[0, 0] + R[0, 0]
        innovation = x[:, 0] + 0.2 * generator.normal(size=runs) - mean[:, 0]
        gain = P[:, 0] / S
        mean, P = mean + np.outer(innovation, gain), P - np.outer(gain, P[0])
        errors.append(x - mean)
        covariances.append(np.broadcast_to(P, (runs, 2, 2)))
        innovations.append(innovation / np.sqrt(S))
    return np.stack(errors, axis=1), np.stack(covariances, axis=1), np.stack(innovations, axis=1)


def test_the_bounds_are_those_of_the_chi_square_distribution():
    """15 states and 50 runs: 13.08 to 17.07; one run allows 4.6 to 32.8."""
    assert average_bounds(15, 50) == pytest.approx((13.08, 17.07), abs=0.01)
    assert average_bounds(15, 1) == pytest.approx((4.60, 32.80), abs=0.01)


@pytest.mark.parametrize(
    ("process", "verdict"), [(1.0, "consistent"), (0.01, "overconfident"), (100.0, "underconfident")]
)
def test_a_filter_with_the_right_noise_is_consistent_and_others_are_not(process, verdict):
    errors, covariances, _ = kalman(50, 400, process)
    report = consistency(errors, covariances)
    assert report.verdict == verdict
    assert report.runs == 50
    assert verdict in str(report)


def test_normalised_squares_do_not_depend_on_the_coordinates():
    errors, covariances, _ = kalman(5, 30)
    T = np.array([[2.0, 1.0], [0.3, -1.0]])
    turned = normalised_squares(errors @ T.T, T @ covariances @ T.T)
    assert turned == pytest.approx(normalised_squares(errors, covariances), rel=1e-9)


def test_a_missing_innovation_is_no_error():
    errors, covariances, _ = kalman(3, 10)
    errors[1, 4] = np.nan
    assert np.isnan(normalised_squares(errors, covariances)[1, 4])
    assert len(consistency(errors, covariances).average) == 9


@pytest.mark.parametrize(
    ("errors", "covariances", "said"),
    [
        (np.zeros((2, 3, 2)), np.zeros((2, 3, 2, 2)), "smallest eigenvalue"),
        (np.zeros((2, 3, 2)), -np.ones((2, 3, 2, 2)), "not positive definite"),
        (np.zeros((2, 3, 2)), np.eye(2), "one 2x2 matrix for each error"),
        (np.zeros(3), np.eye(3), "runs x times x dimension"),
        (np.full((1, 4, 1), np.nan), np.ones((1, 4, 1, 1)), "at no time"),
    ],
)
def test_covariances_that_are_none_are_refused(errors, covariances, said):
    with pytest.raises(ConsistencyError, match=said):
        consistency(errors, covariances)


def test_innovations_are_white_where_the_filter_is_optimal_only():
    rejected = [not whiteness(kalman(1, 2000, 1.0, seed)[2][0, 200:]).is_white for seed in range(40)]
    assert sum(rejected) <= 3  # 1 % of 40 expected
    assert not whiteness(kalman(1, 2000, 1e-4, 1)[2][0, 200:]).is_white


def test_whiteness_needs_enough_samples_that_vary():
    with pytest.raises(ConsistencyError, match="fewer lags"):
        whiteness(np.arange(10.0))
    with pytest.raises(ConsistencyError, match="constant"):
        whiteness(np.ones(100))


def test_the_bound_of_a_linear_system_is_reached_by_its_kalman_filter():
    errors, covariances, _ = kalman(400, 60)
    bound = covariance_bound(np.eye(2), [STEP] * 60)
    assert bound == pytest.approx(covariances[0], rel=1e-9)
    spread = np.mean(errors[:, -1] ** 2, axis=0)
    assert spread == pytest.approx(np.diag(bound[-1]), rel=4.0 * np.sqrt(2.0 / 400.0))


def test_the_bound_grows_without_measurements():
    blind = LinearisedStep(F, Q, np.empty((0, 2)), np.empty((0, 0)))
    bound = covariance_bound(np.eye(2), [blind] * 50)
    assert (np.diff(bound[:, 0, 0]) > 0.0).all()


@pytest.mark.parametrize("prior", [np.ones(3), np.ones((2, 3)), np.diag([1.0, -1.0])])
def test_a_prior_that_is_no_covariance_is_refused(prior):
    with pytest.raises(ConsistencyError, match="prior"):
        covariance_bound(prior, [STEP])


def test_a_state_that_nothing_measures_is_named():
    """Position and velocity from positions are observable; a heading that nothing measures is not."""
    F3 = np.eye(3)
    F3[0, 1] = 0.1
    step = LinearisedStep(F3, np.zeros((3, 3)), np.array([[1.0, 0.0, 0.0]]), R)
    report = observability([step] * 50, ("position", "velocity", "heading"), (1.0, 1.0, 1.0))
    assert report.std["heading"] == np.inf
    assert report.std["position"] < 1.0
    assert report.std["velocity"] < 1.0
    assert [*report.unobservable[0]] == ["heading"]


def test_only_the_sum_of_two_biases_is_seen():
    step = LinearisedStep(np.eye(2), np.zeros((2, 2)), np.array([[1.0, 1.0]]), R)
    report = observability([step] * 20, ("first", "second"), (1.0, 1.0))
    assert report.std == {"first": np.inf, "second": np.inf}
    direction = report.unobservable[0]
    assert direction["first"] == pytest.approx(-direction["second"])
