"""A small graph to run things on once, so that their kernels are compiled and loaded."""

from __future__ import annotations

import numpy as np

from edgewise.graph import Graph

__all__ = ["sample_graph"]


def sample_graph(directed: bool, weights: str | None = None) -> Graph:
    """A graph with hubs, just large enough to take every path through the kernels.

    >>> sample_graph(True, "int32").weights.dtype
    dtype('int32')
    """
    ends = np.random.default_rng(1).integers(0, 512, (2, 4096)) ** 2 // 512
    graph = Graph.from_edges(*ends, directed=directed, num_vertices=512, self_loops="drop")
    if weights is not None:
        sources, targets, _ = graph.arcs()
        values = 1 + (sources.astype(np.int64) + targets) % 7  # the same in both directions
        graph = graph.with_weights(values.astype(weights))
    _ = graph.num_edges  # every command asks for it, and its kernel counts
    return graph
