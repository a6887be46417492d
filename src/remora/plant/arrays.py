"""Arrays inside compiled code: views of memory and of longer rows, and arrays of SIMD lanes or dual numbers.

Views slice and reshape without run-time cost. The type of an element of a `NumberArray` has a `width` (its numbers in
memory) and the methods `load` and `store`. Indices are not checked and count from the start only; slices have a start
and a stop.
"""

# Numba's internals are untyped.
# mypy: disable-error-code="misc, untyped-decorator, no-untyped-call, import-untyped, attr-defined"

import operator
from typing import Any

import numba.extending
from numba import types
from numba.core import cgutils
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, infer_getattr, infer_global, signature
from numba.extending import lower_builtin, lower_getattr, models, register_model
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


class NumberArray(types.Type):
    """An array of numbers of one of the number types of `plant`."""

    def __init__(self, ndim: int, element: Any) -> None:
        self.ndim, self.element = ndim, element
        super().__init__(name=f"NumberArray({ndim}, {element})")


@register_model(NumberArray)
class _NumberArrayModel(models.StructModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        members = [("data", types.CPointer(types.float64)), ("shape", types.UniTuple(types.intp, kind.ndim))]
        super().__init__(manager, kind, members)


def view_of_numbers(element: Any, memory: Any, start: Any, shape: Any, *others: Any) -> Any:
    """Signature and code of an intrinsic that views a row of floats from an index on as an array of this shape.

    All arguments are types; the others are those of further arguments of the intrinsic.
    """
    kind = NumberArray(len(shape), element)

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        array = context.make_array(sig.args[0])(context, builder, args[0])
        made = cgutils.create_struct_proxy(kind)(context, builder)
        made.data = builder.gep(array.data, [args[1]])
        made.shape = context.cast(builder, args[2], sig.args[2], types.UniTuple(types.intp, kind.ndim))
        return made._getvalue()

    return kind(memory, start, shape, *others), lower


@infer_getattr
class _NumberArrayAttributes(AttributeTemplate):
    key = NumberArray

    def resolve_shape(self, array: Any) -> Any:
        return types.UniTuple(types.intp, array.ndim)

    def resolve_size(self, array: Any) -> Any:
        return types.intp if array.ndim == 1 else None


@lower_getattr(NumberArray, "shape")
def _shape(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    return cgutils.create_struct_proxy(kind)(context, builder, value=value).shape


@lower_getattr(NumberArray, "size")
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
    offset = builder.mul(offset, context.get_constant(types.intp, kind.element.width))
    return builder.gep(array.data, [offset]), shape[len(casted) :]


@infer_global(operator.getitem)
class _GetItem(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        array, index = args
        if not isinstance(array, NumberArray):
            return None
        if array.ndim == 1 and index == types.slice2_type:
            return signature(array, array, index)
        left = array.ndim - len(_indices(index))
        if not 0 <= left < array.ndim:
            return None
        return signature(NumberArray(left, array.element) if left else array.element, array, index)


@lower_builtin(operator.getitem, NumberArray, types.Any)
def _get_item(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    place, shape = _place(context, builder, sig.args[0], args[0], sig.args[1], args[1])
    if not shape:
        return sig.args[0].element.load(builder, place)
    part = cgutils.create_struct_proxy(sig.return_type)(context, builder)
    part.data, part.shape = place, cgutils.pack_array(builder, shape)
    return part._getvalue()


@lower_builtin(operator.getitem, NumberArray, types.SliceType)
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
        if not isinstance(array, NumberArray) or len(_indices(index)) != array.ndim:
            return None
        return signature(types.none, array, index, value) if value in (array.element, types.float64) else None


@lower_builtin(operator.setitem, NumberArray, types.Any, types.Any)
def _set_item(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    place, _ = _place(context, builder, sig.args[0], args[0], sig.args[1], args[1])
    sig.args[0].element.store(builder, args[2], place)
    return context.get_dummy_value()
