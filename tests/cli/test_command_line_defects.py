"""Small things that users of the command line ran into."""

import contextlib
import io
from pathlib import Path

import numpy as np
import pytest

from command_line import remora
from loop_logs import POSE
from remora.logs import Channel, LogWriter, RunHeader, read_log
from remora.plant.plant import Plant
from remora.report.logs.figure import log_figure
from remora.scenarios import read_scenario
from remora.vehicles import load_vehicle

pytestmark = pytest.mark.usefixtures("blank_pictures")

SATURATED = """
name: pushed
duration: 25 s
step: 20 ms
log: {rate: 10 Hz}
vehicles:
  - name: rov
    file: bluerov2_heavy
    position: [0, 0, 5 m]
    disturbances: [{kind: constant, force: [400 N, 0, 0], frame: world}]
    navigation: truth
    guidance: {part: hold, rate: 10 Hz, position: [0, 0, 5 m], heading: 0}
    control: {part: position, rate: 10 Hz}
    allocation: {part: bounded, rate: 10 Hz}
"""


def test_help_of_a_plant_shows_names_of_types_and_not_what_they_stand_for() -> None:
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        help(Plant)
    words = text.getvalue()
    assert "ArrayLike" in words
    assert "_SupportsArray" not in words
    assert "0.16666667" not in words  # weights of a method
    assert max(len(line) for line in words.splitlines()) < 500


@pytest.mark.parametrize("command", ["presets", "check"])
@pytest.mark.parametrize("name", ["bluerov2_heavy", "remus100", "gavia"])
def test_thruster_names_are_shown(command: str, name: str) -> None:
    shown = remora(command, name).stdout
    parameters = load_vehicle(name).parameters
    line = next(line for line in shown.splitlines() if line.startswith("thrusters"))
    assert line.split(maxsplit=1)[1].split(", ") == [*parameters.thruster_names]
    assert ("fins" in [line.split(":")[0].split()[0] for line in shown.splitlines() if line]) == bool(
        parameters.fin_names
    )


@pytest.mark.parametrize(
    "change", [{"seed": 8}, {"duration": "3 s"}, {"vehicle": "falcon"}, {"seed": 8, "duration": "3 s"}]
)
def test_options_of_the_command_line_are_in_the_scenario_hash(change: dict[str, object]) -> None:
    hashes = {read_scenario("dive_and_turn", some).scenario_hash for some in ({}, change, {"seed": 9})}
    assert len(hashes) == 3
    assert read_scenario("dive_and_turn", change).scenario_hash in hashes


def test_the_hash_of_a_log_differs_with_the_options(tmp_path: Path) -> None:
    found = set()
    for number, options in enumerate([(), ("--seed", "8"), ("--vehicle", "falcon")]):
        out = tmp_path / f"{number}.mcap"
        remora("run", "dive_and_turn", "--duration", "1", *options, "--out", str(out))
        found.add(read_log(out).header.scenario_hash)
    assert len(found) == 3


def test_commands_at_a_limit_are_counted_as_saturation(tmp_path: Path) -> None:
    """An allocation that keeps to the limits is never cut, and was shown with 0.0 % however long it was at them."""
    (tmp_path / "pushed.yaml").write_text(SATURATED)
    result = remora("run", str(tmp_path / "pushed.yaml"), "--out", str(tmp_path / "run.mcap"))
    assert result.exit_code == 3
    line = next(line for line in result.stdout.splitlines() if line.startswith("saturation"))
    limited = read_log(tmp_path / "run.mcap")["rov/limited"]
    ends = load_vehicle("bluerov2_heavy").parameters.thrusters
    at = np.array([
        [abs(x - t.command_minimum) < 1e-4 or abs(x - t.command_maximum) < 1e-4 for x, t in zip(row, ends, strict=True)]
        for row in limited.table()
    ])  # fmt: skip
    names = load_vehicle("bluerov2_heavy").parameters.thruster_names
    each = [f"{name} {100.0 * share:.1f} %" for name, share in zip(names, at.mean(axis=0), strict=True) if share]
    assert at.any(axis=1).mean() > 0.5
    assert line.split(maxsplit=1)[1] == (
        f"{100.0 * at.any(axis=1).mean():.1f} % of the time at a limit: {', '.join(each)}"
    )


def test_each_actuator_is_compared_with_its_own_limit(tmp_path: Path) -> None:
    """The fins of the Gavia were shown at the limits of its propeller, which comes last in the header."""
    result = remora("run", "gavia_survey", "--duration", "5", "--out", str(tmp_path / "run.mcap"))
    line = next(line for line in result.stdout.splitlines() if line.startswith("saturation"))
    assert "propeller" not in line


def test_a_picture_of_twenty_vehicles_shows_and_names_all_of_them(tmp_path: Path) -> None:
    names = [f"rov_{i}" for i in range(20)]
    writer = LogWriter(
        tmp_path / "run.mcap", RunHeader("0.1.0", 0, "", {}), tuple(Channel(f"{name}/truth", POSE) for name in names)
    )
    for i, name in enumerate(names):
        rows = np.zeros((5, 13))
        rows[:, 0], rows[:, 1], rows[:, 2], rows[:, 3] = np.arange(5.0), 3.0 * i, 2.0 + i, 1.0
        writer.write_rows(f"{name}/truth", np.arange(5) * 1_000_000_000, rows)
    writer.close()
    picture = log_figure(tmp_path / "run.mcap")
    axes = picture.figure.get_axes()
    plan = next(one for one in axes if one.get_title() == "path from above")
    assert {text.get_text() for text in plan.texts} == set(names)
    places = {text.get_text(): text.xy for text in plan.texts}
    assert places["rov_7"] == (21.0, 0.0)
    assert plan.get_legend() is None
    depth = next(one for one in axes if one.get_ylabel().startswith("depth"))
    colours = {line.get_color() for line in depth.lines}
    assert len(depth.lines) == len(colours) == 20
    assert not any("not in the picture" in remark for remark in picture.remarks)
