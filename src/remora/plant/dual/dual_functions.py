"""Functions of dual numbers inside compiled code: seeds, slopes, choices without a branch, arrays and tuples."""

# Numba's internals are untyped.
# mypy: disable-error-code="misc, untyped-decorator, no-untyped-call, import-untyped, attr-defined"

from typing import Any

import numba.extending
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.errors import TypingError

from remora.plant.arrays import view_of_numbers
from remora.plant.dual.dual_numbers import Dual, dual_type, joined, no_slopes, slopes_type, split, spread

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
