"""A maximal independent set by fixed priorities [1]: Luby's algorithm without new draws [2].

A vertex joins once all neighbors of higher priority are out, and is out once a neighbor has joined.
The set is therefore that of a sequential greedy pass in the order of priorities, for any schedule.
Low degrees come first, which makes the set larger; a hash orders degrees of the same bit length.

key[v] is the position of an undecided v in that order. It is 0 once v has joined, and the largest
number once v is out. Linear work on most graphs: a scan of a row stops at the first neighbor that
decides.

[1] G. Blelloch, J. Fineman, J. Shun. Greedy sequential maximal independent set and matching are
    parallel on average. SPAA 2012.
[2] M. Luby. A simple parallel algorithm for the maximal independent set problem. STOC 1985.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.base import random
from edgewise.base.checks import check_undirected
from edgewise.base.random import check_seed
from edgewise.graph.foreign import GraphLike, takes_graph
from edgewise.graph.kinds import AnyGraph
from edgewise.operators import ANY, compute, filter, for_rows

__all__ = ["maximal_independent_set"]

_IN, _OUT, _NOBODY = 0, (1 << 63) - 1, -1


@takes_graph
def maximal_independent_set(graph: GraphLike, *, seed: int = 0) -> Any:
    """Return a mask of a maximal independent set.

    No two of its vertices are adjacent, and no other vertex can be added.

    Parameters
    ----------
    graph : Graph
        Undirected. Self-loops and weights are ignored.
    seed : int
        Seed of the vertex order. The same seed gives the same set on every device and for any
        number of threads.

    Returns
    -------
    array of bool over vertices

    Notes
    -----
    O(n + m) time on most graphs.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> star = Graph.from_edges([0, 0, 0], [1, 2, 3])
    >>> maximal_independent_set(star).tolist()
    [False, True, True, True]
    """
    check_undirected(graph, "maximal_independent_set")
    key = in_order(graph, graph.row_lengths(), seed)
    waiting = None
    while waiting is None or not waiting.empty():
        for_rows(graph, waiting, _before, _decide, key, reduce=ANY, values=key)
        waiting = filter(graph, waiting, _undecided, key)
    return key == _IN


def in_order(graph: AnyGraph, sizes: Any, seed: int) -> Any:
    """Return a distinct number from 1 to 2**62 per vertex: small sizes first, then by a hash.

    Only the bit length of a size counts. The seed decides the hash.
    """
    n = graph.num_vertices
    key, ids = graph.full(0, np.int64), graph.vertex_ids()
    compute(graph, None, _place, (key, ids, sizes, check_seed(seed), np.uint64(n.bit_length())))
    return key


def _place(v, key, ids, sizes, seed, width):
    length, size = np.uint64(0), np.uint64(sizes[v])
    while size > np.uint64(0):
        length += np.uint64(1)
        size >>= np.uint64(1)
    word = (random.bits(seed, ids[v]) >> np.uint64(8)) >> width << width
    key[v] = np.int64((length << np.uint64(56)) | word | np.uint64(ids[v] + 1))


def _before(value, own):
    return value if value < own else _NOBODY


def _decide(v, first, key):
    if first == _NOBODY:
        key[v] = _IN
    elif first == _IN:
        key[v] = _OUT


def _undecided(v, key):
    return key[v] != _IN and key[v] != _OUT
