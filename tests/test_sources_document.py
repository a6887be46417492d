"""The page on the sources names studies, scenarios and commands that there are, and every study of a source."""

import re

import click

from pages import page
from remora.cli import main
from remora.scenarios.library import scenario_names
from remora_evidence.studies.catalogue import GROUPS, all_studies

PAGE = page("sources.md")
IDS = [study.id for study in all_studies()]
SOURCES = ("simu2vita", "flatfish", "falcon", "modular", "gavia")
# Requirements of this project, and rows of the test matrix that repeat figures of other studies.
ELSEWHERE = {"modular-17.10", "modular-17.11", "modular-6dof", "modular-fault"}


def named() -> set[str]:
    """Studies of the page; "A to B" stands for all from one to the other, in their order."""
    cells = " | ".join(row.split("|")[-2] for row in PAGE.splitlines() if row.startswith("| ") and row.count("|") >= 4)
    word = r"[A-Za-z0-9]+(?:-[A-Za-z0-9.]+)*(?:\.\d+)?"
    found = set()
    for first, last in re.findall(rf"({word}) to ({word})", cells):
        found |= {
            one for one in IDS if _group(one) == _group(first) and _number(first) <= _number(one) <= _number(last)
        }
    return found | {one for one in re.findall(word, cells) if one in IDS}


def _group(name: str) -> str:
    return re.split(r"\d", name)[0]


def _number(name: str) -> tuple[float, ...]:
    return tuple(float(one) for one in re.findall(r"\d+", name)) or (0.0,)


def test_it_names_every_study_of_a_source():
    wanted = {study.id for source in SOURCES for study in GROUPS[source]} - ELSEWHERE
    assert wanted - named() == set()


def test_its_studies_scenarios_and_commands_exist():
    words = set(
        re.findall(r"\b(?:S2V-\d+|[RXNGSQC]\d+|modular-[\w.-]*\w|gavia-[\w.-]*\w|nav-\w+|flatfish-real)\b", PAGE)
    )
    unknown = {word for word in words if word not in IDS} - {"modular-17.6", "gavia-5.6"}
    assert unknown == set()
    assert isinstance(main, click.Group)
    known = main.list_commands(click.Context(main))
    for command, argument in re.findall(r"`remora (\w+)(?: ([a-z_0-9]+))?", PAGE):
        assert command in known, command
        assert command != "run" or argument in scenario_names(), argument
