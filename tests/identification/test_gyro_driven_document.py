"""docs/gyro-driven-models.md stays true: its code runs, its functions exist."""

import re

import remora.identification
from pages import code_blocks, page, printed_by

TEXT = page("gyro-driven-models.md")


def test_code_of_the_document_runs(tmp_path):
    printed = printed_by(code_blocks(TEXT)[0], tmp_path)
    assert "surge: u|u|" in printed
    assert "'sway': 0.00" in printed


def test_functions_of_the_steps_exist():
    table = TEXT.split("## Steps")[1].split("\n\n")[1]
    names = [name for row in table.splitlines()[2:] for name in re.findall(r"`(\w+)`", row.split("|")[2])]
    assert len(names) == 10
    assert all(callable(getattr(remora.identification, name)) for name in names)
