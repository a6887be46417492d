"""N4: what cannot be measured is a state with NaN, never a zero."""

import math

import numpy as np
import pytest
from sensor_runs import AT_REST, WATER, readings, sensor

from remora.equations.algebra.quaternions import from_euler_zyx
from remora.sensors import OpenWater, SensorError, Status, Truth

UNDER_WATER = Truth(0, p_NB=(0.0, 0.0, 5.0), twist=(0.5, 0.0, 0.0, 0.0, 0.0, 0.0))
BOTTOMLESS = OpenWater()
TILTED = UNDER_WATER._replace(q_NB=from_euler_zyx(math.radians(25.0), 0.0, 0.0))
ON_ITS_BACK = UNDER_WATER._replace(q_NB=from_euler_zyx(math.pi, 0.0, 0.0))
ON_ITS_SIDE = UNDER_WATER._replace(q_NB=from_euler_zyx(math.radians(75.0), 0.0, 0.0))
STEEP = UNDER_WATER._replace(q_NB=from_euler_zyx(math.radians(40.0), math.radians(40.0), 0.0))
LOOKING_AHEAD = (1.0, 0.0, 0.0, 0.0)
LOOKING_DOWN = from_euler_zyx(0.0, -0.5 * math.pi, 0.0)

SILENT = {
    "dvl without bottom": ("dvl", {}, UNDER_WATER, BOTTOMLESS),
    "dvl too high": ("dvl", {"bottom_track_max_range": 10.0}, UNDER_WATER, WATER),
    "dvl too low": ("dvl", {"min_altitude": 16.0}, UNDER_WATER, WATER),
    "dvl tilted": ("dvl", {"max_tilt": math.radians(20.0)}, TILTED, WATER),
    "dvl on its back": ("dvl", {}, ON_ITS_BACK, WATER),
    "dvl on its side": ("dvl", {"beam_turn": math.radians(45.0)}, ON_ITS_SIDE, WATER),
    "dvl with beams that end above the bottom": ("dvl", {"max_altitude": 20.0}, STEEP, WATER),
    "dvl by beam on its back": ("dvl", {"by_beam": True}, ON_ITS_BACK, WATER),
    "altimeter on its back": ("altimeter", {}, ON_ITS_BACK, WATER),
    "echosounder on its back": ("echosounder", {"q_BS": LOOKING_DOWN, "beam_width": 0.3}, ON_ITS_BACK, WATER),
    "dvl by beam without bottom": ("dvl", {"by_beam": True, "beam_std": 0.01}, UNDER_WATER, BOTTOMLESS),
    "dvl by beam tilted": ("dvl", {"by_beam": True, "max_tilt": math.radians(20.0)}, TILTED, WATER),
    "water track in air": ("dvl", {"track": "water"}, UNDER_WATER._replace(p_NB=(0.0, 0.0, -1.0)), WATER),
    "gps under water": ("gps", {"position_std": 1.0}, UNDER_WATER, WATER),
    "echosounder into nothing": ("echosounder", {"q_BS": LOOKING_AHEAD, "std": 0.1}, UNDER_WATER, WATER),
    "sbl out of the water": ("sbl", {"stations": [[1, 2, 3]]}, UNDER_WATER._replace(p_NB=(0.0, 0.0, -1.0)), WATER),
    "sbl without its station": ("sbl", {"stations": ["lost"]}, UNDER_WATER, WATER),
    "usbl without its target": ("usbl", {"target": "lost"}, UNDER_WATER, WATER),
    "camera that sees nothing": ("camera", {"targets": [[-9, 0, 5]], "mounting_angle": 0.0}, UNDER_WATER, WATER),
    "adcp at the bottom": ("adcp", {"std": 0.1}, UNDER_WATER._replace(p_NB=(0.0, 0.0, 19.5)), WATER),
    "dipped markers": ("mocap_marker", {"in_air": True, "std": 0.1}, UNDER_WATER, WATER),
}


@pytest.mark.parametrize("case", SILENT)
def test_no_lock_is_a_state_and_never_a_zero(case):
    kind, parameters, truth, water = SILENT[case]
    made = sensor(kind, **parameters)
    (reading,) = readings(made, 1, truth, water)
    assert reading.status == Status.NO_LOCK
    assert len(reading.values) == len(made.description.channels)
    assert np.isnan(reading.values).all()


@pytest.mark.parametrize(
    ("kind", "parameters"),
    [
        ("dvl", {"max_speed": 0.4}),
        ("dvl", {"max_speed": 0.4, "track": "water"}),
        ("altimeter", {"max_range": 10.0}),
        ("altimeter", {"min_range": 16.0}),
        ("usbl", {"target": [100, 0, 0], "max_range": 50.0}),
    ],
)
def test_out_of_range_is_a_state_too(kind, parameters):
    (reading,) = readings(sensor(kind, **parameters), 1, UNDER_WATER)
    assert reading.status == Status.OUT_OF_RANGE
    assert np.isnan(reading.values).all()


def test_lock_lost_and_found_again():
    """A climb from 25 to 35 m above the bottom and back: valid exactly up to 30 m."""
    made = sensor("dvl", 10.0, std=0.001, bottom_track_max_range=30.0)
    water = OpenWater(bottom_depth=40.0)
    height = lambda time_ns: 25.0 + 10.0 * math.sin(math.pi * time_ns / 20e9)  # noqa: E731
    found = readings(made, 200, lambda t: Truth(t, p_NB=(0.0, 0.0, 40.0 - height(t))), water)
    for reading in found:
        assert (reading.status == Status.OK) == (height(reading.stamp_ns) <= 30.0)
    assert {reading.status for reading in found} == {Status.OK, Status.NO_LOCK}


def test_some_channels_may_be_missing():
    """Hidden markers and unheard stations are NaN one by one, and the status says so."""
    made = sensor("mocap_marker", markers=[[0, 0, 0], [0, 0, 1], [1, 0, 0]], hidden_probability=0.5)
    found = readings(made, 400)
    missing = np.isnan([reading.values for reading in found])
    assert (missing.reshape(-1, 3, 3).all(axis=2) == missing.reshape(-1, 3, 3).any(axis=2)).all()
    for reading, gone in zip(found, missing, strict=True):
        expected = Status.NO_LOCK if gone.all() else Status.PARTIAL if gone.any() else Status.OK
        assert reading.status == expected
    assert missing.mean() == pytest.approx(0.5, abs=0.06)


def test_a_truth_that_is_not_a_number_is_named_and_not_passed_on():
    broken = AT_REST._replace(twist=(math.nan, 0.0, 0.0, 0.0, 0.0, 0.0), time_ns=7)
    made = sensor("dvl", scope="rov")
    with pytest.raises(SensorError, match=r'"rov/dvl" at 7 ns: .*not a number'):
        made.step(made.initial(), broken, WATER, 0)


@pytest.mark.parametrize("roll", [0.0, 30.0, 50.0, 59.0, 61.0, 75.0, 120.0, 180.0])
def test_a_log_that_measures_a_vector_keeps_lock_exactly_where_its_beams_do(roll):
    """Above 60 degrees of roll one beam looks above the horizon, above 90 degrees three of them do."""
    truth = UNDER_WATER._replace(q_NB=from_euler_zyx(math.radians(roll), 0.0, 0.0))
    (whole,), (by_beam,) = (readings(sensor("dvl", by_beam=by_beam), 1, truth) for by_beam in (False, True))
    assert (whole.status == Status.NO_LOCK) == (by_beam.status == Status.NO_LOCK)


def test_an_inertial_system_on_its_back_has_no_bottom_track():
    (upright,), (turned,) = (readings(sensor("ins"), 1, truth) for truth in (UNDER_WATER, ON_ITS_BACK))
    assert (upright.values[8], turned.values[8]) == (1.0, 3.0)
