"""The page on studies: its code runs, and it names every study and key."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from remora.studies.figures import Outcome, within
from remora.studies.registry import GROUPS

PAGE = (Path(__file__).parents[2] / "docs" / "studies.md").read_text()
BLOCKS = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("block", BLOCKS)
def test_code_runs(block, tmp_path):
    subprocess.run([sys.executable, "-W", "error", "-c", block], cwd=tmp_path, check=True, timeout=100)


def test_it_names_groups_and_keys():
    assert all(f"`{group}`" in PAGE for group in GROUPS)
    study = Outcome("a", "b", "c", (within("d", 1.0, 1.0, 0.1, "m"),)).as_json()
    assert all(f'"{key}"' in PAGE for key in (*study, *study["figures"][0]))
