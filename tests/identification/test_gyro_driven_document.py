"""docs/gyro-driven-models.md stays true: its code runs, its functions exist."""

import re
import subprocess
import sys
from pathlib import Path

import remora.identification

TEXT = (Path(__file__).parents[2] / "docs" / "gyro-driven-models.md").read_text()


def test_code_of_the_document_runs():
    block = re.search(r"```python\n(.*?)```", TEXT, re.DOTALL)[1]
    done = subprocess.run([sys.executable, "-W", "error", "-c", block], capture_output=True, text=True, timeout=200)
    assert done.returncode == 0, done.stderr
    assert "surge: u|u|" in done.stdout
    assert "'sway': 0.00" in done.stdout


def test_functions_of_the_steps_exist():
    table = TEXT.split("## Steps")[1].split("\n\n")[1]
    names = [name for row in table.splitlines()[2:] for name in re.findall(r"`(\w+)`", row.split("|")[2])]
    assert len(names) == 8
    assert all(callable(getattr(remora.identification, name)) for name in names)
