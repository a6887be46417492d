"""Bundled scenarios through the loop: they reproduce what was flown without it, and a stop changes nothing."""

import math
import pickle
import re
from dataclasses import replace

import numpy as np
import pytest

from remora.control import simu2vita_control
from remora.equations.algebra.quaternions import from_euler_zyx, to_euler_zyx
from remora.guidance import Sinusoid, TunnelGoal, simu2vita_guidance
from remora.logs import read_log
from remora.run.loop.loop import Loop, run
from remora.scenarios import read_scenario, scenario_from_text, scenario_names
from remora.scenarios.library import scenario_path
from remora.vehicles import load_vehicle
from remora.world import Rectangle, Tunnel
from tunnel_oracle import cascaded, fly


def flown(setup, steps, every=1):
    """States of the first vehicle at every so many steps, the start first."""
    loop = Loop(setup)
    states = [loop.vehicles[0].state.copy()]
    for k in range(every, steps + 1, every):
        loop.advance(k)
        states.append(loop.vehicles[0].state.copy())
    return np.array(states)


def test_tunnel_mission_comes_out_as_without_the_loop():
    mission = fly(20.0)
    states = flown(read_scenario("tunnel"), 8000)
    assert np.abs(states[:, :13] - mission.states).max() < 1e-12
    assert np.abs(states[:, 13:] - mission.outputs).max() < 1e-10


def test_the_twin_of_the_real_run_comes_out_as_without_the_loop():
    """Without noise: what is left over is the start, which the scenario rounds to 0.1 micrometres."""
    text = scenario_path("real_tunnel_twin").read_text()
    quiet = re.sub(r"(std|wander): [0-9.]+ (cm|deg)", r"\1: 0 \2", text)
    yaw, parameters = math.radians(-137.0), load_vehicle("vita1").parameters
    tunnel = Tunnel(Rectangle(3.8, 3.8), heading=yaw, length=100.0)
    mission = fly(
        20.0,
        tunnel,
        (tunnel.point(1.0, 0.2, 0.0), from_euler_zyx(0.0, 0.0, yaw + math.radians(3.0))),
        TunnelGoal(surge=0.25, q_NB=from_euler_zyx(0.0, 0.0, yaw)),
        simu2vita_guidance(Sinusoid(0.6, 40.0)),
        simu2vita_control(parameters, lateral_derivative=15.0, vertical_derivative=20.0, orientation=False),
        cascaded(parameters),
    )
    states = flown(scenario_from_text(quiet), 8000)
    assert quiet != text
    assert np.abs(states[:, :13] - mission.states).max() < 1e-6


def test_navigation_from_truth_takes_its_attitude_from_a_sensor_where_one_is_named(tmp_path):
    setup = read_scenario("real_tunnel_twin", {"duration": "2 s", "seed": 3})
    run(setup, tmp_path / "run.mcap")
    log = read_log(tmp_path / "run.mcap")
    true, known = log.series["vita1/truth"], log.series["vita1/estimate"]
    attitude, motion = ([name for name in true.channel.names if name.startswith(start)] for start in ("q_", ("v", "w")))
    apart = known.table(*attitude)[1:] - true.table(*attitude)[1:]
    assert 1e-4 < np.abs(apart).max() < 0.1
    assert np.array_equal(known.table(*motion)[1:-1], true.table(*motion)[1:-1])  # the last state comes after it


def test_dive_and_turn_dives_and_turns():
    end = flown(read_scenario("dive_and_turn"), 6000, 6000)[-1]
    heading = math.degrees(to_euler_zyx(tuple(end[3:7]))[2])
    assert end[2] == pytest.approx(5.0, abs=0.1)
    assert heading == pytest.approx(90.0, abs=2.0)
    assert np.abs(end[7:13]).max() < 0.1


def test_real_tunnel_is_followed_by_its_sensors_alone():
    setup = read_scenario("real_tunnel")
    states = flown(setup, 24_000, 200)[80:]
    _, across, down = np.array([setup.environment.scene.tunnels[0].in_tunnel_axes(state[:3]) for state in states]).T
    assert np.abs(across).max() < 0.125  # half of the 0.25 m by which the article's readings differ
    assert np.abs(down).max() == pytest.approx(0.3, abs=0.05)  # half of the swinging reference
    assert states[:, 7].mean() == pytest.approx(0.25, rel=0.05)


def test_flatfish_swings_about_its_place():
    states = flown(read_scenario("flatfish_excitation"), 14_000, 10)[300:]
    assert states[:, 1].max() == pytest.approx(1.5, abs=0.1)
    assert states[:, 1].min() == pytest.approx(-1.5, abs=0.1)
    assert np.abs(states[:, (0, 2)] - [0.0, 3.0]).max() < 0.01


def test_two_vehicles_stay_where_they_belong():
    loop = Loop(read_scenario("two_vehicles"))
    loop.advance(1900)
    keeper, walker = (vehicle.state[:3] for vehicle in loop.vehicles)
    assert np.abs(keeper - [0.0, 0.0, 4.0]).max() < 0.5
    assert np.abs(walker - [-3.0, 3.0, 4.0]).max() < 0.2  # the end of its first leg


@pytest.mark.parametrize("name", scenario_names())
def test_shipped_scenarios_run_and_are_logged(name, tmp_path):
    """Compiled or not: whatever runs as compiled code gives the log of Python."""
    setup = read_scenario(name)
    setup = replace(setup, duration_ns=2_000_000_000)
    assert run(setup, tmp_path / "run.mcap").stopped == ""
    log = read_log(tmp_path / "run.mcap")
    assert log.header.scenario_hash == setup.scenario_hash
    assert {f"{vehicle.name}/truth" for vehicle in setup.vehicles} <= set(log.channels)
    run(replace(setup, compiled=False), tmp_path / "plain.mcap")
    plain = read_log(tmp_path / "plain.mcap")
    assert list(plain.channels) == list(log.channels)
    for channel in log.channels:
        one, other = log[channel], plain[channel]
        assert np.array_equal(one.time_ns, other.time_ns)
        assert np.allclose(one.table(), other.table(), rtol=0.0, atol=1e-12, equal_nan=True)


def test_a_run_taken_up_again_is_the_same_run():
    """Noise, chance and scatter are functions of seed, name and time, so a new process goes on to the same bits."""
    whole = Loop(read_scenario("two_vehicles"))
    whole.advance(1100)
    snapshot = whole.snapshot()
    whole.advance(1400)
    resumed = Loop(read_scenario("two_vehicles"))
    resumed.restore(snapshot)
    resumed.advance(1400)
    for one, other in zip(whole.vehicles, resumed.vehicles, strict=True):
        assert np.array_equal(one.state, other.state)


@pytest.mark.parametrize("name", ["tunnel", "two_vehicles"])
def test_a_setup_travels_to_other_processes(name):
    setup = read_scenario(name)
    one, other = Loop(setup), Loop(pickle.loads(pickle.dumps(setup)))
    for loop in (one, other):
        loop.advance(50)
    for a, b in zip(one.vehicles, other.vehicles, strict=True):
        assert np.array_equal(a.state, b.state)


def test_the_seed_decides():
    text = "name: a\nduration: 1 s\nseed: {}\nvehicles: [{{name: rov, file: vita1, scatter: {{mass: 5 %}}}}]\n"
    masses = [scenario_from_text(text.format(seed)).vehicles[0].plant.vehicle.parameters.mass for seed in (1, 1, 2)]
    assert masses[0] == masses[1] != masses[2]


def test_commands_by_the_clock_reach_the_actuators():
    text = """\
name: a
duration: 4 s
vehicles:
  - name: rov
    file: vita1
    commands:
      - {at: 1 s, set: {front_port: 10 N, rear_port: -5}}
      - {at: 2 s, set: {front_port: 0 N}}
"""
    loop = Loop(scenario_from_text(text))
    seen = []
    for k in (100, 150, 250):
        loop.advance(k)
        loop.advance(k + 1)
        seen.append(loop.vehicles[0].actuators.commands[[1, 3]].tolist())
    assert seen == [[10.0, -5.0], [10.0, -5.0], [0.0, -5.0]]


def test_without_saturation_outputs_exceed_their_limits():
    text = """\
name: a
duration: 3 s
vehicles:
  - name: rov
    file: vita1
    actuators: {{saturation: {}}}
    commands: [{{at: 0 s, set: {{front_port: 100 N}}}}]
"""
    outputs = {}
    for word in ("true", "false"):
        loop = Loop(scenario_from_text(text.format(word)))
        loop.advance(loop.steps)
        outputs[word] = loop.vehicles[0].state[14]
    assert outputs["true"] == pytest.approx(51.48, abs=1e-5)
    assert outputs["false"] == pytest.approx(100.0, abs=1e-4)


def test_the_open_sea_is_all_there(tmp_path):
    """The line is caught and freed, the current steps up, and the vehicle ends up leaning on the crate."""
    assert run(read_scenario("open_sea"), tmp_path / "run.mcap").warnings == ()
    log = read_log(tmp_path / "run.mcap")
    told = [event.text for event in log.events if event.level == "warning"]
    assert told[:3] == [
        "snag: the tether is caught after 6 m",
        "snag ends",
        "current: the current changes by 0.1, 0, 0 m/s",
    ]
    assert told[3] == "touches crate"
    assert np.abs(log["rov/truth"].table()[-1, :3] - [3.4, 1.15, 11.2]).max() < 0.3
