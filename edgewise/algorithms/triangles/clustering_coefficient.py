"""Clustering coefficients: how many of a vertex's neighbors know each other [1].

clustering[v] = 2 triangles[v] / (degree[v] (degree[v] - 1)), 0 below two neighbors. Self-loops do
not count as neighbors. With ``samples`` so many neighbors of each vertex are drawn, and the pairs
among them looked up: unbiased [2], and O(n samples^2 log degree) work.

[1] D. Watts, S. Strogatz. Collective dynamics of small-world networks. Nature 393, 1998.
[2] T. Schank, D. Wagner. Approximating clustering coefficient and transitivity. JGAA 2005.
"""

from __future__ import annotations

from typing import Any

from edgewise.algorithms.triangles.triangle_count import triangles
from edgewise.base.checks import check_count, check_one_device, check_undirected
from edgewise.base.random import check_seed
from edgewise.graph.foreign import GraphLike, takes_graph
from edgewise.operators import ADD, compute, reduce_neighbors, sample
from edgewise.operators.helpers import find_edge

__all__ = ["clustering_coefficient"]


@takes_graph
def clustering_coefficient(graph: GraphLike, *, samples: int | None = None, seed: int = 0) -> Any:
    """The clustering coefficient of every vertex, from 0 to 1.

    Parameters
    ----------
    graph : Graph
        Undirected; weights do not matter.
    samples : int, optional
        Look at so many neighbors of each vertex, drawn at random, instead of all: an estimate for
        vertices with more than that, whose expected value is the coefficient. On one device.
    seed : int
        The same seed draws the same neighbors.

    Returns
    -------
    array of float64

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> clustering_coefficient(Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3])).round(3).tolist()
    [1.0, 1.0, 0.333, 0.0]
    """
    check_undirected(graph, "clustering_coefficient")
    share, seed = graph.full(0.0), int(check_seed(seed))
    if samples is not None:
        _estimate(graph, samples, seed, share)
        return share
    known, degree = triangles(graph), graph.degrees()
    if graph.num_self_loops:
        ids = graph.vertex_ids()
        degree -= reduce_neighbors(graph, None, _is_loop, ids, reduce=ADD)
    compute(graph, None, _closed, (share, known, degree))
    return share


def _estimate(graph: Any, samples: int, seed: int, share: Any) -> None:
    """Look up the pairs among so many neighbors of every vertex."""
    check_one_device(graph, "clustering_coefficient of samples")
    count = min(check_count(samples, "samples", 2), 2**31 - 1)
    found = sample(graph, None, count, weights="unit", seed=seed)
    state = (share, graph.indptr, graph.indices, found.indptr, found.neighbors)
    compute(graph, None, _joined, state, work=len(found.edges) * min(count, 64))


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
