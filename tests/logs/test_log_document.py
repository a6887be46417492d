"""The code of docs/logs.md runs as it stands, in one go; then its commands print what is shown."""

import contextlib
import re
import subprocess
import sys
from pathlib import Path

from click.testing import CliRunner

from remora.cli import main

DOCUMENT = Path(__file__).parents[2] / "docs" / "logs.md"


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```", DOCUMENT.read_text(), re.MULTILINE | re.DOTALL)


def test_the_code_of_the_document_runs(tmp_path):
    program = "\n".join(blocks("python"))
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program], cwd=tmp_path, capture_output=True, text=True, timeout=120
    )
    assert done.stderr == ""
    assert done.stdout.splitlines() == [
        "42 True ()",
        "4.99 4.99",
        "m/s bottom lost",
        "the logs are the same",
        "[1.  1.5] True",
    ]
    check_commands(tmp_path)


def check_commands(folder):
    """Each command of the document, in the folder with the logs that its code has written."""
    shown = [line for block in blocks("console") for line in block.splitlines()]
    commands = [line.removeprefix("$ remora ").split() for line in shown if line.startswith("$ ")]
    assert {command[0] for command in commands} == {"plot", "compare"}
    printed = []
    for command in commands:
        printed.append(f"$ remora {' '.join(command)}")
        with contextlib.chdir(folder):
            done = CliRunner().invoke(main, command)
        printed += (done.stdout + done.stderr).splitlines()
    assert printed == shown
