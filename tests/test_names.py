"""A public class name has one meaning: it is defined once in the package."""

import ast
from collections import Counter
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src" / "remora"

# Names that are still defined more than once; this list only becomes shorter.
DOUBLED = {
    "Band", "Demand", "Effect", "Fault", "Finding", "Hull", "Limits", "Motion", "Reading", "RigidBody", "Setup",
    "Solution", "Swing", "WaterSection", "Window",
}  # fmt: skip


def test_no_public_class_name_is_defined_twice() -> None:
    count = Counter(
        node.name
        for path in SOURCE.rglob("*.py")
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )
    doubled = {name for name, times in count.items() if times > 1}
    assert doubled <= DOUBLED
