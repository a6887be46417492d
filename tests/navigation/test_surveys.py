"""Surveys recover a known truth within their own standard deviations, and refuse data that cannot show it."""

import math

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from remora.equations.algebra.pose import frame_from_markers, in_marker_frame
from remora.equations.algebra.quaternions import from_euler_zyx, from_rotation_vector, product, rotation_matrix
from remora.navigation.surveys import (
    marker_motion,
    pose_from_markers,
    range_errors,
    survey_attitude_sensor,
    survey_transponder,
    survey_velocity_sensor,
)
from remora.navigation.surveys.arrays import SurveyError

MARKERS = np.array([[0.1, 0.0, -1.3], [-0.3, 0.0, -1.3], [-0.2, 0.45, -1.3], [-0.2, -0.45, -1.3], [-0.2, 0.0, -1.7]])
Q = from_euler_zyx(0.3, -0.2, 2.0)
P = np.array([1.0, -2.0, 3.0])


def seen(noise=0.0, seed=0):
    return MARKERS @ np.array(rotation_matrix(Q)).T + P + noise * np.random.default_rng(seed).normal(size=MARKERS.shape)


def rotation_error(found, true):
    """Angle between two attitudes, rad."""
    turned = Rotation.from_quat(found, scalar_first=True).inv() * Rotation.from_quat(true, scalar_first=True)
    return turned.magnitude()


def test_a_marker_frame_turns_camera_into_marker_coordinates():
    R_CM = np.array(rotation_matrix(Q))
    x, y, z = (tuple(P + R_CM @ point) for point in np.array([[0.0, 0, 0], [2.0, 0, 0], [0.5, 1.5, 0]]))
    frame = frame_from_markers(x, y, z)
    assert np.array(frame.R_MC) == pytest.approx(R_CM.T, abs=1e-15)
    point = np.array([0.3, -0.7, 1.1])
    assert in_marker_frame(frame, tuple(P + R_CM @ point)) == pytest.approx(point, abs=1e-14)


def test_markers_without_noise_give_the_pose_exactly():
    found = pose_from_markers(MARKERS, seen())
    assert found.p_NB == pytest.approx(P, abs=1e-12)
    assert rotation_error(found.q_NB, Q) < 1e-12
    assert found.rms < 1e-14


def test_hidden_markers_are_left_out_and_the_pose_stays():
    visible = seen()
    visible[1] = np.nan
    found = pose_from_markers(MARKERS, visible)
    assert found.markers == 4
    assert found.p_NB == pytest.approx(P, abs=1e-12)


def test_the_covariance_of_a_marker_pose_is_that_of_repeated_surveys():
    errors = []
    for seed in range(400):
        found = pose_from_markers(MARKERS, seen(0.001, seed), std=0.001)
        errors.append([*(np.array(found.p_NB) - P), rotation_error(found.q_NB, Q)])
    position, turn = np.std(errors, axis=0)[:3], np.sqrt(np.mean(np.square(errors), axis=0))[3]
    # 400 runs know a standard deviation to 3.5 %; four of these
    assert position == pytest.approx(np.sqrt(np.diag(found.covariance))[:3], rel=0.14)
    assert turn == pytest.approx(math.sqrt(np.trace(found.covariance[3:, 3:])), rel=0.14)


@pytest.mark.parametrize(
    ("body", "measured", "said"),
    [
        (MARKERS[:2], MARKERS[:2], "three or more"),
        ([[0, 0, 0], [1, 0, 0], [2, 0, 0]], [[0, 0, 0], [1, 0, 0], [2, 0, 0]], "one line"),
        (MARKERS, MARKERS[:3], "the body has 5"),
        (MARKERS, "somewhere", "not a table of numbers"),
        (MARKERS, MARKERS[:, :2], "rows of 3 numbers"),
        (MARKERS, np.full((5, 3), np.inf), "infinite"),
    ],
)
def test_markers_that_give_no_pose_are_refused(body, measured, said):
    with pytest.raises(SurveyError, match=said):
        pose_from_markers(body, measured)


def test_a_marker_is_tracked_through_a_dropout_within_its_growing_deviation():
    """Accelerations are white over the periods, as the filter assumes; position and velocity are their exact sums."""
    T, std, a, count = 0.005, 0.002, 2.0, 2000
    generator = np.random.default_rng(1)
    acceleration = a * generator.normal(size=(count, 40))
    speed = np.cumsum(T * acceleration, axis=0)
    truth = np.cumsum(T * np.vstack([np.zeros(40), speed[:-1]]) + 0.5 * T * T * acceleration, axis=0)
    samples = truth + std * generator.normal(size=truth.shape)
    samples[800:900] = np.nan
    found = marker_motion(samples, T, std, a)
    assert (found.position_std[899] > 10.0 * found.position_std[799]).all()
    for error, deviation in (
        (found.position - truth, found.position_std),
        (found.velocity - speed, found.velocity_std),
    ):
        for part in (slice(100, 800), slice(800, 900), slice(1000, None)):
            spread = np.sqrt(np.mean((error / deviation)[part] ** 2))
            assert spread == pytest.approx(1.0, abs=0.3)  # 40 coordinates, correlated within each


def test_a_constant_velocity_is_found_exactly():
    samples = 3.0 - 0.7 * 0.01 * np.arange(3000.0)
    found = marker_motion(samples, 0.01, 1e-3, 1e-3)
    assert found.velocity[-1, 0] == pytest.approx(-0.7, abs=1e-9)


POINTS = np.array(
    [[0.0, 0.0, 1.0], [3.0, 0.2, 1.4], [2.8, 5.0, 0.9], [0.2, 5.2, 1.8], [1.5, 2.5, 1.2], [1.0, 4.0, 2.0],
     [2.2, 1.0, 1.6], [0.4, 2.0, 0.8]]
)  # fmt: skip
STATION = np.array([4.5, -1.5, 2.5])


@pytest.mark.parametrize("depth", [None, 2.5])
def test_a_transponder_is_found_from_ranges(depth):
    ranges = np.linalg.norm(POINTS - STATION, axis=1)
    found = survey_transponder(POINTS, ranges, depth)
    assert found.position == pytest.approx(STATION, abs=1e-9)
    assert range_errors(found.position, POINTS, ranges) == pytest.approx(np.zeros(8), abs=1e-9)


def test_the_deviation_of_a_transponder_covers_its_error():
    generator = np.random.default_rng(3)
    ratios = []
    for _ in range(300):
        ranges = np.linalg.norm(POINTS - STATION, axis=1) + 0.02 * generator.normal(size=8)
        found = survey_transponder(POINTS, ranges, 2.5)
        error = (np.array(found.position) - STATION)[:2]
        ratios.append(error @ np.linalg.solve(found.covariance[:2, :2], error) / 2.0)
    # F distribution with 2 and 6 degrees of freedom: 95 % below 5.14; 300 trials know the fraction to 1.3 %
    assert np.mean(np.array(ratios) < 5.14) == pytest.approx(0.95, abs=0.04)


@pytest.mark.parametrize(
    ("points", "ranges", "said"),
    [
        (POINTS[:3], [1.0, 2.0, 3.0], "4 or more"),
        (POINTS, [1.0] * 7, "8 values"),
        (POINTS, [-1.0] * 8, "positive"),
        (POINTS * [1, 0, 0], [1.0] * 8, "one line"),
        (POINTS * [1, 1, 0], np.linalg.norm(POINTS * [1, 1, 0] - STATION, axis=1), "one plane"),
    ],
)
def test_ranges_that_give_no_position_are_refused(points, ranges, said):
    with pytest.raises(SurveyError, match=said):
        survey_transponder(points, ranges)


def test_a_guess_picks_the_side_of_a_plane_of_points():
    flat = POINTS * [1, 1, 0]
    ranges = np.linalg.norm(flat - STATION, axis=1)
    assert survey_transponder(flat, ranges, guess=[4, -1, 1]).position[2] == pytest.approx(2.5, abs=1e-6)
    assert survey_transponder(flat, ranges, guess=[4, -1, -1]).position[2] == pytest.approx(-2.5, abs=1e-6)


LEVER, MOUNT = (-0.4, 0.12, 0.35), from_euler_zyx(0.02, -0.01, math.radians(47.0))


def dvl(turning, count=400, noise=0.004, seed=5):
    generator = np.random.default_rng(seed)
    twists = generator.normal(size=(count, 6)) * [0.5, 0.3, 0.1, *turning]
    v_S = (twists[:, :3] + np.cross(twists[:, 3:], LEVER)) @ np.array(rotation_matrix(MOUNT))
    return twists, 1.01 * v_S + noise * generator.normal(size=v_S.shape)


def test_the_mount_of_a_dvl_is_recovered_within_its_deviations():
    found = survey_velocity_sensor(*dvl((0.1, 0.1, 0.3)), q_BS=from_euler_zyx(0, 0, math.radians(45)), with_scale=True)
    std = [found.std[f"lever_arm_{axis}"] for axis in "xyz"]
    assert (np.abs(np.array(found.p_BS) - LEVER) < 4.0 * np.array(std)).all()
    assert max(std) < 0.01
    assert rotation_error(found.q_BS, MOUNT) < 4.0 * math.hypot(*(found.std[f"misalignment_{axis}"] for axis in "xyz"))
    assert found.scale == pytest.approx(1.01, abs=4.0 * found.std["scale"])
    assert found.noise == pytest.approx([0.004] * 3, rel=0.15)
    assert found.unobservable == ()


def test_yawing_alone_does_not_show_how_low_a_dvl_is():
    found = survey_velocity_sensor(*dvl((0.0, 0.0, 0.3)), p_BS=(0.0, 0.0, 0.3), with_scale=True)
    assert found.unobservable == ("lever_arm_z",)
    assert found.p_BS[2] == 0.3
    assert found.std["lever_arm_z"] == math.inf
    assert found.p_BS[:2] == pytest.approx(LEVER[:2], abs=0.01)


def test_a_vehicle_at_rest_shows_no_mount():
    with pytest.raises(SurveyError, match="move and turn"):
        survey_velocity_sensor(np.zeros((50, 6)), np.random.default_rng(0).normal(size=(50, 3)))
    with pytest.raises(SurveyError, match="ten or more"):
        survey_velocity_sensor(np.zeros((50, 6)), np.full((50, 3), np.nan))


def test_the_misalignment_of_an_attitude_sensor_is_recovered():
    generator = np.random.default_rng(8)
    true = [from_euler_zyx(*generator.uniform((-0.3, -0.3, -3.1), (0.3, 0.3, 3.1))) for _ in range(200)]
    noise = [from_rotation_vector(tuple(0.01 * generator.normal(size=3))) for _ in true]
    read = [product(product(q, MOUNT), error) for q, error in zip(true, noise, strict=True)]
    found = survey_attitude_sensor(true, read)
    assert rotation_error(found.q_BS, MOUNT) < 4.0 * math.hypot(*found.std.values())
    assert found.noise == pytest.approx([0.01] * 3, rel=0.2)


def test_markers_in_one_plane_give_a_rotation_and_no_reflection():
    flat = MARKERS * [1, 1, 0]
    generator = np.random.default_rng(4)
    for _ in range(50):
        q = from_rotation_vector(tuple(generator.normal(size=3)))
        measured = flat @ np.array(rotation_matrix(q)).T + P + 0.002 * generator.normal(size=flat.shape)
        assert rotation_error(pose_from_markers(flat, measured).q_NB, q) < 0.05
