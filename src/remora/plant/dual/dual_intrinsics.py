"""Functions of dual numbers inside compiled code: seeds, slopes, choices without a branch, arrays and tuples."""

# Numba's internals are untyped.
# mypy: disable-error-code="misc, untyped-decorator, no-untyped-call, import-untyped, attr-defined"

from typing import Any

import numba.extending
from llvmlite import ir
from numba import types

from remora.plant.dual.dual_numbers import Dual, dual_type, joined, no_slopes, slopes_type, split, spread
from remora.plant.layouts.number_arrays import view_of_numbers

_intrinsic: Any = numba.extending.intrinsic

SLOPES = 8  # directions at once: two registers of four numbers each


@_intrinsic
def dual_blend(typingctx: Any, condition: Any, a: Any, b: Any) -> Any:
    """a where the condition holds, else b, without a branch; a float is a constant."""
    kind = dual_type((a, b))

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        first, second = split(builder, args[1]), split(builder, args[2])
        slopes = [no_slopes(kind.slopes) if x.slopes is None else x.slopes for x in (first, second)]
        value = builder.select(args[0], first.value, second.value)
        return joined(builder, kind.slopes, value, builder.select(args[0], *slopes))

    return kind(condition, a, b), lower


@_intrinsic
def seeded(typingctx: Any, value: Any, direction: Any) -> Any:
    """A number with the slope one in a direction, or a constant where the direction is none of 0 to SLOPES - 1."""

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        directions = ir.Constant(ir.VectorType(ir.IntType(64), SLOPES), list(range(SLOPES)))
        here = builder.icmp_signed("==", directions, spread(builder, SLOPES, args[1]))
        ones = ir.Constant(slopes_type(SLOPES), [1.0] * SLOPES)
        return joined(builder, SLOPES, args[0], builder.select(here, ones, no_slopes(SLOPES)))

    return Dual(SLOPES)(types.float64, types.int64), lower


@_intrinsic
def value_of(typingctx: Any, number: Any) -> Any:
    """The value of a dual number, or a float itself."""
    return types.float64(number), lambda context, builder, sig, args: split(builder, args[0]).value


@_intrinsic
def store_slopes(typingctx: Any, memory: Any, start: Any, number: Any) -> Any:
    """Write the slopes of a number into a row of floats, from an index on; those of a float are zero."""

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        array = context.make_array(sig.args[0])(context, builder, args[0])
        place = builder.bitcast(builder.gep(array.data, [args[1]]), slopes_type(SLOPES).as_pointer())
        slopes = split(builder, args[2]).slopes
        builder.store(no_slopes(SLOPES) if slopes is None else slopes, place, align=8)
        return context.get_dummy_value()

    return types.none(memory, types.int64, number), lower


@_intrinsic
def dual_array(typingctx: Any, memory: Any, start: Any, shape: Any) -> Any:
    """View of a plain row of numbers from an index on, as an array of dual numbers of this shape."""
    return view_of_numbers(Dual(SLOPES), memory, start, shape)
