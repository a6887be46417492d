"""Many trials in processes of their own, so that one that hangs can be ended and told."""

import multiprocessing
import tempfile
import time
from collections.abc import Iterator
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import final

from remora.fuzz.trial import Trial, trial_text, tried

LONGEST = 600.0  # s of wall time for one trial; long, because a busy machine must not look like a hang


def _work(seed: int, connection: Connection) -> None:
    """Try the scenarios whose numbers come in, until none comes any more."""
    with tempfile.TemporaryDirectory() as folder:
        while (number := connection.recv()) is not None:
            connection.send(tried(seed, number, Path(folder)))


@final
class _Worker:
    """A process with the number it works on, and since when."""

    def __init__(self, seed: int) -> None:
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        self.process: BaseProcess = context.Process(target=_work, args=(seed, theirs), daemon=True)
        self.process.start()
        theirs.close()
        self.number, self.since = -1, 0.0

    def start(self, number: int) -> None:
        self.number, self.since = number, time.monotonic()
        self.connection.send(number)

    def end(self) -> None:
        self.process.kill()
        self.process.join()
        self.connection.close()


def trials(seed: int, count: int, processes: int = 1, longest: float = LONGEST) -> Iterator[Trial]:
    """The trials of a seed as they come to their end, in any order."""
    numbers = iter(range(count))
    workers = [_Worker(seed) for _ in range(min(processes, count))]
    try:
        for worker in workers:
            worker.start(next(numbers))
        while workers:
            ready = wait([worker.connection for worker in workers], timeout=0.5)
            for worker in list(workers):
                is_late = time.monotonic() - worker.since > longest
                if worker.connection not in ready and not is_late:
                    continue
                yield _received(worker, seed, longest)
                workers.remove(worker)
                if (number := next(numbers, None)) is not None:
                    workers.append(worker if worker.process.is_alive() else _Worker(seed))
                    workers[-1].start(number)
                else:
                    worker.end()
    finally:
        for worker in workers:
            worker.end()


def _received(worker: _Worker, seed: int, longest: float) -> Trial:
    """The trial that a process has come to the end of; one that hangs or dies is ended and misbehaved."""
    words = f"no end after {longest:g} s"
    if worker.connection.poll():
        try:
            trial: Trial = worker.connection.recv()
            return trial
        except EOFError:
            words = "its process died"
    worker.end()
    return Trial(worker.number, "misbehaved", words, trial_text(seed, worker.number))
