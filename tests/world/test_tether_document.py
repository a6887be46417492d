"""docs/tether.md and docs/theory-tether.md stay true: code runs, functions exist, every number is named."""

import re
from dataclasses import fields
from importlib import import_module

from pages import code_blocks, page, printed_by
from remora.equations import tether
from remora.files.section import Section
from remora.scenarios import scenario_from_text
from remora.scenarios.builders.tethers import TetherSection
from remora.world.tethers.models import MODELS

PAGE, THEORY = page("tether.md"), page("theory-tether.md")


def test_code_runs(tmp_path):
    printed = printed_by(code_blocks(PAGE)[0], tmp_path)
    assert printed.startswith("50.5 m are out, pull")


def test_functions_exist():
    for name in re.findall(r"`([a-z_0-9]+)`", THEORY):
        assert callable(getattr(tether, name, None)), name
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
    block = code_blocks(PAGE, "yaml")[0]
    (line,) = scenario_from_text(block).vehicles[0].tethers
    assert (line.name, line.winch_rate, line.winch_from_ns, line.tether.nodes) == ("umbilical", 0.1, 10_000_000_000, 30)


def test_every_key_of_a_scenario_is_explained():
    for key in set(TetherSection.model_fields) - set(Section.model_fields):
        assert f"`{key}`" in PAGE, key
