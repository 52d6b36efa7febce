"""Maximum cardinality bipartite matching by searches from all free rows, with tree grafting [1].

Vertices are rows and columns; ``left`` marks the rows. A free row is the root of a tree of
alternating paths.

A round grows trees by breadth-first search until each has a free leaf or cannot grow. Trees with a
leaf are augmented and dissolved. The next round starts from those of their columns that have a
neighbor in another tree and join it (grafting). If most columns are in dissolved trees, it starts
from all free rows instead. O(m) work per round, on one CPU thread; mostly a few rounds.

[1] A. Azad, A. Buluc, A. Pothen. Computing maximum cardinality matchings in parallel on bipartite
    graphs via tree-grafting. IEEE TPDS 28(1), 2017.
"""

from __future__ import annotations

from math import isqrt
from typing import Any, NamedTuple

import numpy as np

from edgewise.base.observe import notify
from edgewise.graph.csr import frozen
from edgewise.operators.helpers import inner
from edgewise.operators.sequential import going, sequential

__all__ = ["first_free", "grafted"]

#: Rounds are at most so many times sqrt(n), which no graph we tried came near.
_ROUNDS = 8
#: Places in ``counts``: free rows, columns in trees, length of the queue (-1: start anew), paths.
_FREE, _SEEN, _QUEUED, _PATHS = range(4)


class Trees(NamedTuple):
    """The matching, and the trees of alternating paths from free rows."""

    mate: Any
    root: Any  # of the tree of each vertex, or -1 outside all trees
    leaf: Any  # a free column in the tree of each root, or -1
    parent: Any  # the row from which each column was reached
    queue: Any
    seen: Any  # the columns in trees
    free: Any  # rows
    counts: Any


def first_free(indptr: Any, indices: Any, left: Any) -> Any:
    """Give every row its first free column: mate[v] is -1 for free vertices.

    None if an edge joins two rows or two columns.
    """
    mate, wrong = np.full(len(left), -1, indices.dtype), np.zeros(1, np.bool_)
    state = (indptr, indices, frozen(np.ascontiguousarray(left)), mate, wrong)
    sequential(_first_free, state, steps=len(left), work=len(indices))
    return None if wrong[0] else mate


def grafted(indptr: Any, indices: Any, left: Any, mate: Any, whole: Any) -> bool:
    """Make ``mate`` a largest matching; False if it is not one after many rounds.

    The first round takes ``indptr`` and ``indices`` of the rows alone; later ones take what
    ``whole()`` returns, which has those of the columns, too.
    """
    n, dtype = len(left), indices.dtype
    root, leaf = np.full(n, -1, dtype), np.full(n, -1, dtype)
    parent, queue, seen = (np.empty(n, dtype) for _ in range(3))
    free = np.flatnonzero(left & (mate < 0))
    counts = np.array([len(free), 0, -1, 0])
    trees = Trees(mate, root, leaf, parent, queue, seen, free, counts)
    for turn in range(_ROUNDS * isqrt(n)):
        if turn == 1:
            indptr, indices = whole()
        sequential(_round, (indptr, indices, trees), steps=n, work=len(indices))
        notify(turn, augmented=int(counts[_PATHS]))
        if counts[_PATHS] == 0:
            return True
    return n == 0


def _first_free(control, indptr, indices, left, mate, wrong):
    """Every edge has one arc from the left, if these are half of all and none leads to the left.

    Without rows for the columns, they are all.
    """
    wrong[0], arcs = True, 0
    for r in range(len(left)):
        if r % 256 == 0 and not going(control, r):
            return
        if left[r]:
            arcs += indptr[r + 1] - indptr[r]
            for e in range(indptr[r], indptr[r + 1]):
                c = indices[e]
                if left[c]:
                    return
                if mate[r] < 0 and mate[c] < 0:
                    mate[r], mate[c] = c, r
    wrong[0] = arcs * (2 if len(indptr) > len(left) else 1) != len(indices)


def _round(control, indptr, indices, trees):
    """Take trees apart that the last round augmented; grow trees, and augment those with a leaf."""
    mate, root, _, _, queue, seen, free, counts = trees
    if counts[_PATHS] > 0:
        _graft(indptr, indices, trees)
        counts[_PATHS] = 0
    if counts[_QUEUED] < 0:
        for i in range(counts[_SEEN]):
            root[seen[i]] = root[mate[seen[i]]] = -1
        for i in range(counts[_FREE]):
            root[free[i]] = queue[i] = free[i]
        counts[_SEEN], counts[_QUEUED] = 0, counts[_FREE]
    if _grow(control, indptr, indices, trees):
        _augment(trees)


@inner
def _graft(indptr, indices, trees):
    """Take augmented trees apart; their columns, first gathered in the queue, join other trees."""
    mate, root, leaf, parent, queue, seen, _, counts = trees
    kept, gone, tail = 0, 0, 0
    for i in range(counts[_SEEN]):
        c = seen[i]
        if leaf[root[c]] < 0:
            seen[kept] = c
            kept += 1
        else:
            queue[gone] = c
            gone += 1
    for i in range(gone):  # the rows of such a tree are the mates of its columns
        root[queue[i]] = root[mate[queue[i]]] = -1
    counts[_SEEN], counts[_QUEUED] = kept, -1
    if kept <= gone:
        return
    for i in range(gone):
        c = queue[i]
        for e in range(indptr[c], indptr[c + 1]):
            r = indices[e]
            if root[r] >= 0:
                root[c] = root[mate[c]] = root[r]
                parent[c], seen[kept], queue[tail] = r, c, mate[c]
                kept += 1
                tail += 1
                break
    counts[_SEEN], counts[_QUEUED] = kept, tail


@inner
def _grow(control, indptr, indices, trees):
    """Breadth-first search in all trees, until they have a leaf; False if interrupted."""
    mate, root, leaf, parent, queue, seen, _, counts = trees
    head, tail, count = 0, counts[_QUEUED], counts[_SEEN]
    while head < tail:
        if head % 256 == 0 and not going(control, head):
            return False
        r = queue[head]
        head += 1
        tree = root[r]
        if leaf[tree] >= 0:
            continue
        for e in range(indptr[r], indptr[r + 1]):
            c = indices[e]
            if root[c] < 0:
                root[c], parent[c], seen[count] = tree, r, c
                count += 1
                after = mate[c]
                if after < 0:
                    leaf[tree] = c
                    break
                root[after], queue[tail] = tree, after
                tail += 1
    counts[_SEEN] = count
    return True


@inner
def _augment(trees):
    """Let every row on the path from a root to its leaf take the next column."""
    mate, _, leaf, parent, _, _, free, counts = trees
    kept = 0
    for i in range(counts[_FREE]):
        c = leaf[free[i]]
        if c < 0:
            free[kept] = free[i]
            kept += 1
        while c >= 0:
            row = parent[c]
            mate[row], mate[c], c = c, row, mate[row]
    counts[_PATHS], counts[_FREE] = counts[_FREE] - kept, kept
