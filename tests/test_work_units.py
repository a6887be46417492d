"""Tests that share something expensive are one unit of work; others are spread over the workers."""

from pathlib import Path

import pytest

import work_units
from work_units import free_memory, unit_of, workers

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


def test_free_memory_is_that_of_the_machine_or_of_the_container(tmp_path: Path) -> None:
    system = tmp_path / "meminfo"
    system.write_text("MemTotal:       24000000 kB\nMemAvailable:   8000000 kB\n")
    assert free_memory(system, tmp_path) == 8_192_000_000
    (tmp_path / "memory.max").write_text("3000000000\n")
    (tmp_path / "memory.stat").write_text("anon 500000000\nfile 2000000000\n")
    assert free_memory(system, tmp_path) == 2_500_000_000
    (tmp_path / "memory.max").write_text("max\n")
    assert free_memory(system, tmp_path) == 8_192_000_000


@pytest.mark.parametrize(("free", "most"), [(0.5e9, 1), (1.2e9, 1), (2.5e9, 2), (float("inf"), 1000)])
def test_each_worker_has_a_gigabyte(free: float, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work_units, "free_memory", lambda: free)
    assert 1 <= workers() <= most
