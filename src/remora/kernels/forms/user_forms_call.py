"""Call of the compiled function of user-defined forms from the compiled loops, by its address.

The loops are compiled once for all vehicles; which user-defined forms a vehicle has is known at run time only.
"""

# Numba's internals are untyped.
# mypy: disable-error-code="untyped-decorator, no-untyped-call"

import math
from typing import Any

import numba.extending
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.np.arrayobj import make_array

from remora.equations.algebra.vectors import scale6
from remora.equations.hull import hull_forms
from remora.equations.packed import user_forms_start
from remora.kernels.layouts.number_arrays import NumberArray
from remora.kernels.simd.lanes import WIDTH, lanes

_intrinsic: Any = numba.extending.intrinsic

# numbers of the records, their stride, whether only fading forms count, the twist, and where the wrench goes
SIGNATURE = types.void(
    types.CPointer(types.float64), types.intp, types.intp, *[types.float64] * 6, types.CPointer(types.float64)
)
_DOUBLE, _WORD = ir.DoubleType(), ir.IntType(64)
_FUNCTION = ir.FunctionType(ir.VoidType(), [_DOUBLE.as_pointer(), _WORD, _WORD, *[_DOUBLE] * 6, _DOUBLE.as_pointer()])


@_intrinsic
def call_user_forms(typingctx: Any, row: Any, start: Any, address: Any, fading_only: Any, twist: Any) -> Any:
    """Wrench of the function at an address, for the records from an index of the row on."""
    by_lane = isinstance(row, NumberArray) and row.element == lanes
    number = lanes if by_lane else types.float64

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        six = zip(cgutils.unpack_tuple(builder, args[4]), sig.args[4], strict=True)
        speeds = [context.cast(builder, speed, kind, number) for speed, kind in six]
        first = context.cast(builder, args[1], sig.args[1], types.intp)
        fading = context.cast(builder, args[3], sig.args[3], types.intp)
        function = builder.inttoptr(args[2], _FUNCTION.as_pointer())
        call = _Call(builder, function, fading, cgutils.alloca_once(builder, _DOUBLE, size=6))
        if by_lane:
            values = _lane_by_lane(call, cgutils.create_struct_proxy(row)(context, builder, args[0]), first, speeds)
        else:
            data = make_array(row)(context, builder, args[0]).data
            values = call.wrench(builder.gep(data, [first]), 1, speeds)
        return context.make_tuple(builder, sig.return_type, values)

    return types.UniTuple(number, 6)(row, start, address, fading_only, twist), lower


class _Call:
    """The call of one function with its place for the result."""

    def __init__(self, builder: Any, function: Any, fading: Any, result: Any) -> None:
        self.builder, self.function, self.fading, self.result = builder, function, fading, result

    def wrench(self, numbers: Any, stride: int, speeds: list[Any]) -> list[Any]:
        """Six numbers, for records whose numbers are a stride apart."""
        stride_value = ir.Constant(_WORD, stride)
        self.builder.call(self.function, [numbers, stride_value, self.fading, *speeds, self.result])
        places = [self.builder.gep(self.result, [ir.Constant(_WORD, i)]) for i in range(6)]
        return [self.builder.load(place) for place in places]


def _lane_by_lane(call: _Call, array: Any, first: Any, speeds: list[Any]) -> list[Any]:
    """Six lanes, from one call per lane."""
    builder, values = call.builder, [ir.Constant(speeds[0].type, ir.Undefined)] * 6
    begin = builder.mul(first, ir.Constant(_WORD, WIDTH))
    for lane in range(WIDTH):
        place = ir.Constant(ir.IntType(32), lane)
        own = [builder.extract_element(speed, place) for speed in speeds]
        numbers = builder.gep(array.data, [builder.add(begin, ir.Constant(_WORD, lane))])
        wrench = call.wrench(numbers, WIDTH, own)
        values = [builder.insert_element(a, b, place) for a, b in zip(values, wrench, strict=True)]
    return values


def _call(row: Any, layout: Any, twist: Any, fading_only: Any) -> Any:
    return call_user_forms(row, user_forms_start(layout), layout.user_forms, fading_only, twist)


def _no_number(row: Any, layout: Any, twist: Any, fading_only: Any) -> Any:
    return scale6(math.nan, twist)


def register_user_forms_call(options: dict[str, Any]) -> None:
    """Let compiled code call the function of user-defined forms wherever the sources name the plain loop.

    For numbers of another kind, such as dual numbers, the wrench is not a number: that code must refuse such vehicles.
    """

    def choose(row: Any, layout: Any, twist: Any, fading_only: Any) -> Any:
        return _call if all(kind in (types.float64, lanes) for kind in twist) else _no_number

    jit_options: Any = options
    numba.extending.overload(hull_forms.user_forms_wrench, jit_options=jit_options)(choose)
