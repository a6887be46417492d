"""Runs studies side by side, each in a process of the pool."""

import time
from collections.abc import Callable, Sequence

from remora.evidence.figure import DataAbsentError, Figure, Outcome, Study
from remora.evidence.process_pool import Job, run_jobs
from remora.evidence.studies.catalogue import find_study


def seeds_of(study: Study, seeds: int | None = None, full: bool = False) -> int:
    """How many seeds a study is run with: a number that is asked for, all, or its own."""
    return seeds or (study.all_seeds if full else study.seeds)


def run_study(study: Study, seeds: int | None = None, full: bool = False) -> Outcome:
    """Run one study here with seeds 1, 2, ...; an exception becomes its message."""
    count, begun = seeds_of(study, seeds, full), time.process_time()
    figures: tuple[Figure, ...] = ()
    error = absent = ""
    try:
        figures = tuple(
            figure._replace(differs=figure.differs or study.differs) for figure in study.run(range(1, count + 1))
        )
    except DataAbsentError as missing:
        absent = str(missing)
    except Exception as raised:
        error = f"{type(raised).__name__}: {raised}"
    spent = time.process_time() - begun
    return Outcome(study.id, study.source, study.title, figures, error, absent, count, study.all_seeds, spent)


def run_named(ids: Sequence[str], seeds: int | None, full: bool = False) -> list[Outcome]:
    """Run studies of these ids one after the other: what a process of the pool does."""
    return [run_study(find_study(name), seeds, full) for name in ids]


def jobs_of(studies: Sequence[Study], seeds: int | None, full: bool = False) -> list[Job]:
    """A job for each study, and one for all that share simulations; those with most seeds first."""
    shared: dict[str, list[Study]] = {}
    for study in studies:
        shared.setdefault(study.shares or study.id, []).append(study)
    ordered = sorted(shared.values(), key=lambda group: -max(seeds_of(study, None, full) for study in group))
    named = ([study.id for study in group] for group in ordered)
    return [Job(", ".join(ids), f"{__name__}:run_named", (ids, seeds, full)) for ids in named]


def run_studies(
    studies: Sequence[Study],
    seeds: int | None = None,
    workers: int | None = None,
    started: Callable[[str], None] = lambda ids: None,
    ended: Callable[[Outcome], None] = lambda outcome: None,
    full: bool = False,
) -> list[Outcome]:
    """Outcomes in the order of the studies; one that raises or loses its process fails alone.

    Parameters
    ----------
    studies
        Of the registry, because each process finds them there.
    seeds
        How many seeds; as many as each study wants unless given.
    workers
        Number of processes; one per core unless given.
    started, ended
        Hear the ids of the studies that begin, and each outcome as it comes.
    full
        Take all seeds of each study instead of those it takes by default.
    """
    known: dict[str, Outcome] = {}
    for done in run_jobs(jobs_of(studies, seeds, full), workers, started=started):
        outcomes = [_lost(study, done.error) for study in studies if study.id in done.key.split(", ")]
        for outcome in outcomes if done.error else done.value:
            known[outcome.id] = outcome
            ended(outcome)
    return [known[study.id] for study in studies]


def _lost(study: Study, error: str) -> Outcome:
    return Outcome(study.id, study.source, study.title, _NO_FIGURES, error)


_NO_FIGURES: tuple[Figure, ...] = ()
