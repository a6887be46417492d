"""Mistakes that commands once accepted: misspelt sensor parameters, missing control, stale pages."""

from pathlib import Path

import pytest
from click.testing import CliRunner

import remora
from remora.api.shown_results import Page
from remora.cli import main
from remora.scenarios import scenario_from_text
from remora.vehicles.library import preset_path


def test_check_refuses_misspelt_parameters_of_sensors(tmp_path: Path) -> None:
    text = preset_path("remus100").read_text()
    assert "heading_std" in text
    (tmp_path / "auv.yaml").write_text(text.replace("heading_std", "heading_sdt"))
    done = CliRunner().invoke(main, ["check", str(tmp_path / "auv.yaml")])
    assert done.exit_code == 2
    line = text[: text.index("heading_std")].count("\n") + 1
    assert f"auv.yaml:{line}: sensors[1].parameters.heading_sdt = 0.3 deg: unknown parameter" in done.output


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


WRONG_SENSORS = """sensors:
  - {name: imu, kind: imu, position: [0, 0, 0], rate: 50 Hz, parameters: {grade: industial}}
  - {name: ahrs, kind: ahrs, position: [0, 0, 0], rate: 50 Hz, parameters: {heading_std: 1 deg}}
  - {name: depth, kind: pressure, position: [0, 0, 0], rate: 10 Hz, parameters: {std: -50 Pa}}
"""
SUITE_RUN = """name: suite
duration: 10 s
vehicles:
  - name: rov
    file: rov.yaml
    sensors: all
    navigation: {part: filter, rate: 20 Hz, thruster_faults: true}
"""


def test_all_wrong_parameters_of_sensors_are_named_with_their_lines_in_check_and_run(tmp_path: Path) -> None:
    text = preset_path("bluerov2_heavy").read_text().split("\nsensors:")[0] + "\n" + WRONG_SENSORS
    text = text.replace("mass: 13.5 kg", "mass: 13.5 lb")
    assert "13.5 lb" in text
    (tmp_path / "rov.yaml").write_text(text)
    (tmp_path / "run.yaml").write_text(SUITE_RUN)
    first = text[: text.index("industial")].count("\n") + 1
    wrong = [
        'the unit "lb" is not known',
        f"rov.yaml:{first}: sensors[0].parameters.grade = industial: there is no inertial grade",
        f"rov.yaml:{first + 2}: sensors[2].parameters.std = -50 Pa: found -50; give numbers not below 0",
    ]
    for arguments, others in ((["check", "rov.yaml"], 0), (["run", "run.yaml"], 1)):
        done = CliRunner().invoke(main, [arguments[0], str(tmp_path / arguments[1])])
        assert done.exit_code == 2
        assert all(words in done.output for words in wrong), done.output
        assert len(done.output.splitlines()) == len(wrong) + others, done.output  # run names the vehicle file as well
        assert "needs an imu" not in done.output


def test_sensors_that_a_scenario_spoils_leave_no_errors_of_the_parts_that_use_them(tmp_path: Path) -> None:
    """The entry of a misspelt name is blamed itself; it has no key `from`."""
    spoilt = SUITE_RUN.replace("rov.yaml", "bluerov2_heavy").replace(
        "all", "[ahrs, dlv, {from: gyro, rate: -1 Hz}, altimeter]"
    )
    (tmp_path / "run.yaml").write_text(spoilt)
    done = CliRunner().invoke(main, ["run", str(tmp_path / "run.yaml")])
    assert done.exit_code == 2
    lines = done.output.splitlines()
    assert len(lines) == 2, done.output
    assert 'vehicles[0].sensors[1] = dlv: the vehicle file has no such sensor. Did you mean "dvl"?' in lines[0]


def test_a_choice_below_zero_is_not_answered_by_asking_for_a_measurement() -> None:
    with pytest.raises(ValueError, match=r"guidance\.speed = -0\.25 m/s: must be above zero, found -0\.25\.$"):
        remora.load_scenario("bluerov_square").with_({"vehicles[0].guidance.speed": "-0.25 m/s"})


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
