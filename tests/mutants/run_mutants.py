"""Applies each mutation of mutants.yaml to a copy of the sources, runs its tests, and reports the share caught.

A mutation is caught when its tests fail with it and pass without it; the latter is tested first, once for each test.
The copy is always in the same folder, so that kernels are compiled once for all mutations that leave them alone.
Sources of `equations` and `kernels` are compiled again for each mutation, as far as its tests need them; `--quick`
leaves those out. A mutation of `viewer` bundles the mission page again, which needs Node.js and `make page` before.
The exit code is 1 if fewer than nine in ten are caught, explained survivors included.
"""

import argparse
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from ruamel.yaml import YAML

ROOT = Path(__file__).parents[2]
SOURCES = ("src", "evidence/src")
FOLDER = ROOT / "build" / "mutants"
LIST = Path(__file__).with_name("mutants.yaml")
VIEWER, PAGE = "viewer", Path("src/remora/report/mission_page/assets")  # sources of the page, and its bundle
COMPILED = {"equations", "plant"}
PASSED, FAILED, NOT_COLLECTED = 0, 1, 2  # exit codes of pytest; with any other one no test was run
LEAST_SHARE = 0.9


class Mutant(NamedTuple):
    """One change of the sources."""

    id: str
    file: str
    old: str
    new: str
    breaks: str
    tests: list[str]
    explained: str = ""  # why no test catches it

    @property
    def package(self) -> str:
        """The folder of the changed file within the package, or the viewer of the mission page."""
        parts = PurePosixPath(self.file).parts
        return VIEWER if parts[0] == VIEWER else "/".join(parts[parts.index("src") + 2 : -1]) or "evidence"

    @property
    def is_compiled(self) -> bool:
        """Whether compiled code reads the changed file."""
        return not COMPILED.isdisjoint(PurePosixPath(self.file).parts)


class Result(NamedTuple):
    """A mutation and what came of it."""

    mutant: Mutant
    outcome: str  # caught, survived, or "unknown" with the reason

    @property
    def is_caught(self) -> bool:
        """Whether the tests failed because of it."""
        return self.outcome == "caught"


def all_mutants() -> list[Mutant]:
    """The kept list."""
    return [Mutant(**entry) for entry in YAML(typ="safe").load(LIST.read_text(encoding="utf-8"))]


def fault_of(mutant: Mutant) -> str:
    """Why a mutation cannot be applied; empty if it can."""
    file = ROOT / mutant.file
    if not file.is_file():
        return f"{mutant.id}: there is no file {mutant.file}; write where the code is now"
    count = file.read_text(encoding="utf-8").count(mutant.old)
    if count != 1:
        return f"{mutant.id}: the old text occurs {count} times in {mutant.file}, not once; adapt it to the source"
    missing = [test for test in mutant.tests if not (ROOT / test.partition("::")[0]).is_file()]
    return f"{mutant.id}: there is no file {missing[0]}; name the tests that should catch it" if missing else ""


def chosen_mutants(mutants: Sequence[Mutant], ids: Sequence[str], quick: bool) -> list[Mutant]:
    """Those of these ids or packages, all unless given; ValueError for one that does not fit the sources."""
    words = {word for mutant in mutants for word in (mutant.id, mutant.package)}
    if unknown := set(ids) - words:
        raise ValueError(f"there is no mutation and no package {', '.join(sorted(unknown))}")
    chosen = [one for one in mutants if not ids or one.id in ids or one.package in ids]
    chosen = [one for one in chosen if not (quick and one.is_compiled)]
    if faults := [fault for mutant in chosen if (fault := fault_of(mutant))]:
        raise ValueError("\n".join(faults))
    return chosen


def copy_sources() -> None:
    """A fresh copy of the sources as they are; modification times are kept, which the cache of kernels goes by."""
    for folder in SOURCES:
        shutil.rmtree(FOLDER / folder, ignore_errors=True)
        shutil.copytree(ROOT / folder, FOLDER / folder, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.rmtree(FOLDER / VIEWER, ignore_errors=True)
    shutil.copytree(ROOT / VIEWER, FOLDER / VIEWER)


@contextmanager
def applied(mutant: Mutant) -> Iterator[None]:
    """The copy with the mutation in it."""
    changed = FOLDER / mutant.file
    try:
        text = changed.read_text(encoding="utf-8")
        changed.write_text(text.replace(mutant.old, mutant.new), encoding="utf-8")
        if mutant.package == VIEWER:
            subprocess.run(["node", "build.mjs"], cwd=FOLDER / VIEWER, check=True, capture_output=True)
        yield
    finally:
        shutil.copy2(ROOT / mutant.file, changed)
        if mutant.package == VIEWER:
            shutil.copytree(ROOT / PAGE, FOLDER / PAGE, dirs_exist_ok=True)


def tested(tests: Sequence[str]) -> tuple[int, str]:
    """Exit code and last words of pytest with the copy."""
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(str(FOLDER / one) for one in SOURCES),
        "REMORA_NO_WARM_UP": "1",
    }
    environment["REMORA_CACHE_DIR"] = str(FOLDER / "kernels")
    command = [sys.executable, "-m", "pytest", "-n", "0", "-x", "-q", "-p", "no:cacheprovider", *tests]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    return done.returncode, (done.stdout + done.stderr)[-600:]


def result_of(mutant: Mutant, passed: set[str]) -> Result:
    """What comes of a mutation; `passed` collects the tests that pass without it."""
    left = [test for test in mutant.tests if test not in passed]
    code, words = tested(left) if left else (PASSED, "")
    if code != PASSED:
        return Result(mutant, f"unknown: its tests do not pass without it (exit code {code}): {words}")
    passed.update(left)
    with applied(mutant):
        code, words = tested(mutant.tests)
    if code in (FAILED, NOT_COLLECTED):
        return Result(mutant, "caught")
    return Result(mutant, "survived" if code == PASSED else f"unknown: pytest ended with exit code {code}: {words}")


def report(results: Sequence[Result]) -> list[str]:
    """A table of the shares by package, then the mutations that no test caught."""
    lines = [f"{'package':<24}{'caught':>8}{'of':>6}{'share':>9}"]
    packages = sorted({result.mutant.package for result in results})
    for name in (*packages, "all"):
        own = [result.is_caught for result in results if name in (result.mutant.package, "all")]
        lines.append(f"{name:<24}{sum(own):>8}{len(own):>6}{100.0 * share_caught(own):>7.0f} %")
    for mutant, outcome in (result for result in results if not result.is_caught):
        lines.append(f"{outcome}: {mutant.id} ({mutant.file}): {mutant.breaks}")
        lines.append(f"    {mutant.explained or 'not explained: add a test that catches it, or say why not'}")
    return lines


def share_caught(caught: Sequence[bool]) -> float:
    """The share of mutations that tests caught; none at all count as all."""
    return sum(caught) / len(caught) if caught else 1.0


def main() -> int:
    """Run the mutations; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ids", nargs="*", help="mutations, or packages such as run/faults; all by default")
    parser.add_argument("--quick", action="store_true", help="leave out those of compiled code")
    options = parser.parse_args()
    try:
        mutants = chosen_mutants(all_mutants(), options.ids, options.quick)
    except ValueError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    copy_sources()
    results, passed = list[Result](), set[str]()
    for number, mutant in enumerate(mutants, start=1):
        begun = time.monotonic()
        results.append(result_of(mutant, passed))
        words = f"{results[-1].outcome:10} {mutant.id}: {mutant.breaks}"
        sys.stdout.write(f"[{number}/{len(mutants)}, {time.monotonic() - begun:.0f} s] {words}\n")
        sys.stdout.flush()
    sys.stdout.write("\n".join(["", *report(results), ""]))
    return 0 if share_caught([result.is_caught for result in results]) >= LEAST_SHARE else 1


if __name__ == "__main__":
    sys.exit(main())
