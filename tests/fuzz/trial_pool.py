"""Trials in a pool of processes; one that hangs or loses its process is ended and misbehaved."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

from fuzz.trial import Trial, trial_text, tried
from remora.evidence.process_pool import Job, run_jobs

LONGEST = 600.0  # s of wall time for one trial; long, because a busy machine must not look like a hang


def trial_of(seed: int, number: int) -> Trial:
    """One trial in a folder of its own: the work of a process of the pool."""
    with tempfile.TemporaryDirectory() as folder:
        return tried(seed, number, Path(folder))


def trials(seed: int, count: int, processes: int = 1, longest: float = LONGEST) -> Iterator[Trial]:
    """The trials of a seed as they end, in any order."""
    jobs = [Job(str(number), f"{__name__}:trial_of", (seed, number)) for number in range(count)]
    for done in run_jobs(jobs, processes, longest=longest):
        number = int(done.key)
        yield Trial(number, "misbehaved", done.error, trial_text(seed, number)) if done.error else done.value
