"""Four-quadrant thrust: the Fourier series as printed, its symmetries, and that nothing jumps."""

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

from remora.equations.actuators.quadrants import Disc, fourier_sum, quadrant_thrust
from sample_vehicles import QUADRANTS

DIAMETER, DENSITY = 0.2, 1000.0
COEFFICIENTS = [*QUADRANTS.cosines, *QUADRANTS.sines]
ORDER = len(QUADRANTS.cosines) - 1


def as_printed(speed, advance):
    """C_T*(beta) with beta = atan2(V_a, 0.7 pi n D), n in revolutions per second."""
    n = speed / (2.0 * math.pi)
    beta = math.atan2(advance, 0.7 * math.pi * n * DIAMETER)
    k = np.arange(ORDER + 1)
    coefficient = np.sum(np.array(QUADRANTS.cosines) * np.cos(k * beta) + np.array(QUADRANTS.sines) * np.sin(k * beta))
    flow = advance**2 + (0.7 * math.pi * n * DIAMETER) ** 2
    return coefficient * 0.5 * DENSITY * flow * math.pi / 4.0 * DIAMETER**2


@given(st.floats(-100.0, 100.0), st.floats(-3.0, 3.0))
def test_as_printed(speed, advance):
    ours = quadrant_thrust(QUADRANTS.disc, COEFFICIENTS, ORDER, speed, advance)
    assert ours == pytest.approx(as_printed(speed, advance), rel=1e-12, abs=1e-9)


@pytest.mark.parametrize("advance", [-2.0, -0.1, 0.0, 0.1, 2.0])
def test_continuous_through_a_standing_shaft(advance):
    speeds = np.linspace(-1e-6, 1e-6, 21)
    values = quadrant_thrust(QUADRANTS.disc, COEFFICIENTS, ORDER, speeds, advance)
    assert np.ptp(values) < 1e-5
    assert quadrant_thrust(QUADRANTS.disc, COEFFICIENTS, ORDER, 0.0, 0.0) == 0.0


def test_a_propeller_pushes_ahead_and_astern_and_a_stopped_one_brakes():
    def thrust(speed, advance):
        return quadrant_thrust(QUADRANTS.disc, COEFFICIENTS, ORDER, speed, advance)

    assert thrust(60.0, 0.0) > 0.0 > thrust(-60.0, 0.0)
    assert thrust(60.0, 1.0) < thrust(60.0, 0.0) < thrust(60.0, -1.0)
    assert thrust(0.0, 2.0) < 0.0 < thrust(0.0, -2.0)


def test_one_harmonic_is_a_bilinear_law():
    """A_1 cos beta + B_1 sin beta: thrust is |flow| times (A_1 blade speed + B_1 advance speed)."""
    disc = Disc(3.0, 0.07)
    found = quadrant_thrust(disc, [0.0, 0.4, 0.0, -0.9], 1, 50.0, -2.0)
    assert found == pytest.approx(3.0 * math.hypot(3.5, 2.0) * (0.4 * 3.5 + 0.9 * 2.0), rel=1e-14)


def test_recurrence_of_angles():
    for order in (1, 7, 20):
        series = np.random.default_rng(order).normal(size=2 * (order + 1))
        k = np.arange(order + 1)
        for beta in (-3.0, 0.4, 2.1):
            expected = series[: order + 1] @ np.cos(k * beta) + series[order + 1 :] @ np.sin(k * beta)
            found = fourier_sum(series.tolist(), order, math.cos(beta), math.sin(beta))
            assert found == pytest.approx(expected, rel=1e-12, abs=1e-12)
