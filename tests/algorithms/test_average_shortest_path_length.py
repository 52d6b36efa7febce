"""`average_shortest_path_length` and `global_efficiency`: NetworkX's numbers."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise import average_shortest_path_length, generators, global_efficiency, threads
from tests.algorithms.samples import SHAPES, TEAMS, graphs, random_graph, shape, to_networkx


def check(graph, weights=None):
    theirs, n = to_networkx(graph), graph.num_vertices
    known = dict(nx.all_pairs_dijkstra_path_length(theirs, weight=weights or "none"))
    pairs = [length for u, row in known.items() for v, length in row.items() if u != v]
    mean = sum(pairs) / len(pairs) if pairs else 0.0
    ask = {"weights": weights, "on_disconnected": "ignore"}
    assert average_shortest_path_length(graph, **ask) == pytest.approx(mean, rel=1e-9)
    inverse = sum(1 / length for length in pairs) / (n * (n - 1)) if n > 1 else 0.0
    assert global_efficiency(graph, weights=weights) == pytest.approx(inverse, rel=1e-9)
    if not graph.directed and n and weights is None:
        assert inverse == pytest.approx(nx.global_efficiency(theirs), rel=1e-9)
    if len(pairs) < n * (n - 1):
        with pytest.raises(ValueError, match=f"but {n * (n - 1) - len(pairs)} pairs have none"):
            average_shortest_path_length(graph, weights=weights)
    else:
        assert average_shortest_path_length(graph, weights=weights) == pytest.approx(mean)


@given(graphs(lengths=st.sampled_from([0.5, 1.0, 3.0])), st.sampled_from(TEAMS))
def test_any_graph(graph, team):
    with threads(team):
        check(graph)
        check(graph, "weight")


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name, directed):
    check(shape(name, directed=directed))


def test_larger_graphs_and_samples():
    check(random_graph(300, 900, directed=True))
    graph = generators.grid_2d(20, 30)
    check(graph)
    n = graph.num_vertices
    for ask in (average_shortest_path_length, global_efficiency):
        exact = ask(graph)
        assert ask(graph, k=n) == pytest.approx(exact, rel=1e-12)
        few = [ask(graph, k=30, seed=seed) for seed in range(8)]
        assert len({*few}) > 1 and np.mean(few) == pytest.approx(exact, rel=0.1)
        assert exact.interval == (exact, exact)
        intervals = [ask(graph, k=30, seed=seed).interval for seed in range(60)]
        assert 51 <= sum(low <= exact <= high for low, high in intervals) < 60
    low, high = average_shortest_path_length(graph, k=1).interval
    assert (low, high) == (0, np.inf)
    with pytest.raises(ValueError, match="k must be at most the number of vertices"):
        global_efficiency(graph, k=n + 1)
