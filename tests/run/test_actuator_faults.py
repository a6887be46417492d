"""Faults of thrusters and fins: each is injected by one line, is seen in what the actuator does, and is in the log."""

import math
from pathlib import Path

import numpy as np
import pytest
from fault_runs import closed_loop, logged, open_loop, told

from remora.equations.algebra.quaternions import to_euler_zyx
from remora.run.loop.loop import Loop, run

SECONDS = 100  # rows of the log


def outputs(faults, tmp_path, name="front_port", **options):
    outcome, log = logged(open_loop(faults, **options), tmp_path)
    assert outcome.stopped == ""
    return log, log["rov/outputs"][name], log["rov/limited"][name]


def test_a_dead_thruster_runs_down_and_comes_back(tmp_path: Path) -> None:
    log, out, given = outputs("{fault: dead, of: front_port, at: 1 s, until: 2 s}", tmp_path)
    assert out[1 * SECONDS] > 4.0
    assert np.all(given[SECONDS : 2 * SECONDS] == 0.0)
    assert abs(out[2 * SECONDS]) < 0.05
    assert out[4 * SECONDS] > 4.9
    assert np.all(log["rov/commands"]["front_port"][SECONDS:] == 5.0)  # what was asked for stays in the log
    assert told(log, "rov/front_port") == [(1.0, "warning", "begins"), (2.0, "warning", "ends")]


def test_a_stuck_thruster_stays_where_it_is(tmp_path: Path) -> None:
    """It is on its way up when it sticks, and stays there to the last digit, whatever is asked."""
    _, out, _ = outputs("{fault: stuck, of: front_port, at: 0.6 s}", tmp_path)
    assert 0.1 < out[60] < 4.9
    assert np.allclose(out[60:], out[60], rtol=0.0, atol=1e-12)


def test_a_stuck_thruster_goes_to_the_value_it_is_stuck_at(tmp_path: Path) -> None:
    log, out, given = outputs("{fault: stuck, of: front_port, at: 1 s, value: -0.5 kgf}", tmp_path)
    assert given[-1] == pytest.approx(-0.5 * 9.80665)
    assert out[-1] == pytest.approx(given[-1], abs=1e-3)
    event = next(e for e in log.events if e.source == "rov/front_port")
    assert event.data["value"] == pytest.approx(-0.5 * 9.80665)


def test_a_reversed_thruster_pushes_the_other_way(tmp_path: Path) -> None:
    _, right, _ = outputs("", tmp_path)
    _, wrong, given = outputs("{fault: reversed, of: front_port}", tmp_path)
    assert given[-1] == -5.0
    assert np.allclose(wrong, -right, atol=1e-12)


@pytest.mark.parametrize("file", ["bluerov2_heavy", "vita1"])
def test_a_partial_thruster_pushes_its_share(file: str, tmp_path: Path) -> None:
    """At the first instant the acceleration is that of the share of the force: from two runs, whole and partial."""
    names = open_loop("", "", file).vehicles[0].plant.actuator_names
    accelerations = []
    for share in (100, 40, 0):
        setup = open_loop(f"{{fault: partial, of: {names[0]}, share: {share} %}}", f"{names[0]}: 3", file)
        _, log = logged(setup, tmp_path)
        accelerations.append(log["rov/truth"].table("v_NB_B_x", "v_NB_B_y", "w_NB_B_z")[60])
    rest = accelerations[2]
    assert np.allclose(accelerations[1] - rest, 0.4 * (accelerations[0] - rest), rtol=2e-2, atol=1e-6)
    assert np.abs(accelerations[0] - rest).max() > 1e-4


def test_a_thruster_with_a_command_map_rests_and_sticks(tmp_path: Path) -> None:
    """The falcon takes a share of full power; stuck means that the shaft keeps its speed."""
    commands = "vertical: 30"
    _, out, _ = outputs("{fault: stuck, of: vertical, at: 1.5 s, until: 3 s}", tmp_path, "vertical", commands=commands,
                        file="falcon")  # fmt: skip
    assert abs(out[150]) > 1.0
    assert np.allclose(out[150:300], out[150], rtol=1e-9)
    _, out, given = outputs("{fault: dead, of: vertical, at: 1 s}", tmp_path, "vertical", commands=commands,
                            file="falcon")  # fmt: skip
    assert given[-1] == 0.0
    assert abs(out[-1]) < 0.1 * abs(out[100])


def test_a_fin_sticks_at_an_angle_and_turns_the_vehicle(tmp_path: Path) -> None:
    names = open_loop("", "", "remus100").vehicles[0].plant.actuator_names
    parameters = open_loop("", "", "remus100").vehicles[0].plant.vehicle.parameters
    fin = parameters.fin_names[0]
    assert fin in names
    _, straight, _ = outputs("", tmp_path, fin, commands="", file="remus100", surge=1.5)
    log, out, _ = outputs(f"{{fault: stuck, of: {fin}, at: 1 s, value: 8 deg}}", tmp_path, fin, commands="",
                          file="remus100", surge=1.5)  # fmt: skip
    assert np.all(straight == 0.0)
    assert out[-1] == pytest.approx(np.radians(8.0), abs=1e-3)
    turn = log["rov/truth"].table("w_NB_B_y", "w_NB_B_z")
    assert np.abs(turn[:100]).max() < 0.2 * np.abs(turn[-1]).max()


def test_a_partial_fin_lifts_its_share(tmp_path: Path) -> None:
    fin = open_loop("", "", "remus100").vehicles[0].plant.vehicle.parameters.fin_names[0]
    rates = []
    for share in (1.0, 0.5, 0.0):
        faults = f"{{fault: partial, of: {fin}, share: {share}}}, {{fault: stuck, of: {fin}, value: 5 deg}}"
        _, log = logged(open_loop(faults, "", "remus100", surge=1.0), tmp_path)
        rates.append(log["rov/truth"].table("w_NB_B_y", "w_NB_B_z")[5])
    assert np.abs(rates[0] - rates[2]).max() > 1e-4
    assert np.allclose(rates[1] - rates[2], 0.5 * (rates[0] - rates[2]), rtol=3e-2, atol=1e-7)


def test_faults_of_one_actuator_go_one_after_the_other(tmp_path: Path) -> None:
    both = "{fault: reversed, of: front_port}, {fault: dead, of: front_port, at: 2 s, until: 3 s}"
    _, _, given = outputs(both, tmp_path)
    assert (given[150], given[250], given[350]) == (-5.0, 0.0, -5.0)


@pytest.mark.parametrize("allocation", ["bounded", "pseudo_inverse"])
def test_a_fault_tolerant_allocation_drops_a_thruster_within_one_period(allocation: str, tmp_path: Path) -> None:
    line = "{fault: dead, of: front_port, at: 1.03 s, until: 3 s, allocation: fault_tolerant}"
    _, log = logged(closed_loop(line, allocation), tmp_path)
    asked, times = log["rov/commands"]["front_port"], log["rov/commands"].time
    out = (times >= 1.05) & (times < 2.995)
    assert asked[times < 1.0].any()
    assert np.abs(asked[out]).max() < 1e-12  # the next step of the allocation is at 1.05 s
    assert asked[times > 3.04].any()
    words = [(round(e.time_ns * 1e-9, 3), e.text, e.data["disabled"]) for e in log.events if "disabled" in e.data]
    assert words == [
        (1.03, "does without front_port", ["front_port"]),
        (3.0, "uses all thrusters again", []),
    ]


def test_a_nominal_allocation_keeps_using_a_dead_thruster(tmp_path: Path) -> None:
    _, log = logged(closed_loop("{fault: dead, of: front_port, at: 1 s}"), tmp_path)
    after = log["rov/commands"].time > 1.0
    assert np.abs(log["rov/commands"]["front_port"][after]).max() > 0.1
    assert np.all(log["rov/limited"]["front_port"][after] == 0.0)


def test_the_directions_that_are_lost_are_named(tmp_path: Path) -> None:
    names = ("vertical_front_port", "vertical_front_starboard", "vertical_rear_port", "vertical_rear_starboard")
    faults = ", ".join(f"{{fault: dead, of: {name}, at: 1 s, allocation: fault_tolerant}}" for name in names)
    _, log = logged(closed_loop(faults), tmp_path)
    event = next(e for e in log.events if "disabled" in e.data)
    assert set(event.data["disabled"]) == set(names)
    assert set(event.data["lost"]) == {"heave", "roll", "pitch"}
    assert "cannot make heave, roll, pitch" in event.text


def test_fault_tolerant_allocation_comes_closer_than_nominal() -> None:
    """One of eight thrusters is dead from the start: who knows it holds heading and place better."""
    places, turns = [], []
    for word in ("fault_tolerant", "nominal"):
        loop, distances = Loop(closed_loop(f"{{fault: reversed, of: front_port, allocation: {word}}}")), []
        while loop.step < loop.steps:
            loop.advance(min(loop.steps, loop.step + 10))
            distances.append(math.dist(loop.vehicles[0].state[:3], (2.0, 1.0, 5.5)))
        places.append(sum(distances) / len(distances))
        turns.append(abs(0.4 - to_euler_zyx(tuple(loop.vehicles[0].state[3:7].tolist()))[2]))
    assert places[0] < 0.85 * places[1]
    assert turns[0] < 0.1 * turns[1]


def test_a_run_without_log_has_the_same_faults() -> None:
    dead = "{fault: dead, of: front_port, at: 1 s, allocation: fault_tolerant}"
    faults = f"{dead}, {{fault: partial, of: rear_port, share: 0.2}}"
    assert run(closed_loop(faults)).stopped == ""
