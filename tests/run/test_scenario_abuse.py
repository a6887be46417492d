"""Whatever stands in a scenario file: a setup or a ScenarioError with at least one problem, and nothing else."""

import copy
import functools
import json
import math
import random
from typing import Any

import pytest
from scenario_example import EXAMPLE

from remora.files.document import parse_document
from remora.navigation.filters import filter_compiler
from remora.scenarios import ScenarioError, scenario_from_text, scenario_names, scenario_path
from remora.scenarios.builders import vehicles
from remora.scenarios.load_context import SCENARIO_FILE
from remora.vehicles import load_vehicle

TEXTS = [EXAMPLE, *(scenario_path(name).read_text(encoding="utf-8") for name in scenario_names())]
DATA = [parse_document(text, "file", SCENARIO_FILE).data for text in TEXTS]
LOAD = functools.cache(load_vehicle)
JUNK = [
    None, True, 0, -1, 3, 1e300, -1e11, math.nan, math.inf, "", "x", "nan", "1e400 m", "3 kg", "10 Hz", "-2 s", "5 %",
    "all", "truth", "none.py:X", [], [1], [1, 2, 3], ["a"], [[1, 2, 3]], {}, {"value": 3}, {"part": 3}, {"x": {"y": 1}},
    {"value": 1, "unit": "parsec"}, "1 us", 1e-12,
]  # fmt: skip


def places(data: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """All paths of a nested structure but the top."""
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    found = [(*path, key) for key, _ in items]
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    return found + [place for key, item in items for place in places(item, (*path, key))]


def mutated(data: Any, chance: random.Random) -> str:
    """A copy with one to three changes: a key gone, renamed or doubled, or another value."""
    data = copy.deepcopy(data)
    for _ in range(chance.randint(1, 3)):
        place = chance.choice(places(data))
        parent = data
        for step in place[:-1]:
            parent = parent[step]
        change = chance.choice(("delete", "rename", "replace", "replace", "replace", "move"))
        if change == "delete":
            del parent[place[-1]]
        elif change == "rename" and isinstance(parent, dict):
            parent[chance.choice((f"{place[-1]}x", "part", "name", "rate"))] = parent.pop(place[-1])
        elif change == "move" and isinstance(parent, list):
            parent.append(copy.deepcopy(parent[place[-1]]))
        else:
            parent[place[-1]] = copy.deepcopy(chance.choice(JUNK))
    text = json.dumps(data)  # JSON is YAML
    return text.replace("NaN", ".nan").replace("Infinity", ".inf")


@pytest.fixture(autouse=True)
def _vehicle_files_are_read_once(monkeypatch):
    """Most of the time would go into reading the same vehicle files; they are not what is tried here."""
    monkeypatch.setattr(vehicles, "load_vehicle", LOAD)


@pytest.fixture(autouse=True)
def _filters_are_not_compiled(monkeypatch):
    """Each changed sensor suite would be another compilation of a filter that no setup here runs."""
    monkeypatch.setattr(filter_compiler, "compiled_event_loop", lambda models, sizes: None)


def refusal_of(text: str) -> ScenarioError | None:
    """The refusal of a text, or None for a setup; anything else fails the test that asks."""
    try:
        scenario_from_text(text)
    except ScenarioError as error:
        return error
    return None


def says_why(refusal: ScenarioError | None) -> bool:
    return refusal is None or (bool(refusal.problems) and all(problem.message for problem in refusal.problems))


@pytest.mark.parametrize("seed", range(17))
def test_random_changes_end_in_a_setup_or_a_refusal(seed):
    chance = random.Random(seed)
    for _ in range(12):
        text = mutated(chance.choice(DATA), chance)
        assert says_why(refusal_of(text)), text


@pytest.mark.parametrize("index", range(len(TEXTS)))
def test_a_doubled_line_is_refused_or_read(index):
    lines = TEXTS[index].splitlines()
    chance = random.Random(index)
    for _ in range(6):
        k = chance.randrange(len(lines))
        assert says_why(refusal_of("\n".join([*lines[: k + 1], lines[k], *lines[k + 1 :]])))
