"""The page on studies: its code runs, and it names every study and key."""

import re
from typing import get_args

import pytest
from sample_figures import within

from pages import code_blocks, page, printed_by_process
from remora.evidence.assessment import Assessment, Verdict
from remora.evidence.studies.catalogue import GROUPS, all_studies

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
    rows = dict(re.findall(r"^\| ([^|]+?) \| [^|]+ \| ([^|]+?) \|", PAGE.split("## As measured")[1], re.MULTILINE))
    assert set(rows) - {"Study", "---"} == {study.id for study in all_studies()}
    assert all(rows[study.id].split(",")[0] in get_args(Verdict) for study in all_studies())
