"""The best edges of every vertex, best first: a sorted part of its neighbor list [1].

The list of vertex v is ``edges[starts[v]:stop[v]]``, of limited size. ``coming[v]`` is the first
unused entry. ``whole[v]`` is True if no other edge can follow. One pass over the neighbor list with
a heap selects k out of d edges: O(d log k) at most, and about d if weights are random and k is
small. Then the list is sorted. One thread fills a list; `edgewise.algorithms.matching.long_rows`
fills the lists of very long rows.

[1] A. Khan, A. Pothen, M. Patwary, et al. Efficient approximation algorithms for weighted
    b-matching. SIAM J. Scientific Computing 38(5), 2016.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.matching.order import outranks
from edgewise.algorithms.weighted_rows import WeightedRows
from edgewise.base.heap import binary_heap
from edgewise.base.insertion import insertion
from edgewise.base.offsets import offsets
from edgewise.graph.kinds import AnyGraph
from edgewise.operators.helpers import inner

__all__ = ["Shortlists", "before", "fill", "shortlists"]


class Shortlists(NamedTuple):
    """The lists, and which edges may be on them."""

    starts: Any
    edges: Any
    coming: Any  # the first edge of each list that has not been used
    stop: Any
    whole: Any  # 1 where no other edge could follow
    sign: int  # 1: the heaviest edges come first; -1: the lightest, all in the opposite order
    least: float  # edges count that weigh more than this


def shortlists(graph: AnyGraph, sizes: Any, sign: int, least: float) -> Shortlists:
    """Empty lists with ``sizes[v]`` places each."""
    starts = offsets(sizes)
    dtype = np.int32 if graph.num_arcs < 2**31 else np.int64
    edges = graph.xp.empty(int(starts[-1]), dtype)
    coming, stop = starts[:-1].copy(), starts[:-1].copy()
    return Shortlists(starts, edges, coming, stop, graph.full(0, np.int32), sign, least)


@inner
def fill(v, rows, bars, lists):
    """Give ``v`` its best edges; the next ones, if its list has been filled before.

    An edge that weighs less than the bar of its other end is left out. A vertex with edges must
    have a place on its list.
    """
    indices, weights, stride = rows.indices, rows.weights, rows.stride
    edges, sign, least = lists.edges, lists.sign, lists.least
    first, capacity, size = lists.starts[v], lists.starts[v + 1] - lists.starts[v], 0
    row = _Row(v, first, edges, rows, sign)
    again = lists.stop[v] > first
    last = edges[lists.stop[v] - 1] if again else 0
    floor, full = sign * weights[last * stride], False
    for e in range(rows.indptr[v], rows.indptr[v + 1]):
        weight = weights[e * stride]
        if full and sign * weight < floor:  # the many, on a long row
            continue
        u = indices[e]
        if u == v or not weight > least or weight < bars[u]:
            continue
        if again and not before(v, last, e, rows, sign):
            continue
        if size < capacity:
            edges[first + size] = e
            size += 1
            continue
        if not full:  # a heap from the moment on that a place is missing
            for i in range(size // 2 - 1, -1, -1):
                _sink(row, i, size, edges[first + i])
            full = True
        if before(v, e, edges[first], rows, sign):
            _sink(row, 0, size, e)
        floor = sign * weights[edges[first] * stride]
    _sort(row, 0, size)
    lists.coming[v], lists.stop[v], lists.whole[v] = first, first + size, 0 if full else 1


@inner
def before(v, e, other, rows, sign):
    """Does edge ``e`` of ``v`` come before another on a list?"""
    if sign < 0:
        e, other = other, e
    indices, weights, stride = rows.indices, rows.weights, rows.stride
    return outranks(v, weights[e * stride], indices[e], weights[other * stride], indices[other])


class _Row(NamedTuple):
    """A list, from its first place on, and what tells which of its edges comes first."""

    v: Any
    first: Any
    edges: Any
    rows: WeightedRows
    sign: Any


def _comes_first(row, e, other):
    return before(row.v, e, other, row.rows, row.sign)


def _comes_last(row, e, other):
    return before(row.v, other, e, row.rows, row.sign)


def _edge_at(row, i):
    return row.edges[row.first + np.int64(i)]


def _put_edge(row, i, e):
    row.edges[row.first + np.int64(i)] = e


_sort = insertion(_comes_first, _edge_at, _put_edge, inner).sort
_sink = binary_heap(_comes_last, _edge_at, _put_edge, inner).sink
