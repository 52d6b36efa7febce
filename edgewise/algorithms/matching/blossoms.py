"""A round of searches with blossoms for `maximum_cardinality` [1, 2], on one CPU thread.

Alternating trees grow from all free vertices. Vertices at an even distance from a root are even,
their mates odd. An edge between even vertices of two trees completes an augmenting path. It is
applied, and both trees rest until the next round. An edge between even vertices of one tree closes
a blossom: a cycle of odd length, whose odd vertices become even. ``group`` joins the vertices of a
blossom (union-find), and ``base`` is the vertex of a group that is nearest to the root.

An even vertex remembers how an even path leads from it to the root. That of an original even vertex
begins with its mate and the parent of its mate. That of a vertex made even by a blossom runs
across the edge that closed it, ``bridge``.

[1] J. Edmonds. Paths, trees, and flowers. Canadian J. Mathematics 17, 1965.
[2] H. Gabow. An efficient implementation of Edmonds' algorithm for maximum matching on graphs.
    J. ACM 23(2), 1976.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.operators.helpers import inner
from edgewise.operators.sequential import going

__all__ = ["Forest", "blossom_round", "new_forest"]

_FREE, _EVEN, _ODD = range(3)


class Forest(NamedTuple):
    """The matching, and the trees of a round."""

    mate: Any
    label: Any  # _EVEN, _ODD, or _FREE outside all trees
    root: Any  # of the tree of each vertex
    parent: Any  # of odd vertices
    bridge: Any  # the two ends for vertices made even by a blossom, -1 for others
    group: Any
    mark: Any  # of vertices on the way to a root, while two ways are compared
    queue: Any
    stack: Any  # pairs that are to be matched
    resting: Any  # roots of trees that were augmented
    counts: Any  # augmenting paths, and the last mark


def new_forest(mate: Any) -> Forest:
    """Return the arrays around a matching, which rounds will change."""
    n = len(mate)
    root, parent, group, queue = (np.empty(n, np.int64) for _ in range(4))
    bridge, stack = np.empty((2, n), np.int64), np.empty((2, n + 2), np.int64)
    mark, counts = np.zeros(n, np.int64), np.zeros(2, np.int64)
    label, resting = np.zeros(n, np.int8), np.zeros(n, np.bool_)
    return Forest(mate, label, root, parent, bridge, group, mark, queue, stack, resting, counts)


def blossom_round(control, indptr, indices, forest):
    """Grow trees from all free vertices, and augment along disjoint paths between them."""
    mate, label, root, parent, bridge, group, mark, queue, _, resting, counts = forest
    tail, counts[0] = 0, 0
    for v in range(len(mate)):
        label[v], group[v], bridge[0, v], resting[v] = _FREE, v, -1, False
        if mate[v] < 0:
            label[v], root[v], queue[tail] = _EVEN, v, v
            tail += 1
    head, looked = 0, 0
    while head < tail:
        v = queue[head]
        head += 1
        looked += 1 + indptr[v + 1] - indptr[v]
        if looked >= 4096:
            looked = 0
            if not going(control, head):
                return
        if resting[root[v]]:
            continue
        for e in range(indptr[v], indptr[v + 1]):
            u = np.int64(indices[e])
            if label[u] == _ODD:
                continue
            if label[u] == _FREE:
                after = mate[u]
                label[u], label[after], parent[u] = _ODD, _EVEN, v
                root[u] = root[after] = root[v]
                queue[tail] = after
                tail += 1
            elif root[u] == root[v]:
                if _base(group, u) != _base(group, v):
                    tail = _shrink(forest, u, v, tail)
            elif not resting[root[u]]:
                resting[root[u]] = resting[root[v]] = True
                counts[0] += 1
                _match(forest, u, v)
                _match(forest, v, u)
                break


@inner
def _shrink(forest, u, v, tail):
    """Make a blossom of the cycle that an edge between even vertices closes."""
    mate, parent, group, mark, counts = (
        forest.mate,
        forest.parent,
        forest.group,
        forest.mark,
        forest.counts,
    )
    counts[1] += 1
    x, y = _base(group, u), _base(group, v)
    while True:  # up from both ends in turn, until one way meets the other
        if x >= 0:
            if mark[x] == counts[1]:
                break
            mark[x] = counts[1]
            x = _base(group, parent[mate[x]]) if mate[x] >= 0 else np.int64(-1)
        x, y = y, x
    tail = _climb(forest, u, v, x, tail)
    return _climb(forest, v, u, x, tail)


@inner
def _climb(forest, u, v, base, tail):
    """Make the way from u to the base of a blossom a part of it."""
    mate, label, _, parent, bridge, group, _, queue, _, _, _ = forest
    x = _base(group, u)
    while x != base:
        odd = mate[x]
        label[odd], bridge[0, odd], bridge[1, odd] = _EVEN, u, v
        group[x] = group[odd] = base
        queue[tail] = odd
        tail += 1
        x = _base(group, parent[odd])
    return tail


@inner
def _match(forest, v, u):
    """Match v with u, and so on along the even path from v to its root."""
    mate, parent, bridge, stack = forest.mate, forest.parent, forest.bridge, forest.stack
    stack[0, 0], stack[1, 0], size = v, u, 1
    while size > 0:
        size -= 1
        v, u = stack[0, size], stack[1, size]
        old = mate[v]
        mate[v] = u
        if old < 0 or mate[old] != v:
            continue
        if bridge[0, v] < 0:
            mate[old] = parent[old]
            stack[0, size], stack[1, size] = parent[old], old
            size += 1
        else:
            x, y = bridge[0, v], bridge[1, v]
            stack[0, size], stack[1, size] = y, x
            stack[0, size + 1], stack[1, size + 1] = x, y
            size += 2


@inner
def _base(group, v):
    while group[v] != v:
        group[v] = group[group[v]]
        v = group[v]
    return v
