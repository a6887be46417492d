"""Array views of memory and of longer rows inside compiled code: slicing and reshaping without run-time cost."""

# Numba's internals are untyped.
# mypy: disable-error-code="untyped-decorator, no-untyped-call"

from typing import Any

import numba.extending
from numba import types
from numba.core import cgutils
from numba.np.arrayobj import make_array, populate_array

_intrinsic: Any = numba.extending.intrinsic


@_intrinsic
def array_view(typingctx: Any, memory: Any, start: Any, shape: Any) -> Any:
    """View of a row from an index on, with this shape; bounds are not checked."""
    kind = types.Array(memory.dtype, len(shape), "C")

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        whole = make_array(sig.args[0])(context, builder, args[0])
        part = make_array(kind)(context, builder)
        lengths = [
            context.cast(builder, length, given, types.intp)
            for length, given in zip(cgutils.unpack_tuple(builder, args[2]), sig.args[2], strict=True)
        ]
        itemsize = context.get_constant(types.intp, 8)
        strides = [itemsize]
        for length in lengths[:0:-1]:
            strides.insert(0, builder.mul(strides[0], length))
        populate_array(
            part,
            data=builder.gep(whole.data, [args[1]]),
            shape=lengths,
            strides=strides,
            itemsize=itemsize,
            meminfo=None,
        )
        return part._getvalue()

    return kind(memory, start, shape), lower


@_intrinsic
def strided_view(typingctx: Any, pointer: Any, size: Any, stride: Any) -> Any:
    """View of numbers in memory that are a stride apart; bounds are not checked."""
    kind = types.Array(types.float64, 1, "A")

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        part, itemsize = make_array(kind)(context, builder), context.get_constant(types.intp, 8)
        length, step = (context.cast(builder, args[k], sig.args[k], types.intp) for k in (1, 2))
        populate_array(
            part, data=args[0], shape=[length], strides=[builder.mul(itemsize, step)], itemsize=itemsize, meminfo=None
        )
        return part._getvalue()

    return kind(pointer, size, stride), lower
