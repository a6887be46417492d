"""docs/scenarios.md stays true: its scenarios are read and run, its keys and parts are those of the code."""

import re
from dataclasses import replace

import pytest

from pages import code_blocks, page, printed_by
from remora.messages.part import Role
from remora.messages.part_options import PartOptions
from remora.navigation.parts.instruments import AgeSection
from remora.plant.methods import METHODS
from remora.run.loop.loop import run
from remora.scenarios import description as models, scenario_from_text, scenario_names
from remora.scenarios.builders.parts import parts_for

TEXT = page("scenarios.md")
SCENARIOS = code_blocks(TEXT, "yaml")
PYTHON = code_blocks(TEXT)


@pytest.mark.parametrize("text", SCENARIOS, ids=lambda text: text.splitlines()[0])
def test_scenarios_of_the_document_run(text, tmp_path):
    (tmp_path / "brake.py").write_text(PYTHON[1])
    setup = replace(scenario_from_text(text, folder=tmp_path), duration_ns=5_000_000_000)
    assert run(setup).stopped == ""


def test_code_of_the_document_runs(tmp_path):
    assert printed_by(PYTHON[0], tmp_path) == "60000000000\n"


def words(text):
    """All words in backticks, also those inside mappings."""
    return {word for piece in re.findall(r"`([^`]*)`", text) for word in re.findall(r"\w+", piece)}


@pytest.mark.parametrize(
    "model",
    [
        models.ScenarioDescription, models.ScenarioWaterSection, models.TunnelSection, models.OriginSection,
        models.LogSection,
        models.VehicleEntry, models.SensorFields, models.ScatterSection, models.DisturbanceSection, AgeSection,
        models.ActuatorSection,
    ],
)  # fmt: skip
def test_every_key_is_explained(model):
    keys = {field.alias or name for name, field in model.model_fields.items()} - {"source"}
    assert keys <= words(TEXT), keys - words(TEXT)


@pytest.mark.parametrize("role", list(Role), ids=lambda role: role.name)
def test_parts_and_their_options_are_those_of_the_code(role):
    rows = TEXT.split(f"### {role.name.lower()}\n")[1].split("\n## ")[0].split("\n### ")[0].splitlines()
    told = {re.match(r"\| `(\w+)`", row)[1]: row for row in rows if re.match(r"\| `(\w+)`", row)}
    assert set(told) == set(parts_for(role))
    for name, kind in parts_for(role).items():
        options = set(kind.options.model_fields) - set(PartOptions.model_fields)
        inherited = words(TEXT)  # "the same", "as in guidance"
        assert options <= inherited, (name, options - inherited)


def test_methods_and_shipped_scenarios():
    assert set(METHODS) <= words(TEXT)
    rows = TEXT.split("## Bundled scenarios\n")[1].splitlines()
    assert tuple(sorted(re.match(r"\| `(\w+)`", row)[1] for row in rows if row.startswith("| `"))) == scenario_names()
