"""Disturbances are functions of time and state: exact values, statistics, and no memory that matters."""

import math

import numpy as np
import pytest

from remora.equations.algebra.quaternions import from_euler_zyx
from remora.run.plant.disturbances import (
    ConstantWrench,
    DisturbanceWindow,
    PulsedWrench,
    SinusoidalWrench,
    StochasticWrench,
)
from remora.sensors.errors.streams import Stream

SECOND = 1_000_000_000
WRENCH = (1.0, 2.0, 3.0, 4.0, 5.0, 6.0)
LEVEL = np.array([0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0])
NOTHING = (0.0,) * 6


def test_a_window_opens_at_its_start_and_closes_at_its_stop():
    push = ConstantWrench(DisturbanceWindow(SECOND, 2 * SECOND), WRENCH)
    assert [push(t, LEVEL) for t in (0, SECOND, 2 * SECOND - 1, 2 * SECOND)] == [NOTHING, WRENCH, WRENCH, NOTHING]


def test_a_wrench_of_the_world_is_turned_into_the_body():
    east = np.array([0.0, 0.0, 0.0, *from_euler_zyx(0.0, 0.0, 0.5 * math.pi)])
    push = ConstantWrench(DisturbanceWindow(frame="world"), WRENCH)
    assert push(0, LEVEL) == pytest.approx(WRENCH)
    assert push(0, east) == pytest.approx((2.0, -1.0, 3.0, 5.0, -4.0, 6.0))


def test_sinusoid():
    swing = SinusoidalWrench(DisturbanceWindow(SECOND), WRENCH, period=4.0)
    assert swing(SECOND, LEVEL) == NOTHING
    assert swing(2 * SECOND, LEVEL) == pytest.approx(WRENCH)
    assert SinusoidalWrench(DisturbanceWindow(), WRENCH, 4.0, 0.5 * math.pi)(0, LEVEL) == pytest.approx(WRENCH)


def test_pulses():
    pulse = PulsedWrench(DisturbanceWindow(SECOND), WRENCH, 3 * SECOND, SECOND)
    on = [pulse(k * SECOND // 2, LEVEL) == WRENCH for k in range(12)]
    assert on == [k in (2, 3, 8, 9) for k in range(12)]


def wandering(time_constant=0.5):
    return StochasticWrench(
        DisturbanceWindow(), (1.0, 2.0, 3.0, 0.0, 0.5, 1.0), time_constant, SECOND // 10, Stream(3, "gust")
    )


def test_chance_has_the_stated_deviation_and_correlation():
    gust = wandering()
    values = np.array([gust(k * SECOND // 10, LEVEL) for k in range(20_000)])
    assert values.std(axis=0) == pytest.approx((1.0, 2.0, 3.0, 0.0, 0.5, 1.0), rel=0.05)
    x = values[:, 0]
    for lag in (1, 5):
        assert np.mean(x[:-lag] * x[lag:]) == pytest.approx(math.exp(-0.1 * lag / 0.5), abs=0.05)


def test_chance_does_not_depend_on_when_it_is_asked():
    in_order, backwards, direct = wandering(), wandering(), wandering()
    forward = [in_order(k * SECOND // 10, LEVEL) for k in range(200)]
    assert [backwards(k * SECOND // 10, LEVEL) for k in reversed(range(200))] == forward[::-1]
    assert direct(150 * SECOND // 10, LEVEL) == forward[150]
