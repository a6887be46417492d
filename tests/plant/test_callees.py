"""Functions that only compiled code calls have no machine code of their own."""

import numba
import pytest
from numba.core.codegen import JITCodeLibrary
from numba.extending import register_jitable

from remora.plant.registration import OPTIONS


@pytest.mark.parametrize("inlined", [True, False])
def test_only_the_outermost_function_becomes_machine_code(monkeypatch, inlined):
    """Otherwise a process that compiles would call other code than one that loads the caller from the cache."""

    def product(x, y):
        return x * y

    def squares(x, y):
        return product(x, x) + product(y, y)

    def difference(x, y):
        return squares(x, y) - 1.0

    for function in (product, squares):
        register_jitable(**{**OPTIONS, "forceinline": inlined})(function)
    generated = []
    finalize = JITCodeLibrary._finalize_specific
    monkeypatch.setattr(
        JITCodeLibrary, "_finalize_specific", lambda library: (generated.append(library.name), finalize(library))[1]
    )
    compiled = numba.njit("float64(float64, float64)", _nrt=False)(difference)
    assert compiled(3.0, 4.0) == 24.0
    assert [name.rpartition(".")[2] for name in generated] == ["difference"]
