"""Rows of cores, trusses, independent and dominating sets, cliques and assortativity."""

from __future__ import annotations

from typing import Any

import numpy as np

import edgewise as ew
from benchmarks.primitives.libraries import as_igraph, as_networkit, as_networkx
from benchmarks.primitives.row import Row

__all__ = ["ROWS"]

_ALL = ("kron18", "com-dblp", "road1000")


def _luby(graph: Any) -> Any:
    from networkit.independentset import Luby

    return sum(Luby().run(graph))


def _cores_networkit(graph: Any) -> Any:
    from networkit.centrality import CoreDecomposition

    found = CoreDecomposition(graph)
    found.run()
    return np.array(found.scores())


def _innermost_networkit(graph: Any) -> Any:
    from networkit.graphtools import GraphTools

    number = _cores_networkit(graph)
    inside = np.flatnonzero(number == number.max()).tolist()
    return GraphTools.subgraphFromNodes(graph, inside).numberOfEdges()


def _innermost_igraph(graph: Any) -> Any:
    number = graph.coreness()
    most = max(number)
    return graph.induced_subgraph([v for v, one in enumerate(number) if one == most]).ecount()


def _truss_networkx(graph: Any) -> Any:
    import networkx as nx

    return nx.k_truss(graph, 10).number_of_edges()


def _dominating_networkx(graph: Any) -> Any:
    import networkx as nx

    return len(nx.dominating_set(graph))


def _cliques_networkit(graph: Any) -> Any:
    from networkit.clique import MaximalCliques

    found = MaximalCliques(graph)
    found.run()
    return len(found.getCliques())


def _club_networkx(graph: Any) -> Any:
    import networkx as nx

    return [*nx.rich_club_coefficient(graph, normalized=False).values()]


def _equal(ours: Any, theirs: Any) -> bool:
    return bool(np.array_equal(ours, theirs))


def _close(ours: Any, theirs: Any) -> bool:
    return bool(np.allclose(ours, theirs, rtol=1e-6, atol=1e-9))


ROWS = [
    Row("maximal_independent_set", _ALL, ew.maximal_independent_set,
        {"NetworKit": (as_networkit, _luby)}),
    Row("core_number", _ALL, ew.core_number,
        {"NetworKit": (as_networkit, _cores_networkit),
         "igraph": (as_igraph, lambda graph: np.array(graph.coreness()))}, _equal),
    Row("k_core", _ALL, lambda graph: ew.k_core(graph).num_edges,
        {"NetworKit": (as_networkit, _innermost_networkit),
         "igraph": (as_igraph, _innermost_igraph)}, _equal),
    Row("truss_number", ("kron18", "com-dblp"), ew.truss_number, {}),
    Row("k_truss of 10", ("com-dblp",), lambda graph: ew.k_truss(graph, k=10).num_edges,
        {"NetworkX": (as_networkx, _truss_networkx)}, _equal),
    Row("dominating_set", ("com-dblp", "road1000"), ew.dominating_set,
        {"NetworkX": (as_networkx, _dominating_networkx)}),
    Row("maximal_cliques", ("com-dblp", "road1000"),
        lambda graph: ew.maximal_cliques(graph).num_cliques,
        {"NetworKit": (as_networkit, _cliques_networkit)}, _equal),
    Row("k_clique_count of 4", ("kron18", "com-dblp"), lambda graph: ew.k_clique_count(graph, k=4),
        {}),
    Row("degree_assortativity_coefficient", _ALL, ew.degree_assortativity_coefficient,
        {"igraph": (as_igraph, lambda graph: graph.assortativity_degree(directed=False))}, _close),
    Row("rich_club_coefficient", ("com-dblp",),
        lambda graph: ew.rich_club_coefficient(graph, normalized=False),
        {"NetworkX": (as_networkx, _club_networkx)}, _close),
]  # fmt: skip
