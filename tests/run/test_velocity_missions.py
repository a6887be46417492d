"""Missions with velocity guidance and its controllers in the loop, and what is refused before a run."""

import math

import numpy as np
import pytest

from remora.equations.algebra.quaternions import to_euler_zyx
from remora.run.loop.loop import Loop
from remora.scenarios import scenario_from_text
from remora.scenarios.load_context import ScenarioError
from remora.vehicles.library import preset_path

TEXT = """\
name: mission
duration: 60 s
seed: 3
water: {current: [0.1 m/s, -0.1 m/s, 0]}
vehicles:
  - name: rov
    file: falcon
    position: [0, 0, 5 m]
    navigation: {part: truth, rate: 20 Hz}
    guidance:
      part: lyapunov
      rate: 20 Hz
      mission: [{do: go_to, position: [3, 1, 6], heading: 30 deg}]
    control: {part: adaptive, rate: 20 Hz}
    allocation: {part: bounded, rate: 20 Hz, axes: [surge, sway, heave, yaw], smoothing: 8}
"""


def flown(text, seconds=60.0):
    loop = Loop(scenario_from_text(text))
    loop.advance(round(100 * seconds))
    return loop.vehicles[0]


@pytest.mark.parametrize("control", ["pid", "adaptive", "sliding_mode"])
@pytest.mark.parametrize("file", ["falcon", "bluerov2_heavy", "flatfish_basin_adaptive"])
def test_every_controller_brings_every_vehicle_to_its_waypoint_in_a_current(control, file):
    text = TEXT.replace("adaptive, rate", f"{control}, rate").replace("file: falcon", f"file: {file}")
    state = flown(text.replace(", axes: [surge, sway, heave, yaw], smoothing: 8", "")).state
    assert state[:3] == pytest.approx((3.0, 1.0, 6.0), abs=0.15)
    assert to_euler_zyx(tuple(state[3:7]))[2] == pytest.approx(math.radians(30.0), abs=0.03)
    assert np.abs(state[7:10]).max() < 0.02


def test_the_flatfish_chain_rests_at_the_offset_that_a_current_makes():
    """P over P: without a current it arrives, with one a steady offset remains."""
    text = TEXT.replace("file: falcon", "file: flatfish_basin_adaptive")
    text = text.replace("control: {part: adaptive, rate: 20 Hz}", "control: {part: cascade_p, rate: 10 Hz}")
    guidance = text[text.index("    guidance:") : text.index("    control:")]
    text = text.replace(guidance, "    guidance: {part: hold, rate: 10 Hz, position: [1, 0, 5], heading: 0}\n")
    offset = flown(text).state[:3] - (1.0, 0.0, 5.0)
    still = flown(text.replace("[0.1 m/s, -0.1 m/s, 0]", "[0, 0, 0]")).state[:3] - (1.0, 0.0, 5.0)
    assert np.abs(still).max() < 0.005
    assert 0.03 < math.hypot(offset[0], offset[1]) < 1.0


def test_a_whole_mission_is_flown_around_a_keep_out_zone_and_docks():
    mission = """\
      mission:
        - {do: lift_off, height: 1 m}
        - {do: rotate, heading: 45 deg}
        - {do: transit, position: [3, 3, 4]}
        - {do: survey, position: [3, 3, 4], heading: 90 deg, length: 2 m, spacing: 1 m, lines: 2}
        - {do: set_down, depth: 5 m}
        - {do: return}
        - {do: dock, position: [0, 0, 5], heading: 0}
        - {do: recharge, dwell: 5 s}
      keep_out: [{position: [1.5, 1.5, 0], radius: 0.5 m, column: true}]
"""
    line = "      mission: [{do: go_to, position: [3, 1, 6], heading: 30 deg}]\n"
    loop = Loop(scenario_from_text(TEXT.replace(line, mission).replace("60 s", "200 s")))
    run, nearest = loop.vehicles[0], math.inf
    for k in range(10, 20_001, 10):
        loop.advance(k)
        nearest = min(nearest, math.hypot(run.state[0] - 1.5, run.state[1] - 1.5))
    assert nearest > 0.45
    assert math.dist(run.state[:3], (0.0, 0.0, 5.0)) < 0.1
    assert abs(to_euler_zyx(tuple(run.state[3:7]))[2]) < math.radians(5.0)
    assert np.linalg.norm(run.state[7:10]) < 0.05


BATTERY = """\
battery: {full_voltage: 29 V, empty_voltage: 24 V, resistance: 0 ohm, capacity: 20 Wh, hotel_load: 500 W}
"""


def test_the_battery_refills_while_the_vehicle_recharges_at_its_station(tmp_path):
    (tmp_path / "own.yaml").write_text(preset_path("falcon").read_text() + BATTERY)
    line = "      mission: [{do: go_to, position: [3, 1, 6], heading: 30 deg}]\n"
    stay = "{do: go_to, position: [0, 0, 5], heading: 0, dwell: 8 s}"
    mission = f"      mission: [{stay}, {{do: recharge, dwell: 3 s, power: 1500 W}}]\n"
    text = TEXT.replace(line, mission)
    with pytest.raises(ScenarioError, match="no battery to charge"):
        scenario_from_text(text)
    loop = Loop(scenario_from_text(text.replace("file: falcon", f"file: {tmp_path / 'own.yaml'}")))
    charge = []
    for k in range(100, 3001, 100):
        loop.advance(k)
        charge.append(loop.vehicles[0].actuators.charge)
    spent = 500.0 / 72_000.0  # of the capacity per second, by the hotel load
    assert np.allclose(np.diff(charge[:7]), -spent, rtol=1e-6)
    assert max(np.diff(charge)) == pytest.approx(1000.0 / 72_000.0, rel=1e-6)
    assert sum(step > 0.0 for step in np.diff(charge)) in (3, 4)


WALL = """\
name: wall
duration: 60 s
obstacles: [{kind: box, name: wall, center: [50 m, 6 m, 5 m], size: [200 m, 2 m, 40 m]}]
vehicles:
  - name: rov
    file: falcon
    position: [0, 0, 5 m]
    sensors:
      - {name: echo, kind: echosounder, position: [0, 0, 0], orientation: {angles: [0, 0, 90 deg]}, rate: 10 Hz}
    navigation: {part: truth, rate: 20 Hz}
    guidance: {part: wall_following, rate: 20 Hz, sensor: echo, distance: 2 m, speed: 0.2 m/s, depth: 6 m}
    control: {part: pid, rate: 20 Hz}
    allocation: {part: bounded, rate: 20 Hz, axes: [surge, sway, heave, yaw]}
"""


def test_a_wall_is_followed_at_its_distance():
    state = flown(WALL).state
    assert state[1] == pytest.approx(3.0, abs=0.15)  # the wall begins at 5 m
    assert state[2] == pytest.approx(6.0, abs=0.15)
    assert state[0] > 8.0


def test_a_vehicle_without_an_echo_stops():
    state = flown(WALL.replace("[50 m, 6 m, 5 m]", "[-500 m, 6 m, 5 m]"), 20.0).state
    assert abs(state[0]) < 0.1


@pytest.mark.parametrize("current", ["[0.2 m/s, 0, 0]", "[0.3 m/s, 0, 0.1 m/s]"])
def test_sliding_mode_on_a_bluerov_does_not_diverge_in_a_current(current):
    """Drag cancelled at the speed over ground was positive feedback: up to 3.5 m off after 30 s."""
    text = TEXT.replace("falcon", "bluerov2_heavy").replace("adaptive, rate", "sliding_mode, rate")
    text = text.replace("[0.1 m/s, -0.1 m/s, 0]", current).replace(
        ", axes: [surge, sway, heave, yaw], smoothing: 8", ""
    )
    loop = Loop(scenario_from_text(text))
    loop.advance(3000)
    for second in range(30, 61, 5):
        loop.advance(100 * second)
        assert math.dist(loop.vehicles[0].state[:3], (3.0, 1.0, 6.0)) < 0.15


def warnings_of(text, seconds):
    run = flown(text.replace("60 s", f"{seconds} s"), seconds)
    return {one.watch: one.text for one in run.monitor.warned}


def test_a_lost_wall_is_a_warning_of_the_run():
    ended = WALL.replace("[50 m, 6 m, 5 m], size: [200 m", "[0, 6 m, 5 m], size: [4 m")
    assert "no echo of the wall from echo" in warnings_of(ended, 40)["lost_target"]
    assert "lost_target" not in warnings_of(WALL, 40)


def test_a_distance_to_the_wall_that_is_not_kept_is_a_warning():
    """A wall that turns away faster than the vehicle may move sideways: it ended with exit code 0."""
    slow = WALL.replace("depth: 6 m", "depth: 6 m, max_speeds: [0.4, 0.01, 0.1, 0.2]")
    away = slow.replace("size: [200 m, 2 m, 40 m]", "size: [200 m, 2 m, 40 m], heading: 8 deg").replace(
        "50 m, 6", "50 m, 11"
    )
    assert "too far from what it follows" in warnings_of(away, 60)["distance"]
    assert "distance" not in warnings_of(away.replace("duration", "watch: {distance: 3 m}\nduration"), 60)
    assert "distance" not in warnings_of(WALL, 60)


def test_a_bed_far_away_is_not_taken_as_the_wall():
    """A rolled vehicle over a flat bed: its echosounder to starboard looks down and sees the bed at 36 m."""
    tilted = WALL[: WALL.index("obstacles:")] + "water: {bottom_depth: 30 m}\n" + WALL[WALL.index("vehicles:") :]
    tilted = tilted.replace("[0, 0, 90 deg]", "[0, -45 deg, 90 deg]")
    assert "within 10 m" in warnings_of(tilted, 20)["lost_target"]
    near = tilted.replace("distance: 2 m", "distance: 2 m, max_distance: 60 m")
    assert "lost_target" not in warnings_of(near, 20)
    with pytest.raises(ScenarioError, match=r"max_distance.*above the distance to hold, 2 m"):
        scenario_from_text(WALL.replace("distance: 2 m", "distance: 2 m, max_distance: 1 m"))


HOLD = """\
name: holding
duration: 60 s
water: {current: [0.2 m/s, 0.1 m/s, 0]}
vehicles:
  - name: rov
    file: bluerov2_heavy
    position: [0, 0, 5 m]
    navigation: {part: truth, rate: 20 Hz}
    guidance: {part: hold, rate: 10 Hz, position: [0, 0, 5], heading: 0}
    control: {part: cascade_p, rate: 10 Hz}
    allocation: {part: bounded, rate: 10 Hz}
"""


def test_the_offset_of_a_controller_without_integral_action_is_a_warning():
    """`cascade_p` held bluerov2_heavy 0.3 to 1.1 m off in silence."""
    assert "from the position that it is to hold" in warnings_of(HOLD, 60)["offset"]
    assert "offset" not in warnings_of(HOLD.replace("cascade_p", "position"), 60)
    assert "offset" not in warnings_of(HOLD.replace("[0.2 m/s, 0.1 m/s, 0]", "[0, 0, 0]"), 60)


SHAFTS = "".join(
    f"      - {{name: s{i}, kind: shaft_speed, rate: 20 Hz, parameters: {{thruster: {i}, signed: true}}}}\n"
    for i in range(5)
)


@pytest.mark.parametrize(
    ("options", "sensors", "reason"),
    [
        ("velocity_gains: [36, 36, 36, 36]", "", r"unstable.*thruster time constant of 0\.159 s"),
        ("velocity_gains: [36, 36, 36, 36]", SHAFTS, r"network of adaptive diverge.*1\.0[0-9] of themselves"),
        ("velocity_gains: [90, 90, 90, 90], network: false", SHAFTS, r"unstable.*largest pole is"),
    ],
)
def test_very_high_gains_of_adaptive_are_refused_before_the_run(options, sensors, reason):
    """They stopped the run with an overflow."""
    text = TEXT.replace("adaptive, rate", f"adaptive, {options}, rate")
    text = text.replace("    navigation", f"    sensors:\n{sensors}    navigation") if sensors else text
    with pytest.raises(ScenarioError, match=reason):
        scenario_from_text(text)


SLOPE = """\
name: slope
duration: 150 s
water: {current: [0, 0.2 m/s, 0]}
vehicles:
  - name: auv
    file: remus100
    position: [0, 0, 10 m]
    velocity: [1.5 m/s, 0, 0]
    navigation: {part: truth, rate: 20 Hz}
    guidance: {part: integral_line_of_sight, rate: 10 Hz, speed: 1.5 m/s, law: LAW, points: [[300 m, 0, 20 m]]}
    control: {part: fin_autopilot, rate: 20 Hz}
"""


@pytest.mark.parametrize("law", ["integral", "adaptive"])
def test_a_torpedo_follows_a_sloping_leg_in_a_cross_current(law):
    state = flown(SLOPE.replace("LAW", law), 150.0).state
    assert state[0] > 150.0
    assert state[1] == pytest.approx(0.0, abs=1.0)
    assert state[2] == pytest.approx(10.0 + 10.0 * state[0] / 300.0, abs=1.0)


def test_legs_of_minimum_snap_are_flown():
    guidance = TEXT[TEXT.index("    guidance:") : TEXT.index("    control:")]
    text = TEXT.replace(
        guidance,
        """\
    guidance:
      {part: waypoints, rate: 10 Hz, speed: 0.3 m/s, jerk: 0.05 m/s3, points: [{position: [2, 0, 5], heading: 0}]}
""",
    ).replace("control: {part: adaptive, rate: 20 Hz}", "control: {part: position, rate: 10 Hz}")
    assert flown(text).state[:3] == pytest.approx((2.0, 0.0, 5.0), abs=0.1)


GO = "mission: [{do: go_to, position: [3, 1, 6], heading: 30 deg}]"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (GO, f"{GO}\n      keep_out: [{{position: [3, 1, 6.5], radius: 1}}]", "cannot be reached.*0.5 m inside"),
        (GO, f"{GO}\n      keep_out: [{{position: [0, 0, 5], radius: 1 m}}]", "holds the start of the vehicle"),
        (GO, f"{GO}\n      lower_thresholds: [4, 2, 2, 0.35]", "lower_thresholds.*4 and 3 in surge"),
        (GO, f"{GO}\n      max_integrals: [0.5, 0.1, 0.1, 0.1]", "max_integrals.*0.5 and 0.4 in surge"),
        (GO, f"{GO}\n      proportional_gains: [1, 1, 25, 1]", "make heave unstable: 25 1/s.*20 Hz"),
        (GO, "mission: []", "no behaviour"),
        (GO, "mission: [{do: lift_off}]", '"lift_off" needs height'),
        (GO, "mission: [{do: rotate, heading: 1 rad, lines: 3}]", '"rotate" takes no lines'),
        (GO, "mission: [{do: fly}]", "do"),
        (GO, "mission: [{do: transit, position: [1, 1, 5], altitude: 2 m}]", "needs a measured altitude"),
        (GO, f"{GO}\n      altimeter: sonar", "no such sensor"),
        ("adaptive, rate: 20 Hz", "pid, rate: 20 Hz, velocity_gains: [20, 9, 9, 9]", "surge loop unstable.*0.159 s"),
        ("adaptive, rate: 20 Hz", "sliding_mode, rate: 20 Hz, layers: [0, 1, 1, 1]", "above zero in surge"),
        ("adaptive, rate: 20 Hz", "position, rate: 20 Hz", "follows a pose, but .* gives velocities"),
        ("file: falcon", "file: gavia", "cannot control .*sway"),
        ("smoothing: 8", "smoothing: 20", "below 20 1/s, the rate of the allocation"),
    ],
)  # fmt: skip
def test_what_cannot_work_is_refused_before_the_run(old, new, message):
    assert old in TEXT
    with pytest.raises(ScenarioError, match=message):
        scenario_from_text(TEXT.replace(old, new))


BOX = """\
name: box
duration: 70 s
obstacles: [{kind: box, name: crate, center: [4 m, 0.3 m, 5 m], size: [1 m, 1 m, 3 m]}]
vehicles:
  - name: rov
    file: falcon
    position: [0, 0, 5 m]
    sensors:
      - {name: ahead, kind: multibeam, position: [0.3, 0, 0], orientation: {angles: [0, 0, 0]}, rate: 5 Hz,
         parameters: {beams: 9, fan_angle: 80 deg, max_range: 10 m}}
    navigation: {part: truth, rate: 20 Hz}
    guidance:
      part: lyapunov
      rate: 20 Hz
      mission: [{do: go_to, position: [8, 0, 5], heading: 0}]
      avoid: {sensors: [ahead], clearance: 1.2 m}
    control: {part: pid, rate: 20 Hz}
    allocation: {part: bounded, rate: 20 Hz, axes: [surge, sway, heave, yaw]}
"""


def test_an_obstacle_that_only_a_sonar_knows_is_passed():
    loop = Loop(scenario_from_text(BOX))
    run, nearest = loop.vehicles[0], math.inf
    for k in range(10, 7001, 10):
        loop.advance(k)
        north, east = abs(run.state[0] - 4.0) - 0.5, abs(run.state[1] - 0.3) - 0.5
        nearest = min(nearest, math.hypot(max(north, 0.0), max(east, 0.0)))
    assert nearest > 0.6
    assert math.dist(run.state[:3], (8.0, 0.0, 5.0)) < 0.4
    assert not run.monitor.warned
    blind = BOX.replace("      avoid: {sensors: [ahead], clearance: 1.2 m}\n", "")
    assert "crate" in warnings_of(blind, 70)["overlap"]


def load_warnings(text):
    return [one.text for one in scenario_from_text(text).vehicles[0].load_warnings]


@pytest.mark.parametrize("do", ["go_to", "transit"])
def test_a_waypoint_that_is_too_far_for_the_run_is_named_before_it(do):
    """At 0.45 m/s over ground, 100 m take at least 220 s."""
    far = TEXT.replace("{do: go_to, position: [3, 1, 6], heading: 30 deg}", f"{{do: {do}, position: [100, 0, 6]}}")
    (found,) = load_warnings(far)
    assert "mission[0]" in found
    assert "takes at least 221 s" in found
    assert "the run lasts 60 s" in found
    assert not load_warnings(far.replace("60 s", "300 s"))
    assert not load_warnings(TEXT)


def test_a_rank_deficient_layout_is_named_before_the_run():
    text = HOLD.replace("bluerov2_heavy", "sphere_with_thruster").replace("cascade_p", "position")
    found = [one for one in load_warnings(text) if "free directions" in one]
    assert len(found) == 1
    assert "the thrusters control 1 of the 4 free directions: none drives sway, heave and yaw" in found[0]
    assert not load_warnings(HOLD)
