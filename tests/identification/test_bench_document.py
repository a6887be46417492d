"""The page on bench tests: its code runs, and the functions it names exist."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from remora.identification import bench

PAGE = (Path(__file__).parents[2] / "docs" / "bench-tests.md").read_text()


@pytest.mark.parametrize("block", re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL))
def test_code_runs(block, tmp_path):
    subprocess.run([sys.executable, "-W", "error", "-c", block], cwd=tmp_path, check=True, timeout=100)


def test_the_functions_of_the_table_exist_and_none_is_forgotten():
    rows = [line for line in PAGE.split("## What there is")[1].split("## ")[0].splitlines() if line.startswith("|")]
    named = set(re.findall(r"`([a-z_]+)`", "\n".join(rows)))
    assert all(hasattr(bench, name) for name in named)
    assert {name for name in bench.__all__ if name.startswith(("fit_", "read_initial", "read_steady"))} <= named
