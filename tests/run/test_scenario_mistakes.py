"""Scenario files with likely mistakes: refused, noted or warned of when they are read, never accepted in silence."""

import math
import re

import pytest
from scenario_example import line_of

from remora.control.parts.command_schedule import CommandSchedule
from remora.run.loop.loop import run
from remora.scenarios import ScenarioError, scenario_from_text
from remora.vehicles import load_vehicle

HEAD = "name: a\nduration: {duration}\n{top}\nvehicles:\n  - name: rov\n    file: bluerov2_heavy\n    {more}\n"
LOOP = """position: [0, 0, 5 m]
    navigation: truth
    guidance: %s
    control: {part: position, rate: 10 Hz}
    allocation: {part: bounded, rate: 10 Hz}"""
WITH_AUTOPILOT = """position: [0, 0, 5 m]
    navigation: truth
    guidance: %s
    control: {part: autopilot, rate: 10 Hz}"""


def text_of(more, duration="10 s", top=""):
    return HEAD.format(more=more, duration=duration, top=top)


def read(more, duration="10 s", top="", changes=None):
    return scenario_from_text(text_of(more, duration, top), "my.yaml", changes=changes)


def refusal(more, duration="10 s", top="", changes=None):
    with pytest.raises(ScenarioError) as caught:
        read(more, duration, top, changes)
    return str(caught.value)


def warned(setup):
    return [one.text for vehicle in setup.vehicles for one in vehicle.load_warnings]


# Pulse widths


def pulses(width, more="{commands: pulses}"):
    return f"actuators: {more}\n    commands: [{{at: 0 s, set: {{front_port: {width}}}}}]"


@pytest.mark.parametrize(
    ("width", "words"),
    [
        ("1650 s", "Did you mean 1650 us?"),
        ("1.65 s", "Did you mean 1.65 ms?"),
        ("1650", "a bare number is in seconds.*Did you mean 1650 us?"),
        ("-1650 us", "-1650 us is no pulse width"),
        ("15000 us", "15000 us is no pulse width"),
        ("150 us", "150 us is no pulse width"),
        ("0", "is no pulse width.*At rest the command is 1500 us"),
        ("0 us", "At rest the command is 1500 us"),
    ],
)
def test_pulse_widths_that_no_drive_takes_are_refused_with_line_range_and_likely_unit(width, words):
    found = refusal(pulses(width))
    line = line_of(text_of(pulses(width)), "commands: [{")
    assert found.startswith(f"my.yaml:{line}: vehicles[0].commands[0].set.front_port = {width}: ")
    assert re.search(r"the drive takes 1\d\d\d us to 1\d\d\d us with neutral at 1500 us", found)
    assert re.search(words, found)


@pytest.mark.parametrize("width", ["1650 us", "1.65 ms", "0.00165 s", "0.00165", "2200 us", "900 us"])
def test_pulse_widths_of_the_drive_and_a_little_beyond_are_taken_as_written(width):
    (part,) = (one.part for one in read(pulses(width)).vehicles[0].parts)
    assert isinstance(part, CommandSchedule)
    expected = {"2200 us": 2200.0, "900 us": 900.0}.get(width, 1650.0)
    assert part.commands[1][read(pulses(width)).vehicles[0].plant.actuator_names.index("front_port")] == expected


def test_without_limits_pulse_widths_are_judged_by_the_neutral_one():
    text = """{name: a, duration: 1 s, vehicles: [{name: rov, file: bluerov, actuators: {commands: pulses,
        saturation: false}, commands: [{at: 0 s, set: {%s: %s}}]}]}"""
    thruster = load_vehicle("bluerov").parameters.thruster_names[0]
    with pytest.raises(ScenarioError, match="neutral at 1500 us and no limits"):
        scenario_from_text(text % (thruster, "15000 us"))
    scenario_from_text(text % (thruster, "2400 us"))


def test_the_units_of_a_pulse_width_are_listed_with_microseconds():
    assert "Give a pulse width in one of: s, us." in refusal(pulses("10 N"))


# Entries after the end


LATE = {
    "commands": ("commands: [{at: 30 s, set: {front_port: 5 N}}]", "vehicles[0].commands[0].at", 30),
    "fault": ("faults: [{fault: dead, of: front_port, at: 20 s}]", "vehicles[0].faults[0].at", 20),
    "disturbance": (
        "disturbances: [{kind: constant, force: [50 N, 0, 0], from: 12 s}]",
        "vehicles[0].disturbances[0].from",
        12,
    ),
    "setpoint": (
        WITH_AUTOPILOT % "{part: dive_and_turn, rate: 10 Hz, turn_at: 35 s}",
        "vehicles[0].guidance.turn_at",
        35,
    ),
    "part": (LOOP % "{part: hold, rate: 10 Hz, start: 15 s}", "vehicles[0].guidance.start", 15),
    "excitation": (
        LOOP % "{part: excitation, rate: 10 Hz, settle: 20 s, sway: {amplitude: 0.2 m, period: 9 s}}",
        "vehicles[0].guidance.settle",
        20,
    ),
    "winch": (
        "position: [0, 0, 5 m]\n    tethers: [{name: line, far_end: [0, 0, 0], length: 8 m, diameter: 8 mm, "
        "weight_in_water: 0.05 N/m, stiffness: 3 kN, nodes: 4, winch: {rate: 0.1 m/s, from: 11 s}}]",
        "vehicles[0].tethers[0].winch.from",
        11,
    ),
    "sensor": (
        "sensors: [{name: gyro, kind: gyro, position: [0, 0, 0], rate: 9, parameters: {start: 14 s, std: 0.1}}]",
        "vehicles[0].sensors[0].parameters.start",
        14,
    ),
    "drive": ("actuators: {starts: {front_port: 10 s}}", "vehicles[0].actuators.starts.front_port", 10),
}


@pytest.mark.parametrize("entry", LATE)
def test_an_entry_that_begins_after_the_end_of_the_run_is_a_warning_with_both_times(entry):
    more, field, time = LATE[entry]
    (words,) = warned(read(more))
    assert words.startswith(f"{field} never begins: {time} s is ")
    assert words.endswith("the end of the run at 10 s")
    assert warned(read(more, duration="60 s")) == []


def test_a_fault_at_the_top_of_the_file_that_comes_too_late_is_a_warning():
    top = "faults: [{fault: dead, of: front_port, at: 20 s}]"
    assert warned(read("position: [0, 0, 1]", top=top))[0].startswith("faults[0].at never begins: 20 s is after")


def test_a_run_with_an_entry_that_never_begins_does_not_end_as_asked():
    outcome = run(read("position: [0, 0, 5 m]\n    " + LATE["commands"][0], duration="1 s"))
    (one,) = outcome.warnings
    assert (one.watch, one.vehicle, one.time_ns) == ("unfinished", "rov", 1_000_000_000)
    assert "vehicles[0].commands[0].at never begins: 30 s is after the end of the run at 1 s" in str(one)


def test_a_run_that_is_cut_short_by_its_caller_has_a_note_with_the_line_instead():
    setup = read(LATE["commands"][0], duration="60 s", changes={"duration": "1 s"})
    assert warned(setup) == []
    (note,) = setup.load_notes
    line = line_of(text_of(LATE["commands"][0]), "commands: [{")
    assert note.startswith(f"my.yaml:{line}: vehicles[0].commands[0].at: never begins: 30 s")
    assert not run(setup).warnings


def test_where_the_end_is_not_watched_a_late_entry_is_a_note():
    setup = read(LATE["fault"][0] + "\n    watch: {unfinished: off}")
    assert warned(setup) == []
    assert "faults[0].at" in setup.load_notes[0]


def test_a_part_that_runs_only_once_is_a_note():
    more = LOOP % "{part: hold, period: 100}"
    (note,) = read(more).load_notes
    assert "vehicles[0].guidance: runs only once: its period of 100 s is not shorter than the run of 10 s" in note
    assert read(more, duration="200 s").load_notes == ()


# Commands beyond the limits


def test_a_command_that_is_cut_to_the_limits_is_a_note_with_these():
    (note,) = read("commands: [{at: 0 s, set: {front_port: 1650, rear_port: 51.48 N}}]").load_notes
    assert "commands[0].set.front_port = 1650: is cut to the limits of this actuator, -39.91 to 51.48 N" in note
    (note,) = read(pulses("2200 us")).load_notes
    assert "2200 us: is cut to the limits of this actuator, 1100 to 1900 us" in note
    assert read(pulses("1900 us")).load_notes == ()


# Bare angles


BARE = {
    "hold": LOOP % "{part: hold, rate: 10 Hz, heading: 90}",
    "waypoint": LOOP % "{part: waypoints, rate: 10 Hz, speed: 0.2, points: [{position: [1, 0, 5], heading: 90}]}",
    "dive": WITH_AUTOPILOT % "{part: dive_and_turn, rate: 10 Hz, heading: 90}",
    "attitude": "angles: [0, 0, 90]",
    "mounting": "sensors: [{name: ahrs, kind: ahrs, position: [0, 0, 0], rate: 9, orientation: {angles: [0, 0, 90]}}]",
    "swing": LOOP % "{part: excitation, rate: 10 Hz, yaw: {amplitude: 90, period: 30 s}}",
}


@pytest.mark.parametrize("place", BARE)
def test_bare_angles_beyond_a_full_turn_are_refused_with_degrees_as_the_likely_unit(place):
    assert "a bare number is in radians" in refusal(BARE[place])
    assert "Write 90 deg" in refusal(BARE[place])
    read(re.sub(r"\b90\b", "90 deg", BARE[place]))
    read(re.sub(r"\b90\b", "90 rad", BARE[place]))
    read(re.sub(r"\b90\b", "6.28", BARE[place]))


def test_a_bare_deflection_of_a_fin_beyond_a_full_turn_is_refused():
    text = "name: a\nduration: 1 s\nvehicles: [{name: auv, file: gavia, commands: [{at: 0 s, set: {%s: 20}}]}]\n"
    fin = scenario_from_text(text.replace(", commands: [{at: 0 s, set: {%s: 20}}]", "")).vehicles[0]
    name = fin.nominal.parameters.fin_names[0]
    with pytest.raises(ScenarioError, match="Write 20 deg"):
        scenario_from_text(text % name)


# Durations that a caller replaces


def test_a_bad_duration_of_the_file_is_refused_although_the_caller_gives_another():
    found = refusal("position: [0, 0, 1]", duration="-60 s", changes={"duration": "1 s"})
    assert found.startswith("my.yaml:2: duration = -60 s: must be above zero")
    assert "seed" in refusal("position: [0, 0, 1]", top="seed: -3", changes={"seed": 1})
    read("position: [0, 0, 1]", duration="60 s", changes={"duration": "1 s", "seed": 4})


# Tethers


@pytest.mark.parametrize("model", ["lumped", "slack_spring"])
def test_a_tether_shorter_than_the_distance_of_its_ends_is_refused_with_both_lengths(model):
    line = "weight_in_water: 0.05 N/m, stiffness: 30 kN, nodes: 4" if model == "lumped" else "stiffness: 30 kN"
    more = (
        "position: [3 m, 0, 4 m]\n    tethers: [{name: line, model: %s, far_end: [0, 0, 0], length: %s, "
        "diameter: 8 mm, %s}]"
    )
    found = refusal(more % (model, "3 m", line))
    assert "vehicles[0].tethers[0].length = 3 m: is shorter than the 5 m between its ends" in found
    assert found.startswith(f"my.yaml:{line_of(text_of(more), 'tethers')}")
    read(more % (model, "5.2 m", line))


# Goals in the ground or in the air


GOALS = {
    "hold": (LOOP % "{part: hold, rate: 10 Hz, position: [0, 0, DEPTH m]}", "guidance.position"),
    "waypoints": (
        LOOP % "{part: waypoints, rate: 10 Hz, speed: 0.1, points: [{position: [1, 0, 5]}, {position: [3, 0, DEPTH]}]}",
        "guidance.points[1].position",
    ),
    "dive": (WITH_AUTOPILOT % "{part: dive_and_turn, rate: 10 Hz, depth: DEPTH m}", "guidance.depth"),
    "sight": (
        "position: [0, 0, 5 m]\n    guidance: {part: line_of_sight, rate: 10 Hz, speed: 1, points: [[9, 0, DEPTH]]}",
        "guidance.points[0]",
    ),
}
WATER = "water: {surface_depth: 0 m, bottom_depth: 20 m}"


@pytest.mark.parametrize("part", GOALS)
def test_goals_below_the_bed_and_above_the_surface_are_refused_with_both_depths(part):
    more, field = GOALS[part]
    below = refusal(more.replace("DEPTH", "25"), top=WATER)
    assert f"vehicles[0].{field} = " in below
    assert "asks for a depth of 25 m, below the bed at 20 m" in below
    above = refusal(more.replace("DEPTH", "-3"), top=WATER)
    assert "asks for a depth of -3 m, above the surface at 0 m" in above
    assert read(more.replace("DEPTH", "10"), top=WATER).load_notes == ()


def test_a_goal_that_lets_the_vehicle_touch_the_bed_or_the_surface_is_a_note():
    more = GOALS["hold"][0]
    (low,) = read(more.replace("DEPTH", "19.95"), top=WATER).load_notes
    assert "leaves 0.05 m to the bed at 20 m" in low
    (high,) = read(more.replace("DEPTH", "0.05"), top=WATER).load_notes
    assert "brings a part of the vehicle above the surface at 0 m" in high


def test_a_goal_in_the_air_is_a_note_where_the_surface_is_not_simulated():
    (note,) = read(GOALS["hold"][0].replace("DEPTH", "-5")).load_notes
    assert "asks for a depth of -5 m, above the surface at 0 m" in note
    assert "surface_depth" in note


def test_goals_are_compared_with_the_bed_below_them():
    top = "bed: {kind: profile, distances: [0, 100 m], depths: [10 m, 30 m], heading: 0}"
    more = LOOP % "{part: waypoints, rate: 10 Hz, speed: 0.1, points: [{position: [%s, 0, 15]}]}"
    assert "below the bed at 12 m" in refusal(more % 10, top=top)
    assert read(more % 90, top=top).load_notes == ()


# Speeds out of reach


def test_a_speed_that_the_acceleration_does_not_allow_for_is_a_note_at_its_point():
    legs = "{part: waypoints, rate: 10 Hz, speed: 0.3, points: [{position: [10, 0, 5]}, {position: [12, 0, 5]%s}]}"
    (note,) = read(LOOP % (legs % ", speed: 1 m/s")).load_notes
    assert "points[1].speed = 1 m/s: is not reached on this leg" in note
    peak = float(re.search(r"allow for ([\d.]+) m/s", note)[1])
    # Minimum jerk: peak speed 15/8 d/T and peak acceleration 10/sqrt(3) d/T^2, with 0.1 m/s2 unless given.
    assert peak == pytest.approx(15 / 8 * math.sqrt(2.0 * 0.1 * math.sqrt(3) / 10), rel=0.05)
    assert read(LOOP % (legs % "")).load_notes == ()  # the first leg is long enough


def test_a_speed_that_no_leg_reaches_is_one_note():
    legs = "{part: waypoints, rate: 10 Hz, speed: 1 m/s, points: [{position: [2, 0, 5]}, {position: [2, 2, 5]}]}"
    (note,) = read(LOOP % legs).load_notes
    assert "guidance.speed = 1 m/s: is not reached on any leg" in note


def test_a_speed_that_thrust_does_not_give_against_drag_is_a_warning():
    legs = "{part: waypoints, rate: 10 Hz, speed: %s, acceleration: 0.5, points: [{position: [60, 0, 5]}]}"
    control = LOOP.replace("rate: 10 Hz}\n    alloc", "rate: 10 Hz, max_speeds: [9, 9, 9, 9]}\n    alloc")
    words = next(one for one in warned(read(control % (legs % "4 m/s"))) if "full thrust" in one)
    most = re.match(r"vehicles\[0\]\.guidance asks for 4 m/s ahead, but full thrust gives ([\d.]+) m/s", words)
    # Four thrusters at 45 degrees, two of which push backwards; damping 13.7 u + 141 u^2.
    thrust = 2 * (51.48 + 39.91) * math.sqrt(0.5)
    assert float(most[1]) == pytest.approx((math.sqrt(13.7**2 + 4 * 141 * thrust) - 13.7) / (2 * 141), rel=0.03)
    assert not any("full thrust" in one for one in warned(read(LOOP % (legs % "0.5 m/s"))))


FAR_HOLD = LOOP % "{part: hold, rate: 10 Hz, position: [%s, 0, 5 m], heading: 0}"


def test_a_pose_that_full_thrust_does_not_reach_within_the_run_is_a_warning_with_time_and_speed():
    """A hold states no speed, and a run that ended 90 m off had nothing to say."""
    (words,) = warned(read(FAR_HOLD % 100))
    found = re.search(r"cannot be reached: .* at least ([\d.]+) s at ([\d.]+) m/s .* the run lasts 10 s", words)
    assert float(found[1]) == pytest.approx(99.0 / float(found[2]), rel=0.01)
    assert not warned(read(FAR_HOLD % 100, duration="300 s"))
    with_current = "water: {current: [0.6 m/s, 0, 0]}"
    assert len(warned(read(FAR_HOLD % 100, duration="80 s"))) == 1
    assert not warned(read(FAR_HOLD % 100, duration="80 s", top=with_current))


def test_a_pose_in_a_current_beyond_the_thrust_is_a_warning_with_both_speeds():
    """The current carries the vehicle there in time, and past it."""
    (words,) = warned(read(FAR_HOLD % 100, duration="30 s", top="water: {current: [3 m/s, 0, 0]}"))
    assert re.search(r"a position in a current of 3 m/s, but full thrust gives at most 0\.9\d m/s ahead", words)


def test_a_run_that_ends_on_the_way_to_a_held_pose_did_not_go_as_asked():
    (warning,) = run(read(FAR_HOLD % 8)).warnings
    assert re.match(r"[34]\.?\d* m from the position that it is to hold when the run ended", warning.text)
    assert not run(read(FAR_HOLD % 1)).warnings


def test_thrusters_that_the_allocation_may_not_use_do_not_count():
    """Three of four horizontal thrusters off: it was found after ten seconds of the run."""
    off = "disabled: [front_port, front_starboard, rear_port]"
    (words,) = warned(read((FAR_HOLD % 1).replace("{part: bounded,", f"{{part: bounded, {off},")))
    assert "control 2 of the 4 free directions without front_port, front_starboard and rear_port" in words
    one = (FAR_HOLD % 1).replace("{part: bounded,", "{part: bounded, disabled: [rear_port],")
    assert not warned(read(one))


def test_speed_limits_of_zero_are_refused():
    more = (FAR_HOLD % 1).replace("{part: position,", "{part: position, max_speeds: [1, 1, 0, 1],")
    assert "max_speeds = [1, 1, 0, 1]: must be above zero in heave" in refusal(more)


TWO_ROUNDS = """
name: hidden
duration: 10 s
faults:
  - {fault: nonsense, vehicle: other, at: 1 s}
  - {fault: dead, of: front_port, vehicle: missing, at: -3 s}
vehicles:
  - name: rov
    file: bluerov2_heavy
    sensors:
      - {name: x y, kind: sonarr, position: [0, 0, 0], rate: 5 Hz, parameters: {std: 3 furlong}}
    navigation: {part: instruments, attitude: nosuch, rate: 7 Hz}
    guidance: {part: hold, position: [0, 0]}
    control: {part: position, max_speeds: [1, 2], rate: 3 Hz}
    allocation: bounded
    disturbances:
      - {kind: constant, force: [1, 2]}
      - {kind: pulse, force: [1, 0, 0], period: 1 s, width: 2 s}
  - {name: rov, file: bluerov2_heavy}
  - {name: missing, file: nosuch, guidance: {part: foo}}
  - {name: rov, file: nosuch}
"""


def test_mistakes_that_took_two_rounds_are_listed_at_once() -> None:
    """One mistake of a part, sensor, disturbance, fault or vehicle hid the others of the same entry."""
    with pytest.raises(ScenarioError) as caught:
        scenario_from_text(TWO_ROUNDS)
    fields = {problem.field for problem in caught.value.problems}
    assert {
        "faults[0].vehicle",
        "faults[0].fault",
        "faults[1].at",
        "vehicles[0].sensors[0].kind",
        "vehicles[0].sensors[0].name",
        "vehicles[0].sensors[0].parameters.std",
        "vehicles[0].navigation.attitude",
        "vehicles[0].navigation.rate",
        "vehicles[0].control.max_speeds",
        "vehicles[0].control.rate",
        "vehicles[0].disturbances[0].force",
        "vehicles[0].disturbances[1].width",
        "vehicles[1].name",
        "vehicles[2].file",
        "vehicles[2].guidance.part",
        "vehicles[3].name",
    } <= fields
    assert "faults[1].vehicle" not in fields  # its vehicle is there, only its file is not
