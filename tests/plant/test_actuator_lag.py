"""Invariant T14: actuators follow their commands by lags solved exactly, so the step of a run does not matter."""

import math

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from remora.plant import METHODS, RK4, Stepper, derivative, initial_state, pack, rollout
from sample_features import reals
from sample_vehicles import bluerov2, falcon, tail_fin, torpedo, with_fins, with_thrusters

RISE, FALL = 0.15, 0.3
HELD = ("surge", "sway", "heave", "roll", "pitch", "yaw")
ROV = pack(bluerov2(), locked=HELD)  # a body that rests, so that any step is short enough for it
LIMIT = 1e-12 * 50.0  # of the largest thrust


def exact(output, target, seconds):
    """First order with its own time constants for growing or reversing, and for shrinking."""
    growing = abs(target) > abs(output) or output * target < 0.0
    return target + (output - target) * math.exp(-seconds / (RISE if growing else FALL))


commands_of_a_run = st.lists(st.lists(reals(-40.0, 50.0), min_size=6, max_size=6), min_size=1, max_size=6)


@settings(max_examples=30)
@given(commands_of_a_run, st.sampled_from([1, 3, 10, 100]), st.sampled_from(sorted(METHODS)))
def test_outputs_are_the_closed_form_at_any_step_and_by_any_method(commands, steps, name):
    """A quarter of a second per command, in one step or in a hundred."""
    method = METHODS[name]
    start = initial_state(ROV, method=method)
    fine = rollout(ROV, start, commands, 0.25, steps if name != "dormand_prince" else 1, method=method)
    for k, held_index in enumerate(commands):
        expected = [exact(y, c, 0.25) for y, c in zip(fine[k, 13:19], held_index, strict=True)]
        np.testing.assert_allclose(fine[k + 1, 13:19], expected, rtol=0, atol=LIMIT)


def test_long_run_in_few_and_in_many_steps():
    commands = np.random.default_rng(4).uniform(-40.0, 50.0, (40, 6))
    coarse = rollout(ROV, initial_state(ROV), commands, 0.1, 1)
    fine = rollout(ROV, initial_state(ROV), commands, 0.1, 1000)
    np.testing.assert_allclose(coarse[:, 13:19], fine[:, 13:19], rtol=0, atol=LIMIT)
    assert np.ptp(fine[:, 13:19]) > 20.0


@pytest.mark.parametrize(("start", "target"), [(0.0, 30.0), (30.0, 10.0), (30.0, 0.0), (20.0, -15.0), (-5.0, -30.0)])
def test_rise_fall_and_reversal(start, target):
    """Closed form over a second; a reversal keeps the time constant of rising all the way through zero."""
    state = initial_state(ROV, outputs=np.full(6, start))
    states = rollout(ROV, state, np.full(6, target), 0.01, intervals=100)
    expected = [exact(start, target, 0.01 * k) for k in range(101)]
    np.testing.assert_allclose(states[:, 13], expected, rtol=0, atol=LIMIT)


def test_limits_come_before_the_lag():
    states = rollout(ROV, initial_state(ROV), np.array([1e3, -1e3, 0, 0, 0, 0]), 5.0, 100)
    assert states[-1, 13:15] == pytest.approx([50.0, -40.0], rel=1e-12)
    assert np.all(states[-1, 15:19] == 0.0)


def test_shaft_speed_tends_to_the_mapped_command():
    """Falcon: the lag works on the speed of the shaft, behind the map from commands."""
    packed = pack(falcon())
    states = rollout(packed, initial_state(packed), np.full(5, -80.0), 0.1, intervals=20)
    expected = -74.343916 * (1.0 - np.exp(-0.1 * np.arange(21) / 0.159))
    np.testing.assert_allclose(states[:, 13], expected, rtol=0, atol=1e-6)


def test_an_actuator_without_lag_is_at_its_command_at_once():
    instant = [t._replace(rise_time=0.0, fall_time=0.0) for t in bluerov2().thrusters]
    packed = pack(with_thrusters(bluerov2(), instant))
    states = rollout(packed, initial_state(packed), [[5.0] * 6, [-3.0] * 6], 0.01)
    assert np.all(states[1, 13:19] == 5.0)
    assert np.all(states[2, 13:19] == -3.0)


def test_fins_lag_and_stop_at_their_limit():
    packed = pack(with_fins(torpedo(), [tail_fin(0.0)]))
    states = rollout(packed, initial_state(packed), [0.0, 1.0], 0.05, intervals=40)
    expected = 0.35 * (1.0 - np.exp(-0.05 * np.arange(41) / 0.1))
    np.testing.assert_allclose(states[:, 14], expected, rtol=0, atol=1e-12)


def test_rate_of_an_output_is_the_slope_of_its_lag():
    outputs, commands = np.array([0.0, 10.0, -10.0, 5.0, 20.0, -8.0]), np.array([9.0, 5.0, 10.0, 0.0, 40.0, -8.0])
    rate = derivative(ROV, initial_state(ROV, outputs=outputs), commands)[13:]
    expected = (commands - outputs) / [RISE, FALL, RISE, FALL, RISE, FALL]
    np.testing.assert_allclose(rate, expected, rtol=1e-14, atol=1e-14)


def test_the_stepper_uses_the_same_lag():
    step, state = Stepper(ROV, 0.02, RK4), initial_state(ROV)
    for _ in range(50):
        state = step(state, np.full(6, 25.0))
    assert state[13] == pytest.approx(exact(0.0, 25.0, 1.0), rel=1e-12)


def test_the_body_feels_the_output_and_not_the_command():
    """Surge of a body pushed through a lag: the exact solution of the linear pair of equations."""
    free = bluerov2()._replace(linear_damping=bluerov2().added_mass, quadratic_damping=((0.0,) * 6,) * 6)
    ahead = [t._replace(effect=(1.0, 0.0, 0.0, 0.0, 0.0, 0.0)) for t in free.thrusters]
    packed = pack(with_thrusters(free, ahead), locked=HELD[1:])
    states = rollout(packed, initial_state(packed), [6.0, 0, 0, 0, 0, 0], 0.01, intervals=300)
    t, m, d = 0.01 * np.arange(301), 17.0, 5.5
    a, b = 1.0 / RISE, d / m
    expected = 6.0 / d * (1.0 - (a * np.exp(-b * t) - b * np.exp(-a * t)) / (a - b))
    np.testing.assert_allclose(states[:, 7], expected, rtol=0, atol=1e-7)
