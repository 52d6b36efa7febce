"""Local efficiency [1]: the mean over vertices of the global efficiency among their neighbors.

For each vertex, the edges among its neighbors are collected, by a scan of short rows and bisection
in long ones. Then 64 breadth-first searches run at once as the bits of a word. With d neighbors and
t triangles at a vertex, that takes O(d t / 64) time for each level of the searches.

[1] V. Latora, M. Marchiori. Efficient behavior of small-world networks. Physical Review Letters
    87, 2001.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.scratch import SLOTS, give_back, take_slot
from edgewise.algorithms.triangles.triangle_count import triangles
from edgewise.base.bits import count_bits
from edgewise.base.checks import check_undirected
from edgewise.base.observe import notify
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.graph.transfer import check_host
from edgewise.operators import for_each
from edgewise.operators.helpers import find_edge, inner

__all__ = ["local_efficiency"]

#: Rows so many times as long as that of the vertex are searched by bisection.
_LONG = 8
#: Vertices between two looks at the clock.
_BATCH = 1 << 14


class _Memory(NamedTuple):
    """A row for each vertex at work: places of its neighbors, the edges among them, and words."""

    busy: Any
    place: Any
    indptr: Any
    indices: Any
    words: Any


@takes_graph
def local_efficiency(graph: LocalGraphLike) -> float:
    """Return the local efficiency: the mean global efficiency among the neighbors of a vertex.

    Parameters
    ----------
    graph : Graph
        Undirected, in host memory. Self-loops and weights are ignored.

    Returns
    -------
    float
        From 0 to 1. Vertices with fewer than two neighbors add 0.

    See Also
    --------
    global_efficiency : The mean inverse distance over all pairs.
    average_clustering : The mean density among the neighbors of a vertex.

    Notes
    -----
    O(sum over vertices of d t / 64) time per level, for d neighbors and t triangles.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> round(local_efficiency(Graph.from_edges([0, 0, 0, 1, 2], [1, 2, 3, 2, 3])), 3)
    0.917
    """
    check_host(graph, "local_efficiency")
    check_undirected(graph, "local_efficiency")
    rows, n = graph.without_self_loops(), graph.num_vertices
    count = np.asarray(triangles(rows))
    order = np.argsort(-count, kind="stable")[: np.count_nonzero(count)]
    if len(order) == 0:
        return 0.0
    degree, edges = int(rows.row_lengths()[order].max()), 2 * int(count.max())
    ids = rows.indices.dtype
    memory = _Memory(
        np.zeros(SLOTS, np.int32), np.zeros((SLOTS, n), ids),
        np.empty((SLOTS, degree + 1), np.int64), np.empty((SLOTS, edges), ids),
        np.empty((SLOTS, 3, degree), np.uint64),
    )  # fmt: skip
    found = np.zeros(len(order))
    for low in range(0, len(order), _BATCH):
        part = order[low : low + _BATCH]
        state = (rows.indptr, rows.indices, part, memory, found[low : low + _BATCH])
        work = int(count[part].sum()) + int(rows.row_lengths()[part].sum())
        for_each(len(part), _around, state, work=16 * work)
        notify(low, phase="local_efficiency", done=low + len(part), total=len(order))
    return float(found.sum()) / n


def _around(i, indptr, indices, order, memory, found):
    """The efficiency among the neighbors of one vertex."""
    v, slot = order[i], take_slot(memory.busy)
    place, words = memory.place[slot], memory.words[slot]
    starts, ends = memory.indptr[slot], memory.indices[slot]
    first, count = indptr[v], indptr[v + 1] - indptr[v]
    for a in range(count):
        place[indices[first + a]] = a + 1
    size = 0
    for a in range(count):
        u = np.int64(indices[first + a])
        starts[a] = size
        if indptr[u + 1] - indptr[u] <= _LONG * count:
            for e in range(indptr[u], indptr[u + 1]):
                if place[indices[e]] > 0:
                    ends[size] = place[indices[e]] - 1
                    size += 1
        else:
            for b in range(count):
                if find_edge(indptr, indices, u, np.int64(indices[first + b])) >= 0:
                    ends[size] = b
                    size += 1
    starts[count] = size
    total = 0.0
    for low in range(0, count, 64):
        total += _search(starts, ends, words, count, low)
    found[i] = total / (count * (count - 1.0))
    for a in range(count):
        place[indices[first + a]] = 0
    give_back(memory.busy, slot)


@inner
def _search(starts, ends, words, count, low):
    """The sum of inverse distances from up to 64 vertices to all others."""
    seen, old, new = words[0], words[1], words[2]
    high = min(low + 64, count)
    every = (np.uint64(2) << np.uint64(high - low - 1)) - np.uint64(1)
    for a in range(count):
        seen[a] = np.uint64(1) << np.uint64(a - low) if low <= a < high else np.uint64(0)
        old[a] = seen[a]
    total, depth, reached = 0.0, 1, 1
    while reached > 0:
        reached = 0
        for a in range(count):
            word = np.uint64(0)
            if seen[a] != every:
                for e in range(starts[a], starts[a + 1]):
                    word |= old[ends[e]]
                word &= ~seen[a]
                reached += count_bits(word)
            new[a] = word
        for a in range(count):
            seen[a] |= new[a]
            old[a] = new[a]
        total += reached / depth
        depth += 1
    return total
