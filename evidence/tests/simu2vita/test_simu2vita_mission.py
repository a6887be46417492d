"""The simulated tunnel mission of Gava et al. 2022 in closed loop, against the figures of two independent programs.

The article prints gains neither of guidance nor of control; with those of `simu2vita_control` and `simu2vita_guidance`
two independently written programs agree in every digit below.
"""

import math

import numpy as np
import pytest

from remora.equations.algebra.quaternions import from_euler_xyz, from_euler_zyx, normalize, to_euler_zyx
from remora_evidence.studies.simu2vita.mission import settling_time
from tunnel_oracle import ATTITUDE, fly

pytestmark = pytest.mark.xdist_group("simu2vita")


@pytest.fixture(scope="module")
def mission():
    return fly(80.0)


@pytest.fixture(scope="module")
def angles(mission):
    return np.degrees([to_euler_zyx(tuple(q)) for q in mission.states[:, 3:7].tolist()])


def at(mission, seconds):
    return mission.states[round(seconds / 0.0025)]


def test_the_start_is_the_printed_one():
    """S2V-02: R_x R_y R_z of -5, 20 and 15 degrees, and not the usual order."""
    angles = [math.radians(a) for a in (-5.0, 20.0, 15.0)]
    assert from_euler_xyz(*angles) == pytest.approx(ATTITUDE, abs=1e-4)
    assert from_euler_zyx(*angles) != pytest.approx(normalize(ATTITUDE), abs=1e-2)


def test_readings_at_the_start(mission):
    """S2V-11."""
    assert mission.readings[0] == pytest.approx([2.793, 4.855, 2.905, 5.041], abs=0.0005)


@pytest.mark.parametrize(
    ("seconds", "place"), [(10, (4.082, 0.511, -0.527)), (20, (6.096, -0.004, 0.006)), (60, (14.097, 0.0, 0.0))]
)
def test_where_it_is_when(mission, seconds, place):
    assert at(mission, seconds)[:3] == pytest.approx(place, abs=0.0006)


def test_readings_become_equal(mission):
    """S2V-01: 3.70 m on all four; within 5 cm after 15.8 s and within 1 cm after 19.4 s."""
    errors = mission.readings - 3.70
    assert settling_time(mission.reading_times, errors, 0.05) == pytest.approx(15.8, abs=0.1)
    assert settling_time(mission.reading_times, errors, 0.01) == pytest.approx(19.4, abs=0.1)
    assert np.abs(errors[-1]).max() < 0.01


def test_surge(mission):
    """S2V-03: within 1 cm/s of 0.2 m/s after 8.2 s, overshoot 1.8 %."""
    surge = mission.states[:, 7]
    assert settling_time(mission.times, surge - 0.2, 0.01) == pytest.approx(8.2, abs=0.1)
    assert surge.max() / 0.2 - 1.0 == pytest.approx(0.018, abs=0.0005)
    assert surge[-1] == pytest.approx(0.2, abs=0.002)


def test_sway_and_heave_have_like_profiles(mission):
    """S2V-06: -0.103 and +0.113 m/s at about 8.5 s."""
    sway, heave = mission.states[:, 8], mission.states[:, 9]
    assert sway.min() == pytest.approx(-0.103, abs=0.0005)
    assert heave.max() == pytest.approx(0.113, abs=0.0005)
    assert mission.times[sway.argmin()] == pytest.approx(8.5, abs=0.1)
    assert mission.times[heave.argmax()] == pytest.approx(8.5, abs=0.1)
    assert np.corrcoef(sway[:12_000], -heave[:12_000])[0, 1] > 0.95


def test_attitude(mission, angles):
    """S2V-04: pitch and yaw below 1 degree after 9.2 and 8.5 s; peak rates 0.5, 6.3 and 2.6 degrees per second."""
    assert settling_time(mission.times, angles[:, 1], 1.0) == pytest.approx(9.2, abs=0.1)
    assert settling_time(mission.times, angles[:, 2], 1.0) == pytest.approx(8.5, abs=0.1)
    rates = np.degrees(mission.states[:, 10:13])
    assert np.abs(rates).max(axis=0) == pytest.approx([0.5, 6.3, 2.6], abs=0.05)
    assert np.abs(angles[-1]).max() < 0.5
    assert np.abs(rates[-1]).max() < 0.1
    assert angles[:, 1].min() > -2.0
    assert angles[:, 2].min() > -2.0


def test_centring(mission):
    """S2V-05: overshoots of 7.5 and 11.8 mm; backs by 2.7 mm until 1.2 s, then only goes ahead."""
    north, east, down = mission.states[:, :3].T
    assert -1e3 * east.min() == pytest.approx(7.5, abs=0.06)
    assert 1e3 * down.max() == pytest.approx(11.8, abs=0.06)
    assert 1e3 * (3.0 - north.min()) == pytest.approx(2.7, abs=0.06)
    assert mission.times[north.argmin()] == pytest.approx(1.2, abs=0.06)
    assert np.all(np.diff(north[800:]) > 0.0)
    assert abs(east[-1]) < 0.01
    assert abs(down[-1]) < 0.01


def test_thrusters(mission):
    """Largest command 3.96 N; steady +-2.963 N horizontally, whose pitch the verticals hold with -+1.484 N."""
    assert np.abs(mission.commands).max() == pytest.approx(3.96, abs=0.006)
    steady = [2.963, 2.963, -2.963, -2.963, -1.484, -1.484, 1.484, 1.484]
    assert mission.commands[-1] == pytest.approx(steady, abs=0.0006)
    assert mission.commands[-1, :4] @ [0.70711, 0.70711, -0.70711, -0.70711] == pytest.approx(8.38, abs=0.005)


def test_the_same_run_twice_is_the_same(mission):
    again = fly(5.0)
    assert np.array_equal(again.states, mission.states[: len(again.states)])
    assert np.array_equal(again.commands, mission.commands[: len(again.commands)])
