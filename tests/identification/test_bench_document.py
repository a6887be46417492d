"""The page on bench tests: its code runs, and the functions it names exist."""

import re

import pytest

from pages import code_blocks, page, printed_by
from remora.identification import bench

PAGE = page("bench-tests.md")


@pytest.mark.parametrize("block", code_blocks(PAGE))
def test_code_runs(block, tmp_path):
    printed_by(block, tmp_path)


def test_the_functions_of_the_table_exist_and_none_is_forgotten():
    rows = [line for line in PAGE.split("## Tests")[1].split("## ")[0].splitlines() if line.startswith("|")]
    named = set(re.findall(r"`([a-z_]+)`", "\n".join(rows)))
    assert all(hasattr(bench, name) for name in named)
    assert {name for name in bench.__all__ if name.startswith(("fit_", "read_initial", "read_steady"))} <= named
