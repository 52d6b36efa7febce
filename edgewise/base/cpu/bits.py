"""The functions of `edgewise.base.bits` in compiled code: the CPU's instructions."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from edgewise.base import bits
from edgewise.base.compiler import overload

__all__ = ["bit_length", "count_bits", "lowest_bit", "register"]


def _instruction(build: Any) -> Any:
    """Compiled code of a function of one word."""

    @intrinsic
    def counted(typingctx, word):
        def codegen(context, builder, signature, args):
            return build(builder, args[0])

        return types.int64(types.uint64), codegen

    return counted


def _bit_length(builder, word):
    zeros = builder.ctlz(word, ir.Constant(ir.IntType(1), 0))
    return builder.sub(ir.Constant(ir.IntType(64), 64), zeros)


count_bits = _instruction(lambda builder, word: builder.ctpop(word))
lowest_bit = _instruction(lambda builder, word: builder.cttz(word, ir.Constant(ir.IntType(1), 1)))
bit_length = _instruction(_bit_length)


def register(overload: Any, *compiled: Any) -> None:
    """Let code of one kind of device call `count_bits`, `lowest_bit` and `bit_length`, by these."""
    functions = bits.count_bits, bits.lowest_bit, bits.bit_length
    for function, instruction in zip(functions, compiled, strict=True):
        _give(overload, function, instruction)


def _give(overload: Any, function: Any, instruction: Any) -> None:
    @overload(function)
    def _typed(word):
        return lambda word: instruction(word)


register(overload, count_bits, lowest_bit, bit_length)
