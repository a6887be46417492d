"""Authority switch, pilot commands, text commands, echoes and pipelines, without a simulation."""

import math

import pytest

from remora.equations.algebra.quaternions import from_euler_zyx
from remora.guidance import MissionTarget, VelocityGuidance, lyapunov_law
from remora.guidance.mission import Avoidance, PipeFinder, RangingSensor, Sounding, pipeline_targets
from remora.guidance.piloting import Piloting, RemotePilot, RemotePilotState
from remora.messages.estimate import Estimate
from remora.messages.operator_command import Authority, CommandError, OperatorCommand, parsed_command
from remora.messages.part import PartInput
from remora.messages.reading import Reading, Status
from remora.messages.truth import BeamGeometry

LAW = lyapunov_law((0.5,) * 4, (0.0,) * 4, (0.4, 0.2, 0.1, 0.2))
STEP_NS = 50_000_000


def at(k, p=(0.0, 0.0, 5.0), heading=0.0, twist=(0.0,) * 6):
    return Estimate(k * STEP_NS, p, from_euler_zyx(0.0, 0.0, heading), twist)


def steered(piloting, commands, steps, state=None, p=(0.0, 0.0, 5.0), heading=0.0):
    """A vehicle that follows its reference exactly; commands by step. Returns state, position and heading."""
    first = 0 if state is None else state[1]
    state = piloting.begun(0, at(0, p, heading)) if state is None else state[0]
    for k in range(first, first + steps):
        now = at(k, p, heading)
        state = piloting.commanded(state, now.time_ns, now, commands.get(k, ()))
        state, reference = piloting.step(state, now.time_ns, now)
        u, v, w, r = reference.velocity
        c, s = math.cos(heading), math.sin(heading)
        p = (p[0] + 0.05 * (c * u - s * v), p[1] + 0.05 * (s * u + c * v), p[2] + 0.05 * w)
        heading += 0.05 * r
    return (state, first + steps), p, heading


def speeds(*numbers):
    return (OperatorCommand("speeds", numbers),)


TAKE = (OperatorCommand("take"),)


def test_a_pilot_steers_after_taking_the_authority_and_the_vehicle_holds_depth_and_heading():
    piloting = Piloting(VelocityGuidance((), LAW))
    orders = {0: TAKE, **{k: speeds(0.3, 0.0, 0.0, 0.0) for k in range(1, 100)}}
    (state, _), p, heading = steered(piloting, orders, 100)
    assert state.authority == Authority.PILOT
    assert p == pytest.approx((0.3 * 0.05 * 99, 0.0, 5.0), abs=1e-9)
    assert heading == pytest.approx(0.0, abs=1e-12)


def test_a_silent_pilot_loses_the_authority_and_the_vehicle_stops():
    piloting = Piloting(VelocityGuidance((), LAW), timeout=1.0)
    (state, k), p, _ = steered(piloting, {0: TAKE, 1: speeds(0.3, 0.0, 0.0, 0.0)}, 23)
    assert state.authority == Authority.HOLD
    assert state.is_lost
    _, after, _ = steered(piloting, {}, 100, (state, k), p)
    assert math.dist(p, after) < 0.02


def test_speeds_without_the_authority_change_nothing():
    piloting = Piloting(VelocityGuidance((), LAW))
    (state, _), p, _ = steered(piloting, {3: speeds(0.3, 0.0, 0.0, 0.0)}, 50)
    assert state.ignored == 1
    assert p == pytest.approx((0.0, 0.0, 5.0))


def test_speeds_are_limited():
    piloting = Piloting(VelocityGuidance((), LAW))
    (state, _), _, _ = steered(piloting, {0: TAKE, 1: speeds(9.0, -9.0, 9.0, -9.0)}, 5)
    assert state.speeds == (0.4, -0.2, 0.1, -0.2)


def test_the_safe_default_is_station_keeping_and_a_mission_goes_on_where_it_was():
    targets = (MissionTarget("go_to", 0, (2.0, 0.0), 5.0), MissionTarget("go_to", 1, (2.0, 1.0), 5.0))
    piloting = Piloting(VelocityGuidance(targets, LAW))
    (state, k), p, _ = steered(piloting, {}, 20)
    assert p == pytest.approx((0.0, 0.0, 5.0))
    go = {k: (OperatorCommand("mission"),), k + 130: (OperatorCommand("go_to", (0.0, 0.0, 6.0)),)}
    (state, k), p, _ = steered(piloting, go, 500, (state, k))
    assert state.authority == Authority.GO_TO
    assert math.dist(p, (0.0, 0.0, 6.0)) < 0.05
    reached = state.mission.mission.target
    assert reached == 1
    (state, _), p, _ = steered(piloting, {k: (OperatorCommand("mission"),)}, 500, (state, k), p)
    assert state.mission.mission.target == 2
    assert math.dist(p, (2.0, 1.0, 5.0)) < 0.35


def test_without_position_hold_the_pilot_is_stopped_not_returned():
    piloting = Piloting(VelocityGuidance((), LAW), holds_position=False)
    now = at(1, (0.5, 0.0, 5.2))
    _, reference = piloting.step(piloting.begun(0, at(0)), now.time_ns, now)
    assert reference.velocity[:2] == (0.0, 0.0)
    assert reference.velocity[2] == pytest.approx(-0.1)


def test_a_pilot_who_goes_ahead_keeps_the_heading_and_one_who_turns_does_not_return():
    """A vehicle that is turned by 0.2 rad from outside."""
    piloting = Piloting(VelocityGuidance((), LAW))
    state = piloting.commanded(piloting.begun(0, at(0)), 0, at(0), TAKE)
    for order, returns in (((0.3, 0.0, 0.0, 0.0), True), ((0.3, 0.0, 0.0, 0.1), False)):
        now = at(1, heading=0.2)
        _, reference = piloting.step(piloting.commanded(state, now.time_ns, now, speeds(*order)), now.time_ns, now)
        assert reference.velocity[0] == pytest.approx(0.3)
        assert reference.velocity[3] == pytest.approx(-0.5 * 0.2 if returns else 0.1)


def test_station_keeping_after_the_pilot_has_moved_begins_without_an_integral():
    """An offset in depth is integrated while it is held; at the new place that a pilot has chosen nothing is left."""
    piloting = Piloting(VelocityGuidance((), lyapunov_law((0.5,) * 4, (0.1,) * 4)))
    state, velocities = piloting.commanded(piloting.begun(0, at(0)), 0, at(0), TAKE), []
    for k in range(1, 103):
        now, sink = at(k, (0.0, 0.0, 5.1)), 0.1 if k == 101 else 0.0
        state = piloting.commanded(state, now.time_ns, now, speeds(0.0, 0.0, sink, 0.0))
        state, reference = piloting.step(state, now.time_ns, now)
        velocities.append(reference.velocity[2])
    assert velocities[99] < velocities[0] < 0.0  # the integral has grown
    assert velocities[100] == pytest.approx(0.1)
    assert velocities[101] == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("take", OperatorCommand("take")),
        ("speeds 0.1 0 -0.2 0.05", OperatorCommand("speeds", (0.1, 0.0, -0.2, 0.05))),
        ("go_to 1 2 3", OperatorCommand("go_to", (1.0, 2.0, 3.0))),
        ("go_to 1 2 3 90deg", OperatorCommand("go_to", (1.0, 2.0, 3.0, math.radians(90.0)))),
    ],
)
def test_lines_are_commands(line, found):
    assert parsed_command(line) == found


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("", "unknown command"),
        ("fly", "unknown command 'fly'"),
        ("speeds 1 2 3", "takes 4 numbers"),
        ("speeds 1 2 3 nan", "yaw is nan"),
        ("speeds 1 2 3 x", "yaw is 'x'"),
        ("go_to 1 2", "takes 3 numbers"),
        ("go_to 1 2 3 4 5", "takes 4 numbers"),
        ("go_to inf 2 3", "north is inf"),
        ("speeds 1e9 0 0 0", "at most 20"),
        ("hold now", "takes no numbers"),
    ],
)
def test_lines_that_are_no_commands_say_why(line, reason):
    with pytest.raises(CommandError, match=reason):
        parsed_command(line)


def test_a_remote_pilot_behind_a_delay_overshoots_more_and_arrives():
    """A P pilot with gain g behind a delay T: monotonic for g T below 1/e, oscillating above, unstable from pi/2 on."""
    worst = {}
    for delay in (0.0, 1.0, 3.0):
        pilot = RemotePilot(((5.0, 0.0, 5.0),), (0.0,), delay, 0.4, (9.0,) * 4, 0.05)
        state, p, far = RemotePilotState(), (0.0, 0.0, 5.0), 0.0
        for k in range(1200):
            state, (u, _, _, _) = pilot.step(state, k * STEP_NS, at(k, p))
            p = (p[0] + 0.05 * u, 0.0, 5.0)
            far = max(far, p[0])
        worst[delay] = far - 5.0
        assert p[0] == pytest.approx(5.0, abs=0.3 if delay == 3.0 else 0.01)
        assert state.point == 1
    assert worst[0.0] < 1e-9
    assert worst[1.0] < 0.1
    assert worst[3.0] > 1.0


@pytest.mark.parametrize("heading", [-2.0, 0.5, math.pi / 2.0, 3.0])
def test_a_remote_pilot_steers_to_the_point_at_every_heading(heading):
    point = (1.0, -2.0, 4.5)
    pilot = RemotePilot((point,), (heading,), 0.0, 0.4, (9.0,) * 4, 0.05)
    _, (u, v, w, r) = pilot.step(RemotePilotState(), 0, at(0, heading=heading))
    c, s = math.cos(heading), math.sin(heading)
    assert (c * u - s * v, s * u + c * v, w) == pytest.approx((0.4 * 1.0, 0.4 * -2.0, 0.4 * -0.5))
    assert r == pytest.approx(0.0, abs=1e-12)


def test_a_remote_pilot_learns_with_the_delay_that_a_point_is_reached():
    pilot = RemotePilot(((1.0, 0.0, 5.0), (9.0, 0.0, 5.0)), (0.0, 0.0), 2.0, 0.4, (9.0,) * 4, 0.05)
    state, knows = RemotePilotState(), None
    for k in range(200):
        state, _ = pilot.step(state, k * STEP_NS, at(k, (1.0 if k >= 100 else 0.0, 0.0, 5.0)))
        knows = k if knows is None and state.point == 1 else knows
    assert knows == 100 + 40


FAN = tuple(math.radians(-30.0 + 2.0 * i) for i in range(31))
DOWN = from_euler_zyx(0.0, -math.pi / 2.0, 0.0)  # x_S down, y_S to starboard


def profile(p, heading, pipe_east, bed=8.0, top=7.6, beside=0.0):
    """Input with the profile of a fan over a bed with a pipeline to the north, and a low rise to port of it."""
    geometry = BeamGeometry((0.0, 0.0, 0.0), DOWN, FAN)
    ranges = []
    for angle in FAN:
        east = p[1] + (bed - p[2]) * math.tan(angle)
        rise = beside if 0.25 < pipe_east - east < 1.0 else 0.0
        depth = top if abs(east - pipe_east) < 0.25 else bed - rise
        ranges.append((depth - p[2]) / math.cos(angle))
    reading = Reading("rov/fan", 0, 0, Status.OK, tuple(ranges))
    now = at(0, p, heading)
    return PartInput(0, (), {"fan": reading}, now, None, (0.0,) * 6, (0.0,) * 6, None), RangingSensor("fan", geometry)


def test_a_pipeline_is_found_in_a_profile():
    now, fan = profile((0.0, 0.0, 5.0), 0.0, 0.6)
    north, east, down = PipeFinder(fan, 0.2).found(now, now.estimate)
    assert (north, down) == pytest.approx((0.0, 7.6), abs=1e-9)
    assert east == pytest.approx(0.6, abs=0.12)
    assert PipeFinder(fan, 0.5).found(now, now.estimate) is None


def test_a_low_rise_beside_a_pipeline_is_not_taken_for_it():
    now, fan = profile((0.0, 0.0, 5.0), 0.0, 0.0, top=7.0, beside=0.3)
    assert PipeFinder(fan, 0.2).found(now, now.estimate) == pytest.approx((0.0, 0.0, 7.0), abs=1e-9)


def test_echoes_count_for_a_second():
    now, fan = profile((0.0, 0.0, 5.0), 0.0, 0.6)
    in_time, late = now._replace(time_ns=900_000_000), now._replace(time_ns=1_100_000_000)
    assert len(fan.echoes_N(in_time, now.estimate)) == len(FAN)
    assert fan.echoes_N(late, now.estimate) == []
    assert PipeFinder(fan, 0.2).found(late, now.estimate) is None


def test_of_many_echoes_the_latest_are_remembered():
    avoidance, zones = Avoidance((), 1.0, 500.0), ()
    for k in range(200):
        echo = (2.0 * k, 0.0, 5.0)
        zones = avoidance.remembered(zones, (echo,), echo)
        assert zones[-1].center == echo
    assert len(zones) < 100


def test_a_pipeline_beside_its_chart_is_followed():
    guidance = VelocityGuidance(pipeline_targets(((0.0, 0.0, 5.0), (10.0, 0.0, 5.0)), 0), LAW)
    p, state = (0.0, 0.0, 5.0), guidance.begun(0, at(0))
    for k in range(900):
        now = at(k, p)
        laid, fan = profile(p, 0.0, 0.5)
        seen = PipeFinder(fan, 0.2).found(laid, now)
        state, reference = guidance.step(state, now.time_ns, now, Sounding(pipe_N=seen))
        u, v, w, _ = reference.velocity
        p = (p[0] + 0.05 * u, p[1] + 0.05 * v, p[2] + 0.05 * w)
        if 3.0 < p[0] < 9.0:
            assert p[1] == pytest.approx(0.5, abs=0.15)
            assert not guidance.lost_target(state)
            assert guidance.pipeline_error(state) < 0.15
    assert state.mission.target == 2
    assert guidance.lost_target(state) == ""


def test_a_pipeline_that_is_not_seen_is_reported():
    guidance = VelocityGuidance(pipeline_targets(((0.0, 0.0, 5.0), (10.0, 0.0, 5.0)), 0), LAW)
    state, _ = guidance.step(guidance.begun(0, at(0)), 0, at(0))
    state, _ = guidance.step(state, STEP_NS, at(1))
    assert "no pipeline" in guidance.lost_target(state)


def test_echoes_become_columns_that_are_passed():
    """A ball in the way, seen by three beams ahead: the vehicle goes around it and reaches its target."""
    ball, radius = (4.0, 0.05), 0.4
    geometry = BeamGeometry((0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0), tuple(map(math.radians, (-25.0, 0.0, 25.0))))
    avoidance = Avoidance((RangingSensor("sonar", geometry),), 1.0, 4.0)
    guidance = VelocityGuidance((MissionTarget("go_to", 0, (8.0, 0.0), 5.0),), LAW, avoidance=avoidance)
    p, state, nearest = (0.0, 0.0, 5.0), guidance.begun(0, at(0)), math.inf
    for k in range(1500):
        now = at(k, p)
        ranges = []
        for angle in geometry.angles:
            along = (ball[0] - p[0]) * math.cos(angle) + (ball[1] - p[1]) * math.sin(angle)
            aside = (ball[0] - p[0]) * math.sin(angle) - (ball[1] - p[1]) * math.cos(angle)
            hit = along > 0.0 and abs(aside) < radius
            ranges.append(along - math.sqrt(radius**2 - aside**2) if hit else math.nan)
        reading = Reading("rov/sonar", now.time_ns, now.time_ns, Status.PARTIAL, tuple(ranges))
        given = PartInput(now.time_ns, (), {"sonar": reading}, now, None, (0.0,) * 6, (0.0,) * 6, None)
        sounding = Sounding(obstacles_N=avoidance.echoes(given, now))
        state, reference = guidance.step(state, now.time_ns, now, sounding)
        u, v, w, _ = reference.velocity
        p = (p[0] + 0.05 * u, p[1] + 0.05 * v, p[2] + 0.05 * w)
        nearest = min(nearest, math.hypot(p[0] - ball[0], p[1] - ball[1]) - radius)
    assert nearest > 0.5
    assert state.mission.target == 1
