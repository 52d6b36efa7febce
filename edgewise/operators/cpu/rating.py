"""What a score reads on CPU threads, and the noise that makes the best score a draw."""

from __future__ import annotations

import numpy as np
from numba import types

from edgewise.base.cache import inner
from edgewise.base.compiler import overload
from edgewise.base.cpu.random import first_half, step
from edgewise.operators import choices

__all__ = ["at_key", "noise", "ranked", "staying_at", "word_of"]

_gumbel = inner(choices.gumbel)


def at_key(arrays, key):
    """The elements at ``key`` of a tuple of arrays."""
    raise TypeError("only for compiled code")


@overload(at_key)
def _at_key(arrays, key):
    if len(arrays) == 0:
        return lambda arrays, key: ()
    return lambda arrays, key: (arrays[0][key], *at_key(arrays[1:], key))


def staying_at(total, arrays, key):
    """What a score knows of the key to stay with: its total, and the arrays there; 0 if none."""
    raise TypeError("only for compiled code")


@overload(staying_at)
def _staying_at(total, arrays, key):
    if len(arrays) == 0:
        return lambda total, arrays, key: (total,)

    def with_arrays(total, arrays, key):
        here = arrays[0][np.uint64(key)] if key >= 0 else arrays[0].dtype.type(0)
        return total, here, *staying_at(total, arrays[1:], key)[1:]

    return with_arrays


def word_of(draw, v):
    """What the noise of member v is made of; nothing where the best key is wanted."""
    raise TypeError("only for compiled code")


@overload(word_of)
def _word_of(draw, v):
    if isinstance(draw, types.NoneType):
        return lambda draw, v: None
    if isinstance(draw[2], types.NoneType):
        return lambda draw, v: first_half(draw[1], np.uint64(v))
    return lambda draw, v: first_half(draw[1], np.uint64(draw[2][v]))


def ranked(score, draw, word, key):
    """The score of a key of the member with that word, with its noise."""
    raise TypeError("only for compiled code")


@overload(ranked)
def _ranked(score, draw, word, key):
    if isinstance(draw, types.NoneType):
        return lambda score, draw, word, key: score
    return lambda score, draw, word, key: score + draw[0] * noise(word, key)


@inner
def noise(word, key):
    """The noise of a key."""
    return _gumbel(step(word, np.uint64(key) + np.uint64(1)))
