"""One round of `global_minimum_cut`: better cuts, and groups of vertices that none separates.

strength[v] is the weight of the edges between v and the vertices scanned so far. A vertex whose
strength reaches the best cut is on a stack, and others are in a heap: among the vertices on the
stack, any may be scanned next. The stack grows down from the end of ``order``.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.base.heap import indexed_heap
from edgewise.operators.helpers import inner
from edgewise.operators.sequential import going

__all__ = ["Scan", "groups_of", "new_scan"]

#: States of a vertex.
_NEW, _WAITING, _STACKED, _SCANNED = range(4)


class Scan(NamedTuple):
    """Arrays over vertices."""

    strength: Any
    degree: Any  # weighted
    heap: Any
    place: Any
    key: Any  # the negative strength when a vertex moved in the heap
    state: Any
    order: Any
    group: Any
    joined: Any  # with another vertex


def new_scan(n: int, dtype: Any) -> Scan:
    """Return the arrays of a round for n vertices."""
    strength, degree, key = (np.zeros(n, dtype) for _ in range(3))
    heap, place, order, group = (np.empty(n, np.int64) for _ in range(4))
    state, joined = np.full(n, _NEW, np.int8), np.zeros(n, np.bool_)
    return Scan(strength, degree, heap, place, key, state, order, group, joined)


def groups_of(control, indptr, indices, weights, exact, scan, best, cut):
    """Lower ``best`` if there is a better cut, and note it in ``cut``; name the groups.

    ``cut`` is a vertex and n, or anything and the number of the vertices scanned up to there.
    """
    degree, group, joined, order, n = scan.degree, scan.group, scan.joined, scan.order, len(scan[0])
    for v in range(n):
        group[v] = v
        for e in range(indptr[v], indptr[v + 1]):
            if indices[e] != v:
                degree[v] += weights[e]
        if degree[v] < best[0]:
            best[0], cut[0], cut[1] = degree[v], v, n
    if _scan(control, indptr, indices, weights, exact, scan, best, cut):
        _join(group, joined, order[n - 1], order[n - 2])
        for v in range(n):
            if not joined[v]:
                _take_heaviest(v, indptr, indices, weights, scan)
    for v in range(n):
        group[v] = _root(group, v)


@inner
def _scan(control, indptr, indices, weights, exact, scan, best, cut):
    """Scan all vertices; False if the graph is not connected, or if interrupted."""
    strength, degree, heap, place, key, state, order, group, joined = scan
    waiting = (heap, place, key)
    n, size, top, crossing = len(order), 0, len(order), strength[0]
    v, done = np.int64(0), 0
    while True:
        order[done], state[v] = v, _SCANNED
        done += 1
        if done == n:
            return True
        if done % 256 == 0 and not going(control, done):
            return False
        crossing += degree[v] - strength[v] - strength[v]
        if exact and crossing < best[0]:
            best[0], cut[1] = crossing, done
        for e in range(indptr[v], indptr[v + 1]):
            u = np.int64(indices[e])
            if state[u] == _SCANNED:
                continue
            strength[u] += weights[e]
            if strength[u] >= best[0]:
                _join(group, joined, u, v)
                if state[u] != _STACKED:
                    top -= 1
                    order[top], state[u] = u, _STACKED
            elif state[u] != _STACKED:
                key[u] = -strength[u]
                at = size if state[u] == _NEW else place[u]
                size += 1 if state[u] == _NEW else 0
                state[u] = _WAITING
                _rise(waiting, at, u)
        v = np.int64(-1)
        if top < n:
            v = order[top]
            top += 1
        while v < 0 and size > 0:
            u = heap[0]
            size -= 1
            if size > 0:
                _sink(waiting, 0, size, heap[size])
            if state[u] == _WAITING:
                v = u
        if v < 0:
            best[0], cut[1] = 0, done
            return False


@inner
def _take_heaviest(v, indptr, indices, weights, scan):
    """Join a single vertex with its strongest neighbor, if that has half of its weight.

    A cut between the two is no better than one with v on the other side, or the one around v.
    """
    joined, degree = scan.joined, scan.degree[v]
    best, other = degree, np.int64(-1)
    for e in range(indptr[v], indptr[v + 1]):
        u, weight = np.int64(indices[e]), weights[e]
        if u != v and (other < 0 or weight > best or (weight == best and joined[u])):
            best, other = weight, u
    if other >= 0 and best >= degree - best:
        _join(scan.group, joined, v, other)


@inner
def _join(group, joined, u, v):
    joined[u] = joined[v] = True
    u, v = _root(group, u), _root(group, v)
    group[max(u, v)] = min(u, v)


@inner
def _root(group, v):
    while group[v] != v:
        group[v] = group[group[v]]
        v = group[v]
    return v


_rise, _sink = indexed_heap(inner)
