"""gavia-5.12: every line of Table 1 of Randeni et al. 2018 comes out of many runs within 5 %."""

import math

import numpy as np
import pytest
from sensor_runs import AT_REST, readings

from remora.equations.algebra.quaternions import to_euler_zyx
from remora.equations.instruments import depth_from_pressure
from remora.sensors import OpenWater, Status, Truth, make_sensor
from remora.sensors.kinds.ins import Aiding
from remora.vehicles import load_vehicle

GAVIA = {entry.name: entry for entry in load_vehicle("gavia").sensors}
RUNS = 4000  # a deviation then scatters by 1.1 %, a median radius by 1.1 %
SPEED = 1.6  # m/s
LAKE = OpenWater(bottom_depth=30.0)
OCEAN = OpenWater()
START = Truth(0, p_NB=(0.0, 0.0, 5.0), twist=(SPEED, 0.0, 0.0, 0.0, 0.0, 0.0))


def after(seconds):
    """The vehicle that long later, straight to the north."""
    return START._replace(time_ns=round(seconds * 1e9), p_NB=(SPEED * seconds, 0.0, 5.0))


def ins_errors(truths, water):
    """Errors of the last of some readings over all runs; the INS sits 0.2 m ahead of the origin."""
    last, errors = truths[-1], []
    for seed in range(RUNS):
        made = make_sensor(GAVIA["ins"], seed, "gavia")
        state = made.initial()
        for k, truth in enumerate(truths):
            state, reading = made.step(state, truth, water, k)
        errors.append(reading.values)
    expected = (last.p_NB[0] + 0.2, last.p_NB[1], *last.twist[:3], *to_euler_zyx(last.q_NB))
    return np.array(errors)[:, :8] - expected, reading.values[8]


def rms(errors):
    return np.sqrt(np.mean(np.square(errors)))


def test_ins_on_bottom_track():
    errors, aiding = ins_errors([after(0.0), after(500.0), after(1000.0)], LAKE)
    assert aiding == Aiding.BOTTOM_TRACK
    assert math.degrees(rms(errors[:, 7])) == pytest.approx(0.010, rel=0.05)
    assert math.degrees(rms(errors[:, 6])) == pytest.approx(0.005, rel=0.05)
    assert math.degrees(rms(errors[:, 5])) == pytest.approx(0.005, rel=0.05)
    assert rms(errors[:, 2:5]) == pytest.approx(0.001, rel=0.05)
    # Circular error probable: half of the runs end within 0.1 % of the distance.
    radius = np.median(np.hypot(errors[:, 0], errors[:, 1]))
    assert radius / (SPEED * 1000.0) == pytest.approx(0.001, rel=0.05)


def test_ins_with_gps():
    floating = START._replace(p_NB=(0.0, 0.0, 0.0))
    errors, aiding = ins_errors([floating], OCEAN)
    assert aiding == Aiding.GPS
    assert rms(errors[:, 2:5]) == pytest.approx(0.05, rel=0.05)


def test_ins_on_water_track():
    hours = 8.0
    errors, aiding = ins_errors([after(0.0), after(3600.0 * hours)], OCEAN)
    assert aiding == Aiding.WATER_TRACK
    assert rms(errors[:, 2:5]) == pytest.approx(0.3, rel=0.05)
    astray = math.sqrt(np.mean(errors[:, 0] ** 2 + errors[:, 1] ** 2))
    assert astray == pytest.approx(1852.0, rel=0.05)
    assert astray / (SPEED * 3600.0 * hours) == pytest.approx(0.0402, rel=0.05)


@pytest.mark.parametrize(("speed", "expected"), [(0.1, 0.001), (1.6, 0.0032)])
def test_dvl_errs_by_a_millimetre_per_second_or_a_share_of_speed(speed, expected):
    made = make_sensor(GAVIA["dvl"], 1, "gavia", {"rate": 5.0})
    moving = AT_REST._replace(twist=(speed, 0.0, 0.0, 0.0, 0.0, 0.0))
    found = np.array([reading.values[:3] for reading in readings(made, RUNS, moving, LAKE)])
    assert rms(found[:, 0] - speed) == pytest.approx(expected, rel=0.05)
    assert rms(found[:, 1:]) == pytest.approx(0.001, rel=0.05)


@pytest.mark.parametrize(("altitude", "status"), [(1.0, Status.OK), (30.0, Status.OK), (30.001, Status.NO_LOCK)])
def test_dvl_is_invalid_above_thirty_metres(altitude, status):
    made = make_sensor(GAVIA["dvl"], 1, "gavia", {"rate": 5.0})
    (reading,) = readings(made, 1, AT_REST._replace(p_NB=(0.0, 0.0, 50.0 - altitude)), OpenWater(bottom_depth=50.0))
    assert reading.status == status
    assert np.isnan(reading.values).all() == (status != Status.OK)


@pytest.mark.parametrize("depth", [5.0, 100.0])
def test_pressure_errs_by_a_share_of_depth(depth):
    place = {"position": (0.0, 0.0, 0.0), "rate": 1.0}
    deep = AT_REST._replace(p_NB=(0.0, 0.0, depth))
    found = []
    for seed in range(RUNS):
        (reading,) = readings(make_sensor(GAVIA["pressure"], seed, "gavia", place), 1, deep, OCEAN)
        found.append(depth_from_pressure(reading.values[0], OCEAN.latitude) - depth)
    assert rms(found) / depth == pytest.approx(0.001, rel=0.05)
