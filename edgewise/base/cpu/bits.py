"""Bits of words in compiled code."""

from __future__ import annotations

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

__all__ = ["lowest_bit"]


@intrinsic
def lowest_bit(typingctx, word):
    """The place of the lowest bit that is set in a word of 64, which is not 0."""

    def codegen(context, builder, signature, args):
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.uint64), codegen
