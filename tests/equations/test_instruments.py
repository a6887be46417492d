"""What instruments read: printed numbers, inverse pairs, and lever arms against a moving point."""

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

from remora.equations import instruments as see
from remora.equations.algebra.kinematics import position_rate, to_body
from remora.equations.algebra.quaternions import from_euler_zyx, normalize, product, rotation_matrix, to_euler_zyx
from remora.equations.algebra.vectors import IDENTITY3
from remora.equations.geometry.earth import Geodetic, geodetic_to_ned
from remora.vehicles.axes import quaternion_from_matrix
from sample_features import quaternions, three, twists

LATITUDE = math.radians(48.65)  # of the boathouse of Proctor 2014
Q_NB = normalize((0.9, 0.1, -0.05, 0.3))
TWIST = (0.5, -0.2, 0.1, 0.05, -0.03, 0.2)
P_NB = (1.0, 0.5, 1.5)
SKEW_MOUNT = rotation_matrix(normalize((0.8, 0.3, -0.4, 0.2)))


@pytest.mark.parametrize(
    ("depth", "pressure", "gradient"),
    [
        (1, 0.099801, 0.099811), (5, 0.499199, 0.099886), (10, 0.998842, 0.099969), (100, 10.031552, 0.100590),
        (300, 30.184424, 0.100876),
    ],
)  # fmt: skip
def test_pressure_table_of_the_falcon(depth, pressure, gradient):
    assert see.pressure_at_depth(float(depth), LATITUDE) * 1e-5 == pytest.approx(pressure, abs=0.51e-6)
    assert see.pressure_gradient(float(depth), LATITUDE) * 1e-5 == pytest.approx(gradient, abs=0.51e-6)


@given(depth=st.floats(-5.0, 12_000.0), latitude=st.floats(-1.57, 1.57))
def test_depth_comes_back_from_pressure(depth, latitude):
    assert see.depth_from_pressure(see.pressure_at_depth(depth, latitude), latitude) == pytest.approx(
        depth, rel=1e-12, abs=1e-12
    )
    step = 1e-3 * max(1.0, abs(depth))
    slope = (see.pressure_at_depth(depth + step, latitude) - see.pressure_at_depth(depth - step, latitude)) / (2 * step)
    assert see.pressure_gradient(depth, latitude) == pytest.approx(slope, rel=1e-5)


def test_dynamic_pressure_is_2050_pascal_at_two_metres_per_second():
    assert see.dynamic_pressure(1025.0, (2.0, 0.0, 0.0)) == 2050.0


# Proctor 2014, eq. 2.1 and Table 4.9: the frame of the boathouse wall, and the stations surveyed in it.
WALL_TO_N = np.array(((0.96460, -0.00951, -0.26356), (-0.26334, 0.01953, -0.96451), (0.01432, 0.99976, 0.01633)))
STATIONS = (
    (3.09067, 1.40936, 2.28625), (-0.03380, 1.48179, -3.05023), (0.00410, 1.40003, 2.33876),
    (3.09126, 1.42248, -3.07985),
)  # fmt: skip


def test_ranges_to_the_stations_of_the_falcon():
    rover = (-0.48567, 0.31449, -0.27278)
    found = [see.range_to_point(P_NB, Q_NB, rover, tuple(WALL_TO_N @ station)) for station in STATIONS]
    np.testing.assert_allclose(found, (4.023923, 2.48517, 2.960907, 3.741772), rtol=0, atol=0.51e-6)


def test_doppler_velocity_of_the_falcon():
    found = see.velocity_over_ground(TWIST, (-0.39774, 0.12142, 0.35123), IDENTITY3)
    np.testing.assert_allclose(found, (0.465179, -0.29711, 0.094139), rtol=0, atol=0.51e-6)


def moved(p, q, twist, twist_rate, t):
    """Pose and twist a short time later, to second order."""
    v, w = np.array(twist[:3]), np.array(twist[3:])
    twist_later = tuple(np.array(twist) + t * np.array(twist_rate))
    halfway = np.array(twist) + 0.5 * t * np.array(twist_rate)
    angle = t * np.linalg.norm(halfway[3:])
    axis = halfway[3:] / max(np.linalg.norm(halfway[3:]), 1e-300)
    turn = (math.cos(angle / 2), *(math.sin(angle / 2) * axis))
    q_later = product(q, turn)
    R = np.array(rotation_matrix(q))
    acceleration = np.array(twist_rate[:3]) + np.cross(w, v)
    p_later = np.array(p) + R @ (t * v + 0.5 * t * t * acceleration)
    return tuple(p_later), q_later, twist_later


@given(q=quaternions, twist=twists, twist_rate=twists, arm=three(1.0))
def test_lever_arms_are_those_of_a_moving_point(q, twist, twist_rate, arm):
    """Velocity and acceleration of a point on the body, against differences of its place."""
    h = 1e-4
    before, now, after = (
        np.array(see.point_position(*moved(P_NB, q, twist, twist_rate, t)[:2], arm)) for t in (-h, 0.0, h)
    )
    R = np.array(rotation_matrix(q))
    velocity = R.T @ (after - before) / (2 * h)
    acceleration = R.T @ (after - 2 * now + before) / h**2
    size = 1.0 + np.abs(twist).max() ** 3 + np.abs(twist_rate).max()
    np.testing.assert_allclose(see.point_velocity(twist, arm), velocity, atol=1e-6 * size)
    np.testing.assert_allclose(see.point_acceleration(twist, twist_rate, arm), acceleration, atol=2e-6 * size)
    force = see.specific_force(q, twist, twist_rate, 9.81, arm, SKEW_MOUNT)
    expected = np.array(SKEW_MOUNT).T @ (acceleration - 9.81 * R.T @ (0, 0, 1))
    np.testing.assert_allclose(force, expected, atol=3e-6 * size)


@given(q=quaternions, mount=quaternions)
def test_a_body_at_rest_feels_one_g_upwards_in_any_attitude(q, mount):
    R_BS = rotation_matrix(mount)
    force = see.specific_force(q, (0.0,) * 6, (0.0,) * 6, 9.81, (0.3, -0.2, 0.1), R_BS)
    assert math.hypot(*force) == pytest.approx(9.81, rel=1e-12)
    up = np.array(rotation_matrix(q)) @ np.array(R_BS) @ force
    np.testing.assert_allclose(up, (0, 0, -9.81), atol=1e-12)


@given(q=quaternions)
def test_tilt_of_a_body_at_rest(q):
    roll, pitch, _ = to_euler_zyx(q)
    if abs(pitch) < 1.5:
        found = see.tilt_from_specific_force(see.specific_force(q, (0.0,) * 6, (0.0,) * 6, 9.81, (0, 0, 0), IDENTITY3))
        assert found[1] == pytest.approx(pitch, abs=1e-9)
        assert see.wrapped(found[0] - roll) == pytest.approx(0.0, abs=1e-9)


def test_the_earth_turns_a_gyro_at_rest_and_pushes_a_body_that_moves_over_it():
    earth = see.earth_rate_in_body((1.0, 0.0, 0.0, 0.0), LATITUDE)
    assert math.hypot(*see.turn_rate((0.0,) * 6, SKEW_MOUNT, earth)) == pytest.approx(7.292115e-5, rel=1e-12)
    # Eoetvoes: going east at v lightens by 2 w v cos(latitude).
    still = (1.0, 0.0, 0.0, 0.0), (0.0, 10.0, 0.0, 0.0, 0.0, 0.0), (0.0,) * 6, 9.81, (0.0,) * 3, IDENTITY3
    lighter = see.specific_force(*still, earth)[2] - see.specific_force(*still)[2]
    assert lighter == pytest.approx(2 * 7.292115e-5 * 10.0 * math.cos(LATITUDE), rel=1e-9)


OFFSETS = see.CompassOffsets(*np.radians((-1.21, 1.43, -7.0)))


@given(q=quaternions, declination=st.floats(-0.5, 0.5))
def test_compass_angles_and_back(q, declination):
    attitude = to_euler_zyx(q)
    if abs(attitude[1]) < 1.55:
        back = see.attitude_from_compass(see.compass_angles(attitude, declination, OFFSETS), declination, OFFSETS)
        np.testing.assert_allclose([see.wrapped(a - b) for a, b in zip(back, attitude, strict=True)], 0, atol=1e-11)


@given(q=quaternions)
def test_compass_angles_are_the_euler_angles_of_its_axes(q):
    """Axes to port, aft and up; without offsets and declination."""
    q_BS = quaternion_from_matrix(((0.0, -1.0, 0.0), (-1.0, 0.0, 0.0), (0.0, 0.0, -1.0)))
    angles = see.attitude_angles(q, q_BS)
    if abs(angles[1]) < 1.55 and abs(to_euler_zyx(q)[1]) < 1.55:
        raw = see.compass_angles(to_euler_zyx(q), 0.0, see.CompassOffsets(0.0, 0.0, 0.0))
        np.testing.assert_allclose([see.wrapped(a - b) for a, b in zip(raw, angles, strict=True)], 0, atol=1e-11)


@pytest.mark.parametrize(("roll", "pitch", "roll_error", "heading_error"), [(10, 10, 0.15, 1.8), (20, 15, 0.7, 5.4)])
def test_the_small_angle_form_of_the_compass_errs_as_known(roll, pitch, roll_error, heading_error):
    """Proctor 2014, eq. 4.9 and 4.10 (corrected): phi = alpha, theta = atan(tan beta cos alpha), psi = gamma."""
    attitude = tuple(np.radians((roll, pitch, 30.0)))
    raw = see.compass_angles(attitude, 0.0, see.CompassOffsets(0.0, 0.0, 0.0))
    alpha, gamma = raw[1], raw[2] + math.pi / 2
    assert abs(math.degrees(alpha - attitude[0])) == pytest.approx(roll_error, abs=0.06)
    assert abs(math.degrees(gamma - attitude[2])) == pytest.approx(heading_error, abs=0.06)


@given(q=quaternions, declination=st.floats(-0.5, 0.5), inclination=st.floats(-1.2, 1.2))
def test_heading_from_the_field(q, declination, inclination):
    roll, pitch, yaw = to_euler_zyx(q)
    if abs(pitch) < 1.5:
        field = see.magnetic_field(5e-5, inclination, declination)
        assert see.magnetic_declination(field) == pytest.approx(declination, abs=1e-12)
        reading = see.magnetometer_reading(q, field, IDENTITY3, IDENTITY3, (0.0, 0.0, 0.0))
        heading = see.magnetic_heading(reading, roll, pitch) + declination
        assert see.wrapped(heading - yaw) == pytest.approx(0.0, abs=1e-9)


ANGLE, TURN = math.radians(30.0), math.radians(45.0)
BEAMS = see.beam_directions(ANGLE, TURN)


@given(velocity=three(3.0))
def test_velocity_comes_back_from_four_beams_and_from_any_three(velocity):
    beams = see.beam_velocities(velocity, BEAMS)
    np.testing.assert_allclose(see.velocity_from_beams(beams, ANGLE, TURN), velocity, atol=1e-14)
    assert see.beam_disagreement(beams, ANGLE) == pytest.approx(0.0, abs=1e-13)
    for i in range(4):
        assert see.missing_beam(beams, i) == pytest.approx(beams[i], abs=1e-13)


def test_velocity_from_beams_is_the_least_squares_solution():
    directions, beams = np.array(BEAMS), np.array((0.3, -0.1, 0.7, 0.2))
    assert np.linalg.norm(directions, axis=1) == pytest.approx(1.0)
    best = np.linalg.lstsq(directions, beams, rcond=None)[0]
    np.testing.assert_allclose(see.velocity_from_beams(tuple(beams), ANGLE, TURN), best, atol=1e-15)
    # The disagreement scatters like a horizontal component.
    noise = np.random.default_rng(1).standard_normal((4, 200_000))
    across = see.velocity_from_beams(tuple(noise), ANGLE, TURN)[0]
    assert see.beam_disagreement(tuple(noise), ANGLE).std() == pytest.approx(across.std(), rel=0.01)


SKEW_TILT = np.array(rotation_matrix(from_euler_zyx(0.05, 0.1, 0.3)))


def test_altitude_comes_back_from_ranges_over_a_slope():
    """A plane through a point 7 m below the sensor, inclined by 20 degrees."""
    q = from_euler_zyx(0.1, -0.15, 0.7)
    normal = np.array((math.sin(0.35), 0.0, math.cos(0.35)))
    R_NS = np.array(rotation_matrix(q)) @ SKEW_TILT
    ranges = tuple(7.0 * normal[2] / (normal @ (R_NS @ np.array(b))) for b in BEAMS)
    mount = tuple(map(tuple, SKEW_TILT))
    assert see.altitude_from_ranges(q, mount, ranges, ANGLE, TURN) == pytest.approx(7.0, rel=1e-13)
    level = see.beam_ranges(q, mount, 7.0, BEAMS)
    assert see.altitude_from_ranges(q, mount, level, ANGLE, TURN) == pytest.approx(7.0, rel=1e-13)


@given(q=quaternions, twist=twists, water=three(1.0), arm=three(1.0))
def test_water_track_and_cells_see_the_same_water(q, twist, water, arm):
    through = np.array(see.velocity_through_water(q, twist, water, arm, SKEW_MOUNT))
    np.testing.assert_allclose(see.cell_velocity(q, twist, water, arm, SKEW_MOUNT), -through)
    over = np.array(see.velocity_over_ground(twist, arm, SKEW_MOUNT))
    flow = np.array(SKEW_MOUNT).T @ to_body(q, water)
    np.testing.assert_allclose(through, over - flow, atol=1e-13)


@given(q=quaternions, arm=three(1.0), target=three(50.0))
def test_a_point_comes_back_from_range_bearing_and_elevation(q, arm, target):
    p_SP = see.point_in_sensor(P_NB, q, arm, SKEW_MOUNT, target)
    distance, *cosines = see.range_and_cosines(p_SP)
    reading = (distance, *see.bearing_and_elevation(tuple(cosines)))
    np.testing.assert_allclose(see.point_from_bearing(reading), p_SP, atol=1e-12)
    assert reading[0] == pytest.approx(see.range_to_point(P_NB, q, arm, target), abs=1e-12)
    towards = see.direction_in_N(q, SKEW_MOUNT, p_SP)
    np.testing.assert_allclose(np.add(see.point_position(P_NB, q, arm), towards), target, atol=1e-12)
    np.testing.assert_allclose(np.array(see.sensor_axes(q, SKEW_MOUNT)) @ p_SP, towards, atol=1e-12)


@given(bearing=st.floats(-3.2, 3.2), elevation=st.floats(-1.58, 1.58))
def test_vectors_across_a_direction_are_square_to_it_also_straight_above(bearing, elevation):
    first, second = see.across_bearing(bearing, elevation)
    axes = np.array([see.point_from_bearing((1.0, bearing, elevation)), first, second])
    np.testing.assert_allclose(axes @ axes.T, np.eye(3), atol=1e-15)


def test_directions_have_the_promised_signs():
    assert see.range_and_cosines((0.0, 0.0, 0.0)) == (0.0, 0.0, 0.0, 0.0)
    assert see.bearing_and_elevation((1.0, 1.0, 0.0)) == pytest.approx((math.pi / 4, 0.0))
    assert see.bearing_and_elevation((1.0, 0.0, -1.0)) == pytest.approx((0.0, math.pi / 4))
    assert see.image_point((2.0, 1.0, -1.0)) == (0.5, -0.5)
    assert see.relative_bearing((0.0, 0.0, 0.0), math.radians(30), (0.0, 5.0, 9.0)) == pytest.approx(math.radians(60))
    assert see.cone_direction(0.2, 0.0) == pytest.approx((math.cos(0.2), math.sin(0.2), 0.0))
    assert see.range_from_travel(100.0, 1500.0, 1485.0) == pytest.approx(99.0)


def test_geodetic_position_and_velocity_of_an_antenna():
    origin = Geodetic(LATITUDE, -2.1, 12.0)
    arm = (0.2, 0.1, -0.4)
    place = see.geodetic_position(P_NB, Q_NB, arm, origin)
    np.testing.assert_allclose(geodetic_to_ned(place, origin), see.point_position(P_NB, Q_NB, arm), atol=1e-8)
    expected = position_rate(Q_NB, see.point_velocity(TWIST, arm))
    np.testing.assert_allclose(see.velocity_in_N(Q_NB, TWIST, arm), expected)
