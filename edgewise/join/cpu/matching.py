"""Matchings of the graph of a pair of sets: of the greatest weight, or of at least half of it.

Rows are elements of the right set, columns those of the left one. The steps are those of
`edgewise.matching`: `entering` of `maximum_weight_bipartite`, `raise_prices` of `paz_schwartzman`,
`join_free` of `greedy`. Edges rank by their weight, those that weigh the same by their place: so
the greedy matching and the locally dominant one are the same.
"""

from __future__ import annotations

import numpy as np

from edgewise.algorithms.matching.entering import Assignment, PathSearch, entering
from edgewise.algorithms.matching.greedy import join_free
from edgewise.algorithms.matching.paz_schwartzman import raise_prices
from edgewise.base.cache import inner
from edgewise.base.cpu.team import stopped
from edgewise.base.heap import binary_heap
from edgewise.base.insertion import insertion
from edgewise.join.cpu.pair_arrays import FREE, LATE, LISTED, PARTIAL
from edgewise.join.cpu.pair_edges import edges_of

__all__ = [
    "claim",
    "free",
    "greatest",
    "greedy",
    "locally_dominant",
    "paz_schwartzman",
    "take_free",
]

_FEW = 32  # edges that insertion sorts faster than a heap
_enter = entering(edges_of)


@inner
def free(pair):
    """Let nobody have a mate, nor a price."""
    scratch = pair.scratch
    for c in range(pair.columns):
        scratch.mate_of_column[c], scratch.v[c] = -1, 0.0
    for r in range(pair.rows):
        scratch.mate[r], scratch.u[r] = -1, 0.0


@inner
def claim(pair, r, low, high):
    """Let row r, whose edges these are, have a column that is most similar to it, if one is free.

    If all rows have one, no matching is heavier. If not, they are the first in the search for the
    greatest, and those who came too late are in ``late``. Notes, and returns, how similar it is.
    """
    scratch = pair.scratch
    most, best = 0.0, np.int64(-1)
    for e in range(low, high):
        c, worth = scratch.indices[e], scratch.worth[e]
        scratch.most_by_column[c] = max(scratch.most_by_column[c], worth)
        if worth > most or (worth == most and best < 0 and scratch.mate_of_column[c] < 0):
            most, best = worth, e if scratch.mate_of_column[c] < 0 else np.int64(-1)
    scratch.most[r] = scratch.u[r] = most
    if best >= 0:
        join_free(r, scratch.indices[best], scratch.mate, scratch.mate_of_column)
    elif most > 0.0:
        scratch.late[scratch.state[LATE]] = r
        scratch.state[LATE] += 1
    return most


@inner
def greatest(pair, least, total):
    """After all have claimed: the greatest weight, -1 once it must be below ``least``.

    ``total`` is what the rows would have if each had its best column.
    """
    scratch = pair.scratch
    late = scratch.state[LATE]
    if late == 0:
        return total
    assignment = Assignment(scratch.mate, scratch.mate_of_column, scratch.u, scratch.v)
    search = PathSearch(scratch.distance, scratch.via, scratch.heap, scratch.place, scratch.passed)
    for k in range(late):
        r = np.int64(scratch.late[k])
        gain = _enter(
            pair.control, r, pair, scratch.indices, scratch.worth, False, assignment, search
        )
        total -= scratch.most[r] - gain
        if not total >= least:  # or stopped
            return -1.0
    return _weight(pair)


@inner
def take_free(pair):
    """After all have claimed: the weight if those who came too late take the best free column.

    It leaves mates as they were.
    """
    scratch = pair.scratch
    late = scratch.state[LATE]
    for k in range(late):
        r, most, best, floor = np.int64(scratch.late[k]), 0.0, np.int64(-1), np.inf
        while floor > most:
            low, high, floor = edges_of(r, pair, floor)
            for e in range(low, high):
                c = np.int64(scratch.indices[e])
                if scratch.worth[e] > most and scratch.mate_of_column[c] < 0:
                    most, best = scratch.worth[e], c
        if best >= 0:
            join_free(r, best, scratch.mate, scratch.mate_of_column)
    weight = _weight(pair)
    for k in range(late):
        r = np.int64(scratch.late[k])
        if scratch.mate[r] >= 0:
            scratch.mate_of_column[scratch.mate[r]] = -1
            scratch.mate[r] = -1
    return weight


@inner
def greedy(pair):
    """The weight of the greedy matching: the edges from the heaviest to the lightest.

    Where they are not all stored, the same matching is found by proposals. -1: space is needed.
    """
    scratch = pair.scratch
    if scratch.state[PARTIAL] > 0:
        return locally_dominant(pair)
    size = scratch.state[FREE]
    if size > len(scratch.source):
        scratch.state[LISTED] = size
        return -1.0
    free(pair)
    for r in range(pair.rows):
        for e in range(scratch.begin[r], scratch.end[r]):
            scratch.target[e], scratch.source[e] = e, r
    _sort(pair.control, scratch.target, size, scratch.worth)
    weight = 0.0
    for k in range(size):
        e = scratch.target[k]
        if join_free(scratch.source[e], scratch.indices[e], scratch.mate, scratch.mate_of_column):
            weight += scratch.worth[e]
    return weight


@inner
def locally_dominant(pair):
    """The weight of the locally dominant matching: rows propose, columns keep the best.

    ``v`` is what a column has. Who is outbid proposes again.
    """
    scratch = pair.scratch
    free(pair)
    for first in range(pair.rows):
        r = np.int64(first)
        while r >= 0 and not stopped(pair.control):
            most, best, floor = 0.0, np.int64(-1), np.inf
            while floor > most:
                low, high, floor = edges_of(r, pair, floor)
                for e in range(low, high):
                    c, worth = np.int64(scratch.indices[e]), scratch.worth[e]
                    if worth > most and (
                        worth > scratch.v[c]
                        or (worth == scratch.v[c] and r < scratch.mate_of_column[c])
                    ):
                        most, best = worth, c
            if best < 0:
                break
            loser = scratch.mate_of_column[best]
            scratch.mate_of_column[best], scratch.v[best] = r, most
            r = loser
    weight = 0.0
    for c in range(pair.columns):
        weight += scratch.v[c]
    return weight


@inner
def paz_schwartzman(pair):
    """The weight of the matching of Paz and Schwartzman, and what no matching exceeds.

    -1: space is needed for the stack, which is all that it stores.
    """
    scratch = pair.scratch
    free(pair)
    height = 0
    for r in range(pair.rows):
        low, high, _ = edges_of(r, pair, np.inf)
        if height + high - low > len(scratch.source):
            scratch.state[LISTED] = height + high - low
            return -1.0, -1.0
        for e in range(low, high):
            c = scratch.indices[e]
            if raise_prices(r, c, scratch.worth[e], 1.0, scratch.u, scratch.v):
                scratch.source[height], scratch.target[height], scratch.heavy[height] = (
                    r,
                    c,
                    scratch.worth[e],
                )
                height += 1
    weight, bound = 0.0, 0.0
    for k in range(height - 1, -1, -1):
        if join_free(scratch.source[k], scratch.target[k], scratch.mate, scratch.mate_of_column):
            weight += scratch.heavy[k]
    for c in range(pair.columns):
        bound += scratch.v[c]
    for r in range(pair.rows):  # no price need be higher than what the edges ask for
        needed = 0.0
        low, high, _ = edges_of(r, pair, np.inf)
        for e in range(low, high):
            needed = max(needed, scratch.worth[e] - scratch.v[scratch.indices[e]])
        bound += needed
    return weight, bound


@inner
def _weight(pair):
    """What the matched edges weigh."""
    scratch, weight = pair.scratch, 0.0
    for r in range(pair.rows):
        worth, floor = 0.0, np.inf if scratch.mate[r] >= 0 else -np.inf
        while worth == 0.0 and floor > 0.0:
            low, high, floor = edges_of(np.int64(r), pair, floor)
            for e in range(low, high):
                if scratch.indices[e] == scratch.mate[r]:
                    worth = scratch.worth[e]
                    break
        weight += worth
    return weight


def _outranks(data, e, other):
    worth = data[1]
    return worth[e] > worth[other] or (worth[e] == worth[other] and e < other)


def _is_outranked(data, e, other):
    return _ranks(data, other, e)


def _edge_at(data, i):
    return data[0][i]


def _put_edge(data, i, e):
    data[0][i] = e


_ranks = inner(_outranks)
_sort_few = insertion(_outranks, _edge_at, _put_edge, inner).sort
_sink = binary_heap(_is_outranked, _edge_at, _put_edge, inner).sink


@inner
def _sort(control, order, size, worth):
    """Sort edges, the highest ranking first: in place, by insertion or by a heap."""
    if size <= _FEW:
        _sort_few((order, worth), 0, size)
        return
    for at in range(size // 2 - 1, -1, -1):
        _sink((order, worth), at, size, order[at])
    for end in range(size - 1, 0, -1):
        if end % 4096 == 0 and stopped(control):
            return
        last, order[end] = order[end], order[0]
        _sink((order, worth), 0, end, last)
