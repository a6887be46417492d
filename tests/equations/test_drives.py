"""Drives: pulses, motors, batteries and rate limits against closed forms, inverses and conservation."""

import math

import casadi
import numba
import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.integrate import solve_ivp

import remora.plant.registration  # noqa: F401 - hands the equations to Numba
from remora.equations.actuators import drives
from remora.equations.actuators.drives import Battery, Motor, PulseSpeed, PulseThrust

# Nielsen 2018: hull-mounted T-200, newtons per microsecond away from 1500; shaft speed 97.6 |x|^0.57 rpm.
T200 = PulseThrust(3.123e-2, 2.52e-4, 25.0)
T200_SPEED = PulseSpeed(97.6 * 2 * math.pi / 60, 0.57, 25.0)
MOTOR = Motor(2e-5, 0.2, 0.012, 1e-5, 6e-6, 1e-4)
PACK = Battery(16.8, 12.8, 0.05, 266 * 3600.0)

pulses = st.floats(-400.0, 400.0)


def test_pulse_law_of_the_thesis():
    """0.94 N at 1525, 5.64 N at 1600 and 16.3 N at 1700 microseconds."""
    forces = [drives.thrust_from_pulse(T200, x) for x in (25.0, 100.0, 200.0)]
    assert forces == pytest.approx([0.94, 5.64, 16.3], abs=0.03)
    assert drives.thrust_from_pulse(T200, 24.9) == 0.0
    assert drives.thrust_from_pulse(T200, -100.0) == -forces[1]


def test_shaft_speeds_of_the_thesis():
    """2000 rpm at 1700 and 2520 rpm at 1800 microseconds."""
    rpm = [drives.speed_from_pulse(T200_SPEED, x) * 60 / (2 * math.pi) for x in (200.0, 300.0)]
    assert rpm == pytest.approx([2000, 2520], abs=5)


@given(pulses)
def test_pulse_laws_and_their_inverses(pulse):
    outside = drives.outside_dead_band(pulse, 25.0)
    force, speed = drives.thrust_from_pulse(T200, pulse), drives.speed_from_pulse(T200_SPEED, pulse)
    assert drives.pulse_from_thrust(T200, force) == pytest.approx(outside, rel=1e-9)
    assert drives.pulse_from_speed(T200_SPEED, speed) == pytest.approx(outside, rel=1e-9)
    linear = PulseThrust(0.03, 0.0, 0.0)
    assert drives.pulse_from_thrust(linear, drives.thrust_from_pulse(linear, pulse)) == pytest.approx(pulse, abs=1e-9)


@given(st.floats(-150.0, 150.0), st.sampled_from([0.1, 1.0, 5.0]))
def test_quantised_commands_are_the_nearest_multiples(command, resolution):
    result = drives.quantised(command, resolution)
    assert abs(result - command) <= 0.5 * resolution * (1 + 1e-9)
    assert result / resolution == pytest.approx(round(result / resolution), abs=1e-9)


def test_motor_reaches_the_speed_at_which_torques_balance():
    voltage = 12.0
    k, R, f, Q = MOTOR.torque_constant, MOTOR.resistance, MOTOR.friction, MOTOR.propeller_torque
    b = k * k / R + f
    steady = (-b + math.sqrt(b * b + 4 * Q * k * voltage / R)) / (2 * Q)
    assert drives.motor_speed_rate(MOTOR, voltage, steady, 0.0) == pytest.approx(0.0, abs=1e-6)
    run = solve_ivp(lambda t, w: [drives.motor_speed_rate(MOTOR, voltage, w[0], 0.0)], (0, 1), [0.0], rtol=1e-10)
    assert run.y[0, -1] == pytest.approx(steady, rel=1e-6)
    assert drives.motor_speed_rate(MOTOR, voltage, steady, 1.0) > 0.0  # an advance speed relieves it


@given(st.floats(-16.0, 16.0), st.floats(-400.0, 400.0), st.floats(-2.0, 2.0))
def test_motor_power_goes_where_it_should(voltage, speed, advance):
    """Electric power = heat in the winding + friction + propeller + change of kinetic energy."""
    current = drives.motor_current(MOTOR, voltage, speed)
    heat, rubbed = MOTOR.resistance * current**2, MOTOR.friction * speed**2
    shaft = drives.propeller_torque(MOTOR, speed, advance) * speed
    stored = MOTOR.inertia * speed * drives.motor_speed_rate(MOTOR, voltage, speed, advance)
    size = abs(voltage * current) + heat + abs(shaft) + abs(stored) + 1e-9
    assert voltage * current == pytest.approx(heat + rubbed + shaft + stored, abs=1e-9 * size)


@pytest.mark.parametrize(
    ("speed", "direction", "advance", "regime"),
    [
        (0.0, 1.0, 1.0, drives.AT_REST),
        (90.0, 1.0, 0.5, drives.EQUI_DIRECTIONAL),
        (90.0, 1.0, 0.0, drives.EQUI_DIRECTIONAL),
        (90.0, 1.0, -0.5, drives.ANTI_DIRECTIONAL),
        (-90.0, -1.0, 0.5, drives.ANTI_DIRECTIONAL),
        (5.0, 1.0, -0.5, drives.VAGUE_DIRECTIONAL),
    ],
)
def test_flow_regimes(speed, direction, advance, regime):
    assert drives.flow_regime(speed, direction, advance, 0.184, 0.23) == regime


@given(st.floats(-1.0, 1.0), st.floats(-1.0, 1.0), st.floats(0.0, 3.0), st.floats(0.0, 3.0))
def test_rate_limited_lag_does_not_depend_on_the_step(output, target, first, second):
    whole = drives.rate_limited_lag(output, target, first + second, 0.2, 0.6)
    half = drives.rate_limited_lag(output, target, first, 0.2, 0.6)
    assert drives.rate_limited_lag(half, target, second, 0.2, 0.6) == pytest.approx(whole, abs=1e-12)
    assert abs(half - output) <= 0.6 * first + 1e-12


def test_rate_limited_lag_against_integration():
    def rate(t, y):
        return [np.clip((0.8 - y[0]) / 0.2, -0.6, 0.6)]

    times = np.linspace(0.1, 2.5, 7)
    run = solve_ivp(rate, (0, 2.5), [-0.5], t_eval=times, rtol=1e-10, atol=1e-12, max_step=1e-3)
    ours = [drives.rate_limited_lag(-0.5, 0.8, t, 0.2, 0.6) for t in times]
    np.testing.assert_allclose(ours, run.y[0], atol=1e-6)


@given(st.floats(0.0, 1.0), st.floats(-200.0, 800.0))
def test_battery_power_is_conserved(charge, power):
    """What leaves the cells is what arrives at the terminals and what heats the battery."""
    voltage = drives.terminal_voltage(PACK, charge, power)
    open_voltage = 12.8 + charge * 4.0
    current = (open_voltage - voltage) / PACK.resistance
    assert voltage * current == pytest.approx(power, abs=1e-6)
    if charge > 0.0:
        assert -drives.charge_rate(PACK, charge, power) * PACK.capacity == pytest.approx(
            open_voltage * current, abs=1e-6
        )


def test_an_empty_battery_stays_empty_and_too_much_power_is_not_given():
    assert drives.charge_rate(PACK, 0.0, 100.0) == 0.0
    assert drives.charge_rate(PACK, 0.0, -100.0) > 0.0
    assert drives.terminal_voltage(PACK, 1.0, 1e6) == pytest.approx(8.4)


def test_reported_speed_counts_whole_crossings():
    """14 poles: 7 crossings per turn (Nielsen 2018, eq. 5.15)."""
    assert drives.counts_of_turning(14, 2 * math.pi * 3.2) == 22.0
    assert drives.counted_speed(14, 7 * 20.0, 1.0) == pytest.approx(20.0 * 2 * math.pi)


def test_power_grows_with_the_cube_of_the_speed_and_the_three_halves_of_the_thrust():
    assert drives.power_from_speed(1e-5, -200.0) == pytest.approx(80.0)
    assert drives.power_from_thrust(4.0, -25.0) == pytest.approx(500.0)
    # Thrust goes with the square of the speed, so both laws agree at every speed once they agree at one.
    for speed in (30.0, 120.0):
        assert drives.power_from_thrust(4.0, 1e-3 * speed**2) == pytest.approx(
            drives.power_from_speed(4.0 * 1e-3**1.5, speed)
        )


CASES = {
    "quantised": (lambda x: drives.quantised(x, 3.0), (-47.0, 31.3, 200.0)),
    "thrust_from_pulse": (lambda x: drives.thrust_from_pulse(T200, x), (-47.0, 3.0, 200.0)),
    "pulse_from_thrust": (lambda x: drives.pulse_from_thrust(T200, x), (-4.0, 0.0, 12.0)),
    "speed_from_pulse": (lambda x: drives.speed_from_pulse(T200_SPEED, x), (-47.0, 3.0, 200.0)),
    "pulse_from_speed": (lambda x: drives.pulse_from_speed(T200_SPEED, x), (-47.0, 0.0, 200.0)),
    "motor": (lambda x: drives.motor_speed_rate(MOTOR, 12.0, x, 0.4), (-300.0, 0.0, 250.0)),
    "flow_regime": (lambda x: drives.flow_regime(40.0, 1.0, x, 0.184, 0.23), (-3.0, -0.1, 0.5)),
    "rate_limited_lag": (lambda x: drives.rate_limited_lag(x, 0.3, 0.4, 0.2, 0.6), (-1.0, 0.3, 0.5)),
    "charge_rate": (lambda x: drives.charge_rate(PACK, 0.5, x), (-100.0, 0.0, 400.0)),
    "power_from_speed": (lambda x: drives.power_from_speed(1e-5, x), (-200.0, 0.0, 150.0)),
    "power_from_thrust": (lambda x: drives.power_from_thrust(4.0, x), (-9.0, 0.0, 25.0)),
    "counts": (lambda x: drives.counts_of_turning(14.0, x), (-2.0, 0.0, 31.0)),
}


@pytest.mark.parametrize("name", CASES)
def test_four_back_ends(name):
    function, values = CASES[name]
    plain = [function(value) for value in values]
    compiled = numba.njit(error_model="numpy")(function)
    symbol = casadi.SX.sym("x")
    symbolic = casadi.Function("f", [symbol], [function(symbol)])
    np.testing.assert_allclose([compiled(value) for value in values], plain, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose([float(symbolic(value)) for value in values], plain, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(function(np.array(values)), plain, rtol=1e-12, atol=1e-12)
