"""`remora checkcases`."""

import json
import sys
from pathlib import Path

import click

FOLDER = click.Path(file_okay=False, path_type=Path)


@click.command()
@click.argument("cases", nargs=-1, metavar="[CASE]...")
@click.option("--json", "file", type=click.Path(dir_okay=False, path_type=Path), help="Write all checks to a file.")
@click.option("--csv", "ours", type=FOLDER, help="Folder for our trajectories, in the columns of the references.")
@click.option("--regenerate", "references", type=FOLDER, help="Only solve the references again, into this folder.")
def checkcases(cases: tuple[str, ...], file: Path | None, ours: Path | None, references: Path | None) -> None:
    """Run the plant on problems with an independent reference, UC-01 and so on; all of them unless some are named.

    Exit code 0: all that ran are within their tolerances; 1: one is not; 2: there is no such case.
    """
    from remora.evidence.checkcases.problem import chosen_ids, load_problem

    wanted = chosen_ids(cases)
    if references is not None and (file or ours):
        raise click.UsageError("--regenerate does not run the plant: leave --json and --csv away.")
    for folder in filter(None, (file.parent if file else None, ours, references)):
        folder.mkdir(parents=True, exist_ok=True)  # a wrong place is found before the run and not after it
    if references is not None:
        _regenerate(wanted, references)
        return
    from remora.evidence.checkcases.case_table import Progress, print_table
    from remora.evidence.checkcases.comparison import run_case
    from remora.evidence.checkcases.trajectory import write_csv

    progress, outcomes = Progress(len(wanted)), []
    for case in wanted:
        outcomes.append(outcome := run_case(case))
        progress.outcome(outcome)
        if ours is not None and outcome.trajectories:
            write_csv(ours / f"{case}.csv", load_problem(case), outcome.trajectories)
    if file is not None:
        plain = {"checkcases": [outcome.as_json() for outcome in outcomes]}
        file.write_text(json.dumps(plain, indent=2, allow_nan=False) + "\n", encoding="utf-8")
    print_table(outcomes)
    sys.exit(1 if any(outcome.fails for outcome in outcomes) else 0)


def _regenerate(wanted: tuple[str, ...], folder: Path) -> None:
    """Solve the references of some cases again."""
    from remora.evidence.checkcases.case_table import Progress
    from remora.evidence.checkcases.regeneration import regenerate

    progress = Progress(len(wanted))
    for case in wanted:
        progress.solved(case, regenerate(case, folder))
    click.echo(f"references: {folder}")
