"""Careless missions of new users: each flies as asked, or is noticed (exit code 3), or is refused with its line."""

from pathlib import Path

import numpy as np
import pytest
from test_ten_missions import FLIES, GOES, SENSORS, fly, scenario

pytestmark = pytest.mark.usefixtures("blank_pictures")

OWN = """
name: mine
title: Frame with five thrusters
source: drawing board
use: own missions
water: {density: 1000 kg/m3, gravity: 9.81 m/s2}
body:
  mass: {value: 22 kg, source: weighed}
  volume: 22.1 litre
  inertia: {moments: [0.5, 0.6, 0.7]}
  center_of_gravity: [0, 0, 3 cm]
  center_of_buoyancy: [0, 0, 0]
added_mass: {diagonal: [10, 14, 16, 0.2, 0.3, 0.3]}
damping:
  linear: {diagonal: [5, 8, 10, 0.3, 0.3, 0.3]}
  quadratic: {diagonal: [40, 60, 70, 0.5, 0.5, 0.5]}
thruster_defaults: {law: force, limits: [-40 N, 50 N], time_constant: 0.1 s}
thrusters:
  - {name: port, position: [-0.2, -0.2, 0], direction: [1, 0, 0]}
  - {name: starboard, position: [-0.2, 0.2, 0], direction: [1, 0, 0]}
  - {name: side, position: [0, 0, 0], direction: [0, 1, 0]}
  - {name: bow, position: [0.2, 0, 0], direction: [0, 0, 1]}
  - {name: stern, position: [-0.2, 0, 0], direction: [0, 0, 1]}
"""
TRUE = "\n    navigation: truth"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "mine.yaml").write_text(OWN.lstrip("\n"))
    return tmp_path


def mission(vehicle: str, duration: str = "40 s", top: str = "") -> str:
    return scenario(vehicle, duration, top, "mine.yaml")


def test_a_vehicle_of_five_thrusters_flies_and_degrees_without_a_unit_are_refused(folder: Path) -> None:
    flown = fly(folder, mission(TRUE + GOES))
    assert flown.code == 0, flown.err
    assert np.linalg.norm(flown.end() - (4.0, 2.0, 3.0)) < 0.1
    refused = fly(folder, mission(TRUE + GOES.replace("3 m]}]", "3 m], heading: 90}]")))
    assert refused.code == 2
    assert "mission.yaml:11: vehicles[0].guidance.points[0].heading = 90" in refused.err
    assert "Write 90 deg" in refused.err


def test_a_dive_to_a_negative_depth_is_noticed(folder: Path) -> None:
    dive = "\n    guidance: {part: dive_and_turn, rate: 10 Hz, depth: -5 m, heading: 45 deg}"
    flown = fly(folder, mission(TRUE + dive + "\n    control: {part: autopilot, rate: 10 Hz}", "20 s"))
    assert flown.code == 3
    assert (
        "mission.yaml:11: vehicles[0].guidance.depth = -5 m: asks for a depth of -5 m, above the surface" in flown.err
    )


@pytest.mark.parametrize(("contact", "words"), [("", "0.23 m into other and passes"), ("contact: {}", "inside other:")])
def test_two_vehicles_at_one_place_are_noticed(contact: str, words: str, folder: Path) -> None:
    second = "\n  - name: other\n    file: mine.yaml\n    position: [0, 0, 3 m]" + TRUE
    second += GOES.replace("[4 m, 2 m, 3 m]", "[-4 m, 2 m, 3 m]")
    flown = fly(folder, mission(TRUE + GOES + second, top=contact))
    assert flown.code == 3
    assert "rov, 0 s: " in flown.err
    assert words in flown.err
    assert np.linalg.norm(flown.end() - (4.0, 2.0, 3.0)) < 0.1
    assert np.linalg.norm(flown.end("other") - (-4.0, 2.0, 3.0)) < 0.1


def test_a_start_inside_an_obstacle_is_noticed(folder: Path) -> None:
    crate = "contact: {}\nobstacles: [{kind: box, name: crate, center: [0, 0, 3 m], size: [1.5 m, 1.5 m, 1.2 m]}]"
    flown = fly(folder, mission(TRUE + GOES, "5 s", crate))
    assert flown.code == 3
    assert "rov, 0 s: starts 0.72 m inside crate" in flown.err


def test_sensors_ten_metres_off_have_a_note_and_payloads_of_no_mass_are_refused(folder: Path) -> None:
    far = SENSORS.replace("[0, 0, 0.1 m]", "[10, 0, 0.1 m]")
    flown = fly(folder, mission(far + GOES, "2 s", "water: {bottom_depth: 30 m}"))
    assert "mission.yaml:13: vehicles[0].sensors[2].position = [10, 0, 0.1 m]: the distance from B is" in flown.err
    hold = "\n    guidance: {part: hold, rate: 10 Hz}" + FLIES
    for mass, words in (("0 kg", "must be above zero"), ("30 kg", "the whole vehicle has 22 kg only")):
        dropped = f"\n    faults: [{{at: 1 s, fault: payload_dropped, mass: {mass}, place: [0, 0, 0]}}]"
        refused = fly(folder, mission(TRUE + hold + dropped, "2 s"))
        assert refused.code == 2
        assert "mission.yaml:14: vehicles[0].faults[0]" in refused.err
        assert words in refused.err


def test_a_start_below_the_bed_and_a_current_in_other_units_are_noticed(folder: Path) -> None:
    below = fly(
        folder,
        mission("\n    position: [0, 0, 12 m]", "3 s", "water: {bottom_depth: 10 m}").replace(
            "    position: [0, 0, 3 m]\n", ""
        ),
    )
    assert below.code == 2
    assert "the vehicle starts at a depth of 12 m, below the bed at 10 m" in below.err
    swept = fly(folder, mission(TRUE + GOES, "20 s", "water: {current: [0, 20, 0]}"))
    assert swept.code == 3
    assert "is at its limit" in swept.err
