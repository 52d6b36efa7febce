"""What clique searches work on: a graph in order of degeneracy, bit sets, room for each search.

Vertices are numbered by core number, then by degree, so that few of anyone's neighbors come after
it. A search from v is among those; their edges are rows of bits, a bit for each of them. Sets are
words in one long array of uint64, at a place that is known. On CPU threads whoever searches takes a
room of that array that is free, and gives it back; on a GPU, where too many search at once, each
has one of its own, and the searches go in parts whose rooms fit.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.cores.core_number import core_number
from edgewise.base import atomic
from edgewise.graph.device import host, row_ids
from edgewise.operators import Frontier
from edgewise.operators.helpers import first_from, inner

__all__ = [
    "Ordered",
    "Rooms",
    "bits_of",
    "count_bits",
    "first_of",
    "give_back",
    "in_order",
    "lowest",
    "own_rooms",
    "place_of",
    "rooms",
    "set_known",
    "tell_back",
    "take_room",
]

_0, _1, _2, _4, _6, _56, _63 = map(np.uint64, (0, 1, 2, 4, 6, 56, 63))
_PAIRS, _FOURS = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333)
_EIGHTS, _BYTES = np.uint64(0x0F0F0F0F0F0F0F0F), np.uint64(0x0101010101010101)
#: So many searches at once have a room of their own; rooms that nobody enters take no memory.
_ROOMS = 64
#: Words of the rooms of a part, on a GPU: 256 MiB.
_WORDS = 1 << 25


class Ordered(NamedTuple):
    """A graph without loops and weights, in order; ``first[v]`` is where those after v begin.

    ``names[v]`` is what v was called before.
    """

    graph: Any
    first: Any
    names: Any

    @property
    def later(self) -> Any:
        """How many neighbors come after each vertex."""
        return self.graph.indptr[1:] - self.first


class Rooms(NamedTuple):
    """``words`` has room after room of ``size``; ``busy`` tells which are taken.

    Or each search has its own, from ``places`` on, and the first of them at ``size``.
    """

    words: Any
    busy: Any
    places: Any
    size: int


def in_order(graph: Any) -> Ordered:
    """An undirected graph in order of degeneracy.

    >>> from edgewise.graph import Graph
    >>> ordered = in_order(Graph.from_edges([0, 0, 0, 1], [1, 2, 3, 2]))
    >>> ordered.names.tolist(), ordered.later.tolist()
    ([3, 1, 2, 0], [1, 2, 1, 0])
    """
    plain, xp = graph.with_weights(None).with_labels(None).without_self_loops(), graph.xp
    names = xp.lexsort(xp.stack((plain.degrees(), core_number(plain))))
    places = xp.empty_like(names)
    places[names] = xp.arange(len(names))
    ordered = plain.permute(places)
    rows = row_ids(ordered)
    before = xp.bincount(rows[ordered.indices < rows], minlength=len(names))
    return Ordered(ordered, ordered.indptr[:-1] + before, names)


def rooms(size: int) -> Rooms:
    """Rooms of so many words."""
    busy = np.zeros(_ROOMS, np.int32)
    return Rooms(np.empty(_ROOMS * size, np.uint64), busy, np.zeros(0, np.int64), size)


def own_rooms(sizes: Any, xp: Any) -> Iterator[tuple[Frontier, Rooms]]:
    """Parts of the vertices, with a room of its size for each.

    >>> [(part.ids.tolist(), len(one.words)) for part, one in own_rooms(np.array([3, 0, 5]), np)]
    [([0, 1, 2], 8)]
    """
    n, ends = len(sizes), np.cumsum(host(sizes))
    places = xp.asarray(np.r_[0, ends[:-1]])
    low, begin = 0, 0
    while low < n:
        high = max(int(np.searchsorted(ends, begin + _WORDS, side="right")), low + 1)
        part = Frontier.trusted(n, ids=xp.arange(low, high))
        words = xp.empty(max(int(ends[high - 1]) - begin, 1), np.uint64)
        yield part, Rooms(words, xp.zeros(0, np.int32), places, begin)
        low, begin = high, int(ends[high - 1])


@inner
def place_of(v, busy, places, size):
    """Where the words of the search from v begin, and the room, if one was taken."""
    if len(busy) == 0:
        return places[v] - size, -1
    room = take_room(busy)
    return room * size, room


@inner
def take_room(busy):
    """The number of a room that is free, which is taken now."""
    room = 0
    while busy[room] != 0 or atomic.cas(busy, room, 0, 1) != 0:
        room = room + 1 if room + 1 < len(busy) else 0
    return room


@inner
def give_back(busy, room):
    """Let another have the room."""
    if room >= 0:
        atomic.exch(busy, room, 0)


@inner
def bits_of(size):
    """How many words hold a bit for each of ``size``."""
    return (size + 63) >> 6


@inner
def count_bits(word):
    """How many bits of a word are set."""
    word -= (word >> _1) & _PAIRS
    word = (word & _FOURS) + ((word >> _2) & _FOURS)
    return np.int64((((word + (word >> _4)) & _EIGHTS) * _BYTES) >> _56)


@inner
def lowest(word):
    """The place of the lowest bit that is set; there is one."""
    return count_bits((word & (~word + _1)) - _1)


@inner
def first_of(words, at, width):
    """The first member of a set, or -1."""
    for part in range(width):
        if words[at + part] != 0:
            return np.int64(64 * part + lowest(words[at + part]))
    return np.int64(-1)


@inner
def set_known(words, at, width, indices, members, others, i):
    """Set bits in row i of the bits at ``at``: members that a list of others holds, both ascending.

    ``members`` and ``others`` are ranges of ``indices``; the shorter is looked up in the longer.
    """
    low, high = members
    start, end = others
    row = at + i * width
    if 8 * (end - start) < high - low:
        for e in range(start, end):
            place = first_from(indices, low, high, indices[e])
            if place < high and indices[place] == indices[e]:
                _set(words, row, place - members[0])
            low = place
        return
    for e in range(low, high):
        start = first_from(indices, start, end, indices[e])
        if start == end:
            return
        if indices[start] == indices[e]:
            _set(words, row, e - members[0])


@inner
def tell_back(words, at, width, i):
    """Set bit i in the rows of all later ones whose bits are set in row i."""
    for part in range(i >> 6, width):
        word = words[at + i * width + part]
        while word != 0:
            j = 64 * part + lowest(word)
            word &= word - _1
            if j > i:
                _set(words, at + j * width, i)


@inner
def _set(words, row, j):
    words[row + (j >> 6)] |= _1 << np.uint64(j & 63)
