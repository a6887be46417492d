"""Invariant T14 for rate-limited outputs, servos, moving masses and motors: the step does not matter."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from remora.equations.actuators.drives import motor_speed_rate
from remora.equations.actuators.motors import motor_speed_after
from remora.equations.actuators.slewing import (
    UNLIMITED_RATE,
    Slew,
    is_instantaneous,
    slewed_output,
    slewing_acceleration,
    slewing_speed,
)
from remora.plant import METHODS, batch, derivative, initial_state, pack, rollout
from remora.plant.pack import resting_outputs
from remora.vehicles.checks.actuation import allocation_matrix
from sample_features import reals
from sample_vehicles import MOTOR, bluerov2, glider, tail_fin, torpedo, with_fins, with_servos

HELD = ("surge", "sway", "heave", "roll", "pitch", "yaw")
GLIDER = pack(glider(), locked=HELD)
LOWEST, HIGHEST = ([-24.0, -80.0, -16.0] + [-0.35] * 4 + [-1.5, -1.0, -0.2, -0.2, 0.0, -5e-4],
                   [24.0, 90.0, 16.0] + [0.35] * 4 + [1.5, 1.0, 0.2, 0.2, 2.0, 1e-3])  # fmt: skip
SLEWS = (
    [Slew(0.1, 0.5, -0.35, 0.35)] * 4
    + [*glider().servos]
    + [moving_mass.slew for moving_mass in glider().moving_masses]
)


@settings(max_examples=30)
@given(st.integers(0, 2**31), st.sampled_from([1, 3, 10, 100]), st.sampled_from(sorted(METHODS)))
def test_outputs_are_the_closed_form_at_any_step_and_by_any_method(seed, steps, name):
    method, commands = METHODS[name], np.random.default_rng(seed).uniform(LOWEST, HIGHEST, (4, 13))
    start = initial_state(GLIDER, method=method)
    found = rollout(GLIDER, start, commands, 0.25, steps if name != "dormand_prince" else 1, method=method)
    for k, held_index in enumerate(commands):
        before, after = found[k, 13:26], found[k + 1, 13:26]
        expected = [slewed_output(*each, 0.25) for each in zip(SLEWS, before[3:], held_index[3:], strict=True)]
        np.testing.assert_allclose(after[3:], expected, rtol=0, atol=1e-12)
        motors = [motor_speed_after(MOTOR, held_index[i], before[i], 0.0, 0.25) for i in (0, 2)]
        np.testing.assert_allclose(after[[0, 2]], motors, rtol=0, atol=1e-12 * 600.0)


def test_simd_batches_too():
    commands = np.random.default_rng(4).uniform(LOWEST, HIGHEST, (12, 13))
    start = initial_state(GLIDER)
    coarse = batch([GLIDER] * 3, [start] * 3, [commands], 0.2, 1)
    fine = batch([GLIDER] * 3, [start] * 3, [commands], 0.2, 200)
    np.testing.assert_allclose(coarse[:, :, 13:26], fine[:, :, 13:26], rtol=0, atol=1e-12 * 600.0)
    np.testing.assert_allclose(coarse[0], rollout(GLIDER, start, commands, 0.2), rtol=0, atol=1e-10)


def test_a_fin_ramps_then_settles():
    """0.7 rad to go at 0.5 rad/s and 0.1 s: a ramp down to 0.05 rad, then a lag."""
    packed = pack(with_fins(torpedo(), [tail_fin(0.0, rate_limit=0.5)]))
    start = initial_state(packed, outputs=[0.0, -0.35])
    fins = rollout(packed, start, [0.0, 1.0], 0.1, intervals=20)[:, 14]
    times = 0.1 * np.arange(21)
    expected = np.where(times < 1.3, -0.35 + 0.5 * times, 0.35 - 0.05 * np.exp(-(times - 1.3) / 0.1))
    np.testing.assert_allclose(fins, expected, rtol=0, atol=1e-12)


def test_without_a_limit_it_is_the_plain_lag():
    """The same fin, once beside a slow one: that it takes another way through the kernel does not show."""
    plain = pack(with_fins(torpedo(), [tail_fin(0.0), tail_fin(1.0)]))
    mixed = pack(with_fins(torpedo(), [tail_fin(0.0), tail_fin(1.0, rate_limit=1e6)]))
    assert (plain.layout.slewing, mixed.layout.slewing) == (0, 1)
    commands = np.array([[20.0, 0.3, -0.2], [30.0, -0.3, 0.1]])
    one, other = (rollout(p, initial_state(p, twist=(1.0, 0, 0, 0, 0, 0)), commands, 0.1, 10) for p in (plain, mixed))
    np.testing.assert_allclose(one, other, rtol=0, atol=1e-12)


@given(reals(-1.0, 1.0), reals(-1.0, 1.0), st.sampled_from([0.0, 0.2]), st.sampled_from([0.3, UNLIMITED_RATE]))
def test_speed_and_acceleration_are_the_slopes_of_the_output(output, target, lag, limit):
    slew, h = Slew(lag, limit, -2.0, 2.0), 1e-5
    if is_instantaneous(slew):
        assert slewed_output(slew, output, target, h) == pytest.approx(target, abs=1e-15)
        assert slewing_speed(slew, output, target) == 0.0
        return
    if abs(abs(target - output) - limit * lag) < 1e-3 or abs(target - output) < 1e-3:
        return  # at the knee, or at the end of a ramp
    y0, y1, y2 = (slewed_output(slew, output, target, t) for t in (0.0, h, 2 * h))
    assert slewing_speed(slew, output, target) == pytest.approx((4 * y1 - y2 - 3 * y0) / (2 * h), abs=1e-5)
    assert slewing_acceleration(slew, output, target) == pytest.approx((y2 - 2 * y1 + y0) / h**2, abs=2e-2)


def test_derivative_is_the_slope_of_every_output():
    outputs = resting_outputs(GLIDER) + np.array([50.0, 20.0, -30.0] + [0.1] * 6 + [0.01, 0.01, 0.2, 1e-4])
    commands = np.array([12.0, 40.0, -8.0, 0.3, 0.11, -0.2, 0.1, 0.9, -0.5, 0.1, 0.0, 1.5, 5e-4])
    rate = derivative(GLIDER, initial_state(GLIDER, outputs=outputs), commands)[13:]
    speeds = [slewing_speed(*each) for each in zip(SLEWS, outputs[3:], commands[3:], strict=True)]
    np.testing.assert_allclose(rate[3:13], speeds, rtol=1e-13)
    turning = [motor_speed_rate(MOTOR, commands[i], outputs[i], 0.0) for i in (0, 2)]
    np.testing.assert_allclose(rate[[0, 2]], turning, rtol=1e-13)
    accelerations = [slewing_acceleration(*each) for each in zip(SLEWS[6:], outputs[9:], commands[9:], strict=True)]
    np.testing.assert_allclose(rate[13:], accelerations, rtol=1e-13)


def test_a_motor_feels_its_advance_speed():
    """Ahead through the water its propeller turns more easily; held still in a current it does so too."""
    free, still = pack(glider()), GLIDER
    commands = resting_outputs(free)
    commands[0] = 12.0
    ahead = rollout(free, initial_state(free, twist=(1.5, 0, 0, 0, 0, 0)), commands, 0.001, intervals=20)[-1, 13]
    carried = rollout(still, initial_state(still), commands, 0.001, intervals=20, water=(-1.5, 0, 0))[-1, 13]
    rest = rollout(still, initial_state(still), commands, 0.001, intervals=20)[-1, 13]
    assert ahead > rest * 1.0001
    assert carried == pytest.approx(motor_speed_after(MOTOR, 12.0, 0.0, 0.9 * 1.5, 0.02), rel=1e-12)


def test_a_servo_turns_the_push_of_its_thruster():
    """A force thruster on a servo: the wrench at any angle, through the compiled plant."""
    rov = bluerov2()._replace(displaced_mass=11.5, p_BG=(0.0, 0.0, 0.0))
    hinges = [(0.0, 1.0, 0.0)] * 6
    turning = with_servos(rov, [Slew(0.2, 2.0, -3.0, 3.0)], [0, None, None, None, 0, None], hinges, [0.02] * 6)
    packed = pack(turning)
    forces = np.array([10.0, -5.0, 3.0, 2.0, 8.0, 1.0])
    for angle in (-2.0, 0.0, 0.7, 3.0):
        outputs = np.append(forces, angle)
        rate = derivative(packed, initial_state(packed, outputs=outputs), outputs)[7:13]
        inertia = np.array(packed.row[:36]).reshape(6, 6)
        np.testing.assert_allclose(inertia @ rate, allocation_matrix(turning, [angle]) @ forces, rtol=0, atol=1e-12)
