"""Cliques of k vertices, counted by a tree of pivots [1].

Every clique is counted at its first vertex in degeneracy order, among the later neighbors. A node
of the tree has a set P of candidates, h held vertices and p pivots, which are optional. Held
vertices and pivots are adjacent to each other and to all of P. The next pivot u is the member of P
with the most neighbors in P. One child has the cliques among u's neighbors, with or without u. For
each other member of P, one child has the cliques that contain it and no earlier one. A leaf has
C(p, k - h) cliques; nodes that lack one or two vertices are counted directly. The work is
exponential in the worst case. On common graphs it is about that of listing maximal cliques, for any
k.

[1] S. Jain, C. Seshadhri. The power of pivoting for exact clique counting. WSDM 2020.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.cliques.degeneracy import (
    bits_of,
    first_of,
    in_order,
    set_known,
    tell_back,
)
from edgewise.algorithms.scratch import give_back, place_of, scratch_for
from edgewise.base.bits import count_bits, lowest_bit
from edgewise.graph import Graph
from edgewise.operators import compute
from edgewise.operators.helpers import inner

__all__ = ["count_by_trees"]

_1, _ALL = np.uint64(1), np.uint64(2**64 - 1)
_MOST, _TOO_MANY = 2**63 - 1, -1


def count_by_trees(graph: Graph, k: int) -> Any:
    """Return the number of k-cliques at their first vertex in degeneracy order; -1 for overflow.

    >>> from edgewise.generators import complete
    >>> sorted(count_by_trees(complete(6), 5).tolist())
    [0, 0, 0, 0, 1, 5]
    """
    ordered, found = in_order(graph), graph.full(0, np.int64)
    later = ordered.later.astype(np.int64)
    most = int(later.max()) if graph.num_vertices else 0
    if most < k - 1:
        return found
    spaces = scratch_for(graph, _size(most), (later >= k - 1) * _size(later))
    for part, space in spaces:
        state = (ordered.rows, k, found, space)
        compute(ordered.graph, part, _search, state, work=4096 * len(later))
    return found


def _size(later: Any) -> Any:
    """The words that a search among so many takes: rows of bits, and a node for every depth."""
    width = (later + 63) >> 6
    return later * width + (later + 2) * (2 * width + 3)


def _search(v, graph, k, found, space):
    """Count the cliques whose first vertex is v."""
    indptr, indices, first, _ = graph
    low, high = first[v], indptr[v + 1]
    if high - low < k - 1:
        return
    words, busy, places, size = space
    rows, number = place_of(v, busy, places, size)
    count, width = high - low, bits_of(high - low)
    for i in range(rows, rows + count * width):
        words[i] = 0
    for i in range(count):
        u = np.int64(indices[low + i])
        set_known(words, rows, width, indices, (low, high), (first[u], indptr[u + 1]), i)
        tell_back(words, rows, width, i)
    found[v] = _tree(words, rows, width, count, k)
    give_back(busy, number)


@inner
def _tree(words, rows, width, count, k):
    """Walk the tree below one vertex; a node is P, what is left to try, h, p and its pivot."""
    step = 2 * width + 3
    root = node = rows + count * width
    for part in range(width):
        words[node + part] = _ALL
    if count & 63:
        words[node + width - 1] = (_1 << np.uint64(count & 63)) - _1
    words[node + 2 * width], words[node + 2 * width + 1] = 1, 0
    total, entering = np.int64(0), True
    while node >= root:
        held, pivots = np.int64(words[node + 2 * width]), np.int64(words[node + 2 * width + 1])
        if entering:
            size, pairs, best, pivot = _survey(words, rows, width, node)
            lacking = k - held
            new = np.int64(-2)
            if lacking == 0:
                new = np.int64(1)
            elif pivots + size < lacking:
                new = np.int64(0)
            elif lacking == 1:
                new = pivots + size
            elif lacking == 2:
                new = pivots * (pivots - 1) // 2 + pivots * size + pairs
            elif size == 0:
                new = _choose(pivots, lacking)
            if new != -2:
                if new == _TOO_MANY or new > _MOST - total:
                    return np.int64(_TOO_MANY)
                total += new
                node, entering = node - step, False
                continue
            for part in range(width):
                others = ~words[rows + pivot * width + part]
                words[node + width + part] = words[node + part] & others
            u, more = pivot, 0
        else:
            u, more = first_of(words, node + width, width), 1
            if u < 0:
                node -= step
                continue
        bit = ~(_1 << np.uint64(u & 63))
        words[node + (u >> 6)] &= bit
        words[node + width + (u >> 6)] &= bit
        child = node + step
        for part in range(width):
            words[child + part] = words[node + part] & words[rows + u * width + part]
        words[child + 2 * width] = held + more
        words[child + 2 * width + 1] = pivots + 1 - more
        node, entering = child, True
    return total


@inner
def _survey(words, rows, width, node):
    """Return the size of P, its adjacent pairs, the largest degree within P, and its vertex."""
    size, pairs, best, pivot = np.int64(0), np.int64(0), np.int64(-1), np.int64(-1)
    for part in range(width):
        word = words[node + part]
        while word != 0:
            u = 64 * part + lowest_bit(word)
            word &= word - _1
            known = np.int64(0)
            for i in range(width):
                known += count_bits(words[node + i] & words[rows + u * width + i])
            size += 1
            pairs += known
            if known > best:
                best, pivot = known, np.int64(u)
    return size, pairs // 2, best, pivot


@inner
def _choose(n, j):
    """Return the binomial coefficient of n and j; -1 if it exceeds int64."""
    if j > n:
        return np.int64(0)
    j, result = min(j, n - j), np.int64(1)
    for i in range(1, j + 1):
        factor = n - j + i  # result * factor / i, without anything larger on the way
        whole, rest = result // i, (result % i) * factor // i
        if whole > (_MOST - rest) // factor:
            return np.int64(_TOO_MANY)
        result = whole * factor + rest
    return result
