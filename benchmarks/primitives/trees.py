"""Rows of components, trees and flows."""

from __future__ import annotations

from typing import Any

import numpy as np

import edgewise as ew
from benchmarks.primitives.row import Row

__all__ = ["ROWS"]


def _with_transpose(graph: Any) -> Any:
    _ = graph.transposed
    return graph


def _scipy(graph: Any) -> Any:
    return graph.to_scipy()


def _networkit(graph: Any) -> Any:
    from networkit import GraphFromCoo

    u, v, _ = graph.edges()
    ends = u.astype(np.uint64), v.astype(np.uint64)
    return GraphFromCoo((np.ones(len(u)), ends), n=graph.num_vertices, directed=graph.directed)


def _igraph(graph: Any) -> Any:
    return graph.to_igraph()


def _rustworkx(graph: Any) -> Any:
    import rustworkx

    kind = rustworkx.PyDiGraph if graph.directed else rustworkx.PyGraph
    found = kind(multigraph=False)
    found.add_nodes_from(range(graph.num_vertices))
    u, v, weights = graph.edges()
    w = np.ones(len(u)) if weights is None else weights
    found.add_edges_from(list(zip(u.tolist(), v.tolist(), w.tolist(), strict=True)))
    return found


def _strong_scipy(matrix: Any) -> Any:
    from scipy.sparse.csgraph import connected_components

    return connected_components(matrix, connection="strong")[1]


def _strong_networkit(graph: Any) -> Any:
    from networkit.components import StronglyConnectedComponents

    found = StronglyConnectedComponents(graph)
    found.run()
    return np.array(found.getPartition().getVector())


def _strong_igraph(graph: Any) -> Any:
    return np.array(graph.connected_components(mode="strong").membership)


def _weighted(graph: Any) -> Any:
    """The graph with weights, its own or drawn."""
    if graph.weights is not None:
        return graph
    return graph.with_weights(np.random.default_rng(1).random(graph.num_edges))


def _tree_scipy(matrix: Any) -> Any:
    from scipy.sparse.csgraph import minimum_spanning_tree

    return minimum_spanning_tree(matrix).sum()


def _tree_igraph(graph: Any) -> Any:
    weights = np.array(graph.es["weight"])
    return weights[graph.spanning_tree(weights="weight", return_tree=False)].sum()


def _tree_rustworkx(graph: Any) -> Any:
    import rustworkx

    return sum(edge[2] for edge in rustworkx.minimum_spanning_edges(graph, weight_fn=float))


def _same_weight(ours: Any, theirs: Any) -> bool:
    return bool(np.isclose(ours.weight, theirs))


def _same_parts(ours: Any, theirs: Any) -> bool:
    pairs = np.unique(np.stack([ours, theirs]), axis=1).shape[1]
    return pairs == len(np.unique(ours)) == len(np.unique(theirs))


def _bridges_igraph(graph: Any) -> Any:
    return len(graph.bridges())


def _blocks_networkit(graph: Any) -> Any:
    from networkit.components import BiconnectedComponents

    found = BiconnectedComponents(graph)
    found.run()
    return found.numberOfComponents()


def _blocks_igraph(graph: Any) -> Any:
    return len(graph.biconnected_components())


def _blocks_rustworkx(graph: Any) -> Any:
    import rustworkx

    return len(set(rustworkx.biconnected_components(graph).values()))


def _same_bridges(ours: Any, theirs: Any) -> bool:
    return int(ours.sum()) == theirs


def _same_blocks(ours: Any, theirs: Any) -> bool:
    return len(np.unique(ours[ours >= 0])) == theirs


def _between(graph: Any) -> tuple[int, int]:
    """The two vertices of highest degree."""
    first, second = np.argsort(-graph.degrees(), kind="stable")[:2].tolist()
    return first, second


def _cut_ours(given: Any) -> Any:
    graph, (source, target) = given
    return ew.minimum_cut(graph, source, target).value


def _whole(graph: Any) -> Any:
    """The graph with whole capacities, and two of its vertices."""
    if graph.weights is None:
        graph = graph.with_weights(np.random.default_rng(1).integers(1, 100, graph.num_edges))
    if graph.device == "cpu":
        return graph, _between(graph)
    return graph, _between(graph.to("cpu"))


def _cut_igraph(given: Any) -> Any:
    graph, (source, target) = given
    return graph.maxflow_value(source, target, capacity="weight")


def _cut_scipy(given: Any) -> Any:
    from scipy.sparse.csgraph import maximum_flow

    return maximum_flow(given[0], *given[1]).flow_value


def _for_igraph(graph: Any) -> Any:
    graph, ends = _whole(graph)
    return graph.to_igraph(), ends


def _for_scipy(graph: Any) -> Any:
    graph, ends = _whole(graph)
    return graph.to_scipy().astype(np.int32), ends


UNDIRECTED = ("kron18", "com-dblp", "road1000")
ROWS = [
    Row(
        "strongly_connected_components",
        ("kron18-directed", "cnr-2000"),
        ew.strongly_connected_components,
        {
            "SciPy": (_scipy, _strong_scipy),
            "NetworKit": (_networkit, _strong_networkit),
            "igraph": (_igraph, _strong_igraph),
        },
        _same_parts,
        _with_transpose,
    ),
    Row(
        "minimum_spanning_tree",
        UNDIRECTED,
        ew.minimum_spanning_tree,
        {
            "SciPy": (lambda graph: _scipy(_weighted(graph)), _tree_scipy),
            "igraph": (lambda graph: _igraph(_weighted(graph)), _tree_igraph),
            "rustworkx": (lambda graph: _rustworkx(_weighted(graph)), _tree_rustworkx),
        },
        _same_weight,
        _weighted,
    ),
    Row(
        "bridges",
        UNDIRECTED,
        ew.bridges,
        {"igraph": (_igraph, _bridges_igraph)},
        _same_bridges,
    ),
    Row(
        "biconnected_components",
        UNDIRECTED,
        ew.biconnected_components,
        {
            "igraph": (_igraph, _blocks_igraph),
            "NetworKit": (_networkit, _blocks_networkit),
            "rustworkx": (_rustworkx, _blocks_rustworkx),
        },
        _same_blocks,
    ),
    Row(
        "minimum_cut",
        ("com-dblp", "road1000"),
        _cut_ours,
        {"igraph": (_for_igraph, _cut_igraph), "SciPy": (_for_scipy, _cut_scipy)},
        lambda ours, theirs: ours == theirs,
        _whole,
    ),
]
