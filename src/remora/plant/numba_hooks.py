"""Places where Remora reaches into Numba: functions that only compiled code calls, and the files of its cache.

Numba generates machine code for every function, although its caller contains a copy. `CalleeCompiler` does without, so
kernels compile in two thirds of the time. It also makes results independent of the cache: a process that compiles would
call the machine code of a callee that is not inlined, a process that loads the caller from the cache the copy within
the caller, and these may round sums in different ways.
"""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numba.core.config
from numba.core.caching import Cache, UserProvidedCacheLocator
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import LoweringPass, register_pass
from numba.core.typed_passes import AnnotateTypes

import remora

# Numba fills its settings in at run time.
_settings: Any = numba.core.config


class _NoEnvironment:
    """In place of the code generator: there is no function that could use an environment of Python objects."""

    def set_env(self, env_name: str, env: Any) -> None:
        """Do nothing."""


class LinkedLibrary(JITCodeLibrary):
    """LLVM code of a function, to be linked into its callers."""

    @property
    def codegen(self) -> Any:
        """Takes the environment of the function."""
        return _NoEnvironment()

    def get_pointer_to_function(self, name: str) -> int:
        """Zero: there is no such function in memory."""
        self._ensure_finalized()
        return 0

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True


@register_pass(mutates_CFG=False, analysis_only=False)
class ChooseLinkedLibrary(LoweringPass):
    """Pass before the lowering that chooses the library."""

    _name = "choose_linked_library"

    def __init__(self) -> None:
        LoweringPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Set the library of the function."""
        state.library = LinkedLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        return True


class CalleeCompiler(CompilerBase):
    """Numba's compiler for functions that only compiled code calls."""

    def define_pipelines(self) -> list[Any]:
        """The usual passes, with a library without machine code."""
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.add_pass_after(ChooseLinkedLibrary, AnnotateTypes)
        passes.finalize()
        return [passes]


class PackageLocator(UserProvidedCacheLocator):
    """Files of Numba's cache by the place of a source within the package; Numba takes the path on the machine."""

    @classmethod
    def get_suitable_cache_subpath(cls, py_file: str) -> str:
        """Subfolder of the cache for the functions of a source file."""
        folder, package = Path(py_file).resolve().parent, Path(remora.__path__[0]).resolve()
        if folder.is_relative_to(package):
            return "-".join(folder.relative_to(package).parts)
        return str(super().get_suitable_cache_subpath(py_file))

    def get_source_stamp(self) -> str:
        """Hash of the source file; older versions of Numba compare the time of its last change."""
        return hashlib.sha256(Path(self._py_file).read_bytes()).hexdigest()


def _key_of_closure(cache: Any, signature: Any, codegen: Any) -> Any:
    """Numba's key of an entry without the hash of the byte code, which differs where docstrings are left out (-OO).

    The name of the folder holds the hash of the sources.
    """
    signature, machine, (_, closure) = _numba_key(cache, signature, codegen)
    return signature, machine, closure


_numba_cache_class: Any = Cache
_numba_key: Any = Cache._index_key


@contextmanager
def numba_cache(folder: Path) -> Iterator[None]:
    """Point Numba's cache to a folder while kernels are made, then restore its settings."""
    before = _settings.CACHE_DIR, _settings.CACHE_LOCATOR_CLASSES
    _settings.CACHE_DIR = str(folder)
    _settings.CACHE_LOCATOR_CLASSES = f"{PackageLocator.__module__}.{PackageLocator.__name__}"
    _numba_cache_class._index_key = _key_of_closure
    try:
        yield
    finally:
        _settings.CACHE_DIR, _settings.CACHE_LOCATOR_CLASSES = before
        _numba_cache_class._index_key = _numba_key
