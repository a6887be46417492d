"""Trials in a pool of processes; one that hangs, takes too much memory or loses its process is ended and misbehaved."""

import resource
import tempfile
from collections.abc import Iterator
from pathlib import Path

from fuzz import subjects
from fuzz.trial import Trial
from remora_evidence.process_pool import Job, run_jobs

LONGEST = 600.0  # s of wall time for one trial; long, because a busy machine must not look like a hang
MEMORY = 6 << 30  # bytes of address space of a process


def trial_of(subject: str, seed: int, number: int) -> Trial:
    """One trial in a folder of its own: the work of a process of the pool."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))
    with tempfile.TemporaryDirectory() as folder:
        return subjects.tried(subject, seed, number, Path(folder))


def trials(
    seed: int, count: int, processes: int = 1, longest: float = LONGEST, subject: str = "scenarios"
) -> Iterator[Trial]:
    """The trials of a seed as they end, in any order."""
    jobs = [Job(str(number), f"{__name__}:trial_of", (subject, seed, number)) for number in range(count)]
    for done in run_jobs(jobs, processes, longest=longest):
        number = int(done.key)
        if done.error:
            yield Trial(number, "misbehaved", done.error, subjects.content_of(subject, seed, number))
        else:
            yield done.value
