"""Campaigns: one function over many parameters and seeds, on all cores, with a results file for each trial.

A trial is a function `trial(parameters, seed)` that returns something JSON can hold. A trial that raises, or whose
process is killed, is tried once more and then recorded as failed; the others go on. Files are written in one go, so a
campaign that was stopped resumes: finished trials are skipped, failed and missing ones run.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from remora.files.writing import write_atomically
from remora_evidence.process_pool import Done, Job, imported, run_jobs

FINISHED, FAILED = "finished", "failed"
ATTEMPTS = 2


class CampaignTrial(NamedTuple):
    """One call of the function of a campaign."""

    function: str  # import path, "package.module:function"
    parameters: Mapping[str, Any]
    seed: int

    @property
    def file_name(self) -> str:
        """The name of its results file: by seed, and by what decides the result."""
        text = json.dumps([self.function, dict(self.parameters), self.seed], sort_keys=True, allow_nan=False)
        return f"seed{self.seed}-{hashlib.sha256(text.encode()).hexdigest()[:16]}.json"


class Failure(NamedTuple):
    """A trial that failed on every attempt."""

    trial: CampaignTrial
    error: str


class Summary(NamedTuple):
    """What became of a campaign."""

    finished: int  # in this run
    skipped: int  # finished before
    failures: tuple[Failure, ...]

    def __str__(self) -> str:
        total = self.finished + self.skipped + len(self.failures)
        words = f"{total} trials: {self.finished} finished, {self.skipped} already there, {len(self.failures)} failed"
        lines = (f"  seed {t.seed}, {json.dumps(dict(t.parameters))}: {error}" for t, error in self.failures)
        return "\n".join((words, *lines))


def run_campaign(
    trial: str,
    parameter_sets: Sequence[Mapping[str, Any]],
    seeds: Iterable[int],
    folder: str | Path,
    workers: int | None = None,
    progress: Callable[[int, int, CampaignTrial, str], None] = lambda done, total, trial, error: None,
) -> Summary:
    """Run a function over all parameter sets and seeds.

    Parameters
    ----------
    trial
        Import path of the function, "package.module:function"; it is called as `function(parameters, seed)`.
    parameter_sets
        Mappings that JSON can hold; each meets every seed.
    seeds
        Whole numbers.
    folder
        Folder of the results files; created if it does not exist.
    workers
        Number of processes; one per core unless given.
    progress
        Called after each trial with the number done, the number to do, the trial and its error, if any.

    Raises
    ------
    ValueError
        When the function cannot be imported, or a parameter is nothing JSON can hold.
    """
    imported(trial)
    place, trials = Path(folder), _trials(trial, parameter_sets, seeds)
    place.mkdir(parents=True, exist_ok=True)
    open_ones = {name: one for name, one in trials.items() if not _is_finished(place / name)}
    jobs = [Job(name, f"{__name__}:run_trial", tuple(one)) for name, one in open_ones.items()]
    failures: list[Failure] = []
    for count, done in enumerate(run_jobs(jobs, workers, ATTEMPTS), start=1):
        one = open_ones[done.key]
        _write(place / done.key, _record(one, done))
        if done.error:
            failures.append(Failure(one, done.error))
        progress(count, len(jobs), one, done.error)
    return Summary(len(jobs) - len(failures), len(trials) - len(jobs), tuple(failures))


def run_trial(function: str, parameters: Mapping[str, Any], seed: int) -> Any:
    """Call the function of a trial and see that JSON can hold what it returns: what a process of the pool does."""
    value = imported(function)(dict(parameters), seed)
    json.dumps(value, allow_nan=False)
    return value


def load_results(folder: str | Path) -> list[dict[str, Any]]:
    """The records of all results files, in the order of seed and name; files that are no results are left out.

    Each has the keys function, parameters, seed, status ("finished" or "failed"), attempts, result and error.
    """
    found = (_read(path) for path in sorted(Path(folder).glob("seed*.json")))
    return sorted((record for record in found if record), key=lambda record: int(record["seed"]))


def _trials(
    function: str, parameter_sets: Sequence[Mapping[str, Any]], seeds: Iterable[int]
) -> dict[str, CampaignTrial]:
    """All trials by the names of their files; the same trial twice is one."""
    wanted = list(seeds)
    made = [CampaignTrial(function, dict(parameters), int(seed)) for parameters in parameter_sets for seed in wanted]
    try:
        return {one.file_name: one for one in made}
    except TypeError as error:
        raise ValueError(f"parameters of a trial must be what JSON can hold: {error}") from error


def _record(one: CampaignTrial, done: Done) -> dict[str, Any]:
    return {
        "function": one.function,
        "parameters": dict(one.parameters),
        "seed": one.seed,
        "status": FAILED if done.error else FINISHED,
        "attempts": done.attempts,
        "result": done.value,
        "error": done.error or None,
    }


def _write(path: Path, record: Mapping[str, Any]) -> None:
    """The whole file or none of it."""
    text = json.dumps(record, indent=2, allow_nan=False) + "\n"

    def write(file: Path) -> None:
        file.write_text(text, encoding="utf-8")

    write_atomically(path, write)


def _read(path: Path) -> dict[str, Any] | None:
    """A record, or None for a file that is missing, cut off or something else."""
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return record if isinstance(record, dict) and {"status", "seed", "parameters"} <= set(record) else None


def _is_finished(path: Path) -> bool:
    record = _read(path)
    return record is not None and record["status"] == FINISHED
