"""Ten missions of new users: each flies as asked, or is noticed (exit code 3), or is refused with its line."""

from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from click.testing import CliRunner

from remora.cli import main
from remora.logs import Log, read_log

pytestmark = pytest.mark.usefixtures("blank_pictures")

SENSORS = """
    sensors:
      - {name: ahrs, kind: ahrs, position: [0, 0, 0], rate: 20 Hz, parameters: {heading_std: 0.5 deg}}
      - {name: gyro, kind: gyro, position: [0, 0, 0], rate: 20 Hz, parameters: {std: 0.1 deg/s}}
      - {name: dvl, kind: dvl, position: [0, 0, 0.1 m], rate: 5 Hz, parameters: {std: 1 cm/s}}
      - {name: depth, kind: pressure, position: [0, 0, 0], rate: 10 Hz, parameters: {std: 20 Pa}}
    navigation: {part: instruments, rate: 25 Hz, attitude: ahrs, rates: gyro, velocity: dvl, depth: depth}"""
FLIES = """
    control: {part: position, rate: 10 Hz}
    allocation: {part: bounded, rate: 10 Hz}"""
GOES = (
    """
    guidance: {part: waypoints, rate: 10 Hz, speed: 0.3 m/s, points: [{position: [4 m, 2 m, 3 m]}]}"""
    + FLIES
)
HOLDS = (
    """
    guidance: {part: hold, rate: 10 Hz, position: [0, 0, 3 m], heading: 0}"""
    + FLIES
)


class Mission(NamedTuple):
    """What a run left: exit code, what was printed, and the log if there is one."""

    code: int
    out: str
    err: str
    log: Log | None

    def end(self, vehicle: str = "rov") -> np.ndarray:
        return self.log[f"{vehicle}/truth"].table("p_NB_x", "p_NB_y", "p_NB_z")[-1]


def fly(tmp_path: Path, text: str) -> Mission:
    file = tmp_path / "mission.yaml"
    file.write_text(text.lstrip("\n"))
    result = CliRunner().invoke(main, ["run", str(file), "--out", str(tmp_path / "run.mcap")])
    log = read_log(tmp_path / "run.mcap") if (tmp_path / "run.mcap").exists() else None
    return Mission(result.exit_code, result.stdout, result.stderr, log)


def scenario(vehicle: str, duration: str = "50 s", top: str = "", file: str = "bluerov2_heavy") -> str:
    start = "" if "position:" in vehicle.split("\n")[0] else "\n    position: [0, 0, 3 m]"
    return f"name: mission\nduration: {duration}\nstep: 20 ms\nlog: {{rate: 5 Hz}}\n{top}\nvehicles:\n" + (
        f"  - name: rov\n    file: {file}{start}{vehicle}\n"
    )


def test_an_own_vehicle_goes_where_it_is_sent(tmp_path: Path) -> None:
    preset = Path(__file__).parents[2] / "src/remora/vehicles/presets/bluerov2_heavy.yaml"
    own = preset.read_text().replace("name: bluerov2_heavy", "name: mine", 1)
    (tmp_path / "mine.yaml").write_text(own)
    flown = fly(tmp_path, scenario("\n    navigation: truth" + GOES, file="mine.yaml"))
    assert flown.code == 0, flown.err
    assert np.linalg.norm(flown.end() - (4.0, 2.0, 3.0)) < 0.3


def test_a_dvl_without_a_position_reckons_its_way(tmp_path: Path) -> None:
    flown = fly(tmp_path, scenario(SENSORS + GOES, top="water: {bottom_depth: 12 m}"))
    assert flown.code == 0, flown.err
    assert np.linalg.norm(flown.end() - (4.0, 2.0, 3.0)) < 0.5


def test_a_current_is_held_against(tmp_path: Path) -> None:
    flown = fly(tmp_path, scenario("\n    navigation: truth" + HOLDS, "80 s", "water: {current: [0.2, -0.1, 0]}"))
    assert flown.code == 0, flown.err
    assert np.linalg.norm(flown.end() - (0.0, 0.0, 3.0)) < 0.2
    strong = fly(tmp_path, scenario("\n    navigation: truth" + HOLDS, "60 s", "water: {current: [3 m/s, 0, 0]}"))
    assert strong.code == 3
    assert strong.end()[0] > 10.0
    assert "from its reference" in strong.err


def test_waypoints_that_are_too_fast_are_noticed(tmp_path: Path) -> None:
    fast = GOES.replace("0.3 m/s", "4 m/s, acceleration: 2 m/s2").replace("[4 m, 2 m, 3 m]", "[150 m, 0, 3 m]")
    flown = fly(tmp_path, scenario("\n    navigation: truth" + fast, "40 s"))
    assert flown.code == 3
    assert "0 of 1 waypoint reached when the run ended" in flown.err
    assert "is at its limit" in flown.err
    assert 10.0 < flown.end()[0] < 140.0


def test_a_depth_with_the_wrong_sign_is_noticed(tmp_path: Path) -> None:
    wrong = GOES.replace("[4 m, 2 m, 3 m]", "[4 m, 2 m, -3 m]")
    flown = fly(tmp_path, scenario("\n    navigation: truth" + wrong))
    assert flown.code == 3
    assert "above the surface" in flown.err
    assert flown.end()[2] < -1.0
    deep = GOES.replace("[4 m, 2 m, 3 m]", "[4 m, 2 m, 9 m]")
    flown = fly(tmp_path, scenario("\n    navigation: truth" + deep, "60 s", "water: {bottom_depth: 6 m}"))
    assert flown.code == 2
    assert "mission.yaml:11: vehicles[0].guidance.points[0].position" in flown.err
    assert "asks for a depth of 9 m, below the bed at 6 m" in flown.err
    push = "\n    disturbances: [{kind: constant, force: [0, 0, 40 N], frame: world}]"
    flown = fly(tmp_path, scenario(push, "20 s", "water: {bottom_depth: 6 m}"))
    assert flown.code == 3
    assert "below the bed" in flown.err
    assert flown.end()[2] > 6.0


def test_a_dead_thruster_is_made_up_for_or_noticed(tmp_path: Path) -> None:
    dead = "\n    faults: [{at: 5 s, fault: dead, of: front_port}]"
    eight = fly(tmp_path, scenario("\n    navigation: truth" + GOES + dead))
    assert eight.code == 0, eight.err  # a fault that the scenario asks for is as asked
    assert np.linalg.norm(eight.end() - (4.0, 2.0, 3.0)) < 0.3
    five = fly(tmp_path, scenario("\n    navigation: truth" + GOES + dead, file="falcon"))
    assert five.code == 0, five.err  # three horizontal thrusters are enough for surge, sway and yaw
    assert np.linalg.norm(five.end() - (4.0, 2.0, 3.0)) < 0.3
    both = dead.replace("]", ", {at: 5 s, fault: dead, of: front_starboard}]")
    two = fly(tmp_path, scenario("\n    navigation: truth" + GOES + both, file="falcon"))
    assert two.code == 3
    assert np.linalg.norm(two.end() - (4.0, 2.0, 3.0)) > 0.5
    assert "0 of 1 waypoint reached when the run ended" in two.err


def test_no_bottom_for_the_doppler_log_is_refused_and_one_out_of_range_is_noticed(tmp_path: Path) -> None:
    flown = fly(tmp_path, scenario(SENSORS + GOES))
    assert flown.code == 2
    assert "mission.yaml:" in flown.err
    assert "bottom" in flown.err
    short = SENSORS.replace("{std: 1 cm/s}", "{std: 1 cm/s, bottom_track_max_range: 50 m}")
    deep = fly(tmp_path, scenario(short + GOES, top="water: {bottom_depth: 900 m}"))
    assert deep.code == 3
    assert "velocity" in deep.err
    assert np.linalg.norm(deep.end()[:2]) < 1.0


def test_a_start_at_the_surface_dives(tmp_path: Path) -> None:
    start = "\n    position: [0, 0, 0]\n    navigation: truth"
    flown = fly(
        tmp_path, scenario(start + GOES, top="water: {surface_depth: 0}").replace("    position: [0, 0, 3 m]\n", "")
    )
    assert flown.code == 0, flown.err
    assert np.linalg.norm(flown.end() - (4.0, 2.0, 3.0)) < 0.3


def test_two_vehicles_each_on_its_way(tmp_path: Path) -> None:
    second = (
        "\n  - name: other\n    file: bluerov2_heavy\n    position: [0, 4 m, 3 m]\n    navigation: truth"
        + GOES.replace("[4 m, 2 m, 3 m]", "[-3 m, 6 m, 4 m]")
    )
    flown = fly(tmp_path, scenario("\n    navigation: truth" + GOES + second))
    assert flown.code == 0, flown.err
    assert np.linalg.norm(flown.end() - (4.0, 2.0, 3.0)) < 0.3
    assert np.linalg.norm(flown.end("other") - (-3.0, 6.0, 4.0)) < 0.3
    one = "\n    angles: [180 deg, 0, 0]\n    locked: [roll]"
    flown = fly(tmp_path, scenario("\n    navigation: truth" + GOES + second + one, "5 s"))
    assert flown.code == 3
    assert "other, 1 s: upside down" in flown.err


def test_a_tether_that_is_too_short_is_noticed_and_one_that_cannot_be_is_refused(tmp_path: Path) -> None:
    line = "\n    tethers: [{name: line, model: %s, far_end: [0, 0, 0], length: %s, diameter: 8 mm, stiffness: 1e4 N}]"
    far = GOES.replace("[4 m, 2 m, 3 m]", "[20 m, 0, 3 m]")
    flown = fly(tmp_path, scenario("\n    navigation: truth" + far + line % ("slack_spring", "8 m"), "100 s"))
    assert flown.code == 3, flown.err + flown.out
    assert np.linalg.norm(flown.end()) < 9.0
    refused = fly(tmp_path, scenario("\n    navigation: truth" + far + line % ("lumped", "2 m")))
    assert refused.code == 2
    assert "mission.yaml:" in refused.err


@pytest.mark.parametrize("quiet", [True, False])
def test_a_run_not_as_asked_is_told_in_log_summary_and_exit_text(tmp_path: Path, quiet: bool) -> None:
    back = "\n    angles: [180 deg, 0, 0]\n    locked: [roll, pitch]" + ("\n    watch: off" if quiet else "")
    flown = fly(tmp_path, scenario(back, "3 s"))
    assert flown.code == (0 if quiet else 3)
    said = [event for event in flown.log.events if event.source == "rov/watch"]
    assert bool(said) is not quiet
    assert ("not as asked" in flown.out) is not quiet
    assert ("did not go as asked" in flown.err) is not quiet
