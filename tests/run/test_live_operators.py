"""Operators of a running loop: from Python, and by lines of text on loopback."""

import math
import threading

import pytest

from remora.equations.algebra.quaternions import to_euler_zyx
from remora.logs.readers.registry import read_log
from remora.messages.operator_command import Authority
from remora.run.live.listener import connected
from remora.run.live.operator_server import OperatorServer, OperatorSession
from remora.run.loop.loop import Loop, run
from remora.run.recorder import Recorder
from remora.scenarios import scenario_from_text
from remora.scenarios.load_context import ScenarioError

TEXT = """\
name: live
duration: 120 s
vehicles:
  - name: rov
    file: falcon
    position: [0, 0, 5 m]
    navigation: {part: truth, rate: 20 Hz}
    guidance: {part: pilot, rate: 20 Hz}
    control: {part: pid, rate: 20 Hz}
    allocation: {part: bounded, rate: 20 Hz, axes: [surge, sway, heave, yaw]}
"""


def test_a_waypoint_given_to_a_running_loop_is_reached_and_logged(tmp_path):
    setup = scenario_from_text(TEXT)
    loop = Loop(setup, Recorder.open(setup, tmp_path / "run.mcap"))
    loop.advance(100)
    loop.send("go_to 1 0.5 5.5 30deg")
    loop.advance(6000)
    loop.recorder.close()
    assert loop.vehicles[0].state[:3] == pytest.approx((1.0, 0.5, 5.5), abs=0.2)
    events = read_log(tmp_path / "run.mcap").events
    assert any(one.source == "rov/operator" and "go_to 1 0.5 5.5" in one.text for one in events)
    assert any("waypoint of the operator reached" in one.text for one in events)


def test_a_run_can_be_stopped_and_continued_while_an_operator_steers():
    loop = Loop(scenario_from_text(TEXT))
    loop.advance(100)
    loop.send("go_to 1 0 5")
    loop.advance(300)
    stored = loop.snapshot()
    loop.advance(600)
    again = Loop(scenario_from_text(TEXT))
    again.restore(stored)
    again.advance(600)
    assert (again.vehicles[0].state == loop.vehicles[0].state).all()


def test_the_status_tells_the_estimated_pose():
    loop = Loop(scenario_from_text(TEXT))
    loop.advance(100)
    loop.send("go_to 0.5 -0.5 5.5 40deg")
    loop.advance(3000)
    words = OperatorSession(loop).answer("status").split()
    told = {
        name: float(words[words.index(name) + 1].removesuffix("deg")) for name in ("north", "east", "down", "heading")
    }
    state = loop.vehicles[0].state.tolist()
    heading = math.degrees(to_euler_zyx(tuple(state[3:7]))[2])
    assert list(told.values()) == pytest.approx([*state[:3], heading], abs=0.1)
    assert heading > 30.0


def test_bad_lines_get_a_clear_answer_and_change_nothing():
    loop = Loop(scenario_from_text(TEXT))
    loop.advance(100)
    session, before = OperatorSession(loop), loop.vehicles[0].authority
    for line in ("", "fly", "speeds 1 2 3", "speeds 0 0 0 nan", "go_to 1 2", "boat: hold", "x" * 500, "speeds 0 0 0 0"):
        assert session.answer(line).startswith("error ")
    assert "unknown command" in session.answer("fly")
    assert "known are rov" in session.answer("boat: hold")
    assert "send take first" in session.answer("speeds 0 0 0 0")
    assert not loop.vehicles[0].has_commands
    assert loop.vehicles[0].authority == before == Authority.HOLD


OPEN_SEA = TEXT.replace("vehicles:", "water: {surface_depth: 0 m, bottom_depth: 20 m}\nvehicles:")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("go_to 1 0 25", "error go_to asks for a depth of 25 m, below the bed at 20 m"),
        (
            "go_to 1 0 -3",
            "error go_to asks for a depth of -3 m, above the surface at 0 m. Depths are positive downwards",
        ),
        ("go_to 1 0 5 90", "error heading is 90 rad, more than a full turn: degrees are written 90deg"),
        ("go_to 1 0 5 -400deg", "error heading is -400deg, more than a full turn"),
        ("go_to 4 0 5", "error go_to cannot be reached: (4, 0, 5) m lies 2 m inside the edge of keep-out zone 1"),
        ("mission", "error there is no mission: give guidance of rov one in the scenario"),
        ("go_to 1 0 19.9", "ok go_to 1 0 19.9 at 0.100 s; leaves 0.1 m to the bed"),
        ("go_to 1 0 5 -360deg", "ok go_to"),
    ],
)
def test_goals_and_commands_without_effect_are_answered_with_what_is_wrong(line, words):
    zones = "{part: pilot, rate: 20 Hz, keep_out: [{position: [4 m, 0, 0], radius: 2 m, column: true}]}"
    loop = Loop(scenario_from_text(OPEN_SEA.replace("{part: pilot, rate: 20 Hz}", zones)))
    loop.advance(10)
    assert OperatorSession(loop).answer(line).startswith(words)
    assert loop.vehicles[0].has_commands == words.startswith("ok")


def test_limited_speeds_and_commands_before_the_first_estimate_are_no_plain_ok():
    loop = Loop(scenario_from_text(TEXT))
    loop.advance(10)
    session = OperatorSession(loop)
    session.answer("take")
    assert "; surge is limited to" in session.answer("speeds 9 0 0 -0.01")
    waiting = TEXT.replace("{part: truth, rate: 20 Hz}", "{part: truth, rate: 20 Hz, start: 10 s}")
    late = Loop(scenario_from_text(waiting))
    late.advance(10)
    with pytest.raises(ValueError, match="pose of the vehicle is unknown"):
        late.send("hold")


def test_the_authority_belongs_to_the_operator_who_took_it_last():
    loop, pilots = Loop(scenario_from_text(TEXT)), {}
    loop.advance(100)
    first, second = OperatorSession(loop, pilots), OperatorSession(loop, pilots)
    assert first.answer("take").startswith("ok")
    assert second.answer("take").startswith("ok")
    loop.advance(200)
    assert "send take first" in first.answer("speeds 0 0 0 0")
    first.close()
    loop.advance(300)
    assert loop.vehicles[0].authority == Authority.PILOT
    assert second.answer("speeds 0 0 0 0").startswith("ok")
    second.close()
    loop.advance(400)
    assert loop.vehicles[0].authority == Authority.HOLD


def test_an_operator_steers_and_a_lost_connection_leads_to_station_keeping():
    loop = Loop(scenario_from_text(TEXT))
    loop.advance(10)
    with OperatorServer(loop) as server:
        operator = connected(server.port, server.token, 10.0)
        lines = operator.makefile("rw", encoding="utf-8", newline="\n")

        def asked(line):
            lines.write(line + "\n")
            lines.flush()
            return lines.readline()

        assert asked("help").startswith("ok commands")
        assert asked("nonsense").startswith("error unknown command")
        assert asked("take").startswith("ok take")
        for k in range(1, 5):
            assert asked("speeds 0.3 0 0 0").startswith("ok speeds")
            loop.advance(10 + 50 * k)
        assert "authority pilot" in asked("rov: status")
        assert loop.vehicles[0].state[7] > 0.1
        lines.close()
        operator.close()
        for _ in range(200):  # the thread of the server sees the end of the connection
            if loop.vehicles[0].has_commands:
                break
            threading.Event().wait(0.01)
        loop.advance(loop.step + 10)
        assert loop.vehicles[0].authority == Authority.HOLD
        loop.advance(loop.step + 1500)
        assert abs(loop.vehicles[0].state[7]) < 0.02


def test_silence_leads_to_station_keeping_and_speeds_are_refused_after_it():
    loop = Loop(scenario_from_text(TEXT))
    loop.advance(10)
    session = OperatorSession(loop)
    session.answer("take")
    session.answer("speeds 0.3 0 0 0")
    loop.advance(150)
    assert loop.vehicles[0].authority == Authority.PILOT
    loop.advance(300)
    assert loop.vehicles[0].authority == Authority.HOLD
    assert session.answer("speeds 0.3 0 0 0").startswith("error speeds need the authority")


def test_a_vehicle_without_a_pilot_part_takes_no_commands():
    hold = "{part: lyapunov, rate: 20 Hz, mission: [{do: rotate, heading: 0}]}"
    loop = Loop(scenario_from_text(TEXT.replace("{part: pilot, rate: 20 Hz}", hold)))
    with pytest.raises(ValueError, match="takes no commands"):
        loop.send("hold")
    with pytest.raises(ValueError, match=r"port .* cannot be used"), OperatorServer(loop) as one:
        OperatorServer(loop, one.port)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ("authority: mission", "no mission to steer by"),
        ("operator: [{at: 1 s, command: fly}]", "unknown command"),
        ("operator: [{at: 3 s, command: take}, {at: 1 s, command: hold}]", "earlier than the command before"),
        ("operator: [{at: 1 s, command: mission}]", "no mission to go on with"),
        ("operator: [{at: 1 s, command: go_to 1 0 70}]", "depth of 70 m, below the bed at 60 m"),
        ("operator: [{at: 1 s, command: go_to 1 0 -3}]", "depth of -3 m, above the surface at 0 m"),
        (
            "keep_out: [{position: [3, 0, 5], radius: 1}], operator: [{at: 1 s, command: go_to 3 0 5.5}]",
            "inside the edge of keep-out zone 1",
        ),
        ("timeout: 10 ms", "above the period"),
        ("remote: {points: [[1, 0, 5]], delay: 5 s, gain: 0.4}", r"unstable behind a delay of 5 s.*below 0\.314"),
        ("avoid: {sensors: [sonar], clearance: 1 m}", "the vehicle has no such sensor"),
        ("mission: [{do: pipeline, points: [[0, 0, 5], [9, 0, 5]]}]", "needs a fan that looks down"),
        ("mission: [{do: pipeline, points: [[0, 0, 5]]}]", "at least two points"),
    ],
)
def test_options_that_cannot_work_are_refused_before_the_run(options, reason):
    world = "water: {surface_depth: 0, bottom_depth: 60}\nvehicles:"
    with pytest.raises(ScenarioError, match=reason):
        scenario_from_text(TEXT.replace("part: pilot,", f"part: pilot, {options},").replace("vehicles:", world))


@pytest.mark.parametrize(
    ("commands", "is_warned"),
    [
        ("[{at: 1 s, command: go_to 6 0 5}]", True),
        ("[{at: 1 s, command: go_to 6 0 5}, {at: 5 s, command: hold}]", False),
        ("[{at: 1 s, command: go_to 0.2 0 5}]", False),
    ],
)
def test_a_waypoint_under_way_at_the_end_of_the_run_is_a_warning(commands, is_warned):
    text = TEXT.replace("part: pilot,", f"part: pilot, operator: {commands},").replace("120 s", "12 s")
    warnings = [one for one in run(scenario_from_text(text)).warnings if one.watch == "unfinished"]
    assert bool(warnings) == is_warned
    assert all("waypoint of the operator at 6, 0, 5 m not reached when the run ended" in str(one) for one in warnings)


WITHOUT_VELOCITY = """\
name: live
duration: 120 s
water: {surface_depth: 0 m, bottom_depth: 20 m}
faults: [{fault: off, of: depth, at: 20 s}]
vehicles:
  - name: rov
    file: bluerov2
    position: [0, 0, 5 m]
    sensors: [ahrs, gyro, depth]
    navigation: {part: instruments, rate: 50 Hz, attitude: ahrs, rates: gyro, depth: depth}
    guidance: {part: pilot, rate: 20 Hz, mode: depth_hold}
    control: {part: depth_hold, rate: 50 Hz}
    allocation: {part: bounded, rate: 50 Hz}
"""


def test_an_operator_flies_without_a_velocity_by_force_and_depth():
    loop = Loop(scenario_from_text(WITHOUT_VELOCITY))
    loop.advance(100)
    session = OperatorSession(loop)
    assert session.answer("force 1 0 0 0").startswith("error force needs the authority: send take first")
    assert session.answer("speeds 1 0 0 0").startswith("error speeds need the authority")
    assert session.answer("go_to 1 0 5").startswith("error go_to needs a velocity or position")
    assert session.answer("mission").startswith("error there is no mission: give guidance of rov one")
    assert session.answer("dive 25").startswith("error dive asks for a depth of 25 m, below the bed at 20 m")
    assert session.answer("take").startswith("ok take")
    assert session.answer("force 50 0 0 0").endswith("surge is limited to 3.58 N")
    for word in ("stabilise", "manual", "depth_hold"):
        assert session.answer(word).startswith(f"ok {word}")
    assert session.answer("force 3 0 0 0").startswith("ok force 3 0 0 0")  # it still has the authority
    loop.advance(200)
    assert loop.vehicles[0].authority == Authority.PILOT
    assert loop.vehicles[0].wrench[0] > 2.0
    status = session.answer("status")
    assert float(status.split("down ")[1].split()[0]) == pytest.approx(5.0, abs=0.1)
    assert "heading" in status
    assert "north" not in status
    assert session.answer("dive 5.5 20deg").startswith("ok dive")
    loop.advance(1900)
    assert loop.vehicles[0].state[2] == pytest.approx(5.5, abs=0.1)
    loop.advance(2300)  # without a depth sensor
    assert "depth of the vehicle unknown" in session.answer("dive 4")
    assert session.answer("take").startswith("ok take")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("operator: [{at: 1 s, command: take}, {at: 1 s, command: force 1 0 0 0}]", "mode: depth_hold"),
        ("mode: depth_hold, operator: [{at: 1 s, command: go_to 1 0 5}]", "needs a velocity or position"),
        ("mode: depth_hold, operator: [{at: 1 s, command: force 1 0 0 0}]", "Give take before it"),
        ("mode: depth_hold, mission: [{do: go_to, position: [1, 0, 5]}]", "needs a position; a mode does without"),
        ("mode: depth_hold, keep_out: [{position: [9, 9, 5], radius: 1}]", "needs a velocity or a position"),
        ("mode: depth_hold, holds_position: true", "needs a position, which a mode does without"),
        ("mode: depth_hold, mission: [{do: dive}]", '"dive" needs depth, heading or both'),
        ("mode: depth_hold, authority: mission", "no mission to steer by"),
        ("authority: hold", "follows depth and heading to hold, and forces"),
    ],
)
def test_what_the_kind_of_pilot_cannot_do_is_refused_in_a_scenario(options, words):
    with pytest.raises(ScenarioError) as caught:
        scenario_from_text(WITHOUT_VELOCITY.replace("mode: depth_hold", options))
    assert any(words in problem.message for problem in caught.value.problems)


def test_a_push_needs_a_mode():
    push = "{part: pilot, mission: [{do: push, force: [1, 0, 0], for: 2}],"
    with pytest.raises(ScenarioError, match="is a force, but this guidance gives velocities"):
        scenario_from_text(TEXT.replace("{part: pilot,", push))
