"""Reproduce published experiments and compare figures."""

import json
import os
import sys
from pathlib import Path

import click
from click.core import ParameterSource


@click.command()
@click.argument("studies", nargs=-1, metavar="[STUDY OR GROUP]...")
@click.option("--seeds", type=click.IntRange(min=1), help="How many seeds; as many as each study wants unless given.")
@click.option("--full", is_flag=True, help="All seeds of each study, at least 30, which takes longer.")
@click.option("--store", is_flag=True, help="Keep scores and verdict of these seeds, which later runs are judged by.")
@click.option("--json", "file", type=click.Path(dir_okay=False, path_type=Path), help="Write all figures to a file.")
@click.option("--pictures", type=click.Path(file_okay=False, path_type=Path), help="Folder for pictures of studies.")
@click.option("--data", type=click.Path(exists=True, file_okay=False, path_type=Path), help="Folder of recorded data.")
@click.option("--workers", type=click.IntRange(min=1), help="How many processes; one per core unless given.")
def reproduce(
    studies: tuple[str, ...],
    seeds: int | None,
    full: bool,
    store: bool,
    file: Path | None,
    pictures: Path | None,
    data: Path | None,
    workers: int | None,
) -> None:
    """Run experiments of the literature again and compare figures; without arguments, list them.

    "all" stands for every study. A study holds, holds in part, fails, or is undecided; one whose recorded data are
    absent is named and does not count. A study with chance in it holds where at least 95 % of its sets of seeds do.
    Exit code 0: all that was demanded holds; 1: a study fails, holds in part, is undecided or could not be run.
    """
    from remora_evidence.assessment import assessments_as_json
    from remora_evidence.console import ProgressLines
    from remora_evidence.kernel_parts import compile_parts
    from remora_evidence.studies.catalogue import GROUPS, OTHER_IDS, all_studies, chosen
    from remora_evidence.studies.recorded_data import VARIABLE
    from remora_evidence.studies.study_jobs import run_studies
    from remora_evidence.studies.study_table import print_assessments, print_list

    if full and seeds:
        raise click.UsageError("--full and --seeds exclude each other: --full takes all seeds of each study.")
    if store and not (full or seeds):
        raise click.UsageError(
            "--store keeps a run with all seeds: write it with --full, or with --seeds N for a part."
        )
    if not studies:
        _refuse_options_without_studies()
        print_list(GROUPS, OTHER_IDS)
        return
    wanted = all_studies() if "all" in studies else chosen(studies)
    for folder in filter(None, (file.parent if file else None, pictures)):
        folder.mkdir(parents=True, exist_ok=True)  # a wrong place is found before the run and not after it
    if data is not None:
        os.environ[VARIABLE] = str(data.resolve())  # also for the processes in which studies run
    compile_parts(part for study in wanted for part in study.kernels)
    progress = ProgressLines(len(wanted))
    assessments = run_studies(wanted, seeds, workers, progress.started, progress.assessed, full, store)
    if file is not None:
        text = json.dumps(assessments_as_json(assessments), indent=2, allow_nan=False)
        file.write_text(f"{text}\n", encoding="utf-8")
    print_assessments(assessments)
    if pictures is not None:
        from remora_evidence.pictures.pictures import write_study_pictures

        for picture in write_study_pictures(pictures, [study.id for study in wanted]):
            click.echo(f"picture: {picture}")
    sys.exit(1 if any(one.misses for one in assessments) else 0)


def _refuse_options_without_studies() -> None:
    """A list of studies has no use for options, and somebody who gives some meant to run studies."""
    context = click.get_current_context()
    given = [name for name in context.params if context.get_parameter_source(name) == ParameterSource.COMMANDLINE]
    names = [option.opts[0] for option in context.command.params if option.name in given and option.name != "studies"]
    if names:
        raise click.UsageError(
            f"{names[0]} without a study: name studies or groups, or write all, as in "
            f"`remora reproduce all {names[0]} ...`."
        )
