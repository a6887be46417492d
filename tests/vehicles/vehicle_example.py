"""The example of docs/vehicle-files.md as text, and changes to it."""

import re
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs" / "vehicle-files.md"


def _example() -> str:
    match = re.search(r"```yaml\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    assert match, f"{DOCS} has lost its example"
    return match[1]


EXAMPLE = _example()


def changed(*changes: tuple[str, str]) -> str:
    """The example with pieces of text replaced; a piece that is not there is a mistake of the test."""
    text = EXAMPLE
    for old, new in changes:
        assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in the example"
        text = text.replace(old, new)
    return text


def line_of(text: str, piece: str) -> int:
    """The line on which a piece of text starts, counted from one."""
    return text[: text.index(piece)].count("\n") + 1
