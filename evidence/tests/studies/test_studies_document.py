"""The page on studies: its code runs, and it names every study and key."""

from typing import get_args

import pytest
from sample_figures import within
from study_verdicts import written_verdicts

from pages import code_blocks, page, printed_by_process
from remora_evidence.assessment import Assessment, Verdict
from remora_evidence.seed_sets import ENOUGH_SEEDS, stored_run, with_odds
from remora_evidence.studies.catalogue import GROUPS, all_studies

PAGE = page("studies.md")
BLOCKS = code_blocks(PAGE)


@pytest.mark.parametrize("block", BLOCKS)
def test_code_runs(block, tmp_path):
    printed_by_process(block, tmp_path)


def test_it_names_groups_and_keys():
    assert all(f"`{group}`" in PAGE for group in GROUPS)
    study = Assessment("a", "b", "c", (within("d", 1.0, 1.0, 0.1, "m"),)).as_json()
    assert all(f'"{key}"' in PAGE for key in (*study, *study["figures"][0]))


def test_it_explains_every_verdict_and_has_one_for_every_study():
    assert all(f"| {verdict} |" in PAGE for verdict in get_args(Verdict))
    rows = written_verdicts()
    assert set(rows) == {study.id for study in all_studies()}
    assert all(rows[study.id] in get_args(Verdict) for study in all_studies())


@pytest.mark.parametrize("study", [one for one in all_studies() if one.scores], ids=lambda study: study.id)
def test_verdicts_follow_from_thirty_seeds_that_are_kept(study):
    """Verdicts of ten seeds, or three, hung on them: other seeds failed in half of the sets."""
    run = stored_run(study.scores)
    outcome = Assessment(study.id, "", "", with_odds((), run) if run else (), is_drawn=True, run=run)
    assert written_verdicts()[study.id] == outcome.verdict
    if run is None or run.seeds < ENOUGH_SEEDS:
        assert outcome.verdict != "holds"
    else:
        assert (outcome.verdict == "holds") == (run.probability >= 0.95)
        assert run.set_size == study.set_size
