"""The page on drives: its code runs."""

import pytest

from pages import code_blocks, page, printed_by

PAGE = page("drives.md")
BLOCKS = code_blocks(PAGE)


@pytest.mark.parametrize("block", BLOCKS)
def test_code_runs(block, tmp_path):
    printed_by(block, tmp_path)


def test_there_is_code():
    assert len(BLOCKS) == 2
