"""Checkpoints: a run stored between two steps, and taken up again later as if it had never stopped.

A checkpoint belongs to one scenario: its hashes, seed and version are compared before it is used. It holds plain data:
numbers, arrays, and the tuples and words of this package and of the parts of the run. Nothing else is ever loaded.
"""

import io
import os
import pickle
from collections.abc import Iterable
from enum import Enum
from pathlib import Path
from typing import Any, NamedTuple

from remora.files.writing import write_atomically
from remora.logs.resuming import resume_log
from remora.logs.schema import RunHeader
from remora.logs.writer import LogMark
from remora.simulation.journal import Journal, run_channels, run_header
from remora.simulation.loop.loop import Loop, Snapshot
from remora.simulation.setup import Setup

_MAGIC = b"remora checkpoint 1\n"
_SAFE_BUILTINS = {"set", "frozenset", "complex", "bytearray", "slice", "range"}
_NUMPY = ("numpy", "numpy.core.multiarray", "numpy._core.multiarray", "numpy.core.numeric", "numpy._core.numeric")
_NUMPY_NAMES = {"ndarray", "dtype", "_reconstruct", "scalar", "_frombuffer"}


class CheckpointError(ValueError):
    """A checkpoint cannot be read, or belongs to another run."""


class Checkpoint(NamedTuple):
    """A run between two steps, and how far its log had come."""

    header: RunHeader
    snapshot: Snapshot
    mark: LogMark | None  # None for a run without a log


def save_checkpoint(path: str | Path, loop: Loop) -> None:
    """Write where a loop stands; the file is whole or not there, even if the process dies meanwhile."""
    mark = None if loop.journal is None else loop.journal.mark()
    stream = io.BytesIO()
    _Pickler(stream, protocol=5).dump(Checkpoint(run_header(loop.setup), loop.snapshot(), mark))
    write_atomically(Path(path), lambda file: _write(file, _MAGIC + stream.getvalue()))


def _write(file: Path, content: bytes) -> None:
    with file.open("wb") as stream:
        stream.write(content)
        stream.flush()
        os.fsync(stream.fileno())


def load_checkpoint(path: str | Path, setup: Setup) -> Checkpoint:
    """The checkpoint of a run with this setup.

    Raises
    ------
    CheckpointError
        When there is none, when it is damaged, or when it belongs to another scenario, seed or version.
    """
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise CheckpointError(f"{path}: cannot be read: {error.strerror}") from None
    if not content.startswith(_MAGIC):
        raise CheckpointError(f"{path}: is not a checkpoint of this version of Remora")
    try:
        checkpoint = _Unpickler(io.BytesIO(content[len(_MAGIC) :]), _modules_of_parts(setup)).load()
    except Exception as error:  # damaged pickles raise nearly everything
        raise CheckpointError(f"{path}: is damaged: {type(error).__name__}: {error}") from None
    if not isinstance(checkpoint, Checkpoint):
        raise CheckpointError(f"{path}: is damaged: it holds no checkpoint")
    if checkpoint.header != run_header(setup):
        raise CheckpointError(f"{path}: belongs to another run: scenario, vehicle files, seed or version differ")
    return checkpoint


def resumed_loop(setup: Setup, checkpoint: Checkpoint, old_log: str | Path | None, log: str | Path | None) -> Loop:
    """A loop that goes on from a checkpoint; the new log begins with what the old one had until then."""
    journal = None
    if log is not None:
        if old_log is None or checkpoint.mark is None:
            raise CheckpointError("the run had no log, so that none can go on from it")
        header, channels = run_header(setup), run_channels(setup)
        journal = Journal(resume_log(old_log, log, checkpoint.mark, header, channels))
    loop = Loop(setup, journal)
    loop.restore(checkpoint.snapshot)
    return loop


def _modules_of_parts(setup: Setup) -> set[str]:
    parts: Iterable[Any] = (part.part for vehicle in setup.vehicles for part in vehicle.parts)
    drives: Iterable[Any] = (vehicle.drive for vehicle in setup.vehicles if vehicle.drive is not None)
    return {type(thing).__module__ for thing in (*parts, *drives)}


class _Pickler(pickle.Pickler):
    """Writes words as what makes them: some releases of Python look them up by a function that must not be loaded."""

    def reducer_override(self, thing: Any) -> Any:
        """How a thing is written; the usual way for all but words."""
        return (type(thing), (thing.value,)) if isinstance(thing, Enum) else NotImplemented


class _Unpickler(pickle.Unpickler):
    """Loads data of known classes only: a stored file must not be able to call anything else."""

    def __init__(self, stream: io.BytesIO, modules: set[str]) -> None:
        super().__init__(stream)
        self._modules = modules

    def find_class(self, module: str, name: str) -> Any:
        """A class that may stand in a checkpoint."""
        known = module.split(".")[0] == "remora" or module in self._modules
        if known and "." not in name:
            found = super().find_class(module, name)
            # Tuples and words: making one of them does nothing. Anything else could open files, for one.
            if isinstance(found, type) and issubclass(found, (tuple, Enum)):
                return found
        elif (module in _NUMPY and name in _NUMPY_NAMES) or (module == "builtins" and name in _SAFE_BUILTINS):
            return super().find_class(module, name)
        raise pickle.UnpicklingError(f"{module}.{name} may not stand in a checkpoint")
