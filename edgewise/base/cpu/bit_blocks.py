"""`Blocks` in kernels on CPU threads: ``blocks[i]``, ``len(blocks)``, and how blocks are made.

To compiled code a `Blocks` is four words: the addresses of its arrays and its size. No references
are counted; whoever launches a kernel holds the object. A read takes the block's head, then the
eight bytes in which the element lies, wherever they begin: a few loads and ten instructions.

Numba finds the code for ``blocks[i]`` by the type of the operand. So the content of this module is
part of the type (`BlocksType.key`), and no other kernel depends on it.
"""

from __future__ import annotations

import operator
from functools import cache
from inspect import isfunction
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.datamodel import models
from numba.extending import NativeValue, intrinsic, register_model, unbox

from edgewise.base.bytecode import code_content
from edgewise.base.cache import kernel
from edgewise.base.compiler import overload
from edgewise.base.cpu.team import share

__all__ = ["BlocksType", "blocks_type", "measure_kernel", "pack_kernel", "unpack_kernel"]

_WORD = ir.IntType(64)
_1, _6, _32, _PLACE = (np.uint64(i) for i in (1, 6, 32, 26))
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
        return self.dtype, self.far, self.sliced, *_content()

    def place(self, context: Any, builder: Any, blocks: Any, index: Any) -> Any:
        """The address of the first eight bytes that hold an element: what is to be prefetched."""
        return _placed(context, builder, self, blocks, index)[0]


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


def _placed(context, builder, kind, value, index):
    """Where the bytes of an element begin, the bits to skip there, its block's head and width."""
    blocks = cgutils.create_struct_proxy(kind)(context, builder, value=value)
    index = builder.add(index, blocks.start) if kind.sliced else index
    head = _load(builder, blocks.heads_at, builder.lshr(index, _WORD(6)))
    width = builder.and_(builder.lshr(head, _WORD(26)), _WORD(63))
    bit = builder.mul(builder.and_(index, _WORD(63)), width)
    first = builder.and_(head, _WORD((1 << 26) - 1))
    if kind.far:  # the first top is 0
        first = builder.add(first, _load(builder, blocks.tops_at, builder.lshr(index, _WORD(26))))
    place = builder.add(
        builder.add(blocks.words_at, builder.shl(first, _WORD(3))), builder.lshr(bit, _WORD(3))
    )
    return place, builder.and_(bit, _WORD(7)), head, width


def _load(builder, start, at):
    """Word ``at`` of an array that nobody changes."""
    return _load_bytes(builder, builder.add(start, builder.shl(at, _WORD(3))), 8)


def _load_bytes(builder, place, align):
    pointer = builder.inttoptr(place, _WORD.as_pointer())
    word = builder.load(pointer, align=align)
    word.set_metadata("invariant.load", builder.module.add_metadata([]))
    return word


def _index(context, builder, kind, value, blocks_kind, blocks):
    """An index of any integer type as a word; negative ones count from the end."""
    index = context.cast(builder, value, kind, types.uint64 if not kind.signed else types.int64)
    if kind.signed:
        size = cgutils.create_struct_proxy(blocks_kind)(context, builder, value=blocks).size
        below = builder.icmp_signed("<", index, _WORD(0))
        index = builder.select(below, builder.add(index, size), index)
    return index


def _read(context, builder, signature, args):
    """The element at an index."""
    kind = signature.args[0]
    index = _index(context, builder, signature.args[1], args[1], kind, args[0])
    place, shift, head, width = _placed(context, builder, kind, args[0], index)
    word = builder.lshr(_load_bytes(builder, place, 1), shift)
    mask = builder.sub(builder.shl(_WORD(1), width), _WORD(1))
    found = builder.add(builder.lshr(head, _WORD(32)), builder.and_(word, mask))
    bits = signature.return_type.bitwidth
    return found if bits == 64 else builder.trunc(found, ir.IntType(bits))


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


_MEANT: dict[Any, Any] = {operator.getitem: _getitem, len: _len}
for _function, _code in _MEANT.items():
    _code.counts_by_type = True  # see `edgewise.base.extensions`
    overload(_function)(_code)


@cache
def _content() -> list[str]:
    functions = [one for one in globals().values() if isfunction(one)]
    return [code_content(function.__code__)[0] for function in functions]


@kernel(borrows=True)
def measure_kernel(me, team, control, values, heads, widths):
    """The smallest value and the width of every block; 33 for values that are too large."""
    size = np.uint64(len(values))
    low, high = share(me, team, len(heads))
    for b in range(np.uint64(low), np.uint64(high)):
        first = b << _6
        least = most = np.uint64(values[first])
        for i in range(first, min(first + (_1 << _6), size)):
            value = np.uint64(values[i])
            least, most = min(least, value), max(most, value)
        rest, width = most - least, np.int64(0)
        while rest > np.uint64(0):
            rest, width = rest >> _1, width + 1
        widths[b] = 33 if most >> _32 else width
        heads[b] = least << _32 | np.uint64(width) << _PLACE


@kernel(borrows=True)
def pack_kernel(me, team, control, values, heads, widths, places, tops, words):
    """The differences of every block to its smallest value, and where they are."""
    size, full = np.uint64(len(values)), np.uint64(64)
    low, high = share(me, team, len(heads))
    for b in range(np.uint64(low), np.uint64(high)):
        first, at, width = b << _6, np.uint64(places[b]), np.uint64(widths[b])
        least, word, filled = heads[b] >> _32, np.uint64(0), np.uint64(0)
        heads[b] |= at - tops[b >> np.uint64(20)]
        for i in range(first, first + full):
            rest = np.uint64(values[i]) - least if i < size else np.uint64(0)
            word |= rest << filled
            filled += width
            if filled >= full:
                words[at] = word
                filled -= full
                at += _1
                word = rest >> (width - filled) if filled else np.uint64(0)


@kernel(borrows=True)
def unpack_kernel(me, team, control, blocks, array):
    """All elements."""
    low, high = share(me, team, len(array))
    for i in range(np.uint64(low), np.uint64(high)):
        array[i] = blocks[i]
