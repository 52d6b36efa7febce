"""Breadth-first searches from many sources at once: hop distances from each [1].

Up to 512 searches share a sweep over the graph, each with its own bit in the words that vertices
send along edges (`bit_parallel`). If distances are short, they cost little more than one search. If
the first search finds long distances, each search runs separately: many side by side (`explore`) if
memory allows, else one after another.

[1] M. Then, M. Kaufmann, F. Chirigati et al. The more the merrier: efficient multi-source graph
    traversal. PVLDB 8(4), 2014.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.traversal.bfs import hops
from edgewise.algorithms.traversal.bit_parallel import batches, search, settle, shares
from edgewise.base.bits import lowest_bit
from edgewise.base.checks import check_count
from edgewise.base.observe import notify
from edgewise.graph.foreign import GraphLike, takes_graph
from edgewise.graph.kinds import AnyGraph
from edgewise.graph.lookup import check_vertices
from edgewise.operators import explore
from edgewise.operators.exploring import beside, maybe_beside, surely_beside

__all__ = ["all_distances", "lane_distances", "multi_source_bfs"]


@takes_graph
def multi_source_bfs(graph: GraphLike, sources: Any, *, max_depth: int | None = None) -> Any:
    """Return the hop distances from each source to all vertices, one source per row.

    Parameters
    ----------
    graph : Graph
        In a directed graph, the searches follow the edges.
    sources : array of int or str
        Any number of vertices to start from, by id or label.
    max_depth : int, optional
        Largest distance to search; unlimited by default.

    Returns
    -------
    array of int32, of shape (number of sources, n)
        The type's maximum for unreached vertices.

    See Also
    --------
    bfs : Distances and predecessors from one source.
    k_hop_neighborhood : Only the vertices near each source, in less memory.

    Notes
    -----
    O(n + m) time per batch of up to 512 sources if distances are short, else per source.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> multi_source_bfs(Graph.from_edges([0, 1], [1, 2], num_vertices=4), [0, 2]).tolist()
    [[0, 1, 2, 2147483647], [2, 1, 0, 2147483647]]
    """
    chosen = check_vertices(graph, sources, "sources")
    if max_depth is not None:
        max_depth = min(check_count(max_depth, "max_depth"), graph.num_vertices)
    return lane_distances(graph, chosen, max_depth)


def lane_distances(graph: AnyGraph, sources: np.ndarray, max_depth: int | None = None) -> Any:
    """Return the distances from checked sources, one source per row."""
    found = _apart(graph, sources, max_depth)
    return _together(graph, sources, max_depth, "out").T if found is None else found


def all_distances(graph: AnyGraph) -> Any:
    """Return the distance from every vertex to every other, one source per row."""
    sources = np.arange(graph.num_vertices)
    found = _apart(graph, sources, None)
    return _together(graph, sources, None, "in") if found is None else found


def _together(graph: AnyGraph, sources: np.ndarray, max_depth: int | None, mode: str) -> Any:
    """Searches that share levels, 512 at a time; a column for each."""
    shape = (graph.num_vertices, len(sources))
    distance = graph.xp.full(shape, np.iinfo(np.int32).max, np.int32)
    for part in batches(graph, sources):
        search(graph, sources[part], _note, (distance, part.start), mode=mode,
               max_depth=max_depth)  # fmt: skip
        notify(part.start, total=len(sources))
    return distance


def _apart(graph: AnyGraph, sources: np.ndarray, max_depth: int | None) -> Any:
    """Searches by themselves, a row for each; None where they are faster together."""
    if surely_beside(graph, len(sources)):
        return _beside(graph, sources, max_depth)
    if maybe_beside(graph, len(sources)):
        first = hops(graph, int(sources[0]), max_depth=max_depth).distance
        if not shares(graph, first, len(sources)):
            return _one_by_one(graph, sources, max_depth, first)
    return None


def _one_by_one(graph: AnyGraph, sources: np.ndarray, max_depth: int | None, first: Any) -> Any:
    """A search from each source; the first one's distances are there."""
    if beside(graph, len(sources)):
        return _beside(graph, sources, max_depth)
    distance = graph.xp.empty((len(sources), graph.num_vertices), np.int32)
    distance[0] = first
    for turn, source in enumerate(sources[1:].tolist(), 1):
        distance[turn] = hops(graph, source, max_depth=max_depth).distance
        notify(turn, total=len(sources))
    return distance


def _beside(graph: AnyGraph, sources: np.ndarray, max_depth: int | None) -> Any:
    """Searches beside one another, a worker for each."""
    distance = graph.xp.full((len(sources), graph.num_vertices), np.iinfo(np.int32).max, np.int32)
    explore(graph, sources, _note_depth, distance, max_depth=max_depth)
    return distance


def _note_depth(v, search, depth, distance):
    distance[search, v] = depth


def _note(v, seen, before, fresh, depth, distance, first):
    settle(v, seen, before, fresh)
    for j in range(fresh.shape[1]):
        word = fresh[v, j]
        while word != np.uint64(0):
            distance[v, first + 64 * j + lowest_bit(word)] = depth
            word &= word - np.uint64(1)
