"""`remora checkcases`: the plant holds, a spoiled one does not, and what the command writes."""

import functools
import json
import math

import numpy as np
import pytest
from click.testing import CliRunner

from remora.cli import main
from remora.equations.algebra.vectors import diagonal6
from remora.equations.hull.forms.lift import LIFT
from remora.plant import EULER
from remora.vehicles.parameters import with_form
from remora_evidence.assessment import Assessment
from remora_evidence.checkcases import box_navigation, comparison
from remora_evidence.checkcases.box_navigation import box_suite
from remora_evidence.checkcases.comparison import case_as_json, case_study, our_run, parameters_of
from remora_evidence.checkcases.problem_file import CASES, case_ids, load_problem
from remora_evidence.checkcases.trajectory import differences, read_csv
from remora_evidence.figure import AssessedFigure
from remora_evidence.runner import run_study


def checkcases(*arguments):
    return CliRunner().invoke(main, ["checkcases", *arguments])


def test_all_twelve_are_there():
    assert case_ids() == tuple(f"UC-{i:02}" for i in range(1, 13))


@pytest.mark.parametrize("case", case_ids())
def test_the_plant_is_within_the_tolerances(case):
    assessment = run_study(case_study(case))
    assert assessment.holds, assessment


SPOILED = {
    "UC-01": lambda p: p._replace(displaced_mass=p.displaced_mass * (1.0 + 1e-12)),
    "UC-02": lambda p: p._replace(displaced_mass=p.displaced_mass * (1.0 + 1e-8)),
    "UC-03": lambda p: p._replace(linear_damping=diagonal6((4.0 + 1e-7, 0.0, 0.0, 0.0, 0.0, 0.0))),
    "UC-05": lambda p: p._replace(simplifications=("munk_off",)),
    "UC-06": lambda p: p._replace(gravity=p.gravity * (1.0 + 1e-6)),
    "UC-07": lambda p: p._replace(simplifications=("munk_off",)),
    "UC-08": lambda p: p._replace(displaced_mass=p.displaced_mass * (1.0 + 1e-8)),
    "UC-09": lambda p: with_form(p, LIFT),
    "UC-10": lambda p: p._replace(thrusters=tuple(t._replace(fall_time=t.fall_time + 1e-4) for t in p.thrusters)),
    "UC-11": lambda p: p._replace(simplifications=("munk_off",)),
}


@pytest.mark.parametrize("case", SPOILED)
def test_a_slightly_wrong_plant_fails(case, monkeypatch):
    """The verdicts are no foregone conclusion: small changes of numbers, or one force left out."""
    monkeypatch.setattr(comparison, "parameters_of", lambda problem: SPOILED[case](parameters_of(problem)))
    assert not run_study(case_study(case)).holds


def test_a_wrong_lever_arm_fails(monkeypatch):
    """UC-12 with a Doppler log that is a micrometre off."""

    def moved(numbers):
        x, y, z = numbers["dvl"]["position"]
        return box_suite({**numbers, "dvl": {**numbers["dvl"], "position": [x, y + 1e-6, z]}})

    monkeypatch.setattr(box_navigation, "box_suite", moved)
    assert not run_study(case_study("UC-12")).holds


def test_forward_euler_at_20_ms_moves_the_remus_as_its_file_says(monkeypatch):
    problem = load_problem("UC-09")._replace(step=0.02)
    monkeypatch.setattr(comparison, "rollout", functools.partial(comparison.rollout, method=EULER))
    ours = [our_run(problem, run).states[-1, :3] for run in problem.runs]
    ends = [run.states[-1, :3] for run in read_csv(CASES / "UC-09.csv", problem)]
    moved = [float(np.linalg.norm(a - b)) for a, b in zip(ours, ends, strict=True)]
    assert moved == pytest.approx([0.15, 0.11], abs=0.005)
    text = (CASES / "UC-09.yaml").read_text()
    assert "by 0.15 m in 21.9 m" in text


def test_both_quaternions_of_one_attitude_are_no_difference():
    problem = load_problem("UC-01")
    (stored, *others) = read_csv(CASES / "UC-01.csv", problem)
    states = stored.states.copy()
    states[:, 3:7] *= -1.0
    assert differences(problem, [stored._replace(states=states), *others], [stored, *others])["attitude"] < 1e-12


def test_a_difference_that_is_no_number_fails():
    figure = AssessedFigure("position", None, math.nan, "at most", 1.0, "m")
    assert not figure.holds
    case = case_as_json(Assessment("UC-01", "check-case", "a title", (figure,)))
    assert case["checks"] == [
        {"quantity": "position", "unit": "m", "difference": None, "tolerance": 1.0, "holds": False}
    ]
    assert not case["holds"]


def test_it_prints_a_table_and_writes_what_it_found(tmp_path):
    file, folder = tmp_path / "new" / "checks.json", tmp_path / "ours"
    result = checkcases("uc-02", "UC-08", "--json", str(file), "--csv", str(folder))
    assert result.exit_code == 0, result.output
    assert "2 of 2 cases hold." in result.stdout
    assert "1 of 2: UC-02 holds" in result.stderr
    sphere, sheared = json.loads(file.read_text())["checkcases"]
    assert [check["quantity"] for check in sphere["checks"]] == ["position", "velocity"]
    assert sphere["holds"] is True
    assert (sheared["holds"], sheared["error"]) == (True, None)
    problem = load_problem("UC-02")
    apart = differences(problem, read_csv(folder / "UC-02.csv", problem), read_csv(CASES / "UC-02.csv", problem))
    assert apart["position"] == sphere["checks"][0]["difference"]
    assert (folder / "UC-08.csv").exists()


def test_an_unknown_case_ends_with_a_suggestion_and_code_2(tmp_path):
    result = checkcases("UC-99", "--json", str(tmp_path / "checks.json"))
    assert result.exit_code == 2
    assert "there is no check-case 'UC-99'. Did you mean UC-0" in result.stderr
    assert not (tmp_path / "checks.json").exists()


def test_a_case_that_fails_gives_code_1(monkeypatch):
    monkeypatch.setattr(comparison, "parameters_of", lambda problem: SPOILED["UC-02"](parameters_of(problem)))
    result = checkcases("UC-02")
    assert result.exit_code == 1
    assert "1 of 1 cases fail: UC-02." in result.stdout


def test_a_run_that_ends_early_fails_with_its_message(monkeypatch):
    monkeypatch.setattr(comparison, "parameters_of", lambda p: parameters_of(p)._replace(envelope=(0.1,) * 6))
    result = checkcases("UC-02")
    assert result.exit_code == 1
    assert "did not finish" in result.stdout
