"""Guidance by forces, depth and heading: modes, authority, missions, and what is unknown."""

import math

import pytest

from remora.equations.algebra.quaternions import from_euler_zyx
from remora.guidance.force_piloting import ForcePiloting, ForcePilotingState, Mode
from remora.guidance.minimum_jerk import BlendLimits, ScalarBlend
from remora.guidance.mission import MissionTarget
from remora.messages.estimate import UNKNOWN3, Estimate
from remora.messages.operator_command import Authority, parsed_command
from remora.messages.reference import StabilisedReference

SECOND, STEP = 1_000_000_000, 50_000_000
PUSHES = (20.0, 20.0, 30.0, 5.0)
TARGETS = (
    MissionTarget("dive", 0, depth=4.0, heading=1.0, dwell=2.0),
    MissionTarget("push", 1, push=(5.0, 0.0, 0.0, 0.0), lasts=4.0),
    MissionTarget("lift_off", 2, rise=1.5),
)


def piloting(mode: Mode = Mode.DEPTH_HOLD, default: Authority = Authority.HOLD) -> ForcePiloting:
    blends = ScalarBlend(limits=BlendLimits(0.2, 0.1)), ScalarBlend(limits=BlendLimits(0.3, 0.15))
    return ForcePiloting(TARGETS, default, mode, 2.0, PUSHES, *blends)


def place(depth: float = 3.0, heading: float = 0.5) -> Estimate:
    q_NB = (math.nan,) * 4 if math.isnan(heading) else from_euler_zyx(0.0, 0.0, heading)
    return Estimate(0, (math.nan, math.nan, depth), q_NB, (*UNKNOWN3, 0.0, 0.0, 0.0))


class Flight:
    """A vehicle that is where the reference asks it to be."""

    def __init__(self, made: ForcePiloting, depth: float = 3.0, heading: float = 0.5) -> None:
        self.made, self.state, self.time_ns = made, made.initial(), 0
        self.depth, self.heading = depth, heading

    def fly(self, seconds: float, *lines: str, again: str = "") -> StabilisedReference:
        commands = [parsed_command(line) for line in lines]
        for _ in range(round(seconds * SECOND / STEP)):
            commands += [parsed_command(again)] if again else []
            self.state = self.made.commanded(self.state, self.time_ns, commands)
            now = place(self.depth, self.heading)
            self.state, reference = self.made.step(self.state, self.time_ns, now)
            self.depth = reference.depth if math.isfinite(reference.depth) else self.depth
            self.heading = reference.heading if math.isfinite(reference.heading) else self.heading
            self.time_ns, commands = self.time_ns + STEP, []
        return reference


@pytest.mark.parametrize(
    ("mode", "force", "depth", "heading", "levels"),
    [
        (Mode.DEPTH_HOLD, "force 5 1 0 0", True, True, True),
        (Mode.DEPTH_HOLD, "force 5 0 3 0", False, True, True),
        (Mode.DEPTH_HOLD, "force 5 0 0 1", True, False, True),
        (Mode.STABILISE, "force 5 0 0 0", False, True, True),
        (Mode.STABILISE, "force 5 0 0 1", False, False, True),
        (Mode.MANUAL, "force 5 0 0 0", False, False, False),
    ],
)
def test_each_mode_holds_what_it_says(mode: Mode, force: str, depth: bool, heading: bool, levels: bool) -> None:
    reference = Flight(piloting(mode)).fly(1.5, "take", again=force)
    assert math.isfinite(reference.depth) is depth
    assert math.isfinite(reference.heading) is heading
    assert reference.levels is levels
    assert reference.force[0] == pytest.approx(5.0)


def test_forces_rise_within_a_second_to_their_limits() -> None:
    one = Flight(piloting())
    assert one.fly(0.5, "take", again="force 50 0 0 0").force[0] == pytest.approx(0.45 * 20.0)
    assert one.fly(1.0, again="force 50 0 0 0").force == (20.0, 0.0, 0.0, 0.0)
    assert piloting().limited(parsed_command("force -50 0 0 9")) == "surge is limited to -20 N, yaw is limited to 5 N m"


def test_a_silent_pilot_loses_the_authority_and_the_forces_stay_gone() -> None:
    one = Flight(piloting(Mode.MANUAL))
    one.fly(1.0, "take", again="force 5 0 0 0")
    reference = one.fly(4.0)
    assert (one.state.authority, one.state.is_lost) == (Authority.HOLD, True)
    assert reference.force == (0.0, 0.0, 0.0, 0.0)
    assert (reference.depth, reference.heading, reference.levels) == (3.0, pytest.approx(0.5), True)
    assert one.fly(1.0, "take").force == (0.0, 0.0, 0.0, 0.0)


def test_a_mission_dives_pushes_and_lifts_off() -> None:
    one = Flight(piloting(default=Authority.MISSION))
    while one.state.mission.target < 1:
        one.fly(0.1)
        assert one.time_ns < 20 * SECOND
    assert one.depth == pytest.approx(4.0, abs=0.3)
    reference = one.fly(3.5)
    assert (reference.depth, reference.heading) == (4.0, pytest.approx(1.0))
    assert reference.force == (5.0, 0.0, 0.0, 0.0)
    reference = one.fly(30.0)
    assert one.state.mission.target == 3
    assert (reference.depth, reference.force) == (pytest.approx(2.5), (0.0, 0.0, 0.0, 0.0))


def test_the_dwell_time_of_a_dive_is_in_one_piece() -> None:
    """2 s at 4 m: twice 1.5 s with a second at 5 m between them are not enough, half a second more is."""
    made = piloting(default=Authority.MISSION)
    state, reached_ns = made.initial(), 0
    for k in range(120):
        time_ns, depth = k * STEP, 5.0 if 30 <= k < 50 else 4.0
        state, _ = made.step(state, time_ns, place(depth, 1.0))
        reached_ns = reached_ns or (time_ns if state.mission.target else 0)
    assert reached_ns == pytest.approx(50 * STEP + 2 * SECOND, abs=STEP)


def test_a_mission_that_was_interrupted_goes_on_where_it_was() -> None:
    one = Flight(piloting(default=Authority.MISSION))
    while one.state.mission.target < 1:
        one.fly(0.1)
    one.fly(3.0)  # of 4 s of pushing
    one.fly(5.0, "hold")
    assert one.state.mission.target == 1
    one.fly(0.5, "mission")
    assert one.state.mission.target == 1
    one.fly(0.7)
    assert one.state.mission.target == 2


def test_a_dive_of_the_operator_takes_the_short_way_and_its_rate() -> None:
    one = Flight(piloting(), heading=3.0)
    depths, headings = [], []
    reference = one.fly(0.05, "dive 5 -3")
    while one.time_ns < 20 * SECOND:
        reference = one.fly(0.05)
        depths.append(reference.sink_rate)
        headings.append(reference.heading_rate)
    assert (reference.depth, reference.heading) == (5.0, pytest.approx(-3.0))
    assert max(depths) <= 0.2 + 1e-9
    assert min(headings) >= 0.0  # through half a turn to starboard
    assert one.state.is_reached


@pytest.mark.parametrize("lost", ["depth", "heading"])
def test_what_is_unknown_at_the_start_is_held_once_it_is_known(lost: str) -> None:
    one = Flight(piloting(), **{lost: math.nan})
    assert math.isnan(getattr(one.fly(1.0), lost))
    setattr(one, lost, 0.7)
    assert getattr(one.fly(1.0), lost) == pytest.approx(0.7)


def test_commands_without_effect_are_counted() -> None:
    one = Flight(piloting())
    one.fly(0.1, "force 1 0 0 0")
    assert one.state.ignored == 1
    assert isinstance(one.state, ForcePilotingState)
