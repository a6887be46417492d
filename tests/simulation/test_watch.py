"""A run that does not go as asked says so: in its result, in its log, once per episode, and the same after a resume."""

import math
from dataclasses import replace
from pathlib import Path

import pytest

from remora.equations.quaternions import from_euler_zyx
from remora.logs import compare, read_log
from remora.logs.writer import LogWriter
from remora.report.run_summary import ActuatorLimits, run_summary
from remora.simulation.checkpoint import load_checkpoint, resumed_loop, save_checkpoint
from remora.simulation.command_limits import outages, reached_limits
from remora.simulation.deviations import heading_error
from remora.simulation.journal import Journal, run_channels, run_header
from remora.simulation.loop import Loop, drive, run
from remora.simulation.scenarios import ScenarioError
from remora.simulation.scenarios.reading import scenario_from_text
from remora.simulation.watch import NAMES, NOTHING, Watch

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
    limits = {"rov": ActuatorLimits(reached_limits(made.vehicles[0]), outages(made.vehicles[0]))}
    said = dict(run_summary(tmp_path / "run.mcap", limits))["saturation"]
    assert said.endswith("faulty: front_port 75.2 %")  # from 5 s to the end of 20 s, both rows counted
    assert "front_port" not in said.split("faulty")[0]


def test_what_is_meant_is_switched_off() -> None:
    back = "position: [0, 0, 5 m]\n    angles: [180 deg, 0, 0]\n    locked: [roll, pitch]"
    for means in ("watch: off", "watch: {upside_down: off}"):
        assert not watched(f"{back}\n    {means}")
        assert not watched(back, top=means)
    assert watched(f"{back}\n    watch: {{upside_down: on}}", top="watch: off")
    assert not watched(back, top="watch: {upside_down: 180 deg}")
    assert setup(back, top="watch: off").vehicles[0].watch == NOTHING
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
        loop = Loop(made, Journal(LogWriter(tmp_path / "part.mcap", run_header(made), run_channels(made))))
        loop.advance(steps)
        save_checkpoint(tmp_path / "part.checkpoint", loop)
        loop.journal.close()
        stored = load_checkpoint(tmp_path / "part.checkpoint", made)
        again = resumed_loop(made, stored, tmp_path / "part.mcap", tmp_path / "on.mcap")
        assert drive(again).warnings == whole.warnings
        again.journal.close()
        assert compare(tmp_path / "on.mcap", tmp_path / "whole.mcap").difference is None
        assert read_log(tmp_path / "on.mcap").events == read_log(tmp_path / "whole.mcap").events


def test_every_watch_has_a_name_and_can_be_off() -> None:
    assert tuple(Watch.__dataclass_fields__) == NAMES
    assert not any(getattr(NOTHING, name) for name in NAMES)
    assert math.radians(90.0) < Watch().upside_down < math.radians(120.0)  # not where a vertical dive stands


@pytest.mark.parametrize("turns", [-2, -1, 0, 1, 2])
def test_headings_a_full_turn_apart_are_the_same(turns: int) -> None:
    """The heading of a reference counts on while a vehicle goes round."""
    ahead = from_euler_zyx(0.1, -0.2, math.radians(170.0))
    assert heading_error(math.radians(170.0) + turns * math.tau, ahead) == pytest.approx(0.0, abs=1e-9)
    assert heading_error(math.radians(-170.0) + turns * math.tau, ahead) == pytest.approx(math.radians(20.0))
