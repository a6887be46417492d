"""Unscented filter: equal to the error-state filter where all is linear, better where a prediction bends."""

import numpy as np
import pytest

import line_filter
from filter_models import reading
from line_filter import AIDINGS, NOISE, SECOND, line_filter as linear_filter
from remora.equations.algebra.elementary import cos, sin
from remora.files.problems import InputError
from remora.navigation.filters import AidingModel, Chart, compile_filter, run, smooth

pytestmark = [pytest.mark.xdist_group("filters"), pytest.mark.timeout(600)]  # one compilation for all

HEADING_SIGMA, DISTANCE = 0.5, 100.0  # rad, m
LINE = {name: aiding for name, aiding in AIDINGS.items() if name in ("fix", "beacon")}


def plus(x, d):
    return (x[0] + d[0], x[1] + d[1], x[2] + d[2])


def minus(y, x):
    return (y[0] - x[0], y[1] - x[1], y[2] - x[2])


def ahead(x, u, dt, row):
    return (x[0] + dt * u[0] * cos(x[2]), x[1] + dt * u[0] * sin(x[2]), x[2])


def place(x, u, row):
    return (x[0], x[1])


def heading(x, u, row):
    return (x[2],)


def straight(unscented):
    aidings = {"place": AidingModel(place, (1.0, 1.0)), "heading": AidingModel(heading, (0.1,), (True,))}
    return compile_filter(
        Chart(plus, minus), ahead, aidings, states=3, noise=(0.0,) * 3, input_size=1, unscented=unscented
    )


@pytest.fixture(scope="module")
def unscented():
    return straight(True)


def unscented_line(aidings):
    return compile_filter(
        Chart(line_filter.plus, line_filter.minus), line_filter.process, aidings, states=2, errors=2, noise=(NOISE,),
        noise_input=line_filter.noise_input, inputs="imu", input_size=1, parameters=(1.0,), unscented=True,
    )  # fmt: skip


def test_a_linear_problem_gives_the_kalman_filter():
    """States, deviations and innovations to 1e-9 of those with Jacobians, late and rejected readings included."""
    made, jacobian, random = unscented_line(LINE), linear_filter(), np.random.default_rng(0)
    readings = []
    for k in range(60):
        t = k * SECOND // 10
        readings.append(reading("imu", t, (0.1 * np.sin(k),)))
        value = 1e-9 * t + 0.1 * random.standard_normal() + 9.0 * (k == 30)
        readings.append(reading("fix", t, (value,), t + SECOND // 2))
        readings.append(reading("beacon", t, (1e-9 * t - 7.0, 0.2, 7.0)))
    readings.sort(key=lambda one: one.arrival_ns)
    runs = [run(one, one.initial((0.0, 1.0), (1.0, 0.2)), readings) for one in (made, jacobian)]
    np.testing.assert_allclose(runs[0].states, runs[1].states, atol=1e-9)
    np.testing.assert_allclose(runs[0].sigma, runs[1].sigma, rtol=1e-9)
    for name in LINE:
        first, second = (one.innovations[name] for one in runs)
        assert (first.outcomes == second.outcomes).all()
        np.testing.assert_allclose(first.squared, second.squared, rtol=1e-8, atol=1e-12)
    assert runs[0].innovations["fix"].count("rejected") == 1


def test_an_uncertain_heading_bends_a_long_prediction(unscented):
    """Exact moments of 100 m at a heading of 0 +- 0.5 rad: the mean is 88.2 m ahead, not 100 m, and spread along."""
    mean = DISTANCE * np.exp(-(HEADING_SIGMA**2) / 2)
    along = DISTANCE * np.sqrt((1 + np.exp(-2 * HEADING_SIGMA**2)) / 2 - np.exp(-(HEADING_SIGMA**2)))
    across = DISTANCE * np.sqrt((1 - np.exp(-2 * HEADING_SIGMA**2)) / 2)
    random = np.random.default_rng(0)
    headings = HEADING_SIGMA * random.standard_normal(500)
    truth = DISTANCE * np.stack([np.cos(headings), np.sin(headings)], axis=1)
    errors, nees = {}, {}
    for made in (unscented, straight(False)):
        belief = made.initial((0.0, 0.0, 0.0), (0.1, 0.1, HEADING_SIGMA), inputs=(DISTANCE,))
        belief, _ = made.step(belief, [reading("inputs", SECOND, (0.0,))])
        errors[made is unscented] = abs(belief.state[0] - mean)
        apart, P = truth - belief.state[:2], belief.covariance[:2, :2]
        nees[made is unscented] = np.mean(np.sum(apart * np.linalg.solve(P, apart.T).T, axis=1))
        if made is unscented:
            np.testing.assert_allclose(np.sqrt(np.diag(belief.covariance))[:2], (along, across), rtol=0.07)
    assert errors[True] < 0.1
    assert errors[False] > 11.0
    assert 1.5 < nees[True] < 2.5  # two coordinates
    assert nees[False] > 1000.0


def test_angles_and_missing_values(unscented):
    """Innovations of angles are wrapped; a measurement with a missing value uses the other one."""
    belief = unscented.initial((0.0, 0.0, np.pi - 0.05), (1.0, 1.0, 0.1))
    after, (result,) = unscented.step(belief, [reading("heading", 1, (-np.pi + 0.05,))])
    assert result.values[0] == pytest.approx(0.1, abs=1e-9)
    assert after.state[2] == pytest.approx(np.pi, abs=1e-9)
    after, (result,) = unscented.step(belief, [reading("place", 1, (2.0, np.nan))])
    assert result.outcome == "used"
    assert after.state[0] == pytest.approx(1.0, abs=1e-9)
    assert after.covariance[0, 0] == pytest.approx(0.5, rel=1e-9)
    assert after.covariance[1, 1] == pytest.approx(1.0, rel=1e-9)
    with pytest.raises(InputError, match="without unscented"):
        smooth(unscented, belief, [reading("place", 1, (0.0, 0.0))])
    with pytest.raises(InputError, match="delayed_residual of slow"):
        unscented_line({"slow": AIDINGS["slow"]})
