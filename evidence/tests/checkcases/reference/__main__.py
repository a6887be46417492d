"""`make references`: solves the references again and writes them beside their problem files."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from reference.problem import CASES, case_ids, load_problem
from reference.solutions import solved
from reference.tolerances import derived_tolerances
from reference.trajectory import UNITS, write_csv


def regenerate(case: str, folder: Path) -> dict[str, float]:
    """Write the reference trajectories of a case into a folder; its tolerances from the order of the method."""
    problem = load_problem(case)
    trajectories = solved(problem)
    write_csv(folder / f"{case}.csv", problem, trajectories)
    return derived_tolerances(problem, trajectories)


def main(arguments: Sequence[str] | None = None) -> None:
    """Solve some cases, or all of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cases", nargs="*", choices=[*case_ids(), []], metavar="CASE", help="all unless given")
    parser.add_argument("--out", type=Path, default=CASES, help="folder for the trajectories")
    options = parser.parse_args(arguments)
    options.out.mkdir(parents=True, exist_ok=True)
    for case in options.cases or case_ids():
        tolerances = regenerate(case, options.out)
        words = ", ".join(f"{name} {value:.0e} {UNITS[name]}" for name, value in tolerances.items())
        sys.stdout.write(f"{case}, tolerances {words}\n")


if __name__ == "__main__":
    main()
