"""Empty batteries, vehicles that lean, taut tethers, lost DVLs, too little thrust: each is reported with its cause."""

from pathlib import Path

import numpy as np
import pytest

from remora.equations.algebra.quaternions import from_euler_zyx
from remora.logs import compare, read_log
from remora.messages.reference import Reference, VelocityReference, WallReference
from remora.report.simulations.summary import run_summary
from remora.run.checkpoint import load_checkpoint, resumed_loop, save_checkpoint
from remora.run.loop.loop import Loop, RunOutcome, run, run_loop
from remora.run.monitoring.deviations import bounds_of, deviations
from remora.run.monitoring.limits import Watch
from remora.run.recorder import Recorder
from remora.scenarios.reader import scenario_from_text
from remora.vehicles import load_vehicle
from remora.vehicles.library import preset_path

HOLD = """navigation: truth
    guidance: {part: hold, rate: 10 Hz, position: [0, 0, 5 m], heading: 0}
    control: {part: position, rate: 10 Hz}
    allocation: {part: bounded, rate: 10 Hz}"""
SCENARIO = """
name: hover
duration: {duration}
step: 20 ms
log: {{rate: 5 Hz}}
{top}
vehicles:
  - name: rov
    file: {file}
    position: [0, 0, 5 m]
    {more}
"""
BATTERY = (
    "battery: {full_voltage: 16.8 V, empty_voltage: 12.8 V, capacity: 0.1 Wh, hotel_load: 30 W, resistance: 1 mohm}"
)


def changed_vehicle(folder: Path, *changes: tuple[str, str]) -> str:
    """A BlueROV2 Heavy with other lines in its file."""
    text = preset_path("bluerov2_heavy").read_text()
    for old, new in changes:
        assert text.count(old) == 1
        text = text.replace(old, new)
    (folder / "own.yaml").write_text(text)
    return "own.yaml"


def setup(folder: Path, more: str = HOLD, duration: str = "20 s", top: str = "", file: str = "bluerov2_heavy"):
    return scenario_from_text(SCENARIO.format(duration=duration, top=top, more=more, file=file), folder=folder)


def found(outcome: RunOutcome) -> dict[str, str]:
    return {one.watch: one.text for one in outcome.warnings}


@pytest.fixture
def with_battery(tmp_path: Path) -> str:
    """12 s of hotel load, and nothing else that draws."""
    return changed_vehicle(tmp_path, ("thruster_defaults:", f"{BATTERY}\nthruster_defaults:"))


def test_an_empty_battery_stops_the_thrusters_and_is_reported(tmp_path: Path, with_battery: str) -> None:
    file = tmp_path / "run.mcap"
    warnings = found(run(setup(tmp_path, duration="40 s", file=with_battery), file))
    assert warnings["battery"] == "its battery is empty: the thrusters stop"
    assert dict(run_summary(file))["battery"].startswith("empty from 12 s on")
    log = read_log(file)
    outputs, charge = log["rov/outputs"], log["rov/power"]["charge"]
    assert charge[-1] == 0.0
    before, after = outputs.time < 12.0, outputs.time > 16.0
    assert np.abs(outputs.table()[before]).max() > 0.2
    assert np.abs(outputs.table()[after]).max() < 1e-9
    assert log["rov/truth"]["p_NB_z"][-1] > 5.2  # heavy by 1 N: it sinks
    said = [event for event in log.events if event.level == "warning" and event.source == "rov/watch"]
    assert said[0].data["watch"] == "battery"  # then it sinks away from its position


def test_a_reserve_of_the_battery_can_be_watched(tmp_path: Path, with_battery: str) -> None:
    more = f"{HOLD}\n    watch: {{battery: 50 %}}"
    outcome = run(setup(tmp_path, more, "10 s", file=with_battery))
    assert found(outcome) == {"battery": "50 % of its battery left"}
    assert not run(setup(tmp_path, duration="10 s", file=with_battery)).warnings


def test_an_empty_battery_stays_empty_after_a_resume(tmp_path: Path, with_battery: str) -> None:
    made = setup(tmp_path, duration="30 s", file=with_battery)
    run(made, tmp_path / "whole.mcap")
    loop = Loop(made, Recorder.open(made, tmp_path / "part.mcap"))
    loop.advance(900)
    save_checkpoint(tmp_path / "stored", loop)
    loop.recorder.close()
    again = resumed_loop(
        made, load_checkpoint(tmp_path / "stored", made), tmp_path / "part.mcap", tmp_path / "rest.mcap"
    )
    outcome = run_loop(again)
    again.recorder.close()
    assert found(outcome)["battery"]
    assert compare(tmp_path / "whole.mcap", tmp_path / "rest.mcap").difference is None


def test_a_vehicle_that_leans_is_reported_where_it_is_asked_to_be_level(tmp_path: Path) -> None:
    """A nose that is heavy by more than the levelling gives: pitched, but never near 100 deg."""
    heavy_nose = ("center_of_gravity: [0, 0, 0]", "center_of_gravity: [3 cm, 0, 2 cm]")
    file = changed_vehicle(tmp_path, heavy_nose)
    no_levels = HOLD.replace("part: position, rate: 10 Hz", "part: position, rate: 10 Hz, levels: false")
    outcome = run(setup(tmp_path, no_levels, "40 s", file=file))
    assert found(outcome)["tilt"].startswith("tilted, its z axis 4")
    assert not run(setup(tmp_path, "", "40 s", file=file)).warnings  # nobody asks it to be level


def test_fins_pitch_by_intent() -> None:
    from remora.guidance.signals import PoseReference
    from remora.run.monitoring.deviations import implies_level

    pose = PoseReference((0.0, 0.0, 5.0), 0.0, (0.0, 0.0, 0.0), 0.0)
    assert implies_level(pose, is_controlled=True, has_fins=False)
    assert implies_level(Reference(5.0, 0.0, 1.0), is_controlled=True, has_fins=False)
    assert not implies_level(Reference(5.0, 0.0, 1.0), is_controlled=True, has_fins=True)
    assert implies_level(None, is_controlled=True, has_fins=False)  # a controller with a goal of its own
    assert not implies_level(None, is_controlled=False, has_fins=False)


TETHER = """tethers:
      - {name: umbilical, model: slack_spring, far_end: [-6 m, 0, 5 m], length: %s, diameter: 8 mm, stiffness: 5 kN}"""


def test_a_taut_tether_that_holds_its_vehicle_back_is_reported(tmp_path: Path) -> None:
    far = HOLD.replace("[0, 0, 5 m]", "[4 m, 0, 5 m]")
    outcome = run(setup(tmp_path, f"{far}\n    {TETHER % '7 m'}", "30 s"))
    assert found(outcome)["tether"].startswith("umbilical is taut at its length of 7 m and pulls with ")
    assert not run(setup(tmp_path, f"{far}\n    {TETHER % '12 m'}", "30 s")).warnings
    assert not run(setup(tmp_path, TETHER % "6 m", "10 s")).warnings  # what hangs on a line is meant to


def test_the_summary_gives_the_distance_from_the_reference(tmp_path: Path) -> None:
    run(
        setup(tmp_path, HOLD.replace("[0, 0, 5 m]", "[0, 0, 6 m]").replace("heading: 0", "heading: 90 deg")),
        tmp_path / "r.mcap",
    )
    line = dict(run_summary(tmp_path / "r.mcap"))["tracking"]
    log = read_log(tmp_path / "r.mcap")
    away = np.linalg.norm(log["rov/truth"].table("p_NB_x", "p_NB_y", "p_NB_z") - [0.0, 0.0, 6.0], axis=1)
    assert line.startswith(f"{np.sqrt((away[:-1] ** 2).mean()):.2f} m RMS, 1.00 m at most, ")
    assert "; heading " in line
    assert "90.0 deg at most" in line


def test_equal_waypoints_are_counted_one_by_one(tmp_path: Path) -> None:
    same = "{position: [0, 0, 5 m]}, {position: [1 m, 0, 5 m]}, {position: [1 m, 0, 5 m]}, {position: [1 m, 0, 5 m]}"
    guided = HOLD.replace(
        "{part: hold, rate: 10 Hz, position: [0, 0, 5 m], heading: 0}",
        f"{{part: waypoints, rate: 10 Hz, speed: 0.3 m/s, points: [{same}]}}",
    )
    outcome = run(setup(tmp_path, guided, "30 s"), tmp_path / "run.mcap")
    assert not outcome.warnings
    assert "4 of 4 reached" in dict(run_summary(tmp_path / "run.mcap"))["waypoints"]
    numbers = [event.data["waypoint"] for event in read_log(tmp_path / "run.mcap").events if "waypoint" in event.data]
    assert numbers == [0, 1, 2, 3, 4]


SENSORS = """sensors: [ahrs, gyro, depth, {from: dvl, parameters: {%s}}]
    navigation: {part: instruments, attitude: ahrs, rates: gyro, velocity: dvl, depth: depth}
    guidance: {part: hold, rate: 10 Hz, position: [0, 0, 5 m], heading: 0}
    control: {part: position, rate: 10 Hz}
    allocation: {part: bounded, rate: 10 Hz}"""


@pytest.mark.parametrize(
    ("parameters", "more", "cause"),
    [
        ("altitude_range: [0.05 m, 10 m]", "", "out of range: the bottom is more than 10 m away"),
        ("altitude_range: [40 m, 50 m]", "", "out of range: the bottom is less than 40 m away"),
        ("max_tilt: 25 deg", "angles: [40 deg, 0, 0]\n    locked: [roll]", "it is tilted by more than 25 deg"),
        ("max_tilt: 90 deg", "angles: [70 deg, 0, 0]\n    locked: [roll]", "fewer than 3 beams meet the bottom"),
        ("altitude_range: [0, 50 m]", "angles: [180 deg, 0, 0]\n    locked: [roll]", "it is upside down"),
    ],
)
def test_the_cause_of_a_lost_dvl_is_given(tmp_path: Path, parameters: str, more: str, cause: str) -> None:
    made = setup(tmp_path, f"{SENSORS % parameters}\n    {more}", "5 s", "water: {bottom_depth: 30 m}")
    outcome = run(made, tmp_path / "run.mcap")
    assert f"(dvl: {cause})" in found(outcome)["waiting"]
    line = next(text for word, text in run_summary(tmp_path / "run.mcap") if word == "sensor" and "dvl" in text)
    assert line.endswith(f"no lock ({cause})")
    said = [event for event in read_log(tmp_path / "run.mcap").events if event.data.get("sensor") == "dvl"]
    assert [event.text for event in said] == [f"no lock: {cause}"]


def test_more_weight_than_thrust_is_known_when_the_scenario_is_read(tmp_path: Path) -> None:
    file = changed_vehicle(tmp_path, ("mass: 13.5 kg", "mass: 40 kg"))
    made = setup(tmp_path, duration="5 s", file=file)
    (warning,) = made.vehicles[0].load_warnings
    assert "a net weight of 261 N is more than the thrust of 206 N upwards" in warning.text
    assert found(run(made))["tracking"] == warning.text
    light = changed_vehicle(tmp_path, ("mass: 13.5 kg", "mass: 13.3 kg"))
    assert not setup(tmp_path, file=light).vehicles[0].load_warnings


def test_a_place_is_not_held_without_vertical_thrust(tmp_path: Path) -> None:
    made = setup(tmp_path, duration="5 s", file="remus100")
    assert "asks for a depth, but no thruster pushes" in made.vehicles[0].load_warnings[0].text


AUTOPILOT = """navigation: truth
    guidance: {part: dive_and_turn, rate: 10 Hz, depth: 5 m, heading: 90 deg, speed: 0.3 m/s, %s, stop_at: 90 s}
    control: {part: autopilot, rate: 50 Hz}"""
STILL, EASTWARD = "ahead_at: 60 s, turn_at: 70 s", "ahead_at: 3 s, turn_at: 4 s"


@pytest.mark.parametrize(("times", "current"), [(STILL, "[0, %s m/s, 0]"), (EASTWARD, "[%s m/s, 0, 0]")])
def test_an_autopilot_that_drifts_with_a_cross_current_is_reported(tmp_path: Path, times: str, current: str) -> None:
    """A reference of depth, heading and speed holds no position: in 0.9 m/s it drifted without a warning."""
    swift = run(setup(tmp_path, AUTOPILOT % times, "40 s", f"water: {{current: {current % 0.9}}}"))
    assert "drifts over ground" in found(swift)["drift"]
    slow = run(setup(tmp_path, AUTOPILOT % times, "40 s", f"water: {{current: {current % 0.2}}}"))
    assert "drift" not in found(slow)


@pytest.mark.parametrize(("turned", "is_reported"), [(15.0, False), (40.0, True), (-40.0, True)])
def test_a_steady_heading_error_below_45_degrees_is_reported(turned: float, is_reported: bool) -> None:
    """A reversed thruster kept a vehicle 40 degrees off its heading, below the bound of that time."""
    q_NB = from_euler_zyx(0.0, 0.0, np.radians(turned))
    body = (0.0, 0.0, 5.0, *q_NB, *(0.0,) * 6)
    bounds = bounds_of(Watch(), load_vehicle("bluerov2_heavy").parameters)
    names = [one.watch for one in deviations(Reference(5.0, 0.0, 0.0), body, bounds)]
    assert names == (["heading"] if is_reported else [])


def test_a_vehicle_that_stays_away_from_the_target_of_its_velocity_reference_is_reported() -> None:
    bounds = bounds_of(Watch(), load_vehicle("bluerov2_heavy").parameters)
    body = (0.0, 0.0, 5.0, 1.0, 0.0, 0.0, 0.0, *(0.0,) * 6)
    away = VelocityReference((0.5, 0.0, 0.0, 0.0), (3.0, 0.0, 5.0), 1.0, 0)
    assert [one.watch for one in deviations(away, body, bounds)] == ["tracking", "heading"]
    assert deviations(away._replace(p_NR=(0.1, 0.0, 5.0), heading=0.1), body, bounds) == []


def test_along_a_wall_depth_heading_and_speed_are_watched_and_no_position() -> None:
    bounds = bounds_of(Watch(), load_vehicle("bluerov2_heavy").parameters)
    body = [1e3, 1e3, 5.0, 1.0, 0.0, 0.0, 0.0, 0.3, *(0.0,) * 5]
    wall = WallReference((0.35, 0.0, 0.0, 0.0), 5.0, 0.0, 2.0, 2.1, True)
    assert deviations(wall, body, bounds) == []
    found = {one.watch: one.text() for one in deviations(wall._replace(depth=7.5, heading=1.0), body, bounds)}
    assert found == {"tracking": "2.5 m from its reference depth", "heading": "57 deg from its reference heading"}
    body[7] = 0.1
    assert [one.text() for one in deviations(wall, body, bounds)] == ["0.1 m/s ahead where 0.35 m/s is asked"]


PUSHED = """navigation: truth
    guidance: {part: lyapunov, rate: 10 Hz, mission: [{do: transit, position: [4 m, 0, 5 m]}]}
    control: {part: pid, rate: 10 Hz}
    allocation: {part: bounded, rate: 10 Hz, axes: [surge, sway, heave, yaw]}
    disturbances: [{kind: constant, force: [-300 N, 0, 0], frame: world}]"""


def test_a_mission_of_velocity_guidance_that_is_carried_off_is_reported(tmp_path: Path) -> None:
    assert {"tracking", "unfinished"} <= set(found(run(setup(tmp_path, PUSHED, "40 s"))))


@pytest.mark.parametrize(("speed", "is_warned"), [("0.8 m/s", False), ("3 m/s", True)])
def test_a_current_beyond_the_thrust_is_reported_before_the_run(speed, is_warned):
    top = f"water: {{current: [0, {speed}, 0]}}"
    text = SCENARIO.format(duration="60 s", top=top, file="bluerov2_heavy", more=HOLD)
    found = [one.text for one in scenario_from_text(text).vehicles[0].load_warnings]
    assert [("in a current of 3 m/s, but full thrust gives at most" in one) for one in found] == [True] * is_warned
