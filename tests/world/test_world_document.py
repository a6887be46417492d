"""docs/world.md stays true: its code runs, and its scenario is read without a complaint."""

from pathlib import Path

import pytest

from pages import code_blocks, page, printed_by
from remora.files.document import parse_document
from remora.simulation.scenarios.builders.world import world_from
from remora.simulation.scenarios.load_context import SCENARIO_FILE, LoadContext
from remora.world import World

PAGE = page("world.md")
BLOCKS = code_blocks(PAGE)


@pytest.mark.parametrize("block", BLOCKS)
def test_code_runs(block, tmp_path):
    printed = printed_by(block, tmp_path)
    if "touching" in block:
        assert printed.startswith("4.885")
        assert printed.endswith("('bed',)\n")


def test_the_scenario_is_read():
    (text,) = code_blocks(PAGE, "yaml")
    context = LoadContext(Path("."), 10_000_000, 1_000_000_000, 0, World(), [], [], [], [])
    world = world_from(parse_document(text, "world.md", SCENARIO_FILE).data, context)
    assert context.findings == []
    assert len(world.water.fields) == 6
    assert len(world.scene.obstacles) == 3


def test_there_is_code():
    assert len(BLOCKS) == 4
