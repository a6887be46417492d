"""`remora reproduce`."""

import json
import os
import sys
from pathlib import Path

import click


@click.command()
@click.argument("studies", nargs=-1, metavar="[STUDY OR GROUP]...")
@click.option("--seeds", type=click.IntRange(min=1), help="How many seeds; as many as each study wants unless given.")
@click.option("--json", "file", type=click.Path(dir_okay=False, path_type=Path), help="Write all figures to a file.")
@click.option("--pictures", type=click.Path(file_okay=False, path_type=Path), help="Folder for pictures of studies.")
@click.option("--data", type=click.Path(exists=True, file_okay=False, path_type=Path), help="Folder of recorded data.")
@click.option("--workers", type=click.IntRange(min=1), help="How many processes; one per core unless given.")
def reproduce(
    studies: tuple[str, ...],
    seeds: int | None,
    file: Path | None,
    pictures: Path | None,
    data: Path | None,
    workers: int | None,
) -> None:
    """Run experiments of the literature again and compare figures; without arguments, list them.

    "all" stands for every study. A study whose recorded data are absent is named and does not count. Exit code 0: all
    that was demanded holds; 1: a study fails or could not be run.
    """
    from remora.studies.display import Progress, print_list, print_table
    from remora.studies.figures import outcomes_as_json
    from remora.studies.recorded_data import VARIABLE
    from remora.studies.registry import GROUPS, all_studies, chosen
    from remora.studies.running import run_studies

    if not studies:
        print_list(GROUPS)
        return
    wanted = all_studies() if "all" in studies else chosen(studies)
    for folder in filter(None, (file.parent if file else None, pictures)):
        folder.mkdir(parents=True, exist_ok=True)  # a wrong place is found before the run and not after it
    if data is not None:
        os.environ[VARIABLE] = str(data.resolve())  # also for the processes in which studies run
    from remora.kernels import warm_up

    warm_up()
    progress = Progress(len(wanted))
    outcomes = run_studies(wanted, seeds, workers, progress.started, progress.outcome)
    if file is not None:
        file.write_text(json.dumps(outcomes_as_json(outcomes), indent=2, allow_nan=False) + "\n", encoding="utf-8")
    print_table(outcomes)
    if pictures is not None:
        from remora.report.study_pictures import write_study_pictures

        for picture in write_study_pictures(pictures, [study.id for study in wanted]):
            click.echo(f"picture: {picture}")
    sys.exit(1 if any(outcome.fails for outcome in outcomes) else 0)
