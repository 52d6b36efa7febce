"""The graphs of other libraries, made from ours, without self-loops."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["as_igraph", "as_networkit", "as_networkx"]


def as_networkit(graph: Any) -> Any:
    """NetworKit's graph, without weights."""
    from networkit import GraphFromCoo
    from scipy.sparse import coo_matrix

    u, v, _ = graph.without_self_loops().edges()
    n = graph.num_vertices
    return GraphFromCoo(coo_matrix((np.ones(len(u)), (u, v)), (n, n)), n=n)


def as_igraph(graph: Any) -> Any:
    """igraph's graph, without weights."""
    return graph.with_weights(None).without_self_loops().to_igraph()


def as_networkx(graph: Any) -> Any:
    """NetworkX's graph, without weights."""
    import networkx as nx

    u, v, _ = graph.without_self_loops().edges()
    found = nx.Graph()
    found.add_nodes_from(range(graph.num_vertices))
    found.add_edges_from(zip(u.tolist(), v.tolist(), strict=True))
    return found
