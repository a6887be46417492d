"""The page on check-cases: its code runs, and its table has every check with its tolerance."""

import re

import pytest

from pages import code_blocks, page, printed_by
from remora_evidence.checkcases.problem_file import case_ids, load_problem
from remora_evidence.checkcases.trajectory import UNITS

PAGE = page("checkcases.md")
BLOCKS = code_blocks(PAGE)
ROWS = re.findall(r"^\| (UC-\d\d)?[^|]*\| (\w+) \| (\S+) \S+ \| (\S+) (\S+) \| holds \|$", PAGE, re.MULTILINE)


@pytest.mark.parametrize("block", BLOCKS)
def test_code_runs(block, tmp_path):
    printed_by(block, tmp_path)


def test_the_table_has_every_check_with_its_tolerance():
    case, told = "", {}
    for name, quantity, difference, tolerance, unit in ROWS:
        case = name or case
        told[case, quantity] = float(tolerance)
        assert float(difference) <= float(tolerance)
        assert unit == UNITS[quantity]
    problems = [load_problem(name) for name in case_ids()]
    assert told == {(p.id, q): t for p in problems for q, t in p.tolerances.items()}
    for problem in problems:
        assert f"{problem.id} {problem.title}" in PAGE
