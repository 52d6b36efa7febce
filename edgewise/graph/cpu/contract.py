"""Kernels of `edgewise.graph.contract`: the edges of a graph between the groups of their ends.

Rows are walked in pieces of about as many arcs each, cut in the same places whatever the number of
threads. `tally` says how many edges each piece has (of an undirected graph those to a vertex that
is not smaller); `collect` writes them, one for one, as pairs of groups; `gather_kernel` gives the
loop that combines on the way what a piece holds several times. Each thread has a small table for
that, with one place for each hash: what is pushed out of its place by another pair is written, and
so is at the end of the piece what is left. Where many edges lie inside groups, few are left to
sort; and since pieces are the same for every team, so is every sum.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from edgewise.base.cache import helper, inlined, inner, kernel
from edgewise.base.cpu.optional import copy_item, empty_like
from edgewise.base.cpu.random import mix
from edgewise.base.cpu.team import grab
from edgewise.graph.cpu.build import MAX, MIN, SUM
from edgewise.graph.cpu.row_search import first_edge

__all__ = ["Grouping", "collect", "gather_kernel", "tally"]

_PLACES = 1 << 12  # of a table: keys and weights fit a second-level cache
_FREE = np.uint64(0xFFFFFFFFFFFFFFFF)


@kernel
def tally(me, team, control, indptr, indices, pieces, upper, sizes):
    """The number of edges of every piece."""
    firsts, ends, _ = pieces
    while True:
        piece, end = grab(control, 0, 1, len(sizes))
        if piece == end:
            return
        total = np.int64(0)
        for u in range(firsts[piece], ends[piece]):
            total += indptr[u + 1] - _first(indptr, indices, u, upper)
        sizes[piece] = total


class Grouping(NamedTuple):
    """The groups between which edges are wanted, and how edges are counted."""

    groups: np.ndarray  #: of every vertex
    width: int  #: bits of a group's number
    upper: bool  #: an edge counts at its smaller end alone
    loops: bool  #: edges inside a group are kept


@kernel
def collect(me, team, control, rows, grouping, pieces, edges):
    """Every edge as a pair of groups, with its weight (as plain bits, or None)."""
    (indptr, indices, weights), (sources, targets, values) = rows, edges
    (firsts, ends, places), groups = pieces, grouping.groups
    while True:
        piece, end = grab(control, 0, 1, len(places))
        if piece == end:
            return
        at = places[piece]
        for u in range(firsts[piece], ends[piece]):
            for e in range(_first(indptr, indices, u, grouping.upper), indptr[u + 1]):
                sources[at], targets[at] = groups[u], groups[indices[e]]
                copy_item(values, at, weights, e)
                at += 1


@cache
def gather_kernel(combine: Any) -> Any:
    """The loop for a monoid's function; None is one of the ways that it is told by number."""
    combine = None if combine is None else helper(combine)

    @inner
    def add(totals, h, weights, e, combining):
        """Combine an edge's weight with the total at ``h``; False if the sum does not fit."""
        if totals is None:
            return True
        value = 1 if weights is None else weights[e]
        if combine is not None:
            totals[h] = combine(totals[h], value)
            return True
        return _add(totals, h, value, combining.wide, combining.how)

    @kernel
    def gather(me, team, control, rows, grouping, pieces, edges, sizes, combining):
        """Pairs of groups and their combined weights; ``sizes`` says how many each piece has.

        Without weights, but with values, every edge counts as 1.
        """
        (indptr, indices, weights), (sources, targets, values) = rows, edges
        (firsts, ends, places), (groups, width, upper, loops) = pieces, grouping
        keys, totals = np.full(_PLACES, _FREE), empty_like(values, _PLACES)
        shift = np.uint64(width)
        low = (np.uint64(1) << shift) - np.uint64(1)
        while True:
            piece, end = grab(control, 0, 1, len(sizes))
            if piece == end:
                return
            at = places[piece]
            for u in range(firsts[piece], ends[piece]):
                for e in range(_first(indptr, indices, u, upper), indptr[u + 1]):
                    a, b = np.uint64(groups[u]), np.uint64(groups[indices[e]])
                    if upper and b < a:
                        a, b = b, a
                    if a == b and not loops:
                        continue
                    key = (a << shift) | b
                    h = mix(key) & np.uint64(_PLACES - 1)
                    if keys[h] == key and add(totals, h, weights, e, combining):
                        continue
                    if keys[h] != _FREE:
                        sources[at], targets[at] = keys[h] >> shift, keys[h] & low
                        copy_item(values, at, totals, h)
                        at += 1
                    keys[h] = key
                    _start(totals, h, weights, e)
            for h in range(_PLACES):
                if keys[h] != _FREE:
                    sources[at], targets[at] = keys[h] >> shift, keys[h] & low
                    copy_item(values, at, totals, h)
                    at += 1
                    keys[h] = _FREE
            sizes[piece] = at - places[piece]

    return gather


@inlined
def _start(totals, h, weights, e):
    """An edge's weight as the total at ``h``, if there are totals."""
    if totals is not None:
        totals[h] = 1 if weights is None else weights[e]


@inner
def _add(totals, h, value, wide, how):
    zero, least, most = wide
    total, value = zero + totals[h], zero + value
    if how == SUM:
        if (value > 0 and total > most - value) or (value < 0 and total < least - value):
            return False
        totals[h] = total + value
    elif how == MIN:
        if value < total or value != value:
            totals[h] = value
    elif how == MAX and (value > total or value != value):
        totals[h] = value
    return True


@inner
def _first(indptr, indices, u, upper):
    """The first arc of row u that counts."""
    return first_edge(indptr, indices, u, u) if upper else indptr[u]
