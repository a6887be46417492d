"""`remora design` from the command line, and the page about it."""

import pytest
from click.testing import CliRunner

from pages import code_blocks, page, printed_by
from remora.cli import main

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
        (["gavia"], "cannot hold its position"),
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
