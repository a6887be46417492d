"""Compiles the loops with Numba and keeps the machine code on disk, keyed by the sources it was made from.

Numba itself looks only at the file of the outermost function, so it would serve old physics after an equation was
edited. Therefore the folder of the cache carries a hash of every source that compiled code reads, and of the versions.
"""

import hashlib
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import filelock
import numba
import numba.core.config
import platformdirs
from numba import float64, int64, void

import remora.equations
import remora.kernels
from remora.kernels import entries, loops, registration, stages

# No run-time memory management: reference counting of arrays would halve the speed, and no loop may allocate.
OPTIONS: dict[str, Any] = {"error_model": "numpy", "fastmath": {"contract"}, "nogil": True, "_nrt": False}

# Numba fills its settings in at run time.
_settings: Any = numba.core.config

_row, _integers = float64[::1], int64[::1]
_sheet, _book = float64[:, ::1], float64[:, :, ::1]

SIGNATURES = {
    "roll_many": void(
        _sheet, _integers, int64, _sheet, _row, float64, int64, int64, _book, _book, _book, int64, int64, _book, _sheet,
        _book, _integers,
    ),
    "prepare": void(_row, _integers, int64, int64),
    "step_once": int64(_row, _integers, _row, _row, _row, _sheet),
    "rate": void(_row, _integers, _row, _row, _row),
}  # fmt: skip


class Kernels(NamedTuple):
    """The compiled doors, one machine-code version each."""

    roll_many: Any
    prepare: Any
    step_once: Any
    rate: Any
    cache_folder: Path | None  # None: compiled for this process only, because no folder could be written


def source_key() -> str:
    """A hash of all sources that compiled code reads, and of what compiles them."""
    digest = hashlib.sha256()
    for room in (remora.equations, remora.kernels):
        for path in sorted(Path(room.__path__[0]).glob("*.py")):
            digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    digest.update(repr((sys.version_info[:3], version("numba"), version("numpy"), version("llvmlite"))).encode())
    return digest.hexdigest()[:24]


def cache_root() -> Path:
    """Where compiled kernels are kept: REMORA_CACHE_DIR, or the user's cache folder."""
    chosen = os.environ.get("REMORA_CACHE_DIR")
    return Path(chosen) if chosen else Path(platformdirs.user_cache_dir("remora")) / "kernels"


def _writable_folder() -> Path | None:
    """The cache folder of these sources, or None where it cannot be written.

    Left alone, Numba would then fall back to a folder beside the sources that knows nothing of our key.
    """
    folder = cache_root() / source_key()
    probe = folder / f"probe-{os.getpid()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe.touch()
        probe.unlink()
    except OSError:
        return None
    return folder


@contextmanager
def _numba_cache(folder: Path | None) -> Iterator[None]:
    """Point Numba's cache to a folder while kernels are made, then leave its setting to others."""
    before = _settings.CACHE_DIR
    _settings.CACHE_DIR = str(folder) if folder else before
    try:
        yield
    finally:
        _settings.CACHE_DIR = before


def _announce(line: str) -> None:
    """One line for a person who waits."""
    sys.stderr.write(line + "\n")
    sys.stderr.flush()


def _is_compiled(folder: Path | None) -> bool:
    return folder is not None and (folder / "complete").exists()


def _compile(folder: Path | None) -> Kernels:
    """Compile every door, or load it from the folder."""
    for module in (stages, loops, entries):
        registration.register_functions(module, without=("roll", "prepared_size", *SIGNATURES))
    cached = {**OPTIONS, "cache": folder is not None}
    # The long loop is compiled once and called by the doors, not inlined into each.
    registration.replace_by_compiled(loops.roll, numba.njit(**cached)(loops.roll))
    doors = {name: numba.njit(signature, **cached)(getattr(entries, name)) for name, signature in SIGNATURES.items()}
    return Kernels(**doors, cache_folder=folder)


@lru_cache(maxsize=1)
def kernels(announce: Callable[[str], None] = _announce) -> Kernels:
    """The compiled kernels of this process: from the cache when the sources have not changed, else compiled now."""
    folder = _writable_folder()
    if _is_compiled(folder):
        with _numba_cache(folder):
            return _compile(folder)
    if folder is None:
        announce(f"compiling the equations; {cache_root()} cannot be written, so this happens in every process")
        return _compile(None)
    # Cold processes that start together take turns: Numba's index does not survive several writers.
    with filelock.FileLock(folder / "lock"), _numba_cache(folder):
        if not _is_compiled(folder):
            announce("compiling the equations, once per machine (about 20 s)")
        made = _compile(folder)
        (folder / "complete").touch()
        return made
