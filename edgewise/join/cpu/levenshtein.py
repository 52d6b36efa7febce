"""How many letters must be changed, put in or left out: the distance of Levenshtein, by bits [1].

A column of the table of distances is two words: which rows are one more than the row above, and
which are one less. So 64 letters of one string (the pattern) meet a letter of the other (the text)
in some 15 operations. A longer pattern is done in blocks of 64 letters, each along the whole text;
``flow`` carries from block to block by how much the last row changes from letter to letter. Only
what lies at most ``k`` places beside the diagonal is done: the distance is right if it is at most
``k``, else ``k`` is doubled. O(d n / 64) work for distance d, and a byte for a letter of the text.

The letters of a block stand in a table of 128 places, which has a place of its own for every one
of ASCII: ``codes`` are the letters, ``places`` the words that say where they occur.

[1] G. Myers. A fast bit-vector algorithm for approximate string matching. J. ACM 46(3), 1999.
"""

from __future__ import annotations

import numpy as np

from edgewise.base.cache import inner
from edgewise.base.cpu.team import stopped
from edgewise.base.probing import probing

__all__ = ["LETTERS", "distance", "learn", "short_distance"]

#: Letters of a pattern that fit a word.
LETTERS = 64
_TABLE = 128
_0, _1, _ALL = np.uint64(0), np.uint64(1), np.uint64(2**64 - 1)


@inner
def learn(letters, first, size, codes, places):
    """Write at most 64 letters into the table."""
    for slot in range(_TABLE):
        places[slot] = _0
    for i in range(size):
        slot = _slot(letters[first + i], codes, places)
        codes[slot] = letters[first + i]
        places[slot] |= _1 << np.uint64(i)


@inner
def short_distance(letters, size, text, length, codes, places):
    """The distance of a pattern of at most 64 letters, which the table has, and a text."""
    if size == 0:
        return length
    more, less, found = _ALL, _0, size
    last = _1 << np.uint64(size - 1)
    for j in range(text, text + length):
        equal = places[_slot(letters[j], codes, places)]
        down = equal | less
        across = (((equal & more) + more) ^ more) | equal
        up, off = less | ~(across | more), more & across
        if up & last:
            found += 1
        elif off & last:
            found -= 1
        up, off = (up << _1) | _1, off << _1
        more, less = off | ~(down | up), up & down
    return found


@inner
def distance(control, letters, first, size, text, length, codes, places, flow):
    """The distance of any two strings; the table is written over. Anything, if stopped."""
    if size > length:
        first, size, text, length = text, length, first, size
    if size <= LETTERS:
        learn(letters, first, size, codes, places)
        return short_distance(letters, size, text, length, codes, places)
    k = max(np.int64(LETTERS), length - size)
    while True:
        found = _within(control, letters, first, size, text, length, codes, places, flow, k)
        if found <= k or k >= length:
            return found
        k = min(2 * k, length)


@inner
def _within(control, letters, first, size, text, length, codes, places, flow, k):
    """The distance, if it is at most k; else something above k, at most the longer length."""
    for j in range(length):
        flow[j] = 1
    corner, low = np.int64(0), np.int64(0)  # the distance where a block begins: above it, and left
    for row in range(0, size, LETTERS):
        if stopped(control):
            return np.int64(0)
        begin, high = max(row - k, 0), min(length, row + LETTERS + k)
        for j in range(low, begin):
            corner += flow[j]
        low, rows = begin, min(np.int64(LETTERS), size - row)
        learn(letters, first + row, rows, codes, places)
        more, less, last = _ALL, _0, _1 << np.uint64(rows - 1)
        for j in range(low, high):
            equal, above = places[_slot(letters[text + j], codes, places)], flow[j]
            down = equal | less
            if above < 0:
                equal |= _1
            across = (((equal & more) + more) ^ more) | equal
            up, off = less | ~(across | more), more & across
            flow[j] = 1 if up & last else -1 if off & last else 0
            up, off = up << _1, off << _1
            if above > 0:
                up |= _1
            elif above < 0:
                off |= _1
            more, less = off | ~(down | up), up & down
        corner += rows
    for j in range(low, length):
        corner += flow[j]
    return corner


@inner
def _slot(letter, codes, places):
    """Where a letter is in the table, or would be."""
    return _probe((places, codes), np.uint64(letter) & np.uint64(_TABLE - 1), _TABLE - 1, letter)[0]


def _places_at(data, slot):
    return data[0][slot]


def _is_letter(data, slot, held, letter):
    return data[1][slot] == letter


_probe = probing(_places_at, None, _is_letter, inner, _0)
