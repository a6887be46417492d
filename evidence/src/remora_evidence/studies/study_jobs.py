"""Runs studies in parallel, each in a process of the pool."""

from collections.abc import Callable, Sequence

from remora_evidence.assessment import Assessment, Study
from remora_evidence.process_pool import Job, run_jobs
from remora_evidence.runner import run_study, seeds_of
from remora_evidence.studies.catalogue import find_study


def run_named(ids: Sequence[str], seeds: int | None, full: bool = False, store: bool = False) -> list[Assessment]:
    """Run studies of these ids one after the other: the work of a process of the pool."""
    return [run_study(find_study(name), seeds, full, store) for name in ids]


def jobs_of(studies: Sequence[Study], seeds: int | None, full: bool = False, store: bool = False) -> list[Job]:
    """A job for each study, and one for all that share simulations; those with most seeds first."""
    shared: dict[str, list[Study]] = {}
    for study in studies:
        shared.setdefault(study.shares or study.id, []).append(study)
    ordered = sorted(shared.values(), key=lambda group: -max(seeds_of(study, None, full) for study in group))
    named = ([study.id for study in group] for group in ordered)
    return [Job(", ".join(ids), f"{__name__}:run_named", (ids, seeds, full, store)) for ids in named]


def run_studies(
    studies: Sequence[Study],
    seeds: int | None = None,
    workers: int | None = None,
    started: Callable[[str], None] = lambda ids: None,
    ended: Callable[[Assessment], None] = lambda assessment: None,
    full: bool = False,
    store: bool = False,
) -> list[Assessment]:
    """Assessments in the order of the studies; one that raises or loses its process fails alone.

    Each process finds its study in the catalogue. There is one process per core, and each study has its own number of
    seeds, unless given; `full` uses all seeds, and `store` keeps what they give. `started` and `ended` are called with
    the ids that begin and with each assessment.
    """
    known: dict[str, Assessment] = {}
    for done in run_jobs(jobs_of(studies, seeds, full, store), workers, started=started):
        ids = done.key.split(", ")
        lost = [Assessment(s.id, s.source, s.title, (), done.error) for s in studies if s.id in ids]
        for assessment in lost if done.error else done.value:
            known[assessment.id] = assessment
            ended(assessment)
    return [known[study.id] for study in studies]
