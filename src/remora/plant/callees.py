"""Compilation of functions that only compiled code calls: LLVM code for their callers, but no machine code.

Numba generates machine code for every function, although its caller contains a copy. Without that, kernels compile in
two thirds of the time. It also makes results independent of the cache: a process that compiles would call the machine
code of a callee that is not inlined, a process that loads the caller from the cache the copy within the caller, and
these may round sums in different ways.
"""

from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import LoweringPass, register_pass
from numba.core.typed_passes import AnnotateTypes


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
