"""How keys are rated on every engine: what a score reads, and what makes it a draw.

As `elements` does, `ratings` makes functions for one engine, told by types what to compile.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.operators.element_access import is_nothing

__all__ = ["Ratings", "ratings"]


class Ratings(NamedTuple):
    """The functions of one engine that rate keys."""

    at_key: Any  # at_key(arrays, key): the elements there of a tuple of arrays
    staying_at: Any  # staying_at(total, arrays, key): the total, and the elements there; 0 if none
    stay_of: Any  # stay_of(stay, v): the key that is a candidate in any case; negative for none
    key_of: Any  # key_of(key, u): the key of a vertex, itself where there are none
    word_of: Any  # word_of(draw, v): what the noise of a member is made of; None without a draw
    ranked: Any  # ranked(score, draw, word, key): the score of a key, with its noise in a draw


def ratings(overload: Any, noise: Any, first_half: Any) -> Ratings:
    """The functions of an engine; a draw is the tuple of a `Drawing`, or None for the best key.

    ``noise(word, key)`` is that of a key, ``first_half`` the engine's of `edgewise.base.random`.
    """
    return Ratings(*_reads(overload), *_keys(overload), *_draws(overload, noise, first_half))


def _reads(overload: Any) -> tuple[Any, Any]:
    def at_key(arrays, key):
        return tuple(one[key] for one in arrays or ())

    def staying_at(total, arrays, key):
        return total, *(one[key] if key >= 0 else one.dtype.type(0) for one in arrays or ())

    @overload(at_key)
    def _at_key(arrays, key):
        if is_nothing(arrays) or len(arrays) == 0:
            return lambda arrays, key: ()
        return lambda arrays, key: (arrays[0][key], *at_key(arrays[1:], key))

    @overload(staying_at)
    def _staying_at(total, arrays, key):
        if is_nothing(arrays) or len(arrays) == 0:
            return lambda total, arrays, key: (total,)

        def with_arrays(total, arrays, key):
            here = arrays[0][np.uint64(key)] if key >= 0 else arrays[0].dtype.type(0)
            return total, here, *staying_at(total, arrays[1:], key)[1:]

        return with_arrays

    return at_key, staying_at


def _keys(overload: Any) -> tuple[Any, Any]:
    def stay_of(stay, v):
        return np.int64(-1 if stay is None else stay[v])

    def key_of(key, u):
        return u if key is None else key[u]

    @overload(stay_of)
    def _stay_of(stay, v):
        if is_nothing(stay):
            return lambda stay, v: np.int64(-1)
        return lambda stay, v: np.int64(stay[v])

    @overload(key_of)
    def _key_of(key, u):
        return (lambda key, u: u) if is_nothing(key) else (lambda key, u: key[u])

    return stay_of, key_of


def _draws(overload: Any, noise: Any, first_half: Any) -> tuple[Any, Any]:
    def word_of(draw, v):
        if draw is None:
            return None
        return first_half(draw[1], np.uint64(v if draw[2] is None else draw[2][v]))

    def ranked(score, draw, word, key):
        return score if draw is None else score + draw[0] * noise(word, key)

    @overload(word_of)
    def _word_of(draw, v):
        if is_nothing(draw):
            return lambda draw, v: None
        if is_nothing(draw[2]):
            return lambda draw, v: first_half(draw[1], np.uint64(v))
        return lambda draw, v: first_half(draw[1], np.uint64(draw[2][v]))

    @overload(ranked)
    def _ranked(score, draw, word, key):
        if is_nothing(draw):
            return lambda score, draw, word, key: score
        return lambda score, draw, word, key: score + draw[0] * noise(word, key)

    return word_of, ranked
