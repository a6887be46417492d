"""A pool of processes in which a job that raises, hangs or kills its process fails alone.

The pools of the standard library break as a whole when one of their processes is killed, and do not say which job was
at fault. Here every process has its own pipe, so that its end is attributed to the job it was running.
"""

import math
import multiprocessing
import os
import signal
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, NamedTuple, final

SECONDS_TO_END = 5.0
SECONDS_TO_LOOK = 0.5  # between looks at jobs that may take too long
BLAS_THREADS = "OPENBLAS_NUM_THREADS"


class Job(NamedTuple):
    """A function by its import path, "package.module:function", and what it is called with."""

    key: str
    function: str
    arguments: tuple[Any, ...] = ()


class Done(NamedTuple):
    """The result of a job, or its error."""

    key: str
    value: Any
    error: str  # empty for a job that ended well
    attempts: int


class _Task(NamedTuple):
    job: Job
    attempts: int  # made before


def imported(path: str) -> Callable[..., Any]:
    """The function of an import path; a ValueError when there is none."""
    module, _, name = path.partition(":")
    try:
        function = getattr(import_module(module), name) if name else None
    except (ImportError, AttributeError, ValueError) as error:
        raise ValueError(f"{path!r} cannot be imported: {error}") from error
    if not callable(function):
        raise ValueError(f'{path!r} is no function: write it as "package.module:function".')
    return function


def _serve(pipe: Connection) -> None:
    """Main function of a process: one job after the other, until the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the business of the process that started this one
    with suppress(EOFError, OSError):
        while True:
            path, arguments = pipe.recv()
            try:
                answer = (imported(path)(*arguments), "")
            except Exception as error:
                answer = (None, f"{type(error).__name__}: {error}")
            _answer(pipe, answer)


def _answer(pipe: Connection, answer: tuple[Any, str]) -> None:
    """Hand back a result; one that cannot be pickled is an error of its job."""
    try:
        pipe.send(answer)
    except OSError:
        raise
    except Exception as error:
        pipe.send((None, f"the result cannot be sent back: {type(error).__name__}: {error}"))


@contextmanager
def _single_threaded() -> Iterator[None]:
    """Processes that start meanwhile use one thread of BLAS each: more, which wait actively, take time from others."""
    before = os.environ.get(BLAS_THREADS)
    os.environ[BLAS_THREADS] = before or "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[BLAS_THREADS]


@final
class _Worker:
    """One process and its pipe."""

    def __init__(self) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, other = context.Pipe()
        self.process: BaseProcess = context.Process(target=_serve, args=(other,), daemon=True)
        with _single_threaded():
            self.process.start()
        other.close()  # so that the end of the process is the end of the pipe
        self.task: _Task | None = None
        self.since = 0.0  # s, when the task began

    def give(self, task: _Task) -> None:
        """Start a task; a process that is gone by now is found out when its answer is taken."""
        self.task, self.since = task, time.monotonic()
        with suppress(OSError):
            self.pipe.send((task.job.function, task.job.arguments))

    def is_late(self, longest: float) -> bool:
        """Whether the task has had its time and no answer has come."""
        return time.monotonic() - self.since > longest and not self.pipe.poll()

    def take(self, longest: float) -> tuple[_Task, Any, str, bool]:
        """The task, its value or error, and whether the process can take another one."""
        assert self.task is not None
        task, self.task = self.task, None
        if self.is_late(longest):
            return task, None, f"no end after {longest:g} s", False
        try:
            value, error = self.pipe.recv()
        except (EOFError, OSError):
            self.process.join(SECONDS_TO_END)
            return task, None, f"its process ended ({_ending(self.process.exitcode)})", False
        return task, value, error, True

    def end(self) -> None:
        """Stop the process, whatever it is doing."""
        self.pipe.close()
        if self.process.is_alive():
            self.process.terminate()
        self.process.join(SECONDS_TO_END)


def _ending(code: int | None) -> str:
    """Signal or exit code of a process that ended."""
    if code is not None and code < 0:
        return f"killed by {signal.Signals(-code).name}"
    return f"exit code {code}"


def cores() -> int:
    """Number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def run_jobs(
    jobs: Iterable[Job],
    workers: int | None = None,
    attempts: int = 1,
    started: Callable[[str], None] = lambda key: None,
    longest: float = math.inf,
) -> Iterator[Done]:
    """Run jobs in parallel and yield each as it ends; no process outlives this.

    Jobs have different keys; `started` is called with the key whenever one starts. There is one worker per core unless
    given. A job that fails is tried again up to this many attempts; one that takes longer than `longest`, s, is ended.
    """
    waiting = deque(_Task(job, 0) for job in jobs)
    pool = [_Worker() for _ in range(min(workers or cores(), len(waiting)))]
    try:
        while waiting or any(worker.task for worker in pool):
            _hand_out(pool, waiting, started)
            busy = [worker for worker in pool if worker.task]
            answered = wait([worker.pipe for worker in busy], None if math.isinf(longest) else SECONDS_TO_LOOK)
            for worker in [one for one in busy if one.pipe in answered or one.is_late(longest)]:
                task, value, error, is_alive = worker.take(longest)
                if not is_alive:
                    worker.end()
                    pool[pool.index(worker)] = _Worker()
                made = task.attempts + 1
                if error and made < attempts:
                    waiting.append(_Task(task.job, made))
                else:
                    yield Done(task.job.key, value, error, made)
    finally:
        for worker in pool:
            worker.end()


def _hand_out(pool: list[_Worker], waiting: deque[_Task], started: Callable[[str], None]) -> None:
    """Give a task to every process that has none."""
    for worker in pool:
        if worker.task is None and waiting:
            task = waiting.popleft()
            started(task.job.key)
            worker.give(task)
