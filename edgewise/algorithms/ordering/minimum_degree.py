"""Minimum degree order [1] in small leaves of a graph: eliminate a vertex of least degree next.

The neighbors of a vertex are a row of bits. Neighbors outside the leaf, which come later, count as
well [2]. Eliminating v makes its neighbors pairwise adjacent: the row of v is added to theirs. The
degrees are exact, and the work is quadratic in the size of a leaf. Leaves are ordered in parallel.

[1] W. Tinney, J. Walker. Direct solutions of sparse network equations by optimally ordered
    triangular factorization. Proc. IEEE 1967.
[2] F. Pellegrini, J. Roman, P. Amestoy. Hybridizing nested dissection and halo approximate minimum
    degree for efficient sparse matrix ordering. Concurrency 12, 2000.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.ordering.separators import Parts
from edgewise.base.bits import count_bits
from edgewise.graph.kinds import AnyGraph
from edgewise.graph.transfer import row_ids
from edgewise.operators import compute
from edgewise.operators.helpers import inner

__all__ = ["minimum_degree_ranks"]

#: Bits for those outside a leaf.
_OUTSIDE = 192

_1 = np.uint64(1)


class Leaves(NamedTuple):
    """The leaves of a graph: p has ``members[bounds[p] : bounds[p + 1]]``; its head acts for it."""

    indptr: Any
    heads: Any  # the leaf of its head, -1 for all other vertices
    members: Any
    bounds: Any
    local: Any  # the number of every vertex in its leaf
    bits: Any  # the bit of every arc's target


def minimum_degree_ranks(graph: AnyGraph, leaf: np.ndarray) -> np.ndarray:
    """When each vertex goes in its leaf, counted from 0.

    ``leaf`` has a number for every vertex, the same in a leaf; -1 for those that go later.
    """
    n = graph.num_vertices
    names, of = np.unique(leaf, return_inverse=True)
    parts = Parts.made(of, len(names))
    sizes, chosen = np.diff(parts.bounds), names >= 0
    local = np.empty(n, np.int64)
    local[parts.members] = np.arange(n) - np.repeat(parts.bounds[:-1], sizes)
    most = int(sizes[chosen].max(initial=0))
    rows = np.zeros((n, -(-(most + _OUTSIDE) // 64)), np.uint64)
    degree, rank = np.empty(n, np.int64), np.zeros(n, np.int64)
    bits = _bits(graph, parts, local)
    leaves = Leaves(graph.indptr, parts.heads(chosen), parts.members, parts.bounds, local, bits)
    compute(graph, None, _eliminate, (leaves, rows, degree, rank))
    return rank


def _bits(graph: AnyGraph, parts: Parts, local: np.ndarray) -> np.ndarray:
    """The bit of every edge's target: a number in the leaf, or behind them for one outside.

    Those outside are numbered leaf by leaf; if there are too many of them, some share a bit.
    """
    u, v = row_ids(graph), graph.indices
    bits, crossing = local[v], np.flatnonzero(parts.of[u] != parts.of[v])
    n = np.int64(graph.num_vertices)
    leaves = parts.of[u[crossing]].astype(np.int64)
    pairs, which = np.unique(leaves * n + v[crossing], return_inverse=True)
    begins = np.searchsorted(pairs, leaves * n)
    bits[crossing] = np.diff(parts.bounds)[leaves] + (which - begins) % _OUTSIDE
    return bits


def _eliminate(head, leaves, rows, degree, rank):
    """Order the leaf whose head it is; a degree of -1 says that a vertex is gone."""
    p, indptr, members = leaves.heads[head], leaves.indptr, leaves.members
    if p < 0:
        return
    low, high = leaves.bounds[p], leaves.bounds[p + 1]
    for i in range(low, high):
        v = members[i]
        for e in range(indptr[v], indptr[v + 1]):
            _set(rows[v], leaves.bits[e])
        degree[v] = _count(rows[v])
    for step in range(high - low):
        v = np.int64(-1)
        for i in range(low, high):
            u = members[i]
            if degree[u] >= 0 and (v < 0 or degree[u] < degree[v]):
                v = u
        rank[v], degree[v] = step, -1
        for i in range(low, high):
            u = members[i]
            if degree[u] >= 0 and _has(rows[v], i - low):
                _merge(rows[u], rows[v])
                _unset(rows[u], i - low)
                _unset(rows[u], leaves.local[v])
                degree[u] = _count(rows[u])


@inner
def _has(row, i):
    return row[i >> 6] >> np.uint64(i & 63) & _1 != 0


@inner
def _set(row, i):
    row[i >> 6] |= _1 << np.uint64(i & 63)


@inner
def _unset(row, i):
    row[i >> 6] &= ~(_1 << np.uint64(i & 63))


@inner
def _merge(row, other):
    for k in range(len(row)):
        row[k] |= other[k]


@inner
def _count(row):
    """How many bits are set."""
    total = np.int64(0)
    for k in range(len(row)):
        total += count_bits(row[k])
    return total
