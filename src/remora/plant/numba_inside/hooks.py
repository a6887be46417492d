"""What Remora changes in Numba, and Numba as it is where a version has changed inside.

Then kernels are compiled in half as much time again, and `python -OO` compiles its own.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from types import ModuleType
from typing import Any

import numba.core.config

internals: ModuleType | None
try:
    from remora.plant.numba_inside import classes as internals
except (ImportError, AttributeError) as changed:
    internals = None
    sys.stderr.write(
        f"Numba {version('numba')} differs inside from those known ({changed}): kernels compile more slowly\n"
    )

# Numba fills its settings in at run time.
_settings: Any = numba.core.config

# For functions that only compiled code calls.
CALLEE_OPTIONS: dict[str, Any] = {} if internals is None else {"pipeline_class": internals.CalleeCompiler}


@contextmanager
def numba_cache(folder: Path) -> Iterator[None]:
    """Point Numba's cache to a folder while kernels are made, then restore its settings."""
    before = _settings.CACHE_DIR
    _settings.CACHE_DIR = str(folder)
    try:
        if internals is None:
            yield
        else:
            with _own_files(internals):
                yield
    finally:
        _settings.CACHE_DIR = before


@contextmanager
def _own_files(given: ModuleType) -> Iterator[None]:
    """Names and keys of the files in Numba's cache that depend on neither the folder nor the docstrings."""
    before, locator = _settings.CACHE_LOCATOR_CLASSES, given.PackageLocator
    _settings.CACHE_LOCATOR_CLASSES = f"{locator.__module__}.{locator.__name__}"
    given.Cache._index_key = given.key_of_closure
    try:
        yield
    finally:
        _settings.CACHE_LOCATOR_CLASSES = before
        given.Cache._index_key = given.NUMBA_KEY
