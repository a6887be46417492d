"""The code of docs/logs.md runs as it stands, in one go."""

import re
import subprocess
import sys
from pathlib import Path

DOCUMENT = Path(__file__).parents[2] / "docs" / "logs.md"


def test_the_code_of_the_document_runs(tmp_path):
    program = "\n".join(re.findall(r"^```python\n(.*?)^```", DOCUMENT.read_text(), re.MULTILINE | re.DOTALL))
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program], cwd=tmp_path, capture_output=True, text=True, timeout=120
    )
    assert done.stderr == ""
    assert done.stdout.splitlines() == ["42 True ()", "4.99 4.99", "m/s bottom lost", "the logs are the same"]
