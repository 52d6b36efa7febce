"""Clustering coefficients: the fraction of pairs of a vertex's neighbors that are adjacent [1].

In an undirected graph clustering[v] = 2 triangles[v] / (degree[v] (degree[v] - 1)), and 0 for fewer
than two neighbors. With ``samples``, that many neighbors of each vertex are drawn, and the pairs
among them are tested. The estimate is unbiased [2] and takes O(n samples^2 log degree) work.

In a directed graph let m(u, v) be the number of edges between u and v, 1 or 2, for neighbors. There
are two definitions of what each triangle u, v, w counts for v.

- "fagiolo" [3]: m(v, u) m(v, w) m(u, w) of 2 (d (d - 1) - 2 r) possible triangles in any direction.
  Here d is the number of edges at v, and r the number of neighbors joined both ways.
- "ldbc" [4]: m(u, w) of k (k - 1) possible edges among the k neighbors, in any direction.

In undirected graphs both are the same. Self-loops do not count.

[1] D. Watts, S. Strogatz. Collective dynamics of small-world networks. Nature 393, 1998.
[2] T. Schank, D. Wagner. Approximating clustering coefficient and transitivity. JGAA 2005.
[3] G. Fagiolo. Clustering in complex directed networks. Physical Review E 76, 2007.
[4] A. Iosup et al. LDBC Graphalytics: a benchmark for large-scale graph analysis. PVLDB 9, 2016.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.triangles.triangle_count import triangles
from edgewise.base.checks import check_choice, check_count, check_one_device
from edgewise.base.random import check_seed
from edgewise.graph.edges import Arcs
from edgewise.graph.foreign import GraphLike, takes_graph
from edgewise.graph.kinds import AnyGraph
from edgewise.operators import ADD, compute, intersect, reduce_neighbors, sample
from edgewise.operators.helpers import find_edge

__all__ = ["clustering"]


@takes_graph
def clustering(
    graph: GraphLike, *, definition: str = "fagiolo", samples: int | None = None, seed: int = 0
) -> Any:
    """Return the clustering coefficient of each vertex, from 0 to 1.

    Parameters
    ----------
    graph : Graph
        Directed or undirected. Self-loops and weights are ignored.
    definition : {"fagiolo", "ldbc"}
        What counts in a directed graph: triangles ("fagiolo") or edges among neighbors ("ldbc").
        NetworkX uses the first and LDBC Graphalytics the second. In undirected graphs they are the
        same.
    samples : int, optional
        Number of random neighbors of each vertex to test; all by default.
        A larger number is more accurate and takes longer. The estimate is unbiased, and exact for
        vertices of smaller degree. Undirected graphs on one device only.
    seed : int
        Seed of the random neighbors. The same seed draws the same neighbors.

    Returns
    -------
    array of float64 over vertices
        0 for vertices with fewer than two neighbors.

    See Also
    --------
    triangles : The number of triangles of each vertex.

    Notes
    -----
    O(m √m) time in the worst case.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> clustering(Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3])).round(3).tolist()
    [1.0, 1.0, 0.333, 0.0]
    >>> graph = Graph.from_edges([0, 1, 2, 0], [1, 2, 0, 1], directed=True)
    >>> clustering(graph).tolist(), clustering(graph, definition="ldbc").tolist()
    ([0.5, 0.5, 0.5], [0.5, 0.5, 0.5])
    """
    check_choice(definition, "definition", ("fagiolo", "ldbc"))
    seed = int(check_seed(seed))
    if samples is not None:
        return _estimate(graph, samples, seed)
    return _directed(graph, definition) if graph.directed else _undirected(graph)


def _undirected(graph: AnyGraph) -> Any:
    """By the triangles of each vertex."""
    share, known, degree = graph.full(0.0), triangles(graph), graph.row_lengths()
    if graph.num_self_loops:
        ids = graph.vertex_ids()
        degree -= reduce_neighbors(graph, None, _is_loop, ids, reduce=ADD)
    compute(graph, None, _closed, (share, known, degree))
    return share


def _estimate(graph: Any, samples: int, seed: int) -> Any:
    """Look up the pairs among so many neighbors of every vertex."""
    if graph.directed:
        raise ValueError("clustering with samples needs an undirected graph")
    check_one_device(graph, "clustering with samples")
    count = min(check_count(samples, "samples", 2), 2**31 - 1)
    found, share = sample(graph, None, count, weights=None, seed=seed), graph.full(0.0)
    state = (share, graph.indptr, graph.indices, found.indptr, found.neighbors)
    compute(graph, None, _joined, state, work=len(found.arcs) * min(count, 64))
    return share


def _directed(graph: AnyGraph, definition: str) -> Any:
    """By the neighbors that the ends of every edge have in common, whatever the directions."""
    if graph.num_self_loops:
        graph = graph.without_self_loops()
    between = graph.with_weights(Arcs(graph.full_arcs(1, np.int64))).to_undirected()
    nothing, share, all_ways = graph.full(0.0), graph.full(0.0), definition == "fagiolo"
    message, closed = (_product, _by_triangles) if all_ways else (_opposite, _by_edges)
    found = intersect(between, message=message, reduce=ADD, each=False).totals
    if all_ways:
        found = found * between.weights
    sums: dict[str, Any] = {"reduce": ADD, "mode": "out"}
    total = reduce_neighbors(between, None, _weight, nothing, weights=found, **sums)
    edges = reduce_neighbors(between, None, _weight, nothing, **sums)
    compute(between, None, closed, (share, total, edges, between.row_lengths()))
    return share


def _is_loop(source, own):
    return 1 if source == own else 0


def _closed(v, share, found, degree):
    if degree[v] > 1:
        share[v] = 2 * found[v] / (degree[v] * (degree[v] - 1))


def _joined(v, share, indptr, indices, starts, drawn):
    """The share of the pairs of neighbors drawn that are edges."""
    pairs = joined = 0
    for i in range(starts[v], starts[v + 1]):
        for j in range(starts[v], i):
            if drawn[i] != v and drawn[j] != v:
                pairs += 1
                joined += find_edge(indptr, indices, drawn[j], drawn[i]) >= 0
    if pairs > 0:
        share[v] = joined / pairs


def _product(weight_u, weight_v):
    return weight_u * weight_v


def _opposite(weight_v):
    return weight_v


def _weight(weight):
    return weight


def _by_triangles(v, share, total, edges, degree):
    if total[v] > 0:
        both = edges[v] - degree[v]
        share[v] = total[v] / (2 * (edges[v] * (edges[v] - 1) - 2 * both))


def _by_edges(v, share, total, edges, degree):
    if degree[v] > 1:
        share[v] = total[v] / (2 * degree[v] * (degree[v] - 1))
