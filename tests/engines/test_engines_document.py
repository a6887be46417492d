"""docs/engines.md stays true: its code runs, and the names it gives exist."""

import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from remora.engines.frames import BODY_AXES, WORLDS
from remora.engines.mujoco import Hydrodynamics

PAGE = (Path(__file__).parents[2] / "docs" / "engines.md").read_text()
BLOCKS = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("block", BLOCKS)
def test_code_runs(block, tmp_path):
    subprocess.run([sys.executable, "-W", "error", "-c", block], cwd=tmp_path, check=True, timeout=100)


def test_names_exist():
    assert len(BLOCKS) == 2
    for name in re.findall(r"`water\.([a-z_]+)\(", PAGE):
        assert callable(getattr(Hydrodynamics, name))
    for name in re.findall(r"`([a-z]+_xml)", PAGE):
        assert callable(getattr(import_module("remora.engines.mjcf"), name))
    for name in re.findall(r"`(remora\.[a-z_.]+)`", PAGE):
        module, _, function = name.rpartition(".")
        assert hasattr(import_module(module), function) or import_module(name)
    for name in (*WORLDS, *BODY_AXES):
        assert f"`{name}`" in PAGE
