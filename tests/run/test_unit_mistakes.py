"""Mistakes in units, signs, frames and names: each is refused or noted with what was probably meant."""

import re
import struct
from pathlib import Path

import numpy as np
import pytest

from remora.files.problems import InputFileError
from remora.scenarios import read_scenario
from remora.scenarios.library import scenario_names
from remora.sensors.registry import find_kind
from remora.vehicles import load_vehicle
from remora.vehicles.checks.plausibility import implausible
from remora.vehicles.library import preset_names, preset_path

ROV = f"""{preset_path("bluerov2_heavy").read_text()}
battery: {{full_voltage: 16.8 V, empty_voltage: 12.8 V, resistance: 50 mohm, capacity: 266 Wh, hotel_load: 20 W}}
"""
MISSION = """
name: mission
title: Hover
duration: 120 s
step: 10 ms
origin: {latitude: 43.28 deg, longitude: 5.32 deg}
water:
  density: 1028 kg/m3
  surface_depth: 0 m
  bottom_depth: 30 m
  current: [0.15 m/s, 0.1 m/s, 0]
  waves: {significant_height: 0.6 m, peak_period: 5 s, direction: 20 deg}
  column: {depths: [0, 30 m], temperatures: [19, 15], salinities: [38, 38.2]}
vehicles:
  - name: rov
    file: bluerov2_heavy
    position: [1 m, 1 m, 8 m]
    sensors:
      - {name: ahrs, kind: ahrs, position: [0, 0, 0], rate: 50 Hz, parameters: {heading_std: 0.5 deg}}
      - {name: dvl, kind: dvl, position: [0, 0, 0.15 m], rate: 5 Hz, parameters: {std: 0.5 cm/s}}
      - {name: depth, kind: pressure, position: [0, 0, 0], rate: 10 Hz, parameters: {std: 50 Pa, water: uniform}}
      - name: usbl
        kind: usbl
        position: [0, 0, 0]
        rate: 1 Hz
        latency: 0.2 s
        parameters: {station: [-6 m, 0, 1 m], range_std: 2 cm, angle_std: 0.2 deg}
    navigation: truth
    guidance:
      part: waypoints
      rate: 10 Hz
      speed: 0.3 m/s
      tolerance: 0.6 m
      points: [{position: [3 m, 2 m, 10 m], heading: -90 deg}]
    control: {part: position, rate: 50 Hz, velocity_gains: [3, 3, 3, 1], max_speeds: [0.8, 0.6, 0.4, 0.5]}
    allocation: {part: bounded, rate: 50 Hz}
    tethers:
      - name: umbilical
        attachment: [-0.2 m, 0, -0.1 m]
        far_end: [-6 m, 0, 0]
        length: 40 m
        diameter: 7.6 mm
        weight_in_water: 0.2 N/m
        stiffness: 10 kN
        nodes: 16
"""
COLUMN = "temperatures: [19, 15], salinities: [38, 38.2]"
CURRENT = "current: [0.15 m/s, 0.1 m/s, 0]"

# Text, what a careless user writes in its place, and the words that name the likely cause.
IN_VEHICLES = [
    ("mass: ", "mass: 13500 kg #", "Is the mass in grams"),
    ("density: ", "density: 1.0 #", r"Did you mean 1000 kg/m3 \(1 g/cm3\)"),
    ("gravity: ", "gravity: -9.81 #", "must be above zero"),
    ("moments: [0.26, 0.23, 0.37]", "moments: [2600, 2300, 3700]", "kg cm2"),
    ("buoyancy: [0, 0, -1 cm]", "buoyancy: [0, 0, -10]", "millimetres"),
    ("buoyancy: [0, 0, -1 cm]", "buoyancy: [0, 0, 1 cm]", "rests upside down.*axes: forward-left-up"),
    ("diagonal: [6.36", "diagonal: [-6.36", "SNAME"),
    ("diagonal: [13.7", "diagonal: [-13.7", "Damping is given positive"),
    ("diagonal: [141, 217, 190", "diagonal: [141000, 217000, 190000", "unit of the thrust limits and of the damping"),
    ("_starboard, position: [0.156, 0.111, 0.085]", "_starboard, position: [156, 111, 85]", "millimetres"),
    ("direction: [1, -1, 0]", "direction: [1, 1, 0]", "front_starboard: .*no mirror images.*wrong side"),
    ("front_port, position: [0.12, -0.218", "front_port, position: [0.12, 0.218", "other side than its name says"),
    ("front_port, position: [0.12, -0.218", "front, position: [0.12, 0.218", "stands where vertical_front_starboard"),
    ("value: [-39.91, 51.48]", "value: [51.48, -39.91]", "lowest, highest"),
    ("value: [-39.91, 51.48]", "value: [39.91, 51.48]", "never rests. Check their signs"),
    ("time_constant: {value: 0.1754 s", "time_constant: {value: 175.4", r"\(175.4 ms\)"),
    ("dead_band: {value: 25 us", "dead_band: {value: 25", "1500 us"),
    ("heading_std: 0.5 deg", "heading_std: 0.3", "Did you mean 0.3 deg"),
    ("heading_std: 0.5 deg", "heading_std: 0.5", "Write 0.5 deg"),
    ("roll_std: 0.2 deg", "roll_std: 0.1", "Did you mean 0.1 deg"),
    ("std: 0.1 deg/s", "std: 0.1", "Did you mean 0.1 deg/s"),
    ("std: {value: 30 Pa", "std: {value: 0.02 Pa", "Did you mean 0.02 m of water"),
    ("bias_std: {value: 200 Pa", "bias_std: {value: 0.02", "0.02 m of water"),
    ("std: {value: 0.5 cm/s", "std: {value: 0.5", "Did you mean 0.5 cm/s"),
    ("max_speed: 3.75 m/s", "max_speed: 375", "375 cm/s"),
    ("frequency: 1 MHz", "frequency: 1", "kHz"),
    ("altitude_range: [0.05 m, 50 m]", "altitude_range: [5, 5000]", "5000 cm"),
    ("latency: {value: 0.1 s", "latency: {value: 100", "100 ms"),
    ("rate: {value: 8 Hz", "rate: {value: 0.125 s", "does not measure a frequency"),
    ("position: {value: [-0.1, 0, 0.15]", "position: {value: [-100, 0, 150]", "millimetres"),
    ("rate: {value: 8 Hz", "orientation: {angles: [180 deg, 0, 0]}\n    rate: {value: 8 Hz", "beams look up"),
    ("grade: consumer", "grade: consumr", 'Did you mean "consumer"'),
    ("angle_std: 1 deg", "angle_std: 1", "Write 1 deg"),
    ("range_std: 10 cm", "range_std: 10", "Did you mean 10 cm"),
    ("max_range: {value: 20 m", "max_range: {value: 20000", "mm"),
    ("frequency: 750 kHz", "frequency: 750", "Did you mean 750 kHz"),
    ("30 m, std: {value: 2 cm", "30 m, std: {value: 2", "Did you mean 2 cm"),
    ("capacity: 266 Wh", "capacity: 266", "Is the capacity in Wh"),
    ("capacity: 266 Wh", "capacity: 266 kWh", "kWh where Wh"),
    ("capacity: 266 Wh", "capacity: 18000 mAh", "Give an energy"),
    ("resistance: 50 mohm", "resistance: 50", "50 mohm"),
    ("full_voltage: 16.8 V", "full_voltage: 16800", "mV"),
    ("16.8 V, empty_voltage: 12.8 V", "4.2 V, empty_voltage: 3.2 V", "not of a cell"),
    ("hotel_load: 20 W", "hotel_load: 20 kW", "kW where W"),
    ("size: [0.457, 0.172, 0.076]", "size: [457, 172, 76]", "Are these millimetres"),
]
IN_SCENARIOS = [
    ("std: 50 Pa", "std: 0.02", "Did you mean 0.02 m of water"),
    ("heading_std: 0.5 deg", "heading_std: 0.3", "Did you mean 0.3 deg"),
    ("density: 1028 kg/m3", "density: 1.028", "g/cm3"),
    ("bottom_depth: 30 m", "bottom_depth: -30 m", "must lie below the surface"),
    ("latitude: 43.28 deg", "latitude: 43.28", "Write 43.28 deg"),
    (f"  column: {{depths: [0, 30 m], {COLUMN}}}\n", "  sound_speed: 1.5\n", r"Did you mean 1500 m/s \(1.5 km/s\)"),
    (COLUMN, "densities: [1025, 1028], sound_speeds: [1.5, 1.51]", "km/s"),
    (COLUMN, "densities: [25, 28], sound_speeds: [1500, 1510]", "not its excess over 1000"),
    ("salinities: [38, 38.2]", "salinities: [0.038, 0.0382]", "parts per thousand"),
    ("temperatures: [19, 15]", "temperatures: [292, 288]", "degrees Celsius"),
    (CURRENT, "current: [2, 0, 0]", "Did you mean 2 kn, which is 1.03 m/s"),
    (CURRENT, "current: [15, 10, 0]", "Did you mean 18 cm/s"),
    (CURRENT, "current: [0, 0, 2 m/s]", "third number is vertical"),
    (CURRENT, "current: [{kind: tide, amplitude: 5, constituent: M2, direction: 30 deg}]", "5 cm/s"),
    (CURRENT, "current: [{kind: gusts, std: [3, 3, 1], correlation_time: 20 s}]", "cm/s"),
    (CURRENT, "current: [{kind: gusts, std: [0.1, 0.1, 0.1], correlation_time: 20 ms}]", "Did you mean 20 s"),
    ("significant_height: 0.6 m", "significant_height: 60", "60 cm"),
    ("significant_height: 0.6 m", "significant_height: 6 m", "They break"),
    ("peak_period: 5 s", "peak_period: 0.2", "frequency in Hz"),
    ("direction: 20 deg", "direction: 20", "Write 20 deg"),
    ("max_speeds: [0.8, 0.6, 0.4, 0.5]", "max_speeds: [50, 50, 50, 0.5]", "50 cm/s"),
    ("max_speeds: [0.8, 0.6, 0.4, 0.5]", "max_speeds: [0.8, 0.6, 0.4, 30]", "30 deg/s"),
    ("velocity_gains: [3,", "velocity_gains: [300,", "unstable"),
    ("velocity_gains: [3,", "velocity_gains: [-3,", "must not be negative"),
    ("tolerance: 0.6 m", "tolerance: 60", "60 cm"),
    ("tolerance: 0.6 m", "tolerance: 0.6 mm", "Did you mean 0.6 m"),
    ("heading: -90 deg", "heading: -90", "Write -90 deg"),
    ("[3 m, 2 m, 10 m]", "[3 m, 2 m, -10 m]", "Depths are positive downwards"),
    ("diameter: 7.6 mm", "diameter: 8", "Did you mean 8 mm"),
    ("stiffness: 10 kN", "stiffness: 10", "Did you mean 10 kN"),
    ("stiffness: 10 kN", "stiffness: 2e9", "modulus in Pa"),
    ("length: 40 m", "length: 40000", "the length of the tether"),
    ("length: 40 m", "length: 4 m", "shorter than"),
    ("weight_in_water: 0.2 N/m", "weight_in_water: 50", "50 g/m"),
    ("far_end: [-6 m, 0, 0]", "far_end: [-6 m, 0, -30]", "hangs in the air"),
    ("station: [-6 m, 0, 1 m]", "station: [-6 m, 0, -1 m]", "above the surface"),
    ("angle_std: 0.2 deg", "angle_std: 0.2", "Did you mean 0.2 deg"),
    ("latency: 0.2 s", "latency: 200", "200 ms"),
    ("rate: 50 Hz, parameters", "rate: 0.02, parameters", "period in s"),
    ("    tethers:", "    faults: [{fault: current, change: [10, 0, 0], at: 50 s}]\n    tethers:", "cm/s"),
]


def changed(text: str, old: str, new: str) -> str:
    assert old in text
    return text.replace(old, new, 1)


def of_vehicle(folder: Path, text: str) -> list[str]:
    """What is said about a vehicle file."""
    (folder / "rov.yaml").write_text(text)
    try:
        vehicle = load_vehicle(folder / "rov.yaml", find_kind)
    except InputFileError as error:
        return str(error).splitlines()
    return [f"{one.field}: {one.text}" for one in implausible(vehicle)]


def of_scenario(folder: Path, text: str) -> list[str]:
    """What is said about a scenario."""
    (folder / "mission.yaml").write_text(text)
    try:
        return list(read_scenario(folder / "mission.yaml").load_notes)
    except InputFileError as error:
        return str(error).splitlines()


@pytest.mark.parametrize(("old", "new", "words"), IN_VEHICLES)
def test_a_mistake_in_a_vehicle_file_is_named(old: str, new: str, words: str, tmp_path: Path) -> None:
    said = of_vehicle(tmp_path, changed(ROV, old, new))
    assert re.search(words, "\n".join(said)), said


@pytest.mark.parametrize(("old", "new", "words"), IN_SCENARIOS)
def test_a_mistake_in_a_scenario_is_named(old: str, new: str, words: str, tmp_path: Path) -> None:
    said = of_scenario(tmp_path, changed(MISSION, old, new))
    assert re.search(words, "\n".join(said)), said


def test_files_without_mistakes_are_not_doubted(tmp_path: Path) -> None:
    assert of_vehicle(tmp_path, ROV) == []
    assert of_scenario(tmp_path, MISSION) == []
    assert of_scenario(tmp_path, changed(MISSION, CURRENT, "current: [2 kn, 0, 0]")) == []


@pytest.mark.parametrize("name", preset_names())
def test_bundled_vehicles_are_not_doubted(name: str) -> None:
    vehicle = load_vehicle(name, find_kind)
    assert "implausible" in vehicle.accepted or implausible(vehicle) == []


@pytest.mark.parametrize("name", scenario_names())
def test_bundled_scenarios_are_not_doubted(name: str) -> None:
    assert [note for note in read_scenario(name).load_notes if "plausible" in note or "They break" in note] == []


def in_forward_left_up(text: str) -> str:
    """A vehicle file with its places and directions in other axes, without saying so."""

    def turned(found: re.Match[str]) -> str:
        y, z = (f"{-float(word):g}" for word in (found[3], found[4]))
        return f"{found[1]}{found[2]}, {y}, {z}]"

    number = r"(-?[0-9.]+)"
    text = re.sub(rf"((?:position|direction): (?:\{{value: )?\[){number}, {number}, {number}\]", turned, text)
    return changed(text, "center_of_buoyancy: [0, 0, -1 cm]", "center_of_buoyancy: [0, 0, 1 cm]")


def test_a_forgotten_line_of_axes_is_named_and_not_its_symptom(tmp_path: Path) -> None:
    (said,) = of_vehicle(tmp_path, in_forward_left_up(ROV))
    assert said.startswith("axes: every thruster lies on the other side than its name says")
    assert "Write axes: forward-left-up" in said
    assert of_vehicle(tmp_path, f"axes: forward-left-up\n{in_forward_left_up(ROV)}") == []


def test_a_dvl_without_a_turn_in_a_file_with_z_up_looks_up(tmp_path: Path) -> None:
    text = f"axes: forward-left-up\n{in_forward_left_up(ROV)}"
    zero = changed(text, "rate: {value: 8 Hz", "orientation: {angles: [0 deg, 0, 0]}\n    rate: {value: 8 Hz")
    (said,) = of_vehicle(tmp_path, zero)
    assert "Write [180 deg, 0 deg, 0 deg] where the axes of the file are forward-left-up" in said
    assert of_vehicle(tmp_path, changed(zero, "[0 deg, 0, 0]", "[180 deg, 0, 0]")) == []


@pytest.mark.parametrize(("scale", "words"), [("", "Are these millimetres.*scale: 0.001"), (", scale: 0.001", "")])
def test_a_mesh_in_millimetres_needs_its_scale(scale: str, words: str, tmp_path: Path) -> None:
    corners = np.array([[0, 0, 0], [400, 0, 0], [0, 500, 0]], "<f4").tobytes()
    (tmp_path / "hull.stl").write_bytes(bytes(80) + struct.pack("<I", 1) + bytes(12) + corners + bytes(2))
    mesh = f"  shapes:\n    - {{shape: mesh, file: hull.stl{scale}}}\n"
    said = "\n".join(of_vehicle(tmp_path, changed(ROV, "  shapes:\n", mesh)))
    assert re.search(words, said) if words else said == ""
