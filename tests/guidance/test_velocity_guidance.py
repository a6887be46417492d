"""Missions of velocity guidance and path following on kinematic vehicles."""

import math

import numpy as np
import pytest

from remora.equations.algebra.kinematics import position_rate
from remora.equations.algebra.quaternions import from_euler_zyx
from remora.equations.guidance.keep_out import Zone
from remora.equations.guidance.line_of_sight import ADAPTIVE, INTEGRAL, PROPORTIONAL
from remora.equations.guidance.lyapunov import (
    AXIS_BY_AXIS,
    DIRECT,
    DIRECTED,
    PITCH_AWARE,
    ROTATED,
    LyapunovState,
    lyapunov_velocity,
)
from remora.guidance import MissionTarget, PathFollowing, VelocityGuidance, lyapunov_law
from remora.guidance.mission import Sounding, survey_targets
from remora.guidance.velocity_guidance import guided_velocity, law_row
from remora.messages.estimate import Estimate

FAST = lyapunov_law(max_speeds=(1.0, 0.5, 0.5, 0.5))


def flown(guidance, seconds, start=(0.0, 0.0, 5.0), altitude=None):
    """A point that moves as it is told: poses, references and states of every 50 ms."""
    p, yaw, state, track = start, 0.0, None, []
    twist = (0.0,) * 6
    for k in range(round(20 * seconds)):
        now = Estimate(50_000_000 * k, p, from_euler_zyx(0.0, 0.0, yaw), twist)
        state = guidance.begun(now.time_ns, now) if state is None else state
        height = None if altitude is None else altitude(p)
        state, reference = guidance.step(state, now.time_ns, now, Sounding(height))
        u, v, w, r = reference.velocity
        twist = (u, v, w, 0.0, 0.0, r)
        moved = position_rate(now.q_NB, (u, v, w))
        p, yaw = tuple(a + 0.05 * b for a, b in zip(p, moved, strict=True)), yaw + 0.05 * r
        track.append((p, yaw, state, reference))
    return track


def placed(seconds, p):
    """A vehicle at rest that heads north."""
    return Estimate(round(1e9 * seconds), p, (1.0, 0.0, 0.0, 0.0), (0.0,) * 6)


def mission(*targets, **more):
    return VelocityGuidance(tuple(targets), FAST, 0.05, **more)


def test_behaviours_leave_open_what_the_one_before_has_set():
    guidance = mission(
        MissionTarget("lift_off", 0, rise=2.0, tolerance=0.05),
        MissionTarget("rotate", 1, heading=1.0, heading_tolerance=0.02),
        MissionTarget("transit", 2, north_east=(4.0, 3.0), is_along=True, tolerance=0.05),
        MissionTarget("set_down", 3, depth=6.0, tolerance=0.05),
        MissionTarget("return", 4, is_return=True, tolerance=0.05, heading_tolerance=0.05),
    )
    track = flown(guidance, 150.0)
    ends = {}
    for p, yaw, state, _ in track:
        ends.setdefault(state.mission.target, (p, yaw))
    assert ends[1][0] == pytest.approx((0.0, 0.0, 3.0), abs=0.08)
    assert ends[2][0] == pytest.approx((0.0, 0.0, 3.0), abs=0.08)
    assert ends[2][1] == pytest.approx(1.0, abs=0.03)
    assert ends[3][0] == pytest.approx((4.0, 3.0, 3.0), abs=0.08)
    assert ends[3][1] == pytest.approx(math.atan2(3.0, 4.0), abs=0.2)
    assert ends[4][0] == pytest.approx((4.0, 3.0, 6.0), abs=0.08)
    assert ends[5][0] == pytest.approx((0.0, 0.0, 5.0), abs=0.08)
    assert track[-1][3].waypoint == 4  # the last target is held


def test_a_target_must_hold_for_the_dwell_time_and_a_dock_at_rest():
    target = MissionTarget("dock", 0, (1.0, 0.0), 5.0, heading=0.0, tolerance=0.1, dwell=2.0, at_rest=True)
    inside, docked = None, None
    for k, (p, _, state, reference) in enumerate(flown(mission(target), 40.0)):
        if inside is None and math.dist(p, (1.0, 0.0, 5.0)) < 0.1:
            inside, speed = k, math.hypot(*reference.velocity[:3])
        if docked is None and state.mission.target == 1:
            docked = k
    assert docked > inside + 40
    assert speed < 0.05 or docked > inside + 41


def test_the_dwell_time_begins_again_after_the_vehicle_has_left():
    guidance = mission(MissionTarget("go_to", 0, (0.0, 0.0), 5.0, dwell=2.0))
    state, reached = guidance.begun(0, placed(0.0, (0.0, 0.0, 5.0))), None
    for k in range(160):
        north = 1.0 if 20 <= k < 60 else 0.0  # there for 1 s, away for 2 s, then there
        now = placed(0.05 * k, (north, 0.0, 5.0))
        state, _ = guidance.step(state, now.time_ns, now)
        reached = k if reached is None and state.mission.target == 1 else reached
    assert reached == pytest.approx(60 + 40, abs=1)


def test_a_vehicle_beside_its_leg_comes_back_onto_it():
    """Displaced by 2 m on its way, it is on the leg again long before the end, in depth too."""
    guidance = mission(MissionTarget("transit", 0, (60.0, 0.0), 9.0, is_along=True))
    state = guidance.begun(0, Estimate(0, (0.0, 0.0, 5.0), (1.0, 0.0, 0.0, 0.0), (0.0,) * 6))
    p, off = (20.0, 2.0, 5.5), []
    for k in range(1, 600):
        now = Estimate(50_000_000 * k, p, (1.0, 0.0, 0.0, 0.0), (0.0,) * 6)
        state, reference = guidance.step(state, now.time_ns, now)
        u, v, w, _ = reference.velocity
        p = (p[0] + 0.05 * u, p[1] + 0.05 * v, p[2] + 0.05 * w)
        off.append((p[0], p[1], p[2] - (5.0 + 4.0 * p[0] / 60.0)))
        assert reference.leg.cross_track == pytest.approx(now.p_NB[1])
    beside = np.array(off)
    assert 30.0 < beside[-1, 0] < 60.0  # still under way
    assert np.abs(beside[-100:, 1:]).max() < 0.01


def test_a_moving_target_is_caught_and_followed():
    target = MissionTarget("go_to", 0, (3.0, 0.0), 5.0, velocity=(0.1, 0.2, 0.0), tolerance=0.01, dwell=1e6)
    p = flown(mission(target), 60.0)[-1][0]
    assert p == pytest.approx((3.0 + 0.1 * 60.0, 0.2 * 60.0, 5.0), abs=0.03)


def test_a_moving_target_that_sinks_is_followed_down():
    target = MissionTarget("go_to", 0, (0.0, 0.0), 5.0, velocity=(0.0, 0.0, 0.1), tolerance=0.01, dwell=1e6)
    assert flown(mission(target), 60.0)[-1][0] == pytest.approx((0.0, 0.0, 5.0 + 0.1 * 60.0), abs=0.03)


def test_the_altitude_is_taken_up_at_once_and_not_along_a_slope_to_the_end():
    """5 m down at up to 0.5 m/s is done long before the end of a leg of 60 m."""
    target = MissionTarget("transit", 0, (60.0, 0.0), None, altitude=2.0, is_along=True)
    p = flown(mission(target), 25.0, start=(0.0, 0.0, 3.0), altitude=lambda p: 10.0 - p[2])[-1][0]
    assert p[2] == pytest.approx(8.0, abs=0.1)
    assert p[0] < 30.0


def test_an_altitude_of_one_behaviour_does_not_give_the_depth_of_a_later_one():
    """The bed is lost above 6 m: the last transit stays at the depth of the dive before it."""
    guidance = mission(
        MissionTarget("transit", 0, (2.0, 0.0), None, altitude=2.0, is_along=True),
        MissionTarget("dive", 1, depth=5.0, tolerance=0.05),
        MissionTarget("transit", 2, (12.0, 0.0), None, altitude=2.0, is_along=True),
    )
    track = flown(guidance, 90.0, start=(0.0, 0.0, 7.0), altitude=lambda p: 10.0 - p[2] if p[2] > 6.0 else None)
    assert max(p[2] for p, *_ in track) == pytest.approx(8.0, abs=0.3)  # the tolerance of the first
    late = [p[2] for p, _, state, _ in track if state.mission.target == 2]
    assert late
    assert late == pytest.approx([5.0] * len(late), abs=0.1)
    assert track[-1][2].mission.target == 3


def test_the_bottom_is_followed_by_altitude():
    """A bed that falls by 1 in 4: the altitude stays, and the last depth is kept without an echo."""

    def above(p):
        return 10.0 + 0.25 * p[0] - p[2]

    target = MissionTarget("transit", 0, (12.0, 0.0), None, altitude=2.0, is_along=True, dwell=1e6)
    track = flown(mission(target), 60.0, start=(0.0, 0.0, 8.0), altitude=above)
    assert track[-1][0] == pytest.approx((12.0, 0.0, 11.0), abs=0.05)
    lost = flown(mission(target), 60.0, start=(0.0, 0.0, 8.0), altitude=lambda p: above(p) if p[0] < 4.0 else None)
    assert lost[-1][0][2] == pytest.approx(9.0, abs=0.1)


def test_survey_lines_go_to_and_fro_to_starboard():
    ends = [t.north_east for t in survey_targets((1.0, 2.0, 5.0), math.pi / 2.0, 10.0, 2.0, 3, 0)]
    expected = [(1.0, 2.0), (1.0, 12.0), (-1.0, 12.0), (-1.0, 2.0), (-3.0, 2.0), (-3.0, 12.0)]
    assert [pytest.approx(place, abs=1e-9) for place in expected] == ends


def test_zones_are_passed_on_the_way():
    zones = (Zone((3.0, 0.2, 5.0), 1.0, 0.0), Zone((6.0, -0.5, 5.0), 1.0, 1.0))
    target = MissionTarget("go_to", 0, (9.0, 0.0), 5.0, heading=0.0)
    track = flown(mission(target, zones=zones), 120.0)
    assert track[-1][0] == pytest.approx((9.0, 0.0, 5.0), abs=0.05)
    assert min(math.dist(p[:2], (3.0, 0.2)) for p, *_ in track) > 1.0 - 1e-3
    assert min(math.dist(p, (6.0, -0.5, 5.0)) for p, *_ in track) > 1.0 - 1e-3
    straight = flown(mission(target), 120.0)
    assert min(math.dist(p[:2], (3.0, 0.2)) for p, *_ in straight) < 0.5


def test_around_a_zone_a_vehicle_has_no_leg_and_behind_it_one_again():
    center = (6.0, 0.2)
    guidance = mission(MissionTarget("transit", 0, (20.0, 0.0), 5.0), zones=(Zone((*center, 5.0), 1.5, 0.0),))
    track = flown(guidance, 60.0)
    beside = min(track, key=lambda one: math.dist(one[0][:2], center))
    assert abs(beside[0][1]) > 1.0
    assert not beside[3].leg.exists
    behind = next(one for one in track if one[0][0] > 15.0)
    assert behind[3].leg.exists
    assert behind[3].leg.cross_track == pytest.approx(0.0, abs=0.1)


def sailed(law, gain, drift, seconds=300.0):
    """A point that steers as told and keeps the depth it is told with a lag, carried by a current."""
    guidance = PathFollowing(((60.0, 0.0, 10.0), (400.0, 0.0, 30.0)), 1.0, law, 8.0, gain=gain)
    p, state, track = (0.0, 3.0, 10.0), guidance.initial(), []
    for k in range(round(10 * seconds)):
        state, asked = guidance.step(state, 100_000_000 * k, p)
        rate = min(max(0.1 * (asked.depth - p[2]), -0.3), 0.3)
        x, y = math.cos(asked.heading), math.sin(asked.heading)
        p = (p[0] + 0.1 * (x + drift[0]), p[1] + 0.1 * (y + drift[1]), p[2] + 0.1 * (rate + drift[2]))
        track.append((p, asked))
    return track


@pytest.mark.parametrize(("law", "gain"), [(INTEGRAL, 0.3), (ADAPTIVE, 0.002)])
def test_path_following_comes_onto_a_sloping_leg_in_a_current(law, gain):
    (x, y, z), asked = sailed(law, gain, (0.0, 0.2, 0.02))[-1]
    assert y == pytest.approx(0.0, abs=0.1)
    assert z == pytest.approx(10.0 + 20.0 * (x - 60.0) / 340.0, abs=0.15)
    assert asked.waypoint == 1


def test_without_memory_a_current_leaves_an_offset():
    (_, y, _), _ = sailed(PROPORTIONAL, 0.0, (0.0, 0.2, 0.0))[-1]
    assert y == pytest.approx(8.0 * math.tan(math.asin(0.2)), abs=0.1)


def test_a_sloping_leg_ends_at_its_end():
    """30 m ahead and 40 m down: after 37.5 m of the 50 m the leg goes on."""
    guidance = PathFollowing(((30.0, 0.0, 40.0), (30.0, 40.0, 40.0)), 1.0, radius=1.0)
    state, _ = guidance.step(None, 0, (0.0, 0.0, 0.0))
    state, asked = guidance.step(state, 1_000_000_000, (22.5, 0.0, 30.0))
    assert asked.waypoint == 0
    _, asked = guidance.step(state, 2_000_000_000, (29.9, 0.0, 39.9))
    assert asked.waypoint == 1


def test_behind_the_last_point_its_depth_is_kept():
    guidance = PathFollowing(((30.0, 0.0, 20.0),), 1.0, PROPORTIONAL)
    state, _ = guidance.step(None, 0, (0.0, 0.0, 10.0))
    for north in (30.0, 60.0, 200.0):
        state, asked = guidance.step(state, 1_000_000_000, (north, 0.0, 20.0))
        assert (asked.waypoint, asked.depth) == (1, pytest.approx(20.0))


def test_bad_paths_are_refused():
    with pytest.raises(ValueError, match="at least one"):
        PathFollowing((), 1.0)
    with pytest.raises(ValueError, match="above zero"):
        PathFollowing(((1.0, 0.0, 0.0),), 1.0, lookahead=0.0)


@pytest.mark.parametrize("limits", [DIRECTED, AXIS_BY_AXIS])
@pytest.mark.parametrize("heave", [ROTATED, DIRECT, PITCH_AWARE])
def test_the_compiled_law_is_that_of_the_equations(heave, limits):
    """State and velocity to the last bit, in P and PI mode and beyond the limits."""
    law, state = lyapunov_law(heave=heave, largest_down=2.0, limits=limits), LyapunovState()
    random = np.random.default_rng(6)
    for size in np.repeat((0.1, 1.0, 5.0), 20).tolist():
        error, rate = (tuple((size * random.normal(size=4)).tolist()) for _ in range(2))
        q, twist = from_euler_zyx(*random.uniform(-0.5, 0.5, 3).tolist()), tuple(random.normal(size=6).tolist())
        way = (*(size * random.normal(size=3)).tolist(), 0.0)
        found = guided_velocity(law_row(law), state, error, rate, Estimate(0, (0.0, 0.0, 0.0), q, twist), 0.05, way)
        assert found == lyapunov_velocity(law, state, error, rate, q, twist, 0.05, way)
        state = found[0]
