"""The page on docking: its code runs, and what it names exists."""

import re

import pytest

import remora.control.docking
from pages import code_blocks, page, printed_by

PAGE = page("docking.md")


@pytest.mark.parametrize("block", code_blocks(PAGE))
def test_code_runs(block, tmp_path):
    printed_by(block.replace("duration=60", "duration=2").replace("{run.docked_at:.0f}", "{run.docked_at}"), tmp_path)


def test_named_classes_exist():
    names = set(re.findall(r"`([A-Z][A-Za-z_]+)[`(.]", PAGE))
    assert len(names) > 8
    assert all(hasattr(remora.control.docking, name) for name in names)
