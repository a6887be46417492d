"""Tuples of numbers inside compiled code: read from rows of floats with or without slopes, and written back."""

# Numba's internals are untyped.
# mypy: disable-error-code="misc, untyped-decorator, no-untyped-call, import-untyped, attr-defined"

from typing import Any

import numba.extending
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.errors import TypingError

from remora.plant.dual.dual_intrinsics import SLOPES
from remora.plant.dual.dual_numbers import Dual, joined, no_slopes, slopes_type, split

_intrinsic: Any = numba.extending.intrinsic
_LONG = ir.IntType(64)


def _row(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    """Pointer to the first number of a row."""
    return context.make_array(kind)(context, builder, value).data


def _element(builder: Any, first: Any, index: int) -> Any:
    return builder.gep(first, [ir.Constant(_LONG, index)])


@_intrinsic(prefer_literal=True)
def float_tuple(typingctx: Any, row: Any, count: Any) -> Any:
    """The first numbers of a row as a tuple; their count is known when compiling."""
    size = count.literal_value

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        first = _row(context, builder, sig.args[0], args[0])
        items = [builder.load(_element(builder, first, i)) for i in range(size)]
        return context.make_tuple(builder, sig.return_type, items)

    return types.UniTuple(types.float64, size)(row, count), lower


def _seeded(context: Any, builder: Any, kind: Any, values: Any, group: Any) -> Any:
    """A tuple of dual numbers, number i with the slope one in the direction i less the start of a group."""
    one, zero = ir.Constant(ir.DoubleType(), 1.0), ir.Constant(ir.DoubleType(), 0.0)
    items = []
    for i, value in enumerate(values):
        direction, slopes = builder.sub(ir.Constant(_LONG, i), group), no_slopes(SLOPES)
        for k in range(SLOPES):
            here = builder.icmp_signed("==", direction, ir.Constant(_LONG, k))
            slopes = builder.insert_element(slopes, builder.select(here, one, zero), ir.Constant(ir.IntType(32), k))
        items.append(joined(builder, SLOPES, value, slopes))
    return context.make_tuple(builder, kind, items)


@_intrinsic(prefer_literal=True)
def seeded_tuple(typingctx: Any, row: Any, group: Any, count: Any) -> Any:
    """The first numbers of a row, number i with the slope one in the direction i less the start of a group."""

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        first = _row(context, builder, sig.args[0], args[0])
        values = [builder.load(_element(builder, first, i)) for i in range(count.literal_value)]
        return _seeded(context, builder, sig.return_type, values, args[1])

    return types.UniTuple(Dual(SLOPES), count.literal_value)(row, types.int64, count), lower


@_intrinsic(prefer_literal=True)
def seeded_zeros(typingctx: Any, group: Any, count: Any) -> Any:
    """Zeros, number i with the slope one in the direction i less the start of a group."""

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        values = [ir.Constant(ir.DoubleType(), 0.0)] * count.literal_value
        return _seeded(context, builder, sig.return_type, values, args[0])

    return types.UniTuple(Dual(SLOPES), count.literal_value)(types.int64, count), lower


@_intrinsic
def dual_tuple(typingctx: Any, numbers: Any) -> Any:
    """A tuple with all its numbers as dual numbers: floats among them become constants."""

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        parts = [split(builder, item) for item in cgutils.unpack_tuple(builder, args[0], len(numbers))]
        items = [joined(builder, SLOPES, part.value, part.slopes) for part in parts]
        return context.make_tuple(builder, sig.return_type, items)

    return types.UniTuple(Dual(SLOPES), len(numbers))(numbers), lower


def _check_length(numbers: Any, count: Any) -> None:
    """Refuse a tuple of another length than its place in memory."""
    # Numba tries a second time without the literal, where the length is unknown.
    if len(numbers) != getattr(count, "literal_value", None):
        raise TypingError(f"a function returns {len(numbers)} numbers, which is not the number expected")


@_intrinsic(prefer_literal=True)
def store_tuple_values(typingctx: Any, row: Any, numbers: Any, count: Any) -> Any:
    """Write the values of a tuple of this length to the start of a row."""
    _check_length(numbers, count)

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        first = _row(context, builder, sig.args[0], args[0])
        for i, item in enumerate(cgutils.unpack_tuple(builder, args[1], len(numbers))):
            builder.store(split(builder, item).value, _element(builder, first, i))
        return context.get_dummy_value()

    return types.none(row, numbers, count), lower


@_intrinsic(prefer_literal=True)
def store_tuple_slopes(typingctx: Any, matrix: Any, column: Any, width: Any, numbers: Any, count: Any) -> Any:
    """Write the slopes of a tuple of this length to a matrix of rows of this width, from a column on."""
    _check_length(numbers, count)

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        place = builder.gep(_row(context, builder, sig.args[0], args[0]), [args[1]])
        for item in cgutils.unpack_tuple(builder, args[3], len(numbers)):
            slopes = split(builder, item).slopes
            target = builder.bitcast(place, slopes_type(SLOPES).as_pointer())
            builder.store(no_slopes(SLOPES) if slopes is None else slopes, target, align=8)
            place = builder.gep(place, [args[2]])
        return context.get_dummy_value()

    return types.none(matrix, types.int64, types.int64, numbers, count), lower
