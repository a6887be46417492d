"""The pages on tunnels and control: their code runs, and what they name exists."""

import re

import pytest

import remora.control
import remora.guidance
from pages import code_blocks, page, printed_by
from remora.equations.geometry import rays, tunnels

PAGES = {name: page(name) for name in ("tunnels.md", "control.md", "tuning.md")}
BLOCKS = [
    pytest.param(block, id=f"{name}-{i}") for name, text in PAGES.items() for i, block in enumerate(code_blocks(text))
]


@pytest.mark.parametrize("block", BLOCKS)
def test_code_runs(block, tmp_path):
    printed_by(block, tmp_path)


def test_named_functions_exist():
    for name in re.findall(r"`([a-z_]+_(?:distance|clearance))`", PAGES["tunnels.md"]):
        assert any(callable(getattr(module, name, None)) for module in (rays, tunnels)), name
    parts = re.findall(r"`([A-Z][A-Za-z]+|[a-z0-9_]+(?=\())", PAGES["control.md"])
    assert len(parts) > 10
    for name in set(parts):
        assert hasattr(remora.control, name) or hasattr(remora.guidance, name), name
