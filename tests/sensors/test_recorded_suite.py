"""Readings over a recorded motion: those that sensors give one by one in the loop, bit for bit."""

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, strategies as st
from recorded_motions import assert_same_bits, motion_of_truths, stepped, wandering_motion

import remora
from remora.files.problems import InputError
from remora.run.loop.loop import run
from remora.run.plant.environment import LocalEnvironment
from remora.run.plant.motion import VehicleMotion
from remora.scenarios import read_scenario
from remora.sensors import (
    CompiledMeasurement,
    OpenWater,
    RecordedSuite,
    SensorError,
    Status,
    make_sensor,
    motion_of_log,
    recorded_motion,
)
from remora.sensors.errors.distortions import nearest_remainder
from remora.sensors.errors.streams import Stream
from remora.sensors.machine_code import compiled_form
from remora.sensors.recorded_motion import Samples
from remora.vehicles import load_vehicle
from remora.world.ground.beds import FlatBed
from remora.world.ground.obstacles import Ball, Box, Pipe
from remora.world.ground.tunnels import Horseshoe, Rectangle, Round, Tunnel
from remora.world.scene import Scene
from remora.world.world import World

WATER = OpenWater(bottom_depth=9.0, current=(0.2, -0.1, 0.0), points={"lamp": (3.0, 2.0, 6.0)})
SUITES = {name: load_vehicle(name).sensors for name in remora.vehicles() if load_vehicle(name).sensors}
# Every effect of the common error model, on a log that often loses lock.
ROUGH_DVL = {
    "name": "dvl", "kind": "dvl", "position": (0.1, 0.0, 0.2), "rate": 100.0, "latency": 0.02,
    "parameters": {
        "max_altitude": 6.0, "latency_jitter": 0.01, "dropout": 0.1, "std": 0.01, "bias": 0.02, "bias_std": 0.01,
        "drift": 0.1, "drift_time": 10.0, "bias_wander": 0.02, "bias_wander_time": 0.5, "bias_walk": 0.01,
        "accuracy": 0.01, "correlation_time": 0.0, "scale_error": 0.01, "scale_asymmetry": 0.02, "square_term": 0.01,
        "outlier_std": 1.0, "outlier_probability": 0.2, "resolution": 0.0625, "limit": 1.5, "misalignment": 0.02,
        "nonorthogonality": 0.01, "bottom_track_accuracy": 0.002, "bottom_track_accuracy_of_speed": 0.01,
    },
}  # fmt: skip
STATIONS = ((2.4, -3.0, 1.5), (0.8, 3.0, 1.4), (-0.6, -2.2, 8.9), (3.8, 2.2, 6.0))
KINDS = {
    "imu": {"measures_earth_rate": True, "axis_places": ((0.1, 0.0, 0.0), (0.0, 0.1, 0.0), (0.0, 0.0, 0.1))},
    "gyro": {"std": 0.1},
    "inclinometer": {"std": 0.1},
    "magnetometer": {"hard_iron": (1e-6, 0.0, 2e-6)},
    "compass": {"tilt_from_force": True, "heading_std": 0.01, "calibration_offset": (1e-6, 2e-6, 0.0)},
    "ahrs": {"heading_std": 3.0},
    "pressure": {"water": "uniform", "dynamic_pressure_share": 0.3},
    "sound_velocity": {"std": 0.1},
    "gps": {"position_std": 2.0},
    "echosounder": {"beam_width": 0.2, "assumed_sound_speed": 1480.0, "max_range": 20.0},
    "dvl": {"by_beam": True, "beam_std": 0.01, "assumed_sound_speed": 1480.0},
    "dvl_beams": {"beam_std": 0.01, "max_altitude": 6.0},
    "current_meter": {"max_speed": 1.5},
    "usbl": {"station": (1.0, 2.0, 0.5), "max_range": 8.0},
    "sbl": {"stations": STATIONS, "max_range": 9.0, "shadow": (-1.9, 0.0), "std": 0.02, "resolution": 0.01},
    "lbl": {"stations": STATIONS[:3], "assumed_sound_speed": 1480.0, "dropout": 0.1, "latency_jitter": 0.2},
    "camera": {"targets": STATIONS, "half_angle": 1.2, "max_range": 15.0, "std": 0.01},
    "mocap_marker": {"markers": ((0.1, 0.0, -0.5), (0.0, 0.2, -0.4)), "in_air": True, "hidden_probability": 0.2},
    "ins": {"bottom_track_max_range": 4.0, "correlation_time": 0.5},
}


def entry(kind, **parameters):
    fields = {"name": kind, "kind": kind, "position": (0.1, -0.2, 0.3), "q_BS": (0.8, 0.6, 0.0, 0.0), "rate": 100.0}
    return {**fields, "parameters": parameters}


@pytest.mark.parametrize("vehicle", sorted(SUITES))
def test_suites_of_bundled_vehicles_give_the_readings_of_single_steps(vehicle):
    motion = wandering_motion(61, period_ns=20_000_000, outputs=8)
    suite = RecordedSuite(SUITES[vehicle], motion, WATER, vehicle)
    drawn = suite.draw(5)
    for sensor in suite.sensors(5):
        name = sensor.description.name
        assert_same_bits(drawn[name.removeprefix(f"{vehicle}/")], stepped(sensor, suite._samples[name]))


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_compiled_measurements_give_the_bits_of_plain_python(kind):
    motion, sensor = wandering_motion(400), make_sensor(entry(kind, **KINDS[kind]), 3)
    measurement = getattr(sensor, "inner", sensor).measurement  # that of a sensor with dropouts
    assert isinstance(measurement, CompiledMeasurement)
    assert compiled_form(measurement, WATER.packed()) is not None
    samples = Samples(np.arange(400), motion, WATER)
    assert_same_bits(sensor.draw(samples), stepped(sensor, samples))


def test_compiled_rays_meet_what_plain_python_meets_in_a_whole_scene():
    shapes = (
        Box("box", (3.0, 1.0, 5.0), (1.0, 2.0, 3.0), 0.4, 0.2),
        Pipe("pipe", (-2.0, 0.0, 4.0), (2.0, 3.0, 6.0), 0.5),
        Ball("ball", (0.0, -3.0, 5.0), 1.0),
    )
    sections = (Rectangle(4.0, 3.0), Round(5.0), Horseshoe(4.0, 5.0))
    tunnels = tuple(Tunnel(section, (9.0 * i, 1.0, 4.0), 0.3, 0.1, 6.0) for i, section in enumerate(sections))
    scene, random, hits = Scene(tunnels, FlatBed(9.0), shapes), np.random.default_rng(2), 0
    for _ in range(600):
        origin, ray = tuple(random.uniform(-6.0, 20.0, 3).tolist()), tuple(random.normal(size=3).tolist())
        size = math.sqrt(ray[0] * ray[0] + ray[1] * ray[1] + ray[2] * ray[2])
        ahead = (1.0 / size * ray[0], 1.0 / size * ray[1], 1.0 / size * ray[2])
        found = [part.distance(origin, ahead) for part in (*tunnels, *shapes, scene.bed)]
        nearest = min((distance for distance in found if distance is not None), default=math.inf)
        assert scene.distance(origin, ray) == (None if nearest == math.inf else nearest)
        hits += nearest < math.inf
    assert 100 < hits < 500


def test_echosounder_and_log_in_a_tunnel_are_compiled_to_the_same_bits():
    world = World(scene=Scene((Tunnel(Horseshoe(8.0, 8.0), (-20.0, 0.0, 4.0), 0.2, 0.05, 60.0),)), surface_depth=-30.0)
    motion = wandering_motion(200, tumbling=False, pace=0.1)
    entries = (entry("echosounder", max_range=30.0, std=0.02), entry("dvl", std=0.01))
    suite = RecordedSuite(entries, motion, LocalEnvironment(world), "rov")
    drawn = suite.draw(1)
    for sensor in suite.sensors(1):
        samples = suite._samples[sensor.description.name]
        assert compiled_form(sensor.measurement, samples.environment.packed()) is not None
        assert_same_bits(drawn[sensor.description.kind], stepped(sensor, samples))
    assert {Status.OK, Status.NO_LOCK} <= set(drawn["echosounder"].status.tolist())


def test_all_effects_together_go_on_after_lost_readings():
    motion = wandering_motion(1500, tumbling=False)
    suite = RecordedSuite([ROUGH_DVL], motion, WATER, "rov")
    drawn, (sensor,) = suite.draw(2)["dvl"], suite.sensors(2)
    assert_same_bits(drawn, stepped(sensor, suite._samples["rov/dvl"]))
    assert set(drawn.status) == {Status.OK, Status.NO_LOCK, Status.DROPPED}
    assert (np.diff(drawn.arrival_ns) < 0).any()  # N2: arrivals may be out of order, stamps are not
    assert np.isnan(drawn.values[drawn.status > Status.PARTIAL]).all()  # N4


ACOUSTICS = """
name: acoustics
duration: 2 s
seed: 4
log: {rate: 10 Hz}
water: {bottom_depth: 20 m, current: [0.2 m/s, 0, 0]}
vehicles:
  - name: rov
    file: vita1
    position: [0, 0, 5 m]
    velocity: [0.3 m/s, 0, 0]
    sensors:
      - {name: sbl, kind: sbl, position: [0.1 m, 0, 0], rate: 20 Hz, latency: 0.7 s, parameters: STATIONS}
      - {name: ins, kind: ins, position: [0, 0.1 m, 0], rate: 50 Hz}
"""
PLACES = "{stations: [[9 m, 0, 1 m], [0, 9 m, 1 m]], std: 2 cm, resolution: 1 cm, dropout: 0.1}"


@pytest.mark.parametrize("scenario", ["real_tunnel", "acoustics"])
def test_readings_of_the_loop_are_drawn_again_from_its_truth(monkeypatch, tmp_path, scenario):
    truths, plain = {}, VehicleMotion.truth_at

    def remembered(self, time_ns, grid_ns):
        truths[time_ns] = plain(self, time_ns, grid_ns)
        return truths[time_ns]

    monkeypatch.setattr(VehicleMotion, "truth_at", remembered)
    (tmp_path / "acoustics.yaml").write_text(ACOUSTICS.replace("STATIONS", PLACES))
    read = read_scenario("real_tunnel" if scenario == "real_tunnel" else tmp_path / "acoustics.yaml")
    setup = replace(read, duration_ns=500_000_000, compiled=False)
    run(setup, tmp_path / "run.mcap")
    log, environment = remora.read_log(tmp_path / "run.mcap"), LocalEnvironment(setup.environment)
    for sensor in setup.vehicles[0].sensors:
        series = log[sensor.description.name]
        motion = motion_of_truths([truths[time_ns] for time_ns in series.time_ns.tolist()])
        drawn = sensor.draw(Samples(np.arange(len(series)), motion, environment))
        names = [channel.name for channel in sensor.description.channels]
        np.testing.assert_array_equal(drawn.values, series.table(*names))
        np.testing.assert_array_equal(drawn.status, series["status"])
        assert len(series) in (10, 25, 200)


def test_seeds_and_other_sensors_leave_each_other_alone():
    motion, entries = wandering_motion(300), (entry("gyro", std=0.1), entry("ahrs", heading_std=0.1))
    suite, alone = RecordedSuite(entries, motion, WATER, "rov"), RecordedSuite(entries[1:], motion, WATER, "rov")
    many = suite.draw_many((4, 9))
    np.testing.assert_array_equal(many["ahrs"].values[1], alone.draw(9)["ahrs"].values)
    assert many["gyro"].values.shape == (2, 300, 3)
    first, second = many["gyro"].values - suite._samples["rov/gyro"].measured(suite.sensors(0)[0].measurement)[1]
    assert abs(np.corrcoef(first.ravel(), second.ravel())[0, 1]) < 4.0 / math.sqrt(900)
    assert np.std(first) == pytest.approx(0.1, rel=4.0 / math.sqrt(2 * 900))


def test_rows_of_a_stream_are_its_samples():
    stream, samples = Stream(3, "rov/imu/noise"), np.array([0, 5, 63, 64, 65, 1000, 64])
    np.testing.assert_array_equal(stream.normal_rows(samples, 3), [stream.normals(k, 3) for k in samples.tolist()])
    np.testing.assert_array_equal(stream.uniform_rows(samples, 1), [stream.uniforms(k, 1) for k in samples.tolist()])
    assert stream.normal_rows(samples[:0], 2).shape == (0, 2)


@given(st.floats(-1e6, 1e6), st.sampled_from([0.0625, 0.1, 2.0, math.tau, 1e-3]), st.integers(-9, 9))
def test_remainder_of_arrays_is_that_of_the_standard_library(value, step, halves):
    values = np.array([value, 0.5 * halves * step, -0.0])
    expected = [math.remainder(v, step) for v in values.tolist()]
    np.testing.assert_array_equal(
        nearest_remainder(values, np.array(step)).view(np.int64), np.array(expected).view(np.int64)
    )


def test_user_defined_sensors_are_drawn_in_python(tmp_path):
    (tmp_path / "mine.py").write_text(
        "from remora.sensors import SensorChannel, Status\n"
        "class Depth:\n"
        "    channels = (SensorChannel('depth', 'm'),)\n"
        "    def read(self, truth, environment):\n"
        "        return (Status.OK, (truth.p_NB[2],)) if truth.p_NB[2] > 0 else (Status.NO_LOCK, ())\n"
    )
    mine = {"name": "mine", "kind": "mine.py:Depth", "position": (0.0, 0.0, 0.0), "rate": 50.0}
    suite = RecordedSuite(
        [{**mine, "folder": str(tmp_path), "parameters": {"std": 0.1}}], wandering_motion(200, depth=0.0), WATER
    )
    drawn, (sensor,) = suite.draw(1)["mine"], suite.sensors(1)
    assert_same_bits(drawn, stepped(sensor, suite._samples["mine"]))
    assert set(drawn.status) == {Status.OK, Status.NO_LOCK}


def circling(step_ns):
    """Motion on a circle of 3 m at 0.5 rad/s."""
    time_ns = np.arange(0, 8_000_000_001, step_ns)
    angle, zero = 0.5e-9 * time_ns, np.zeros(time_ns.size)
    p = np.column_stack([3.0 * np.sin(angle), 3.0 - 3.0 * np.cos(angle), zero])
    q = np.column_stack([np.cos(0.5 * angle), zero, zero, np.sin(0.5 * angle)])
    return recorded_motion(time_ns, p, q, np.tile([1.5, 0.0, 0.0, 0.0, 0.0, 0.5], (time_ns.size, 1)))


def test_positions_between_rows_are_accurate_to_fourth_order():
    fine, errors = circling(25_000_000), []
    for step_ns in (400_000_000, 200_000_000, 100_000_000):
        near = circling(step_ns).at(fine.time_ns)
        errors.append(np.abs(near.p_NB - fine.p_NB).max())
        assert np.abs(near.q_NB - fine.q_NB).max() < (0.5e-9 * step_ns) ** 3
        recorded = np.isin(fine.time_ns, circling(step_ns).time_ns)
        np.testing.assert_array_equal(near.p_NB[recorded], circling(step_ns).p_NB)
    assert all(14.0 < coarse / finer < 18.0 for coarse, finer in pairwise(errors))


def test_motion_of_a_log_has_accelerations_from_differences():
    log = remora.simulate("bluerov_square", duration=1.0)
    motion = motion_of_log(log, "rov" if "rov/truth" in log.channels else next(iter(log.channels)).split("/")[0])
    mean = np.diff(motion.twist, axis=0) / (1e-9 * np.diff(motion.time_ns))[:, None]
    np.testing.assert_allclose(motion.twist_rate[1:-1], 0.5 * (mean[1:] + mean[:-1]), atol=1e-9)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"time_ns": [0, 10, 10]}, "time_ns: give at least two whole numbers of nanoseconds that grow"),
        ({"time_ns": [0.0, 0.1, 0.2]}, "whole numbers of nanoseconds"),
        ({"q_NB": np.zeros((3, 3))}, r"q_NB has the shape \(3, 3\): give \(3, 4\)"),
        ({"twist": np.full((3, 6), math.nan)}, "twist holds a number that is not finite"),
        ({"outputs": np.zeros((2, 5))}, r"outputs has the shape \(2, 5\): give \(3, 5\)"),
    ],
)
def test_bad_motions_are_refused(changes, message):
    given = {"time_ns": [0, 10, 20], "p_NB": np.zeros((3, 3)), "q_NB": np.ones((3, 4)), "twist": np.zeros((3, 6))}
    with pytest.raises(InputError, match=message):
        recorded_motion(**{**given, **changes})


def test_suites_without_samples_or_seeds_are_refused():
    motion = wandering_motion(10)
    late = {**entry("gyro"), "parameters": {"start": 5.0}}
    with pytest.raises(InputError, match=r'"gyro" has no sample from 0 to 0.09 s'):
        RecordedSuite([late], motion, WATER)
    with pytest.raises(InputError, match="seeds: give at least one"):
        RecordedSuite([entry("gyro")], motion, WATER).draw_many(())
    with pytest.raises(InputError, match=r"the motion is from 0 to 0.09 s"):
        motion.at(np.array([0, 100_000_000]))
    with pytest.raises(SensorError, match="unknown parameter"):
        RecordedSuite([entry("gyro", stdd=1.0)], motion, WATER)
