"""Thruster monitor on accelerations of the plant itself: losses are named, model errors and disturbances are not."""

import numpy as np
import pytest

from remora.kernels.plant import Plant
from remora.navigation.faults.thrust_regression import split_acceleration
from remora.navigation.faults.thruster_monitor import ThrusterMonitor, best_detection
from remora.vehicles import load_vehicle

FAULT = 200  # residual from which on thrust is lost
SOUND = np.ones(8)


@pytest.fixture(scope="module")
def plant():
    return Plant(load_vehicle("bluerov2_heavy"))


def flown(plant, after=SOUND, before=SOUND, gain=1.0, push=(0.0,) * 6, residuals=300, seed=1):
    """State of the monitor after each residual: random thrust, a plant with other inertia, drag and a slow force.

    `before` and `after` are shares of the thrust; `push` is an acceleration after the same time.
    """
    random, monitor = np.random.default_rng(seed), ThrusterMonitor(plant, plant.actuator_names)
    state, outputs, twist, found = monitor.initial(), np.zeros(8), np.zeros(6), []
    for k in range(residuals):
        outputs = 0.9 * outputs + 5.0 * random.standard_normal(8)
        twist = 0.95 * twist + 0.05 * random.standard_normal(6)
        split = split_acceleration(plant, (1.0, 0.0, 0.0, 0.0), tuple(twist), tuple(outputs.tolist()), 8)
        left = before if k < FAULT else after
        drag = (2.0 - gain) * split.by_motion - split.by_motion
        true = split.total + (gain * left - 1.0) @ split.by_thruster + drag + (np.array(push) if k >= FAULT else 0.0)
        noise = 0.01 * random.standard_normal(6) + 0.05
        state = monitor.step(state, split, true + noise)
        found.append(state)
    return found


def weakened(thruster, share):
    left = SOUND.copy()
    left[thruster] = share
    return left


@pytest.mark.parametrize(("thruster", "share"), [(0, 0.0), (3, 0.5), (6, 0.0), (7, 0.5)])
def test_lost_thrust_is_named_within_three_seconds(plant, thruster, share):
    states = flown(plant, weakened(thruster, share), gain=0.8)
    assert (states[FAULT - 1].effectiveness == 1.0).all()
    after = states[FAULT + 30].effectiveness
    assert np.flatnonzero(after < 1.0).tolist() == [thruster]
    assert after[thruster] == pytest.approx(share, abs=0.2)
    assert best_detection(states[FAULT - 1], 1.0 - share)[thruster] > 0.99  # a thruster that works


@pytest.mark.parametrize("gain", [0.8, 1.0, 1.2])
def test_a_wrong_model_is_no_fault(plant, gain):
    assert (flown(plant, gain=gain, seed=2)[-1].effectiveness == 1.0).all()


def test_thrusters_within_their_tolerance_are_no_fault(plant):
    """Two of eight thrusters are a tenth weak, and one of them loses another tenth."""
    before = weakened(2, 0.9) * weakened(5, 0.9)
    assert (flown(plant, before * weakened(5, 0.9), before, seed=4)[-1].effectiveness == 1.0).all()


@pytest.mark.parametrize("push", [(0.5, 0.5, 0.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 0.0, 3.0, 0.0)])
def test_a_push_that_no_thruster_explains_is_no_fault(plant, push):
    """A gust without a moment, and a tether that pitches the vehicle; every thruster makes forces and moments."""
    assert (flown(plant, push=push, seed=5)[-1].effectiveness == 1.0).all()


def test_a_thruster_at_rest_is_not_judged(plant):
    monitor = ThrusterMonitor(plant, plant.actuator_names)
    state = monitor.initial()
    split = split_acceleration(plant, (1.0, 0.0, 0.0, 0.0), (0.0,) * 6, (0.0,) * 8, 8)
    random = np.random.default_rng(3)
    for _ in range(200):
        state = monitor.step(state, split, split.total + 0.05 * random.standard_normal(6))
    assert (state.effectiveness == 1.0).all()
    assert best_detection(state, 1.0).max() < 1e-6  # nor could any other test
