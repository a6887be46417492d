"""Guidance that cannot do what it is asked to: named before the run with its numbers, or a warning of the run."""

import math
import re

import pytest

from remora.run.loop.loop import Loop, run
from remora.scenarios import scenario_from_text
from remora.scenarios.load_context import ScenarioError

TEXT = """\
name: mistakes
duration: 40 s
TOP
vehicles:
  - name: rov
    file: bluerov2
    position: [0, 0, 5 m]
    SENSORS
    navigation: {part: truth, rate: 20 Hz}
    guidance: {rate: 20 Hz, GUIDANCE}
    control: {part: CONTROL, rate: 20 Hz}
    allocation: {part: bounded, rate: 20 Hz}
"""
BED = "water: {bottom_depth: 12 m}"
ECHO = """sensors:
      - {name: echo, kind: echosounder, position: [0, 0, 0], orientation: {angles: [0, 0, 90 deg]}, rate: 10 Hz,
         parameters: {max_range: 20 m}}"""
AHEAD = """sensors:
      - {name: fan, kind: multibeam, position: [0.3, 0, 0], orientation: {angles: [0, 0, 0]}, rate: 5 Hz,
         parameters: {beams: 9, fan_angle: 80 deg, max_range: 10 m}}"""
ALTIMETER = "sensors: [{from: altimeter, parameters: {max_range: 8 m}}]"
WALL = "obstacles: [{kind: box, name: wall, center: [50 m, 6 m, 5 m], size: [200 m, 2 m, 40 m]}]"


def text(guidance: str, sensors: str = "", top: str = BED, control: str = "pid") -> str:
    filled = TEXT.replace("GUIDANCE", guidance).replace("SENSORS", sensors or "sensors: []")
    return filled.replace("TOP", top).replace("CONTROL", control)


def mission(behaviours: str, more: str = "") -> str:
    return f"part: lyapunov, mission: [{behaviours}]{more}"


def pilot(*commands: tuple[float, str], more: str = "") -> str:
    given = ", ".join(f"{{at: {at} s, command: {command}}}" for at, command in commands)
    return f"part: pilot, operator: [{given}]{more}"


def sphere(north: float, down: float, radius: float) -> str:
    return f", keep_out: [{{position: [{north} m, 0, {down} m], radius: {radius} m}}]"


SEES = ", altimeter: altimeter"
ALTITUDE = "{do: go_to, position: [2 m, 0, 5 m], altitude: %s m}"
REMOTE = "part: pilot, remote: {delay: 1 s, points: [[2 m, 0, %s m]]%s}"
WALL_AT = "part: wall_following, sensor: echo, distance: %s m, speed: 0.2 m/s%s"


@pytest.mark.parametrize(
    ("guidance", "sensors", "top", "message"),
    [
        (mission("{do: lift_off, height: 2 m}", sphere(0, 2, 1.5)), "", BED, r"\(0, 0, 3\) m lies 0\.5 m inside"),
        (mission("{do: set_down, depth: 8 m}", sphere(0, 8, 1.5)), "", BED, r"\(0, 0, 8\) m lies 1\.5 m inside"),
        (mission(ALTITUDE % 2, SEES + sphere(2, 10, 1)), ALTIMETER, BED, r"\(2, 0, 10\) m lies 1 m inside"),
        (mission(ALTITUDE % 2, SEES), ALTIMETER, "", "asks for an altitude of 2 m, but there is no bed"),
        (mission(ALTITUDE % 9, SEES), ALTIMETER, BED, "beyond the range of altimeter, 8 m"),
        (
            mission(ALTITUDE % 7, SEES), ALTIMETER, "water: {bottom_depth: 5 m, surface_depth: 0 m}",
            "altitude of 7 m, which is a depth of -2 m, above the surface",
        ),
        (
            mission("{do: go_to, position: [2 m, 0, 5 m], velocity: [1.5 m/s, 0, 0]}"), "", BED,
            r"moves at 1\.5 m/s .* at most 0\.447 and 0\.1 m/s",
        ),
        (
            mission("{do: survey, position: [0, 0, 5 m], length: 1 m, spacing: 1 m, lines: 300000}"), "", BED,
            "from 1 to 1000",
        ),
        (mission("{do: pipeline, points: [[0, 0, 5 m], [5 m, 0, 5 m]]}", ", pipe: {sensor: fan}"), AHEAD, BED,
         "middle beam is 90 deg from down"),
        (mission("{do: return}", ", avoid: {sensors: [fan], clearance: 12 m}"), AHEAD, BED,
         "sees 10 m far, not beyond the clearance of 12 m"),
        (pilot((1, "speeds 0.1 0 0 0")), "", BED, r"operator\[0\].*has not taken the authority"),
        (pilot((1, "take"), (8, "speeds 0.1 0 0 0")), "", BED, r"operator\[1\].*silent for more than .* 2 s"),
        (REMOTE % (50, ""), "", BED, "depth of 50 m, below the bed at 12 m"),
        (REMOTE % (5, "") + sphere(2, 5, 1), "", BED, r"remote\.points\[0\].*\(2, 0, 5\) m lies 1 m inside"),
        (REMOTE % (5, ", speeds: [0, 1, 1, 1]"), "", BED, "above zero and at most the max_speeds: 0 and 0.4 in surge"),
        (WALL_AT % (25, ""), ECHO, WALL, "not within the range of echo, 20 m"),
        (WALL_AT % (2, ", proportional_gains: [1, 50, 1, 1]"), ECHO, WALL, "make sway unstable: 50 1/s .* 20 Hz"),
        (WALL_AT % (2, ", max_speeds: [0.4, 0, 0.1, 0.1]"), ECHO, WALL, "above zero in sway"),
        (WALL_AT % (2, ""), ECHO, "", "neither tunnel nor obstacle"),
    ],
)  # fmt: skip
def test_what_cannot_work_is_refused_with_its_numbers(guidance, sensors, top, message):
    with pytest.raises(ScenarioError, match=message):
        scenario_from_text(text(guidance, sensors, top))


def known_before(made: str) -> list[str]:
    """Notes and warnings that are printed before the run."""
    setup = scenario_from_text(made)
    return [*map(str, setup.load_notes), *(one.text for one in setup.vehicles[0].load_warnings)]


CRATE = f"{BED}\nobstacles: [{{kind: box, name: crate, center: [2 m, 0, 5 m], size: [1 m, 1 m, 1 m]}}]"
GO = "{do: go_to, position: [2 m, 0, 5 m]}"
POINT = "part: waypoints, speed: 0.2 m/s, points: [{position: [1 m, 0, 5 m], stay: %s s}, {position: [2 m, 0, 5 m]}]"


@pytest.mark.parametrize(
    ("made", "message"),
    [
        (text(mission(GO), top=CRATE), "lies 0.5 m inside crate"),
        (text(mission("{do: recharge, dwell: 5 s}")), "follows no dock"),
        (text(mission("{do: go_to, position: [0, 0, 5 m], dwell: 50 s}")), "takes at least 50 s .* 50 s at rest"),
        (text(POINT % 50, control="position"), r"points\[1\].* takes at least 68\.8 s .* of which 50 s at rest"),
        (text("part: waypoints, speed: 0.2 m/s, points: [{position: [6 m, 0, 5 m]}]", control="position"),
         r"points\[0\].* takes at least 56\.2 s at up to 0\.2 m/s, but"),
        (text("part: pilot, remote: {delay: 1 s, points: [[90 m, 0, 5 m]]}"), r"remote\.points\[0\] cannot be reached"),
        (text("part: pilot, authority: mission, mission: [{do: go_to, position: [90 m, 0, 5 m]}]"), "be reached"),
        (text("part: pilot, remote: {delay: 1 s, gain: 1.3, points: [[2 m, 0, 5 m]]}"), "at most 0.368 1/s"),
        (text(pilot((1, "take"), (1, "speeds 5 0 0 -3"))), "limited to 0.4 m/s, yaw is limited to -0.2 rad/s"),
        (text("part: pilot, proportional_gains: [5, 5, 5, 5]"), "unstable.* lower proportional_gains"),
        (text(WALL_AT % (2, ", proportional_gains: [5, 5, 5, 5]"), ECHO, WALL), "unstable.* lower proportional_gains"),
        (text(mission(GO)).replace("bounded, rate: 20 Hz", "bounded, rate: 0.5 Hz"), "unstable.* per sample of 2 s"),
        (text(mission(GO)).replace("truth, rate: 20 Hz", "truth, rate: 0.2 Hz"), "unstable.* per sample of 5 s"),
        (text(POINT.replace("speed:", "turn_rate: 9 rad/s, speed:").replace("5 m], s", "5 m], heading: 1 rad, s") % 0,
              control="position"), r"9 rad/s in yaw, but full thrust gives 4\.7 rad/s"),
    ],
)  # fmt: skip
def test_what_may_go_wrong_is_named_before_the_run(made, message):
    assert any(re.search(message, one) for one in known_before(made))


@pytest.mark.parametrize(
    "made",
    [
        text(mission(GO)),
        text(mission("{do: dock, position: [1 m, 0, 5 m], heading: 0}, {do: recharge, dwell: 5 s}")),
        text(POINT % 5, control="position"),
        text(REMOTE % (5, "")),
        text(pilot((1, "take"), (3, "speeds 0.1 0 0 0"), (4, "hold"))),
        text(WALL_AT % (2, ""), ECHO, WALL),
    ],
)
def test_sound_guidance_is_left_alone(made):
    assert not known_before(made)


def warned(made: str) -> dict[str, str]:
    return {one.watch: one.text for one in run(scenario_from_text(made)).warnings}


def test_a_lost_altitude_is_a_warning_of_the_run():
    """The vehicle kept its depth, and the run ended as asked."""
    off = "    faults: [{fault: off, of: altimeter, at: 2 s}]\n"
    made = text(mission("{do: go_to, position: [9 m, 0, 5 m], altitude: 6 m}", SEES), ALTIMETER)
    assert "no altitude" in warned(made + off)["lost_target"]
    assert "lost_target" not in warned(made)
    beside = text(
        WALL_AT % (2, ", altitude: 6 m, altimeter: altimeter"), f"{ECHO}\n      - altimeter", f"{BED}\n{WALL}"
    )
    assert "no altitude" in warned(beside + off)["lost_target"]
    assert "lost_target" not in warned(beside)


def test_a_remote_pilot_who_swings_about_the_point_is_a_warning_of_the_run():
    made = text("part: pilot, remote: {delay: 1 s, gain: 1.3, points: [[2 m, 0, 5 m]]}")
    assert "from the last point of the remote pilot" in warned(made)["unfinished"]
    assert "unfinished" not in warned(made.replace("1.3", "0.2"))


RING = [(6.0 + 2.0 * math.cos(k * math.pi / 3.0), 2.0 * math.sin(k * math.pi / 3.0)) for k in range(6)]
COLUMNS = ", ".join(f"{{position: [{x:.3f} m, {y:.3f} m, 0], radius: 1.1 m, column: true}}" for x, y in RING)


def test_overlapping_zones_are_not_passed_between():
    """Velocities along the edges of two zones led into each other: the vehicle went through, 0.2 m inside."""
    loop = Loop(scenario_from_text(text(mission("{do: go_to, position: [6 m, 0, 5 m]}", f", keep_out: [{COLUMNS}]"))))
    rov, nearest = loop.vehicles[0], math.inf
    for k in range(20, 4001, 20):
        loop.advance(k)
        nearest = min(nearest, *(math.dist(rov.state[:2], place) - 1.1 for place in RING))
    assert nearest > -0.05
    loop.vehicles[0].monitor.end(loop.time_ns)
    found = {one.watch: one.text for one in rov.monitor.warned}
    assert found["unfinished"] == "0 of 1 waypoint reached, with keep-out zone 4 in the way, when the run ended"
    assert "keep_out" not in found


def test_a_vehicle_inside_a_keep_out_zone_is_a_warning_of_the_run():
    """A current carries it there."""
    made = text(
        mission("{do: go_to, position: [0, 0, 5 m], dwell: 20 s}", sphere(2, 5, 1)),
        top="water: {current: [3 m/s, 0, 0]}",
    )
    assert "inside keep-out zone 1" in warned(made)["keep_out"]
    assert "keep_out" not in warned(f"watch: {{keep_out: off}}\n{made}")


LEGS = """\
name: legs
duration: 30 s
CURRENT
vehicles:
  - name: auv
    file: gavia
    position: [0, 0, 6 m]
    velocity: [1.2 m/s, 0, 0]
    navigation: {part: truth, rate: 20 Hz}
    guidance: {part: LAW, rate: 10 Hz, speed: SPEED m/s, points: [[20 m, 0, DEPTH m], [NORTH m, 0, 8 m]]}
    control: {part: fin_autopilot, rate: 20 Hz}
"""


def legs(law="line_of_sight", speed=1.5, depth=7, north=30, current="") -> str:
    given = {"LAW": law, "SPEED": speed, "DEPTH": depth, "NORTH": north, "CURRENT": current}
    made = LEGS
    for name, value in given.items():
        made = made.replace(name, str(value))
    return made


@pytest.mark.parametrize(
    ("made", "message"),
    [
        (legs(speed=0.2), r"steers from 0\.3 m/s on, but the guidance asks for 0\.2 m/s"),
        (legs("line_of_sight, integral_gain: 12 m/s"), r"unstable with a lookahead of 10 m .* below 10 m/s"),
        (legs("integral_line_of_sight, gain: 12"), r"unstable with a lookahead of 10 m .* below 10 m/s"),
        (legs("integral_line_of_sight, law: adaptive, gain: 0.2"), r"below 0\.1 rad/\(m s\)"),
    ],
)
def test_legs_that_no_fins_can_follow_are_refused(made, message):
    with pytest.raises(ScenarioError, match=message):
        scenario_from_text(made)


@pytest.mark.parametrize(
    ("made", "message"),
    [
        (legs(speed=9), r"asks for 9 m/s ahead, but full thrust gives 2\.7 m/s"),
        (legs(north=600), r"points\[1\] cannot be reached: the way to it takes at least"),
        (legs(depth=30), r"a slope of \d+ deg, but control pitches by at most 20 deg"),
        (legs(current="water: {current: [0, 2 m/s, 0]}"), r"1\.5 m/s ahead in a current of 2 m/s"),
    ],
)
def test_legs_that_are_too_fast_far_or_steep_are_named_before_the_run(made, message):
    assert any(re.search(message, one) for one in known_before(made))
    assert not known_before(legs())


TUNNEL = """\
name: tunnel
duration: 12 s
step: 5 ms
tunnel: {section: rectangle, width: 4 m, height: 3 m, length: 60 m}
vehicles:
  - name: rov
    file: bluerov2_heavy
    position: [1 m, 0.3 m, 0.2 m]
    sensors:
      - {name: echo_starboard, kind: echosounder, position: [0, 0, 0], orientation: {angles: [0, 0, 90 deg]},
         rate: 20 Hz}
      - {name: echo_port, kind: echosounder, position: [0, 0, 0], orientation: {angles: [0, 0, -90 deg]}, rate: 20 Hz}
      - {name: echo_up, kind: echosounder, position: [0, 0, 0], orientation: {angles: [0, 90 deg, 0]}, rate: 20 Hz}
      - {name: echo_down, kind: echosounder, position: [0, 0, 0], orientation: {angles: [0, -90 deg, 0]}, rate: 20 Hz}
    navigation: truth
    guidance: {part: tunnel, rate: 20 Hz, surge: 0.2 m/s}
    control: [{part: tunnel, rate: 20 Hz}, feedback_linearisation]
    allocation: pseudo_inverse
"""


def test_a_tunnel_that_is_not_there_or_too_narrow_is_refused():
    with pytest.raises(ScenarioError, match="neither tunnel nor obstacle"):
        scenario_from_text(TUNNEL.replace("tunnel: {section: rectangle, width: 4 m, height: 3 m, length: 60 m}\n", ""))
    for key, size in (("lateral", 4), ("vertical", 3)):
        with pytest.raises(ScenarioError, match=f"{key}.*beyond the walls, which are {size} m apart"):
            scenario_from_text(TUNNEL.replace("surge:", f"{key}: {size} m, surge:"))
    assert any("asks for 5 m/s ahead" in one for one in known_before(TUNNEL.replace("0.2 m/s}", "5 m/s}")))


def test_walls_of_a_tunnel_that_are_not_heard_are_a_warning_of_the_run():
    """The last echo of a dead echosounder was held for ever."""
    deaf = TUNNEL + "    faults: [{fault: off, of: echo_port, at: 1 s}]\n"
    assert "no echoes of the tunnel from echo_starboard and echo_port:" in warned(deaf)["lost_target"]
    assert "lost_target" not in warned(TUNNEL)


def test_a_dive_that_stops_before_it_drives_ahead_is_refused():
    made = text("part: dive_and_turn, ahead_at: 30 s, stop_at: 10 s", control="autopilot")
    with pytest.raises(ScenarioError, match="leaves no time to drive ahead: from 30 s until 10 s"):
        scenario_from_text(made.replace("    allocation: {part: bounded, rate: 20 Hz}\n", ""))
