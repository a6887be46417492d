"""A vehicle that the Munk moment tips: told before the run where nothing holds it, and seen by the watch."""

from pathlib import Path

import numpy as np
import pytest

from remora.logs import read_log
from remora.run.loop.loop import Loop, RunOutcome, run_loop
from remora.run.recorder import Recorder
from remora.run.setup import Setup
from remora.scenarios.reader import scenario_from_text

PLAIN = '''
from remora.equations.algebra.kinematics import position_rate, to_body


class Plain:
    """Speed to the north, east and depth by proportional forces in N; no attitude."""

    needs = ("attitude", "velocity", "depth")

    def __init__(self, vehicle, period, speed=0.5):
        self.speed = speed

    def initial(self):
        return ()

    def step(self, state, now):
        q = now.estimate.q_NB
        v = position_rate(q, now.estimate.twist[:3])
        down = 60.0 * (5.0 - now.estimate.p_NB[2]) - 90.0 * v[2]
        return (), (*to_body(q, (90.0 * (self.speed - v[0]), -90.0 * v[1], down)), 0.0, 0.0, 0.0)
'''
RUN = """
name: tip
duration: {duration}
step: 20 ms
log: {{rate: 10 Hz}}
vehicles:
  - name: rov
    file: bluerov2_heavy
    position: [0, 0, 5 m]
    navigation: truth
    {parts}
    allocation: {{part: bounded, rate: 10 Hz}}
"""
GOES = "guidance: {{part: waypoints, rate: 10 Hz, speed: {speed} m/s, points: [{{position: [12 m, 0, 5 m]}}]}}\n    "
VELOCITY = """guidance: {part: lyapunov, rate: 10 Hz, max_speeds: [%s, 0.3, 0.3, 0.3],
               mission: [{do: go_to, position: [40 m, 0, 5 m]}]}
    control: {part: pid, rate: 10 Hz}"""


def setup(parts: str, duration: str = "40 s", folder: Path | None = None) -> Setup:
    return scenario_from_text(RUN.format(parts=parts, duration=duration), "tip.yaml", folder or Path())


def flown(made: Setup, file: Path) -> tuple[RunOutcome, np.ndarray]:
    """Outcome, and the angle between the z axis and down at each row of the log, deg."""
    loop = Loop(made, Recorder.open(made, file))
    assert loop.recorder is not None
    outcome = run_loop(loop)
    loop.recorder.close()
    x, y = read_log(file)["rov/truth"].table("q_NB_1", "q_NB_2").T
    return outcome, np.degrees(np.arccos(np.clip(1.0 - 2.0 * (x**2 + y**2), -1.0, 1.0)))


def told(made: Setup) -> list[str]:
    return [str(note) for note in made.load_notes if "Munk" in str(note)]


@pytest.mark.parametrize(
    ("parts", "axes"),
    [
        (GOES.format(speed=0.8) + "control: {part: position, rate: 10 Hz, levels: false}", ["surge", "sway"]),
        (GOES.format(speed=0.8) + "control: {part: position, rate: 10 Hz}", []),  # levelling and feedforward hold it
        (GOES.format(speed=0.3) + "control: {part: position, rate: 10 Hz, levels: false}", []),
        (VELOCITY % 0.7, ["surge"]),  # levelling of pid is too soft for this speed
        (VELOCITY % 0.4, []),
    ],
)
def test_speeds_above_the_munk_speed_are_told_before_the_run(parts: str, axes: list[str]) -> None:
    notes = told(setup(parts))
    assert len(notes) == len(axes)
    for axis, note in zip(axes, notes, strict=True):
        assert f"m/s in {axis}: the Munk moment exceeds the righting moment from 0.3" in note


def test_the_watch_sees_a_plain_controller_tip_its_vehicle(tmp_path: Path) -> None:
    (tmp_path / "plain.py").write_text(PLAIN)
    made = setup('control: {part: "plain.py:Plain", rate: 10 Hz, speed: 0.75}', "30 s", tmp_path)
    outcome, tilt = flown(made, tmp_path / "run.mcap")
    assert tilt[-1] > 45.0  # and it stays so, which a bound of 100 deg does not see
    assert {one.watch for one in outcome.warnings} == {"tilt"}


def test_a_vehicle_that_is_thrown_over_for_seconds_only_is_seen(tmp_path: Path) -> None:
    free = "guidance: {part: hold, rate: 10 Hz}\n    control: {part: position, rate: 10 Hz, levels: false}"
    push = "\n    disturbances: [{kind: constant, torque: [1 N m, 0, 0], frame: body, from: 5 s, until: 8 s}]"
    outcome, tilt = flown(setup(free + push, "15 s"), tmp_path / "run.mcap")
    assert 60.0 < tilt.max() < 100.0
    assert tilt[-1] < 30.0
    assert {one.watch for one in outcome.warnings} == {"tilt"}


def test_what_was_told_happens_and_what_was_not_stays_level(tmp_path: Path) -> None:
    free = GOES.format(speed=0.8) + "control: {part: position, rate: 10 Hz, levels: false}"
    outcome, tilt = flown(setup(free, "30 s"), tmp_path / "free.mcap")
    assert tilt.max() > 60.0
    assert "tilt" in {one.watch for one in outcome.warnings}
    held = GOES.format(speed=0.8) + "control: {part: position, rate: 10 Hz}"
    outcome, tilt = flown(setup(held), tmp_path / "held.mcap")
    assert tilt.max() < 5.0
    assert not outcome.warnings
