"""Mistakes that commands once accepted: misspelt sensor parameters, missing control, stale pages."""

from pathlib import Path

import pytest
from click.testing import CliRunner

import remora
from remora.api.page import Page
from remora.cli import main
from remora.simulation.scenarios import scenario_from_text
from remora.vehicles.library import preset_path


def test_check_refuses_misspelt_parameters_of_sensors(tmp_path: Path) -> None:
    text = preset_path("remus100").read_text()
    assert "heading_std" in text
    (tmp_path / "auv.yaml").write_text(text.replace("heading_std", "heading_sdt"))
    done = CliRunner().invoke(main, ["check", str(tmp_path / "auv.yaml")])
    assert done.exit_code == 2
    assert 'error: sensor "ahrs": heading_sdt: unknown parameter' in done.output


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("altitude_range: [0.1 m, 50 m]", "altitude_range: [50 m, 0.1 m]", "leaves no altitude with bottom lock"),
        ("grade: industrial", "grade: industial", 'Did you mean "industrial"?'),
    ],
)
def test_check_refuses_wrong_parameters_of_sensors(tmp_path: Path, old: str, new: str, words: str) -> None:
    sensors = """sensors:
  - {name: a, kind: imu, position: [0, 0, 0], rate: 50 Hz, parameters: {grade: industrial}}
  - {name: b, kind: dvl, position: [0, 0, 0], rate: 5 Hz, parameters: {altitude_range: [0.1 m, 50 m]}}
  - {name: c, kind: gyro}
"""
    text = preset_path("falcon").read_text().split("\nsensors:")[0] + "\n" + sensors
    (tmp_path / "rov.yaml").write_text(text)
    done = CliRunner().invoke(main, ["check", str(tmp_path / "rov.yaml")])
    assert done.exit_code == 0, done.output  # what is missing may be given by a scenario
    (tmp_path / "rov.yaml").write_text(text.replace(old, new))
    done = CliRunner().invoke(main, ["check", str(tmp_path / "rov.yaml")])
    assert done.exit_code == 2
    assert words in done.output


def test_guidance_and_allocation_without_control_are_refused() -> None:
    scenario = remora.load_scenario("bluerov_square")
    with pytest.raises(ValueError, match="no control"):
        scenario.with_({"vehicles[0].control": None})


def test_a_run_without_a_page_leaves_none_of_an_earlier_run(tmp_path: Path) -> None:
    run = ["run", "dive_and_turn", "--duration", "1", "--out", str(tmp_path / "run.mcap")]
    CliRunner().invoke(main, run)
    assert (tmp_path / "run.html").is_file()
    CliRunner().invoke(main, [*run, "--no-page"])
    assert (tmp_path / "run.mcap").is_file()
    assert not (tmp_path / "run.html").exists()


def test_a_page_that_cannot_be_opened_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    with pytest.warns(UserWarning, match="no browser could be opened; the page is in"):
        file = Page("<p>page</p>").open()
    assert file.read_text() == "<p>page</p>"
    file.unlink()


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (
            "value: 8 Hz",
            "value: 5 kHz",
            "no such instrument samples faster than 100 Hz, but this is 5000 Hz. Did you mean 5 Hz?",
        ),
        (
            "value: 0.1 s",
            "value: 50",
            "the latency is 50 s, and every vehicle lies between 0 and 10 s. Did you mean 0.05 s (50 ms)?",
        ),
    ],
)
def test_check_warns_of_sensors_in_wrong_units(old: str, new: str, words: str, tmp_path: Path) -> None:
    text = preset_path("bluerov2_heavy").read_text()
    at = text.index(old, text.index("kind: dvl"))
    (tmp_path / "rov.yaml").write_text(text[:at] + new + text[at + len(old) :])
    done = CliRunner().invoke(main, ["check", str(tmp_path / "rov.yaml")])
    assert done.exit_code == 0, done.output
    assert words in done.stdout


def test_a_scenario_with_a_sensor_that_is_too_fast_has_a_note_with_its_line() -> None:
    dvl = "{name: fast, kind: dvl, position: [0, 0, 0], rate: 5 kHz}"
    rov = f"{{name: rov, file: bluerov2_heavy, position: [0, 0, 5 m], sensors: [{dvl}]}}"
    setup = scenario_from_text(f"name: drift\nduration: 1 s\nvehicles:\n  - {rov}\nwater: {{bottom_depth: 20 m}}\n")
    assert any(":4: vehicles[0].sensors[0].rate" in note and "than 100 Hz" in note for note in setup.load_notes)
