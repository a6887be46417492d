"""Bad input ends with exit code 2 and its line, whatever kind of mistake it is; a run that is not as asked with 3."""

from pathlib import Path

import pytest

from command_line import remora
from remora.vehicles.library import morphology_path, preset_path

pytestmark = pytest.mark.usefixtures("blank_pictures")

ROV = preset_path("bluerov2_heavy").read_text(encoding="utf-8")
DRIFT = "name: drift\nduration: 1 s\nvehicles:\n  - {name: rov, file: bluerov2_heavy, position: [0, 0, 5 m]}\n"
LATE = DRIFT.replace("5 m]}", "5 m], commands: [{at: 30 s, set: {front_port: 5 N}}]}")


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
    result = remora("run", str(file), "--out", str(tmp_path))
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
    result = remora("check", str(file), *(["--json"] if as_json else []))
    assert result.exit_code == 2
    assert ('"line": ' in result.stdout) if as_json else result.stderr.startswith(f"{file}:")


def test_the_duration_of_a_file_is_judged_although_an_option_replaces_it(tmp_path: Path) -> None:
    file = tmp_path / "my.yaml"
    file.write_text(DRIFT.replace("1 s", "-60 s"))
    result = remora("run", str(file), "--duration", "1", "--out", str(tmp_path))
    assert result.exit_code == 2
    assert f"{file}:2: duration = -60 s: must be above zero" in result.stderr


def test_an_entry_that_never_begins_ends_a_run_with_exit_code_3_and_stands_in_its_summary(tmp_path: Path) -> None:
    file = tmp_path / "late.yaml"
    file.write_text(LATE)
    result = remora("run", str(file), "--out", str(tmp_path))
    assert result.exit_code == 3, result.output
    words = "vehicles[0].commands[0].at never begins: 30 s is after the end of the run at 1 s"
    assert words in result.stderr
    assert words in result.stdout


def test_a_run_cut_short_by_an_option_has_a_note_of_what_never_begins_and_exit_code_0(tmp_path: Path) -> None:
    file = tmp_path / "late.yaml"
    file.write_text(LATE.replace("duration: 1 s", "duration: 60 s"))
    result = remora("run", str(file), "--duration", "1", "--out", str(tmp_path))
    assert result.exit_code == 0, result.output
    assert f"note: {file}:4: vehicles[0].commands[0].at: never begins: 30 s is after the end" in result.stderr


@pytest.mark.parametrize(
    ("old", "new", "line", "shown"),
    [
        ("duration: 1 s", "duration 1 s", 2, "duration 1 s"),
        ("duration: 1 s", "duration:1 s", 2, "duration:1 s"),
        ("vehicles:", "vehicles", 3, "vehicles"),
        ("name: drift", "name drift", 1, "name drift"),
    ],
)
def test_a_line_without_a_colon_is_shown(old: str, new: str, line: int, shown: str, tmp_path: Path) -> None:
    file = tmp_path / "my.yaml"
    file.write_text(DRIFT.replace(old, new))
    result = remora("run", str(file), "--out", str(tmp_path))
    assert result.exit_code == 2
    assert result.stderr == f'{file}:{line}: "{shown}" needs a colon and a blank after the key.\n'


def test_a_tab_is_named(tmp_path: Path) -> None:
    file = tmp_path / "my.yaml"
    file.write_text(DRIFT.replace("  - {", "\t- {"))
    result = remora("run", str(file), "--out", str(tmp_path))
    assert result.exit_code == 2
    assert result.stderr == f"{file}:4: the line is indented by a tab. Indent by blanks.\n"


def test_a_file_of_another_kind_is_named(tmp_path: Path) -> None:
    morphology = morphology_path("docked_pair").read_text(encoding="utf-8")
    for name, text in (("scenario", DRIFT), ("vehicle", ROV), ("morphology", morphology)):
        (tmp_path / f"{name}.yaml").write_text(text)
    for found in ("vehicle", "morphology"):
        result = remora("run", str(tmp_path / f"{found}.yaml"), "--out", str(tmp_path))
        assert result.exit_code == 2
        assert f"this is a {found} file, and a scenario file is needed. Name it in a scenario" in result.stderr
        assert result.stderr.count("\n") == 1
    for command in (["check"], ["fit"], ["design"]):
        result = remora(*command, str(tmp_path / "scenario.yaml"), *(["log.csv"] if command == ["fit"] else []))
        assert result.exit_code == 2
        assert "scenario.yaml:2: this is a scenario file, and a vehicle file is needed." in result.stderr
    assert "this is a bundled vehicle. Name it in a scenario" in remora("run", "falcon").stderr


def test_the_example_of_a_density_is_one(tmp_path: Path) -> None:
    file = tmp_path / "my.yaml"
    file.write_text(DRIFT + "water: {density: salty}\n")
    result = remora("run", str(file), "--out", str(tmp_path))
    assert 'water.density = salty: expected a number such as "1025 kg/m3", found the text "salty".' in result.stderr
