"""Arithmetic on two 16-bit numbers in a word of 32 bits, one instruction each (Hopper and later).

Numba has no such types; inline PTX gives them. In the simulator plain Python stands for it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.base.cuda.device import capability, simulated

__all__ = ["add_halves", "has_halves", "max_halves", "max_halves_or_0", "two_halves"]


def has_halves() -> bool:
    """Does the current device have these instructions?"""
    return simulated() or capability() >= (9, 0)


def two_halves(low: int, high: int) -> np.int32:
    """Two numbers in one word.

    >>> int(two_halves(-1, 0)), int(two_halves(3, -2))
    (65535, -131069)
    """
    return np.array([low, high], "<i2").view("<i4")[0]


def _by_halves(function: Any) -> Any:
    def apply(a, b):
        one, other = (np.array([word], "<i4").view("<i2").astype(int) for word in (a, b))
        return two_halves(*(np.int64(x).astype(np.int16) for x in function(one, other)))

    return apply


if simulated():
    add_halves: Any = _by_halves(lambda a, b: a + b)
    max_halves: Any = _by_halves(np.maximum)
    max_halves_or_0: Any = _by_halves(lambda a, b: np.maximum(np.maximum(a, b), 0))
else:
    from llvmlite import ir
    from numba import types
    from numba.cuda.extending import intrinsic

    def _instruction(name: str) -> Any:
        @intrinsic
        def apply(typingctx, a, b):
            def codegen(context, builder, signature, args):
                word = ir.IntType(32)
                kind = ir.FunctionType(word, [word, word])
                return builder.call(ir.InlineAsm(kind, f"{name} $0, $1, $2;", "=r,r,r"), args)

            return types.int32(types.int32, types.int32), codegen

        return apply

    add_halves = _instruction("add.s16x2")
    max_halves = _instruction("max.s16x2")
    max_halves_or_0 = _instruction("max.relu.s16x2")
