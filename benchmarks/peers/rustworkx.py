"""rustworkx: its answers come as its own mappings and lists, which its time includes."""

from __future__ import annotations

import numpy as np
import rustworkx

from benchmarks.tasks import ALPHA, ITERATIONS

PACKAGE = "rustworkx"
MISSING = {"betweenness_centrality": "its sources cannot be chosen"}
FORMS = {"sssp": "weighted", "pagerank": "directed", "pagerank_converged": "directed"}

_BLOCK = 1 << 20


def convert(data, form):
    if form == "directed":
        graph, columns = rustworkx.PyDiGraph(), (data.rows, data.indices)
    else:
        graph, columns = rustworkx.PyGraph(), data.edges()[: 3 if form == "weighted" else 2]
    graph.add_nodes_from(range(data.num_vertices))
    extend = graph.extend_from_weighted_edge_list if len(columns) == 3 else None
    for low in range(0, len(columns[0]), _BLOCK):
        block = [column[low : low + _BLOCK].tolist() for column in columns]
        (extend or graph.extend_from_edge_list)(list(zip(*block, strict=True)))
    return graph


def bfs(graph, source):
    layers = rustworkx.bfs_layers(graph, [source])
    return lambda: _levels(layers, graph.num_nodes())


def sssp(graph, source):
    lengths = rustworkx.dijkstra_shortest_path_lengths(graph, source, float)
    return lambda: _scattered({source: 0, **dict(lengths)}, graph.num_nodes())


def pagerank(graph):
    try:
        ranks = rustworkx.pagerank(graph, alpha=ALPHA, tol=1e-300, max_iter=ITERATIONS)
    except rustworkx.FailedToConverge:  # it ran them all, but does not hand out the ranks
        return None
    return lambda: _scattered(dict(ranks), graph.num_nodes())


def pagerank_converged(graph):
    tol = 1e-10 / graph.num_nodes()
    ranks = rustworkx.pagerank(graph, alpha=ALPHA, tol=tol, max_iter=1000)
    return lambda: _scattered(dict(ranks), graph.num_nodes())


def connected_components(graph):
    components = rustworkx.connected_components(graph)
    return lambda: _levels(components, graph.num_nodes())


def triangle_count(graph):
    """Transitivity is three times the triangles by the paths of two edges."""
    transitivity = rustworkx.transitivity(graph)
    degrees = np.array([graph.degree(v) for v in graph.node_indices()])
    return lambda: round(transitivity * int((degrees * (degrees - 1) // 2).sum()) / 3)


def build(sources, targets, num_vertices):
    graph = rustworkx.PyDiGraph(multigraph=False)
    graph.add_nodes_from(range(num_vertices))
    graph.extend_from_edge_list(list(zip(sources.tolist(), targets.tolist(), strict=True)))
    return graph.num_edges


def read(path):
    graph = rustworkx.PyGraph.read_edge_list(path)
    return graph.num_edges


def _levels(layers, n):
    """The number of the layer that holds each vertex; infinite in none."""
    levels = np.full(n, np.inf)
    for level, members in enumerate(layers):
        levels[list(members)] = level
    return levels


def _scattered(values, n):
    result = np.full(n, np.inf)
    result[list(values)] = list(values.values())
    return result
