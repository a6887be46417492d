"""N5, the static variances of the Falcon (X12), the error menu of inertial units and their grades."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, strategies as st
from sensor_runs import AT_REST, WATER, readings, sensor, values

from remora.equations.algebra.quaternions import from_euler_zyx, rotation_matrix
from remora.equations.geometry.earth import Geodetic
from remora.sensors import GRADES, OpenWater, inertial_grade, make_sensor
from remora.vehicles import load_vehicle
from sample_features import quaternions

MILLI_G = 9.80665e-3
DEGREE = math.pi / 180.0
FALCON = {entry.name: entry for entry in load_vehicle("falcon").sensors}


@given(q=quaternions, mount=quaternions)
def test_an_imu_at_rest_shows_one_g_upwards_in_any_attitude(q, mount):
    made = sensor("imu", q_BS=mount)
    (reading,) = readings(made, 1, AT_REST._replace(q_NB=q))
    force, rate = np.array(reading.values[:3]), np.array(reading.values[3:])
    up = np.array(rotation_matrix(q)) @ np.array(rotation_matrix(mount)) @ force
    np.testing.assert_allclose(up, (0.0, 0.0, -WATER.gravity), atol=1e-11)
    assert (rate == 0.0).all()


def test_the_imu_of_the_falcon_reads_one_g_on_its_x_axis():
    """Proctor 2014: at rest and level +1000 mG on sensor x."""
    made = make_sensor(FALCON["imu"], 1)
    found = values(made, 2000)[:, :3].mean(axis=0)
    np.testing.assert_allclose(found, (WATER.gravity, 0.0, 0.0), atol=1e-3)


def test_static_variance_of_the_falcon_from_its_noise_density():
    """X12: 0.625 mG2 and 0.001 (deg/s)2 at 125 Hz, within 5 %."""
    found = values(make_sensor(FALCON["imu"], 1, "falcon", {"parameters": {"condition": "density"}}), 20_000)
    force, rate = found[:, :3].var(axis=0) / MILLI_G**2, found[:, 3:].var(axis=0) / DEGREE**2
    np.testing.assert_allclose(force, 0.625, rtol=0.05)
    np.testing.assert_allclose(rate, 0.001, rtol=0.05)


def test_measured_variances_of_the_falcon_at_rest_and_under_way():
    at_rest = values(make_sensor(FALCON["imu"], 1), 20_000).var(axis=0)
    np.testing.assert_allclose(at_rest[:3] / MILLI_G**2, (0.263630, 0.300581, 0.165441), rtol=0.05)
    np.testing.assert_allclose(at_rest[3:] / DEGREE**2, (0.000553, 0.000714, 0.000706), rtol=0.05)
    moving = values(make_sensor(FALCON["imu"], 1, "", {"parameters": {"condition": "dynamic"}}), 20_000).std(axis=0)
    np.testing.assert_allclose(moving[:3] / MILLI_G, 30.0, rtol=0.03)
    np.testing.assert_allclose(moving[3:] / DEGREE, 0.75, rtol=0.03)


def test_misalignment_turns_and_nonorthogonality_bends():
    turned = np.array([values(sensor("accelerometer", seed=seed, misalignment=0.01), 1)[0] for seed in range(2000)])
    assert turned[:, 0].std() == pytest.approx(0.01 * WATER.gravity, rel=0.07)
    assert turned[:, 2] == pytest.approx(-WATER.gravity)
    made = sensor("accelerometer", misalignment=0.01, nonorthogonality=0.0)
    matrix = np.array(made.effects[0].matrix)
    np.testing.assert_allclose(matrix, -matrix.T)
    bent = np.array(sensor("accelerometer", nonorthogonality=0.01).effects[0].matrix)
    np.testing.assert_allclose(bent, bent.T)


def test_force_leaks_into_gyros_that_feel_it():
    own = {"gyro_force_sensitivity": 1e-3}
    found = np.array([values(sensor("imu", seed=seed, **own), 1)[0] for seed in range(1500)])
    assert found[:, 3:].std() == pytest.approx(1e-3 * WATER.gravity, rel=0.06)
    assert (found[:, :2] == 0.0).all()


def test_square_term_and_own_matrix():
    found = values(sensor("accelerometer", square_term=[0.0, 0.0, 1e-3]), 1)[0]
    assert found[2] == pytest.approx(-WATER.gravity + 1e-3 * WATER.gravity**2)
    found = values(sensor("accelerometer", cross_coupling=[[0, 0, 0.01], [0, 0, -0.02], [0, 0, 0.03]]), 1)[0]
    np.testing.assert_allclose(found, np.array((0.01, -0.02, 1.03)) * -WATER.gravity)


def test_size_effect_is_the_spin_of_axes_that_sit_apart():
    """At 2 rad/s about z an x axis that sits 3 cm ahead feels -w^2 r."""
    spinning = AT_REST._replace(twist=(0.0, 0.0, 0.0, 0.0, 0.0, 2.0))
    found = values(sensor("accelerometer", axis_places=[[0.03, 0, 0], [0, 0.02, 0], [0, 0, 0]]), 1, spinning)[0]
    np.testing.assert_allclose(found, (-4.0 * 0.03, -4.0 * 0.02, -WATER.gravity), atol=1e-12)


@given(latitude=st.floats(-1.5, 1.5), yaw=st.floats(-3.0, 3.0))
def test_a_gyro_that_feels_the_earth_finds_north(latitude, yaw):
    water = OpenWater(origin=Geodetic(latitude, 0.3, 0.0))
    level = AT_REST._replace(q_NB=from_euler_zyx(0.0, 0.0, yaw))
    rate = values(sensor("gyro", measures_earth_rate=True), 1, level, water)[0]
    assert math.atan2(-rate[1], rate[0]) == pytest.approx(yaw, abs=1e-9)
    assert rate[2] == pytest.approx(-7.292115e-5 * math.sin(latitude), abs=1e-18)


def test_grades_are_in_order():
    grades = [GRADES[name] for name in ("marine", "navigation", "tactical", "industrial", "consumer")]
    for better, worse in pairwise(grades):
        for field in better._fields:
            if not field.endswith("_time"):
                assert getattr(better, field) <= getattr(worse, field), field
    with pytest.raises(ValueError, match='"tactical"'):
        inertial_grade("tacticl")


@pytest.mark.parametrize("name", GRADES)
def test_units_of_a_grade_scatter_as_it_says(name):
    """First rates of 400 units at rest, and the noise of one unit."""
    grade, rate = GRADES[name], 100.0
    noise = grade.gyro_random_walk * math.sqrt(rate)
    units = np.array([values(sensor("imu", rate, seed, grade=name), 1)[0, 3:] for seed in range(400)])
    leak = grade.gyro_force_sensitivity * WATER.gravity
    expected = math.hypot(grade.gyro_bias_std, grade.gyro_bias_wander, noise, leak)
    assert units.std() == pytest.approx(expected, rel=4.0 / math.sqrt(2.0 * 1200))
    one = values(sensor("imu", rate, grade=name), 4000)
    # Differences of neighbours hold the white noise, and next to nothing of the slow errors.
    assert np.diff(one[:, 3:], axis=0).std() / math.sqrt(2.0) == pytest.approx(noise, rel=0.05)


def test_navigation_and_marine_grades_keep_proctors_limits_unaided():
    """Along one Schuler period and more: gyro bias drives R b t, accelerometer bias is bounded (Groves 2013, ch. 5)."""
    radius, schuler = 6.371e6, 2.0 * math.pi / 5064.0
    for name, hours, limit in (("navigation", 1.0, 1_500.0), ("marine", 24.0, 2_000.0)):
        grade, time = GRADES[name], 3600.0 * hours
        swing = 2.0 * grade.accelerometer_bias_std / schuler**2
        # The Earth's rotation bounds the drift of a level gyro over a day: b R / w_earth at most twice.
        drift = grade.gyro_bias_std * radius * min(time, 1.0 / 7.292e-5)
        assert math.hypot(swing, drift) < limit
