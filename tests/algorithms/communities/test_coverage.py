"""`coverage` and `performance`: as NetworkX has them, and by counting."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise import Graph
from edgewise.communities import coverage, performance
from tests.algorithms.communities.partitions import dense, striped
from tests.algorithms.samples import SHAPES, graphs, random_graph, shape, to_networkx


@given(graphs(lengths=st.integers(0, 5)), st.data())
def test_any_graph(graph, data):
    n = graph.num_vertices
    labels = np.array(data.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n)))
    matrix, same = dense(graph), np.equal.outer(labels, labels)
    wanted = (matrix * same).sum() / matrix.sum() if matrix.sum() else 1.0
    assert coverage(graph, labels) == pytest.approx(wanted, abs=1e-12)
    joined, pair = dense(graph, np.ones(graph.num_arcs)) > 0, ~np.eye(n, dtype=bool)
    wanted = (joined == same)[pair].mean() if n > 1 else 1.0
    assert performance(graph, labels) == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("name", SHAPES)
def test_equal_to_networkx(name, directed):
    graph = shape(name, directed=directed).without_self_loops()
    labels = striped(graph.num_vertices)
    found = coverage(graph, labels), performance(graph, labels)
    if graph.num_edges:
        groups = [set(np.flatnonzero(labels == one).tolist()) for one in set(labels.tolist())]
        wanted = nx.community.partition_quality(to_networkx(graph), groups)
        assert found == pytest.approx(wanted, abs=1e-12)
    else:
        assert found[0] == 1


def test_weights():
    graph = Graph.from_edges([0, 1], [1, 2], [3.0, 1.0])
    assert coverage(graph, [0, 0, 1]) == 0.75
    assert coverage(graph, [0, 0, 1], weights=None) == 0.5
    big = random_graph(3000, 9000)
    assert coverage(big, np.zeros(3000, int)) == 1.0
    with pytest.raises(TypeError, match="communities must be whole numbers"):
        performance(big, np.zeros(3000))
