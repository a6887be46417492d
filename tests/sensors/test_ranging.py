"""Sensors that look environment: profiling sonar, multibeam echosounder, laser line, footprint of a camera."""

import math

import numpy as np
import pytest
from sensor_runs import AT_REST, WATER, readings, sensor, values

from remora.equations.algebra.quaternions import from_euler_zyx
from remora.run.plant.environment import LocalEnvironment
from remora.sensors import OpenWater, SensorError, Status, Truth
from remora.sensors.rays import FEW, ScanningHead, fan_angles, ray_distances
from remora.sensors.sensor import MAX_VALUES
from remora.world import Horseshoe, Rectangle, Round, Tunnel
from remora.world.ground.beds import FlatBed
from remora.world.scene import Scene
from remora.world.world import World

DOWN = from_euler_zyx(0.0, -math.pi / 2, 0.0)
AHEAD = (1.0, 0.0, 0.0, 0.0)
HEIGHT = 15.0  # of AT_REST over the bottom of WATER
TUNNELS = [
    Tunnel(section, (1.0, 2.0, 3.0), 0.4, 0.1, 30.0)
    for section in (Rectangle(8.0, 6.0), Round(5.0), Horseshoe(4.0, 5.0))
]
RADIUS = 2.5
PIPE = LocalEnvironment(
    World(scene=Scene((Tunnel(Round(2 * RADIUS), start=(-50.0, 0.0, 5.0), length=100.0),))), lambda name: None
)


def unit_vectors(count):
    drawn = np.random.default_rng(3).standard_normal((count, 3))
    square = np.vstack([np.eye(3), -np.eye(3)])  # along the walls and straight at them
    return np.vstack([square, drawn / np.linalg.norm(drawn, axis=1)[:, None]])


@pytest.mark.parametrize("tunnel", TUNNELS, ids=lambda t: type(t.section).__name__)
def test_many_rays_meet_what_each_by_itself_meets(tunnel):
    """From inside, from outside and from the wall, with a bottom in the way or not."""
    rays = np.vstack([unit_vectors(500), unit_vectors(0) @ np.array(tunnel.R_TN)])
    for bottom in (None, 4.0):
        bed = None if bottom is None else FlatBed(bottom)
        environment = LocalEnvironment(World(scene=Scene((tunnel,), bed)), lambda name: None)
        for place in ((10.0, 0.3, 0.4), (-3.0, 0.0, 0.0), (10.0, 9.0, -9.0), (10.0, *tunnel.section.outline()[0])):
            origin = tunnel.point(*place)
            together = ray_distances(environment, origin, rays)
            single = [environment.distance(origin, ray) for ray in rays.tolist()]
            assert len(rays) > FEW
            expected = [math.inf if distance is None else distance for distance in single]
            np.testing.assert_allclose(together, expected, rtol=1e-12, atol=1e-12)
            assert np.isfinite(together).any()


def test_a_head_goes_round_or_to_and_fro():
    environment = [ScanningHead(math.radians(90.0)).angle(k) for k in range(6)]
    np.testing.assert_allclose(np.degrees(environment), (0.0, 90.0, 180.0, -90.0, 0.0, 90.0), atol=1e-12)
    sector = [ScanningHead(math.radians(10.0), math.radians(45.0)).angle(k) for k in range(10)]
    np.testing.assert_allclose(np.degrees(sector), (-20, -10, 0, 10, 20, 10, 0, -10, -20, -10), atol=1e-12)
    many = ScanningHead(math.radians(0.9)).angle(4_000_000_001)
    assert many == pytest.approx(math.radians(0.9), abs=1e-6)


def test_a_fan_is_even_about_its_middle():
    np.testing.assert_allclose(fan_angles(5, 2.0), (-1.0, -0.5, 0.0, 0.5, 1.0))
    assert fan_angles(1, 2.0) == (0.0,)


def test_a_profiling_sonar_looks_around_the_section():
    """In a round pipe, 0.7 m right of its middle: the law of cosines, for every angle; down first, then starboard."""
    made = sensor("profiling_sonar", step_angle=math.radians(3.6))
    found = np.array([r.values for r in readings(made, 100, Truth(0, p_NB=(0.0, 0.7, 5.0)), PIPE)])
    angles, offset = found[:, 0], 0.7
    across = offset * np.sin(angles)  # the offset along the beam
    np.testing.assert_allclose(found[:, 1], -across + np.sqrt(across**2 - offset**2 + RADIUS**2), rtol=1e-12)
    assert found[25, 1] == pytest.approx(RADIUS - 0.7)  # a quarter turn from down towards y is starboard
    assert len(np.unique(np.round(angles, 9))) == 100


def test_which_ping_it_is_decides_where_the_head_looks():
    """No matter what came before: a run taken up at ping 40 goes on as one that was never stopped."""
    made = sensor("profiling_sonar", step_angle=0.1, std=0.02, angle_std=0.01)
    whole = readings(made, 60, AT_REST, PIPE)
    assert readings(made, 20, AT_REST, PIPE, start=40) == whole[40:]


def test_a_beam_without_echo_is_nan_and_its_angle_stays():
    made = sensor("profiling_sonar", step_angle=math.radians(60.0), std=0.01, bias=0.0)
    found = readings(made, 6)
    hit = [not math.isnan(reading.values[1]) for reading in found]
    assert hit == [True, True, False, False, False, True]
    assert [reading.status for reading in found] == [Status.OK if ok else Status.PARTIAL for ok in hit]
    assert all(math.isfinite(reading.values[0]) for reading in found)
    near = readings(sensor("profiling_sonar", max_range=HEIGHT - 1.0), 1)[0]
    assert (near.status, math.isnan(near.values[1])) == (Status.PARTIAL, True)


def test_a_multibeam_measures_a_level_bottom():
    made = sensor("multibeam", beams=256, fan_angle=math.radians(120.0))
    (found,) = values(made, 1)
    np.testing.assert_allclose(found, HEIGHT / np.cos(fan_angles(256, math.radians(120.0))), rtol=1e-12)
    rolled = AT_REST._replace(q_NB=from_euler_zyx(math.radians(10.0), 0.0, 0.0))
    (found,) = values(made, 1, rolled)
    # Rolled to starboard, what looked to starboard looks further down on the other side.
    np.testing.assert_allclose(found, HEIGHT / np.cos(np.array(made.description.geometry.angles) - math.radians(10.0)))


def test_beams_that_meet_nothing_are_nan_one_by_one():
    made = sensor("multibeam", beams=180, fan_angle=math.radians(360.0), std=0.01, resolution=0.01)
    (reading,) = readings(made, 1)
    down = np.cos(fan_angles(180, math.radians(360.0))) > 0.0
    assert reading.status == Status.PARTIAL
    np.testing.assert_array_equal(np.isfinite(reading.values), down)
    assert 0.0 not in reading.values


@pytest.mark.parametrize(
    ("kind", "parameters"),
    [("multibeam", {}), ("laser_line", {"q_BS": DOWN}), ("camera_footprint", {"q_BS": DOWN})],
)
def test_nothing_at_all_is_a_state(kind, parameters):
    """No bottom: no lock. One that is too far: out of range. Never a zero."""
    for water, limit, status in ((OpenWater(), {}, Status.NO_LOCK), (WATER, {"max_range": 9}, Status.OUT_OF_RANGE)):
        (reading,) = readings(sensor(kind, **parameters, **limit), 1, AT_REST, water)
        assert reading.status == status
        assert np.isnan(reading.values).all()


def test_a_wide_beam_hears_the_nearest_of_its_cone():
    """On a level bottom: beams that contain straight down hear the height, others their inner edge."""
    width = math.radians(10.0)
    made = sensor("multibeam", beams=7, fan_angle=math.radians(60.0), beam_width=width, rings=3)
    (found,) = values(made, 1)
    leaning = np.maximum(np.abs(fan_angles(7, math.radians(60.0))) - 0.5 * width, 0.0)
    np.testing.assert_allclose(found, HEIGHT / np.cos(leaning), rtol=1e-12)


def test_a_wrong_sound_speed_stretches_ranges():
    (found,) = values(sensor("multibeam", beams=3, fan_angle=0.2, assumed_sound_speed=1530.0), 1)
    assert found[1] == pytest.approx(1.02 * HEIGHT)
    assert values(sensor("profiling_sonar", assumed_sound_speed=1530.0), 1)[0, 1] == pytest.approx(1.02 * HEIGHT)


def test_noise_of_beams_is_their_own():
    made = sensor("multibeam", beams=20, fan_angle=0.5, std=0.05)
    clean = values(sensor("multibeam", beams=20, fan_angle=0.5), 1)
    errors = values(made, 3000) - clean
    np.testing.assert_allclose(errors.std(axis=0), 0.05, rtol=0.06)
    related = np.corrcoef(errors.T) - np.eye(20)
    assert np.abs(related).max() < 5.0 / math.sqrt(3000)


def test_steps_of_a_converter_round_ranges():
    (found,) = values(sensor("multibeam", beams=50, fan_angle=1.5, resolution=0.05), 1)
    (clean,) = values(sensor("multibeam", beams=50, fan_angle=1.5), 1)
    np.testing.assert_allclose(found, 0.05 * np.round(clean / 0.05), atol=1e-12)


@pytest.mark.parametrize("height", [1.0, 2.0])
def test_a_laser_line_errs_with_the_square_of_the_distance(height):
    near = AT_REST._replace(p_NB=(0.0, 0.0, 20.0 - height))
    made = sensor("laser_line", q_BS=DOWN, beams=9, fan_angle=0.0, baseline=0.4, peak_std=1e-3)
    assert values(made, 3000, near).std() == pytest.approx(height**2 * 1e-3 / 0.4, rel=0.03)


def test_light_gets_lost_in_the_water():
    """Light of a laser goes there and back, that of a thing only back: half the reach for the same water."""
    attenuation, faintest = 0.2, 0.02
    path = math.log(1.0 / faintest) / attenuation
    for kind, reach, parameters in (("laser_line", 0.5 * path, {"fan_angle": 0.0}), ("camera_footprint", path, {})):
        parameters = {"q_BS": DOWN, "attenuation": attenuation, "faintest": faintest, **parameters}
        if kind == "camera_footprint":
            parameters |= {"horizontal_angle": 1e-3, "vertical_angle": 1e-3}
        made = sensor(kind, **parameters)
        for height, status in ((0.99 * reach, Status.OK), (1.01 * reach, Status.OUT_OF_RANGE)):
            truth = AT_REST._replace(p_NB=(0.0, 0.0, 100.0 - height))
            assert readings(made, 1, truth, OpenWater(bottom_depth=100.0))[0].status == status


def test_the_footprint_of_a_camera_is_the_picture_on_the_bottom():
    """Straight down the footprint is a rectangle: height times the tangents of half the angles."""
    made = sensor("camera_footprint", q_BS=DOWN, horizontal_angle=1.2, vertical_angle=0.8, columns=3, rows=3)
    (found,) = values(made, 1)
    points = found.reshape(9, 3)
    across, along = HEIGHT * math.tan(0.6), HEIGHT * math.tan(0.4)
    # x_S looks down, y_S to starboard, and z_S, below in the picture, aft.
    expected = [(HEIGHT, y, z) for z in (-along, 0.0, along) for y in (-across, 0.0, across)]
    np.testing.assert_allclose(points, expected, atol=1e-9)


def test_a_camera_that_looks_ahead_sees_the_bottom_with_its_lower_corners_only():
    (reading,) = readings(sensor("camera_footprint", q_BS=AHEAD), 1)
    assert reading.status == Status.PARTIAL
    points = np.reshape(reading.values, (2, 2, 3))
    assert np.isnan(points[0]).all()
    np.testing.assert_allclose(points[1, :, 2], HEIGHT)


@pytest.mark.parametrize("kind", ["profiling_sonar", "multibeam", "laser_line", "camera_footprint", "imaging_sonar"])
def test_a_truth_that_is_not_a_number_is_named(kind):
    made = sensor(kind, scope="rov", q_BS=DOWN)
    broken = AT_REST._replace(p_NB=(0.0, 0.0, math.nan), time_ns=7)
    with pytest.raises(SensorError, match=rf'"rov/{kind}" at 7 ns: .*not a number'):
        made.step(made.initial(), broken, WATER, 0)


@pytest.mark.parametrize(
    ("kind", "parameters", "message"),
    [
        ("multibeam", {"beams": 2000}, f"beams: makes 2000 ranges; a reading holds at most {MAX_VALUES}"),
        ("multibeam", {"beams": 2.5}, "beams: found 2.5; give a whole number"),
        ("multibeam", {"beams": 0}, "beams: found 0"),
        ("multibeam", {"fan_angle": 7.0}, "fan_angle: found 7; give a number from 0 to"),
        ("multibeam", {"min_range": 5, "max_range": 4}, "min_range: found 5; give less than"),
        ("altimeter", {"min_range": 30, "max_range": 1}, "min_range: found 30; give less than"),
        ("echosounder", {"min_range": 30, "max_range": 1}, "min_range: found 30; give less than"),
        ("sound_velocity", {"min_speed": 1700, "max_speed": 1400}, "min_speed: found 1700; give less than"),
        ("pressure", {"bias_range": [500, -500]}, "bias_range: found 500 to -500; give the lower number first"),
        ("adcp", {"beam_angle_range": [0.5, 0.3]}, "beam_angle_range: found 0.5 to 0.3; give the lower number first"),
        ("profiling_sonar", {"step_angle": 0.0}, "step_angle: found 0"),
        ("profiling_sonar", {"step_angle": 0.2, "fan_angle": 0.1}, "fan_angle: found 0.1; give at least the step"),
        ("laser_line", {}, "orientation: is missing"),
        ("laser_line", {"q_BS": DOWN, "faintest": 0.0}, "faintest: found 0"),
        ("camera_footprint", {}, "orientation: is missing"),
        ("camera_footprint", {"q_BS": DOWN, "columns": 1}, "columns: found 1"),
        ("camera_footprint", {"q_BS": DOWN, "columns": 30, "rows": 30}, "columns: makes 2700 coordinates"),
        ("camera_footprint", {"q_BS": DOWN, "horizontal_angle": 3.1}, "horizontal_angle: found 3.1"),
        ("imaging_sonar", {}, "orientation: is missing"),
        ("imaging_sonar", {"q_BS": AHEAD, "beams": 64, "bins": 64}, "bins: makes 4096 intensities"),
        ("imaging_sonar", {"q_BS": AHEAD, "beams": 4, "step_angle": 0.1}, "only a sonar of one beam turns"),
        ("imaging_sonar", {"q_BS": AHEAD, "min_range": 30.0}, "must be below the max_range"),
        ("imaging_sonar", {"q_BS": AHEAD, "speckle": False, "noise_floor": 0.1}, "noise_floor: is noise that speckles"),
    ],
)  # fmt: skip
def test_bad_parameters_are_refused_with_a_reason(kind, parameters, message):
    with pytest.raises(SensorError, match=message):
        sensor(kind, **parameters)
