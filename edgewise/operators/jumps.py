"""How far it is to the next live edge, from a random word, in integers alone.

Where each of many edges is live with chance p, the number of dead ones before the next live one is
floor(log(u) / log(1 - p)) for a uniform u [1]: one number drawn for a live edge, however many dead
ones lie between. The logarithm is read off a table of 256 pieces with a line in each, and is
multiplied by a number of 24 bits with a shift, all in whole numbers: so every engine jumps alike,
bit for bit. The error is below 3e-6, and so is that of any chance, relative to itself.

>>> from math import log2
>>> steps = log_steps(lambda word: int(word).bit_length())
>>> words = [1, 12345, 1 << 30]
>>> all(abs(steps(w, TABLE) / UNIT + log2((w + 0.5) / 2**32)) < 3e-6 for w in words)
True

[1] L. Devroye. Non-Uniform Random Variate Generation, chapter X. Springer 1986.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from edgewise.base.bisection import bisection

__all__ = ["TABLE", "UNIT", "Jumps", "factors", "gap_scales", "jumping", "log_steps", "piece",
           "stretched"]  # fmt: skip

#: The logarithm to base 2 is counted in so many parts of one.
UNIT = 1 << 26

#: log2(1 + i / 256).
TABLE = np.rint(UNIT * np.log2(1 + np.arange(257) / 256)).astype(np.int64)
TABLE.flags.writeable = False

_8, _MANTISSA, _EXPONENT = np.uint64(8), np.uint64(0xFFFFFF), np.uint64(255)
_SIXTY_FOUR = np.uint64(64 * UNIT)
_32, _LOW, _1, _ALWAYS = np.uint64(32), np.uint64(0xFFFFFFFF), np.uint64(1), np.uint64(0xFFFFFFFF)


class Jumps(NamedTuple):
    """How a search goes on from a vertex, compiled for an engine.

    ``rows`` are the records of `Odds.rows`, the indices, ``tops``, ``along`` and `TABLE`; ``key``
    names the search, and vertices are uint64.
    """

    row: Any  # (rows, v): its first edge, their end, what jumps are stretched by, and `piece`
    jump: Any  # (rows, key, v, e, stop, factor): an edge from e on, and whether it is live
    pick: Any  # (rows, key, v): the live edge, where one is at most, or the row's end; that end


@cache
def jumping(compiled: Any, step: Any, bit_length: Any, alike: bool) -> Jumps:
    """Return the jumps for an engine, with its own random words and bits.

    ``compiled`` is the decorator by which it compiles functions; ``alike``: a row has one chance.
    """
    steps, stretch, length_of = map(compiled, (log_steps(bit_length), stretched, piece))
    first_above = bisection(reached, compiled)

    @compiled
    def row(rows, v):
        e, factor = np.int64(rows[0][v + v]), rows[0][v + v + _1]
        return e, e + np.int64(factor >> _32), factor, length_of(factor)

    @compiled
    def jump(rows, key, v, e, stop, factor):
        _, _, tops, along, table = rows
        word = step(key, np.uint64(e))
        e += np.int64(stretch(np.uint64(steps(np.int64(word >> _32), table)), factor))
        if e >= stop or alike:
            return e, e < stop
        return e, ((word & _LOW) * np.uint64(tops[v])) >> _32 < np.uint64(along[e])

    @compiled
    def pick(rows, key, v):
        e, end, factor, _ = row(rows, v)
        word = step(key, np.uint64(e)) >> _32
        if alike:
            return min(e + np.int64(stretch(word, factor)), end), end
        return first_above(rows[3], e, end, word), end

    return Jumps(row, jump, pick)


def log_steps(bit_length: Any) -> Any:
    """``steps(word, table)``: -log2((word + 1/2) / 2**32) in parts of one, at least one of them.

    ``word`` is an int64 of 32 random bits; ``bit_length`` is the engine's, of a uint64.
    """

    def steps(word, table):
        odd = 2 * word + 1
        length = np.int64(bit_length(np.uint64(odd)))
        odd <<= 33 - length
        piece, rest = (odd >> 24) & 255, odd & 0xFFFFFF
        low = table[piece]
        found = ((34 - length) << 26) - low - (((table[piece + 1] - low) * rest) >> 24)
        return max(found, np.int64(1))

    return steps


def stretched(steps, factor):
    """A whole number times what `factors` made of a fraction, rounded down; all are uint64."""
    return (steps * ((factor >> _8) & _MANTISSA)) >> (factor & _EXPONENT)


def piece(factor):
    """Into pieces of how many edges a row is cut, in each of which jumps begin anew.

    Some fifty of them are live, or all of 64: so much is left to one thread of a GPU.
    """
    stretch = (_SIXTY_FOUR * ((factor >> _8) & _MANTISSA)) >> (factor & _EXPONENT)
    return np.int64(64) + np.int64(stretch)


def reached(sums, place, word):
    """Is the sum of chances at a place not above a word of 32 bits? The greatest sum always is."""
    total = np.uint64(sums[place])
    return total <= word and total != _ALWAYS


def gap_scales(thresholds: np.ndarray) -> np.ndarray:
    """What `log_steps` are multiplied by for a gap, for chances above 0 in units of 2**-32.

    The greatest threshold means always: no gap.
    """
    chance = np.where(thresholds == 0xFFFFFFFF, 1.0, np.maximum(thresholds, 1) / 2.0**32)
    with np.errstate(divide="ignore"):
        return np.log(2) / -np.log1p(-chance) / UNIT


def factors(scales: np.ndarray) -> np.ndarray:
    """Fractions below 2**24 as uint64 for `stretched`: 24 bits of number, 8 of a shift."""
    number, exponent = np.frexp(scales)
    number = np.rint(number * 2.0**24)
    round_up = number == 2.0**24
    number, exponent = np.where(round_up, 2.0**23, number), exponent + round_up
    return (number.astype(np.uint64) << _8) | (24 - exponent).astype(np.uint64)
