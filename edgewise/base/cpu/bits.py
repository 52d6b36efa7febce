"""Bits of words in compiled code."""

from __future__ import annotations

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

__all__ = ["bit_length", "lowest_bit"]


@intrinsic
def lowest_bit(typingctx, word):
    """The place of the lowest bit that is set in a word of 64, which is not 0."""

    def codegen(context, builder, signature, args):
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.uint64), codegen


@intrinsic
def bit_length(typingctx, word):
    """How many bits a word of 64 takes: 0 for 0, else one more than the highest one's place."""

    def codegen(context, builder, signature, args):
        zeros = builder.ctlz(args[0], ir.Constant(ir.IntType(1), 0))
        return builder.sub(ir.Constant(ir.IntType(64), 64), zeros)

    return types.int64(types.uint64), codegen
