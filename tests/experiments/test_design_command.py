"""`remora design` from the command line, and the page about it."""

from dataclasses import replace

import pytest
from click.testing import CliRunner

from pages import code_blocks, page, printed_by
from remora.cli import main
from remora.experiments import make_requirements
from remora.experiments.simulation import vehicle_name
from remora.identification import values_of
from remora.vehicles import load_vehicle

PAGE = page("experiment_design.md")


def test_a_plan_is_printed_written_drawn_and_flown(tmp_path):
    scenario, picture = tmp_path / "new" / "plan.yaml", tmp_path / "plan.png"
    arguments = [
        "--parameters",
        "added_mass.heave, damping.quadratic.heave",
        "--workspace",
        "4x4x2",
        "--duration",
        "70",
    ]
    result = CliRunner().invoke(
        main, ["design", "bluerov2_heavy", *arguments, "--out", str(scenario), "--picture", str(picture)]
    )
    assert result.exit_code == 0, result.output
    assert "added_mass.heave" in result.output
    assert "heave: the amplitude is limited" in result.output
    assert picture.read_bytes().startswith(b"\x89PNG")
    simulated_plan = CliRunner().invoke(main, ["run", str(scenario), "--out", str(tmp_path / "runs")])
    assert simulated_plan.exit_code == 0, simulated_plan.output
    assert "70 s" in simulated_plan.output


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        (["bluerov2_hevy"], "Did you mean"),
        (["bluerov2_heavy", "--parameters", "damping.linaer.surge"], "damping.linear.surge"),
        (["bluerov2_heavy", "--accuracy", "much"], "5% or 0.05"),
        (["bluerov2_heavy", "--workspace", "10"], "10x5x3"),
        (["bluerov2_heavy", "--noise", "1"], "0.2 deg/s"),
        (["bluerov2_heavy", "--out", "plan.txt"], ".yaml"),
        (["bluerov2_heavy", "--picture", "plan.jpg"], ".png"),
        (["gavia", "--parameters", "added_mass.heave"], "vehicles that hold their place"),
        (["bluerov2_heavy", "--duration", "nan"], "duration is nan"),
    ],
)
def test_bad_input_ends_in_a_message(arguments, found):
    result = CliRunner().invoke(main, ["design", *arguments])
    assert result.exit_code == 2, result.output
    assert found in result.stderr


@pytest.mark.parametrize("block", code_blocks(PAGE))
def test_code_of_the_page_runs(block, tmp_path):
    printed_by(block, tmp_path)


def test_design_keeps_a_trailing_underscore_of_a_name():
    vehicle = load_vehicle("bluerov2_heavy")
    assert vehicle_name(make_requirements(replace(vehicle, name="my_rov_"))) == "my_rov_"


def test_the_fit_of_a_planned_run_holds_the_truth_without_an_alarm_about_timing(tmp_path):
    """The sequence of the README, with one axis: outputs of the log bend between their stamps, 50 ms apart."""
    plan, log = str(tmp_path / "plan.yaml"), str(tmp_path / "swings.mcap")
    sway = [f"{head}.sway" for head in ("added_mass", "damping.linear", "damping.quadratic")]
    planned = ["design", "bluerov2_heavy", "--parameters", ",".join(sway), "--duration", "80", "--out", plan]
    fitted = ["fit", "bluerov2_heavy", log, "--axes", "sway", "--hold-out", "0"]
    for words in (planned, ["run", plan, "--out", log], fitted):
        result = CliRunner().invoke(main, words)
        assert result.exit_code == 0, result.output
    assert "Inputs act" not in result.output
    rows = {line.split()[0]: line.split() for line in result.output.splitlines() if line.strip()}
    for name, truth in zip(sway, values_of(load_vehicle("bluerov2_heavy").parameters, sway), strict=True):
        assert float(rows[name][2]) <= truth <= float(rows[name][4]), rows[name]
