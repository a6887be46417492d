"""A run that does not go as asked says so: in its result, in its log, once per episode, and the same after a resume."""

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from remora.equations.algebra.quaternions import from_euler_zyx
from remora.logs import compare, read_log
from remora.navigation.parts.truth import TrueState
from remora.report.simulations.summary import run_summary
from remora.run.checkpoint import load_checkpoint, resumed_loop, save_checkpoint
from remora.run.loop.loop import Loop, run, run_loop
from remora.run.monitoring.command_limits import reached_limits
from remora.run.monitoring.detectors import Overlaps
from remora.run.monitoring.deviations import bounds_of, heading_error
from remora.run.monitoring.limits import NAMES, WATCH_NONE, Watch
from remora.run.recorder import Recorder
from remora.scenarios import ScenarioError
from remora.scenarios.reader import scenario_from_text
from remora.vehicles import load_vehicle

HOVER = """
name: hover
duration: {duration}
step: 20 ms
log: {{rate: 5 Hz}}
{top}
vehicles:
  - name: rov
    file: bluerov2_heavy
    {more}
"""
LOOP = """navigation: truth
    guidance: {part: hold, rate: 10 Hz, position: [0, 0, 5 m], heading: 0}
    control: {part: position, rate: 10 Hz}
    allocation: {part: bounded, rate: 10 Hz}"""


def setup(more: str, duration: str = "8 s", top: str = ""):
    return scenario_from_text(HOVER.format(duration=duration, more=more, top=top))


def watched(more: str, duration: str = "8 s", top: str = ""):
    return {one.watch: one for one in run(setup(more, duration, top)).warnings}


def test_a_run_as_asked_has_no_warning() -> None:
    assert not watched(f"position: [0, 0, 5 m]\n    {LOOP}", "30 s", "water: {bottom_depth: 8 m, surface_depth: 0}")


def test_a_vehicle_that_lies_on_its_back_is_noticed() -> None:
    found = watched("position: [0, 0, 5 m]\n    angles: [180 deg, 0, 0]\n    locked: [roll, pitch]")
    assert [*found] == ["upside_down"]
    assert found["upside_down"].text.startswith("upside down, its z axis 180 deg from down")
    assert found["upside_down"].time_ns == 1_000_000_000


def test_a_vehicle_that_tumbles_is_noticed_although_it_is_upright_again_and_again() -> None:
    """At 4 rad/s it is upside down for 0.7 s at a time, which is less than the time that a warning takes."""
    spin = "position: [0, 0, 5 m]\n    rates: [0, 4 rad/s, 0]\n    disturbances: [{kind: constant, torque: [0, 14, 0]}]"
    assert "upside_down" in watched(spin, "12 s")


def test_a_short_roll_and_a_vertical_dive_are_no_warnings() -> None:
    assert not watched("position: [0, 0, 5 m]\n    angles: [110 deg, 0, 0]")  # rights itself within a second
    assert not watched("position: [0, 0, 5 m]\n    angles: [0, -90 deg, 0]\n    locked: [roll, pitch]", "4 s")


def test_a_vehicle_in_the_air_and_one_in_the_ground_are_noticed() -> None:
    above = watched("position: [0, 0, 0]\n    disturbances: [{kind: constant, force: [0, 0, -40 N], frame: world}]")
    assert [*above] == ["above_surface"]
    assert "surface_depth" in above["above_surface"].text
    push = "position: [0, 0, 7 m]\n    disturbances: [{kind: constant, force: [0, 0, 40 N], frame: world}]"
    below = watched(push, "10 s", "water: {bottom_depth: 8 m}")
    assert [*below] == ["below_bed"]
    surface = watched("position: [0, 0, 0]", "20 s", "water: {surface_depth: 0}")
    assert not surface  # it floats


def test_a_vehicle_that_cannot_reach_its_reference_is_noticed_and_one_on_its_way_is_not() -> None:
    push = "disturbances: [{kind: constant, force: [400 N, 0, 0], frame: world}]"
    away = watched(f"position: [0, 0, 5 m]\n    {push}\n    {LOOP}", "60 s")
    assert "tracking" in away
    assert "at_limit" in away
    assert not watched(f"position: [8 m, 0, 5 m]\n    {LOOP}", "60 s")


def test_a_part_that_waits_for_more_than_a_second_is_a_warning(tmp_path: Path) -> None:
    file = tmp_path / "mute.py"
    file.write_text(
        "class Mute:\n    def __init__(self, vehicle, period): pass\n    def initial(self): return ()\n"
        "    def step(self, state, now): return state, None\n"
    )
    text = HOVER.format(duration="3 s", top="", more=f"position: [0, 0, 5 m]\n    {LOOP}")
    made = scenario_from_text(text.replace("navigation: truth", 'navigation: "mute.py:Mute"'), folder=tmp_path)
    outcome = run(made, tmp_path / "run.mcap")
    assert [one.watch for one in outcome.warnings] == ["waiting"]
    assert outcome.warnings[0].time_ns == 1_000_000_000
    said = [event for event in read_log(tmp_path / "run.mcap").events if event.level == "warning"]
    assert [(event.time_ns, event.source) for event in said] == [(1_000_000_000, "rov/watch")]
    assert "navigation" in said[0].text


def test_a_schedule_that_commands_the_limit_means_it_but_not_more() -> None:
    at = "position: [0, 0, 50 m]\n    commands: [{at: 0 s, set: {front_port: %s}}]"
    limit = setup(at % "1 N").vehicles[0].plant.vehicle.parameters.thrusters[0].command_maximum
    assert not watched(at % f"{limit!r} N", "15 s")
    found = watched(at % f"{limit + 10.0!r} N", "15 s")
    assert [*found] == ["at_limit"]
    assert found["at_limit"].text == "front_port is at its limit"


PUSHED = (
    f"position: [0, 0, 5 m]\n    disturbances: [{{kind: constant, force: [400 N, 0, 0], frame: world}}]\n    {LOOP}"
)


@pytest.mark.parametrize("steps", ["{resolution: 3 N}", "{commands: pulses, resolution: 7 us}", "{resolution: 30 N}"])
def test_time_at_a_limit_counts_where_commands_come_in_steps(steps: str) -> None:
    """In steps a command at the limit became one below it, and was never counted."""
    assert "at_limit" in watched(f"{PUSHED}\n    actuators: {steps}", "20 s")


@pytest.mark.parametrize("step", [1.0, 3.0, 7.0, 11.0])
def test_a_limit_in_steps_is_the_step_that_a_command_at_the_limit_becomes(step: float) -> None:
    made = setup(f"position: [0, 0, 5 m]\n    actuators: {{resolution: {step} N}}").vehicles[0]
    thrusters = made.plant.vehicle.parameters.thrusters
    for (low, high), thruster in zip(reached_limits(made).tolist()[:8], thrusters, strict=True):
        nearest = step * math.floor(thruster.command_maximum / step + 0.5)
        assert high == pytest.approx(min(nearest, thruster.command_maximum), abs=1e-3)
        assert high - step < thruster.command_maximum - 0.5 * step + 1e-3
        assert low == pytest.approx(
            max(step * math.floor(thruster.command_minimum / step + 0.5), thruster.command_minimum), abs=1e-3
        )


def test_a_schedule_in_steps_may_command_the_limit() -> None:
    at = "position: [0, 0, 50 m]\n    commands: [{at: 0 s, set: {front_port: %s}}]\n    actuators: {resolution: 7 N}"
    limit = setup(at % "1 N").vehicles[0].plant.vehicle.parameters.thrusters[0].command_maximum
    assert not watched(at % f"{limit!r} N", "15 s")
    assert [*watched(at % f"{limit + 10.0!r} N", "15 s")] == ["at_limit"]


def test_a_stuck_thruster_is_faulty_and_not_at_its_limit(tmp_path: Path) -> None:
    limit = setup("position: [0, 0, 5 m]").vehicles[0].plant.vehicle.parameters.thrusters[0].command_maximum
    fault = f"{{fault: stuck, of: front_port, at: 5 s, value: {limit!r} N}}"
    made = setup(f"position: [0, 0, 5 m]\n    {LOOP}\n    faults: [{fault}]", "20 s")
    found = run(made, tmp_path / "run.mcap").warnings
    assert not [one for one in found if one.watch == "at_limit" and "front_port" in one.text]
    said = dict(run_summary(tmp_path / "run.mcap"))["saturation"]
    assert said.endswith("faulty: front_port 75.2 %")  # from 5 s to the end of 20 s, both rows counted
    assert "front_port" not in said.split("faulty")[0]


WEAK = "control: {part: position, rate: 10 Hz, integral_gains: [0, 0, 0, 0], feedforward: false}"


@pytest.mark.parametrize("duration", ["33 s", "90 s"])
def test_a_small_vehicle_that_stays_a_metre_and_a_half_off_is_noticed(duration: str) -> None:
    """Without an integral a current holds it off; the bound was 2 m for vehicles of all sizes."""
    loop = LOOP.replace("control: {part: position, rate: 10 Hz}", WEAK)
    current = "water: {current: [0.23 m/s, 0, 0]}"
    off = run(setup(f"position: [1.4 m, 0, 5 m]\n    {loop}", duration, current))
    tracking = [one for one in off.warnings if one.watch == "tracking"]
    assert len(tracking) == 1
    assert 1.1 < float(tracking[0].text.split()[0]) < 1.9
    assert not run(
        setup(f"position: [1.4 m, 0, 5 m]\n    {loop}\n    watch: {{tracking: 2 m}}", duration, current)
    ).warnings


@pytest.mark.parametrize(
    ("name", "bound"), [("bluerov2_heavy", 1.0), ("falcon", 1.6), ("gavia", 2.0), ("remus100", 2.0)]
)
def test_the_bound_of_tracking_is_two_lengths_of_the_vehicle_between_one_and_two_metres(
    name: str, bound: float
) -> None:
    parameters = load_vehicle(name).parameters
    assert bounds_of(Watch(), parameters).tracking == pytest.approx(bound, abs=0.05)
    assert bounds_of(replace(Watch(), tracking=0.3), parameters).tracking == 0.3
    assert bounds_of(WATCH_NONE, parameters) == (None,) * 7


TWO = """
name: two
duration: {duration}
step: 20 ms
{top}
vehicles:
  - name: a
    file: bluerov2_heavy
    position: [0, 0, 5 m]
    disturbances: [{{kind: constant, force: [80 N, 0, 0], frame: world}}]
    {one}
  - {{name: b, file: bluerov2_heavy, position: [2 m, {aside} m, 5 m], {other}}}
"""


def passing(aside: float = 0.0, top: str = "", one: str = "", other: str = ""):
    return run(scenario_from_text(TWO.format(aside=aside, top=top, one=one, other=other, duration="4 s"))).warnings


def test_vehicles_that_pass_through_each_other_are_noticed_once_per_pair() -> None:
    (found,) = passing()
    assert (found.watch, found.vehicle) == ("overlap", "a")
    assert "into b" in found.text
    assert "key contact" in found.text
    assert 0 < found.time_ns < 4_000_000_000
    assert not passing(aside=1.0)  # beside each other
    assert not passing(top="contact: true")


def test_a_vehicle_that_is_too_fast_for_two_looks_is_noticed() -> None:
    """At 9 m/s it is 4.5 m farther at the next look, several lengths behind the other."""
    made = scenario_from_text(TWO.format(aside=0.0, top="", one="", other="", duration="4 s"))
    overlaps = Overlaps(made, made.vehicles[0], 0.5)
    overlaps.others = lambda: {"b": np.array(made.vehicles[1].start)}
    fast, place = (1.0, 0.0, 0.0, 0.0, 9.0, 0.0, 0.0), (4.4, 0.0, 5.0)
    assert [name for name, _ in overlaps.found(1_000_000_000, [*place, *fast])] == ["b"]
    assert not [*overlaps.found(200_000_000, [*place, *fast])]  # it has not been running for long enough
    assert not [*overlaps.found(1_000_000_000, [7.4, 0.0, 5.0, *fast])]


@pytest.mark.parametrize(
    "means", [{"top": "watch: {overlap: off}"}, {"one": "watch: {overlap: off}"}, {"other": "watch: {overlap: 1 m}"}]
)
def test_vehicles_that_shall_overlap_are_switched_off(means: dict[str, str]) -> None:
    if "other" in means:
        means = {"one": means["other"], **means}
    assert not passing(**means)


def test_a_vehicle_that_passes_through_an_obstacle_is_noticed() -> None:
    crate = "obstacles: [{kind: box, name: crate, center: [1 m, 0, 5 m], size: [50 cm, 50 cm, 50 cm]}]"
    into = "position: [0, 0, 5 m]\n    disturbances: [{kind: constant, force: [80 N, 0, 0], frame: world}]"
    found = run(setup(into, "4 s", crate)).warnings
    assert [one.watch for one in found] == ["overlap"]
    assert "into crate" in found[0].text
    assert not watched(into, "4 s", f"{crate}\ncontact: true")
    assert not watched(into.replace("[0, 0, 5 m]", "[0, 0, 9 m]"), "4 s", crate)


STEERED = """
name: steered
duration: {duration}
step: 20 ms
vehicles:
  - name: auv
    file: remus100
    position: [0, 0, 5 m]
    velocity: [1.5 m/s, 0, 0]
    navigation: truth
    guidance: {{part: line_of_sight, rate: 10 Hz, speed: 1.5 m/s, points: [{points}]}}
    control: {{part: fin_autopilot, rate: 10 Hz}}
"""


@pytest.mark.parametrize(
    ("points", "reached"), [("[8 m, 0, 5 m], [90 m, 0, 5 m]", 1), ("[8 m, 0, 5 m], [14 m, 0, 5 m]", 2)]
)
def test_points_of_a_line_of_sight_that_are_left_are_noticed(tmp_path: Path, points: str, reached: int) -> None:
    made = scenario_from_text(STEERED.format(duration="15 s", points=points))
    found = [one.text for one in run(made, tmp_path / "run.mcap").warnings]
    assert found[:1] == ([] if reached == 2 else ["1 of 2 waypoints reached when the run ended"])
    assert all("points[1] cannot be reached" in text for text in found[1:])  # known before the run
    assert dict(run_summary(tmp_path / "run.mcap"))["waypoints"].startswith(
        f"auv/guidance: {reached} of 2 reached, the"
    )


def test_points_that_are_reached_later_than_planned_are_a_note_with_both_times(tmp_path: Path) -> None:
    """Two metres per second are more than the vehicle makes; the reference waits for it."""
    fast = LOOP.replace(
        "{part: hold, rate: 10 Hz, position: [0, 0, 5 m], heading: 0}",
        "{part: waypoints, rate: 10 Hz, speed: 2.2 m/s, acceleration: 1, points: [{position: [20 m, 0, 5 m]}]}",
    )
    off = "at_limit: off, speed: off, tilt: off, heading: off"  # at its limits it also turns about
    for duration, late in (("30 s", True), ("18 s", False)):
        outcome = run(
            setup(
                f"position: [0, 0, 5 m]\n    {fast}\n    watch: {{{off}}}",
                duration,
            ),
            tmp_path / "run.mcap",
        )
        line = dict(run_summary(tmp_path / "run.mcap"))["waypoints"]
        if late:
            assert not outcome.warnings
            reached, planned = (
                float(part.split(" s")[0]) for part in (line.split("at ")[1], line.split("planned: ")[1])
            )
            assert 9.0 < planned < reached - 5.0
        else:
            assert [one.watch for one in outcome.warnings] == ["unfinished"]


def test_what_is_meant_is_switched_off() -> None:
    back = "position: [0, 0, 5 m]\n    angles: [180 deg, 0, 0]\n    locked: [roll, pitch]"
    for means in ("watch: off", "watch: {upside_down: off}"):
        assert not watched(f"{back}\n    {means}")
        assert not watched(back, top=means)
    assert watched(f"{back}\n    watch: {{upside_down: on}}", top="watch: off")
    assert not watched(back, top="watch: {upside_down: 180 deg}")
    assert setup(back, top="watch: off").vehicles[0].watch == WATCH_NONE
    assert setup(back, top="watch: {tracking: 50 cm}").vehicles[0].watch == replace(Watch(), tracking=0.5)


@pytest.mark.parametrize(
    ("means", "words"),
    [
        ("watch: never", "expected off, on, or a mapping"),
        ("watch: {upside: off}", 'Did you mean "upside_down"'),
        ("watch: {tracking: 5 kg}", "does not measure"),
        ("watch: {at_limit: 3}", "between 0 and 1"),
        ("watch: {unfinished: 3 m}", "true or false"),
        ("watch: [off]", "expected a mapping"),
        ("watch: {upside_down: 200 deg}", "at most 180 deg"),
    ],
)
def test_a_watch_that_cannot_be_is_refused_with_its_line(means: str, words: str) -> None:
    with pytest.raises(ScenarioError, match=words) as caught:
        setup("position: [0, 0, 5 m]", top=means)
    assert caught.value.problems[0].line == 6


def test_an_episode_is_one_warning_and_its_end_is_told(tmp_path: Path) -> None:
    """Twice on its back for 4 s, held there by torques: two episodes, one entry, events for each."""
    flip = "{kind: pulse, torque: [60 N m, 0, 0], period: 12 s, width: 4 s}"
    more = f"position: [0, 0, 5 m]\n    locked: [pitch, yaw, surge, sway, heave]\n    disturbances: [{flip}]"
    made = setup(more, "24 s")
    found = run(made, tmp_path / "run.mcap").warnings
    assert [one.watch for one in found] == ["upside_down"]
    events = [event for event in read_log(tmp_path / "run.mcap").events if event.source == "rov/watch"]
    assert [event.level for event in events] == ["warning", "info"] * found[0].times


BACK = "position: [0, 0, 5 m]\n    angles: [180 deg, 0, 0]\n    locked: [roll, pitch]"
BEYOND = "position: [0, 0, 50 m]\n    commands: [{at: 0 s, set: {front_port: 1000 N}}]"


@pytest.mark.parametrize(
    ("more", "duration", "stops"),
    [(BACK, "3 s", (30, 75)), (BEYOND, "12 s", (250, 550))],  # before the warning and after it
    ids=["upside down", "at a limit"],
)
def test_a_resumed_run_warns_as_if_it_had_never_stopped(tmp_path: Path, more: str, duration: str, stops) -> None:
    made = setup(more, duration)
    whole = run(made, tmp_path / "whole.mcap")
    assert whole.warnings
    for steps in stops:
        loop = Loop(made, Recorder.open(made, tmp_path / "part.mcap"))
        loop.advance(steps)
        save_checkpoint(tmp_path / "part.checkpoint", loop)
        loop.recorder.close()
        stored = load_checkpoint(tmp_path / "part.checkpoint", made)
        again = resumed_loop(made, stored, tmp_path / "part.mcap", tmp_path / "on.mcap")
        assert run_loop(again).warnings == whole.warnings
        again.recorder.close()
        assert compare(tmp_path / "on.mcap", tmp_path / "whole.mcap").difference is None
        assert read_log(tmp_path / "on.mcap").events == read_log(tmp_path / "whole.mcap").events


def test_every_watch_has_a_name_and_can_be_off() -> None:
    assert tuple(Watch.__dataclass_fields__) == NAMES
    assert not any(getattr(WATCH_NONE, name) for name in NAMES)
    assert math.radians(90.0) < Watch().upside_down < math.radians(120.0)  # not where a vertical dive stands


@pytest.mark.parametrize("turns", [-2, -1, 0, 1, 2])
def test_headings_a_full_turn_apart_are_the_same(turns: int) -> None:
    """The heading of a reference counts on while a vehicle goes round."""
    ahead = from_euler_zyx(0.1, -0.2, math.radians(170.0))
    assert heading_error(math.radians(170.0) + turns * math.tau, ahead) == pytest.approx(0.0, abs=1e-9)
    assert heading_error(math.radians(-170.0) + turns * math.tau, ahead) == pytest.approx(math.radians(20.0))


REACHED = """position: [0, 0, 5 m]
    navigation: {part: truth, rate: 10 Hz}
    guidance: {part: GUIDANCE}
    control: {part: position, rate: 10 Hz}
    allocation: {part: bounded, rate: 10 Hz}"""
POINTS = "waypoints, rate: 10 Hz, speed: 0.3 m/s, points: [{position: [0.3 m, 0, 5 m]}], tolerance: 0.2 m"
MISSION = "lyapunov, rate: 10 Hz, mission: [{do: go_to, position: [0.3 m, 0, 5 m], tolerance: 0.2 m}]"


@pytest.mark.parametrize("guidance", [POINTS, MISSION])
@pytest.mark.parametrize(("sigma", "is_warned"), [(0.05, True), (0.3, False), (math.nan, True)])
def test_a_waypoint_that_only_the_estimate_has_reached_is_noticed(monkeypatch, guidance, sigma, is_warned):
    """The estimate is 0.8 m off: beyond the tolerance and its own three standard deviations, or within them."""
    step = TrueState.step

    def wrong(self, state, now):
        state, true = step(self, state, now)
        x, y, z = true.p_NB
        return state, true._replace(p_NB=(x, y + 0.8, z), sigma_p_N=(sigma,) * 3)

    monkeypatch.setattr(TrueState, "step", wrong)
    lines = REACHED.replace("GUIDANCE", guidance)
    if guidance == MISSION:
        lines = lines.replace("part: position", "part: pid")
    found = watched(lines, "15 s")
    assert ("estimate" in found) is is_warned
    if is_warned:
        assert found["estimate"].text.startswith("counts waypoint 1 as reached, but its position estimate is 0.8 m off")
