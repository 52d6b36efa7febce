"""What the tokens of sets are worth, and the index of those that a similar set must share.

A row has the tokens of one set from the rarest on, what each is worth, and what it and all behind
it are worth together. Numbers are rounded up to 32 bits, so sums of them are upper bounds. A row
ends with a token `END`, which no set has and which is worth nothing, so no loop asks for ends.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from edgewise.base.cache import inlined, inner, kernel
from edgewise.base.cpu.insertion import sort_few
from edgewise.base.cpu.team import grab, share, stopped

__all__ = [
    *("END", "Entries", "Rows", "UP", "count_postings", "fill_postings", "fill_rows"),
    "find_prefixes",
]

#: The token behind the last one of each row.
END = np.int32(2**31 - 1)

#: One step of 32-bit numbers: rounding a product with it is never down.
UP = 1.0 + 2.0**-23
_CHUNK = 64


class Rows(NamedTuple):
    """The tokens of the distinct sets of a collection."""

    sizes: np.ndarray  #: int32, how many elements each set has
    starts: np.ndarray  #: int64, where each row begins; it ends with its first `END`
    tokens: np.ndarray  #: int32
    worth: np.ndarray  #: float32
    rest: np.ndarray  #: float32, the worth from here to the end


class Entries(NamedTuple):
    """StringSets in lists: for each entry a set, and the tokens that it is listed for."""

    sets: np.ndarray  #: int32
    places: np.ndarray  #: int32, where in its row the last of these tokens stands
    sums: np.ndarray  #: float32, what they are worth


@kernel(borrows=True)
def fill_rows(me, team, control, sets, first, starts, tokens, worths, total, rows):
    """Sum up what each set's tokens are worth.

    The tokens of an element, from ``starts`` on, are worth the same; ``total`` has zeros for each
    thread and token.
    """
    mine, count = total[me], len(first)
    while True:
        low, high = grab(control, 0, _CHUNK, count)
        if low >= high:
            return
        for i in range(low, high):
            row = count - 1 - i  # the largest sets first: nobody waits for the last
            begin = rows.starts[row]
            end = begin
            for k in range(sets.starts[first[row]], sets.starts[first[row] + 1]):
                element = sets.elements[k]
                for j in range(starts[element], starts[element + 1]):
                    token = tokens[j]
                    if mine[token] == 0.0:
                        rows.tokens[end] = token
                        end += 1
                    mine[token] += worths[element]
            sort_few(rows.tokens, begin, end)
            rows.tokens[end], rows.worth[end], rows.rest[end] = END, 0.0, 0.0
            rest = 0.0
            for j in range(end - 1, begin - 1, -1):
                worth = np.float32(mine[rows.tokens[j]] * UP)
                mine[rows.tokens[j]] = 0.0
                rest += worth
                rows.worth[j], rows.rest[j] = worth, np.float32(rest * UP)


@inlined
def find_prefixes(row, rows, needed, last, ends):
    """Where the part of each set's prefix ends that has tokens below ``last``.

    What is left behind a prefix is worth less than is needed.
    """
    at = rows.starts[row]
    while rows.tokens[at] < last and rows.rest[at] >= needed[row]:
        at += 1
    ends[row] = at


@kernel(borrows=True)
def count_postings(me, team, control, rows, ends, counts):
    """In how many prefixes each token is; a thread counts its part of the tokens."""
    low, high = share(me, team, len(counts))
    for row in range(len(ends)):
        at = _from(rows, rows.starts[row], ends[row], low)
        while at < ends[row] and rows.tokens[at] < high:
            counts[rows.tokens[at]] += 1
            at += 1
        if row % 4096 == 0 and stopped(control):
            return


@kernel(borrows=True)
def fill_postings(me, team, control, rows, ends, entries, bounds, filled):
    """Write the lists; each thread writes the tokens between two of the ``bounds``."""
    for part in range(me, len(bounds) - 1, team):
        low, high = bounds[part], bounds[part + 1]
        for row in range(len(ends)):
            at = _from(rows, rows.starts[row], ends[row], low)
            while at < ends[row] and rows.tokens[at] < high:
                token = rows.tokens[at]
                place = filled[token]
                filled[token] = place + 1
                entries.sets[place], entries.places[place] = row, at - rows.starts[row]
                entries.sums[place] = rows.worth[at]
                at += 1
            if row % 4096 == 0 and stopped(control):
                return


@inner
def _from(rows, at, end, low):
    """Where in a row the first token stands that is not below ``low``."""
    if low > 0:
        while at < end and rows.tokens[at] < low:
            at += 1
    return at
