"""The page on studies: its code runs, and it names every study and key."""

import pytest

from pages import code_blocks, page, printed_by
from remora.studies.figures import Outcome, within
from remora.studies.registry import GROUPS

PAGE = page("studies.md")
BLOCKS = code_blocks(PAGE)


@pytest.mark.parametrize("block", BLOCKS)
def test_code_runs(block, tmp_path):
    printed_by(block, tmp_path)


def test_it_names_groups_and_keys():
    assert all(f"`{group}`" in PAGE for group in GROUPS)
    study = Outcome("a", "b", "c", (within("d", 1.0, 1.0, 0.1, "m"),)).as_json()
    assert all(f'"{key}"' in PAGE for key in (*study, *study["figures"][0]))
