"""Room for searches: words in one long array, for as many as search at once.

On CPU threads whoever searches takes a room that is free, and gives it back. On a GPU, where too
many search at once, each has one of its own, and the searches go in parts whose rooms fit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from edgewise.base import atomic
from edgewise.graph.kinds import AnyGraph
from edgewise.graph.transfer import host
from edgewise.operators import Frontier
from edgewise.operators.engines import CROWD, members_at_once
from edgewise.operators.helpers import inner

__all__ = [
    "Rooms",
    "cleared_rooms",
    "give_back",
    "own_rooms",
    "place_of",
    "rooms",
    "rooms_for",
    "take_room",
]

#: So many searches at once have a room of their own; rooms that nobody enters take no memory.
_ROOMS = 64
#: Words of the rooms of a part, on a GPU: 256 MiB.
_WORDS = 1 << 25


class Rooms(NamedTuple):
    """``words`` has room after room of ``size``; ``busy`` tells which are taken.

    Or each search has its own: that from v begins at ``places[v] - size``.
    """

    words: Any
    busy: Any
    places: Any
    size: int


def rooms(size: int) -> Rooms:
    """Rooms of so many words."""
    busy = np.zeros(_ROOMS, np.int32)
    return Rooms(np.empty(_ROOMS * size, np.uint64), busy, np.zeros(0, np.int64), size)


def _are_many(graph: AnyGraph) -> bool:
    """Are there more searches at once than rooms can be shared by?"""
    return members_at_once(graph) >= CROWD


def rooms_for(graph: AnyGraph, size: int, sizes: Any) -> Iterable[tuple[Frontier | None, Rooms]]:
    """Rooms of one size for all vertices to share; where too many search, parts of `own_rooms`."""
    return own_rooms(sizes, graph.xp) if _are_many(graph) else [(None, rooms(size))]


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


def cleared_rooms(graph: AnyGraph, count: int, size: int) -> Iterator[tuple[int, int, Rooms]]:
    """Parts of so many searches, from the first to the one after the last, with rooms for these.

    Rooms have one size, their words are int64 and 0 at first; search i of a part may have the room
    of one before it. `place_of` with i, its number in the part, says where it is.

    >>> from edgewise.graph import Graph
    >>> parts = cleared_rooms(Graph.from_edges([0], [1]), 3, 5)
    >>> [(low, high, len(one.words)) for low, high, one in parts]
    [(0, 3, 15)]
    """
    xp, size, many = graph.xp, max(size, 1), _are_many(graph)
    part = max(min(count, _WORDS // size), 1) if many else max(count, 1)
    number = part if many else min(part, _ROOMS)
    words, busy = xp.zeros(number * size, np.int64), xp.zeros(0 if many else number, np.int32)
    places = xp.arange(number if many else 0) * size
    for low in range(0, count, part):
        yield low, min(low + part, count), Rooms(words, busy, places, 0 if many else size)


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
