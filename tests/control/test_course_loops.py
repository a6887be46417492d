"""Loops of vehicles that are steered by fins: margins against the simulated plant, and tuned gains in flight."""

import math
from collections import deque
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from remora.cli import main
from remora.control.autopilots.fin_autopilot import FinAutopilot, FinGains, fin_autopilot
from remora.control.feedback.pid import Pid, PidState
from remora.control.tuning.course_gains import (
    CourseLoop,
    CoursePoint,
    CourseTiming,
    estimate_of,
    held_by,
    settled_course,
    tuned_course,
)
from remora.control.tuning.gain_selection import TuningGoals
from remora.control.tuning.loop_margins import LoopMargins
from remora.files.problems import InputError
from remora.plant.plant import Plant
from remora.run.loop.loop import Loop
from remora.run.stability.scenario_margins import scenario_margins
from remora.scenarios import scenario_from_text
from remora.scenarios.scenario import load_scenario
from remora.vehicles import load_vehicle
from remora.vehicles.library import preset_path

PERIOD, LATENCY = 0.1, 0.25  # s
KICK = 1e-6  # m/s and rad/s
SEEN = [2, 7, 8, 9, 11, 12]  # depth and twist, but for the roll rate: the roll of a REMUS is hardly damped


@cache
def course(name: str, speed: float) -> tuple[Plant, FinAutopilot, CoursePoint]:
    plant = Plant(load_vehicle(name))
    autopilot = fin_autopilot(plant.vehicle.parameters, PERIOD)
    return plant, autopilot, settled_course(plant, autopilot, speed, 5.0)


@cache
def judged(name: str, speed: float, latency: float) -> LoopMargins:
    plant, autopilot, point = course(name, speed)
    return CourseLoop(autopilot, point, CourseTiming(PERIOD, latency)).margins(plant.packed)


def scaled(autopilot: FinAutopilot, axis: str, factor: float) -> FinAutopilot:
    """The autopilot with another gain around one cut."""

    def stronger(one: Pid) -> Pid:
        return Pid(PERIOD, factor * one.proportional, factor * one.integral)

    name = {"surge": "speed", "pitch": "pitch_rate", "yaw": "turn_rate", "depth": "depth"}[axis]
    return replace(autopilot, **{name: stronger(getattr(autopilot, name))})


def flight(plant: Plant, autopilot: FinAutopilot, point: CoursePoint, latency: float, kick: float) -> np.ndarray:
    """Depth and twist of 100 s on the course, with commands that arrive late."""
    state, held, out = point.state.copy(), point.held, []
    state[7:13] += kick
    whole, late = divmod(latency, PERIOD)
    queue = deque([point.commands] * (int(whole) + 2), maxlen=int(whole) + 2)
    for _ in range(1000):
        now = estimate_of(state)
        held, given = autopilot.step(held, now.p_NB[2], now.q_NB, now.twist, (point.depth, 0.0, point.speed))
        queue.append(np.array(given))
        if late > 1e-9:
            state = plant.step(state, queue[0], late, 2)
        state = plant.step(state, queue[1], PERIOD - late, 5)
        out.append(state[SEEN])
    return np.array(out)


def is_stable(name: str, speed: float, autopilot: FinAutopilot, latency: float) -> bool:
    """Whether a small disturbance dies away in 100 s; asserts that it clearly grows where it does not."""
    plant, _, point = course(name, speed)
    away = np.abs(flight(plant, autopilot, point, latency, KICK) - flight(plant, autopilot, point, latency, 0.0))
    sizes = away.max(axis=1) / KICK
    first, last = sizes[:200].max(), sizes[-200:].max()
    assert last < first or last > 2.0 * first or sizes.max() > 10.0
    return bool(last < first and sizes.max() < 10.0)


@pytest.mark.parametrize(
    ("name", "speed", "latency", "axis"),
    [
        ("gavia", 1.6, 0.25, "surge"),
        ("gavia", 1.6, 0.25, "pitch"),
        ("gavia", 1.6, 0.25, "yaw"),
        ("gavia", 1.6, 0.25, "depth"),
        ("gavia", 1.6, 0.0, "depth"),
        ("remus100", 1.5, 0.2, "pitch"),
        ("remus100", 1.5, 0.2, "surge"),
    ],
)
def test_gain_margins_are_where_the_simulated_course_becomes_unstable(name, speed, latency, axis):
    autopilot = course(name, speed)[1]
    (found,) = [one.margins for one in judged(name, speed, latency).axes if one.axis == axis]
    assert is_stable(name, speed, scaled(autopilot, axis, 0.9 * found.gain), latency)
    assert not is_stable(name, speed, scaled(autopilot, axis, 1.1 * found.gain), latency)


def test_a_course_that_the_hull_leaves_needs_the_gain_that_the_margin_says():
    """A REMUS is unstable without fins: less gain than the margin lets it go."""
    autopilot = course("remus100", 1.5)[1]
    for axis in ("pitch", "yaw"):
        (found,) = [one.margins for one in judged("remus100", 1.5, 0.1).axes if one.axis == axis]
        assert found.gain_reduction < 2.0
        assert is_stable("remus100", 1.5, scaled(autopilot, axis, 1.1 / found.gain_reduction), 0.1)
        assert not is_stable("remus100", 1.5, scaled(autopilot, axis, 0.9 / found.gain_reduction), 0.1)


@pytest.mark.parametrize(("name", "speed", "latency"), [("gavia", 1.6, 0.25), ("gavia", 1.6, 0.0)])
def test_the_delay_margin_is_where_the_simulated_course_becomes_unstable(name, speed, latency):
    autopilot = course(name, speed)[1]
    least = min(one.margins.delay for one in judged(name, speed, latency).axes)
    assert is_stable(name, speed, autopilot, latency + 0.9 * least)
    assert not is_stable(name, speed, autopilot, latency + 1.1 * least)


def test_margins_of_a_scenario_with_fins_count_its_speed_period_and_latency():
    setup = load_scenario("torpedo_bed").setup
    report = scenario_margins(setup, draws=3)
    assert report.speed == 1.6
    assert report.nominal.is_stable
    assert [one.axis for one in report.nominal.axes] == ["surge", "roll", "pitch", "yaw", "depth", "heading"]
    autopilot = next(part.part for part in setup.vehicles[0].parts if part.name == "control").autopilot
    plant, _, _ = course("gavia", 1.6)
    point = settled_course(plant, autopilot, 1.6, 15.0)
    own = CourseLoop(autopilot, point, CourseTiming(0.1, report.timing.latency)).margins(plant.packed)
    for mine, one in zip(own.axes, report.nominal.axes, strict=True):
        assert mine.margins.phase == pytest.approx(one.margins.phase, rel=1e-6)
    assert report.timing.latency > 0.1  # the DVL is a fifth of a second late
    assert len({draw.phase for draw in report.draws}) == 3


def test_the_command_margins_judges_fins_and_names_an_unstable_loop(tmp_path: Path):
    runner = CliRunner()
    good = runner.invoke(main, ["margins", "gavia_survey", "--draws", "2"])
    assert good.exit_code == 0, good.output
    assert "straight and level course at 1.6 m/s" in good.output
    text = preset_scenario("torpedo_bed").replace("depth_gain: 0.4}", "depth_gain: 0.4, rate_gain: 9}")
    (tmp_path / "wild.yaml").write_text(text)
    wild = runner.invoke(main, ["margins", str(tmp_path / "wild.yaml"), "--draws", "0"])
    assert wild.exit_code == 3
    assert "UNSTABLE" in wild.output
    assert "Multiply the gains by at most 0." in wild.output


def preset_scenario(name: str) -> str:
    import remora.scenarios.presets as presets

    return (Path(presets.__path__[0]) / f"{name}.yaml").read_text()


FLIGHT = """
name: flight
duration: 90 s
step: 20 ms
vehicles:
  - name: auv
    file: FILE
    position: [0, 0, 5 m]
    velocity: [1.3 m/s, 0, 0]
    navigation: {part: truth, rate: 10 Hz}
    guidance:
      {part: dive_and_turn, rate: 10 Hz, depth: 8 m, heading: 90 deg, speed: 1.4 m/s, ahead_at: 0 s, turn_at: 10 s,
       stop_at: 90 s}
"""


@pytest.mark.parametrize("name", ["gavia", "remus100", "own"])
def test_tuned_gains_keep_their_margins_and_fly(name, tmp_path):
    """A torpedo dives and turns with the section that the command prints; a file of one's own has a longer tail."""
    file = name
    if name == "own":
        text = preset_path("gavia").read_text().replace("name: gavia", "name: own", 1)
        assert text.count("value: 70 kg") == 1
        (tmp_path / "own.yaml").write_text(text.replace("value: 70 kg", "value: 84 kg").replace("-1.15, ", "-1.25, "))
        file = str(tmp_path / "own.yaml")
    done = CliRunner().invoke(main, ["tune", file, "--speed", "1.35"])
    assert done.exit_code == 0, done.output
    section = "\n".join(f"    {line}" for line in done.output[done.output.index("control:") :].splitlines())
    loop = Loop(scenario_from_text(FLIGHT.replace("FILE", file) + section + "\n"))
    loop.advance(loop.steps)
    auv = loop.vehicles[0]
    assert auv.state[2] == pytest.approx(8.0, abs=0.1)
    assert 2.0 * math.atan2(auv.state[6], auv.state[3]) == pytest.approx(math.pi / 2.0, abs=0.02)
    assert auv.state[7] == pytest.approx(1.4, abs=0.03)
    assert np.abs(auv.state[10:13]).max() < math.radians(1.5)


def test_tuned_margins_are_those_asked_for():
    plant = course("gavia", 1.6)[0]
    goals = TuningGoals(phase_margin=math.radians(50.0), gain_margin=2.5, bandwidth=1.8)
    tuned = tuned_course(plant, goals, PERIOD, 0.1, 1.6)
    for axis, _, found in tuned.axes:
        if axis == "roll":
            continue  # its gains are not selected
        assert found.phase > math.radians(49.5), axis  # the search has fewer frequencies
        assert min(found.gain, found.gain_reduction) > 2.45, axis
        assert axis not in ("pitch", "yaw") or found.crossover < 1.82
    autopilot = fin_autopilot(plant.vehicle.parameters, PERIOD, tuned.gains)
    point = settled_course(plant, autopilot, 1.6, 5.0)
    own = CourseLoop(autopilot, point, CourseTiming(PERIOD, 0.1)).margins(plant.packed)
    assert [one.margins.phase for one in own.axes] == pytest.approx([one.margins.phase for one in tuned.axes], rel=0.02)


def test_the_gain_margin_of_a_hull_that_leaves_its_course_is_kept():
    tuned = tuned_course(course("remus100", 1.5)[0])
    least = min(min(one.margins.gain, one.margins.gain_reduction) for one in tuned.axes)
    assert 1.96 < least < 2.3  # 6 dB are asked for, and bind before the phase does


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("gavia", {"speed": 5.0}, r"speed is 5 m/s: must be from 0.3 m/s"),
        ("gavia", {"goals": TuningGoals(smoothing=3.0)}, "smoothing is for vehicles that thrusters hold in place"),
        ("gavia", {"speed": 1.6, "latency": 1.5}, "no gains keep a phase margin of 45 deg"),
        ("bluerov2_heavy", {}, "cannot be steered by fins"),
    ],
)
def test_what_cannot_be_tuned_is_refused(name, arguments, message):
    with pytest.raises(InputError, match=message):
        tuned_course(Plant(load_vehicle(name)), **arguments)


def test_integral_gains_of_the_autopilot_are_options():
    section = "    control: {part: fin_autopilot, rate: 10 Hz, rate_integral_gain: 0.7, depth_integral_gain: 0.02}\n"
    loop = Loop(scenario_from_text(FLIGHT.replace("FILE", "gavia") + section))
    gains = next(part.scheduled.part for part in loop.vehicles[0].parts.parts if part.gives_commands).autopilot.gains
    assert gains == FinGains(rate_integral=0.7, depth_integral=0.02)


def test_other_integral_gains_hold_a_course_with_the_same_commands() -> None:
    """What the integrals give on the course is kept, where nothing is left to correct."""
    parameters = load_vehicle("gavia").parameters
    usual = fin_autopilot(parameters, PERIOD)
    made = fin_autopilot(parameters, PERIOD, FinGains(depth_integral=0.01, rate_integral=3.0, speed_integral=0.2))
    moments = {"pitch_rate": PidState(-0.01, 0.0), "turn_rate": PidState(0.02, 0.0)}
    held = usual.initial()._replace(**moments, speed=PidState(0.3, 0.0))
    level, ahead = (1.0, 0.0, 0.0, 0.0), (1.6, 0.0, 0.0, 0.0, 0.0, 0.0)
    _, before = usual.step(held, 5.0, level, ahead, (5.0, 0.0, 1.6))
    _, after = made.step(held_by(made, usual, held), 5.0, level, ahead, (5.0, 0.0, 1.6))
    assert max(map(abs, before[1:])) > 0.001
    assert after == pytest.approx(before)
