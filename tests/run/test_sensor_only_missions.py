"""Bundled scenarios that fly with sensors only do what their titles say."""

import math

import numpy as np
import pytest

from remora.equations.algebra.quaternions import to_euler_zyx
from remora.run.loop.loop import Loop
from remora.scenarios import read_scenario

MISSIONS = ("bluerov_square", "falcon_boathouse", "gavia_survey", "remus_dive")


def flown(name):
    """Time, true position, attitude in degrees and twist ten times a second."""
    loop = Loop(read_scenario(name))
    rows = []
    for k in range(10, loop.steps + 1, 10):
        loop.advance(k)
        state = loop.vehicles[0].state
        rows.append((1e-2 * k, *state[:3], *np.degrees(to_euler_zyx(tuple(state[3:7]))), *state[7:13]))
    return np.array(rows)


def closest_in_order(track, points, within):
    """Closest approach to each of some points, each looked for after the one before was reached within a distance."""
    distances, start = [], 0
    for point in points:
        away = np.linalg.norm(track[start:, : len(point)] - point, axis=1)
        distances.append(away.min())
        reached = np.flatnonzero(away <= within)
        start += int(reached[0]) if reached.size else 0
    return np.array(distances)


@pytest.mark.parametrize("name", MISSIONS)
def test_no_part_of_a_mission_sees_the_truth(name):
    for vehicle in read_scenario(name).vehicles:
        assert vehicle.sensors
        assert not any(part.sees_truth for part in vehicle.parts)


def test_a_bluerov2_heavy_flies_a_square_by_its_sensors():
    run = flown("bluerov_square")
    corners = [(1.0, 1.0, 3.0), (5.0, 1.0, 3.0), (5.0, 5.0, 3.0), (1.0, 5.0, 3.0), (1.0, 1.0, 3.0)]
    assert closest_in_order(run[:, 1:4], corners, 0.15).max() < 0.15
    settled = run[run[:, 0] > 20.0]
    assert np.abs(settled[:, 3] - 3.0).max() < 0.15
    assert np.abs(settled[:, 4:6]).max() < 5.0
    assert run[-1, 6] == pytest.approx(-90.0, abs=2.0)


def test_a_falcon_visits_three_places_and_comes_back_by_its_sensors():
    run = flown("falcon_boathouse")
    places = [(2.0, 0.0, 1.8), (2.0, 1.5, 1.8), (0.5, 1.5, 2.0), (0.0, 0.0, 1.6)]
    assert closest_in_order(run[:, 1:4], places, 0.2).max() < 0.2
    assert run[-1, 1:4] == pytest.approx(places[-1], abs=0.2)
    assert np.abs(run[:, 6]).max() < 10.0


def test_a_gavia_surveys_its_lines_by_its_sensors():
    run = flown("gavia_survey")
    corners = [(120.0, 0.0), (120.0, 50.0), (0.0, 50.0), (0.0, 0.0)]
    assert closest_in_order(run[:, 1:3], corners, 4.0).max() < 4.0
    out = run[(run[:, 0] < 90.0) & (run[:, 1] > 40.0) & (run[:, 1] < 110.0)]
    back = run[(run[:, 0] > 90.0) & (run[:, 2] > 40.0) & (run[:, 1] > 15.0) & (run[:, 1] < 80.0)]
    assert len(out) > 350
    assert len(back) > 350
    assert np.abs(out[:, 2]).max() < 1.0
    assert np.abs(back[:, 2] - 50.0).max() < 1.0
    settled = run[run[:, 0] > 25.0]
    assert np.abs(settled[:, 3] - 5.0).max() < 0.3
    assert settled[:, 7] == pytest.approx(1.6, abs=0.1)


def test_a_remus_holds_depth_and_heading_by_its_sensors_though_its_hull_is_unstable_on_course():
    run = flown("remus_dive")
    before, after = run[(run[:, 0] > 45.0) & (run[:, 0] < 60.0)], run[run[:, 0] > 100.0]
    assert np.abs(before[:, 3] - 8.0).max() < 0.4
    assert np.abs(before[:, 6]).max() < 1.5
    assert np.abs(after[:, 3] - 8.0).max() < 0.2
    assert np.abs(after[:, 6] - 90.0).max() < 1.5
    assert after[:, 7] == pytest.approx(1.3, abs=0.05)
    turning = run[(run[:, 0] > 60.0) & (run[:, 0] < 95.0)]
    assert math.degrees(turning[80:160, 12].mean()) == pytest.approx(3.0, abs=0.3)  # the turn rate it is limited to
