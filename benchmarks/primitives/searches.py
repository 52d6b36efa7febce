"""Rows of many searches at once: closeness, distances, diameters, betweenness by length."""

from __future__ import annotations

from typing import Any

import numpy as np

import edgewise as ew
from benchmarks.primitives.row import Row

__all__ = ["ROWS"]

_GRAPHS = ("kron18", "cnr-2000", "com-dblp", "road1000")
_UNDIRECTED = ("kron18", "com-dblp", "road1000")


def some(graph: Any, count: int) -> np.ndarray:
    """Vertices that have edges, the same for everybody."""
    degrees = graph.degrees()
    busy = np.flatnonzero(degrees.get() if hasattr(degrees, "get") else degrees)
    return np.sort(np.random.default_rng(7).choice(busy, min(count, len(busy)), replace=False))


def _with(count: int) -> Any:
    """The graph, its transpose at hand, and some of its vertices."""

    def prepare(graph: Any) -> tuple[Any, np.ndarray]:
        if graph.directed:
            _ = graph.transposed
        return graph, some(graph, count)

    return prepare


def _igraph(count: int) -> Any:
    return lambda graph: (graph.to_igraph(), some(graph, count).tolist())


def _networkit(count: int) -> Any:
    def prepare(graph: Any) -> tuple[Any, list[int]]:
        from networkit import GraphFromCoo

        u, v, _ = graph.edges()
        ends = (u.astype(np.uint64), v.astype(np.uint64))
        made = GraphFromCoo(ends, n=graph.num_vertices, directed=graph.directed)
        return made, some(graph, count).tolist()

    return prepare


def _scipy(count: int) -> Any:
    return lambda graph: (graph.to_scipy(), some(graph, count))


def _closeness(given: Any) -> Any:
    graph, chosen = given
    return ew.closeness_centrality(graph, vertices=chosen, wf_improved=False)[chosen]


def _closeness_igraph(given: Any) -> Any:
    graph, chosen = given
    return np.array(graph.closeness(vertices=chosen, mode="in", normalized=True))


def _distances_networkit(given: Any) -> Any:
    from networkit.distance import SPSP

    found = SPSP(*given)
    found.run()
    return np.array(found.getDistances())


def _distances_igraph(given: Any) -> Any:
    graph, chosen = given
    return np.array(graph.distances(source=chosen))


def _distances_scipy(given: Any) -> Any:
    from scipy.sparse.csgraph import dijkstra

    matrix, chosen = given
    return dijkstra(matrix, unweighted=True, indices=chosen)


def _same_distances(ours: Any, theirs: Any) -> bool:
    """Equal but for what is not reached, which has other numbers."""
    reached = ours != np.iinfo(np.int32).max
    return bool((ours[reached] == theirs[reached]).all())


def _diameter_networkit(given: Any) -> int:
    from networkit.distance import Diameter, DiameterAlgo

    found = Diameter(given[0], algo=DiameterAlgo.EXACT)
    found.run()
    return found.getDiameter()[0]


def _effective_networkit(given: Any) -> float:
    from networkit.distance import EffectiveDiameterApproximation

    found = EffectiveDiameterApproximation(given[0], ratio=0.9, k=64)
    found.run()
    return found.getEffectiveDiameter()


def _between(given: Any) -> Any:
    graph, chosen = given
    return ew.betweenness_centrality(graph, sources=chosen, weights="weight", normalized=False)


def _between_igraph(given: Any) -> Any:
    graph, chosen = given
    return np.array(graph.betweenness(weights="weight", sources=chosen))


def _near(ours: Any, theirs: Any) -> bool:
    return bool(np.allclose(ours, theirs, rtol=1e-6, equal_nan=True))


def _in_proportion(ours: Any, theirs: Any) -> bool:
    """The same up to a factor: a pair counts once or twice."""
    return _near(ours / max(ours.max(), 1), theirs / max(theirs.max(), 1))


ROWS = [
    Row(
        "closeness_centrality of 32", _GRAPHS, _closeness,
        {"igraph": (_igraph(32), _closeness_igraph)}, _near, _with(32),
    ),
    Row(
        "multi_source_bfs of 64", _GRAPHS, lambda given: ew.multi_source_bfs(*given),
        {"NetworKit": (_networkit(64), _distances_networkit),
         "igraph": (_igraph(64), _distances_igraph),
         "SciPy": (_scipy(64), _distances_scipy)},
        _same_distances, _with(64),
    ),
    Row(
        "diameter", _UNDIRECTED, lambda graph: ew.diameter(graph, on_disconnected="ignore"),
        {"NetworKit": (_networkit(1), _diameter_networkit)}, lambda ours, theirs: ours == theirs,
    ),
    Row(
        "effective_diameter", _UNDIRECTED[:2], ew.effective_diameter,
        {"NetworKit": (_networkit(1), _effective_networkit)},
        lambda ours, theirs: abs(ours - theirs) < 1.5,
    ),
    Row(
        "betweenness_centrality by length of 4", _UNDIRECTED, _between,
        {"igraph": (_igraph(4), _between_igraph)}, _in_proportion, _with(4),
    ),
]  # fmt: skip
