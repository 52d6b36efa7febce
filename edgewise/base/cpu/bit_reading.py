"""LLVM code that reads one element of `Blocks`: see `edgewise.base.cpu.bit_blocks`."""

from __future__ import annotations

from llvmlite import ir
from numba.core import cgutils

__all__ = ["HALF", "WORD", "load", "load_bits", "placed", "row_of", "value_at"]

WORD, HALF = ir.IntType(64), ir.IntType(32)


def placed(context, builder, kind, value, index):
    """The address of the first word of an element, the bits to skip, its block's head and width."""
    blocks = cgutils.create_struct_proxy(kind)(context, builder, value=value)
    index = builder.add(index, blocks.start) if kind.sliced else index
    head = load(builder, blocks.heads_at, builder.lshr(index, WORD(6)))
    width = builder.and_(builder.lshr(head, WORD(26)), WORD(63))
    bit = builder.mul(builder.and_(builder.lshr(index, WORD(3)), WORD(7)), width)
    row = builder.add(row_of(builder, kind, blocks, index, head), builder.lshr(bit, WORD(5)))
    lane = builder.shl(builder.and_(index, WORD(7)), WORD(2))
    place = builder.add(builder.add(blocks.words_at, builder.shl(row, WORD(5))), lane)
    return place, builder.and_(bit, WORD(31)), head, width


def row_of(builder, kind, blocks, index, head):
    """In which row of words the block of an element begins."""
    first = builder.and_(head, WORD((1 << 26) - 1))
    if kind.far:  # the first top is 0
        first = builder.add(first, load(builder, blocks.tops_at, builder.lshr(index, WORD(26))))
    return first


def load(builder, start, at):
    """Word ``at`` of an array that nobody changes."""
    return load_bits(builder, builder.add(start, builder.shl(at, WORD(3))), WORD, 8)


def load_bits(builder, place, kind, align):
    """What nobody changes at an address, as a type of LLVM."""
    found = builder.load(builder.inttoptr(place, kind.as_pointer()), align=align)
    found.set_metadata("invariant.load", builder.module.add_metadata([]))
    return found


def value_at(builder, place, shift, head, width, kind):
    """The element whose first word is at an address."""
    low, high = (
        builder.zext(load_bits(builder, one, HALF, 4), WORD)
        for one in (place, builder.add(place, WORD(32)))
    )
    word = builder.lshr(builder.or_(low, builder.shl(high, WORD(32))), shift)
    mask = builder.sub(builder.shl(WORD(1), width), WORD(1))
    found = builder.add(builder.lshr(head, WORD(32)), builder.and_(word, mask))
    return found if kind.bitwidth == 64 else builder.trunc(found, ir.IntType(kind.bitwidth))
