"""Group betweenness centrality: the fraction of shortest paths that pass through a set [1].

One breadth-first search runs from each vertex. It counts the shortest paths to every vertex, and
those of them that avoid the set. O(n (n + m)) time in all; many searches run side by side.

[1] M. Everett, S. Borgatti. The centrality of groups and classes. J. Math. Sociology 23(3), 1999.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.centrality.distance_sums import check_sample
from edgewise.algorithms.centrality.group_centrality import check_group
from edgewise.algorithms.centrality.search_memory import LARGE, LEAST, SCALE, begin, new_searches
from edgewise.algorithms.scratch import give_back, take_slot
from edgewise.base.checks import check_flag
from edgewise.base.observe import notify
from edgewise.base.random import check_seed
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.graph.transfer import check_host
from edgewise.operators import for_each
from edgewise.operators.helpers import inner

__all__ = ["group_betweenness_centrality"]

#: About so many edges are visited between two looks at the clock.
_BATCH = 1 << 27


@takes_graph
def group_betweenness_centrality(
    graph: LocalGraphLike,
    vertices: Any,
    *,
    k: int | None = None,
    normalized: bool = True,
    endpoints: bool = False,
    seed: int = 0,
) -> float:
    """Return the group betweenness centrality of a set of vertices.

    It sums, over all pairs of vertices outside the set, the fraction of their shortest paths that
    pass through the set.

    Parameters
    ----------
    graph : Graph
        Directed or undirected, in host memory. Weights are ignored.
    vertices : array of bool over vertices, or array of vertices
        The set: a boolean mask, or ids or labels.
    k : int, optional
        Number of random sources to estimate from; all vertices by default.
    normalized : bool
        Whether to divide by the number of pairs of vertices outside the set.
    endpoints : bool
        Whether paths that begin or end in the set count as well.
    seed : int
        Seed of the random sources.

    Returns
    -------
    float
        0 if fewer than two vertices are outside the set.

    See Also
    --------
    betweenness_centrality : That of each vertex.
    group_closeness_centrality, group_degree_centrality : Other centralities of a set.

    Notes
    -----
    O(n + m) time per source.

    Examples
    --------
    >>> from edgewise.generators import path
    >>> group_betweenness_centrality(path(5), [1, 3], normalized=False)
    3.0
    """
    check_host(graph, "group_betweenness_centrality")
    group, n = check_group(graph, vertices), graph.num_vertices
    normalized, endpoints = check_flag(normalized, "normalized"), check_flag(endpoints, "endpoints")
    sources = check_sample(graph, k, int(check_seed(seed)))
    member, searches = np.zeros(n, np.bool_), new_searches(graph)
    member[group] = True
    totals = np.zeros(len(sources))
    size = max(_BATCH // max(n + graph.num_arcs, 1), 64)
    for low in range(0, len(sources), size):
        part = sources[low : low + size]
        state = (graph.indptr, graph.indices, part, member, searches, totals[low : low + size],
                 endpoints)  # fmt: skip
        for_each(len(part), _from_source, state, work=len(part) * (n + graph.num_arcs))
        notify(low, phase="group_betweenness", done=low + len(part), total=len(sources))
    total = float(totals.sum()) * (n / max(len(sources), 1))
    others = n - len(group)
    if normalized:
        return total / (others * (others - 1)) if others > 1 else 0.0
    return total if graph.directed else total / 2


def _from_source(i, indptr, indices, sources, member, searches, totals, endpoints):
    source = sources[i]
    inside = member[source]
    if inside and not endpoints:
        return
    slot = take_slot(searches.busy)
    mark, queue, paths = searches.mark[slot], searches.queue[slot], searches.paths[slot]
    before, avoiding = searches.before[slot], searches.more[slot]
    begin(mark, queue, before, paths, 0, source)
    avoiding[0] = 0.0 if inside else 1.0
    total, low, high = 0.0, 0, 1
    while low < high:
        tail, largest = _expand(indptr, indices, mark, queue, paths, avoiding, low, high)
        for j in range(high, tail):
            if member[queue[j]]:
                avoiding[j] = 0.0
                total += 1.0 if endpoints else 0.0
            else:
                total += 1.0 - avoiding[j] / paths[j]
        if largest > LARGE:
            for j in range(high, tail):
                paths[j], avoiding[j] = max(paths[j] * SCALE, LEAST), avoiding[j] * SCALE
        low, high = high, tail
    for j in range(high):
        mark[queue[j]] = 0
    totals[i] = total
    give_back(searches.busy, slot)


@inner
def _expand(indptr, indices, mark, queue, paths, avoiding, low, high):
    """Visit the neighbors of a level; the end of the next one, and its largest number of paths."""
    tail, largest = np.uint64(high), 0.0
    for place in range(np.uint64(low), np.uint64(high)):
        v, mine, clear = np.uint64(queue[place]), paths[place], avoiding[place]
        for e in range(indptr[v], indptr[v + np.uint64(1)]):
            u = np.uint64(indices[e])
            at = np.int64(mark[u])
            if at == 0:
                queue[tail], paths[tail], avoiding[tail] = u, mine, clear
                tail += np.uint64(1)
                mark[u] = tail
            elif at > high:  # of the next level
                at = np.uint64(at - 1)
                paths[at] += mine
                avoiding[at] += clear
                largest = max(largest, paths[at])
    return np.int64(tail), largest
