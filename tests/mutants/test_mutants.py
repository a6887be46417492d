"""The kept list of mutations: each fits the sources, and there are enough of them over all packages."""

import importlib.util
import sys
from pathlib import Path
from typing import Any

import pytest


def loaded(name: str) -> Any:
    """The runner, which is a script beside this file and no package."""
    spec = importlib.util.spec_from_file_location(name, Path(__file__).with_name(f"{name}.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


runner = loaded("run_mutants")
MUTANTS = runner.all_mutants()


def test_every_mutation_fits_its_file_exactly_once() -> None:
    """A source that was changed or moved takes its mutations along."""
    assert [fault for mutant in MUTANTS if (fault := runner.fault_of(mutant))] == []


def test_every_mutation_changes_something_and_has_a_name_of_its_own() -> None:
    """Neither an empty change nor two mutations of one id."""
    ids = [mutant.id for mutant in MUTANTS]
    assert len(set(ids)) == len(ids)
    assert all(mutant.old != mutant.new and mutant.tests for mutant in MUTANTS)


def test_the_list_reaches_every_package() -> None:
    """At least a hundred mutations, and one in every package that holds code."""
    source = runner.ROOT / "src" / "remora"
    packages = {path.name for path in source.iterdir() if path.is_dir() and any(path.glob("[a-z]*.py"))}
    assert len(MUTANTS) >= 100
    assert packages - {mutant.package.partition("/")[0] for mutant in MUTANTS} == set()


def test_a_mutation_that_no_longer_fits_is_named() -> None:
    """The message says which one, and how often its text was found."""
    lost = MUTANTS[0]._replace(old="no such text in any file")
    assert f"{lost.id}: the old text occurs 0 times" in runner.fault_of(lost)
    assert "there is no file src/gone.py" in runner.fault_of(lost._replace(file="src/gone.py"))


def test_tests_that_fail_without_the_mutation_do_not_count_as_catching_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """A broken test catches nothing."""
    monkeypatch.setattr(runner, "tested", lambda tests: (1, "1 failed"))
    result = runner.result_of(MUTANTS[0], set())
    assert not result.is_caught
    assert result.outcome.startswith("unknown")


def test_the_report_counts_explained_survivors_as_not_caught() -> None:
    """An explanation stands in the report and does not raise the share."""
    known = MUTANTS[0]._replace(explained="both give the same numbers")
    lines = runner.report([runner.Result(MUTANTS[1], "caught"), runner.Result(known, "survived")])
    assert lines[-3].split() == ["all", "1", "2", "50", "%"]
    assert "both give the same numbers" in lines[-1]
