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
import remora.kernels
from remora.kernels import compilation

pytestmark = [pytest.mark.xdist_group("cold compilation"), pytest.mark.timeout(600)]

PROGRAM = """
import json, sys
from sample_vehicles import falcon
from remora.kernels import derivative, initial_state, pack, rollout
from remora.kernels.compilation import SIGNATURES, kernels
import remora
import remora.equations
import remora.kernels
from remora.kernels import compilation
packed = pack(falcon())
start = initial_state(packed, twist=(0.3, 0.1, 0.01, 0.2, -0.1, 0.3))
rate = derivative(packed, start, [0.0] * 5).tolist()
end = rollout(packed, start, [-50.0] * 5, 0.01, intervals=20)[-1].tolist()
entry_points = [getattr(kernels(), name) for name in SIGNATURES]
json.dump({
    "rate": rate, "end": end, "package": remora.__file__, "folder": str(kernels().cache_folder),
    "hits": [sum(d.stats.cache_hits.values()) for d in entry_points],
    "misses": [sum(d.stats.cache_misses.values()) for d in entry_points],
    "paths": [str(d.stats.cache_path) for d in entry_points],
}, sys.stdout)
"""
ALL_HIT = [1, 1, 1, 1]
# The kernels that compile fastest: a metre of taut line hangs from its first node.
TETHER_PROGRAM = """
import json, sys
import numpy as np
import remora
from remora.kernels.compilation import cache_folder
from remora.kernels.tether.runner import forces_on_nodes
row = np.array([3.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 10.0])
zero = np.zeros((2, 3))
forces = forces_on_nodes(row, np.ones(1), zero, np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 1.0]]), zero)
json.dump({"down": forces[:, 2].tolist(), "package": remora.__file__, "folder": str(cache_folder())}, sys.stdout)
"""


@pytest.fixture
def package(tmp_path):
    """A copy of the package that a test may edit."""
    copy = tmp_path / "src" / "remora"
    shutil.copytree(Path(remora.__file__).parent, copy, ignore=shutil.ignore_patterns("__pycache__"))
    return copy


def start(package, cache, program=PROGRAM):
    """Run a program on the copied package; Python itself writes no bytecode, so what appears is ours."""
    paths = os.pathsep.join([str(package.parent), str(Path(__file__).parents[1])])
    environment = os.environ | {
        "PYTHONPATH": paths, "REMORA_CACHE_DIR": str(cache), "PYTHONDONTWRITEBYTECODE": "1"
    }  # fmt: skip
    command = [sys.executable, "-c", program]
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
    cache = tmp_path / "cache"
    # Two cold processes at once: they take turns, and both succeed.
    pair = [start(package, cache) for _ in range(2)]
    (first, first_words), (second, second_words) = [finish(process, package) for process in pair]
    assert first["rate"] == second["rate"]
    assert first["end"] == second["end"]
    assert sorted([first["hits"], second["hits"]]) == [[0, 0, 0, 0], ALL_HIT]
    assert "compiling the equations, once per machine" in first_words + second_words
    assert all(Path(path).is_relative_to(cache) for path in first["paths"])

    equations = package / "equations"
    kinematics, heave = equations / "algebra" / "kinematics.py", equations / "hull" / "heave.py"
    # An equation and a constant, in different folders.
    edit(kinematics, "0.5 * (", "0.4 * (")
    edit(heave, "HEAVE_BLEND_SPEED = 0.02", "HEAVE_BLEND_SPEED = 0.04")
    other, _ = finish(start(package, cache), package)
    quaternion = slice(3, 7)
    assert other["rate"][quaternion] == pytest.approx([0.8 * r for r in first["rate"][quaternion]], rel=1e-14)
    assert abs(other["rate"][9] / first["rate"][9] - 1.0) > 0.01
    assert other["end"] != first["end"]

    edit(kinematics, "0.4 * (", "0.5 * (")
    edit(heave, "HEAVE_BLEND_SPEED = 0.04", "HEAVE_BLEND_SPEED = 0.02")
    back, words = finish(start(package, cache), package)
    assert back["rate"] == first["rate"]
    assert back["end"] == first["end"]
    assert back["hits"] == ALL_HIT
    assert sum(back["misses"]) == 0
    assert words == ""
    assert other["folder"] != first["folder"]
    assert written_beside_sources(package) == []


@pytest.mark.parametrize("room", ["equations", "kernels"])
def test_an_edit_in_any_folder_gives_another_key(package, monkeypatch, room):
    """Sub-packages included: otherwise old machine code would serve new equations."""
    monkeypatch.setattr(remora.equations, "__path__", [str(package / "equations")])
    monkeypatch.setattr(remora.kernels, "__path__", [str(package / "kernels")])
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
    result, words = finish(start(package, blocked, TETHER_PROGRAM), package)
    assert result["down"] == pytest.approx([7.5, 7.5], rel=1e-14)
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
