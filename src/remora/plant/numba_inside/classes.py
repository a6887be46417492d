"""Classes built on the inside of Numba: functions that only compiled code calls, and the files of its cache.

`hooks` does without them where Numba has changed.

Numba generates machine code for every function, although its caller contains a copy. `CalleeCompiler` does without, so
kernels compile in two thirds of the time. It also makes results independent of the cache: a process that compiles would
call the machine code of a callee that is not inlined, a process that loads the caller from the cache the copy within
the caller, and these may round sums in different ways.
"""

import hashlib
from pathlib import Path
from typing import Any

from numba.core.caching import Cache, UserProvidedCacheLocator
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import LoweringPass, register_pass
from numba.core.typed_passes import AnnotateTypes

import remora

# Used below; a Numba without one gets its AttributeError here, not while it compiles.
for _name in ("_ensure_finalized", "_finalize_dynamic_globals", "_verify_declare_only_symbols"):
    getattr(JITCodeLibrary, _name)
NUMBA_KEY: Any = Cache._index_key


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


def key_of_closure(cache: Any, signature: Any, codegen: Any) -> Any:
    """Numba's key of an entry without the hash of the byte code, which differs where docstrings are left out (-OO).

    The name of the folder holds the hash of the sources.
    """
    signature, machine, (_, closure) = NUMBA_KEY(cache, signature, codegen)
    return signature, machine, closure
