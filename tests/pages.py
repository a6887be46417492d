"""README and the pages of docs/ for tests: their text, the code in it, and what that prints."""

import contextlib
import io
import re
import subprocess
import sys
from pathlib import Path

DOCS = Path(__file__).parents[1] / "docs"
README = DOCS.parent / "README.md"


def page(name: str) -> str:
    """The text of a page."""
    return (DOCS / name).read_text(encoding="utf-8")


def code_blocks(text: str, language: str = "python") -> list[str]:
    """The blocks of a page in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def commands_of(block: str) -> list[str]:
    """Commands of a block of a console."""
    return [line[2:] for line in block.splitlines() if line.startswith("$ ")]


def missing_lines(block: str, printed: str) -> list[str]:
    """Lines that a block of a console shows and its commands did not print; "..." stands for any others."""
    shown = [line for line in block.splitlines() if not line.startswith("$ ") and line != "..."]
    # How fast this machine is, differs.
    return [line for line in shown if "x real time" not in line and line not in printed.splitlines()]


def printed_by(code: str, folder: Path) -> str:
    """What Python code prints that runs in a folder, with names of its own."""
    with contextlib.chdir(folder), contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(code, "<page>", "exec"), {"__name__": "__main__"})
    return printed.getvalue()


def printed_by_process(code: str, folder: Path) -> str:
    """As `printed_by`, in a process of its own, for code that imports from the folder and starts processes."""
    command = [sys.executable, "-W", "error", "-c", code]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=200)
    assert done.returncode == 0, done.stderr
    return done.stdout
