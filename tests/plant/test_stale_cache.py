"""A changed equation or constant is never served from an old compilation, and the cache writes only where it may.

Each test compiles a copy of the package in processes of its own, with a cache folder of its own.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import remora
import remora.equations
import remora.plant
from remora.plant import compilation
from remora.plant.batches.lane_loop import batch_kernel

pytestmark = [pytest.mark.xdist_group("cold compilation"), pytest.mark.timeout(600)]

# The kernels that compile fastest: a metre of taut line, twice as long as at rest, hangs from its first node.
PROGRAM = """
import json, sys
import numpy as np
import remora
from remora.plant.compilation import cache_folder
from remora.plant.tether import forces_on_nodes, tether_kernels
row = np.array([3.0, 1.0, 0.0, 100.0, 0.0, 0.0, 0.0, 10.0])
zero = np.zeros((2, 3))
forces = forces_on_nodes(row, np.full(1, 0.5), zero, np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 1.0]]), zero)
json.dump({
    "down": forces[:, 2].tolist(), "package": remora.__file__, "folder": str(cache_folder()),
    "hits": [sum(d.stats.cache_hits.values()) for d in tether_kernels()],
    "misses": [sum(d.stats.cache_misses.values()) for d in tether_kernels()],
    "paths": [str(d.stats.cache_path) for d in tether_kernels()],
}, sys.stdout)
"""
WEIGHT, TENSION = 10.0, 100.0  # N


@pytest.fixture
def package(tmp_path):
    """A copy of the package that a test may edit."""
    copy = tmp_path / "src" / "remora"
    shutil.copytree(Path(remora.__file__).parent, copy, ignore=shutil.ignore_patterns("__pycache__"))
    return copy


def start(package, cache):
    """Run the program on the copied package; Python itself writes no bytecode, so what appears is ours."""
    paths = os.pathsep.join([str(package.parent), str(Path(__file__).parents[1])])
    environment = os.environ | {
        "PYTHONPATH": paths, "REMORA_CACHE_DIR": str(cache), "PYTHONDONTWRITEBYTECODE": "1"
    }  # fmt: skip
    command = [sys.executable, "-c", PROGRAM]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def finish(process, package):
    output, errors = process.communicate(timeout=300)
    assert process.returncode == 0, errors
    result = json.loads(output)
    assert Path(result["package"]).parent == package
    return result, errors


def edit(path, old, new):
    text = path.read_text()
    assert text.count(old) >= 1
    path.write_text(text.replace(old, new))


def written_beside_sources(package):
    return [p for p in package.rglob("*") if p.suffix in (".nbi", ".nbc") or p.name == "__pycache__"]


def test_edited_sources_are_never_served_from_the_cache(package, tmp_path):
    cache, tether = tmp_path / "cache", package / "equations" / "tether.py"
    # Two cold processes at once: they take turns, and both succeed.
    pair = [start(package, cache) for _ in range(2)]
    (first, first_words), (second, second_words) = [finish(process, package) for process in pair]
    assert first["down"] == second["down"] == pytest.approx([0.5 * WEIGHT + TENSION, 0.5 * WEIGHT - TENSION], rel=1e-14)
    assert sorted([first["hits"], second["hits"]]) == [[0, 0], [1, 1]]
    assert "compiling the equations of tethers, once per machine" in first_words + second_words
    assert all(Path(path).is_relative_to(cache) for path in first["paths"])

    # An equation and a constant.
    weight, length = "(tether.mass - tether.displaced_mass) *", "MIN_LENGTH = 1e-12"
    edit(tether, weight, f"0.8 * {weight}")
    edit(tether, length, "MIN_LENGTH = 4.0")
    other, _ = finish(start(package, cache), package)
    half, pull = 0.4 * WEIGHT, 0.25 * TENSION
    assert other["down"] == pytest.approx([half + pull, half - pull], rel=1e-14)

    edit(tether, f"0.8 * {weight}", weight)
    edit(tether, "MIN_LENGTH = 4.0", length)
    back, words = finish(start(package, cache), package)
    assert back["down"] == first["down"]
    assert back["hits"] == [1, 1]
    assert sum(back["misses"]) == 0
    assert words == ""
    assert other["folder"] != first["folder"]
    assert written_beside_sources(package) == []

    moved = Path(shutil.copytree(package, tmp_path / "elsewhere" / "remora"))
    third, words = finish(start(moved, cache), moved)
    assert (third["hits"], sum(third["misses"]), words) == ([1, 1], 0, "")


def test_all_kernels_are_cached_in_the_folder_of_the_key():
    """So that what holds for the kernels of tethers holds for these too."""
    groups = (compilation.kernels(), compilation.layered_kernels(), compilation.general_kernels())
    for one in (*(one for group in groups for one in group), batch_kernel()):
        assert Path(one.stats.cache_path).is_relative_to(compilation.cache_folder())


@pytest.mark.parametrize("room", ["equations", "plant"])
def test_an_edit_in_any_folder_gives_another_key(package, monkeypatch, room):
    """Sub-packages included: otherwise old machine code would serve new equations."""
    monkeypatch.setattr(remora.equations, "__path__", [str(package / "equations")])
    monkeypatch.setattr(remora.plant, "__path__", [str(package / "plant")])
    folders = {path.parent for path in (package / room).rglob("*.py")}
    keys = {compilation.source_key()}
    for count, folder in enumerate(sorted(folders), start=2):
        edited = sorted(folder.glob("*.py"))[-1]
        edited.write_text(edited.read_text() + "\n")
        keys.add(compilation.source_key())
        assert len(keys) == count, edited
    assert len(folders) == len(list((package / room).rglob("__init__.py")))


def test_a_cache_that_cannot_be_written_is_announced_and_done_without(package, tmp_path):
    blocked = tmp_path / "cache"
    blocked.write_text("a file where the folder should be; permissions would not stop a superuser")
    edit(package / "equations" / "tether.py", "(tether.mass - tether.displaced_mass) *", "0.5 * tether.mass *")
    result, words = finish(start(package, blocked), package)
    assert result["down"] == pytest.approx([3.75 + TENSION, 3.75 - TENSION], rel=1e-14)
    assert f"{blocked} cannot be written, so this happens in every process" in words
    assert result["folder"] == "None"
    assert written_beside_sources(package) == []
    assert blocked.read_text().startswith("a file")


def test_code_for_another_processor_has_a_cache_folder_of_its_own(monkeypatch, tmp_path):
    """Otherwise the first target marks the cache complete, and others compile there without the lock."""
    monkeypatch.setenv("REMORA_CACHE_DIR", str(tmp_path))
    settings = compilation.numba.core.config
    folders = set()
    for name, features in [(None, None), ("generic", ""), ("haswell", None), ("haswell", "-fma")]:
        monkeypatch.setattr(settings, "CPU_NAME", name)
        monkeypatch.setattr(settings, "CPU_FEATURES", features)
        folders.add(compilation.cache_folder.__wrapped__())
    assert len(folders) == 4
    assert all(folder.is_relative_to(tmp_path) for folder in folders)
