"""Matchings of the graph of a pair of sets: of the greatest weight, or of at least half of it.

The graph is in the arrays of a `Room`: rows are elements of the right set, columns those of the
left one. The steps are those of `edgewise.matching`: `enter` of `maximum_weight_bipartite`,
`raise_prices` of `paz_schwartzman`, `join_free` of `greedy`. Edges rank by their weight, those that
weigh the same by their place: so the greedy matching and the locally dominant one are the same.
"""

from __future__ import annotations

import numpy as np

from edgewise.algorithms.matching.bipartite import enter
from edgewise.algorithms.matching.greedy import join_free
from edgewise.algorithms.matching.paz_schwartzman import raise_prices
from edgewise.base.cache import inner

__all__ = ["greatest", "greedy", "locally_dominant", "paz_schwartzman", "start", "take_free"]

_FEW = 32  # edges that insertion sorts faster than a heap


@inner
def start(rows, columns, room):
    """Let every row have a column that is most similar to it, if one is free; how many have none.

    If all have one, no matching is heavier; if not, those who have are the first in the search for
    one, and the others, who came too late, are in ``late``.
    """
    _free(rows, columns, room)
    late = 0
    for r in range(rows):
        most = room.most[r]
        room.u[r] = most
        for e in range(room.indptr[r], room.indptr[r + 1]):
            if room.worth[e] == most and join_free(r, room.indices[e], room.mate,
                                                   room.mate_of_column):  # fmt: skip
                break
        if room.mate[r] < 0 and most > 0.0:
            room.late[late] = r
            late += 1
    return late


@inner
def greatest(control, rows, late, least, total, room):
    """After `start`: the greatest weight; -1 once it must be below ``least``, nan if stopped.

    ``total`` is what the rows would have if each had its best column.
    """
    if late == 0:
        return total
    for k in range(late):
        r = np.int64(room.late[k])
        gain = enter(control, r, room.indptr, room.indices, room.worth, False, room.mate,
                     room.mate_of_column, room.u, room.v, room.distance, room.via, room.heap,
                     room.place, room.passed)  # fmt: skip
        if np.isnan(gain):
            return np.nan
        total -= room.most[r] - gain
        if total < least:
            return -1.0
    return _weight(rows, room)


@inner
def take_free(rows, late, room):
    """After `start`: the weight if those who came too late take the best column that is free.

    It leaves the graph as `start` left it.
    """
    for k in range(late):
        r = room.late[k]
        best = np.int64(-1)
        for e in range(room.indptr[r], room.indptr[r + 1]):
            if room.mate_of_column[room.indices[e]] < 0 and (
                best < 0 or room.worth[e] > room.worth[best]
            ):
                best = e
        if best >= 0:
            join_free(r, room.indices[best], room.mate, room.mate_of_column)
    weight = _weight(rows, room)
    for k in range(late):
        r = room.late[k]
        if room.mate[r] >= 0:
            room.mate_of_column[room.mate[r]] = -1
            room.mate[r] = -1
    return weight


@inner
def greedy(rows, columns, room):
    """The weight of the greedy matching: the edges from the heaviest to the lightest."""
    _free(rows, columns, room)
    for r in range(rows):
        for e in range(room.indptr[r], room.indptr[r + 1]):
            room.order[e], room.source[e] = e, r
    _sort(room.order, room.indptr[rows], room.worth)
    weight = 0.0
    for k in range(room.indptr[rows]):
        e = room.order[k]
        if join_free(room.source[e], room.indices[e], room.mate, room.mate_of_column):
            weight += room.worth[e]
    return weight


@inner
def locally_dominant(rows, columns, room):
    """The weight of the locally dominant matching: rows propose, columns keep the best.

    ``via`` is the edge by which a column has its mate. Who is outbid goes on.
    """
    _free(rows, columns, room)
    for first in range(rows):
        r = np.int64(first)
        while r >= 0:
            best = np.int64(-1)
            for e in range(room.indptr[r], room.indptr[r + 1]):
                c = room.indices[e]
                if (best < 0 or room.worth[e] > room.worth[best]) and (
                    room.mate_of_column[c] < 0 or _outranks(e, room.via[c], room.worth)
                ):
                    best = e
            if best < 0:
                break
            c = room.indices[best]
            loser = room.mate_of_column[c]
            room.mate[r], room.mate_of_column[c], room.via[c] = c, r, best
            if loser >= 0:
                room.mate[loser] = -1
            r = loser
    return _weight(rows, room)


@inner
def paz_schwartzman(rows, columns, room):
    """The weight of the matching of Paz and Schwartzman, and what no matching exceeds."""
    _free(rows, columns, room)
    height = 0
    for r in range(rows):
        room.u[r] = 0.0
        for e in range(room.indptr[r], room.indptr[r + 1]):
            if raise_prices(r, room.indices[e], room.worth[e], 1.0, room.u, room.v):
                room.order[height], room.source[height] = e, r
                height += 1
    weight, bound = 0.0, 0.0
    for k in range(height - 1, -1, -1):
        e = room.order[k]
        if join_free(room.source[k], room.indices[e], room.mate, room.mate_of_column):
            weight += room.worth[e]
    for c in range(columns):
        bound += room.v[c]
    for r in range(rows):  # no price need be higher than what the edges ask for
        needed = 0.0
        for e in range(room.indptr[r], room.indptr[r + 1]):
            needed = max(needed, room.worth[e] - room.v[room.indices[e]])
        bound += needed
    return weight, bound


@inner
def _free(rows, columns, room):
    for c in range(columns):
        room.mate_of_column[c], room.v[c] = -1, 0.0
    for r in range(rows):
        room.mate[r] = -1


@inner
def _weight(rows, room):
    """What the matched edges weigh."""
    weight = 0.0
    for r in range(rows):
        if room.mate[r] >= 0:
            e = room.indptr[r]
            while room.indices[e] != room.mate[r]:
                e += 1
            weight += room.worth[e]
    return weight


@inner
def _outranks(e, other, worth):
    return worth[e] > worth[other] or (worth[e] == worth[other] and e < other)


@inner
def _sort(order, size, worth):
    """Sort edges, the highest ranking first: in place, by insertion or by a heap."""
    if size <= _FEW:
        for i in range(1, size):
            e, j = order[i], i
            while j > 0 and _outranks(e, order[j - 1], worth):
                order[j] = order[j - 1]
                j -= 1
            order[j] = e
        return
    for at in range(size // 2 - 1, -1, -1):
        _sink(order, at, size, worth)
    for end in range(size - 1, 0, -1):
        order[0], order[end] = order[end], order[0]
        _sink(order, 0, end, worth)


@inner
def _sink(order, at, size, worth):
    """Move an edge down to where it belongs; above all others is the one that ranks lowest."""
    e = order[at]
    while 2 * at + 1 < size:
        below = 2 * at + 1
        if below + 1 < size and _outranks(order[below], order[below + 1], worth):
            below += 1
        if not _outranks(e, order[below], worth):
            break
        order[at] = order[below]
        at = below
    order[at] = e
