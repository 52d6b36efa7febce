"""The functions of `edgewise.base.random` in kernels: for words, and as users call them.

`bits` and `uniform` here take three words (np.uint64), as the package's own kernels do; `register`
lets compiled code call those of `edgewise.random`, with any number of ids of any integer type.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.core.errors import TypingError
from numba.extending import register_jitable

from edgewise.base import random
from edgewise.base.compiler import overload

__all__ = ["bits", "mix", "register", "uniform"]

mix = register_jitable(random.mix)
bits = register_jitable(random.draw)
uniform = register_jitable(random.draw_uniform)
step, upper = register_jitable(random.step), register_jitable(random.upper)
flip, first_half = register_jitable(random.flip), register_jitable(random.first_half)
_SCALE, _11 = random._SCALE, np.uint64(11)


def register(overload: Any, draw: Any, step: Any, upper: Any, flip: Any, first_half: Any) -> None:
    """Let code of one kind of device call the functions of `edgewise.random`, by these."""
    zero = np.uint64(0)

    @overload(random.bits)
    def _bits(seed, *ids):
        _check(seed, *ids)
        if len(ids) == 0:
            return lambda seed, *ids: draw(np.uint64(seed), zero, zero)
        if len(ids) == 1:
            return lambda seed, *ids: draw(np.uint64(seed), np.uint64(ids[0]), zero)

        def several(seed, *ids):
            return _more(draw(np.uint64(seed), np.uint64(ids[0]), np.uint64(ids[1])), ids[2:])

        return several

    @overload(_more)
    def _one_more(word, ids):
        if len(ids) == 0:
            return lambda word, ids: word
        return lambda word, ids: _more(step(word, np.uint64(ids[0])), ids[1:])

    @overload(random.uniform)
    def _uniform(seed, *ids):
        return lambda seed, *ids: (random.bits(seed, *ids) >> _11) * _SCALE

    @overload(random.integer)
    def _integer(bound, seed, *ids):
        _check(bound)
        return lambda bound, seed, *ids: np.int64(upper(random.bits(seed, *ids), np.uint64(bound)))

    @overload(random.coins)
    def _coins(threshold, wanted, seed, *ids):
        _check(threshold, wanted, seed, *ids)
        if len(ids) == 0:
            return lambda threshold, wanted, seed, *ids: flip(
                np.uint64(threshold), np.uint64(wanted), first_half(np.uint64(seed), zero), zero
            )
        if len(ids) < 3:

            def few(threshold, wanted, seed, *ids):
                word = first_half(np.uint64(seed), np.uint64(ids[0]))
                return flip(np.uint64(threshold), np.uint64(wanted), word, _second(ids))

            return few

        def several(threshold, wanted, seed, *ids):
            word = random.bits(seed, *ids[:-1])
            return flip(np.uint64(threshold), np.uint64(wanted), word, np.uint64(ids[-1]))

        return several

    @overload(_second)
    def _second_or_zero(ids):
        if len(ids) == 1:
            return lambda ids: zero
        return lambda ids: np.uint64(ids[1])


def _more(word, ids):
    """The word that is left when all ids have been taken in."""
    raise TypeError("only for compiled code")


def _second(ids):
    """The second id, or 0."""
    raise TypeError("only for compiled code")


def _check(*given):
    for kind in given:
        if not isinstance(kind, (types.Integer, types.Boolean)):
            raise TypingError(f"edgewise.random takes whole numbers, got {kind}")


register(overload, bits, step, upper, flip, first_half)
