"""Every study holds with few seeds, and one that is spoiled does not."""

import json
import os
from pathlib import Path

import numpy as np
import pytest

from remora.studies import flatfish_gain_sweep, real_run, registry, running, simu2vita

DATA = Path(os.environ.get("REMORA_DATA", Path(__file__).parents[3] / "shared" / "data"))

IDS = [
    *(f"S2V-{i:02}" for i in (*range(1, 12), *range(20, 26))),
    *(f"R{i}" for i in range(1, 16)), "R18", "R16", "R17", *(f"R{i}" for i in range(19, 31)), "flatfish-real",
    "X1", "X2", "X3", "X6", "X7", "X8", "X9", "X4", "X5", "X12", "X13", "X14",
    "modular-14.3", "modular-14.5", "modular-14.6", "modular-14.7",
    *(f"gavia-5.{i}" for i in (1, 2, 3, 4, 5, 6, 9, 12)), "gavia-remus",
    "MJ-1", "MJ-2", "MJ-3", "UC-10", "ID-01", "ID-02", "ID-03",
]  # fmt: skip


JOBS = [
    pytest.param(job.arguments[0], id=job.key.replace(", ", "+")) for job in running.jobs_of(registry.all_studies(), 1)
]


def test_the_studies_that_were_promised_are_registered_once():
    assert [study.id for study in registry.all_studies()] == IDS
    groups = {"simu2vita", "flatfish", "falcon", "modular", "gavia", "mujoco", "checkcases", "identification"}
    assert set(registry.GROUPS) == groups
    assert all(study.source and study.title and study.seeds >= 1 for study in registry.all_studies())


@pytest.mark.parametrize("ids", JOBS)
def test_studies_hold(ids, monkeypatch):
    """With one seed; studies that share simulations are run together, as `remora reproduce` does."""
    monkeypatch.setenv("REMORA_DATA", str(DATA))
    for outcome in running.run_named(ids, seeds=1):
        if outcome.absent:
            pytest.skip("the recorded data are not on this machine")
        failing = [figure for figure in outcome.figures if not figure.holds]
        assert outcome.holds, (outcome.id, outcome.error, failing)
        assert any(figure.relation != "reported" for figure in outcome.figures)
        assert json.dumps(outcome.as_json(), allow_nan=False)  # plain numbers, as the file of figures needs them


def test_a_vehicle_that_stays_where_it_is_fails_the_mission(monkeypatch):
    """The verdicts of the mission are no foregone conclusion."""
    flown = simu2vita.fly(3.0)
    stuck = flown._replace(
        states=flown.states[:1].repeat(len(flown.states), axis=0),
        readings=flown.readings[:1].repeat(len(flown.readings), axis=0),
    )
    monkeypatch.setattr(simu2vita, "mission", lambda: stuck)
    for study in simu2vita.STUDIES:
        if study.shares and study.id not in ("S2V-06", "S2V-11"):
            assert not running.run_study(study).holds, study.id


def test_a_twin_that_goes_astray_fails_the_real_run(monkeypatch):
    bad = real_run.Result(
        roll=6.0, pitch=1.0, furthest_yaw=7.0, mean_yaw=0.1, lateral=0.3, lateral_rms=0.1, correlation=0.9,
        vertical_rms=0.1, surge=0.2, width=3.3,
    )  # fmt: skip
    monkeypatch.setattr(real_run, "result", lambda seed, section: bad)
    assert not any(running.run_study(study, 2).holds for study in real_run.STUDIES)


def test_a_study_without_its_data_neither_holds_nor_fails(monkeypatch, tmp_path):
    study = registry.find_study("flatfish-real")
    for folder in ("", str(tmp_path)):
        monkeypatch.setenv("REMORA_DATA", folder)
        outcome = running.run_study(study)
        assert "mission_a.csv" in outcome.absent
        assert not outcome.holds
        assert not outcome.fails
        assert outcome.as_json()["figures"][0]["name"].startswith("data absent: ")


def test_an_identifier_that_ignores_its_gains_fails_the_sweep(monkeypatch):
    flat = flatfish_gain_sweep.Sweep(*(np.ones((5, 100)) * value for value in (763.0, 75.0, 10.0, 0.02)))
    monkeypatch.setattr(flatfish_gain_sweep, "sweep", lambda seed: flat)
    assert not any(running.run_study(study, 2).holds for study in flatfish_gain_sweep.STUDIES)
