"""A public class name has one meaning: it is defined once in the package."""

import ast
from collections import Counter
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src" / "remora"

# Names that are still defined more than once; this list only becomes shorter.
DOUBLED = {
    "Band", "Block", "Chance", "Change", "Channel", "Column", "Course", "Delayed", "Demand", "Drive", "Effect", "End",
    "Entry", "Errors", "Excitation", "Fault", "Field", "Figure", "Finding", "Goal", "Group", "Head", "Held", "Hull",
    "Inputs", "Layout", "Leg", "Limits", "Line", "Measurement", "Motion", "Noise", "Outcome", "Pace", "Parts", "Point",
    "Problem", "Progress", "Reach", "Reading", "Record", "Result", "RigidBody", "Run", "Scene", "Section", "Sensor",
    "Setup", "Signal", "Site", "Solution", "Surroundings", "Swing", "Table", "Trial", "Truth", "Water", "WaterSection",
    "Window",
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
