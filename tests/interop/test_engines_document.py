"""docs/engines.md stays true: its code runs, and the names it gives exist."""

import re
from importlib import import_module

import pytest

from pages import code_blocks, page, printed_by
from remora.interop.mujoco.hydrodynamics import Hydrodynamics
from remora.interop.mujoco.model import BODY_AXES, WORLDS

PAGE = page("engines.md")
BLOCKS = code_blocks(PAGE)


@pytest.mark.parametrize("block", BLOCKS)
def test_code_runs(block, tmp_path):
    printed_by(block, tmp_path)


def test_names_exist():
    assert len(BLOCKS) == 3
    for name in re.findall(r"`water\.([a-z_]+)\(", PAGE):
        assert callable(getattr(Hydrodynamics, name))
    for name in re.findall(r"`([a-z]+_xml)", PAGE):
        assert callable(getattr(import_module("remora.interop.mujoco.mjcf"), name))
    for name in re.findall(r"`(remora\.[a-z_.]+)`", PAGE):
        module, _, function = name.rpartition(".")
        assert hasattr(import_module(module), function) or import_module(name)
    for name in (*WORLDS, *BODY_AXES):
        assert f"`{name}`" in PAGE
