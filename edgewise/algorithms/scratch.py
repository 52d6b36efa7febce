"""Scratch memory for searches: words in one long array, for as many as search at once.

On CPU threads a search takes a free slot, and gives it back. On a GPU, where too
many search at once, each has one of its own, and the searches go in parts whose slots fit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from edgewise.base import atomic
from edgewise.base.offsets import offsets
from edgewise.graph.kinds import AnyGraph
from edgewise.graph.transfer import host
from edgewise.operators import Frontier
from edgewise.operators.engines import CROWD, members_at_once
from edgewise.operators.helpers import inner

__all__ = [
    "SLOTS",
    "Scratch",
    "cleared_scratch",
    "give_back",
    "own_scratch",
    "place_of",
    "new_scratch",
    "scratch_for",
    "take_slot",
]

#: So many searches at once have a slot of their own; slots that are never used take no memory.
SLOTS = 64
#: Words of the slots of a part, on a GPU: 256 MiB.
_WORDS = 1 << 25


class Scratch(NamedTuple):
    """``words`` has slot after slot of ``size``; ``busy`` tells which are taken.

    Or each search has its own: that from v begins at ``places[v] - size``.
    """

    words: Any
    busy: Any
    places: Any
    size: int


def new_scratch(size: int) -> Scratch:
    """Slots of so many words."""
    busy = np.zeros(SLOTS, np.int32)
    return Scratch(np.empty(SLOTS * size, np.uint64), busy, np.zeros(0, np.int64), size)


def _are_many(graph: AnyGraph) -> bool:
    """Are there more searches at once than slots can be shared by?"""
    return members_at_once(graph) >= CROWD


def scratch_for(
    graph: AnyGraph, size: int, sizes: Any
) -> Iterable[tuple[Frontier | None, Scratch]]:
    """Slots of one size for all vertices to share; if too many search, `own_scratch`."""
    return own_scratch(sizes, graph.xp) if _are_many(graph) else [(None, new_scratch(size))]


def own_scratch(sizes: Any, xp: Any) -> Iterator[tuple[Frontier, Scratch]]:
    """Parts of the vertices, with a slot of its size for each.

    >>> [(part.ids.tolist(), len(one.words)) for part, one in own_scratch(np.array([3, 0, 5]), np)]
    [([0, 1, 2], 8)]
    """
    n, starts = len(sizes), offsets(host(sizes))
    places, ends = xp.asarray(starts[:-1]), starts[1:]
    low, begin = 0, 0
    while low < n:
        high = max(int(np.searchsorted(ends, begin + _WORDS, side="right")), low + 1)
        part = Frontier._trusted(n, ids=xp.arange(low, high))
        words = xp.empty(max(int(ends[high - 1]) - begin, 1), np.uint64)
        yield part, Scratch(words, xp.zeros(0, np.int32), places, begin)
        low, begin = high, int(ends[high - 1])


def cleared_scratch(graph: AnyGraph, count: int, size: int) -> Iterator[tuple[int, int, Scratch]]:
    """Parts of so many searches, from the first to the one after the last, with slots for these.

    Slots have one size, their words are int64 and 0 at first; search i of a part may have the slot
    of one before it. `place_of` with i, its number in the part, says where it is.

    >>> from edgewise.graph import Graph
    >>> parts = cleared_scratch(Graph.from_edges([0], [1]), 3, 5)
    >>> [(low, high, len(one.words)) for low, high, one in parts]
    [(0, 3, 15)]
    """
    xp, size, many = graph.xp, max(size, 1), _are_many(graph)
    part = max(min(count, _WORDS // size), 1) if many else max(count, 1)
    number = part if many else min(part, SLOTS)
    words, busy = xp.zeros(number * size, np.int64), xp.zeros(0 if many else number, np.int32)
    places = xp.arange(number if many else 0) * size
    for low in range(0, count, part):
        yield low, min(low + part, count), Scratch(words, busy, places, 0 if many else size)


@inner
def place_of(v, busy, places, size):
    """Where the words of the search from v begin, and the slot, if one was taken."""
    if len(busy) == 0:
        return places[v] - size, -1
    slot = take_slot(busy)
    return slot * size, slot


@inner
def take_slot(busy):
    """The number of a slot that is free, which is taken now."""
    slot = 0
    while busy[slot] != 0 or atomic.cas(busy, slot, 0, 1) != 0:
        slot = slot + 1 if slot + 1 < len(busy) else 0
    return slot


@inner
def give_back(busy, slot):
    """Let another have the slot."""
    if slot >= 0:
        atomic.exch(busy, slot, 0)
