"""The pages on tunnels and control: their code runs, and what they name exists."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import remora.control
import remora.guidance
from remora.equations import rays

DOCS = Path(__file__).parents[2] / "docs"
PAGES = {name: (DOCS / name).read_text() for name in ("tunnels.md", "control.md")}
BLOCKS = [
    pytest.param(block, id=f"{name}-{i}")
    for name, text in PAGES.items()
    for i, block in enumerate(re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL))
]


@pytest.mark.parametrize("block", BLOCKS)
def test_code_runs(block, tmp_path):
    subprocess.run([sys.executable, "-W", "error", "-c", block], cwd=tmp_path, check=True, timeout=100)


def test_named_functions_exist():
    for name in re.findall(r"`([a-z_]+_(?:distance|clearance))`", PAGES["tunnels.md"]):
        assert callable(getattr(rays, name))
    parts = re.findall(r"`([A-Z][A-Za-z]+|[a-z0-9_]+(?=\())", PAGES["control.md"])
    assert len(parts) > 10
    for name in set(parts):
        assert hasattr(remora.control, name) or hasattr(remora.guidance, name), name
