"""`Blocks` in kernels on CPU threads: ``blocks[i]``, ``len(blocks)``, and rows decoded ahead.

To compiled code a `Blocks` is four words: the addresses of its arrays and its size. No references
are counted; the caller of a kernel holds the object. A read of one element takes the head of its
block, then the two words of 32 bits in which it lies: three loads and fifteen instructions. Loops
over rows decode many elements first, eight at a time, and read these (`reach`, `nearby`).

Numba finds the code for ``blocks[i]`` by the type of the operand. So the content of this module is
part of the type (`BlocksType.key`), and no other kernel depends on it.
"""

from __future__ import annotations

import operator
from functools import cache
from hashlib import sha256
from inspect import isfunction
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.compiler import Flags
from numba.core.datamodel import models
from numba.core.imputils import impl_ret_borrowed
from numba.extending import NativeValue, intrinsic, register_model, unbox

from edgewise.base.bytecode import code_content
from edgewise.base.compiler import overload
from edgewise.base.cpu.bit_reading import HALF, WORD, load, load_bits, placed, row_of, value_at

__all__ = ["NEAR", "BlocksType", "NearType", "blocks_type", "nearby",
           "packed", "reach", "span"]  # fmt: skip

#: At most so many elements are decoded at once, where a row is read.
NEAR = 504

_1, _32, _PLACE = (np.uint64(i) for i in (1, 32, 26))
#: What compiled code knows of a `Blocks`: attributes of the object.
_FIELDS = ("words_at", "heads_at", "tops_at", "size")


class BlocksType(types.Type):
    """Numba's type of a `Blocks`, or of a slice of one, which kernels make."""

    def __init__(self, dtype: Any, far: bool = False, sliced: bool = False):
        self.dtype, self.far, self.sliced = dtype, far, sliced
        super().__init__(f"Blocks({dtype}{', far' * far}{', sliced' * sliced})")

    @property
    def key(self) -> tuple[Any, ...]:
        """The type of the elements, and the code that reads them: both are in a kernel's hash."""
        return self.dtype, self.far, self.sliced, _content()

    @staticmethod
    def content() -> str:
        """What kernels that name this class depend on, see `edgewise.base.fingerprint`."""
        return _content()

    def place(self, context: Any, builder: Any, blocks: Any, index: Any) -> Any:
        """The address of the first eight bytes that hold an element: what is to be prefetched."""
        return placed(context, builder, self, blocks, index)[0]


@cache
def blocks_type(dtype: np.dtype, far: bool) -> BlocksType:
    """Return Numba's type of blocks that are read as ``dtype``; ``far`` if they have two tops."""
    return BlocksType(types.Integer(dtype.name), far)


@register_model(BlocksType)
class _Model(models.StructModel):
    def __init__(self, dmm: Any, fe_type: Any):
        names = (*_FIELDS, "start") if fe_type.sliced else _FIELDS
        super().__init__(dmm, fe_type, [(name, types.uint64) for name in names])


@unbox(BlocksType)
def _unbox(typ, obj, c):
    blocks = cgutils.create_struct_proxy(typ)(c.context, c.builder)
    for name in _FIELDS:
        value = c.pyapi.object_getattr_string(obj, name)
        setattr(blocks, name, c.pyapi.long_as_ulonglong(value))
        c.pyapi.decref(value)
    failed = cgutils.is_not_null(c.builder, c.pyapi.err_occurred())
    return NativeValue(blocks._getvalue(), is_error=failed)


def _index(context, builder, kind, value, blocks_kind, blocks):
    """An index of any integer type as a word; negative ones count from the end."""
    index = context.cast(builder, value, kind, types.uint64 if not kind.signed else types.int64)
    if kind.signed:
        size = cgutils.create_struct_proxy(blocks_kind)(context, builder, value=blocks).size
        below = builder.icmp_signed("<", index, WORD(0))
        index = builder.select(below, builder.add(index, size), index)
    return index


def _read(context, builder, signature, args):
    """The element at an index."""
    kind = signature.args[0]
    index = _index(context, builder, signature.args[1], args[1], kind, args[0])
    place, *how = placed(context, builder, kind, args[0], index)
    return value_at(builder, place, *how, signature.return_type)


def _read_two(context, builder, signature, args):
    """The elements at an index and after it: one head serves both, but for the last of eight."""
    kind, made = signature.args[0], signature.return_type
    blocks = cgutils.create_struct_proxy(kind)(context, builder, value=args[0])
    place, *how = placed(context, builder, kind, args[0], args[1])
    first = value_at(builder, place, *how, made.dtype)
    lane = builder.add(args[1], blocks.start) if kind.sliced else args[1]
    lane = builder.and_(lane, WORD(7))
    with builder.if_else(builder.icmp_unsigned("<", lane, WORD(7))) as (beside, beyond):
        with beside:
            near = value_at(builder, builder.add(place, WORD(4)), *how, made.dtype)
            here = builder.block
        with beyond:
            index = builder.add(args[1], WORD(1))
            far, *how = placed(context, builder, kind, args[0], index)
            far = value_at(builder, far, *how, made.dtype)
            there = builder.block
    second = builder.phi(near.type)
    second.add_incoming(near, here)
    second.add_incoming(far, there)
    return context.make_tuple(builder, made, [first, second])


def span(indptr, v):
    """Where the row of ``v`` begins and ends: ``(indptr[v], indptr[v + 1])``."""
    raise TypeError("only for compiled code")


@overload(span)
def _span(indptr, v):
    if isinstance(indptr, BlocksType):
        return lambda indptr, v: _two(indptr, np.uint64(v))
    return lambda indptr, v: (indptr[np.uint64(v)], indptr[np.uint64(v) + _1])


@intrinsic
def _two(typingctx, blocks, index):
    return types.UniTuple(blocks.dtype, 2)(blocks, types.uint64), _read_two


@intrinsic
def _element(typingctx, blocks, index):
    return blocks.dtype(blocks, index), _read


@intrinsic
def _part(typingctx, blocks, first, last):
    """Elements ``first`` to ``last - 1``, both of type int64."""

    def codegen(context, builder, signature, args):
        (kind, *_), made = signature.args, signature.return_type
        given = cgutils.create_struct_proxy(kind)(context, builder, value=args[0])
        part = cgutils.create_struct_proxy(made)(context, builder)
        for name in _FIELDS[:-1]:
            setattr(part, name, getattr(given, name))
        part.start = builder.add(args[1], given.start) if kind.sliced else args[1]
        part.size = builder.sub(args[2], args[1])
        return part._getvalue()

    return BlocksType(blocks.dtype, blocks.far, sliced=True)(
        blocks, types.int64, types.int64
    ), codegen


@intrinsic
def _size(typingctx, blocks):
    def codegen(context, builder, signature, args):
        return cgutils.create_struct_proxy(signature.args[0])(context, builder, value=args[0]).size

    return types.intp(blocks), codegen


def _getitem(blocks, index):
    if isinstance(blocks, NearType) and isinstance(index, types.SliceType):
        return lambda blocks, index: _near_from(blocks, index.start)
    if isinstance(blocks, NearType):
        return lambda blocks, index: _near_element(blocks, index)
    if not isinstance(blocks, BlocksType):
        return None
    if isinstance(index, types.Integer):
        return lambda blocks, index: _element(blocks, index)
    if isinstance(index, types.SliceType) and not index.has_step:
        return _slice
    return None


def _slice(blocks, index):
    first, last, _ = index.indices(len(blocks))
    return _part(blocks, first, max(first, last))


def _len(blocks):
    return (lambda blocks: _size(blocks)) if isinstance(blocks, BlocksType) else None


class NearType(types.Type):
    """Numba's type of a few elements of blocks that lie decoded on the stack, see `nearby`."""

    def __init__(self, dtype: Any):
        self.dtype = dtype
        super().__init__(f"Near({dtype})")

    @property
    def key(self) -> tuple[Any, ...]:
        """The type of the elements, and the code of this module."""
        return self.dtype, _content()

    content = BlocksType.content


@register_model(NearType)
class _NearModel(models.PrimitiveModel):
    """The address at which element 0 would lie."""

    def __init__(self, dmm: Any, fe_type: Any):
        super().__init__(dmm, fe_type, HALF.as_pointer())


@intrinsic
def reach(typingctx, array, first, end):
    """To which element, at most ``end``, `nearby` decodes from ``first`` on; of an array ``end``.

    What is short of ``end`` is a multiple of eight elements away from ``first``.
    """
    return types.uint64(array, types.uint64, types.uint64), _reach


def _reach(context, builder, signature, args):
    _, first, end = args
    if not isinstance(signature.args[0], BlocksType):
        return end
    most = builder.add(first, WORD(NEAR))
    return builder.select(builder.icmp_unsigned("<", most, end), most, end)


@intrinsic
def packed(typingctx, array):
    """Are the elements in blocks? A constant."""
    return types.boolean(array), _packed


def _packed(context, builder, signature, args):
    return ir.IntType(1)(isinstance(signature.args[0], BlocksType))


@intrinsic
def nearby(typingctx, array, first, stop):
    """What is read by the index of an element, from ``first`` up to ``stop``: see `reach`.

    The elements are decoded to the stack of the caller, until this very call comes round again. An
    array is returned as it is.
    """
    found = NearType(array.dtype) if isinstance(array, BlocksType) else array
    return found(array, types.uint64, types.uint64), _nearby


def _nearby(context, builder, signature, args):
    (kind, *_), (given, first, stop) = signature.args, args
    if not isinstance(kind, BlocksType):
        return impl_ret_borrowed(context, builder, signature.return_type, given)
    with builder.goto_entry_block():  # `cgutils.alloca_once` would set it to zero for every row
        space = builder.alloca(ir.ArrayType(HALF, NEAR + 8))
    space.align = 32
    start = cgutils.create_struct_proxy(kind)(context, builder, value=given).start if (
        kind.sliced) else WORD(0)  # fmt: skip
    aligned = builder.and_(builder.add(first, start), WORD(~7))
    kinds = types.void(kind, *[types.uint64] * 3)
    flags = Flags()
    flags.no_cpython_wrapper = flags.no_cfunc_wrapper = flags.forceinline = True
    flags.error_model = "numpy"
    compiled = context.compile_subroutine(builder, _decode, kinds, flags=flags)
    at = builder.ptrtoint(space, WORD)
    ends = [given, aligned, builder.add(stop, start), at]
    context.call_internal(builder, compiled.fndesc, kinds, ends)
    space = builder.bitcast(space, HALF.as_pointer())
    return builder.gep(space, [builder.sub(start, aligned)])


def _decode(blocks, first, stop, at):
    """Decode elements from ``first``, a multiple of eight, up to ``stop`` to an address."""
    group, last = first >> np.uint64(3), (stop + np.uint64(7)) >> np.uint64(3)
    while group < last:
        place, head = _block(blocks, group >> np.uint64(3))
        width, least = (head >> _PLACE) & np.uint64(63), head >> _32
        mask, bit = (_1 << width) - _1, (group & np.uint64(7)) * width
        end = min(last, (group | np.uint64(7)) + _1)
        while group < end:
            _eight(place + ((bit >> np.uint64(5)) << np.uint64(5)), bit, mask, least, at)
            bit, at, group = bit + width, at + _32, group + _1


@intrinsic
def _block(typingctx, blocks, block):
    """The address of a block's first word, and its head."""
    return types.UniTuple(types.uint64, 2)(blocks, types.uint64), _block_code


def _block_code(context, builder, signature, args):
    kind, index = signature.args[0], builder.shl(args[1], WORD(6))
    blocks = cgutils.create_struct_proxy(kind)(context, builder, value=args[0])
    head = load(builder, blocks.heads_at, args[1])
    row = row_of(builder, kind, blocks, index, head)
    place = builder.add(blocks.words_at, builder.shl(row, WORD(5)))
    return context.make_tuple(builder, signature.return_type, [place, head])


@intrinsic
def _eight(typingctx, place, bit, mask, least, at):
    """Decode eight elements whose first words are in the row at ``place``."""
    return types.void(*[types.uint64] * 5), _eight_code


def _eight_code(context, builder, signature, args):
    kind = ir.VectorType(HALF, 8)

    def spread(value):
        one = builder.insert_element(
            ir.Constant(kind, ir.Undefined), builder.trunc(value, HALF), ir.IntType(32)(0)
        )
        return builder.shuffle_vector(
            one, ir.Constant(kind, ir.Undefined), ir.Constant(kind, [0] * 8)
        )

    place, bit, mask, least, at = args
    bit = builder.and_(bit, WORD(31))
    low = load_bits(builder, place, kind, 4)
    high = load_bits(builder, builder.add(place, WORD(32)), kind, 4)
    high = builder.shl(builder.shl(high, spread(WORD(1))), spread(builder.sub(WORD(31), bit)))
    rest = builder.and_(builder.or_(builder.lshr(low, spread(bit)), high), spread(mask))
    out = builder.inttoptr(at, kind.as_pointer())
    builder.store(builder.add(rest, spread(least)), out, align=32)
    return context.get_dummy_value()


@intrinsic
def _near_element(typingctx, near, index):
    return near.dtype(near, index), _read_near


@intrinsic
def _near_from(typingctx, near, first):
    return near(near, first), _shift_near


def _shift_near(context, builder, signature, args):
    first = context.cast(builder, args[1], signature.args[1], types.uint64)
    return builder.gep(args[0], [first])


def _read_near(context, builder, signature, args):
    index = context.cast(builder, args[1], signature.args[1], types.uint64)
    found = builder.load(builder.gep(args[0], [index]), align=4)
    return found if signature.return_type.bitwidth == 32 else builder.zext(found, WORD)


_MEANT: dict[Any, Any] = {operator.getitem: _getitem, len: _len}
for _function, _code in _MEANT.items():
    _code.counts_by_type = True  # see `edgewise.base.extensions`
    overload(_function)(_code)


@cache
def _content() -> str:
    functions = [one for one in globals().values() if isfunction(one)]
    content = repr([code_content(function.__code__)[0] for function in functions])
    return sha256(content.encode()).hexdigest()
