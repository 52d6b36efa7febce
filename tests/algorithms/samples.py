"""Graphs that the tests of all algorithms draw from."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st

from edgewise.graph import Graph

__all__ = ["SHAPES", "TEAMS", "graphs", "random_graph", "shape", "to_networkx"]

TEAMS = (1, 2, 3)

#: Number of vertices and edges of graphs with something peculiar about them.
SHAPES: dict[str, tuple[int, list[tuple[int, int]]]] = {
    "empty": (0, []),
    "one vertex": (1, []),
    "one loop": (1, [(0, 0)]),
    "two vertices": (2, []),
    "one edge": (2, [(0, 1)]),
    "edge and loops": (3, [(0, 0), (0, 1), (1, 1), (2, 2)]),
    "duplicates": (3, [(0, 1), (0, 1), (1, 0), (1, 2), (1, 2)]),
    "disconnected": (7, [(0, 1), (1, 2), (2, 0), (4, 5)]),
    "path": (150, [(i, i + 1) for i in range(149)]),
    "backward path": (150, [(i + 1, i) for i in range(149)]),
    "star": (40, [(0, i) for i in range(1, 40)]),
    "cycle": (9, [(i, (i + 1) % 9) for i in range(9)]),
    "clique": (12, [(i, j) for i in range(12) for j in range(i)]),
    "two cliques": (9, [(i, j) for a in (0, 5) for i in range(a, a + 4) for j in range(a, i)]),
    "diamonds": (31, [e for i in range(0, 30, 3) for e in
                      ((i, i + 1), (i, i + 2), (i + 1, i + 3), (i + 2, i + 3))]),
}  # fmt: skip


def shape(name: str, *, directed: bool = False) -> Graph:
    """One of `SHAPES` as a graph."""
    n, edges = SHAPES[name]
    sources, targets = np.array(edges, np.int64).reshape(-1, 2).T
    return Graph.from_edges(sources, targets, directed=directed, num_vertices=n)


@st.composite
def graphs(draw: Any, *, directed: Any = None, lengths: Any = None, most: int = 12) -> Graph:
    """Any small graph, loops and duplicates included; ``lengths`` draws the weights."""
    n = draw(st.integers(1, most))
    vertex = st.integers(0, n - 1)
    edges = draw(st.lists(st.tuples(vertex, vertex), max_size=4 * n))
    sources, targets = np.array(edges, np.int64).reshape(-1, 2).T
    weights = None
    if lengths is not None:
        weights = draw(st.lists(lengths, min_size=len(edges), max_size=len(edges)))
    both = draw(st.booleans()) if directed is None else directed
    return Graph.from_edges(
        sources, targets, weights, directed=both, num_vertices=n, duplicates="min"
    )


def random_graph(n: int, m: int, *, directed: bool = False, seed: int = 0) -> Graph:
    """A graph with skewed degrees, some isolated vertices, loops and several components."""
    rng = np.random.default_rng(seed)
    sources = (n * rng.random(m) ** 3).astype(np.int64)
    targets = rng.integers(0, n - n // 10, m)
    return Graph.from_edges(sources, targets, directed=directed, num_vertices=n)


def to_networkx(graph: Graph, weights: Any = "weight") -> Any:
    """The same graph for NetworkX, edge by edge."""
    import networkx as nx

    result = nx.DiGraph() if graph.directed else nx.Graph()
    result.add_nodes_from(range(graph.num_vertices))
    u, v, own = graph.edges()
    weights = own if isinstance(weights, str) else weights
    if weights is None:
        result.add_edges_from(zip(u.tolist(), v.tolist(), strict=True))
    else:
        triples = zip(u.tolist(), v.tolist(), np.asarray(weights).tolist(), strict=True)
        result.add_weighted_edges_from(triples)
    return result


def small_and_large(home, limit):
    """A fixture by which all tests of a module run twice: with small graphs, and as with large.

    ``limit`` names the number in ``home`` up to which a graph is small.
    """

    @pytest.fixture(autouse=True, scope="module", params=["small", "large"])
    def way(request):
        with pytest.MonkeyPatch.context() as patch:
            if request.param == "large":
                patch.setattr(home, limit, 0)
            yield

    return way
