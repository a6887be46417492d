"""A motor under held voltage: the closed form against integration, through reversals and in every branch."""

import casadi
import numba
import numpy as np
import pytest
from hypothesis import example, given, settings, strategies as st
from scipy.integrate import solve_ivp

import remora.plant.registration  # noqa: F401 - lets Numba know the equations
from remora.equations.actuators.drives import Motor, motor_speed_rate
from remora.equations.actuators.motors import (
    Riccati,
    motor_speed_after,
    quarter_discriminant,
    riccati_value,
    steady_motor_speed,
    time_to_zero,
    voltage_for_speed,
)
from sample_vehicles import MOTOR

# No friction and a weak motor: while it brakes, the propeller alone decides, which is the branch of the tangent.
WEAK = Motor(4e-4, 5.0, 0.005, 0.0, 2e-5, 0.0)
TIMES = np.array([1e-4, 0.003, 0.02, 0.08, 0.3, 1.5])


def integrated(motor, voltage, speed, advance):
    """The same by SciPy; it stops at zero and starts again, because |n| n has a kink there."""

    def rate(t, n):
        return [motor_speed_rate(motor, voltage, n[0], advance)]

    def at_zero(t, n):
        return n[0]

    at_zero.terminal = True
    options = {"method": "DOP853", "rtol": 1e-13, "atol": 1e-13, "dense_output": True}
    first = solve_ivp(rate, (0.0, TIMES[-1]), [speed], events=at_zero if speed else None, **options)
    found = np.array([first.sol(t)[0] for t in TIMES])
    if first.status == 1:
        zero = first.t[-1]
        second = solve_ivp(rate, (zero, TIMES[-1]), [0.0], **options)
        found = np.where(zero > TIMES, found, [second.sol(max(t, zero))[0] for t in TIMES])
    return found


CASES = {
    "spin-up": (MOTOR, 12.0, 0.0, 0.0),
    "spin-up in a stream": (MOTOR, 12.0, 0.0, 1.2),
    "spin-up backwards against the stream": (MOTOR, -9.0, 0.0, 0.8),
    "faster": (MOTOR, 14.0, 150.0, 0.3),
    "slower": (MOTOR, 4.0, 300.0, 0.3),
    "switched off": (MOTOR, 0.0, 300.0, 0.5),
    "reversal": (MOTOR, -12.0, 300.0, 0.4),
    "reversal the other way": (MOTOR, 10.0, -250.0, -0.6),
    "reversal of a weak motor": (WEAK, -12.0, 400.0, 0.0),
    "slowing of a weak motor": (WEAK, -0.2, 400.0, 0.0),
    "without propeller": (MOTOR._replace(propeller_torque=0.0, propeller_relief=0.0), -12.0, 300.0, 0.0),
    "windmilling": (MOTOR._replace(propeller_relief=4e-3), -1.0, 300.0, 1.5),
    "windmilling, and overcome": (MOTOR._replace(propeller_relief=4e-3), -12.0, 100.0, 1.0),
}


@pytest.mark.parametrize("name", CASES)
def test_against_integration(name):
    motor, voltage, speed, advance = CASES[name]
    ours = [motor_speed_after(motor, voltage, speed, advance, t) for t in TIMES]
    expected = integrated(*CASES[name])
    np.testing.assert_allclose(ours, expected, rtol=0, atol=1e-10 * max(1.0, np.abs(expected).max()))


def test_the_cases_take_both_branches_and_reverse():
    discriminants, signs = set(), set()
    for motor, voltage, speed, advance in CASES.values():
        push = motor.torque_constant * voltage / motor.resistance / motor.inertia * (np.sign(speed) or np.sign(voltage))
        brake = motor.torque_constant**2 / motor.resistance + motor.friction - motor.propeller_relief * advance
        equation = Riccati(push, brake / motor.inertia, motor.propeller_torque / motor.inertia)
        discriminants.add(quarter_discriminant(equation) > 0.0)
        signs.add(motor_speed_after(motor, voltage, speed, advance, 1.5) * speed < 0.0)
    assert discriminants == {True, False}
    assert signs == {True, False}


@settings(max_examples=300)
@given(st.floats(-16.0, 16.0), st.floats(-500.0, 500.0), st.floats(-1.5, 1.5), st.floats(0.0, 0.3), st.floats(0.0, 0.3))
def test_two_short_steps_are_one_long_step(voltage, speed, advance, first, second):
    """Invariant T14: exact, so the step does not matter, also where a reversal falls into one of them."""
    whole = motor_speed_after(MOTOR, voltage, speed, advance, first + second)
    half = motor_speed_after(MOTOR, voltage, speed, advance, first)
    assert motor_speed_after(MOTOR, voltage, half, advance, second) == pytest.approx(whole, rel=1e-10, abs=1e-9)


@given(st.floats(1e-6, 30.0), st.floats(-5.0, 20.0), st.floats(0.0, 2.0), st.floats(1e-3, 50.0))
def test_zero_is_reached_when_it_is_said_to_be(push, brake, drag, start):
    equation = Riccati(-push, brake, drag)
    time = time_to_zero(equation, start)
    if time < 1e6:
        assert riccati_value(equation, start, time) == pytest.approx(0.0, abs=1e-9 * (start + push))
        assert riccati_value(equation, start, 0.5 * time) > 0.0


def test_where_the_discriminant_vanishes():
    """Between tanh and tan: y' = -(1 + y)^2, so y = (1 + y0) / (1 + (1 + y0) t) - 1."""
    for off in (0.0, 1e-18, -1e-18, 1e-10, -1e-10):
        equation = Riccati(-1.0 + off, 2.0, 1.0)
        assert riccati_value(equation, 3.0, 0.2) == pytest.approx(4.0 / 1.8 - 1.0, rel=1e-9)
        assert time_to_zero(equation, 3.0) == pytest.approx(0.75, rel=1e-9)


@given(st.floats(-16.0, 16.0).filter(lambda voltage: voltage == 0.0 or abs(voltage) > 1e-6), st.floats(-1.0, 1.0))
@example(1e-6, 1.0)  # a propeller that windmills: the brake is negative
@example(-1e-6, 0.72)
def test_steady_speed_and_the_voltage_that_holds_it(voltage, advance):
    """A windmilling shaft grows slowly out of a rest that a tiny voltage disturbs, so it is given an hour."""
    speed = steady_motor_speed(MOTOR, voltage, advance)
    assert motor_speed_after(MOTOR, voltage, 0.0, advance, 3600.0) == pytest.approx(speed, rel=1e-9, abs=1e-12)
    assert voltage_for_speed(MOTOR, speed, advance) == pytest.approx(voltage, rel=1e-9, abs=1e-9)


def test_four_back_ends():
    values = np.array([-400.0, -3.0, 0.0, 2.0, 350.0])

    def after(speed):
        return motor_speed_after(MOTOR, -9.0, speed, 0.4, 0.05)

    plain = [after(float(value)) for value in values]
    compiled = numba.njit(error_model="numpy")(after)
    symbol = casadi.SX.sym("n")
    symbolic = casadi.Function("f", [symbol], [after(symbol)])
    np.testing.assert_allclose([compiled(value) for value in values], plain, rtol=1e-12)
    np.testing.assert_allclose([float(symbolic(value)) for value in values], plain, rtol=1e-12)
    np.testing.assert_allclose(after(values), plain, rtol=1e-12)
