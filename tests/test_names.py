"""A public class name has one meaning, and the prose keeps to the terms of the field."""

import ast
import re
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCES = [path for folder in ("src", "evidence/src") for path in (ROOT / folder).rglob("*.py")]


def test_no_public_class_name_is_defined_twice() -> None:
    count = Counter(
        node.name
        for path in SOURCES
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )
    assert [name for name, times in count.items() if times > 1] == []


UNUSUAL = re.compile(
    r"\b(abreast|foretold|so many|whereabouts|suffer|come along|clock on the wall|anew|wish)\b", re.IGNORECASE
)


def test_prose_has_no_unusual_words() -> None:
    pages = [*SOURCES, *(ROOT / "docs").glob("*.md"), *ROOT.glob("*.md")]
    found = [
        f"{page.relative_to(ROOT)}:{number}: {word[0]}"
        for page in pages
        for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), start=1)
        for word in UNUSUAL.finditer(line)
    ]
    assert found == []
