"""Applies each mutation of mutants.yaml to a copy of the sources, runs its tests, and reports the share caught.

A mutation is caught when pytest fails with it. The copy is always in the same folder, so that kernels are compiled once
for all mutations that leave them alone. Sources of `equations` and `kernels` are compiled again for each mutation;
`--quick` leaves those out.
"""

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from ruamel.yaml import YAML

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "build" / "mutants"
LIST = Path(__file__).with_name("mutants.yaml")
COMPILED = ("src/remora/equations/", "src/remora/kernels/")
TESTS_FAILED = 1  # exit code of pytest; others mean that no test ran


class Mutant(NamedTuple):
    """One change of the sources."""

    id: str
    file: str
    old: str
    new: str
    breaks: str
    tests: list[str]

    @property
    def is_compiled(self) -> bool:
        """Whether compiled code reads the changed file."""
        return self.file.startswith(COMPILED)


def read_mutants(chosen: list[str]) -> list[Mutant]:
    """All mutations, or those of these ids; each must fit its file."""
    mutants = [Mutant(**entry) for entry in YAML(typ="safe").load(LIST.read_text(encoding="utf-8"))]
    for mutant in mutants:
        count = (ROOT / mutant.file).read_text(encoding="utf-8").count(mutant.old)
        if count != 1:
            raise ValueError(f"{mutant.id}: the old text stands {count} times in {mutant.file}, not once")
    unknown = set(chosen) - {mutant.id for mutant in mutants}
    if unknown:
        raise ValueError(f"there is no mutation {', '.join(sorted(unknown))}")
    return [mutant for mutant in mutants if not chosen or mutant.id in chosen]


def outcome(mutant: Mutant) -> str:
    """Caught, survived, or why neither can be said."""
    source = FOLDER / "src"
    shutil.rmtree(source, ignore_errors=True)
    shutil.copytree(ROOT / "src", source, ignore=shutil.ignore_patterns("__pycache__"))
    changed = FOLDER / mutant.file
    changed.write_text(changed.read_text(encoding="utf-8").replace(mutant.old, mutant.new), encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(source), "REMORA_NO_WARM_UP": "1"}
    environment["REMORA_CACHE_DIR"] = str(FOLDER / "kernels")
    command = [sys.executable, "-m", "pytest", "-n", "0", "-x", "-q", "-p", "no:cacheprovider", *mutant.tests]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    if done.returncode not in (0, TESTS_FAILED):
        return f"no tests ran (exit code {done.returncode}): {done.stdout[-300:]}"
    return "caught" if done.returncode == TESTS_FAILED else "survived"


def main() -> int:
    """Run the mutations; exit code 1 if fewer than nine in ten are caught."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ids", nargs="*", help="mutations to try; all unless given")
    parser.add_argument("--quick", action="store_true", help="leave out those of compiled code")
    options = parser.parse_args()
    mutants = [one for one in read_mutants(options.ids) if not (options.quick and one.is_compiled)]
    caught = 0
    for mutant in mutants:
        result = outcome(mutant)
        caught += result == "caught"
        sys.stdout.write(f"{result:10} {mutant.id}: {mutant.breaks}\n")
        sys.stdout.flush()
    share = caught / max(len(mutants), 1)
    sys.stdout.write(f"{caught} of {len(mutants)} caught ({100 * share:.0f} %)\n")
    return 0 if share >= 0.9 else 1


if __name__ == "__main__":
    sys.exit(main())
