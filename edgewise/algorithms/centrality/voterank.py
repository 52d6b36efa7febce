"""VoteRank: influential spreaders, elected one after another [1].

Every vertex has a voting ability of 1 at first. The score of a vertex is the sum of the abilities
of its neighbors. The vertex of the highest score is elected and votes no more. The abilities of its
neighbors fall by one over the mean degree, down to 0.

Abilities are whole numbers here: 1 is the number of arcs, and n is what an election takes. Scores
only fall, so a heap may hold old ones: the first vertex moves down until its score is the true one.
An ability falls at most mean degree + 2 times. O(m (m / n + log n)) time at most.

[1] J.-X. Zhang, D.-B. Chen, Q. Dong, Z.-D. Zhao. Identifying a set of influential spreaders in
    complex networks. Scientific Reports 6, 2016.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from edgewise.base.checks import check_count
from edgewise.base.heap import binary_heap
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.graph.transfer import check_host
from edgewise.operators.helpers import inner
from edgewise.operators.sequential import going, sequential

__all__ = ["voterank"]


class _Votes(NamedTuple):
    score: np.ndarray  #: the abilities of the voters of each vertex, times the number of arcs
    ability: np.ndarray  #: what the vote of each vertex counts
    heap: np.ndarray  #: vertices by key
    key: np.ndarray  #: the score when the vertex got its place in the heap


@takes_graph
def voterank(graph: LocalGraphLike, *, k: int | None = None) -> np.ndarray:
    """Return influential vertices in the order of their election by VoteRank.

    Parameters
    ----------
    graph : Graph
        In host memory. In a directed graph, a vertex votes for those that point to it, as in
        NetworkX. Self-loops and weights are ignored.
    k : int, optional
        The largest number of vertices; by default all that get a vote.

    Returns
    -------
    array of int64
        The elected vertices. The election ends early if no vertex gets a vote. Of equal scores,
        the lower id is elected.

    See Also
    --------
    influence.maximize : Seeds of large expected spread, with a guarantee.

    Notes
    -----
    O(m (m / n + log n)) time at most.

    Examples
    --------
    >>> from edgewise.generators import karate_club
    >>> voterank(karate_club(), k=4).tolist()
    [33, 0, 32, 2]
    """
    check_host(graph, "voterank")
    rows = graph.without_self_loops()
    n, arcs = rows.num_vertices, rows.num_arcs
    count = n if k is None else min(check_count(k, "k"), n)
    back = rows.transposed if rows.directed else rows
    score = rows.row_lengths().astype(np.int64) * arcs
    chosen, found = np.empty(count, np.int64), np.zeros(1, np.int64)
    votes = _Votes(score, np.full(n, arcs), np.arange(n), score.copy())
    state = (rows.indptr, rows.indices, back.indptr, back.indices, votes, chosen, found)
    sequential(_elect, state, steps=count, work=4 * arcs)
    return chosen[: found[0]]


def _elect(control, indptr, indices, back_indptr, back_indices, votes, chosen, found):
    score, ability, heap, key = votes
    data, size, n, steps = (heap, key), len(heap), len(heap), 0
    for i in range(size // 2 - 1, -1, -1):
        _sink(data, i, size, heap[i])
    while size > 0 and found[0] < len(chosen):
        steps += 1
        if steps % 1024 == 0 and not going(control, found[0]):
            return
        v = heap[0]
        if key[v] != score[v]:
            key[v] = score[v]
            _sink(data, 0, size, v)
            continue
        if score[v] == 0:
            return
        chosen[found[0]] = v
        found[0] += 1
        size -= 1
        if size > 0:
            _sink(data, 0, size, heap[size])
        _weaken(back_indptr, back_indices, score, ability, v, ability[v])
        for e in range(indptr[v], indptr[v + 1]):
            _weaken(back_indptr, back_indices, score, ability, np.int64(indices[e]), n)


@inner
def _weaken(indptr, indices, score, ability, v, amount):
    """Take from the ability of v, and from the scores of those that it votes for."""
    amount = min(amount, ability[v])
    if amount > 0:
        ability[v] -= amount
        for e in range(indptr[v], indptr[v + 1]):
            score[np.int64(indices[e])] -= amount


def _comes_first(data, v, other):
    key = data[1]
    return key[v] > key[other] or (key[v] == key[other] and v < other)


def _read(data, i):
    return data[0][i]


def _write(data, i, v):
    data[0][i] = v


_sink = binary_heap(_comes_first, _read, _write, inner).sink
