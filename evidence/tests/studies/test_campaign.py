"""Campaigns: a crashing trial or a killed process costs only itself, and what is finished is not run again."""

import json
import os

import pytest
import trials

from remora_evidence.campaign import CampaignTrial, load_results, run_campaign
from remora_evidence.process_pool import Job, run_jobs

KINDS = ("fine", "raises", "killed", "killed once", "leaves", "no number", "no data")


@pytest.fixture
def campaign(tmp_path):
    """A campaign of trials of all kinds; its marks count how often each ran."""
    marks = tmp_path / "marks"
    marks.mkdir()
    sets = [{"kind": kind, "marks": str(marks)} for kind in KINDS]
    heard = []

    def run():
        return run_campaign("trials:mixed", sets, (1,), tmp_path / "results", 2, lambda *words: heard.append(words[:2]))

    return run, marks, tmp_path / "results", heard


def test_faults_cost_only_themselves_and_the_campaign_resumes(campaign):
    run, marks, results, heard = campaign
    summary = run()
    assert (summary.finished, summary.skipped, len(summary.failures)) == (2, 0, 5)
    assert heard == [(k, 7) for k in range(1, 8)]
    by_kind = {record["parameters"]["kind"]: record for record in load_results(results)}
    assert by_kind["fine"]["status"] == "finished"
    assert (by_kind["fine"]["result"], by_kind["fine"]["attempts"]) == (1, 1)
    assert (by_kind["killed once"]["status"], by_kind["killed once"]["attempts"]) == ("finished", 2)
    for kind, words in (
        ("raises", "RuntimeError: always"),
        ("killed", "killed by SIGKILL"),
        ("leaves", "exit code 7"),
        ("no number", "ValueError"),
        ("no data", "TypeError"),
    ):
        assert by_kind[kind]["status"] == "failed"
        assert words in by_kind[kind]["error"]
        assert by_kind[kind]["attempts"] == 2
        assert (marks / f"{kind}-1").read_text() == "2"
    assert "7 trials: 2 finished, 0 already there, 5 failed" in str(summary)
    assert "killed by SIGKILL" in str(summary)

    again = run()
    assert (again.finished, again.skipped, len(again.failures)) == (0, 2, 5)
    assert (marks / "fine-1").read_text() == "1"
    assert not list(results.glob(".*"))


def test_a_file_that_is_cut_off_is_made_again(tmp_path):
    sets = [{"x": 2.0}, {"x": 3.0}]
    assert run_campaign("trials:square", sets, range(3), tmp_path, 1).finished == 6
    victim = tmp_path / CampaignTrial("trials:square", {"x": 3.0}, 1).file_name
    whole = victim.read_text()
    victim.write_text(whole[:30])
    assert len(load_results(tmp_path)) == 5
    summary = run_campaign("trials:square", sets, range(3), tmp_path, 1)
    assert (summary.finished, summary.skipped) == (1, 5)
    assert victim.read_text() == whole
    assert json.loads(whole)["result"] == {"value": 10.0}


def test_other_parameters_or_another_function_are_other_trials():
    names = {
        CampaignTrial("a:b", {"x": 1}, 1).file_name,
        CampaignTrial("a:b", {"x": 2}, 1).file_name,
        CampaignTrial("a:c", {"x": 1}, 1).file_name,
        CampaignTrial("a:b", {"x": 1}, 2).file_name,
    }
    assert len(names) == 4
    assert CampaignTrial("a:b", {"x": 1, "y": 2}, 1).file_name == CampaignTrial("a:b", {"y": 2, "x": 1}, 1).file_name


@pytest.mark.parametrize("path", ["trials", "trials:nothing", "no.such.module:run", "trials:math", ":run", ""])
def test_a_function_that_is_not_there_is_refused_before_anything_runs(tmp_path, path):
    with pytest.raises(ValueError):
        run_campaign(path, [{}], [1], tmp_path / "results")
    assert not (tmp_path / "results").exists()


@pytest.mark.parametrize("bad", [{"x": {1, 2}}, {"x": float("nan")}])
def test_parameters_that_no_file_can_hold_are_refused(tmp_path, bad):
    with pytest.raises(ValueError, match="JSON"):
        run_campaign("trials:square", [bad], [1], tmp_path)


def test_no_process_is_left_when_the_caller_stops_early():
    jobs = [Job(str(k), "trials:slow", ({"seconds": 0.0 if k == 0 else 60.0}, k)) for k in range(3)]
    running = run_jobs(jobs, 2)
    first = next(running)
    assert first.key == "0"
    running.close()
    with pytest.raises(ProcessLookupError):
        os.kill(first.value, 0)


def test_nothing_to_do():
    assert list(run_jobs([])) == []
    assert trials.square({"x": 2}, 1) == {"value": 5}


def test_a_process_has_one_thread_of_blas_unless_more_are_asked_for(monkeypatch):
    """More wait actively for each other, and took most of the time of two processes that fit."""
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    asked = Job("threads", "os:getenv", ("OPENBLAS_NUM_THREADS",))
    assert [done.value for done in run_jobs([asked], 1)] == ["1"]
    assert "OPENBLAS_NUM_THREADS" not in os.environ
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "3")
    assert [done.value for done in run_jobs([asked], 1)] == ["3"]
