"""igraph: its answers come as Python lists, which its time includes."""

from __future__ import annotations

import igraph
import numpy as np

from benchmarks.tasks import ALPHA

PACKAGE = "igraph"
MISSING = {"pagerank": "its iterations cannot be chosen; see PageRank, converged"}
FORMS = {"sssp": "weighted"}


def convert(data, form):
    low, high, weights = data.edges()
    graph = igraph.Graph(data.num_vertices, np.stack([low, high], axis=1))
    if form == "weighted":
        graph.es["weight"] = weights.tolist()
    return graph


def bfs(graph, source):
    return _row(graph.distances(source))


def sssp(graph, source):
    return _row(graph.distances(source, weights="weight"))


def pagerank_converged(graph):
    ranks = graph.pagerank(damping=ALPHA)
    return lambda: np.array(ranks)


def connected_components(graph):
    components = graph.connected_components()
    return lambda: np.array(components.membership)


def triangle_count(graph):
    """Transitivity is three times the triangles by the paths of two edges."""
    transitivity = graph.transitivity_undirected(mode="zero")
    return lambda: round(transitivity * _open_paths(np.array(graph.degree())) / 3)


def betweenness_centrality(graph, source):
    scores = graph.betweenness(directed=False, sources=[source])
    return lambda: np.array(scores)


def build(sources, targets, num_vertices):
    graph = igraph.Graph(num_vertices, np.stack([sources, targets], axis=1), directed=True)
    graph.simplify(multiple=True, loops=False)
    return graph.ecount


def read(path):
    graph = igraph.Graph.Read_Edgelist(path, directed=False)
    return graph.ecount


def _row(distances):
    return lambda: np.array(distances[0])


def _open_paths(degrees):
    return int((degrees * (degrees - 1) // 2).sum())
