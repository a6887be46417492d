"""SIMD lanes: a number type for Numba that holds one number of each of several vehicles in one processor register.

The equations are written for any kind of number, so compiled with these they process several vehicles in about the
time of one. `Lanes` are the numbers and `Mask` the results of comparisons. An array of lanes lies in the memory of a
plain array whose last axis is the vehicle (see `layouts.number_arrays`).
"""

# Numba's internals are untyped.
# mypy: disable-error-code="misc, untyped-decorator, no-untyped-call, import-untyped, attr-defined"

import math
import operator
from collections.abc import Callable
from typing import Any

import numba.extending
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.typeconv import Conversion
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import lower_builtin, lower_cast, models, register_model

from remora.plant.arrays import view_of_numbers

_intrinsic: Any = numba.extending.intrinsic

WIDTH = 4  # lanes: vehicles per register

_VECTOR = ir.VectorType(ir.DoubleType(), WIDTH)
_MASK = ir.VectorType(ir.IntType(1), WIDTH)


class Lanes(types.Type):
    """One number per vehicle; a float is broadcast."""

    width = WIDTH  # numbers in memory

    def __init__(self) -> None:
        super().__init__(name="Lanes")

    def can_convert_from(self, typingctx: Any, other: Any) -> Any:
        """A float becomes equal lanes."""
        return Conversion.safe if other == types.float64 else None

    def load(self, builder: Any, place: Any) -> Any:
        """The lanes at a pointer to their first number."""
        return builder.load(builder.bitcast(place, _VECTOR.as_pointer()), align=8)

    def store(self, builder: Any, value: Any, place: Any) -> None:
        """Write lanes, or one float for all, to a pointer."""
        builder.store(_spread(builder, value), builder.bitcast(place, _VECTOR.as_pointer()), align=8)


class Mask(types.Type):
    """One truth value per vehicle."""

    def __init__(self) -> None:
        super().__init__(name="Mask")


lanes, mask = Lanes(), Mask()


@register_model(Lanes)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, _VECTOR)


@register_model(Mask)
class _MaskModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, _MASK)


def _spread(builder: Any, value: Any) -> Any:
    """The same number in every lane."""
    if value.type == _VECTOR:
        return value
    first = builder.insert_element(ir.Constant(_VECTOR, ir.Undefined), value, ir.Constant(ir.IntType(32), 0))
    places = ir.Constant(ir.VectorType(ir.IntType(32), WIDTH), [0] * WIDTH)
    return builder.shuffle_vector(first, ir.Constant(_VECTOR, ir.Undefined), places)


@lower_cast(types.float64, Lanes)
def _float_to_lanes(context: Any, builder: Any, fromty: Any, toty: Any, value: Any) -> Any:
    return _spread(builder, value)


def _is_number(kind: Any) -> bool:
    return kind == lanes or kind == types.float64


def _register_operator(function: Any, result: Any, emit: Callable[[Any, Any, Any], Any]) -> None:
    """Register an operation on two lanes, or on lanes and a float."""

    @infer_global(function)
    class _Template(AbstractTemplate):
        def generic(self, args: Any, kws: Any) -> Any:
            if len(args) == 2 and lanes in args and all(map(_is_number, args)):
                return signature(result, *args)
            return None

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return emit(builder, _spread(builder, args[0]), _spread(builder, args[1]))

    for kinds in ((Lanes, Lanes), (Lanes, types.Float), (types.Float, Lanes)):
        lower_builtin(function, *kinds)(lower)


_register_operator(operator.add, lanes, lambda builder, a, b: builder.fadd(a, b))
_register_operator(operator.sub, lanes, lambda builder, a, b: builder.fsub(a, b))
_register_operator(operator.mul, lanes, lambda builder, a, b: builder.fmul(a, b))
_register_operator(operator.truediv, lanes, lambda builder, a, b: builder.fdiv(a, b))
_register_operator(operator.eq, mask, lambda builder, a, b: builder.fcmp_ordered("==", a, b))
_register_operator(operator.ne, mask, lambda builder, a, b: builder.fcmp_unordered("!=", a, b))
_register_operator(operator.lt, mask, lambda builder, a, b: builder.fcmp_ordered("<", a, b))
_register_operator(operator.le, mask, lambda builder, a, b: builder.fcmp_ordered("<=", a, b))
_register_operator(operator.gt, mask, lambda builder, a, b: builder.fcmp_ordered(">", a, b))
_register_operator(operator.ge, mask, lambda builder, a, b: builder.fcmp_ordered(">=", a, b))


def _register_function(function: Any, arity: int, lower: Callable[..., Any]) -> None:
    """Register a function of `arity` lanes."""

    @infer_global(function)
    class _Template(AbstractTemplate):
        def generic(self, args: Any, kws: Any) -> Any:
            return signature(lanes, *args) if args == (lanes,) * arity else None

    lower_builtin(function, *(Lanes,) * arity)(lower)


def _vector_function(name: str) -> Callable[..., Any]:
    """A function that the processor evaluates on whole registers."""

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        kind = ir.FunctionType(_VECTOR, [_VECTOR])
        function = cgutils.get_or_insert_function(builder.module, kind, f"llvm.{name}.v{WIDTH}f64")
        return builder.call(function, args)

    return lower


def _lane_by_lane(function: Any) -> Callable[..., Any]:
    """A function that is called once per lane."""

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        scalar = signature(types.float64, *(types.float64,) * len(args))
        call = context.get_function(function, scalar)
        result = ir.Constant(_VECTOR, ir.Undefined)
        for lane in range(WIDTH):
            place = ir.Constant(ir.IntType(32), lane)
            value = call(builder, [builder.extract_element(arg, place) for arg in args])
            result = builder.insert_element(result, value, place)
        return result

    return lower


def _negative(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.fneg(args[0])


@infer_global(operator.pow)
class _Power(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        whole = isinstance(args[1], types.IntegerLiteral) and 1 <= args[1].literal_value <= 4
        return signature(lanes, *args) if args[0] == lanes and whole else None


@lower_builtin(operator.pow, Lanes, types.IntegerLiteral)
def _power(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    result = args[0]
    for _ in range(sig.args[1].literal_value - 1):
        result = builder.fmul(result, args[0])
    return result


_register_function(operator.neg, 1, _negative)
_register_function(abs, 1, _vector_function("fabs"))
_register_function(math.sqrt, 1, _vector_function("sqrt"))
for _function in (math.sin, math.cos, math.tan, math.asin, math.exp, math.log, math.tanh):
    _register_function(_function, 1, _lane_by_lane(_function))
_register_function(math.atan2, 2, _lane_by_lane(math.atan2))


@_intrinsic
def blend(typingctx: Any, condition: Any, a: Any, b: Any) -> Any:
    """The lanes of a where the mask is set, else those of b; both may also be masks."""
    kind = mask if a == mask else lanes

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        chosen = args[1:] if kind == mask else [_spread(builder, arg) for arg in args[1:]]
        return builder.select(args[0], *chosen)

    return kind(condition, a, b), lower


@_intrinsic
def mask_and(typingctx: Any, first: Any, second: Any) -> Any:
    """Conjunction of two masks."""
    return mask(first, second), lambda context, builder, sig, args: builder.and_(*args)


@_intrinsic
def mask_or(typingctx: Any, first: Any, second: Any) -> Any:
    """Disjunction of two masks."""
    return mask(first, second), lambda context, builder, sig, args: builder.or_(*args)


@_intrinsic
def all_set(typingctx: Any, condition: Any) -> Any:
    """Whether the mask is set in every lane."""

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        bits = builder.bitcast(args[0], ir.IntType(WIDTH))
        return builder.icmp_unsigned("==", bits, ir.Constant(ir.IntType(WIDTH), -1))

    return types.boolean(condition), lower


@_intrinsic
def lane_array(typingctx: Any, memory: Any, start: Any, shape: Any) -> Any:
    """View of a plain row of numbers from an index on, as an array of lanes of this shape."""
    return view_of_numbers(lanes, memory, start, shape)
