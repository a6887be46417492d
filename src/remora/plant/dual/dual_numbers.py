"""Dual numbers: a number type for Numba that holds a value and its slopes in several directions.

The equations are written for any kind of number, so compiled with these they give their exact derivatives (forward
differentiation; Griewank and Walther 2008, ch. 3). At a kink the slope is that of the branch taken: |x| has the slope 1
at zero, and `maximum`, `minimum` and `select` have that of the value they return. Where a slope of zero meets an
infinite one, as for the length of a vector at zero, the product is zero; so is the slope of the angle of a zero vector.
"""

# Numba's internals are untyped.
# mypy: disable-error-code="misc, untyped-decorator, no-untyped-call, import-untyped, attr-defined"

import math
import operator
from collections.abc import Callable
from typing import Any, NamedTuple

from llvmlite import ir
from numba import types
from numba.core.typeconv import Conversion
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import lower_builtin, lower_cast, models, register_model

_DOUBLE = ir.DoubleType()
_INDEX = ir.IntType(32)


class Dual(types.Type):
    """A value and its slopes in k directions; a float is a constant."""

    def __init__(self, slopes: int) -> None:
        self.slopes = slopes
        self.width = 1 + slopes  # numbers in memory
        super().__init__(name=f"Dual({slopes})")

    def can_convert_from(self, typingctx: Any, other: Any) -> Any:
        """A float becomes a constant."""
        return Conversion.safe if other == types.float64 else None

    def load(self, builder: Any, place: Any) -> Any:
        """The number at a pointer: its value, then its slopes."""
        vector = slopes_type(self.slopes).as_pointer()
        slopes = builder.load(builder.bitcast(_next(builder, place), vector), align=8)
        return joined(builder, self.slopes, builder.load(place), slopes)

    def store(self, builder: Any, value: Any, place: Any) -> None:
        """Write a dual number or a constant to a pointer."""
        parts = split(builder, value)
        vector = slopes_type(self.slopes)
        builder.store(parts.value, place)
        slopes = no_slopes(self.slopes) if parts.slopes is None else parts.slopes
        builder.store(slopes, builder.bitcast(_next(builder, place), vector.as_pointer()), align=8)


class Parts(NamedTuple):
    """Value and slopes of a number in the code under construction; a constant has no slopes."""

    value: Any
    slopes: Any


def slopes_type(count: int) -> Any:
    """LLVM type of the slopes."""
    return ir.VectorType(_DOUBLE, count)


def no_slopes(count: int) -> Any:
    """The slopes of a constant."""
    return ir.Constant(slopes_type(count), [0.0] * count)


def _next(builder: Any, place: Any) -> Any:
    return builder.gep(place, [ir.Constant(_INDEX, 1)])


def split(builder: Any, number: Any) -> Parts:
    """Value and slopes of a dual number or a float."""
    if number.type == _DOUBLE:
        return Parts(number, None)
    return Parts(builder.extract_value(number, 0), builder.extract_value(number, 1))


def joined(builder: Any, count: int, value: Any, slopes: Any) -> Any:
    """The dual number of a value and slopes, which are zero where there are none."""
    made = ir.Constant(ir.LiteralStructType([_DOUBLE, slopes_type(count)]), ir.Undefined)
    made = builder.insert_value(made, value, 0)
    return builder.insert_value(made, no_slopes(count) if slopes is None else slopes, 1)


def spread(builder: Any, count: int, value: Any) -> Any:
    """The same number in every direction."""
    kind = ir.VectorType(value.type, count)
    first = builder.insert_element(ir.Constant(kind, ir.Undefined), value, ir.Constant(_INDEX, 0))
    return builder.shuffle_vector(
        first, ir.Constant(kind, ir.Undefined), ir.Constant(ir.VectorType(_INDEX, count), [0] * count)
    )


def scaled(builder: Any, count: int, slopes: Any, factor: Any) -> Any:
    """Slopes times a number."""
    return builder.fmul(slopes, spread(builder, count, factor))


def chained(builder: Any, count: int, slopes: Any, factor: Any) -> Any:
    """Slopes times the slope of a function, which may be infinite where they are zero."""
    product = scaled(builder, count, slopes, factor)
    zero = no_slopes(count)
    return builder.select(builder.fcmp_ordered("==", slopes, zero), zero, product)


@register_model(Dual)
class _DualModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, ir.LiteralStructType([_DOUBLE, slopes_type(kind.slopes)]))


@lower_cast(types.float64, Dual)
def _constant(context: Any, builder: Any, fromty: Any, toty: Any, value: Any) -> Any:
    return joined(builder, toty.slopes, value, None)


def dual_type(kinds: Any) -> Any:
    """The dual type among these, if all others are floats; else None."""
    duals = [kind for kind in kinds if isinstance(kind, Dual)]
    return duals[0] if duals and all(kind in (duals[0], types.float64) for kind in kinds) else None


def _register(function: Any, arity: int, result: Any, emit: Callable[..., Any]) -> None:
    """Register a function of dual numbers, some of which may be floats; emit(context, builder, k, *parts)."""

    @infer_global(function)
    class _Template(AbstractTemplate):
        def generic(self, args: Any, kws: Any) -> Any:
            kind = dual_type(args) if len(args) == arity else None
            return signature(result or kind, *args) if kind else None

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        count = dual_type(sig.args).slopes
        made = emit(context, builder, count, *(split(builder, arg) for arg in args))
        return joined(builder, count, *made) if isinstance(made, Parts) else made

    mixed = ((Dual, Dual), (Dual, types.Float), (types.Float, Dual))
    for kinds in mixed if arity == 2 else ((Dual,),):
        lower_builtin(function, *kinds)(lower)


def _sum(context: Any, builder: Any, count: int, a: Parts, b: Parts) -> Parts:
    both = a.slopes is not None and b.slopes is not None
    slopes = builder.fadd(a.slopes, b.slopes) if both else a.slopes or b.slopes
    return Parts(builder.fadd(a.value, b.value), slopes)


def _difference(context: Any, builder: Any, count: int, a: Parts, b: Parts) -> Parts:
    if a.slopes is None:
        slopes = builder.fneg(b.slopes)
    else:
        slopes = a.slopes if b.slopes is None else builder.fsub(a.slopes, b.slopes)
    return Parts(builder.fsub(a.value, b.value), slopes)


def _product(context: Any, builder: Any, count: int, a: Parts, b: Parts) -> Parts:
    terms = [scaled(builder, count, x.slopes, y.value) for x, y in ((a, b), (b, a)) if x.slopes is not None]
    return Parts(builder.fmul(a.value, b.value), builder.fadd(*terms) if len(terms) == 2 else terms[0])


def _quotient(context: Any, builder: Any, count: int, a: Parts, b: Parts) -> Parts:
    value, inverse = builder.fdiv(a.value, b.value), builder.fdiv(ir.Constant(_DOUBLE, 1.0), b.value)
    slopes = a.slopes
    if b.slopes is not None:
        term = scaled(builder, count, b.slopes, value)
        slopes = builder.fneg(term) if slopes is None else builder.fsub(slopes, term)
    return Parts(value, scaled(builder, count, slopes, inverse))


def _comparison(sign: str) -> Callable[..., Any]:
    def emit(context: Any, builder: Any, count: int, a: Parts, b: Parts) -> Any:
        compare = builder.fcmp_unordered if sign == "!=" else builder.fcmp_ordered
        return compare(sign, a.value, b.value)

    return emit


def _negative(context: Any, builder: Any, count: int, x: Parts) -> Parts:
    return Parts(builder.fneg(x.value), builder.fneg(x.slopes))


def _absolute(context: Any, builder: Any, count: int, x: Parts) -> Parts:
    below = builder.fcmp_ordered("<", x.value, ir.Constant(_DOUBLE, 0.0))
    minus = _negative(context, builder, count, x)
    return Parts(builder.select(below, minus.value, x.value), builder.select(below, minus.slopes, x.slopes))


def _call(context: Any, builder: Any, function: Any, *values: Any) -> Any:
    """A function of floats."""
    kind = signature(types.float64, *(types.float64,) * len(values))
    return context.get_function(function, kind)(builder, values)


def _chain_rule(function: Any, slope: Callable[..., Any]) -> Callable[..., Any]:
    """A function of one number; slope(builder, call, x, y) is its derivative at x, where its value is y."""

    def emit(context: Any, builder: Any, count: int, x: Parts) -> Parts:
        def call(other: Any, value: Any) -> Any:
            return _call(context, builder, other, value)

        value = call(function, x.value)
        return Parts(value, chained(builder, count, x.slopes, slope(builder, call, x.value, value)))

    return emit


def _atan2(context: Any, builder: Any, count: int, y: Parts, x: Parts) -> Parts:
    squared = builder.fadd(builder.fmul(x.value, x.value), builder.fmul(y.value, y.value))
    at_zero = builder.fcmp_ordered("==", squared, ir.Constant(_DOUBLE, 0.0))
    divisor = builder.select(at_zero, ir.Constant(_DOUBLE, 1.0), squared)
    slopes = None
    if y.slopes is not None:
        slopes = scaled(builder, count, y.slopes, builder.fdiv(x.value, divisor))
    if x.slopes is not None:
        term = scaled(builder, count, x.slopes, builder.fdiv(y.value, divisor))
        slopes = builder.fneg(term) if slopes is None else builder.fsub(slopes, term)
    return Parts(_call(context, builder, math.atan2, y.value, x.value), slopes)


def _one_minus_square(builder: Any, x: Any) -> Any:
    return builder.fsub(ir.Constant(_DOUBLE, 1.0), builder.fmul(x, x))


def _inverse(builder: Any, x: Any) -> Any:
    return builder.fdiv(ir.Constant(_DOUBLE, 1.0), x)


_DERIVATIVES: dict[Any, Callable[..., Any]] = {
    math.sqrt: lambda builder, call, x, y: builder.fdiv(ir.Constant(_DOUBLE, 0.5), y),
    math.sin: lambda builder, call, x, y: call(math.cos, x),
    math.cos: lambda builder, call, x, y: builder.fneg(call(math.sin, x)),
    math.tan: lambda builder, call, x, y: builder.fadd(ir.Constant(_DOUBLE, 1.0), builder.fmul(y, y)),
    math.asin: lambda builder, call, x, y: _inverse(builder, call(math.sqrt, _one_minus_square(builder, x))),
    math.exp: lambda builder, call, x, y: y,
    math.log: lambda builder, call, x, y: _inverse(builder, x),
    math.tanh: lambda builder, call, x, y: _one_minus_square(builder, y),
}

_OPERATIONS = {
    operator.add: _sum, operator.sub: _difference, operator.mul: _product, operator.truediv: _quotient,
    math.atan2: _atan2,
}  # fmt: skip
_COMPARISONS = {
    operator.eq: "==", operator.ne: "!=", operator.lt: "<", operator.le: "<=", operator.gt: ">", operator.ge: ">=",
}  # fmt: skip

for _function, _emit in _OPERATIONS.items():
    _register(_function, 2, None, _emit)
for _function, _sign in _COMPARISONS.items():
    _register(_function, 2, types.boolean, _comparison(_sign))
for _function, _slope in _DERIVATIVES.items():
    _register(_function, 1, None, _chain_rule(_function, _slope))
_register(operator.neg, 1, None, _negative)
_register(abs, 1, None, _absolute)


@infer_global(operator.pow)
class _Power(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        whole = isinstance(args[1], types.IntegerLiteral) and 1 <= args[1].literal_value <= 4
        return signature(args[0], *args) if isinstance(args[0], Dual) and whole else None


@lower_builtin(operator.pow, Dual, types.IntegerLiteral)
def _power(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    count = sig.args[0].slopes
    base = result = split(builder, args[0])
    for _ in range(sig.args[1].literal_value - 1):
        result = _product(context, builder, count, base, result)
    return joined(builder, count, *result)
