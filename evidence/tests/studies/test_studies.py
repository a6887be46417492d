"""Every study holds with few seeds, and one that is spoiled does not."""

import json
import os
from pathlib import Path

import numpy as np
import pytest
from sample_figures import at_most
from spoiled_studies import judged_alone
from study_verdicts import written_verdicts

from remora_evidence import kernel_parts
from remora_evidence.runner import run_study
from remora_evidence.studies import catalogue, study_jobs
from remora_evidence.studies.flatfish import gain_sweep, single_axes
from remora_evidence.studies.gavia import calm_water, convergence
from remora_evidence.studies.simu2vita import real_run, tunnel

DATA = Path(os.environ.get("REMORA_DATA", Path(__file__).parents[4] / "shared" / "data"))

IDS = [
    *(f"S2V-{i:02}" for i in (*range(1, 12), *range(20, 26))),
    *(f"R{i}" for i in range(1, 16)), "R18", "R16", "R17", *(f"R{i}" for i in range(19, 23)), "C20",
    *(f"R{i}" for i in range(23, 32)), "flatfish-real",
    "X1", "X2", "X3", "X8", "X6", "X7", "X9", "X4", "X5", "X10", "X11", "X12", "X13", "X14", "X15", "X16",
    "N1", "N2", "N3",
    "G1", "G2", "G3", "G4", "S5", "S6", "S7", "S8", "S9",
    "Q1", "Q2", "Q3", "Q4",
    *(f"modular-14.{i}" for i in (1, 2, 3, 5, 6, 7, "7-map", 8)), *(f"modular-17.{i}" for i in range(1, 7)),
    "modular-14.4", "modular-14.9", "modular-14.10", "modular-17.10", "modular-17.11",
    "modular-14.3-runs", "modular-14.6-pitch", "modular-14.10-warped",
    "modular-14.11", *(f"modular-17.{i}" for i in range(12, 16)), "modular-6dof", "modular-fault",
    *(f"gavia-5.{i}" for i in (1, 2, 3, 5, 6, 4, 7, 8, 10)), "gavia-adcp",
    *(f"gavia-5.{i}" for i in (9, 11, 12)), "gavia-remus",
    "nav-gavia", "nav-nees", "nav-faults", "nav-robosub",
    "MJ-1", "MJ-2", "MJ-3", "UC-10", "UC-12", "ID-01", "ID-02", "ID-03",
]  # fmt: skip


JOBS = [
    pytest.param(job.arguments[0], id=job.key.replace(", ", "+"))
    for job in study_jobs.jobs_of(catalogue.all_studies(), 1)
]


def test_the_studies_that_were_promised_are_registered_once():
    assert [study.id for study in catalogue.all_studies()] == IDS
    groups = {
        "simu2vita",
        "flatfish",
        "falcon",
        "control",
        "modular",
        "gavia",
        "mujoco",
        "checkcases",
        "identification",
        "navigation",
    }
    assert set(catalogue.GROUPS) == groups
    assert all(study.source and study.title and study.seeds >= 1 for study in catalogue.all_studies())


# Studies without a run with all seeds whose bounds need more than one.
SEEDS = {"nav-nees": 10}
# Whether these hold depends on how fast the machine is, which no test may ask.
TIMED = {"gavia-5.6"}


@pytest.mark.parametrize("ids", JOBS)
def test_studies_hold(ids, monkeypatch):
    """With one seed, unless the bounds need more; it must be that of the run with all seeds, which decides.

    Studies that share simulations run together, as in `reproduce`.
    """
    monkeypatch.setenv("REMORA_DATA", str(DATA))
    for name in ids:
        calls = kernel_calls()
        (outcome,) = study_jobs.run_named([name], seeds=SEEDS.get(name, 1))
        if outcome.absent:
            pytest.skip("the recorded data are not on this machine")
        used = {part for part, count in kernel_calls().items() if count > calls[part]}
        assert used <= set(catalogue.find_study(name).kernels), name
        if name not in TIMED:
            assert not outcome.unlike, (name, outcome.unlike)
            assert outcome.verdict == written_verdicts()[name], (name, outcome.error, outcome.missed)
        assert any(figure.relation != "reported" for figure in outcome.figures)
        assert json.dumps(outcome.as_json(), allow_nan=False)  # plain numbers, as the file of figures needs them


def kernel_calls():
    """How often each part of the kernels was asked for."""
    return {part: sum(maker.cache_info()[:2]) for part, maker in kernel_parts.makers().items()}


@pytest.mark.parametrize(
    "name",
    [
        "R9", "R16", "R19", "R25", "X4", "X6", "X9", "S2V-25", "modular-14.5", "C20", "R31", "flatfish-real",
        *(study.id for study in catalogue.GROUPS["gavia"]),
    ],
)  # fmt: skip
def test_what_differs_from_the_source_is_stated(name, monkeypatch):
    study = catalogue.find_study(name)._replace(run=lambda seeds: [at_most("a", 1.0, 2.0, "m")])
    assert all(figure.differs for figure in run_study(study).figures), name


def test_yaw_of_the_basin_says_that_its_bound_is_not_the_printed_one(monkeypatch):
    monkeypatch.setattr(single_axes, "mean_error", lambda *arguments: 0.0)
    figures = {figure.name: figure for figure in catalogue.find_study("R9").run([1])}
    yaw = figures["basin, yaw: mean error of the replay, adaptive"]
    assert (yaw.bound, yaw.printed) == (0.010, 0.0089)
    assert "0.0089 is printed" in yaw.differs
    assert not figures["basin, surge: mean error of the replay, adaptive"].differs


def test_estimates_that_wander_fail_convergence(monkeypatch):
    """gavia-5.4 once demanded only what had been seen to hold."""
    monkeypatch.setattr(convergence, "worst_of", lambda *arguments: [0.5, 5.1, 4.2])
    outcome = judged_alone("gavia-5.4", None)
    assert outcome.verdict == "partly"
    assert [figure.name.split(":")[0] for figure in outcome.missed] == ["ID1, sway", "ID2, sway"]
    assert len(outcome.held) == 4


def test_slow_estimators_fail_their_study(monkeypatch):
    """The rates of gavia-5.6 were reported and demanded nothing."""
    clock = iter(range(0, 1000, 100))
    monkeypatch.setattr(calm_water.time, "process_time", lambda: float(next(clock)))
    figures = catalogue.find_study("gavia-5.6").run([1])
    assert [figure.holds for figure in figures] == [True, False, False, False]


def test_a_vehicle_that_stays_where_it_is_fails_the_mission(monkeypatch):
    """The verdicts of the mission are no foregone conclusion."""
    flown = tunnel.fly("tunnel", {"duration": "3 s", "log": {"rate": "400 Hz"}})
    stuck = flown._replace(
        states=flown.states[:1].repeat(len(flown.states), axis=0),
        readings=flown.readings[:1].repeat(len(flown.readings), axis=0),
    )
    monkeypatch.setattr(tunnel, "mission", lambda: stuck)
    for study in map(catalogue.find_study, tunnel.STUDIES):
        if study.shares and study.id not in ("S2V-06", "S2V-11"):
            assert not run_study(study).holds, study.id


def test_a_twin_that_goes_astray_fails_the_real_run(monkeypatch):
    bad = real_run.TwinFigures(
        roll=6.0, pitch=1.0, furthest_yaw=7.0, mean_yaw=0.1, lateral=0.3, lateral_rms=0.1, correlation=0.9,
        vertical_rms=0.1, surge=0.2, width=3.3,
    )  # fmt: skip
    monkeypatch.setattr(real_run, "result", lambda *arguments: bad)
    assert {judged_alone(name, 2).verdict for name in real_run.STUDIES} == {"fails", "partly"}


def test_a_study_without_its_data_neither_holds_nor_fails(monkeypatch, tmp_path):
    study = catalogue.find_study("flatfish-real")
    for folder in ("", str(tmp_path)):
        monkeypatch.setenv("REMORA_DATA", folder)
        outcome = run_study(study)
        assert "mission_a.csv" in outcome.absent
        assert outcome.verdict == "data absent"
        assert not outcome.holds
        assert not outcome.misses
        assert outcome.as_json()["figures"][0]["name"].startswith("data absent: ")


def test_an_identifier_that_ignores_its_gains_fails_the_sweep(monkeypatch):
    flat = gain_sweep.Sweep(*(np.ones((5, 100)) * value for value in (763.0, 75.0, 10.0, 0.02)))
    monkeypatch.setattr(gain_sweep, "sweep", lambda seed: flat)
    assert not any(judged_alone(name, 2).holds for name in gain_sweep.STUDIES)
