"""Calls of separately compiled functions by address, and views of the memory that they receive as pointers.

Numba optimises the code of every callee again in each caller. A call by address keeps the parts of a step apart, so
that they compile in seconds, and only those that a system needs.
"""

# Numba's internals are untyped.
# mypy: disable-error-code="untyped-decorator, no-untyped-call"

from typing import Any

import numba.extending
from llvmlite import ir
from numba import types
from numba.np.arrayobj import make_array, populate_array

_intrinsic: Any = numba.extending.intrinsic
# Integers and floats of the system, start of the states, a number (level or node), time since the inputs were set.
SIGNATURE = types.float64(
    types.CPointer(types.int64), types.CPointer(types.float64), types.int64, types.int64, types.float64
)
_DOUBLE, _WORD = ir.DoubleType(), ir.IntType(64)
_FUNCTION = ir.FunctionType(_DOUBLE, [_WORD.as_pointer(), _DOUBLE.as_pointer(), _WORD, _WORD, _DOUBLE])


@_intrinsic
def call_piece(typingctx: Any, address: Any, integers: Any, floats: Any, start: Any, number: Any, elapsed: Any) -> Any:
    """Result of the function at an address, of `SIGNATURE`."""

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        function = builder.inttoptr(args[0], _FUNCTION.as_pointer())
        pointers = [make_array(sig.args[k])(context, builder, args[k]).data for k in (1, 2)]
        words = [context.cast(builder, args[k], sig.args[k], types.int64) for k in (3, 4)]
        time = context.cast(builder, args[5], sig.args[5], types.float64)
        return builder.call(function, [*pointers, *words, time])

    return types.float64(address, integers, floats, start, number, elapsed), lower


@_intrinsic
def memory_view(typingctx: Any, pointer: Any) -> Any:
    """Array at a pointer; its length is not known, and bounds are not checked."""
    kind = types.Array(pointer.dtype, 1, "C")

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        whole, itemsize = make_array(kind)(context, builder), context.get_constant(types.intp, 8)
        size = context.get_constant(types.intp, 1 << 40)
        populate_array(whole, data=args[0], shape=[size], strides=[itemsize], itemsize=itemsize, meminfo=None)
        return whole._getvalue()

    return kind(pointer), lower
