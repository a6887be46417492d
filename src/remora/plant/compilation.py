"""Compilation of the loops with Numba, and an on-disk cache of the machine code keyed by its sources.

Numba checks only the file of the outermost function, so it would serve old physics after an equation was edited.
Therefore the name of the cache folder is a hash of every source that compiled code reads, of the versions, and of the
processor that code is generated for (NUMBA_CPU_NAME and NUMBA_CPU_FEATURES, or the host). It does not depend on the
folder of the package: environments with the same sources share one cache.
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
import remora.plant
from remora.equations.packed import Layout, is_general
from remora.equations.water.local_water import LAYERED_SIZE, STEADY_SIZE
from remora.plant import entries, layouts, loops, registration, stages
from remora.plant.numba_inside.hooks import CALLEE_OPTIONS, numba_cache

# No run-time memory management: reference counting of arrays would halve the speed, and no loop may allocate.
OPTIONS: dict[str, Any] = {"error_model": "numpy", "fastmath": {"contract"}, "nogil": True, "_nrt": False}

SILENT_WAIT = 1.0  # s for another process to compile, before the wait is announced

# Numba fills its settings in at run time.
_settings: Any = numba.core.config

_row, _integers = float64[::1], int64[::1]
_sheet, _book = float64[:, ::1], float64[:, :, ::1]

SIGNATURES = {
    "rollout_many": void(
        _sheet, _integers, int64, _sheet, _row, float64, int64, int64, _book, _book, _book, int64, int64, _book, _sheet,
        _book, _integers,
    ),
    "prepare": void(_row, _integers, int64, int64, int64),
    "step_once": int64(_row, _integers, _row, _row, _row),
    "rate": void(_row, _integers, _row, _row, _row, _row),
}  # fmt: skip

# Compiled once and called, not inlined: the long loops, and equations that only few vehicles need.
APART: dict[Callable[..., Any], str] = {
    **registration.APART,
    stages.begin_general_outputs: "None",
    stages.fill_general_outputs: "None",
    loops.state_after_impulse: "x",
    loops.rollout_basic: "",
    loops.rollout_layered: "",
    loops.rollout_general: "",
}


class Kernels(NamedTuple):
    """The compiled entry points for one kind of vehicle and water, one machine-code version each."""

    rollout_many: Any
    step_once: Any
    rate: Any
    prepare: Any  # the same for all kinds


def source_key() -> str:
    """Hash of all sources that compiled code reads, and of the versions that compile them."""
    digest = hashlib.sha256()
    for package in (remora.equations, remora.plant):
        folder = Path(package.__path__[0])
        for path in sorted(folder.rglob("*.py")):
            digest.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    digest.update(repr((sys.version_info[:3], *map(version, ("numba", "numpy", "llvmlite")), *CALLEE_OPTIONS)).encode())
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
    """Hash of sources and processor: machine code of one processor is not used by another."""
    return hashlib.sha256(repr((source_key(), target())).encode()).hexdigest()[:24]


def cache_root() -> Path:
    """Where compiled kernels are kept: REMORA_CACHE_DIR, or the user's cache folder."""
    chosen = os.environ.get("REMORA_CACHE_DIR")
    return Path(chosen) if chosen else Path(platformdirs.user_cache_dir("remora")) / "kernels"


@lru_cache(maxsize=1)
def cache_folder() -> Path | None:
    """The cache folder of these sources and this processor, or None where it cannot be written.

    Numba alone would then fall back to a folder beside the sources, without this key.
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


def _announce(line: str) -> None:
    """Write one line to stderr."""
    sys.stderr.write(line + "\n")
    sys.stderr.flush()


def _register(cached: dict[str, Any]) -> None:
    """Make all functions of the loops callable from compiled code."""
    apart = tuple(function.__name__ for function in APART)
    for module in (layouts, stages, loops, entries):
        registration.register_functions(module, without=apart)
    for function, when_basic in APART.items():
        registration.replace_by_compiled(function, numba.njit(**cached)(function), when_basic=when_basic)


def _entry_points(name: str, rollout: entries.Rollout, layout: Callable[[Layout], Layout]) -> dict[str, Any]:
    """Entry points of a loop and its layout; Numba's cache tells them apart by their names."""
    made = entries.rollout_many_with(rollout), entries.step_once_with(rollout), entries.rate_with(layout)
    for function in made:
        function.__name__ = function.__qualname__ = f"{function.__name__}_{name}"
    return dict(zip(Kernels._fields, made, strict=False))


def _compiled(functions: dict[str, Any], cached: dict[str, Any]) -> dict[str, Any]:
    """Entry points by name; a single step is too short to release the interpreter's lock."""
    return {
        name: numba.njit(SIGNATURES[name], **{**cached, "nogil": name != "step_once"})(function)
        for name, function in functions.items()
    }


def _basic_kernels(cached: dict[str, Any]) -> Kernels:
    _register(cached)
    made = _entry_points("basic", loops.rollout_basic, layouts.basic_layout) | {"prepare": entries.prepare}
    return Kernels(**_compiled(made, cached))


def _layered_kernels(cached: dict[str, Any]) -> Kernels:
    made = _entry_points("layered", loops.rollout_layered, layouts.layered_layout)
    return Kernels(**_compiled(made, cached), prepare=kernels().prepare)


def _general_kernels(cached: dict[str, Any]) -> Kernels:
    made = _entry_points("general", loops.rollout_general, layouts.general_layout)
    return Kernels(**_compiled(made, cached), prepare=kernels().prepare)


def from_cache(
    part: str,
    make: Callable[[dict[str, Any]], Any],
    announce: Callable[[str], None] = _announce,
    seconds: int = 20,
    key: str | None = None,
) -> Any:
    """A group of kernels: from the cache when the sources have not changed, else compiled now.

    `make` compiles the group or loads it from Numba's cache, with these options of Numba. A line with the usual time of
    the compilation is announced before it. The key is the hash of sources of the group outside the package; empty when
    they are unknown, so that nothing is cached.
    """
    if key == "":
        announce(f"compiling {part}; its sources are not in a file, so this happens in every process")
        return make({**OPTIONS, "cache": False})
    folder = _subfolder(cache_folder(), key)
    if folder is None:
        announce(f"compiling {part}; {cache_root()} cannot be written, so this happens in every process")
        return make({**OPTIONS, "cache": False})
    complete = folder / f"{part.replace(' ', '-')}.complete"
    cached = {**OPTIONS, "cache": True}
    if complete.exists():
        with numba_cache(folder):
            return make(cached)
    # Cold processes that start together take turns: Numba's index does not survive several writers.
    with _turn(folder / "lock", announce), numba_cache(folder):
        if not complete.exists():
            announce(f"compiling {part}, once per machine (about {seconds} s)")
            compile_ahead(lambda: make(cached))
        made = make(cached)
        complete.touch()
        return made


def compile_ahead(make: Callable[[], Any]) -> None:
    """Nothing: this process compiles. Tests put a process in its place that keeps the memory of the compiler."""


def _subfolder(folder: Path | None, key: str | None) -> Path | None:
    """The folder of a key within a cache folder."""
    if folder is None or key is None:
        return folder
    (folder / key).mkdir(exist_ok=True)
    return folder / key


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
def kernels() -> Kernels:
    """The kernels for basic vehicles in steady water."""
    return cast(Kernels, from_cache("the equations", _basic_kernels))


@lru_cache(maxsize=1)
def layered_kernels() -> Kernels:
    """The kernels for basic vehicles in a layered current, which varies with depth and time."""
    kernels()  # registers all they call
    return cast(Kernels, from_cache("the equations for sheared currents", _layered_kernels))


@lru_cache(maxsize=1)
def general_kernels() -> Kernels:
    """The kernels for general vehicles and water: rate limits, motors, servos, moving masses, gradients, surface."""
    kernels()
    return cast(Kernels, from_cache("the equations for general actuators and water", _general_kernels))


def kernels_for(layout: Layout, water: int = STEADY_SIZE) -> Kernels:
    """The kernels for a layout, in water of this many numbers."""
    if is_general(layout) or water > LAYERED_SIZE:
        return general_kernels()
    return layered_kernels() if water == LAYERED_SIZE else kernels()
