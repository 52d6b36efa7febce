"""A small graph to run things on once, so that their kernels are compiled and loaded."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from edgewise.algorithms import Algorithm
from edgewise.graph import Graph
from edgewise.graph.edges import Arcs

__all__ = ["bipartite_sample", "run_on_sample", "sample_graph", "without_cycles"]


def sample_graph(directed: bool, weights: str | None = None) -> Graph:
    """A graph with hubs, just large enough to take every path through the kernels.

    >>> sample_graph(True, "int32").weights.dtype
    dtype('int32')
    """
    ends = np.random.default_rng(1).integers(0, 512, (2, 4096)) ** 2 // 512
    graph = Graph.from_edges(*ends, directed=directed, num_vertices=512, self_loops="drop")
    return _weighted(graph, weights)


def bipartite_sample(weights: str | None = None) -> Graph:
    """A bipartite graph that has a perfect matching.

    >>> bipartite_sample().num_vertices
    128
    """
    left, step = np.divmod(np.arange(64 * 4), 4)
    return _weighted(Graph.from_edges(left, 64 + (left + step * step) % 64), weights)


def without_cycles(graph: Graph) -> Graph:
    """The edges of a graph that lead to a greater vertex.

    >>> without_cycles(Graph.from_edges([0, 1, 2], [1, 2, 0], directed=True)).num_edges
    2
    """
    sources, targets, weights = graph.arcs()
    up = sources < targets
    chosen = None if weights is None else weights[up]
    n = graph.num_vertices
    return Graph.from_edges(sources[up], targets[up], chosen, num_vertices=n, directed=True)


def run_on_sample(
    row: Algorithm,
    directed: bool,
    weights: str | None,
    form: Callable[[Graph], Graph] | None = None,
) -> Any:
    """Run an algorithm once, on a graph of the kind that it needs, in a form that is given."""
    function = row.load()
    wanted = inspect.signature(function).parameters
    given: dict[str, Any] = {"source": 0} if "source" in wanted else {}
    given |= {"sources": [0, 1]} if "sources" in row.needs else {}
    given |= {"target": 1} if "target" in row.needs else {}
    graph = sample_graph(directed or "directed" in row.needs, weights)
    if "bipartite" in row.needs or "max_communities" in wanted:  # a small one
        graph = bipartite_sample(weights)
    elif "acyclic" in row.needs:
        graph = without_cycles(graph)
    if "target" in wanted and "target" not in row.needs:  # a cut parts it from the source
        apart = graph.row_lengths() > 0
        apart[[0, *graph.neighbors(0)]] = False
        given["target"] = int(apart.argmax())
    given |= {"weights": "weight"} if weights is not None and "weights" in wanted else {}
    given |= {"on_disconnected": "ignore"} if "on_disconnected" in wanted else {}
    if "b" in row.needs:
        given["b"] = (graph.row_lengths() > 0).astype(int)
    if "pattern" in row.needs:
        given["pattern"] = Graph.from_edges([0, 1, 2], [1, 2, 0], directed=graph.directed)
    if "other" in row.needs:
        given["other"] = graph.permute(np.arange(graph.num_vertices)[::-1])
    if "vertex_weights" in row.needs:
        given["vertex_weights"] = graph.full(1.0)
    elif "attribute" in row.needs:
        given["attribute"] = np.arange(graph.num_vertices) // 8
    elif "communities" in row.needs:
        given["communities"] = np.arange(graph.num_vertices) // 8
    elif "vertices" in row.needs:
        given["vertices"] = np.arange(graph.num_vertices) < graph.num_vertices // 4
    elif "coordinates" in row.needs:
        given["coordinates"] = np.random.default_rng(2).random((graph.num_vertices, 2))
    given |= {"colors": np.arange(graph.num_vertices)} if "colors" in row.needs else {}
    given |= {"parts": np.arange(graph.num_vertices) % 4} if "parts" in row.needs else {}
    if "k" in wanted:
        given["k"] = 4
    return function(graph if form is None else form(graph), **given)


def _weighted(graph: Graph, weights: str | None) -> Graph:
    if weights is not None:
        sources, targets, _ = graph.arcs()
        values = 1 + (sources.astype(np.int64) + targets) % 7  # the same in both directions
        graph = graph.with_weights(Arcs(values.astype(weights)))
    _ = graph.num_edges  # every command asks for it, and its kernel counts
    return graph
