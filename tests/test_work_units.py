"""Tests that share something expensive are one unit of work; others are spread over the workers."""

from pathlib import Path

import pytest

from work_units import unit_of

SHARED = '@pytest.fixture(scope="module")\ndef run(): ...\n'


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("def test_one(): ...\n", None),
        ("@pytest.fixture\ndef run(): ...\n", None),
        (SHARED, "test_it.py"),
        ('pytestmark = pytest.mark.xdist_group("filters")\n' + SHARED, "filters"),
    ],
)
def test_a_group_or_a_fixture_of_the_module_keeps_a_file_together(text: str, unit: str | None, tmp_path: Path) -> None:
    file = tmp_path / "test_it.py"
    file.write_text(text)
    found = unit_of(file)
    assert (found and Path(found).name) == unit
