"""Gyro-driven model: terms, damping that turns into its opposite, water seen as a difference, angles and rates."""

import math

import casadi
import numpy as np
import pytest
from hypothesis import given
from scipy.optimize import brentq

from remora.equations.algebra.kinematics import down_in_body, euler_zyx_rate, to_body
from remora.equations.algebra.quaternions import from_euler_zyx
from remora.equations.algebra.vectors import IDENTITY3, add3, linear
from remora.equations.estimation.gyro_driven import (
    NEVER,
    GyroDriven,
    Rotation,
    circular_heading_terms,
    damping_rate,
    divergence_speed,
    heading_terms,
    printed_heading_terms,
    rate_from_specific_force,
    turn_rate_from_euler_zyx,
    velocity_rate,
    water_velocity,
    wrapped,
)
from remora.equations.instruments.inertial import specific_force
from remora_evidence.studies.gavia.published_model import FITS, THRUST_COEFFICIENT, published_model
from sample_features import reals, three, twists

STEADY = {  # m/s at these revolutions per minute, in the order of the fits
    450: (1.017, 1.021, 1.016, 1.030),
    570: (1.616, 1.584, 1.616, 1.589),
    700: (2.034, 2.012, 2.034, 2.014),
    900: (2.504, 2.505, 2.503, 2.504),
    975: (2.654, 2.662, 2.652, 2.661),
}
STEADY_AS_PRINTED = {450: (0.436, 0.479, 0.435, 1.030), 975: (1.233, 1.337, 1.228, 2.661)}
LEVEL = Rotation((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 0.0, (0.0, 0.0))
angles, small = reals(-3.1, 3.1), reals(-1.2, 1.2)
vectors = three(2.0)


def steady_speed(model, rpm):
    def rate(u):
        return velocity_rate(model, THRUST_COEFFICIENT * rpm**2, (u, 0.0, 0.0), LEVEL)[0]

    return brentq(rate, 0.0, 5.0)


@pytest.mark.parametrize("rpm", STEADY)
def test_published_fits_agree_on_the_steady_speed(rpm):
    for fit, speed in zip(FITS, STEADY[rpm], strict=True):
        assert steady_speed(published_model(fit), rpm) == pytest.approx(speed, abs=0.00051)


@pytest.mark.parametrize("rpm", STEADY_AS_PRINTED)
def test_as_printed_three_of_them_are_far_too_slow(rpm):
    for fit, speed in zip(FITS, STEADY_AS_PRINTED[rpm], strict=True):
        assert steady_speed(published_model(fit, as_printed=True), rpm) == pytest.approx(speed, abs=0.00051)


def test_published_sway_diverges_above_these_speeds():
    """Quadratic sway damping is printed positive in all four fits."""
    found = [divergence_speed(*published_model(fit).sway[3:1:-1], 0.0) for fit in FITS]
    assert found == pytest.approx((0.820, 4.17, 0.765, 5.87), rel=2e-3)


def test_published_surge_always_brakes():
    for fit in FITS:
        assert divergence_speed(*published_model(fit).surge[5:2:-1]) == NEVER


@pytest.mark.parametrize(
    ("terms", "speed"),
    [
        ((-1.0, 0.5, 0.0), 2.0),
        ((-1.0, -0.5, 0.0), NEVER),
        ((1.0, -0.5, 0.0), NEVER),  # pushes at first and brakes in the end
        ((1.0, 0.5, 0.0), 0.0),
        ((1.0, 0.0, 0.0), 0.0),
        ((-1.0, 0.0, 0.0), NEVER),
        ((0.0, 1.0, 0.0), 0.0),
        ((-6.0, 5.0, -1.0), NEVER),
        ((6.0, -5.0, 1.0), 3.0),
        ((-6.0, 1.0, 1.0), 2.0),
        ((2.0, -1.0, 1.0), 0.0),  # no root: it never brakes
    ],
)
def test_speed_of_divergence(terms, speed):
    assert divergence_speed(*terms) == pytest.approx(speed)


@given(reals(-3.0, 3.0), reals(-3.0, 3.0), reals(-3.0, 3.0))
def test_damping_pushes_beyond_the_speed_of_divergence_and_nowhere_else_far_out(
    linear_term, quadratic_term, cubic_term
):
    speed = divergence_speed(linear_term, quadratic_term, cubic_term)
    if speed == NEVER:
        assert damping_rate(linear_term, quadratic_term, cubic_term, 1e200) <= 0.0
    elif speed < 1e3:
        above = speed * (1.0 + 1e-6) + 1e-6
        assert damping_rate(linear_term, quadratic_term, cubic_term, above) >= -1e-9
        assert damping_rate(linear_term, quadratic_term, cubic_term, -above) >= -1e-9


def share_explained(columns, wanted):
    left = wanted - columns @ np.linalg.lstsq(columns, wanted)[0]
    return 1.0 - left @ left / np.sum((wanted - wanted.mean()) ** 2)


def test_printed_heading_terms_see_the_sine_and_are_blind_to_the_cosine():
    psi = np.linspace(-np.pi, np.pi, 20001)[1:]
    columns = np.column_stack([np.ones(len(psi)), *printed_heading_terms(psi)])
    assert share_explained(columns, np.sin(psi)) == pytest.approx(0.999, abs=6e-4)
    assert share_explained(columns, np.cos(psi)) == pytest.approx(0.0, abs=1e-3)
    circle = np.column_stack([np.ones(len(psi)), *circular_heading_terms(psi)])
    assert share_explained(circle, 0.3 * np.sin(psi) - 0.7 * np.cos(psi)) == pytest.approx(1.0, abs=1e-12)


def test_headings_are_wrapped():
    assert wrapped(2.0 * math.pi + 0.3) == pytest.approx(0.3)
    assert printed_heading_terms(3.5 * math.pi) == pytest.approx((-0.25 * math.pi**2, -0.5 * math.pi))
    assert heading_terms(1.0, 0.4) == circular_heading_terms(0.4)
    assert heading_terms(0.0, 0.4) == printed_heading_terms(0.4)


@given(vectors, angles, small, angles, vectors)
def test_water_is_what_lies_between_ground_and_model(flow, roll, pitch, heading, through_water):
    """At every attitude the current comes back as it is in N, and none where there is none."""
    q = from_euler_zyx(roll, pitch, heading)
    over_ground = add3(through_water, to_body(q, flow))
    assert water_velocity(q, over_ground, through_water) == pytest.approx(flow, abs=1e-9)
    assert water_velocity(q, through_water, through_water) == (0.0, 0.0, 0.0)


@given(twists, twists, angles, small, angles, vectors)
def test_rate_of_velocity_from_an_accelerometer(twist, rate, roll, pitch, heading, place):
    q = from_euler_zyx(roll, pitch, heading)
    reading = specific_force(q, twist, rate, 9.81, place, IDENTITY3)
    found = rate_from_specific_force(reading, down_in_body(q), 9.81, twist, rate[3:], place)
    assert found == pytest.approx(linear(rate), abs=1e-7)


@given(angles, small, vectors)
def test_turn_rates_and_rates_of_angles_are_inverse(roll, pitch, rates):
    euler_rate = euler_zyx_rate(roll, pitch, rates)
    assert turn_rate_from_euler_zyx(roll, pitch, euler_rate) == pytest.approx(rates, abs=1e-9)


MODEL = GyroDriven(
    70.9,
    (0.3, -0.7, 2.5, -8.6, 22.3, -32.7, -60.0, 40.0, 0.4, -0.2, 0.1),
    (-0.1, 0.08, -1.1, -0.4, -0.02, 0.01, -0.4, 0.01, 0.02, -0.003, -0.3, -0.2),
    (0.2, -0.9, -0.2, 0.3, 0.002, -0.006, 0.1, -0.1),
    1.0,
)


def evaluated(x):
    rotation = Rotation(tuple(x[3:6]), tuple(x[6:9]), x[9], heading_terms(MODEL.circular_heading, x[10]))
    return velocity_rate(MODEL, x[11], tuple(x[:3]), rotation)


def test_casadi_and_numpy_run_the_same_equations():
    numbers = np.random.default_rng(1).normal(size=(12, 7))
    batch = np.array(evaluated(list(numbers)))
    symbols = [casadi.SX.sym(f"x{i}") for i in range(12)]
    symbolic = casadi.Function("f", symbols, [casadi.vertcat(*evaluated(symbols))])
    for k, column in enumerate(numbers.T):
        plain = evaluated(column.tolist())
        assert batch[:, k] == pytest.approx(plain, rel=1e-13, abs=1e-13)
        assert np.array(symbolic(*column)).ravel() == pytest.approx(plain, rel=1e-13, abs=1e-13)


def test_thrust_is_divided_by_the_mass_that_it_moves():
    """The literal scaling is that of a vehicle of one kilogram."""
    pushed, coasting = (velocity_rate(MODEL, thrust, (1.6, 0.0, 0.0), LEVEL) for thrust in (30.0, 0.0))
    assert pushed[0] - coasting[0] == pytest.approx(30.0 / 70.9)
    assert pushed[1:] == coasting[1:]
