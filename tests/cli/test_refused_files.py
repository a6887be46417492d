"""Bad input ends with exit code 2 and its line, whatever kind of mistake it is; a run that is not as asked with 3."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from remora.cli import main
from remora.simulation.scenarios.reader import scenario_from_text
from remora.vehicles.library import preset_path
from remora.vehicles.morphologies import morphology_path

pytestmark = pytest.mark.usefixtures("blank_pictures")

ROV = preset_path("bluerov2_heavy").read_text(encoding="utf-8")
DRIFT = "name: drift\nduration: 1 s\nvehicles:\n  - {name: rov, file: bluerov2_heavy, position: [0, 0, 5 m]}\n"
LATE = DRIFT.replace("5 m]}", "5 m], commands: [{at: 30 s, set: {front_port: 5 N}}]}")


def invoke(*arguments: str):
    return CliRunner().invoke(main, arguments)


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("duration: 1 s", "duration: -60 s", 2),
        ("duration: 1 s", "duration: 1 s\nlog: {rate: -50 Hz}", 3),
        ("duration: 1 s", "duration: 1 s\nstep: 0 s", 3),
        ("duration: 1 s", "duration: 1 s\nwater: {surface_depth: 0, bottom_depth: -20 m}", 3),
        ("[0, 0, 5 m]", "[0, 0, 5 m], actuators: {dead_band: -5 N}", 4),
    ],
)
def test_a_scenario_with_an_impossible_value_ends_with_exit_code_2(old: str, new: str, line: int, tmp_path) -> None:
    file = tmp_path / "my.yaml"
    file.write_text(DRIFT.replace(old, new))
    result = invoke("run", str(file), "--out", str(tmp_path))
    assert result.exit_code == 2
    assert result.stderr.startswith(f"{file}:{line}: ")
    assert "Traceback" not in result.output


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("mass: 13.5 kg", "mass: 0 kg"),
        ("[-39.91, 51.48]", "[51.48, -39.91]"),
        ("[141, 217,", "[141, -217,"),
        ("diagonal: [6.36, 7.12,", "diagonal: [6.36, -7.12,"),
        ("neutral: {value: 1500 us,", "neutral: {value: 1500,"),
        ("[0.26, 0.23, 0.37]", "[0.26, 0.23, 3.7]"),
    ],
)
@pytest.mark.parametrize("as_json", [False, True])
def test_a_vehicle_file_with_an_impossible_value_ends_with_exit_code_2(old, new, as_json, tmp_path: Path) -> None:
    assert ROV.count(old) == 1
    file = tmp_path / "my.yaml"
    file.write_text(ROV.replace(old, new))
    result = invoke("check", str(file), *(["--json"] if as_json else []))
    assert result.exit_code == 2
    assert ('"line": ' in result.stdout) if as_json else result.stderr.startswith(f"{file}:")


def test_the_duration_of_a_file_is_judged_although_an_option_replaces_it(tmp_path: Path) -> None:
    file = tmp_path / "my.yaml"
    file.write_text(DRIFT.replace("1 s", "-60 s"))
    result = invoke("run", str(file), "--duration", "1", "--out", str(tmp_path))
    assert result.exit_code == 2
    assert f"{file}:2: duration = -60 s: must be above zero" in result.stderr


def test_an_entry_that_never_begins_ends_a_run_with_exit_code_3_and_stands_in_its_summary(tmp_path: Path) -> None:
    file = tmp_path / "late.yaml"
    file.write_text(LATE)
    result = invoke("run", str(file), "--out", str(tmp_path))
    assert result.exit_code == 3, result.output
    words = "vehicles[0].commands[0].at never begins: 30 s is after the end of the run at 1 s"
    assert words in result.stderr
    assert words in result.stdout


def test_a_run_cut_short_by_an_option_has_a_note_of_what_never_begins_and_exit_code_0(tmp_path: Path) -> None:
    file = tmp_path / "late.yaml"
    file.write_text(LATE.replace("duration: 1 s", "duration: 60 s"))
    result = invoke("run", str(file), "--duration", "1", "--out", str(tmp_path))
    assert result.exit_code == 0, result.output
    assert f"note: {file}:4: vehicles[0].commands[0].at: never begins: 30 s is after the end" in result.stderr


@pytest.mark.parametrize(("name", "kind"), [("bluerov2_heavy", "vehicle"), ("docked_pair", "morphology")])
def test_a_vehicle_or_morphology_in_place_of_a_scenario_is_refused_with_a_scenario(name, kind, tmp_path) -> None:
    folder = preset_path(name) if kind == "vehicle" else morphology_path(name)
    (tmp_path / "mine.yaml").write_text(folder.read_text(encoding="utf-8"))
    for given in (name, str(tmp_path / "mine.yaml")):
        result = invoke("run", given, "--out", str(tmp_path))
        assert result.exit_code == 2
        (line,) = result.stderr.splitlines()
        assert line.startswith(f"{given}: is a {kind}, not a scenario.")
        (scenario,) = re.findall(r"names it: (\{.*\})\.$", line)
        assert scenario_from_text(scenario, folder=tmp_path).vehicles
