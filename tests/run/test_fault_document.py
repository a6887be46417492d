"""docs/faults.md stays true: its scenario and code run, and it explains every fault and key."""

import re
from pathlib import Path

import pytest

from pages import code_blocks, page, printed_by
from remora.logs import read_log
from remora.run.loop.loop import run
from remora.scenarios import scenario_from_text
from remora.scenarios.builders.faults import FAULTS

PAGE = page("faults.md")
ROWS = {
    word: row
    for row in PAGE.splitlines()
    if row.startswith("| `")
    for word in re.findall(r"`(\w+)`", row.split("|")[1])
}


def test_the_scenario_runs_and_tells_its_faults(tmp_path: Path) -> None:
    (text,) = code_blocks(PAGE, "yaml")
    assert run(scenario_from_text(text), tmp_path / "log").stopped == ""
    found = [(e.time_ns // 10**9, e.source) for e in read_log(tmp_path / "log").events if "fault" in e.data]
    assert found == [(4, "rov/front_port"), (5, "rov/dvl"), (6, "rov"), (8, "rov/front_port")]


def test_the_code_runs(tmp_path: Path) -> None:
    (code,) = code_blocks(PAGE)
    assert printed_by(code, tmp_path) == "finished\n"


def test_every_fault_has_its_row() -> None:
    assert set(ROWS) == set(FAULTS)


@pytest.mark.parametrize("word", FAULTS)
def test_every_key_is_explained(word: str) -> None:
    common = {"fault", "at", "until", "of", "allocation", "source"}
    keys = set(FAULTS[word].model_fields) - common
    assert keys == set(re.findall(r"`(\w+)`", ROWS[word].split("|")[2])) - common
