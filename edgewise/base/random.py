"""Random numbers that depend on a seed and on ids alone, never on a thread or on an order.

`bits`, `uniform` and `integer` hash a seed and any number of ids (a vertex, a round, a sample, ...)
to a number that looks random, `coins` to 64 coins at once. The same arguments give the same number,
bit for bit, in functions given to operators on any engine and in plain Python, where arrays may
stand for numbers. So a random choice needs no state, can be made anew wherever it is needed, and
comes out the same on every number of threads. `edgewise.random` is this module.

>>> import numpy as np
>>> int(integer(6, 42, 0)), integer(6, 42, np.arange(8)).tolist()
(2, [2, 3, 1, 3, 5, 1, 4, 3])

The hash is splitmix64's finalizer [1], once per word; it is no cipher. Every random choice in the
package is made of it.

[1] G. Steele, D. Lea, C. Flood. Fast splittable pseudorandom number generators. OOPSLA 2014.
"""

from __future__ import annotations

from math import gcd
from typing import Any

import numpy as np

__all__ = ["bits", "coins", "integer", "uniform"]

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_FIRST, _SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_0, _1, _11, _27, _30, _31, _32, _63 = map(np.uint64, (0, 1, 11, 27, 30, 31, 32, 63))
_HALF = np.uint64(0xFFFFFFFF)
_BLOCK = np.uint64((0x9E3779B97F4A7C15 << 5) % 2**64)  # 32 times golden
_TWICE = np.uint64((0x9E3779B97F4A7C15 << 1) % 2**64)
_SCALE = 1.0 / (1 << 53)
_MOST = np.uint64(1 << 62)


def bits(seed: Any, *ids: Any) -> Any:
    """Return 64 random bits (uint64) for a seed and ids, which are any integers.

    ``bits(seed, v)`` is ``bits(seed, v, 0)``. Beyond two ids, each further id changes the result.

    >>> int(bits(7, 1)) == int(bits(7, 1, 0)), int(bits(7, 1)) == int(bits(7, 0, 1))
    (True, False)
    """
    words = [_word(one) for one in ids]
    words += [_0] * (2 - len(words))
    with np.errstate(over="ignore"):
        word = draw(_word(seed), words[0], words[1])
        for more in words[2:]:
            word = step(word, more)
    return word


def uniform(seed: Any, *ids: Any) -> Any:
    """Return a random float64 in [0, 1), a multiple of 2**-53, for a seed and ids.

    >>> float(uniform(7, 1))
    0.6657813396905407
    """
    return (bits(seed, *ids) >> _11) * _SCALE


def integer(bound: Any, seed: Any, *ids: Any) -> Any:
    """Return a random integer (int64) from 0 to ``bound - 1``, for a seed and ids.

    It is the upper half of the product of `bits` and ``bound``. The probabilities of two numbers
    differ by a relative error below ``bound / 2**64``, which is negligible. ``bound`` must lie in 1
    to 2**63; this is checked in plain Python only. ``bound`` comes first because Numba binds a
    keyword after variable arguments to the wrong parameter.

    >>> integer(3, 7, range(6)).tolist()
    [0, 1, 1, 1, 2, 1]
    """
    below = _word(bound, "bound")
    if not np.all((bound > 0) & (bound <= 2**63)):
        raise ValueError(f"bound must lie in 1 to 2**63, got {bound!r}")
    with np.errstate(over="ignore"):
        return upper(bits(seed, *ids), below).astype(np.int64)


def coins(threshold: Any, wanted: Any, seed: Any, *ids: Any) -> Any:
    """Return 64 biased random bits (uint64) for a seed and ids, masked by ``wanted``.

    Each bit is set with probability ``threshold / 2**32``; a threshold of 2**32 - 1 means always. A
    bit does not depend on which other bits are wanted. A bit set for one threshold is also set for
    each larger one, because a random number is compared with the threshold bit by bit. Each step
    decides half of the remaining bits. A few wanted bits take about two draws, and 64 about eight.
    Draw i of ``coins(..., seed, a, b)`` is ``bits(seed, a, 32 * b + i)``, and likewise for more
    ids; ``seed, a`` means ``seed, a, 0``. In plain Python, arguments may be arrays on any device.

    >>> half, quarter = (coins(2**32 // part, 2**64 - 1, 7, 1) for part in (2, 4))
    >>> int(half).bit_count(), int(quarter).bit_count(), int(quarter & ~half)
    (40, 18, 0)
    """
    level, undecided = _word(threshold, "threshold"), _word(wanted, "wanted")
    *others, last = [_word(one) for one in ids] + [_0] * (2 - len(ids))
    left = level << _32
    with np.errstate(over="ignore"):
        heads = undecided & (_0 - (level >= _HALF).astype(np.uint64))
        for turn in range(32):
            if not undecided.any():
                break
            digit, drawn = _0 - (left >> _63), bits(seed, *others, last * _32 + np.uint64(turn))
            heads = heads | (undecided & digit & ~drawn)
            undecided, left = undecided & ~(digit ^ drawn), left << _1
    return heads


def flip(level, wanted, word, last):
    """`coins` of a threshold, from their `bits` without the last id; all four are np.uint64.

    Two digits at a time, so that one draw need not wait for the other.
    """
    if level >= _HALF:
        return wanted
    heads, left, word = _0, level << _32, word + last * _BLOCK
    while wanted != _0 and left != _0:
        drawn, another = mix(word), mix(word + _GOLDEN)
        digit = _0 - (left >> _63)
        heads |= wanted & digit & ~drawn
        wanted &= ~(digit ^ drawn)
        left <<= _1
        digit = _0 - (left >> _63)
        heads |= wanted & digit & ~another
        wanted &= ~(digit ^ another)
        left <<= _1
        word += _TWICE
    return heads


def mix(word):
    """Splitmix64's finalizer: a bijection on 64-bit words that looks random."""
    word = (word ^ (word >> _30)) * _FIRST
    word = (word ^ (word >> _27)) * _SECOND
    return word ^ (word >> _31)


def first_half(seed, item):
    """What `draw` makes of two words before it takes in the third."""
    return mix(mix(seed + _GOLDEN) ^ item)


def draw(seed, item, turn):
    """`bits` for two ids; all three words are np.uint64."""
    return mix(mix(mix(seed + _GOLDEN) ^ item) + turn * _GOLDEN)


def step(word, more):
    """`bits` with one more id, from those without it."""
    return mix(word + more * _GOLDEN)


def draw_uniform(seed, item, turn):
    """`uniform` for two ids; all three words are np.uint64."""
    return (draw(seed, item, turn) >> _11) * _SCALE


def upper(a, b):
    """The upper 64 bits of the product of two words, by halves."""
    low = (a & _HALF) * (b & _HALF)
    first, second = (a >> _32) * (b & _HALF), (a & _HALF) * (b >> _32)
    middle = (low >> _32) + (first & _HALF) + (second & _HALF)
    return (a >> _32) * (b >> _32) + (first >> _32) + (second >> _32) + (middle >> _32)


def hashed(seed: Any, items: Any, turn: int = 0) -> np.ndarray:
    """`bits` for an array of items, once the seed is checked.

    >>> hashed(0, [1, 2]).dtype, len(set(hashed(0, range(1000)).tolist()))
    (dtype('uint64'), 1000)
    """
    return bits(check_seed(seed), np.asarray(items), turn)


def shuffling(count: int, seed: Any, turn: int) -> tuple[int, int]:
    """A factor and a shift: ``(x * factor + shift) % count`` gives 0..count-1 other numbers.

    >>> factor, shift = shuffling(5, 7, 0)
    >>> sorted((x * factor + shift) % 5 for x in range(5))
    [0, 1, 2, 3, 4]
    """
    with np.errstate(over="ignore"):
        factor, shift = renumbering(np.uint64(count), check_seed(seed), np.uint64(1 + turn))
    return int(factor), int(shift)


def renumbering(count, seed, turn):
    """`shuffling` for words (np.uint64); ``turn`` is one more."""
    factor = _1 + draw(seed, _1, turn) % min(count, _MOST // count)
    while gcd(factor, count) != 1:
        factor += _1
    return factor, draw(seed, _1 + _1, turn) % count


def check_seed(seed: Any) -> np.uint64:
    """The seed as 64 bits; a clear error for anything that is not a whole number."""
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)):
        raise TypeError(f"seed must be a whole number, got {seed!r}")
    return np.uint64(int(seed) & 0xFFFFFFFFFFFFFFFF)


def _word(value: Any, names: str = "seed and ids") -> Any:
    """A whole number, or an array of them on any device, as 64 bits."""
    if isinstance(value, (int, np.integer, np.bool_)):
        return np.uint64(int(value) & 0xFFFFFFFFFFFFFFFF)
    array = value if hasattr(value, "astype") else np.asarray(value)
    if array.dtype.kind not in "iub" and array.size:
        raise TypeError(f"{names} must be whole numbers, got dtype {array.dtype}")
    return array.astype(np.uint64)
