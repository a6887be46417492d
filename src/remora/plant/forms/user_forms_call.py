"""Call of the compiled function of user-defined forms from the compiled loops, by its address.

The loops are compiled once for all vehicles; which user-defined forms a vehicle has is known at run time only.
"""

# Numba's internals are untyped.
# mypy: disable-error-code="untyped-decorator, no-untyped-call"

from typing import Any

import numba.extending
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.np.arrayobj import make_array

from remora.equations.algebra.vectors import dot6
from remora.equations.hull import hull_forms
from remora.equations.packed import user_forms_start
from remora.plant.arrays import NumberArray
from remora.plant.batches.lanes import WIDTH, lanes
from remora.plant.dual.dual_functions import SLOPES, value_of

_intrinsic: Any = numba.extending.intrinsic

# numbers of the records, their stride, whether only fading forms count, the twist, and where the results go: the
# wrench, and in the function for derivatives the slopes of each component, SLOPES numbers each
SIGNATURE = types.void(
    types.CPointer(types.float64), types.intp, types.intp, *[types.float64] * 6, types.CPointer(types.float64)
)
WRENCH_SIZE, DERIVATIVES_SIZE = 6, 6 + 6 * SLOPES
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
        call = _Call(builder, function, fading, WRENCH_SIZE)
        if by_lane:
            values = _lane_by_lane(call, cgutils.create_struct_proxy(row)(context, builder, args[0]), first, speeds)
        else:
            data = make_array(row)(context, builder, args[0]).data
            values = call.results(builder.gep(data, [first]), 1, speeds)
        return context.make_tuple(builder, sig.return_type, values)

    return types.UniTuple(number, 6)(row, start, address, fading_only, twist), lower


@_intrinsic
def call_user_derivatives(typingctx: Any, row: Any, start: Any, address: Any, fading_only: Any, twist: Any) -> Any:
    """Each component of the wrench and its slopes by the six speeds, of the function for derivatives at an address."""

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        speeds = cgutils.unpack_tuple(builder, args[4])
        first = context.cast(builder, args[1], sig.args[1], types.intp)
        fading = context.cast(builder, args[3], sig.args[3], types.intp)
        function = builder.inttoptr(args[2], _FUNCTION.as_pointer())
        data = make_array(row)(context, builder, args[0]).data
        values = _Call(builder, function, fading, DERIVATIVES_SIZE).results(builder.gep(data, [first]), 1, speeds)
        rows = [values[6 + SLOPES * i : 12 + SLOPES * i] for i in range(6)]
        inner = [context.make_tuple(builder, component, [values[i], *rows[i]]) for i in range(6)]
        return context.make_tuple(builder, sig.return_type, inner)

    component = types.UniTuple(types.float64, 7)
    result = types.UniTuple(component, 6)
    return result(row, start, address, fading_only, types.UniTuple(types.float64, 6)), lower


class _Call:
    """The call of one function with room for its results."""

    def __init__(self, builder: Any, function: Any, fading: Any, size: int) -> None:
        self.builder, self.function, self.fading, self.size = builder, function, fading, size
        self.result = cgutils.alloca_once(builder, _DOUBLE, size=size)

    def results(self, numbers: Any, stride: int, speeds: list[Any]) -> list[Any]:
        """All results, for records whose numbers are a stride apart."""
        stride_value = ir.Constant(_WORD, stride)
        self.builder.call(self.function, [numbers, stride_value, self.fading, *speeds, self.result])
        places = [self.builder.gep(self.result, [ir.Constant(_WORD, i)]) for i in range(self.size)]
        return [self.builder.load(place) for place in places]


def _lane_by_lane(call: _Call, array: Any, first: Any, speeds: list[Any]) -> list[Any]:
    """Six lanes, from one call per lane."""
    builder, values = call.builder, [ir.Constant(speeds[0].type, ir.Undefined)] * 6
    begin = builder.mul(first, ir.Constant(_WORD, WIDTH))
    for lane in range(WIDTH):
        place = ir.Constant(ir.IntType(32), lane)
        own = [builder.extract_element(speed, place) for speed in speeds]
        numbers = builder.gep(array.data, [builder.add(begin, ir.Constant(_WORD, lane))])
        wrench = call.results(numbers, WIDTH, own)
        values = [builder.insert_element(a, b, place) for a, b in zip(values, wrench, strict=True)]
    return values


def _call(row: Any, layout: Any, twist: Any, fading_only: Any) -> Any:
    return call_user_forms(row, user_forms_start(layout), layout.user_forms, fading_only, twist)


def _call_with_duals(row: Any, layout: Any, twist: Any, fading_only: Any) -> Any:
    """The wrench of dual speeds by the chain rule, from its slopes by the six speeds."""
    v = (value_of(twist[0]), value_of(twist[1]), value_of(twist[2]), value_of(twist[3]), value_of(twist[4]),
         value_of(twist[5]))  # fmt: skip
    found = call_user_derivatives(row, user_forms_start(layout), layout.user_forms, fading_only, v)
    # Zeros with the slopes of the speeds.
    small = (twist[0] - v[0], twist[1] - v[1], twist[2] - v[2], twist[3] - v[3], twist[4] - v[4], twist[5] - v[5])
    return (
        found[0][0] + dot6(found[0][1:], small),
        found[1][0] + dot6(found[1][1:], small),
        found[2][0] + dot6(found[2][1:], small),
        found[3][0] + dot6(found[3][1:], small),
        found[4][0] + dot6(found[4][1:], small),
        found[5][0] + dot6(found[5][1:], small),
    )


def register_user_forms_call(options: dict[str, Any]) -> None:
    """Let compiled code call the function of user-defined forms wherever the sources name the plain loop.

    With dual numbers the address in the layout must be that of the function for derivatives.
    """

    def choose(row: Any, layout: Any, twist: Any, fading_only: Any) -> Any:
        return _call if all(kind in (types.float64, lanes) for kind in twist) else _call_with_duals

    jit_options: Any = options
    numba.extending.overload(hull_forms.user_forms_wrench, jit_options=jit_options)(choose)
