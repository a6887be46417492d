"""SIMD lanes: a number type for Numba that holds one number of each of several vehicles in one processor register.

The equations are written for any kind of number, so compiled with these they process several vehicles in about the
time of one. `Lanes` are the numbers, `Mask` the results of comparisons, and a `LaneArray` is an array of lanes in the
memory of a plain array whose last axis is the vehicle. Indices of a lane array are not checked and count from its
start only; slices have a start and a stop.
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
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, infer_getattr, infer_global, signature
from numba.extending import lower_builtin, lower_cast, lower_getattr, models, register_model

_intrinsic: Any = numba.extending.intrinsic

WIDTH = 4  # lanes: vehicles per register

_VECTOR = ir.VectorType(ir.DoubleType(), WIDTH)
_MASK = ir.VectorType(ir.IntType(1), WIDTH)
_DOUBLE_POINTER = ir.DoubleType().as_pointer()


class Lanes(types.Type):
    """One number per vehicle; a float is broadcast."""

    def __init__(self) -> None:
        super().__init__(name="Lanes")

    def can_convert_from(self, typingctx: Any, other: Any) -> Any:
        """A float becomes equal lanes."""
        return Conversion.safe if other == types.float64 else None


class Mask(types.Type):
    """One truth value per vehicle."""

    def __init__(self) -> None:
        super().__init__(name="Mask")


class LaneArray(types.Type):
    """An array of lanes."""

    def __init__(self, ndim: int) -> None:
        self.ndim = ndim
        super().__init__(name=f"LaneArray({ndim})")


lanes, mask = Lanes(), Mask()


@register_model(Lanes)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, _VECTOR)


@register_model(Mask)
class _MaskModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, _MASK)


@register_model(LaneArray)
class _LaneArrayModel(models.StructModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        members = [("data", types.CPointer(types.float64)), ("shape", types.UniTuple(types.intp, kind.ndim))]
        super().__init__(manager, kind, members)


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

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        array = context.make_array(sig.args[0])(context, builder, args[0])
        made = cgutils.create_struct_proxy(sig.return_type)(context, builder)
        made.data = builder.gep(array.data, [args[1]])
        made.shape = context.cast(builder, args[2], sig.args[2], types.UniTuple(types.intp, sig.return_type.ndim))
        return made._getvalue()

    return LaneArray(len(shape))(memory, start, shape), lower


@infer_getattr
class _LaneArrayAttributes(AttributeTemplate):
    key = LaneArray

    def resolve_shape(self, array: Any) -> Any:
        return types.UniTuple(types.intp, array.ndim)

    def resolve_size(self, array: Any) -> Any:
        return types.intp if array.ndim == 1 else None


@lower_getattr(LaneArray, "shape")
def _shape(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    return cgutils.create_struct_proxy(kind)(context, builder, value=value).shape


@lower_getattr(LaneArray, "size")
def _size(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    return builder.extract_value(_shape(context, builder, kind, value), 0)


def _indices(index: Any) -> tuple[Any, ...]:
    """The types of the indices, of one or of a tuple."""
    kinds = tuple(index.types) if isinstance(index, types.BaseTuple) else (index,)
    return kinds if all(isinstance(kind, types.Integer) for kind in kinds) else ()


def _place(context: Any, builder: Any, kind: Any, value: Any, index_kind: Any, index: Any) -> tuple[Any, list[Any]]:
    """Pointer to the element of the indices, and the remaining shape."""
    array = cgutils.create_struct_proxy(kind)(context, builder, value=value)
    shape = cgutils.unpack_tuple(builder, array.shape)
    indices = cgutils.unpack_tuple(builder, index) if isinstance(index_kind, types.BaseTuple) else [index]
    casted = [context.cast(builder, i, k, types.intp) for i, k in zip(indices, _indices(index_kind), strict=True)]
    offset = casted[0]
    for length, i in zip(shape[1:], casted[1:] + [None] * (len(shape) - len(casted)), strict=True):
        offset = builder.mul(offset, length)
        offset = builder.add(offset, i) if i is not None else offset
    offset = builder.mul(offset, context.get_constant(types.intp, WIDTH))
    return builder.gep(array.data, [offset]), shape[len(casted) :]


@infer_global(operator.getitem)
class _GetItem(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        array, index = args
        if array == LaneArray(1) and index == types.slice2_type:
            return signature(array, array, index)
        count = len(_indices(index))
        if not isinstance(array, LaneArray) or not 0 < count <= array.ndim:
            return None
        return signature(lanes if count == array.ndim else LaneArray(array.ndim - count), array, index)


@lower_builtin(operator.getitem, LaneArray, types.Any)
def _get_item(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    place, shape = _place(context, builder, sig.args[0], args[0], sig.args[1], args[1])
    if sig.return_type == lanes:
        return builder.load(builder.bitcast(place, _VECTOR.as_pointer()), align=8)
    part = cgutils.create_struct_proxy(sig.return_type)(context, builder)
    part.data, part.shape = place, cgutils.pack_array(builder, shape)
    return part._getvalue()


@lower_builtin(operator.getitem, LaneArray, types.SliceType)
def _get_slice(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    limits = context.make_helper(builder, sig.args[1], args[1])
    place, _ = _place(context, builder, sig.args[0], args[0], types.intp, limits.start)
    part = cgutils.create_struct_proxy(sig.return_type)(context, builder)
    part.data, part.shape = place, cgutils.pack_array(builder, [builder.sub(limits.stop, limits.start)])
    return part._getvalue()


@infer_global(operator.setitem)
class _SetItem(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        array, index, value = args
        if isinstance(array, LaneArray) and len(_indices(index)) == array.ndim and _is_number(value):
            return signature(types.none, array, index, value)
        return None


@lower_builtin(operator.setitem, LaneArray, types.Any, types.Any)
def _set_item(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    place, _ = _place(context, builder, sig.args[0], args[0], sig.args[1], args[1])
    builder.store(_spread(builder, args[2]), builder.bitcast(place, _VECTOR.as_pointer()), align=8)
    return context.get_dummy_value()
