"""`sensors: all` of the bundled vehicles: every sensor runs as shipped and is as noisy as its file says."""

import math
from collections import defaultdict

import numpy as np
import pytest

from remora.messages.reading import Status
from remora.run.loop.loop import Loop
from remora.scenarios import scenario_from_text
from remora.vehicles import load_vehicle, preset_names

LOCKED = "[surge, sway, heave, roll, pitch, yaw]"
# Passive bodies; forces and markers come from outside.
WITHOUT_SENSORS = {"bracket", "modular_case_body"}
SUITES = sorted(set(preset_names()) - WITHOUT_SENSORS)
# Where the world has all that the sensors of a vehicle need: antennas out of the water, a bottom in reach, stations.
AT_THE_SURFACE = ("gavia", "remus100")
SITES = {
    "falcon": "water: {surface_depth: 0.64 m, bottom_depth: 4.6 m}\n",
    "vita1": "tunnel: {section: rectangle, width: 4 m, height: 4 m, start: [-3 m, 0, 2 m], length: 8 m}\n",
}
BASIN = """\
water: {bottom_depth: 4.5 m}
obstacles:
  - {kind: box, name: wall, center: [4.5 m, 0, 2.5 m], size: [1 m, 12 m, 4 m]}
"""
FEWEST = 12  # degrees of freedom from which on a scatter says something
# Channels that share a figure, by its prefix, in the order of a reading; any other kind has one group without prefix.
GROUPS = {
    "imu": (("accelerometer_", 3), ("gyro_", 3)),
    "ahrs": (("roll_", 1), ("pitch_", 1), ("heading_", 1)),
    "compass": (("tilt_", 2), ("heading_", 1)),
    "dvl": (("", 3), ("altitude_", 1)),
    "usbl": (("range_", 1), ("angle_", 3)),
    "profiling_sonar": (("angle_", 1), ("", 1)),
}


def readings_of(text, seconds):
    """The readings of all sensors of a scenario, by vehicle and sensor."""
    setup = scenario_from_text(text)
    loop = Loop(setup)
    for k in range(10, round(100 * seconds) + 1, 10):
        loop.advance(k)
    readings = defaultdict(list)
    for vehicle in loop.vehicles:
        for reading in vehicle.sensors.in_transit:
            readings[reading.sensor].append(reading)
    return readings


def scenario(name, depth=None, seconds=4.0):
    """A vehicle that is held in place and measures; nobody takes its readings, so that they all wait to be counted."""
    depth = (0.05 if name in AT_THE_SURFACE else 2.0) if depth is None else depth
    return f"""\
name: suite
duration: {seconds} s
seed: 3
{SITES.get(name, BASIN)}
vehicles:
  - {{name: first, file: {name}, position: [1 m, 0.5 m, {depth} m], sensors: all, locked: {LOCKED}}}
"""


def white_noise(entry, prefix):
    """Deviation of the white noise that a file states for a group of channels; None where it states none."""
    for key, power in (("std", 1.0), ("static_std", 1.0), ("static_variance", 0.5)):
        if prefix + key in entry.parameters:
            return np.power(entry.parameters[prefix + key], power)
    return None


def check_noise(entry, rows):
    """Compare the scatter of readings with the file; the chance of a false alarm is below one in ten thousand."""
    start = 0
    for prefix, size in GROUPS.get(entry.kind, (("", rows.shape[1]),)):
        declared = white_noise(entry, prefix)
        columns, start = rows[:, start : start + size], start + size
        if declared is None:
            continue
        columns = columns - np.mean(columns, axis=0)
        freedom = (len(columns) - 1) * (1 if np.ndim(declared) else size)
        if freedom < FEWEST:
            continue
        measured = np.sqrt(np.sum(columns**2, axis=0 if np.ndim(declared) else None) / freedom)
        assert measured == pytest.approx(declared, rel=max(0.08, 4.0 / math.sqrt(2.0 * freedom))), (entry.name, prefix)


@pytest.mark.parametrize("name", [name for name in SUITES if name != "docking_vehicle"])
def test_all_sensors_of_a_vehicle_run_as_shipped(name):
    readings = readings_of(scenario(name), 4.0)
    for entry in load_vehicle(name).sensors:
        heard = readings[f"first/{entry.name}"]
        assert len(heard) == pytest.approx(4.0 * entry.rate, abs=1.5), entry.name
        good = [r for r in heard if r.status in (Status.OK, Status.PARTIAL)]
        # A counter of turns has nothing to tell before its second report; a turning head may look past everything.
        assert len(good) >= (0.2 if "step_angle" in entry.parameters else 0.9) * (len(heard) - 1), entry.name
        assert {r.arrival_ns - r.stamp_ns for r in heard} == {round(1e9 * entry.latency)}, entry.name
        rows = np.array([r.values for r in good])
        seen = np.all(np.isfinite(rows), axis=0)
        assert seen.any(), entry.name
        if seen.all() and entry.kind != "profiling_sonar":
            check_noise(entry, rows)


def test_two_docking_vehicles_see_their_target_and_each_other():
    text = f"""\
name: docking
duration: 4 s
vehicles:
  - {{name: first, file: docking_vehicle, position: [4, 3, 0], angles: [0, 0, -0.2], sensors: all, locked: {LOCKED}}}
  - {{name: second, file: docking_vehicle, position: [1, -2, 0], angles: [0, 0, -0.58], sensors: all, locked: {LOCKED}}}
"""
    readings = readings_of(text, 4.0)
    views = {"first/camera_forward": 11.5, "first/camera_port": -19.5, "second/camera_starboard": 2.3}
    for name, bearing in views.items():
        rows = np.array([reading.values for reading in readings[name]])
        assert len(rows) == pytest.approx(80, abs=1)
        assert np.degrees(rows.mean(axis=0)) == pytest.approx([bearing, 0.0], abs=0.12)
        assert np.degrees(rows.std(axis=0)) == pytest.approx([0.2, 0.2], rel=0.35)
    assert not np.isfinite([reading.values for reading in readings["second/camera_port"]]).any()


def test_sixteen_vehicles_or_more_have_a_suite():
    assert len(SUITES) >= 16
    assert all(load_vehicle(name).sensors for name in SUITES)


def test_every_number_of_a_suite_has_a_source_and_every_sensor_a_model():
    for name in SUITES:
        vehicle = load_vehicle(name)
        fields = [field for field in vehicle.provenance if field.startswith("sensors[")]
        assert len(fields) >= 3 * len(vehicle.sensors) - sum(entry.kind == "shaft_speed" for entry in vehicle.sensors)
        assert all(vehicle.provenance[field].source for field in fields)


def test_the_water_above_a_bluerov2_is_taken_as_fresh_by_its_depth_sensor():
    """A word among the parameters of a vehicle file reaches the sensor."""
    (entry,) = (sensor for sensor in load_vehicle("bluerov2_heavy").sensors if sensor.name == "depth")
    assert entry.parameters["water"] == "uniform"
    values = [reading.values[0] for reading in readings_of(scenario("bluerov2_heavy"), 4.0)["first/depth"]]
    assert np.mean(values) == pytest.approx(1000.0 * 9.81 * 2.0, abs=600.0)  # a bias of 200 Pa per unit


@pytest.mark.parametrize("depth", [1.2, 2.0])
def test_a_falcon_hears_the_stations_that_its_hull_does_not_hide(depth):
    """Stations of Table 4.9, level and heading north: above their depth the rover does not hear those to port ahead."""
    (entry,) = (sensor for sensor in load_vehicle("falcon").sensors if sensor.name == "sbl_rover")
    away = np.array(entry.parameters["stations"]) - (np.array([1.0, 0.5, depth]) + entry.position)
    bearings = np.degrees(np.arctan2(away[:, 1], away[:, 0]))
    hidden = (away[:, 2] >= 0.0) & (bearings >= -112.5) & (bearings <= 0.0)
    assert hidden.sum() == (2 if depth < 1.5 else 0)
    rows = np.array([reading.values for reading in readings_of(scenario("falcon", depth), 4.0)["first/sbl_rover"]])
    assert np.isnan(rows[:, hidden]).all()
    assert rows[:, ~hidden].mean(axis=0) == pytest.approx(np.linalg.norm(away, axis=1)[~hidden], abs=0.04)
