"""Bundled missions with sensors and filter in the loop reach their ends without a warning."""

import math

import numpy as np
import pytest

from remora.equations.algebra.quaternions import to_euler_zyx
from remora.run.loop.loop import Loop, run_loop
from remora.scenarios import read_scenario

MISSIONS = (
    "bluerov_station",
    "falcon_adaptive",
    "falcon_pid",
    "flatfish_resident",
    "pilot_hold",
    "remote_pilot",
    "torpedo_survey",
)


@pytest.mark.parametrize("name", MISSIONS)
def test_the_mission_is_flown_by_sensors_and_filter(name):
    vehicle = read_scenario(name).vehicles[0]
    assert vehicle.sensors
    assert not any(part.sees_truth for part in vehicle.parts)
    assert type(vehicle.parts[0].part).__name__ == "NavigationFilter"


def flown(name, every=20):
    """True states five times a second; the run must end as asked, with its mission reached."""
    loop = Loop(read_scenario(name))
    states = []
    for k in range(every, loop.steps, every):
        loop.advance(k)
        states.append(loop.vehicles[0].state[:13].copy())
    outcome = run_loop(loop)
    assert not outcome.stopped
    assert not outcome.warnings  # unfinished missions are a warning
    return np.array(states)


def heading(state):
    return to_euler_zyx(tuple(state[3:7]))[2]


@pytest.mark.parametrize("name", ["falcon_pid", "falcon_adaptive"])
def test_a_falcon_goes_to_its_waypoint_and_back(name):
    states = flown(name)
    assert np.linalg.norm(states[:, :3] - (1.5, 0.8, 1.9), axis=1).min() < 0.15
    assert math.dist(states[-1, :3], (0.0, 0.0, 1.6)) < 0.15


def test_a_flatfish_inspects_the_pipeline_where_it_lies_and_docks():
    """The pipeline lies 0.5 m east of its chart."""
    states = flown("flatfish_resident")
    over = states[(states[:, 0] > 13.0) & (states[:, 0] < 19.0)][:40]
    assert np.abs(over[:, 1] - 1.5).max() < 0.4
    assert over[-1, 1] == pytest.approx(1.5, abs=0.25)
    assert math.dist(states[-1, :3], (0.0, 0.0, 6.0)) < 0.1
    assert abs(heading(states[-1])) < math.radians(5.0)
    assert np.linalg.norm(states[-1, 7:10]) < 0.05


def test_a_bluerov_keeps_its_station_through_the_failure_of_a_thruster():
    """RMS after the failure within twice the healthy one, on a tether in current and waves."""
    states = flown("bluerov_station")
    healthy, broken = states[50:100], states[150:]  # 10 to 20 s, and from 10 s after the failure on
    rms = [float(np.sqrt(np.mean(np.sum((part[:, :3] - (0.0, 0.0, 6.0)) ** 2, axis=1)))) for part in (healthy, broken)]
    assert rms[1] < 0.15
    assert rms[1] < 2.0 * rms[0]


def test_a_torpedo_follows_its_lines_in_a_cross_current():
    states = flown("torpedo_survey")
    first = states[(states[:, 1] < 10.0) & (states[:, 0] > 30.0) & (states[:, 0] < 50.0)]
    assert len(first) > 20
    assert np.abs(first[:, 1]).max() < 1.5
    assert math.degrees(abs(heading(first[-1]))) > 4.0  # it crabs against the current


def test_a_pilot_moves_a_vehicle_that_holds_depth_and_heading():
    states = flown("pilot_hold")
    at = {k: states[5 * k - 1] for k in (2, 8, 14, 18, 22, 55)}
    ahead = at[8][0] - at[2][0]
    assert 1.2 < ahead < 2.2  # 0.3 m/s for 6 s
    assert abs(at[8][2] - at[2][2]) < 0.1
    assert abs(heading(at[8]) - heading(at[2])) < math.radians(3.0)
    assert 0.4 < at[14][2] - at[8][2] < 0.75  # 0.1 m/s for 6 s
    assert 0.25 < heading(at[18]) - heading(at[14]) < 0.5  # 0.1 rad/s for 4 s
    assert np.linalg.norm(at[55][7:10]) < 0.03


def test_a_pilot_behind_a_second_of_delay_arrives_and_stays():
    states = flown("remote_pilot")
    goal = np.array([3.0, 3.0, 5.0])
    assert np.linalg.norm(states[-50:, :3] - goal, axis=1).max() < 0.3
