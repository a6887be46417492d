"""Parts of guidance by themselves: depth and heading over time, legs over a bed, walls and tunnels."""

import math

import pytest

from remora.equations.algebra.quaternions import from_euler_zyx
from remora.guidance import LineOfSight, TunnelGoal, TunnelMeasurements, id1, simu2vita_guidance
from remora.guidance.parts.dive_and_turn import CourseLegs, DiveAndTurn
from remora.guidance.parts.hold_and_tunnel import TunnelReferences
from remora.guidance.parts.legs import BedLegs, LegPart
from remora.guidance.parts.mission_soundings import Altimeter
from remora.guidance.parts.wall_following import WallFollowing
from remora.messages.estimate import POSITION, Estimate
from remora.messages.part import PartInput
from remora.messages.reading import Reading, Status
from remora.navigation.echosounders import Echosounders

SECOND = 1_000_000_000
LEVEL = (1.0, 0.0, 0.0, 0.0)


def given(seconds, p=(0.0, 0.0, 5.0), q_NB=LEVEL, **ranges):
    """Input with the ranges of echosounders, measured now; None is silent."""
    time_ns = round(seconds * SECOND)
    readings = {
        name: Reading(f"rov/{name}", time_ns, time_ns, Status.OK, (value,))
        for name, value in ranges.items()
        if value is not None
    }
    estimate = Estimate(time_ns, p, q_NB, (0.0,) * 6)
    return PartInput(time_ns, (), readings, estimate, None, (0.0,) * 6, (0.0,) * 6, None)


def test_a_dive_drives_ahead_then_turns_then_stops():
    dive = DiveAndTurn(5.0, 1.0, 0.5, 20 * SECOND, 35 * SECOND, 50 * SECOND)
    asked = [dive.step((), given(seconds))[1] for seconds in (10.0, 30.0, 40.0, 60.0)]
    assert [(one.heading, one.speed) for one in asked] == [(0.0, 0.0), (0.0, 0.5), (1.0, 0.5), (1.0, 0.0)]
    assert {one.depth for one in asked} == {5.0}


def test_id1_swings_about_the_heading_of_its_start_and_below_its_depth():
    turn, start = math.radians(20.0), 3.0
    part = CourseLegs(id1(1.5, turn, 6.0), 2.0, start, 10 * SECOND)
    asked = [part.step((), given(float(seconds)))[1] for seconds in range(920)]
    turned = [math.remainder(one.heading - start, math.tau) for one in asked]
    assert turned[:10] == [0.0] * 10
    assert (min(turned), max(turned)) == (pytest.approx(-turn), pytest.approx(turn))
    assert all(-math.pi <= one.heading <= math.pi for one in asked)
    assert (min(one.depth for one in asked), max(one.depth for one in asked)) == (2.0, 8.0)


def test_where_a_sloping_bed_is_lost_its_last_depth_is_followed():
    """A bed that falls by 1 in 5 under a vehicle at 1 m/s: without an echo nothing says that it falls on."""
    legs = LegPart(LineOfSight(((500.0, 0.0, 5.0),), 1.0), (POSITION,), (0.0, 0.0, 5.0))
    part = BedLegs(legs, Altimeter("echo", 0), 2.0)
    state = part.initial()
    for k in range(600):
        north = 0.1 * k
        bed, is_seen = 10.0 + 0.2 * north, k < 400
        depth = bed - 2.0 if is_seen else 15.98
        range_ = bed - depth if is_seen else None
        state, asked = part.step(state, given(0.1 * k, (north, 0.0, depth), echo=range_))
        if k == 399:
            assert asked.depth > bed - 2.0 + 0.5  # ahead of the slope while it is seen
    assert asked.depth == pytest.approx(10.0 + 0.2 * 39.9 - 2.0, abs=0.05)
    assert "echo does not see the bed" in part.lost_target(state)


@pytest.mark.parametrize("side", [-1.0, 1.0])
def test_a_vehicle_goes_towards_a_wall_that_is_too_far_and_away_from_a_near_one(side):
    wall = WallFollowing("echo", (0.0, side, 0.0), 2.0, 0.2, None, None)
    for distance in (1.5, 2.0, 2.5):
        _, asked = wall.step(wall.initial(), given(1.0, echo=distance))
        assert side * asked.velocity[1] * (distance - 2.0) >= 0.0
        assert (abs(asked.velocity[1]) > 0.1) is (distance != 2.0)
        assert asked.velocity[0] == pytest.approx(0.2)


@pytest.mark.parametrize("roll", [-0.4, 0.0, 0.4])
def test_the_distance_to_a_wall_is_horizontal(roll):
    """A rolled vehicle at its distance from an upright wall has a longer range, and stays."""
    wall = WallFollowing("echo", (0.0, 1.0, 0.0), 2.0, 0.2, None, None)
    rolled = given(1.0, q_NB=from_euler_zyx(roll, 0.0, 0.0), echo=2.0 / math.cos(roll))
    _, asked = wall.step(wall.initial(), rolled)
    assert asked.measured == pytest.approx(2.0)
    assert asked.velocity[1] == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize(
    ("lateral", "vertical", "heard", "silent"), [(None, 0.0, "up", "port"), (0.0, None, "port", "up")]
)
def test_the_walls_of_a_tunnel_that_are_not_heard_are_named(lateral, vertical, heard, silent):
    goal = TunnelGoal(surge=0.2)
    part = TunnelReferences(simu2vita_guidance(), goal, Echosounders("starboard", "port", "up", "down"))
    present = TunnelMeasurements(0.0, lateral, vertical, LEVEL)
    state, _ = part.guidance.step(part.initial(), 0, goal, present)
    assert silent in part.lost_target(state)
    assert heard not in part.lost_target(state)
