"""docs/world.md stays true: its code runs, and its scenario is read without a complaint."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from remora.simulation.scenarios.problems import SCENARIO_FILE, Desk
from remora.simulation.scenarios.world import world_from
from remora.simulation.setup import Setting
from remora.vehicles.document import parse_document

PAGE = (Path(__file__).parents[2] / "docs" / "world.md").read_text()
BLOCKS = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("block", BLOCKS)
def test_code_runs(block, tmp_path):
    command = [sys.executable, "-W", "error", "-c", block]
    printed = subprocess.run(command, cwd=tmp_path, check=True, timeout=100, capture_output=True, text=True).stdout
    if "touching" in block:
        assert printed.startswith("4.885")
        assert printed.endswith("('bed',)\n")


def test_the_scenario_is_read():
    (text,) = re.findall(r"^```yaml\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    desk = Desk(Path("."), 10_000_000, 1_000_000_000, 0, Setting(), [], [])
    world = world_from(parse_document(text, "world.md", SCENARIO_FILE).data, desk)
    assert desk.findings == []
    assert len(world.water.fields) == 6
    assert len(world.scene.obstacles) == 3


def test_there_is_code():
    assert len(BLOCKS) == 4
