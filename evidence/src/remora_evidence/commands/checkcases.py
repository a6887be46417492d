"""Compare the plant with independent solutions, UC-01 to UC-12."""

import json
import sys
from pathlib import Path

import click

FOLDER = click.Path(file_okay=False, path_type=Path)


@click.command()
@click.argument("cases", nargs=-1, metavar="[CASE]...")
@click.option("--json", "file", type=click.Path(dir_okay=False, path_type=Path), help="Write all checks to a file.")
@click.option("--csv", "ours", type=FOLDER, help="Folder for our trajectories, in the columns of the references.")
def checkcases(cases: tuple[str, ...], file: Path | None, ours: Path | None) -> None:
    """Run the plant on problems with an independent reference, UC-01 and so on; all of them unless some are named.

    Exit code 0: all that ran are within their tolerances; 1: one is not; 2: there is no such case.
    """
    from remora_evidence.checkcases.problem_file import chosen_ids

    wanted = chosen_ids(cases)
    for folder in filter(None, (file.parent if file else None, ours)):
        folder.mkdir(parents=True, exist_ok=True)  # a wrong place is found before the run and not after it
    from remora_evidence.checkcases.case_table import case_verdict, print_cases
    from remora_evidence.checkcases.comparison import case_as_json, case_study
    from remora_evidence.console import ProgressLines
    from remora_evidence.runner import run_study

    progress, ran = ProgressLines(len(wanted)), []
    for case in wanted:
        ran.append(run_study(case_study(case, ours)))
        progress.assessed(ran[-1], case_verdict(ran[-1].holds))
    if file is not None:
        plain = {"checkcases": [case_as_json(case) for case in ran]}
        file.write_text(json.dumps(plain, indent=2, allow_nan=False) + "\n", encoding="utf-8")
    print_cases(ran)
    sys.exit(0 if all(case.holds for case in ran) else 1)
