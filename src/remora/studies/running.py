"""Runs studies side by side, each in a process of the pool, and says what came of them."""

from collections.abc import Callable, Sequence

from remora.studies.figures import DataAbsentError, Figure, Outcome, Study
from remora.studies.registry import find_study
from remora.studies.workers import Job, run_jobs


def run_study(study: Study, seeds: int | None = None) -> Outcome:
    """Run one study here with seeds 1, 2, ...; an exception becomes its message."""
    try:
        figures = tuple(study.run(range(1, (seeds or study.seeds) + 1)))
    except DataAbsentError as error:
        return Outcome(study.id, study.source, study.title, (), absent=str(error))
    except Exception as error:
        return Outcome(study.id, study.source, study.title, (), f"{type(error).__name__}: {error}")
    return Outcome(study.id, study.source, study.title, figures)


def run_named(ids: Sequence[str], seeds: int | None) -> list[Outcome]:
    """Run studies of these ids one after the other: what a process of the pool does."""
    return [run_study(find_study(name), seeds) for name in ids]


def jobs_of(studies: Sequence[Study], seeds: int | None) -> list[Job]:
    """A job for each study, and one for all that share simulations; those with most seeds first."""
    shared: dict[str, list[Study]] = {}
    for study in studies:
        shared.setdefault(study.shares or study.id, []).append(study)
    ordered = sorted(shared.values(), key=lambda group: -max(study.seeds for study in group))
    return [
        Job(", ".join(study.id for study in group), f"{__name__}:run_named", ([study.id for study in group], seeds))
        for group in ordered
    ]


def run_studies(
    studies: Sequence[Study],
    seeds: int | None = None,
    workers: int | None = None,
    started: Callable[[str], None] = lambda ids: None,
    ended: Callable[[Outcome], None] = lambda outcome: None,
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
    """
    known: dict[str, Outcome] = {}
    for done in run_jobs(jobs_of(studies, seeds), workers, started=started):
        outcomes = [_lost(study, done.error) for study in studies if study.id in done.key.split(", ")]
        for outcome in outcomes if done.error else done.value:
            known[outcome.id] = outcome
            ended(outcome)
    return [known[study.id] for study in studies]


def _lost(study: Study, error: str) -> Outcome:
    return Outcome(study.id, study.source, study.title, _NO_FIGURES, error)


_NO_FIGURES: tuple[Figure, ...] = ()
