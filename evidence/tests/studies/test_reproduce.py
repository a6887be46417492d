"""`remora reproduce`: list, run side by side, file, exit codes, and pictures."""

import json
import os
from types import SimpleNamespace
from typing import get_args

import pytest
from click.testing import CliRunner
from sample_figures import within

from remora.cli import main
from remora_evidence import kernel_parts
from remora_evidence.assessment import Assessment
from remora_evidence.pictures import flatfish_figures, tunnel_figures
from remora_evidence.pictures.pictures import write_study_pictures
from remora_evidence.studies import catalogue, study_jobs
from remora_evidence.studies.catalogue import all_studies, chosen
from remora_evidence.studies.simu2vita import tunnel


def reproduce(*arguments):
    return CliRunner().invoke(main, ["reproduce", *arguments])


def test_without_arguments_it_lists_all():
    result = reproduce()
    assert result.exit_code == 0
    assert all(study.id in result.stdout for study in all_studies())


def test_it_runs_studies_side_by_side_and_writes_a_file(tmp_path):
    file = tmp_path / "new" / "figures.json"
    result = reproduce("R29", "S2V-02", "X14", "--seeds", "1", "--workers", "2", "--json", str(file))
    assert result.exit_code == 0, result.output
    assert "All 3 studies hold." in result.stdout
    assert "3 of 3: " in result.stderr
    studies = json.loads(file.read_text())["studies"]
    assert [study["id"] for study in studies] == ["S2V-02", "R29", "X14"]
    assert all(study["holds"] for study in studies)


def test_an_unknown_study_ends_with_a_suggestion_and_code_2(tmp_path):
    result = reproduce("X41", "--json", str(tmp_path / "figures.json"))
    assert result.exit_code == 2
    assert "there is no study or group 'X41'. Did you mean X4" in result.stderr
    assert not (tmp_path / "figures.json").exists()


@pytest.mark.parametrize("fails", [True, False])
def test_a_study_that_fails_gives_code_1(monkeypatch, fails):
    outcomes = [
        Assessment("R29", "a source", "a title", (within("a", 1.0, 1.0, 0.1, "m"),)),
        Assessment("X4", "a source", "a title", (within("b", 2.0, 1.0, 0.1, "m"),))
        if fails
        else Assessment("X4", "a source", "a title", (), "RuntimeError: no luck"),
    ]
    monkeypatch.setattr(study_jobs, "run_studies", lambda *arguments: outcomes)
    result = reproduce("R29", "X4")
    assert result.exit_code == 1
    assert "1 of 2 studies fail: X4." in result.stdout
    assert ("did not" in result.stdout) is not fails


def test_a_study_that_holds_in_part_gives_code_1_and_says_what_is_missed(monkeypatch, tmp_path):
    figures = (within("reached", 1.0, 1.0, 0.1, "m"), within("not reached", 2.0, 1.0, 0.1, "m", differs="a twin"))
    monkeypatch.setattr(
        study_jobs, "run_studies", lambda *arguments: [Assessment("X4", "a source", "a title", figures)]
    )
    file = tmp_path / "figures.json"
    result = reproduce("X4", "--json", str(file))
    assert result.exit_code == 1
    assert "X4: 1 of 2 demanded figures hold. Holds: reached. Fails: not reached." in result.stdout
    assert "differs: a twin" in result.stdout
    (study,) = json.loads(file.read_text())["studies"]
    assert (study["verdict"], study["holds"]) == ("partly", False)
    assert [figure["differs"] for figure in study["figures"]] == ["", "a twin"]


@pytest.mark.parametrize(
    "option", [["--json", "figures.json"], ["--pictures", "pictures"], ["--full"], ["--seeds", "2"]]
)
def test_options_without_studies_are_refused(option, tmp_path, monkeypatch):
    """`--json FILE` alone used to list the studies, write no file and end with code 0."""
    monkeypatch.chdir(tmp_path)
    result = reproduce(*option)
    assert result.exit_code == 2
    assert f"{option[0]} without a study" in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_all_seeds_and_a_number_of_seeds_exclude_each_other():
    result = reproduce("R29", "--full", "--seeds", "2")
    assert result.exit_code == 2
    assert "--full and --seeds exclude each other" in result.stderr


def test_full_runs_all_seeds(monkeypatch):
    asked = []
    monkeypatch.setattr(study_jobs, "run_studies", lambda *arguments: asked.append(arguments[-2:]) or [])
    assert reproduce("R29", "--full").exit_code == reproduce("R29").exit_code == 0
    assert asked == [(True, False), (False, False)]


def test_only_a_run_with_a_number_of_seeds_is_kept():
    result = reproduce("R30", "--store")
    assert result.exit_code == 2
    assert "write it with --full" in result.stderr


def test_only_kernels_that_the_studies_use_are_compiled(monkeypatch):
    made = []
    names = get_args(kernel_parts.KernelPart)
    monkeypatch.setattr(kernel_parts, "makers", lambda: {name: lambda n=name: made.append(n) for name in names})
    monkeypatch.setattr(study_jobs, "run_studies", lambda *arguments: [])
    reproduce("R29")
    assert made == []
    reproduce("MJ-1", "R14")
    assert made == ["equations", "engines", "adaptive"]


def test_data_that_are_absent_are_named_and_do_not_fail(tmp_path, monkeypatch):
    monkeypatch.setenv("REMORA_DATA", "")
    result = reproduce("flatfish-real", "R29", "--data", str(tmp_path), "--workers", "1")
    assert result.exit_code == 0
    assert "All 1 studies hold." in result.stdout
    assert "Not run, their data are absent: flatfish-real." in result.stdout
    assert reproduce("R29", "--data", str(tmp_path / "none")).exit_code == 2


def kill_this_process(ids, seeds, full, store):
    os._exit(3)


def test_a_study_whose_process_dies_fails_alone(monkeypatch):
    """The second job is sent elsewhere; the first goes on."""
    jobs = study_jobs.jobs_of(chosen(["R29", "X14"]), 1)
    monkeypatch.setattr(
        study_jobs, "jobs_of", lambda *_: [jobs[0], jobs[1]._replace(function="test_reproduce:kill_this_process")]
    )
    good, lost = study_jobs.run_studies(chosen(["R29", "X14"]), 1, 2)
    assert good.holds
    assert not lost.holds
    assert "exit code 3" in lost.error


def test_studies_that_share_simulations_are_one_job():
    keys = [job.key for job in study_jobs.jobs_of(catalogue.GROUPS["simu2vita"], None)]
    assert keys[0] == "S2V-20, S2V-21, S2V-22, S2V-23, S2V-24, S2V-25"
    assert "S2V-01, S2V-03, S2V-04, S2V-05, S2V-06, S2V-11" in keys
    assert len(keys) == 7


def test_pictures_of_both_runs(monkeypatch, tmp_path):
    flown = tunnel.fly("tunnel", {"duration": "5 s", "log": {"rate": "400 Hz"}})
    monkeypatch.setattr(tunnel_figures, "mission", lambda: flown)
    twin = tunnel_figures.Twin(flown, flown.readings, tunnel.angles_of(flown.states))
    monkeypatch.setattr(tunnel_figures, "fly_twin", lambda seed, section: twin)
    files = tunnel_figures.write_tunnel_pictures(tmp_path / "new")
    assert [file.name[:2] for file in files] == [str(number) for number in range(14, 23)]
    assert all(file.read_bytes().startswith(b"\x89PNG") for file in files)


def test_a_picture_of_the_sweep_and_none_of_what_was_not_asked_for(tmp_path):
    files = write_study_pictures(tmp_path / "new", ["R25", "X4"])
    assert [file.name for file in files] == ["gain-sweep.png"]
    assert files[0].read_bytes().startswith(b"\x89PNG")
    assert write_study_pictures(tmp_path / "other", ["R29"]) == []


def test_pictures_of_the_flatfish_belong_to_their_studies(tmp_path, monkeypatch):
    monkeypatch.setattr(flatfish_figures, "full_fit", lambda seed: SimpleNamespace(vehicle=flatfish_figures.coupled()))
    files = write_study_pictures(tmp_path, ["R9", "R21"])
    assert [file.name for file in files] == ["flatfish-basin.png", "flatfish-all-at-once.png"]
    assert all(file.read_bytes().startswith(b"\x89PNG") for file in files)
