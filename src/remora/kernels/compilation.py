"""Compiles the loops with Numba and keeps the machine code on disk, keyed by the sources it was made from.

Numba itself looks only at the file of the outermost function, so it would serve old physics after an equation was
edited. Therefore the folder of the cache carries a hash of every source that compiled code reads, of the versions, and
of the processor that code is generated for (NUMBA_CPU_NAME and NUMBA_CPU_FEATURES, or the one at hand).
"""

import hashlib
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple, cast

import filelock
import llvmlite.binding as llvm
import numba
import numba.core.config
import platformdirs
from numba import float64, int64, void

import remora.equations
import remora.kernels
from remora.equations.packed import Layout, is_uncommon
from remora.equations.water.local_water import LAYERED_SIZE, STEADY_SIZE
from remora.kernels import engine_hydrodynamics as submerging, entries, loops, registration
from remora.kernels.layouts import layout_types
from remora.kernels.simd import batch as abreast
from remora.kernels.stages import actuators as pushes, body as stages
from remora.kernels.tether import loop as lines

# No run-time memory management: reference counting of arrays would halve the speed, and no loop may allocate.
OPTIONS: dict[str, Any] = {"error_model": "numpy", "fastmath": {"contract"}, "nogil": True, "_nrt": False}

SILENT_WAIT = 1.0  # s for another process to compile, before the wait is announced

# Numba fills its settings in at run time.
_settings: Any = numba.core.config

_row, _integers = float64[::1], int64[::1]
_sheet, _book = float64[:, ::1], float64[:, :, ::1]

SIGNATURES = {
    "roll_many": void(
        _sheet, _integers, int64, _sheet, _row, float64, int64, int64, _book, _book, _book, int64, int64, _book, _sheet,
        _book, _integers,
    ),
    "prepare": void(_row, _integers, int64, int64, int64),
    "step_once": int64(_row, _integers, _row, _row, _row),
    "rate": void(_row, _integers, _row, _row, _row, _row),
}  # fmt: skip
UNCOMMON_SIGNATURES = {
    "roll_many_uncommon": SIGNATURES["roll_many"],
    "step_once_uncommon": SIGNATURES["step_once"],
    "rate_uncommon": SIGNATURES["rate"],
}
DRIFTING_SIGNATURES = {
    "roll_many_drifting": SIGNATURES["roll_many"],
    "step_once_drifting": SIGNATURES["step_once"],
    "rate_drifting": SIGNATURES["rate"],
}
ABREAST_SIGNATURE = void(
    _book, _integers, int64, _sheet, _row, float64, int64, int64, _book, _book, _book, int64, int64, int64, _row, _book,
    _integers,
)  # fmt: skip
SUBMERGE_SIGNATURE = void(_row, _integers, _row, _row, float64, _row, _row, _row)
LINE_SIGNATURES = {
    "step_line": int64(_row, _row, _row, int64, int64, _sheet, _sheet, _sheet, _sheet, _book, _sheet),
    "line_forces": void(_row, _row, _sheet, _sheet, _sheet, _book, _sheet),
}


# Compiled once and called, not inlined: the long loops, and what few vehicles need and none should pay for.
APART: dict[Callable[..., Any], str] = {
    **registration.APART,
    pushes.begin_uncommon: "None",
    pushes.fill_uncommon: "None",
    loops.struck_state: "x",
    loops.roll_common: "",
    loops.roll_drifting: "",
    loops.roll_uncommon: "",
}


class Kernels(NamedTuple):
    """The compiled doors, one machine-code version each."""

    roll_many: Any
    prepare: Any
    step_once: Any
    rate: Any
    cache_folder: Path | None  # None: compiled for this process only, because no folder could be written


class OtherKernels(NamedTuple):
    """The doors for vehicles with largest rates, motors, four-quadrant series, servos or loads; or in other water."""

    roll_many: Any
    step_once: Any
    rate: Any


class LineKernels(NamedTuple):
    """The compiled doors for tethers."""

    step_line: Any
    line_forces: Any


def source_key() -> str:
    """A hash of all sources that compiled code reads, and of what compiles them."""
    digest = hashlib.sha256()
    for room in (remora.equations, remora.kernels):
        folder = Path(room.__path__[0])
        for path in sorted(folder.rglob("*.py")):
            digest.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    digest.update(repr((sys.version_info[:3], version("numba"), version("numpy"), version("llvmlite"))).encode())
    return digest.hexdigest()[:24]


def target() -> tuple[str, str]:
    """Name and features of the processor that code is generated for, as Numba chooses them."""
    try:
        features = llvm.get_host_cpu_features().flatten()
    except RuntimeError:  # LLVM does not know them on every platform
        features = ""
    name, chosen = _settings.CPU_NAME, _settings.CPU_FEATURES
    return (llvm.get_host_cpu_name() if name is None else name, features if chosen is None else chosen)


def cache_key() -> str:
    """A hash of the sources and of the processor: what one machine compiled is not taken up by another."""
    return hashlib.sha256(repr((source_key(), target())).encode()).hexdigest()[:24]


def cache_root() -> Path:
    """Where compiled kernels are kept: REMORA_CACHE_DIR, or the user's cache folder."""
    chosen = os.environ.get("REMORA_CACHE_DIR")
    return Path(chosen) if chosen else Path(platformdirs.user_cache_dir("remora")) / "kernels"


@lru_cache(maxsize=1)
def cache_folder() -> Path | None:
    """The cache folder of these sources and this processor, or None where it cannot be written.

    Left alone, Numba would then fall back to a folder beside the sources that knows nothing of our key.
    """
    folder = cache_root() / cache_key()
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


def _doors(cached: dict[str, Any]) -> Kernels:
    """Compile the doors that every run needs, or load them."""
    apart = [function.__name__ for function in APART]
    doors = (*SIGNATURES, *UNCOMMON_SIGNATURES, *DRIFTING_SIGNATURES)
    for module in (layout_types, stages, pushes, loops, entries):
        registration.register_functions(module, without=("prepared_size", *apart, *doors))
    for function, when_common in APART.items():
        registration.replace_by_compiled(function, numba.njit(**cached)(function), when_common=when_common)
    return Kernels(**_compiled(SIGNATURES, cached), cache_folder=cache_folder())


def _uncommon_doors(cached: dict[str, Any]) -> OtherKernels:
    """Compile the doors for uncommon vehicles, or load them."""
    return OtherKernels(*_compiled(UNCOMMON_SIGNATURES, cached).values())


def _drifting_doors(cached: dict[str, Any]) -> OtherKernels:
    """Compile the doors for common vehicles in currents that vary with depth and time, or load them."""
    return OtherKernels(*_compiled(DRIFTING_SIGNATURES, cached).values())


def _compiled(signatures: dict[str, Any], cached: dict[str, Any]) -> dict[str, Any]:
    """Doors by name; a single step is over before another thread could use the interpreter's lock."""
    return {
        name: numba.njit(signature, **{**cached, "nogil": not name.startswith("step_once")})(getattr(entries, name))
        for name, signature in signatures.items()
    }


def _abreast_door(cached: dict[str, Any]) -> Any:
    """Compile the door for vehicles abreast, or load it."""
    _register_abreast()
    return numba.njit(ABREAST_SIGNATURE, **cached)(abreast.roll_many_abreast)


def _submerging_door(cached: dict[str, Any]) -> Any:
    """Compile the door for bodies of other engines, or load it."""
    registration.register_functions(submerging, without=("memory_size", "submerge"))
    return numba.njit(SUBMERGE_SIGNATURE, **{**cached, "nogil": False})(submerging.submerge)


def _uncommon_abreast_door(cached: dict[str, Any]) -> Any:
    """Compile the door for uncommon vehicles abreast, or load it."""
    _register_abreast()
    return numba.njit(ABREAST_SIGNATURE, **cached)(abreast.roll_many_uncommon_abreast)


@lru_cache(maxsize=1)
def _register_abreast() -> None:
    names = ("memory_size", "roll_many_abreast", "roll_many_uncommon_abreast")
    registration.register_functions(abreast, without=names)


def _line_doors(cached: dict[str, Any]) -> LineKernels:
    """Compile the doors for tethers, or load them."""
    registration.register_functions(lines, without=tuple(LINE_SIGNATURES))
    doors = {name: numba.njit(kind, **cached)(getattr(lines, name)) for name, kind in LINE_SIGNATURES.items()}
    return LineKernels(**doors)


def from_cache(
    part: str, make: Callable[[dict[str, Any]], Any], announce: Callable[[str], None] = _announce, seconds: int = 20
) -> Any:
    """A part of the kernels: from the cache when the sources have not changed, else compiled now."""
    folder = cache_folder()
    if folder is None:
        announce(f"compiling {part}; {cache_root()} cannot be written, so this happens in every process")
        return make({**OPTIONS, "cache": False})
    complete = folder / f"{part.replace(' ', '-')}.complete"
    cached = {**OPTIONS, "cache": True}
    if complete.exists():
        with _numba_cache(folder):
            return make(cached)
    # Cold processes that start together take turns: Numba's index does not survive several writers.
    with _turn(folder / "lock", announce), _numba_cache(folder):
        if not complete.exists():
            announce(f"compiling {part}, once per machine (about {seconds} s)")
        made = make(cached)
        complete.touch()
        return made


@contextmanager
def _turn(lock_file: Path, announce: Callable[[str], None]) -> Iterator[None]:
    """Hold the lock of the cache; waiting for another process is announced after a second."""
    lock = filelock.FileLock(lock_file)
    try:
        lock.acquire(timeout=SILENT_WAIT)
    except filelock.Timeout:
        announce("waiting for another process that compiles the equations")
        lock.acquire()
    try:
        yield
    finally:
        lock.release()


@lru_cache(maxsize=1)
def kernels(announce: Callable[[str], None] = _announce) -> Kernels:
    """The compiled kernels of this process."""
    return cast(Kernels, from_cache("the equations", _doors, announce))


@lru_cache(maxsize=1)
def uncommon_kernels(announce: Callable[[str], None] = _announce) -> OtherKernels:
    """The kernels for vehicles that are not of the common kind."""
    kernels()  # so that all they call is known to Numba; asked for as everyone does, or it would be made anew
    return cast(OtherKernels, from_cache("the equations for uncommon actuators and water", _uncommon_doors, announce))


@lru_cache(maxsize=1)
def drifting_kernels(announce: Callable[[str], None] = _announce) -> OtherKernels:
    """The kernels for vehicles of the common kind in a current that varies with depth and time."""
    kernels()
    return cast(OtherKernels, from_cache("the equations for sheared currents", _drifting_doors, announce))


def kernels_for(layout: Layout, water: int = STEADY_SIZE) -> Kernels | OtherKernels:
    """The kernels of a kind of vehicle, in water that so many numbers describe."""
    if is_uncommon(layout) or water > LAYERED_SIZE:
        return uncommon_kernels()
    return drifting_kernels() if water == LAYERED_SIZE else kernels()


@lru_cache(maxsize=1)
def abreast_kernel(announce: Callable[[str], None] = _announce) -> Any:
    """The kernel for batches, which most sessions never ask for."""
    kernels()
    return from_cache("the equations for batches", _abreast_door, announce)


@lru_cache(maxsize=1)
def submerging_kernel(announce: Callable[[str], None] = _announce) -> Any:
    """The kernel that puts water around the body of another engine."""
    kernels()
    return from_cache("the equations for other engines", _submerging_door, announce)


@lru_cache(maxsize=1)
def uncommon_abreast_kernel(announce: Callable[[str], None] = _announce) -> Any:
    """The kernel for batches of vehicles that are not of the common kind."""
    kernels()
    return from_cache("the equations for batches with uncommon actuators", _uncommon_abreast_door, announce)


@lru_cache(maxsize=1)
def line_kernels(announce: Callable[[str], None] = _announce) -> LineKernels:
    """The kernels for tethers: apart from all others, so that only runs with a tether wait for them."""
    return cast(LineKernels, from_cache("the equations of tethers", _line_doors, announce, seconds=5))
