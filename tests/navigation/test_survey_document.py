"""docs/surveys.md stays true: its code prints what it says, and every function that it names exists."""

import re

from pages import code_blocks, page, printed_by
from remora.navigation import consistency, surveys

PAGE = page("surveys.md")


def test_code_prints_what_the_page_says(tmp_path):
    assert printed_by(code_blocks(PAGE)[0], tmp_path) == code_blocks(PAGE, "text")[0]


def test_it_names_every_function_and_no_other():
    named = set(re.findall(r"^\| `([a-z_]+)` \|", PAGE, re.MULTILINE))
    offered = {name for package in (surveys, consistency) for name in package.__all__ if name.islower()}
    assert named == offered - {"average_bounds", "normalised_squares"}
