"""`modularity`: against the sum over all pairs, and NetworkX."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise import Graph, threads
from edgewise.communities import modularity
from tests.algorithms.communities.partitions import striped, sums
from tests.algorithms.samples import SHAPES, TEAMS, graphs, random_graph, shape, to_networkx
from tests.algorithms.test_small_graphs import both_ways


@given(graphs(lengths=st.integers(0, 5)), st.data(), st.sampled_from([0.0, 0.5, 1.0, 3.0]))
def test_any_graph(graph, data, resolution):
    n = graph.num_vertices
    labels = data.draw(st.lists(st.integers(-2, n), min_size=n, max_size=n))
    found = both_ways(graph, lambda one: modularity(one, labels, resolution=resolution))
    assert found == pytest.approx([sums(graph, labels, resolution=resolution)] * 2, abs=1e-12)


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("name", SHAPES)
def test_equal_to_networkx(name, directed):
    graph = shape(name, directed=directed)
    labels = striped(graph.num_vertices)
    groups = [set(np.flatnonzero(labels == one).tolist()) for one in set(labels.tolist())]
    found = modularity(graph, labels, resolution=0.9)
    if graph.num_edges:
        wanted = nx.community.modularity(to_networkx(graph), groups, resolution=0.9)
        assert found == pytest.approx(wanted, abs=1e-12)
    else:
        assert found == 0


@pytest.mark.parametrize("directed", [False, True])
def test_any_number_of_threads(directed):
    graph = random_graph(2000, 9000, directed=directed)
    labels = striped(2000)
    found = []
    for team in TEAMS:
        with threads(team):
            found += both_ways(graph, lambda one: modularity(one, labels))
    assert found == pytest.approx([sums(graph, labels)] * 2 * len(TEAMS), abs=1e-12)


def test_weights_are_those_asked_for():
    graph = Graph.from_edges([0, 1, 2], [1, 2, 3], [4.0, 0.0, 4.0])
    labels = [0, 0, 1, 1]
    assert modularity(graph, labels) == 0.5
    assert modularity(graph, labels, weights=None) == pytest.approx(2 / 3 - 0.5)
    assert modularity(graph, labels, weights=np.zeros(3)) == 0


def test_errors():
    graph = Graph.from_edges([0, 1], [1, 2], [1.0, 2.0])
    for labels in ([0, 1], [[0], [1], [2]]):
        with pytest.raises(ValueError, match=r"communities must have one entry per vertex \(3\)"):
            modularity(graph, labels)
    with pytest.raises(TypeError, match="communities must be whole numbers, got dtype float64"):
        modularity(graph, [0.0, 1.0, 2.0])
    with pytest.raises(ValueError, match="resolution must be a finite number, at least 0, got -1"):
        modularity(graph, [0, 0, 0], resolution=-1)
    for bad, rule in ((-1.0, "not be negative or NaN"), (np.nan, "not be negative or NaN"),
                      (np.inf, "be finite")):  # fmt: skip
        with pytest.raises(ValueError, match=rf"weights must {rule}, got {bad} on .*1 - 2"):
            modularity(Graph.from_edges([0, 1], [1, 2], [1.0, bad]), [0, 0, 0])
    with pytest.raises(ValueError, match="weights must have a finite sum, got inf"):
        modularity(graph, [0, 0, 0], weights=np.full(2, 1e308))
    with pytest.raises(ValueError, match=r"one entry per edge \(2\), .* got 4, one per arc"):
        modularity(graph, [0, 0, 0], weights=np.arange(4.0))
