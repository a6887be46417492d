"""Kernels are the same, to rounding, where the inside of Numba has changed and Remora leaves it alone."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest

from remora.control.allocation.thrusters import bounded_allocation
from remora.plant import compilation
from remora.plant.numba_inside import hooks
from remora.vehicles import load_vehicle

WRENCH = [500.0, -100.0, 300.0, 0.0, 0.0, 20.0]
CHANGED = {
    "a module is gone": "import sys, numba; sys.modules['numba.core.codegen'] = None",
    "a class is gone": "from numba.core import caching; del caching.UserProvidedCacheLocator",
    "a method is gone": "from numba.core import codegen; del codegen.CPUCodeLibrary._finalize_dynamic_globals",
}
FORCES = f"""
import json, sys
sys.modules["remora.plant.numba_inside.classes"] = None
from remora.control.allocation.thrusters import bounded_allocation
from remora.vehicles import load_vehicle
print(json.dumps(bounded_allocation(load_vehicle("bluerov2_heavy").parameters).allocate({WRENCH}).forces.tolist()))
"""


def run(lines, folder):
    environment = os.environ | {"REMORA_CACHE_DIR": str(folder)}
    done = subprocess.run([sys.executable, "-c", lines], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    return done


def test_without_the_inside_of_numba_kernels_are_compiled_and_cached(tmp_path):
    first, second = run(FORCES, tmp_path), run(FORCES, tmp_path)
    assert first.stderr.count("kernels compile more slowly") == 1
    assert "compiling control allocation" in first.stderr
    assert "compiling" not in second.stderr
    assert first.stdout == second.stdout
    expected = bounded_allocation(load_vehicle("bluerov2_heavy").parameters).allocate(WRENCH).forces
    np.testing.assert_allclose(json.loads(first.stdout), expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("change", CHANGED.values(), ids=CHANGED)
def test_a_changed_numba_is_left_alone_and_one_line_says_so(change, tmp_path):
    done = run(f"{change}\nfrom remora.plant.numba_inside import hooks\nprint(hooks.CALLEE_OPTIONS)", tmp_path)
    assert done.stdout == "{}\n"
    assert done.stderr.count("\n") == 1


def test_the_cache_tells_both_apart(monkeypatch):
    ours = compilation.source_key()
    monkeypatch.setattr(compilation, "CALLEE_OPTIONS", {})
    assert hooks.CALLEE_OPTIONS
    assert compilation.source_key() != ours
