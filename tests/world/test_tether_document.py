"""docs/tether.md and docs/theory-tether.md stay true: code runs, functions exist, every number is named."""

import re
import subprocess
import sys
from dataclasses import fields
from importlib import import_module
from pathlib import Path

from remora.equations import tether
from remora.simulation.scenarios import scenario_from_text
from remora.simulation.scenarios.tethers import TetherSection
from remora.vehicles.section import Section
from remora.world.tether_models import MODELS

DOCS = Path(__file__).parents[2] / "docs"
PAGE, THEORY = (DOCS / "tether.md").read_text(), (DOCS / "theory-tether.md").read_text()


def test_code_runs():
    block = re.search(r"```python\n(.*?)```", PAGE, re.DOTALL)[1]
    done = subprocess.run([sys.executable, "-W", "error", "-c", block], capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("50.5 m are out, pull")


def test_functions_exist():
    for name in re.findall(r"`([a-z_0-9]+)`", THEORY):
        assert callable(getattr(tether, name)), name
    for name in re.findall(r"`(remora\.[a-z_.]+\.[A-Za-z_]+)`", PAGE + THEORY):
        module, function = name.rsplit(".", 1)
        assert hasattr(import_module(module), function), name


def test_every_number_is_named():
    for model, made in MODELS.items():
        assert f"`{model}`" in PAGE
        for entry in fields(made):
            if entry.init:
                assert f"`{entry.name}`" in PAGE, entry.name


def test_the_scenario_of_the_page_is_sound():
    block = re.search(r"```yaml\n(.*?)```", PAGE, re.DOTALL)[1]
    (line,) = scenario_from_text(block).vehicles[0].tethers
    assert (line.name, line.winch_rate, line.winch_from_ns, line.tether.nodes) == ("umbilical", 0.1, 10_000_000_000, 30)


def test_every_key_of_a_scenario_is_explained():
    for key in set(TetherSection.model_fields) - set(Section.model_fields):
        assert f"`{key}`" in PAGE, key
