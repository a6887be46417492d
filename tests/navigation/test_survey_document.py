"""docs/surveys.md stays true: its code prints what it says, and every function that it names exists."""

import re

import pytest

from pages import code_blocks, page, printed_by
from remora.navigation import consistency, surveys

PAGE = page("surveys.md")


EXAMPLES = list(zip(code_blocks(PAGE), code_blocks(PAGE, "text"), strict=True))


@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_code_prints_what_the_page_says(tmp_path, number):
    code, text = EXAMPLES[number]
    assert printed_by(code, tmp_path) == text


def test_it_names_every_function_and_no_other():
    named = set(re.findall(r"^\| `([a-z_]+)` \|", PAGE, re.MULTILINE))
    offered = {name for package in (surveys, consistency) for name in package.__all__ if name.islower()}
    assert named == offered - {"average_bounds", "normalised_squares"}
