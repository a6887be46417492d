"""Waypoints by themselves: tolerances, waiting, staying."""

import math
from itertools import pairwise

import pytest

from remora.guidance.waypoints import MAX_LEAD, PATIENCE, Waypoint, WaypointGuidance, on_leg

POINTS = (Waypoint((4.0, 0.0, 0.0), 0.0, 0.5, 2.0), Waypoint((4.0, 3.0, 0.0), math.radians(90.0), 0.5, 0.0))


def fly(law, follow, seconds):
    """States and references at 10 Hz, for a vehicle whose pose follows from the reference before."""
    state, steps, pose = law.begun(0, (0.0, 0.0, 0.0), 0.0), [], ((0.0, 0.0, 0.0), 0.0)
    for k in range(round(10 * seconds)):
        state, reference = law.step(state, k * 100_000_000, *pose)
        pose = follow(reference, pose)
        steps.append((state, reference))
    return steps


def test_a_vehicle_that_keeps_up_passes_all_points_and_stays():
    steps = fly(WaypointGuidance(POINTS), lambda reference, pose: (reference.p_NR, reference.heading), 60)
    assert steps[-1][0].target == 2
    assert steps[-1][0].waited == 0.0
    at_first = [reference for _, reference in steps if reference.p_NR == (4.0, 0.0, 0.0)]
    assert 19 <= len(at_first) <= 23
    assert steps[-1][1].p_NR == (4.0, 3.0, 0.0)


def test_a_vehicle_that_keeps_up_and_stays_is_on_time():
    law = WaypointGuidance(POINTS)
    arrived = {}
    for state, _ in fly(law, lambda reference, pose: (reference.p_NR, reference.heading), 60):
        if state.reached_ns is not None and state.target < len(POINTS):
            arrived[state.target] = 1e-9 * (state.reached_ns - law.planned_ns(state))
    assert sorted(arrived) == [0, 1]
    assert list(arrived.values()) == pytest.approx([0.0, 0.0], abs=0.5)


def test_the_reference_does_not_run_away_from_a_vehicle_that_stands():
    law = WaypointGuidance(POINTS)
    steps = fly(law, lambda reference, pose: pose, 60)
    assert max(math.hypot(*reference.p_NR) for _, reference in steps) < MAX_LEAD
    assert math.hypot(*steps[-1][1].v_NR_N) < 0.01
    assert steps[-1][0].waited > PATIENCE
    assert steps[-1][0].target == 0


@pytest.mark.parametrize(("off", "turned", "reached"), [(0.2, 5.0, True), (0.4, 5.0, False), (0.2, 15.0, False)])
def test_a_point_is_reached_within_tolerances_of_place_and_heading(off, turned, reached):
    def follow(reference, pose):
        north, east, down = reference.p_NR
        return (north + off, east, down), reference.heading + math.radians(turned)

    steps = fly(WaypointGuidance(POINTS[:1]), follow, 40)
    assert (steps[-1][0].target == 1) is reached


def test_an_unknown_pose_makes_the_reference_wait():
    law = WaypointGuidance(POINTS)
    state = law.begun(0, (0.0, 0.0, 0.0), 0.0)
    state, _ = law.step(state, 5_000_000_000, (0.0, 0.0, 0.0), 0.0)
    after, reference = law.step(state, 9_000_000_000, (math.nan, 0.0, 0.0), 0.0)
    assert after.elapsed == state.elapsed
    assert reference.v_NR_N == (0.0, 0.0, 0.0)


@pytest.mark.parametrize(
    ("start", "goal", "turn"), [(170.0, -170.0, 20.0), (-170.0, 170.0, -20.0), (350.0, 10.0, 20.0)]
)
def test_a_leg_turns_the_short_way_to_the_heading_of_its_point(start, goal, turn):
    point = Waypoint((4.0, 0.0, 0.0), math.radians(goal), 0.5, 0.0)
    leg = WaypointGuidance((point,)).leg((0.0, 0.0, 0.0), math.radians(start), point)
    assert math.degrees(leg.turn) == pytest.approx(turn)


def test_a_jerk_limit_gives_legs_of_minimum_snap_within_all_limits():
    guidance = WaypointGuidance((Waypoint((4.0, 0.0, 0.0), None, 1.0, 0.0),), acceleration=0.2, jerk=0.05)
    leg = guidance.leg((0.0, 0.0, 0.0), 0.0, guidance.points[0])
    step = leg.duration / 4000
    speeds = [on_leg(leg, k * step, 1.0).v_NR_N[0] for k in range(4001)]
    accelerations = [(b - a) / step for a, b in pairwise(speeds)]
    jerks = [(b - a) / step for a, b in pairwise(accelerations)]
    assert max(speeds) == pytest.approx(leg.peak_speed, rel=1e-4)
    assert max(speeds) <= 1.0
    assert max(map(abs, accelerations)) <= 0.2
    assert max(map(abs, jerks)) == pytest.approx(0.05, rel=0.01)
    assert abs(jerks[0]) < 1e-3  # it starts without a step of jerk
    assert on_leg(leg, leg.duration, 1.0).p_NR == (4.0, 0.0, 0.0)
