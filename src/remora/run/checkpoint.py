"""Checkpoint files: the state of a run between two steps, from which it continues bit for bit.

A checkpoint belongs to one scenario: hashes, seed and version are compared before it is used. It holds plain data only:
numbers, arrays, and tuples and enumerations of this package and of the parts of the run.
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
from remora.run.loop.loop import Loop, Snapshot
from remora.run.recorder import Recorder, run_channels
from remora.run.run_description import run_header
from remora.run.setup import Setup

# The number rises when stored classes are renamed or change their fields.
_FORMAT = b"remora checkpoint "
_MAGIC = _FORMAT + b"5\n"
_SAFE_BUILTINS = {"set", "frozenset", "complex", "bytearray", "slice", "range"}
_NUMPY = ("numpy", "numpy.core.multiarray", "numpy._core.multiarray", "numpy.core.numeric", "numpy._core.numeric")
_NUMPY_NAMES = {"ndarray", "dtype", "_reconstruct", "scalar", "_frombuffer"}


class CheckpointError(ValueError):
    """A checkpoint that cannot be read or belongs to another run."""


class Checkpoint(NamedTuple):
    """State of a run between two steps, and the position of its log."""

    header: RunHeader
    snapshot: Snapshot
    mark: LogMark | None  # None for a run without a log


def save_checkpoint(path: str | Path, loop: Loop) -> None:
    """Write the state of a loop atomically: the file is complete or unchanged, even if the process dies."""
    mark = None if loop.recorder is None else loop.recorder.mark()
    stream = io.BytesIO()
    _Pickler(stream, protocol=5).dump(Checkpoint(run_header(loop.setup), loop.snapshot(), mark))
    write_atomically(Path(path), lambda file: _write(file, _MAGIC + stream.getvalue()))


def _write(file: Path, content: bytes) -> None:
    with file.open("wb") as stream:
        stream.write(content)
        stream.flush()
        os.fsync(stream.fileno())


def load_checkpoint(path: str | Path, setup: Setup) -> Checkpoint:
    """Load the checkpoint of a run with this setup.

    Raises a CheckpointError when the file is missing, damaged, of another format, or of another scenario, seed or
    version.
    """
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise CheckpointError(f"{path}: cannot be read: {error.strerror}") from None
    if not content.startswith(_MAGIC):
        what = "is a checkpoint of another version of Remora" if content.startswith(_FORMAT) else "is not a checkpoint"
        raise CheckpointError(f"{path}: {what}. Run the scenario from its start")
    try:
        checkpoint = _Unpickler(io.BytesIO(content[len(_MAGIC) :]), _modules_of_parts(setup)).load()
    except Exception as error:  # a damaged pickle may raise any exception
        raise CheckpointError(f"{path}: is damaged: {type(error).__name__}: {error}") from None
    if not isinstance(checkpoint, Checkpoint):
        raise CheckpointError(f"{path}: is damaged: it holds no checkpoint")
    if checkpoint.header != run_header(setup):
        raise CheckpointError(f"{path}: belongs to another run: scenario, vehicle files, seed or version differ")
    return checkpoint


def resumed_loop(setup: Setup, checkpoint: Checkpoint, old_log: str | Path | None, log: str | Path | None) -> Loop:
    """A loop that continues from a checkpoint; the new log, if any, starts with the old one up to the checkpoint."""
    recorder = None
    if log is not None:
        if old_log is None or checkpoint.mark is None:
            raise CheckpointError("the run had no log that could be continued")
        header, channels = run_header(setup), run_channels(setup)
        recorder = Recorder(setup, resume_log(old_log, log, checkpoint.mark, header, channels))
    loop = Loop(setup, recorder)
    loop.restore(checkpoint.snapshot)
    return loop


def _modules_of_parts(setup: Setup) -> set[str]:
    vehicles = (*setup.vehicles, *(one.vehicle for one in setup.assemblies))
    parts: Iterable[Any] = (part.part for vehicle in vehicles for part in vehicle.parts)
    drives: Iterable[Any] = (vehicle.drive for vehicle in setup.vehicles if vehicle.drive is not None)
    return {type(thing).__module__ for thing in (*parts, *drives)}


class _Pickler(pickle.Pickler):
    """Writes an enumeration as class and value: some releases of Python refer to a function that must not be loaded."""

    def reducer_override(self, thing: Any) -> Any:
        """Reduction of enumerations; the default for all other objects."""
        return (type(thing), (thing.value,)) if isinstance(thing, Enum) else NotImplemented


class _Unpickler(pickle.Unpickler):
    """Loads tuples, enumerations and arrays only, so that a file cannot execute code."""

    def __init__(self, stream: io.BytesIO, modules: set[str]) -> None:
        super().__init__(stream)
        self._modules = modules

    def find_class(self, module: str, name: str) -> Any:
        """A class that a checkpoint may contain."""
        known = module.split(".")[0] == "remora" or module in self._modules
        if known and "." not in name:
            found = super().find_class(module, name)
            # Constructing tuples and enumerations has no side effects; other classes could open files.
            if isinstance(found, type) and issubclass(found, (tuple, Enum)):
                return found
        elif (module in _NUMPY and name in _NUMPY_NAMES) or (module == "builtins" and name in _SAFE_BUILTINS):
            return super().find_class(module, name)
        raise pickle.UnpicklingError(f"{module}.{name} is not allowed in a checkpoint")
