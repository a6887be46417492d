"""Acoustic positions, echosounders, cameras, satellites, attitude and compass."""

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st
from sensor_runs import AT_REST, WATER, readings, sensor, values

from remora.equations.algebra.quaternions import from_euler_zyx, to_euler_zyx
from remora.equations.geometry.earth import Geodetic, ned_to_geodetic
from remora.equations.instruments import CompassOffsets, attitude_from_compass, magnetic_field
from remora.navigation.surveys import calibrate_magnetometer
from remora.sensors import OpenWater, Status, Truth

STATIONS = [[10.0, 0.0, 1.0], [0.0, 10.0, 1.0], [-10.0, 0.0, 1.0], [0.0, -10.0, 1.0]]


def test_the_shadow_of_the_hull_hides_stations_by_bearing():
    """Proctor 2014: bearings from -112.5 degrees to 0 off the bow, while the rover is not below the stations."""
    made = sensor("sbl", stations=STATIONS, shadow=[math.radians(-112.5), 0.0])
    shallow = Truth(0, p_NB=(0.0, 0.0, 0.5))

    def heard(yaw):
        truth = shallow._replace(q_NB=from_euler_zyx(0.0, 0.0, math.radians(yaw)))
        return [not math.isnan(value) for value in readings(made, 1, truth)[0].values]

    assert heard(10.0) == [False, True, True, False]
    assert heard(-30.0) == [True, True, True, False]
    assert heard(100.0) == [False, False, True, True]
    assert readings(made, 1, shallow)[0].status == Status.PARTIAL
    below = readings(made, 1, Truth(0, p_NB=(0.0, 0.0, 2.0)))[0]
    assert below.status == Status.OK
    np.testing.assert_allclose(below.values, math.hypot(10.0, 1.0))


def test_ranges_by_travel_time_and_by_name():
    water = OpenWater(points={"t1": (30.0, 40.0, 5.0)}, sound_speed=1500.0)
    (found,) = values(sensor("lbl", stations=["t1"], assumed_sound_speed=1530.0), 1, AT_REST, water)
    assert found == pytest.approx((51.0,))
    far = readings(sensor("lbl", stations=["t1", [1, 0, 5]], max_range=40.0), 1, AT_REST, water)[0]
    assert far.status == Status.PARTIAL
    assert far.values[1] == pytest.approx(1.0)


def test_usbl_on_the_vehicle_and_on_a_ship():
    turned = AT_REST._replace(q_NB=from_euler_zyx(0.0, 0.0, math.pi / 2))
    (found,) = values(sensor("usbl", target=[10.0, 0.0, 5.0]), 1, turned)
    np.testing.assert_allclose(found, (10.0, -math.pi / 2, 0.0), atol=1e-12)
    (found,) = values(sensor("usbl", station=[3.0, 0.0, 1.0], station_heading=math.pi), 1, AT_REST)
    np.testing.assert_allclose(found, (5.0, 0.0, -math.atan2(4.0, 3.0)), atol=1e-12)
    noisy = values(sensor("usbl", target=[10.0, 0.0, 5.0], range_std=0.1, angle_std=0.01), 5000)
    np.testing.assert_allclose(noisy.std(axis=0), (0.1, 0.01, 0.01), rtol=0.05)


def test_an_echosounder_sees_along_its_axis_and_a_cone_the_nearest():
    """Tilted by 20 degrees over a level bottom 15 m below: 15 / cos 20, and in a cone of 15 degrees 15 / cos 5."""
    tilted = AT_REST._replace(q_NB=from_euler_zyx(0.0, math.radians(20.0), 0.0))
    down = {"q_BS": from_euler_zyx(0.0, -math.pi / 2, 0.0)}
    (ray,) = values(sensor("echosounder", **down), 1, tilted)
    assert ray[0] == pytest.approx(15.0 / math.cos(math.radians(20.0)))
    (cone,) = values(sensor("echosounder", beam_width=math.radians(30.0), rings=4, **down), 1, tilted)
    assert cone[0] == pytest.approx(15.0 / math.cos(math.radians(5.0)), rel=1e-3)
    assert values(sensor("altimeter"), 1)[0, 0] == pytest.approx(15.0)


def test_a_camera_sees_what_is_inside_its_cone_and_not_hidden():
    water = OpenWater(bottom_depth=20.0, points={"lamp": (10.0, 2.0, 4.0), "buried": (10.0, 0.0, 21.0)})
    made = sensor("camera", targets=["lamp", "buried", [1.0, 5.0, 5.0]], mounting_angle=0.0, half_angle=1.1)
    (reading,) = readings(made, 1, AT_REST, water)
    assert reading.status == Status.PARTIAL
    np.testing.assert_allclose(reading.values[:2], (math.atan2(2, 10), math.atan2(1, math.hypot(10, 2))), atol=1e-12)
    assert np.isnan(reading.values[2:]).all()
    (aside,) = values(sensor("camera", targets=[[0.0, 9.0, 5.0]], mounting_angle=math.pi / 2), 1, AT_REST, water)
    np.testing.assert_allclose(aside, 0.0, atol=1e-12)


def test_gps_at_the_surface_tells_place_and_velocity():
    origin = Geodetic(0.85, -2.1, 12.0)
    water = OpenWater(origin=origin)
    floating = Truth(0, p_NB=(100.0, 200.0, 0.1), twist=(1.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    made = sensor("gps", position=(0.0, 0.0, -0.4))
    (found,) = values(made, 1, floating, water)
    np.testing.assert_allclose(found, (*ned_to_geodetic((100.0, 200.0, -0.3), origin), 1.0, 0.0, 0.0), atol=1e-12)
    assert readings(made, 1, floating._replace(p_NB=(0.0, 0.0, 0.5)), water)[0].status == Status.NO_LOCK
    noisy = sensor("gps", position=(0.0, 0.0, -0.4), position_std=[2.0, 2.0, 5.0], velocity_std=0.05)
    spread = values(noisy, 5000, floating, water).std(axis=0)
    assert spread[0] * 6.37e6 == pytest.approx(2.0, rel=0.05)
    assert spread[2] == pytest.approx(5.0, rel=0.05)


ATTITUDES = st.tuples(st.floats(-3.0, 3.0), st.floats(-1.4, 1.4), st.floats(-3.0, 3.0))


@given(angles=ATTITUDES)
def test_ahrs_and_compass_tell_the_attitude(angles):
    truth = AT_REST._replace(q_NB=from_euler_zyx(*angles))
    water = OpenWater(magnetic_field=magnetic_field(5e-5, 1.1, 0.3))
    np.testing.assert_allclose(values(sensor("ahrs"), 1, truth, water)[0], angles, atol=1e-9)
    for tilt_from_force in (False, True):
        found = values(sensor("compass", tilt_from_force=tilt_from_force), 1, truth, water)[0]
        np.testing.assert_allclose(found, angles, atol=1e-9)
    magnetic = values(sensor("compass", declination=0.0), 1, truth, water)[0]
    assert math.remainder(magnetic[2] + 0.3 - angles[2], math.tau) == pytest.approx(0.0, abs=1e-9)


@given(angles=ATTITUDES)
def test_raw_angles_of_a_compass_are_undone_by_its_driver(angles):
    offsets = {"roll_offset": -0.02, "pitch_offset": 0.025, "heading_offset": -0.12}
    water = OpenWater(magnetic_field=magnetic_field(5e-5, 1.1, 0.3))
    raw = values(sensor("compass", raw=True, **offsets), 1, AT_REST._replace(q_NB=from_euler_zyx(*angles)), water)[0]
    back = attitude_from_compass(tuple(raw), 0.3, CompassOffsets(*offsets.values()))
    np.testing.assert_allclose(back, angles, atol=1e-9)


def test_acceleration_looks_like_tilt_and_iron_bends_the_heading():
    pushed = AT_REST._replace(twist_rate=(1.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    found = values(sensor("inclinometer"), 1, pushed)[0]
    assert found[1] == pytest.approx(math.atan2(1.0, WATER.gravity))
    errors = []
    for yaw in np.radians((0.0, 90.0, 180.0, -90.0)):
        truth = AT_REST._replace(q_NB=from_euler_zyx(0.0, 0.0, yaw))
        errors.append(values(sensor("compass", hard_iron=[1e-6, 0.0, 0.0]), 1, truth)[0, 2] - yaw)
    # An offset of field ahead does nothing while ahead is north or south, and bends by B/H to the sides.
    np.testing.assert_allclose(errors[0::2], 0.0, atol=1e-12)
    np.testing.assert_allclose(errors[1::2], (-math.atan2(1.0, 21.0), math.atan2(1.0, 21.0)), atol=1e-9)


def test_a_calibration_takes_the_iron_out_of_the_heading():
    """From readings of a magnetometer at attitudes all around to a compass that shows the heading."""
    iron = {"hard_iron": [6e-6, -3e-6, 2e-6], "soft_iron": [[1.1, 0.03, 0.0], [0.03, 0.95, 0.02], [0.0, 0.02, 1.0]]}
    random = np.random.default_rng(3)
    turned = [from_euler_zyx(*one) for one in random.uniform((-1.2, -1.2, -3.1), (1.2, 1.2, 3.1), size=(60, 3))]
    rows = [values(sensor("magnetometer", **iron), 1, AT_REST._replace(q_NB=q))[0] for q in turned]
    found = calibrate_magnetometer(rows, float(np.linalg.norm(WATER.magnetic_field)))
    calibration = {"calibration_matrix": found.correction, "calibration_offset": found.hard_iron}
    for yaw in (-2.0, 0.3, 1.5):
        truth = AT_REST._replace(q_NB=from_euler_zyx(0.1, -0.2, yaw))
        assert abs(values(sensor("compass", **iron), 1, truth)[0, 2] - yaw) > math.radians(2.0)
        assert values(sensor("compass", **iron, **calibration), 1, truth)[0, 2] == pytest.approx(yaw, abs=1e-6)


def test_headings_stay_within_a_half_turn_when_noise_is_added():
    backwards = AT_REST._replace(q_NB=from_euler_zyx(0.0, 0.0, math.pi - 1e-3))
    found = values(sensor("ahrs", heading_std=0.1), 2000, backwards)[:, 2]
    assert np.abs(found).max() <= math.pi
    assert (found < 0).any()
    assert (found > 0).any()


def test_an_accuracy_with_a_correlation_time_is_slow():
    made = sensor("ahrs", 10.0, heading_accuracy=0.1, correlation_time=100.0)
    found = values(made, 200)[:, 2]
    assert np.abs(np.diff(found)).max() < 0.1 * 5 * math.sqrt(2 * 0.1 / 100.0)
    runs = [values(sensor("ahrs", seed=s, heading_accuracy=0.1, correlation_time=100.0), 1)[0, 2] for s in range(500)]
    assert np.std(runs) == pytest.approx(0.1, rel=0.13)


def test_markers_are_where_the_body_has_them():
    markers = [[-0.05523, 0.01295, -1.27840], [-0.28817, 0.00740, -1.27340]]
    truth = Truth(0, p_NB=(1.0, 2.0, 0.5), q_NB=from_euler_zyx(0.0, 0.0, math.pi / 2))
    (found,) = values(sensor("mocap_marker", markers=markers, in_air=True), 1, truth)
    np.testing.assert_allclose(found[:3], (1.0 - 0.01295, 2.0 - 0.05523, 0.5 - 1.27840))
    assert to_euler_zyx(truth.q_NB)[2] == pytest.approx(math.pi / 2)
