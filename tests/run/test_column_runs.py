"""A column of water and a sloping bed in whole runs: buoyancy, gravity and what sensors make of them."""

import math
from pathlib import Path

import numpy as np
import pytest
from world_samples import logged, places, sphere_scenario

from remora.scenarios import scenario_from_text

COLUMN = "water: {column: {depths: [0, 20 m], densities: [1000, 1020], sound_speeds: [1450, 1490]}}"


def test_a_sphere_swings_about_the_depth_of_its_own_density(tmp_path: Path) -> None:
    """1010 kg/m3 at 10 m: w^2 = g V (slope of density) / (mass and added mass), half a swing within 3 mm of a metre."""
    entry = ["name: ball, position: [0, 0, 9 m]"]
    setup = sphere_scenario(tmp_path, f"{COLUMN}\nlog: {{rate: 1 Hz}}", entry, mass=40.4, duration="39 s")
    log = logged(setup, tmp_path)
    w = math.sqrt(9.81 * 0.04 * 1.0 / 60.4)
    times = log["ball/truth"].time_ns * 1e-9
    assert places(log, "ball")[:, 2] == pytest.approx(10.0 - np.cos(w * times), abs=3e-3)
    assert places(log, "ball")[-1, 2] > 10.99


def test_pressure_and_echoes_know_the_column(tmp_path: Path) -> None:
    """Pressure by the mean density above, distances and speeds by the sound speed at the depth of the vehicle."""
    down = "orientation: {angles: [0, -90 deg, 0]}"
    parameters = "parameters: {assumed_sound_speed: 1500 m/s}"
    sensors = (
        "sensors: [{name: depth, kind: pressure, position: [0, 0, 0], rate: 10 Hz, parameters: {water: uniform}}, "
        f"{{name: echo, kind: echosounder, position: [0, 0, 0], rate: 10 Hz, {down}, {parameters}}}, "
        f"{{name: dvl, kind: dvl, position: [0, 0, 0], rate: 10 Hz, {parameters}}}]"
    )
    entry = f"name: ball, position: [0, 0, 10 m], velocity: [0.5 m/s, 0, 0], {sensors}"
    top = f"{COLUMN}\nbed: {{kind: flat, depth: 25 m}}"
    log = logged(sphere_scenario(tmp_path, top, [entry], mass=40.4, duration="1 s"), tmp_path)
    assert log["ball/depth"]["pressure"][0] == pytest.approx(1005.0 * 9.81 * 10.0, rel=1e-12)
    assert log["ball/echo"]["distance"][0] == pytest.approx(15.0 * 1500.0 / 1470.0, rel=1e-12)
    assert log["ball/dvl"]["velocity_x"][0] == pytest.approx(0.5 * 1500.0 / 1470.0, rel=1e-9)
    assert log["ball/dvl"]["altitude"][0] == pytest.approx(15.0, rel=0.03)


def test_altitudes_over_a_sloping_bed(tmp_path: Path) -> None:
    """Straight down by an altimeter; an echosounder ahead of a vehicle that looks uphill meets the slope."""
    sensors = (
        "sensors: [{name: altimeter, kind: altimeter, position: [0, 0, 0], rate: 10 Hz}, "
        "{name: ahead, kind: echosounder, position: [0, 0, 0], rate: 10 Hz, orientation: {angles: [0, 0, 0]}}, "
        "{name: dvl, kind: dvl, position: [0, 0, 0], rate: 10 Hz}]"
    )
    top = "bed: {kind: profile, distances: [0, 100 m], depths: [30 m, 10 m], start: [0, 0], heading: 0}"
    entry = f"name: ball, position: [50 m, 3 m, 12 m], velocity: [1 m/s, 0, 0], {sensors}"
    log = logged(sphere_scenario(tmp_path, top, [entry], duration="2 s"), tmp_path)
    times = log["ball/altimeter"].time_ns * 1e-9
    assert log["ball/altimeter"]["distance"] == pytest.approx(8.0 - 0.2 * times, abs=1e-9)
    assert log["ball/ahead"]["distance"] == pytest.approx(40.0 - times, abs=1e-9)
    assert log["ball/dvl"]["altitude"] == pytest.approx(8.0 - 0.2 * times, rel=0.2)
    assert log["ball/dvl"]["velocity_x"] == pytest.approx(np.ones(len(times)), abs=1e-9)


def test_gravity_by_latitude() -> None:
    """WGS 84: 9.806198 m/s2 at 45 degrees, in the plant and for sensors; beside a gravity it is refused."""
    text = "name: t\nduration: 1 s\norigin: {latitude: 45 deg, longitude: 0}\nwater: {gravity_by_latitude: true}\n"
    setup = scenario_from_text(text + "vehicles: [{name: rov, file: bluerov2_heavy}]")
    assert setup.environment.gravity == pytest.approx(9.806198, abs=1e-6)
    assert setup.vehicles[0].plant.vehicle.parameters.gravity == setup.environment.gravity
