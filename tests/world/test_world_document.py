"""docs/world.md stays true: its code runs, and its scenario is read without a complaint."""

import math
from pathlib import Path

import pytest

from pages import code_blocks, page, printed_by
from remora.files.document import parse_document
from remora.scenarios.builders.world import world_from
from remora.scenarios.load_context import SCENARIO_FILE, LoadContext
from remora.world import World

PAGE = page("world.md")
BLOCKS = code_blocks(PAGE)


@pytest.mark.parametrize("block", BLOCKS)
def test_code_runs(block, tmp_path):
    printed = printed_by(block, tmp_path)
    if "touching" in block:
        assert printed.startswith("4.885")
        assert printed.endswith("('bed',)\n")


def world_of(text, folder):
    context = LoadContext(folder, 10_000_000, 1_000_000_000, 0, World(), [], [], [], [])
    world = world_from(parse_document(text, "world.md", SCENARIO_FILE).data, context)
    assert context.findings == []
    return world


def test_the_scenario_is_read():
    world = world_of(code_blocks(PAGE, "yaml")[0], Path("."))
    assert len(world.water.fields) == 6
    assert len(world.scene.obstacles) == 3


def test_the_user_defined_current_is_read(tmp_path):
    (block,) = (block for block in BLOCKS if "class Vortex" in block)
    (tmp_path / "vortex.py").write_text(block)
    world = world_of(code_blocks(PAGE, "yaml")[1], tmp_path)
    speed = 7.0 * math.radians(5.0)
    assert world.at(0, (9.0, -1.0, 3.0)).velocity == pytest.approx((0.0, speed, 0.0), abs=1e-12)


def test_there_is_code():
    assert len(BLOCKS) == 5
    assert len(code_blocks(PAGE, "yaml")) == 2
