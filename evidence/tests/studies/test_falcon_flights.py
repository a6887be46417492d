"""G4, S5, S7 and S8 are flown as the source flies them, and their requirements can fail."""

import math

import numpy as np
import pytest

from remora_evidence.runner import run_study
from remora_evidence.studies import catalogue
from remora_evidence.studies.falcon import velocity_control
from remora_evidence.studies.falcon.closed_loop import PERIOD, FalconTrial, estimate_of, fly, fly_by
from remora_evidence.studies.falcon.sled_navigation import SETTLING, SledNavigation

QUICK = (0.5, -0.2, 0.1, 0.1)


@pytest.fixture
def flights(monkeypatch):
    """The flights by the sled that a study asks for, none of them flown; the others with true states are short."""
    flown = []

    def by_sled(trial, target):
        flown.append((trial, target))
        return fly(trial, target, 41.0)

    monkeypatch.setattr(velocity_control, "fly_by_sled", by_sled)
    velocity_control.by_sled.cache_clear()
    velocity_control.mode_changes.cache_clear()
    yield flown
    velocity_control.by_sled.cache_clear()
    velocity_control.mode_changes.cache_clear()


@pytest.mark.parametrize(
    ("name", "adaptive", "lag"),
    [("G4", {True}, {False}), ("S5", {False}, {False}), ("S7", {False, True}, {False}), ("S8", {False, True}, {True})],
)
def test_waypoints_are_flown_by_sensors_and_filter(flights, name, adaptive, lag):
    """They fed back true states, and G4 flew the PI controller where the source flies the adaptive one."""
    figures = catalogue.find_study(name).run([1])
    assert {trial.is_adaptive for trial, _ in flights} == adaptive
    assert {trial.has_lag for trial, _ in flights} == lag
    assert all(trial.is_scattered and trial.is_disturbed for trial, _ in flights)
    truth = [figure for figure in figures if figure.name.startswith("true states: ")]
    assert bool(truth) == (name != "G4")


def test_the_sled_in_the_loop_has_noise_and_latency():
    """Two seconds by the sled: estimates err by what noise and late readings make, and the vehicle still goes ahead."""
    trial, seen = FalconTrial(3, is_adaptive=True), []
    navigation = SledNavigation(trial)

    class Watching:
        step = navigation.step

        def initial(self, state):
            return navigation.initial(state)

        def estimate(self, held, k, passed):
            after, estimate = navigation.estimate(held, k, passed)
            seen.append((after, estimate, estimate_of(passed.states[-1], k)))
            return after, estimate

    run = fly_by(Watching(), trial, QUICK, 2.0)
    assert run.states[-1, 0] > 0.05
    errors = np.array([np.subtract(estimate.twist[:3], truth.twist[:3]) for _, estimate, truth in seen])
    assert 0.003 < np.sqrt(np.mean(errors**2)) < 0.1
    late = {reading.sensor for held, _, _ in seen for reading in held.late}
    assert late == {"compass", "dvl", "sbl_rover"}
    assert len(seen) == round(2.0 / PERIOD)
    assert seen[0][0].filter.belief.stamp_ns == round(1e9 * PERIOD) * SETTLING


def test_a_heading_that_wanders_off_again_fails_S5(monkeypatch):
    """The heading starts 0.2 rad off, so that the first time within 0.1 rad came after a second whatever happened."""
    times = np.arange(0.0, 60.0, PERIOD)
    wandering = np.where(times > 40.0, 0.3, 0.0)
    assert velocity_control.arrival(times, wandering, 0.1) == 0.0
    assert velocity_control.settled(times, wandering, 0.1) == math.inf
    assert velocity_control.settled(times, np.where(times < 30.0, 0.3, 0.0), 0.1) == pytest.approx(30.0)
    truth = velocity_control.by_truth(FalconTrial(1))
    monkeypatch.setattr(velocity_control, "by_sled", lambda trial: truth._replace(heading=30.0))
    missed = [figure.name for figure in run_study(catalogue.find_study("S5"), 1).missed]
    assert missed == ["heading within 0.1 rad for good, latest seed"]
