"""The page on drives: its code runs."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[2] / "docs" / "drives.md").read_text()
BLOCKS = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("block", BLOCKS)
def test_code_runs(block, tmp_path):
    subprocess.run([sys.executable, "-W", "error", "-c", block], cwd=tmp_path, check=True, timeout=100)


def test_there_is_code():
    assert len(BLOCKS) == 2
