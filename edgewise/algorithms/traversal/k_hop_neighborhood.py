"""The vertices within k hops of each of many sources, as lists: 512 searches share a sweep.

At every level each vertex that searches have just reached (`bit_parallel`) writes an entry for each
of them. At the end entries are sorted by source and vertex. Memory is that of the result, not n per
source.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.traversal.bit_parallel import batches, levels, settle
from edgewise.base.bits import count_bits, lowest_bit
from edgewise.base.checks import check_count
from edgewise.base.offsets import offsets
from edgewise.graph.anywhere import rows_at, whole_device, whole_xp
from edgewise.graph.foreign import GraphLike, takes_graph
from edgewise.graph.kinds import AnyGraph
from edgewise.graph.lookup import check_vertices
from edgewise.operators import for_each

__all__ = ["Neighborhoods", "k_hop_neighborhood"]


class Neighborhoods(NamedTuple):
    """The vertices within k hops of each source, with their distances.

    Those near ``sources[i]`` are ``vertices[indptr[i] : indptr[i + 1]]``, in ascending order.
    ``distance`` holds the number of hops for each entry of ``vertices``.
    """

    sources: Any
    indptr: Any
    vertices: Any
    distance: Any

    @staticmethod
    def _holds() -> dict[str, str]:
        return {"sources": "vertices", "vertices": "vertices"}

    def row(self, i: int) -> Any:
        """Return the vertices near the i-th source."""
        return self.vertices[int(self.indptr[i]) : int(self.indptr[i + 1])]


@takes_graph
def k_hop_neighborhood(graph: GraphLike, sources: Any, *, k: int = 1) -> Neighborhoods:
    """Return the vertices within k hops of each source, including itself, and their distances.

    Parameters
    ----------
    graph : Graph
        In a directed graph, the search follows the edges.
    sources : array of int or str
        Any number of vertices, by id or label.
    k : int
        Maximum number of hops.

    Returns
    -------
    Neighborhoods
        ``sources``, ``indptr``, ``vertices`` and ``distance`` (int32). On a grid every rank has all
        of them, in host memory.

    See Also
    --------
    multi_source_bfs : The distances from each source to all vertices.

    Notes
    -----
    Time and memory are proportional to the neighborhoods explored, not to the graph.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> near = k_hop_neighborhood(Graph.from_edges([0, 1, 2], [1, 2, 3]), [0, 2], k=1)
    >>> near.row(0).tolist(), near.row(1).tolist(), near.distance.tolist()
    ([0, 1], [1, 2, 3], [0, 1, 1, 0, 1])
    """
    chosen = check_vertices(graph, sources, "sources")
    most, xp = min(check_count(k, "k"), graph.num_vertices), whole_xp(graph)
    lanes, vertices, depths = [], [], []
    for part in batches(graph, chosen):
        for level in levels(graph, chosen[part], _look, max_depth=most):
            lane, vertex = _entries(graph, level)
            lanes.append(lane + part.start)
            vertices.append(vertex)
            depths.append(xp.full(len(lane), level.depth, np.int32))
    if not lanes:
        empty = xp.zeros(0, graph.id_dtype)
        return Neighborhoods(
            xp.asarray(chosen), xp.zeros(1, np.int64), empty, xp.zeros(0, np.int32)
        )
    lane, vertex, distance = map(xp.concatenate, (lanes, vertices, depths))
    order = xp.lexsort(xp.stack([vertex.astype(np.int64), lane]))
    indptr = offsets(xp.bincount(lane, minlength=len(chosen)))
    return Neighborhoods(xp.asarray(chosen), indptr, vertex[order], distance[order])


def _entries(graph: AnyGraph, level: Any) -> tuple[Any, Any]:
    """The searches and the vertices that they reach at this level, entry by entry."""
    ids = level.reached.ids
    words, rows = rows_at(level.fresh, ids)
    xp, device = whole_xp(graph), whole_device(graph)
    counts = xp.zeros(len(ids), np.int64)
    for_each(len(ids), _count, (rows, words, counts), device=device)
    starts = offsets(counts)
    total = int(starts[-1])
    lane, vertex = xp.empty(total, np.int64), xp.empty(total, graph.id_dtype)
    state = (ids, rows, words, starts, lane, vertex)
    for_each(len(ids), _write, state, device=device, work=total)
    return lane, vertex


def _look(v, seen, before, fresh, depth):
    settle(v, seen, before, fresh)


def _count(i, rows, words, counts):
    for j in range(words.shape[1]):
        counts[i] += count_bits(words[rows[i], j])


def _write(i, ids, rows, words, starts, lane, vertex):
    at = starts[i]
    for j in range(words.shape[1]):
        word = words[rows[i], j]
        while word != np.uint64(0):
            lane[at], vertex[at] = 64 * j + lowest_bit(word), ids[i]
            at += 1
            word &= word - np.uint64(1)
