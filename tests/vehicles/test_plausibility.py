"""Plausibility: numbers that keep every invariant and belong to no vehicle are warned of, with the likely mistake."""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from remora.cli import main
from remora.vehicles import load_vehicle, preset_names, vehicle_from_text
from remora.vehicles.checks.plausibility import implausible, terminal_speed
from remora.vehicles.checks.plausible_ranges import RANGES
from remora.vehicles.checks.report import report_data, report_lines, warning_lines
from remora.vehicles.library import preset_path

pytestmark = pytest.mark.usefixtures("blank_pictures")

ROV = preset_path("bluerov2_heavy").read_text()
BARE = ROV.split("\nsensors:\n")[0]  # its sensors are the last section


def changed(*pairs):
    text = ROV
    for old, new in pairs:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return vehicle_from_text(text)


def said(vehicle):
    return "\n".join(f"{one.field}: {one.text}" for one in implausible(vehicle))


MISTAKES = {
    "density in g/cm3": (
        [("1000 kg/m3", "1.025 kg/m3"), ("volume: 0.0134 m3", "displaced_mass: 13.4 kg")],
        r"water\.density: .*1\.025 kg/m3.*Did you mean 1025 kg/m3 \(1\.025 g/cm3\)\?",
    ),
    "gravity in cm/s2": ([("9.81 m/s2", "981 m/s2")], r"water\.gravity: .*Did you mean 9\.81 m/s2 \(981 cm/s2\)\?"),
    "gravity of the moon": ([("9.81 m/s2", "1.62 m/s2")], r"water\.gravity: gravity is 1\.62 m/s2"),
    "mass of a million tonnes": (
        [("mass: 13.5 kg", "mass: 1e9 kg"), ("volume: 0.0134 m3", "net_buoyancy: 0 N")],
        r"body\.mass: the mass is 1e\+09 kg",
    ),
    "volume in litres": ([("0.0134 m3", "13.4 m3")], r"body: the displaced water is .*Is the volume in litres"),
    "weight as a mass": ([("13.5 kg", "132 kg")], r"the displaced water is 0\.1015 .*the mass in kilograms is wanted"),
    "far too light": ([("13.5 kg", "7 kg")], r"the displaced water is 1\.914 times the mass.*check volume and ballast"),
    "inertia in kg cm2": (
        [("[0.26, 0.23, 0.37]", "[2600, 2300, 3700]")], r"body\.inertia: .*in roll.*inertia in kg cm2"
    ),
    "centre in mm": (
        [("center_of_buoyancy: [0, 0, -1 cm]", "center_of_buoyancy: [0, 0, -10]")],
        r"body\.center_of_buoyancy: .*Are these millimetres\?",
    ),
    "centres far apart": ([("[0, 0, -1 cm]", "[0, 0, -1]")], r"body: the distance between G and C is"),
    "added mass in g": ([("diagonal: [6.36, 7.12,", "diagonal: [6360, 7.12,")], r"added_mass: the added mass in surge"),
    "added inertia in kg cm2": (
        [("18.68, 0.189,", "18.68, 1890,")], r"the radius of gyration of the added mass in roll .*Is it in kg cm2"
    ),
    "hardly any damping": ([("[13.7, 0, 33.0, 0, 0.8, 0]", "[0, 0, 33.0, 0, 0.8, 0]"), ("[141,", "[0.01,")],
                           r"damping: the terminal speed at full thrust in surge is"),
    "no damping in yaw": ([("0.47, 1.5]", "0.47, 1e-6]")], r"damping: the terminal speed at full thrust in yaw"),
    "thrust in mN": ([("[-39.91, 51.48]", "[-39910, 51480]")], r"thrusters: full thrust is .*millinewtons"),
    "lever in mm": ([("[0.12, 0.218, 0]", "[120, 218, 0]")], r"vertical_front_starboard: .*Are these millimetres\?"),
    "lag in ms": ([("0.1754 s", "175.4 s")], r"front_port: the time constant is 175\.4 s.*0\.1754 s \(175\.4 ms\)"),
    "upside down": ([("[0, 0, -1 cm]", "[0, 0, 1 cm]")], r"body: roll at rest is .*180 deg.*upside down"),
    "on its tail": ([("[0, 0, -1 cm]", "[2 cm, 0, -1 cm]")], r"body: pitch at rest is .*Check the x of both centres"),
    "hardly righted": ([("[0, 0, -1 cm]", "[0, 0, -0.0002 mm]")], r"body: the natural period of roll"),
}  # fmt: skip


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_likely_mistake_is_warned_of_with_its_field(mistake):
    pairs, words = MISTAKES[mistake]
    assert re.search(words, said(changed(*pairs))), said(changed(*pairs))


def test_a_doppler_log_that_looks_up_is_warned_of():
    entry = "\nsensors:\n  - {name: dvl, kind: dvl, orientation: {angles: [%s deg, 0, 0]}, source: test}\n"
    assert re.search(r"dvl: the angle .* is 180 deg.*Its beams look up", said(vehicle_from_text(BARE + entry % 180)))
    assert said(vehicle_from_text(BARE + entry % 45)) == ""


LIMITS = "[-39.91, 51.48]"


@pytest.mark.parametrize(
    ("limits", "warned", "words"),
    [
        ("[10, 51.48]", True, "front_port: its limits, 10 to 51.48, leave out zero: it never rests"),
        ("[0, 51.48]", False, "leave out zero"),
    ],
)
def test_a_thruster_whose_limits_leave_out_zero_is_warned_of(limits, warned, words):
    assert (words in said(vehicle_from_text(ROV.replace(LIMITS, limits)))) is warned


def test_an_axis_that_thrusters_push_one_way_only_is_warned_of():
    """A light vehicle may have thrusters that push down only: buoyancy opposes them."""
    found = said(vehicle_from_text(PULSED % ("[0 N, 10 N]", "dead_band: 0.1 N")))
    assert "thrusters: all thrusters push in the positive direction of surge only" in found
    assert "only" not in said(vehicle_from_text(PULSED % ("[-10 N, 10 N]", "dead_band: 0.1 N")))
    down, up = (PULSED.replace("direction: [1, 0, 0]", f"direction: [0, 0, {z}]") for z in (1, -1))
    assert "only" not in said(vehicle_from_text(down % ("[0 N, 10 N]", "dead_band: 0.1 N")))
    assert "negative direction of heave only" in said(vehicle_from_text(up % ("[0 N, 10 N]", "dead_band: 0.1 N")))


def test_a_sensor_placed_in_millimetres_is_warned_of():
    text = BARE + "\nsensors:\n  - {name: dvl, kind: dvl, position: [300, 0, 100], latency: 100 s, source: test}\n"
    words = said(vehicle_from_text(text))
    assert re.search(r"dvl: the distance from B .*Are these millimetres\?", words)
    assert re.search(r"dvl: the latency is 100 s", words)


@pytest.mark.parametrize("name", preset_names())
def test_no_bundled_vehicle_is_warned_of_unless_its_file_says_why(name):
    vehicle = load_vehicle(name)
    assert bool(implausible(vehicle)) == ("implausible" in vehicle.accepted)
    assert warning_lines(vehicle) == []


def test_every_range_is_judged_by_some_mistake_above():
    """A range that no case leaves would be one that no test holds."""
    elsewhere = {
        "battery_voltage",
        "battery_resistance",
        "specific_energy",
        "specific_load",
        "looks",
    }  # in test_unit_mistakes
    kinds = set(RANGES) - {"body_density"} - elsewhere
    assert len(MISTAKES) + 2 >= len(kinds)


def test_a_wrong_density_alone_does_not_make_lengths_look_wrong():
    """12,687 litres of vehicle: the size comes from the mass, so that only density and volume are named."""
    vehicle = changed(("1000 kg/m3", "1.025 kg/m3"), ("volume: 0.0134 m3", "displaced_mass: 13.4 kg"))
    assert {one.field for one in implausible(vehicle)} == {"water.density", "body"}


def test_terminal_speed_balances_thrust_and_damping():
    parameters = load_vehicle("bluerov2_heavy").parameters
    speed = terminal_speed(parameters, 0, 80.0)
    assert 13.7 * speed + 141.0 * speed**2 == pytest.approx(80.0, rel=0.05)


def test_the_closing_line_counts_warnings_and_the_exit_code_stays_zero(tmp_path):
    file = tmp_path / "rov.yaml"
    file.write_text(ROV.replace("9.81 m/s2", "981 m/s2"))
    result = CliRunner().invoke(main, ["check", str(file)])
    assert result.exit_code == 0
    assert "All invariants hold." not in result.output
    assert result.output.splitlines()[-1].startswith("1 warning: see WARN above.")
    data = json.loads(CliRunner().invoke(main, ["check", "--json", str(file)]).output)
    assert data["sound"] is True
    assert [one["field"] for one in data["warnings"]] == ["water.gravity"]


def test_a_file_that_accepts_its_warnings_shows_the_reason():
    sound, lines = report_lines(load_vehicle("modular_case_body"))
    assert sound
    assert "accepted by the file: The source prints moments of inertia" in lines[-1]
    assert report_data(load_vehicle("modular_case_body"))["warnings_accepted"].startswith("The source prints")


def test_a_run_and_a_tuning_warn_of_an_implausible_vehicle(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("rov.yaml").write_text(ROV.replace("9.81 m/s2", "9.6 m/s2"))
    result = CliRunner().invoke(main, ["run", "dive_and_turn", "--vehicle", "rov.yaml", "--duration", "0.1"])
    assert result.exit_code == 0, result.output
    assert "warning: bluerov2_heavy: water.gravity: gravity is 9.6 m/s2" in result.stderr
    result = CliRunner().invoke(main, ["tune", "rov.yaml", "--bandwidth", "0.5"])
    assert result.exit_code == 0, result.output
    assert "warning: bluerov2_heavy: water.gravity: gravity is 9.6 m/s2" in result.stderr


PULSED = """name: ball
title: Ball with a thruster
source: worked example
water: {density: 1000 kg/m3, gravity: 9.81 m/s2}
body: {mass: 14.2 kg, volume: 14.3 litre, inertia: {moments: [0.1, 0.1, 0.1]},
       center_of_gravity: [0, 0, 1 cm], center_of_buoyancy: [0, 0, 0]}
added_mass: {diagonal: [7, 7, 7, 0, 0, 0]}
damping: {linear: {diagonal: [9, 9, 9, 0.1, 0.1, 0.1]}}
thrusters:
  - {name: t200, position: [0, 0, 0], direction: [1, 0, 0], law: force, limits: %s, drive: {%s}}
"""


@pytest.mark.parametrize(
    ("limits", "drive", "share"),
    [
        ("[-10 N, 10 N]", "neutral: 1500 us, pulse: {linear: 0.025 N/us}, dead_band: 500 us", 1.25),
        ("[-10 N, 40 N]", "neutral: 1500 us, pulse: {linear: 0.025 N/us}, dead_band: 500 us", 1.25),
        ("[0 N, 10 N]", "neutral: 1100 us, pulse: {linear: 0.025 N/us}, dead_band_range: [10 us, 300 us]", 0.75),
        ("[-10 N, 10 N]", "commands: direct, neutral: 1500 us, pulse: {linear: 0.025 N/us}, dead_band: 500 us", 1.25),
        ("[-10 N, 10 N]", "dead_band: 8 N", 0.8),
    ],
)
def test_a_dead_band_that_leaves_little_of_the_range_of_its_drive_is_warned_of(limits, drive, share):
    words = said(vehicle_from_text(PULSED % (limits, drive)))
    assert f"t200: the dead band of the drive is {share:g} times the way from neutral to the limit" in words
    narrow = re.sub(r"\b500 us|\b300 us|8 N", "1 us" if " us" in drive else "1 N", drive).replace("[10 us", "[0 us")
    assert "the dead band" not in said(vehicle_from_text(PULSED % (limits, narrow)))


@pytest.mark.parametrize("neutral", ["150 us", "15 ms"])
def test_a_neutral_pulse_width_of_another_magnitude_is_warned_of(neutral):
    words = said(vehicle_from_text(PULSED % ("[-1 N, 1 N]", f"neutral: {neutral}, pulse: {{linear: 0.025 N/us}}")))
    assert "t200: the neutral pulse width is" in words
