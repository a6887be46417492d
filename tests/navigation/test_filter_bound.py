"""Cramér-Rao bounds with the models of a filter, and the health of its sensors."""

import numpy as np
import pytest

from filter_models import SIGMA, STEP_NS, inertial_filter, mission, reading
from line_filter import AIDINGS, SECOND, line_filter
from remora.files.problems import InputError
from remora.navigation.filters import (
    AidingCondition,
    HealthMonitor,
    Innovation,
    TrueTrajectory,
    bound,
    observed_states,
    run,
    smooth,
)

pytestmark = [pytest.mark.xdist_group("filters"), pytest.mark.timeout(600)]  # one compilation for all


@pytest.fixture(scope="module")
def line():
    return line_filter()


def schedule(steps):
    readings = []
    for k in range(steps):
        stamp = k * SECOND // 10
        readings.append(reading("imu", stamp, (0.0,)))
        if k % 3 == 0:
            readings.append(reading("fix", stamp, (1e-9 * stamp,)))
    return readings


def test_the_bound_of_a_linear_system_is_the_covariance_of_its_filter_and_smoother(line):
    """Whatever the trajectory, here one that the process model does not follow; a missing value does not count."""
    readings, stamps = schedule(40), np.arange(0, 5) * SECOND
    truth = TrueTrajectory(stamps, np.stack([np.sin(1e-9 * stamps), np.cos(1e-9 * stamps)], axis=1))
    start = line.initial((0.0, 1.0), (1.0, 0.3))
    found = bound(line, truth, readings, (1.0, 0.3))
    done = run(line, start, readings)
    assert (found.stamps_ns == done.stamps_ns).all()
    np.testing.assert_allclose(found.sigma, done.sigma, rtol=1e-12)
    np.testing.assert_allclose(found.covariance(-1), done.belief.covariance, rtol=1e-12)
    best = bound(line, truth, readings, (1.0, 0.3), smoothed=True)
    np.testing.assert_allclose(best.sigma, smooth(line, start, readings).sigma, rtol=1e-9)
    missing = [one._replace(values=(np.nan,)) if one.sensor == "fix" else one for one in readings]
    assert (bound(line, truth, missing, (1.0, 0.3)).sigma[-1] > 2.0 * found.sigma[-1]).any()
    with pytest.raises(InputError, match="the truth covers"):
        bound(line, TrueTrajectory(stamps[:3], truth.states[:3]), readings, (1.0, 0.3))


def test_states_of_a_linear_system_that_readings_show(line):
    """Fixes of the position show position and velocity; without any, both stay as they were."""
    readings, stamps = schedule(40), np.arange(0, 5) * SECOND
    truth, names = TrueTrajectory(stamps, np.zeros((5, 2))), ("position", "velocity")
    seen = observed_states(line, truth, readings, (1.0, 0.3), names)
    assert seen.unseen == seen.unobservable == ()
    assert seen.hidden == {"position": 0.0, "velocity": 0.0}
    blind = observed_states(line, truth, [one for one in readings if one.sensor == "imu"], (1.0, 0.3), names)
    assert blind.unseen == names
    assert len(blind.unobservable) == 2
    assert blind.hidden == pytest.approx({"position": 1.0, "velocity": 1.0})
    with pytest.raises(InputError, match="names: found 1; give 2"):
        observed_states(line, truth, readings, (1.0, 0.3), ["position"])


def test_the_bound_is_the_covariance_of_a_filter_without_errors():
    """Inertial filter from the right start with exact readings: it is linearised at the truth already."""
    made = inertial_filter()
    states, readings = mission(300, noisy=False)
    readings = [one for one in readings if one.stamp_ns <= 300 * STEP_NS]
    start = made.initial(states[0], SIGMA, inputs=readings[0].values)
    truth = TrueTrajectory(np.arange(len(states)) * STEP_NS, np.array(states))
    found = bound(made, truth, readings, SIGMA)
    done = run(made, start, sorted(readings, key=lambda one: one.stamp_ns))
    np.testing.assert_allclose(found.sigma[-1], done.sigma[-1], rtol=1e-6)
    smoothed = bound(made, truth, readings, SIGMA, smoothed=True)
    assert (smoothed.sigma <= found.sigma * (1.0 + 1e-6)).all()


def watched(results, seconds, limits=None):
    """Health of the fixes after each second."""
    monitor, found = HealthMonitor(AIDINGS, limits), []
    state = monitor.initial()
    for second in range(1, seconds + 1):
        now = [one for one in results if (second - 1) * SECOND < one.stamp_ns <= second * SECOND]
        state, health = monitor.step(state, now, second * SECOND)
        found.append(health["fix"])
    return found


def fixes(seconds, scale=1.0, outcome="used", seed=0):
    random = np.random.default_rng(seed)
    return [
        Innovation("fix", k * SECOND // 5, outcome, (1.0,), (1.0,), float(scale * random.standard_normal() ** 2))
        for k in range(1, 5 * seconds + 1)
    ]


def test_health_follows_innovations_rejections_and_age():
    """Consistent: healthy. Innovations three times too large: suspicious. Rejected or silent: failed."""
    consistent = watched(fixes(200), 200)
    assert sum(one.condition != AidingCondition.HEALTHY for one in consistent) <= 2
    assert consistent[-1].mean_squared == pytest.approx(1.0, abs=0.7)
    large = watched(fixes(20, scale=9.0), 20)
    assert large[9].condition == AidingCondition.SUSPICIOUS
    assert large[9].reason == "innovations are too large"
    rejected = watched(fixes(10, outcome="rejected"), 10)
    assert rejected[0].condition == AidingCondition.SUSPICIOUS
    assert rejected[4].condition == AidingCondition.FAILED
    assert rejected[4].reason == "every reading is rejected"
    silent = watched(fixes(3), 20)
    assert silent[2].condition == AidingCondition.HEALTHY
    assert silent[9].condition == AidingCondition.FAILED
    assert silent[9].reason == "no reading"
    assert silent[9].age == pytest.approx(7.0)
