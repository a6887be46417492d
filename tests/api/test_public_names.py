"""`import remora` offers the names of docs/python.md, lists them, and loads nothing heavy before they are used."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import remora
from pages import code_blocks, page, printed_by_process

PAGE = page("python.md")
SCENARIOS = Path(remora.__file__).parent / "scenarios/presets"


def documented() -> set[str]:
    """Names in the first column of the tables of the section Names, and the version."""
    section = PAGE.partition("\n## Names\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE)
    assert len(rows) == len(set(rows))
    return {*rows, *re.findall(r"^`(__\w+__)` is", section, re.MULTILINE)}


def test_dir_is_the_page() -> None:
    assert set(dir(remora)) == documented()
    assert 30 <= len(dir(remora)) <= 45


def test_every_name_can_be_imported_and_is_documented() -> None:
    for name in remora.__all__:
        found = getattr(remora, name)
        assert name == "__version__" or (callable(found) and found.__doc__), name


def test_an_unknown_name_is_no_attribute() -> None:
    with pytest.raises(AttributeError, match="simulat"):
        remora.simulat  # noqa: B018


def test_import_loads_no_library_of_numbers() -> None:
    code = "import remora, sys; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split()
    assert not {"numpy", "scipy", "numba", "pydantic", "matplotlib", "ruamel.yaml", "remora.plant"} & set(loaded)


def test_vehicles_is_the_package_and_lists_the_bundled_ones() -> None:
    assert remora.vehicles is sys.modules["remora.vehicles"]
    listed = remora.vehicles()
    assert set(listed) == set(remora.vehicles.preset_names())
    for name in ("falcon", "remus100", "flatfish_multidof"):
        assert listed[name] == remora.load_vehicle(name).title


def test_scenarios_have_the_titles_of_their_files() -> None:
    listed = remora.scenarios()
    assert set(listed) == {path.stem for path in SCENARIOS.glob("*.yaml")}
    for name, title in listed.items():
        assert title, name
    assert listed["tunnel"] == remora.load_scenario("tunnel").title


@pytest.mark.parametrize("block", code_blocks(PAGE))
def test_code_of_the_page_runs(block: str, tmp_path) -> None:
    assert printed_by_process(block, tmp_path)  # its classes are those of a running program
