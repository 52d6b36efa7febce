"""Load centrality: packets that choose among shortest paths at every step [1, 2].

Every vertex sends a packet to every other. On the way, a packet is divided evenly among all next
vertices of shortest paths; for betweenness centrality, it is divided among the paths. The load of a
vertex is what passes through it. A search from each source counts the predecessors of each vertex.
Backward through its levels, a vertex sums what its successors hand on:

    load[u] = 1 + sum of load[v] / predecessors[v] over the edges u -> v one level deeper

Sources are dealt out to parts of fixed number. Each part adds up its own sums, so results do not
depend on the number of threads.

[1] K.-I. Goh, B. Kahng, D. Kim. Universal behavior of load distribution in scale-free networks.
    Physical Review Letters 87, 2001.
[2] M. Newman. Scientific collaboration networks. II. Physical Review E 64, 2001.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.centrality.betweenness_centrality import drawn_sources, pair_scale
from edgewise.algorithms.centrality.search_memory import new_searches
from edgewise.algorithms.scratch import give_back, take_slot
from edgewise.base.checks import check_flag
from edgewise.base.observe import notify
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.graph.transfer import check_host
from edgewise.operators import for_each

__all__ = ["load_centrality"]

#: Parts of the sources: the most, and the numbers that they may hold together.
_PARTS, _NUMBERS = 64, 1 << 26
#: About so many edges are visited between two looks at the clock.
_BATCH = 1 << 27


@takes_graph
def load_centrality(
    graph: LocalGraphLike,
    *,
    k: int | None = None,
    sources: Any = None,
    normalized: bool = True,
    seed: int = 0,
) -> np.ndarray:
    """Return the load centrality of each vertex: what passes through it on shortest paths.

    Parameters
    ----------
    graph : Graph
        Directed or undirected, in host memory. Weights are ignored.
    k, sources, seed
        As for `betweenness_centrality`.
    normalized : bool
        Whether to divide by the number of ordered pairs of other vertices.

    Returns
    -------
    array of float64 over vertices
        Not normalized, both directions of an undirected pair count, as in NetworkX.

    See Also
    --------
    betweenness_centrality : Divides packets evenly among paths.

    Notes
    -----
    O(n + m) time per source: O(n (n + m)) exact, O(k (n + m)) with ``k``.

    Examples
    --------
    >>> from edgewise.generators import path
    >>> load_centrality(path(4), normalized=False).tolist()
    [0.0, 4.0, 4.0, 0.0]
    """
    check_host(graph, "load_centrality")
    normalized = check_flag(normalized, "normalized")
    chosen, n = np.array(drawn_sources(graph, k, sources, seed), np.int64), graph.num_vertices
    count = min(_PARTS, max(_NUMBERS // max(n, 1), 8))
    sums, searches = np.zeros((count, n)), new_searches(graph)
    each = max(_BATCH // max(n + graph.num_arcs, 1) // count, 1)
    for low in range(0, len(chosen), each * count):
        part = chosen[low : low + each * count]
        state = (graph.indptr, graph.indices, part, searches, sums)
        for_each(count, _add_loads, state, work=len(part) * (n + graph.num_arcs))
        notify(low, phase="load_centrality", done=low + len(part), total=len(chosen))
    scale = pair_scale(graph, n - 1, k, chosen, normalized, True)
    if not normalized and not graph.directed:
        scale = 2 * scale if n > 2 else 1.0
    return sums.sum(axis=0) * scale


def _add_loads(i, indptr, indices, sources, searches, sums):
    """The loads by every source of a part.

    Arrays are over vertices here, and ``mark`` is one more than the depth. What is written at an
    edge to no new vertex is what was there: a processor guesses wrong too often which edges do.
    """
    slot = take_slot(searches.busy)
    mark, queue = searches.mark[slot], searches.queue[slot]
    before, load = searches.paths[slot], searches.more[slot]
    for turn in range(i, len(sources), len(sums)):
        source = np.uint64(sources[turn])
        queue[0], mark[source] = source, 1
        head, tail = np.uint64(0), np.uint64(1)
        while head < tail:
            v = np.uint64(queue[head])
            head += np.uint64(1)
            deeper = np.int64(mark[v]) + 1
            for e in range(indptr[v], indptr[v + np.uint64(1)]):
                u = np.uint64(indices[e])
                depth = np.int64(mark[u])
                queue[tail] = u
                tail += np.uint64(depth == 0)
                mark[u] = deeper if depth == 0 else depth
                before[u] = 1.0 if depth == 0 else before[u] + (1.0 if depth == deeper else 0.0)
        for j in range(np.int64(tail) - 1, 0, -1):
            v = np.uint64(queue[np.uint64(j)])
            deeper, passing = np.int64(mark[v]) + 1, 0.0
            for e in range(indptr[v], indptr[v + np.uint64(1)]):
                u = np.uint64(indices[e])
                passing += load[u] if np.int64(mark[u]) == deeper else 0.0
            sums[i, v] += passing
            load[v] = (1.0 + passing) / before[v]
        for j in range(np.int64(tail)):
            mark[np.uint64(queue[np.uint64(j)])] = 0
    give_back(searches.busy, slot)
