"""The page on morphologies: its example is valid, its code runs, and it names every key, link and bundled file."""

import re

import pytest

from pages import code_blocks, page, printed_by
from remora.scenarios.builders.morphologies import LatchToleranceSection, LinkEventsSection
from remora.scenarios.reader import scenario_from_text
from remora.vehicles.morphologies import morphology_from_text, morphology_names
from remora.vehicles.morphologies.sections import (
    LINK_KEYS,
    InteractionSection,
    LinkSection,
    ModuleSection,
    MorphologyDescription,
    PortSection,
    RodSection,
    TetherChainSection,
)

PAGE = page("morphologies.md")
WORDS = {word for piece in re.findall(r"`([^`\n]*)`", PAGE) for word in re.findall(r"\w+", piece)}


def test_the_examples_are_a_morphology_and_a_scenario_with_it(tmp_path) -> None:
    morphology, scenario = code_blocks(PAGE, "yaml")
    assert morphology_from_text(morphology).module_names == ("lead", "tail")
    (tmp_path / "my_pair.yaml").write_text(morphology)
    setup = scenario_from_text(scenario, folder=tmp_path)
    assert [vehicle.name for vehicle in setup.vehicles] == ["pair/lead", "pair/tail"]


def test_code_prints_what_is_shown(tmp_path) -> None:
    (code,), (shown,) = code_blocks(PAGE), code_blocks(PAGE, "text")
    assert printed_by(code, tmp_path) == shown


@pytest.mark.parametrize(
    "model",
    [
        MorphologyDescription,
        ModuleSection,
        PortSection,
        RodSection,
        TetherChainSection,
        InteractionSection,
        LinkSection,
        LinkEventsSection,
        LatchToleranceSection,
    ],
)
def test_every_key_is_explained(model) -> None:
    keys = set(model.model_fields) - {"kind", "between"}  # which the example shows
    assert keys <= WORDS, keys - WORDS


def test_links_and_bundled_morphologies_are_listed() -> None:
    assert set(LINK_KEYS) <= WORDS
    rows = PAGE.split("## Bundled\n")[1].split("\n## ")[0]
    assert tuple(sorted(re.findall(r"^\| `(\w+)`", rows, re.MULTILINE))) == morphology_names()
