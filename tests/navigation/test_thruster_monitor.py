"""Thruster monitor on accelerations of the plant itself: losses are named, model errors and disturbances are not."""

import math

import numpy as np
import pytest

from remora.navigation.faults.thrust_regression import MotionSample, learnt_current, split_acceleration
from remora.navigation.faults.thruster_monitor import ThrusterMonitor, best_detection
from remora.plant.plant import Plant
from remora.vehicles import load_vehicle
from remora.vehicles.morphologies import composite_vehicle, load_morphology

LEVEL = (1.0, 0.0, 0.0, 0.0)
FAULT = 200  # residual from which on thrust is lost
SOUND = np.ones(8)


@pytest.fixture(scope="module")
def plant():
    return Plant(load_vehicle("bluerov2_heavy"))


def split_of(plant, q, twist, outputs, current=(0.0, 0.0)):
    return split_acceleration(plant, MotionSample(q, tuple(twist), tuple(outputs), (0.0,) * 6), len(outputs), current)


def flown(plant, after=SOUND, before=SOUND, gain=1.0, push=(0.0,) * 6, residuals=300, seed=1):
    """State of the monitor after each residual: random thrust, a plant with other inertia, drag and a slow force.

    `before` and `after` are shares of the thrust; `push` is an acceleration after the same time.
    """
    random, monitor = np.random.default_rng(seed), ThrusterMonitor(plant, plant.actuator_names)
    state, outputs, twist, found = monitor.initial(), np.zeros(8), np.zeros(6), []
    for k in range(residuals):
        outputs = 0.9 * outputs + 5.0 * random.standard_normal(8)
        twist = 0.95 * twist + 0.05 * random.standard_normal(6)
        split = split_of(plant, LEVEL, twist, outputs)
        left = before if k < FAULT else after
        drag = (2.0 - gain) * split.by_motion - split.by_motion
        true = split.total + (gain * left - 1.0) @ split.by_thruster + drag + (np.array(push) if k >= FAULT else 0.0)
        noise = 0.01 * random.standard_normal(6) + 0.05
        state = monitor.step(state, MotionSample(LEVEL, tuple(twist), tuple(outputs), tuple(true + noise)))
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


@pytest.mark.parametrize("share", [0.0, 0.5])
def test_a_thruster_that_is_weak_from_the_start_is_named(plant, share):
    """Its loss is learnt like a tolerance, which it exceeds."""
    weak = weakened(3, share)
    states = flown(plant, weak, weak, gain=0.9)
    assert np.flatnonzero(states[-1].effectiveness < 1.0).tolist() == [3]
    assert states[-1].effectiveness[3] == pytest.approx(share, abs=0.3)


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
    total = split_of(plant, LEVEL, (0.0,) * 6, (0.0,) * 8).total
    random = np.random.default_rng(3)
    for _ in range(200):
        measured = total + 0.05 * random.standard_normal(6)
        state = monitor.step(state, MotionSample(LEVEL, (0.0,) * 6, (0.0,) * 8, tuple(measured)))
    assert (state.effectiveness == 1.0).all()
    assert best_detection(state, 1.0).max() < 1e-6  # nor could any other test


def test_a_current_is_learnt_as_one_vector_and_is_no_fault(plant):
    """Its drag in the axes of a turning vehicle tells both components, although the model assumes water at rest."""
    random, monitor, current = np.random.default_rng(6), ThrusterMonitor(plant, plant.actuator_names), (0.2, -0.1, 0.0)
    state, outputs, twist = monitor.initial(), np.zeros(8), np.zeros(6)
    for k in range(300):
        outputs = 0.9 * outputs + 5.0 * random.standard_normal(8)
        twist = 0.95 * twist + 0.05 * random.standard_normal(6)
        q, given = (math.cos(0.01 * k), 0.0, 0.0, math.sin(0.01 * k)), tuple(outputs.tolist())
        moving = plant.initial_state(quaternion=q, twist=tuple(twist), outputs=given)
        true = plant.derivative(moving, given, water=current)[7:13]
        measured = true + 0.01 * random.standard_normal(6)
        state = monitor.step(state, MotionSample(q, tuple(twist), given, tuple(measured)))
    assert (state.effectiveness == 1.0).all()
    np.testing.assert_allclose(learnt_current(state.errors), current[:2], atol=0.03)


def allocated(plant, wrench, without):
    """Least forces for a wrench, without some thrusters."""
    used = [i for i in range(len(plant.actuator_names)) if i not in without]
    effects = np.array([thruster.effect for thruster in plant.vehicle.parameters.thrusters])[used].T
    forces = np.zeros(len(plant.actuator_names))
    forces[used] = np.linalg.pinv(effects) @ wrench
    return forces


def flown_pair(plant, faulty, share, obeys, residuals=240):
    """State of the monitor after each residual of a pair whose allocation shares the load, and obeys tests or not."""
    random, monitor = np.random.default_rng(7), ThrusterMonitor(plant, plant.actuator_names)
    state, wrench, twist, found = monitor.initial(), np.zeros(6), np.zeros(6), []
    for k in range(residuals):
        wrench = 0.95 * wrench + np.array([8.0, 8.0, 8.0, 0.3, 1.0, 2.0]) * random.standard_normal(6)
        twist = 0.95 * twist + 0.05 * random.standard_normal(6)
        without = set(np.flatnonzero(state.effectiveness < 1.0)) | ({state.tested} if obeys else set())
        outputs = allocated(plant, wrench, without)
        split = split_of(plant, LEVEL, twist, outputs)
        left = np.ones(16)
        left[faulty] = share if k >= FAULT else 1.0
        true = split.total + (0.9 * left - 1.0) @ split.by_thruster
        measured = true + 0.01 * random.standard_normal(6)
        state = monitor.step(state, MotionSample(LEVEL, tuple(twist), tuple(outputs), tuple(measured)))
        found.append(state)
    return found


@pytest.mark.parametrize(("name", "share"), [("lead/rear_starboard", 0.0), ("tail/front_port", 0.5)])
def test_one_of_two_thrusters_on_nearly_one_line_is_named_by_a_test(name, share):
    """They are 3 cm apart in a docked pair and share their load, so that a loss alone does not tell which it is."""
    pair = Plant(composite_vehicle(load_morphology("docked_pair")))
    faulty = pair.actuator_names.index(name)
    alone, tested = (flown_pair(pair, faulty, share, obeys)[FAULT + 30] for obeys in (False, True))
    assert (alone.effectiveness == 1.0).all()
    assert np.flatnonzero(tested.effectiveness < 1.0).tolist() == [faulty]
    assert tested.effectiveness[faulty] == pytest.approx(share, abs=0.2)


FLOW = np.array([0.12, -0.08])  # m/s north and east


def test_the_split_is_exact_at_the_current_about_which_drag_is_linearised(plant):
    q, twist = (0.9689, 0.0, 0.0, 0.2474), (0.4, -0.1, 0.2, 0.1, 0.0, -0.2)
    outputs = (3.0, -2.0, 1.0, 4.0, 0.0, 5.0, 2.0, 1.0)
    split = split_of(plant, q, twist, outputs, (0.12, -0.08))
    state = plant.initial_state(quaternion=q, twist=twist, outputs=outputs)
    true = plant.derivative(state, outputs, water=(0.12, -0.08, 0.0))[7:13]
    np.testing.assert_allclose(split.total + split.by_current @ FLOW, true, atol=1e-12)
    still = split_of(plant, q, twist, outputs)
    assert np.abs(still.total + still.by_current @ FLOW - true).max() > 0.02  # drag is quadratic


@pytest.mark.parametrize("current", [(0.12, -0.08), (-0.5, 0.4)])
def test_a_current_is_learnt_in_ten_seconds_and_leaves_no_residual(plant, current):
    """Drag is quadratic: linearised about still water, residuals in 0.6 m/s would be ten times their noise."""
    random, monitor = np.random.default_rng(8), ThrusterMonitor(plant, plant.actuator_names)
    state = monitor.initial()
    for k in range(250):
        twist = (0.4 * math.sin(0.05 * k), 0.3 * math.cos(0.033 * k), 0.1, 0.0, 0.0, 0.0)
        q = (math.cos(0.01 * k), 0.0, 0.0, math.sin(0.01 * k))
        outputs = tuple((5.0 * random.standard_normal(8)).tolist())
        row = plant.initial_state(quaternion=q, twist=twist, outputs=outputs)
        true = plant.derivative(row, outputs, water=(*current, 0.0))[7:13]
        measured = true + 0.01 * random.standard_normal(6)
        state = monitor.step(state, MotionSample(q, twist, outputs, tuple(measured)))
        if k == 110:
            np.testing.assert_allclose(learnt_current(state.errors), current, atol=0.03)
    np.testing.assert_allclose(learnt_current(state.errors), current, atol=0.01)
    assert state.errors.spread.max() < 2.0
    assert (state.effectiveness == 1.0).all()
