"""Verdicts over seeds: the share of the sets of seeds that hold, kept with the score of each seed."""

import math

import numpy as np
import pytest
from sample_figures import at_least, at_most

from remora_evidence.assessment import Study
from remora_evidence.console import verdict_of
from remora_evidence.runner import run_study
from remora_evidence.seed_sets import ENOUGH_SEEDS, stored_run
from remora_evidence.studies.study_table import spread, summary

LUCKY = 10  # seeds that hold in the default run
BAD = 17  # one that does not


def worst(seeds):
    """A study of the worst of ten seeds, of which one in thirty is bad."""
    scores = [3.0 if seed == BAD else 1.0 + 0.01 * seed for seed in seeds]
    return [
        at_most("error, worst seed", max(scores), 2.0, "m"),
        at_most("error, mean", float(np.mean(scores)), 2.0, "m"),
    ]


@pytest.fixture
def study(tmp_path):
    return Study("a", "b", "c", worst, seeds=LUCKY, scores=tmp_path / "scores" / "a.json")


def test_a_study_that_holds_on_its_seeds_does_not_hold_where_other_sets_of_seeds_fail(study):
    """Ten lucky seeds said "holds" of a study that fails in three sets of ten."""
    assert all(figure.holds for figure in worst(range(1, LUCKY + 1)))
    full = run_study(study, full=True, store=True)
    assert full.run.seeds == ENOUGH_SEEDS
    assert math.isclose(full.run.probability, (29.0 / 30.0) ** 10, abs_tol=0.03)
    kept = run_study(study)
    assert (kept.seeds, kept.verdict, kept.run) == (LUCKY, "partly", stored_run(study.scores))
    assert [figure.holds for figure in kept.figures] == [False, True]
    assert kept.figures[0].ours == 1.1  # of its own seeds
    assert spread(kept.figures[0]).endswith("1.01 to 3")
    assert "of the sets of 10, 30 seeds)" in verdict_of(kept).plain
    assert kept.as_json()["figures"][0]["over_seeds"]["largest"] == 3.0


def test_all_figures_must_hold_in_the_same_set(study):
    """Each of five figures holds in 97 % of the sets, all of them in fewer than needed."""

    def five(seeds):
        return [at_most(f"{k}", max(1.0 if seed % 33 == k else 0.0 for seed in seeds), 0.5, "m") for k in range(5)]

    outcome = run_study(study._replace(run=five, seeds=1, full_seeds=1), 132, store=True)
    assert all(figure.holds for figure in outcome.figures)
    assert outcome.verdict == "partly"
    assert "each demanded figure holds, all of them together in 84.8% of the sets of 1" in "".join(summary([outcome]))


def test_without_enough_seeds_a_study_is_undecided_and_says_what_is_known(study):
    assert verdict_of(run_study(study)).plain == "undecided (no run with all seeds is kept)"
    few = run_study(study._replace(seeds=1), 15, store=True)
    assert few.verdict == "undecided"
    assert "15 seeds so far: at least 50% and at most 100% of the sets of 1 hold" in verdict_of(few).plain
    assert "Undecided: a." in summary([few])


def test_a_share_that_no_further_seed_can_lift_decides(study):
    bad = study._replace(run=lambda seeds: [at_least("share", 0.0, 1.0, "1")], seeds=1)
    assert run_study(bad, 15, store=True).verdict == "fails"


def test_seeds_that_differ_from_the_kept_ones_decide_nothing(study):
    run_study(study, full=True, store=True)

    def moved(seeds):
        return [figure._replace(ours=figure.ours + 1e-3) for figure in worst(seeds)]

    outcome = run_study(study._replace(run=moved))
    assert outcome.verdict == "undecided"
    assert "seed 1: error, worst seed is 1.011, and 1.01 in the stored run" in verdict_of(outcome).plain
    rounded = run_study(
        study._replace(run=lambda seeds: [f._replace(ours=f.ours * (1.0 + 1e-9)) for f in worst(seeds)])
    )
    assert not rounded.unlike


def test_a_bound_that_is_not_that_of_the_kept_run_decides_nothing(study):
    run_study(study, full=True, store=True)
    outcome = run_study(study._replace(run=lambda seeds: [f._replace(bound=1.5) for f in worst(seeds)]))
    assert "the bound is 1.5, and 2.0 in the stored run" in outcome.unlike
