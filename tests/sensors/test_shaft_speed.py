"""Shaft speed as counted zero crossings."""

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st
from sensor_runs import WATER, readings, sensor

from remora.sensors import SensorError, Status, Truth, make_sensor

STEP = 2.0 * math.pi * 10.0 / 7.0  # rad/s: one crossing more or less of a motor with 14 poles, at 10 Hz


def speeds(made, count, speed_at):
    found = readings(made, count, lambda time_ns: Truth(time_ns, outputs=(99.0, speed_at(1e-9 * time_ns))))
    assert found[0].status == Status.NO_LOCK, "nothing to count before the first report"
    return np.array([reading.values[0] for reading in found[1:]])


@given(st.floats(-300.0, 300.0))
def test_a_steady_speed_is_reported_in_steps_that_are_right_on_average(speed):
    reported = speeds(sensor("shaft_speed", poles=14, thruster=1), 202, lambda t: speed)
    assert np.abs(reported - abs(speed)).max() <= STEP * (1.0 + 1e-9)
    assert reported / STEP == pytest.approx(np.round(reported / STEP), abs=1e-6)
    assert reported.mean() == pytest.approx(abs(speed), abs=STEP / 200.0)


def test_crossings_of_a_run_up_add_up_to_the_turns_made():
    """A ramp from 0 to 200 rad/s in ten seconds turns by 1000 rad."""
    reported = speeds(sensor("shaft_speed", poles=14, thruster=1), 101, lambda t: 20.0 * t)
    assert reported.sum() * 0.1 == pytest.approx(1000.0, abs=STEP * 0.1)


def test_direction_is_known_only_where_said():
    assert (speeds(sensor("shaft_speed", thruster=1), 20, lambda t: -100.0) > 0.0).all()
    assert (speeds(sensor("shaft_speed", thruster=1, signed=True), 20, lambda t: -100.0) < 0.0).all()
    swinging = speeds(sensor("shaft_speed", rate=1.0, thruster=1), 3, lambda t: 100.0 if t < 0.5 else -100.0)
    assert swinging[0] == pytest.approx(50.0, abs=STEP), "both ways count"


def test_a_run_can_be_taken_up_again():
    made = sensor("shaft_speed", rate=10.0, poles=14, thruster=1, std=0.5)
    truths = [Truth(k * 100_000_000, outputs=(0.0, 80.0 + 3.0 * k)) for k in range(30)]
    state, whole, middle = made.initial(), [], None
    for k, truth in enumerate(truths):
        middle = state if k == 12 else middle
        state, reading = made.step(state, truth, WATER, k)
        whole.append(reading.values)
    for k in range(12, 30):
        middle, reading = made.step(middle, truths[k], WATER, k)
        assert reading.values == whole[k]


def test_it_needs_no_place_but_outputs_and_poles():
    made = make_sensor({"name": "esc", "kind": "shaft_speed", "rate": 10.0, "parameters": {"thruster": 2}}, 1)
    with pytest.raises(SensorError, match="2 actuator outputs"):
        made.step(made.initial(), Truth(0, outputs=(1.0, 2.0)), WATER, 0)
    with pytest.raises(SensorError, match="even number"):
        sensor("shaft_speed", poles=7)
    with pytest.raises(SensorError, match="position"):
        make_sensor({"name": "imu", "kind": "imu", "rate": 10.0}, 1)
