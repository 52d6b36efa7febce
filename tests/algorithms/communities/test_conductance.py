"""`conductance` of a set and `community_conductance` of all communities: as NetworkX has them."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise import Graph
from edgewise.communities import community_conductance, conductance
from tests.algorithms.communities.partitions import dense
from tests.algorithms.samples import graphs, random_graph, to_networkx


def by_hand(graph, members):
    matrix, members = dense(graph), np.asarray(members, bool)
    cut = matrix[members][:, ~members].sum()
    if graph.directed:
        cut += matrix[~members][:, members].sum()
    volume = matrix.sum(1)
    smaller = min(volume[members].sum(), volume[~members].sum())
    return 0.0 if cut == 0 else np.inf if smaller == 0 else cut / smaller


@given(graphs(lengths=st.integers(0, 5)), st.data())
def test_any_graph(graph, data):
    n = graph.num_vertices
    labels = np.array(data.draw(st.lists(st.integers(0, 2), min_size=n, max_size=n)))
    wanted = [by_hand(graph, labels == labels[v]) for v in range(n)]
    np.testing.assert_allclose(
        community_conductance(graph, labels, weights="weight"), wanted, atol=1e-12
    )
    for one in range(3):
        found = conductance(graph, labels == one, weights="weight")
        assert found == pytest.approx(by_hand(graph, labels == one), abs=1e-12)


@pytest.mark.parametrize("directed", [False, True])
def test_equal_to_networkx(directed):
    graph = random_graph(60, 300, directed=directed, seed=2)
    members = np.arange(60) % 3 == 0
    wanted = nx.conductance(to_networkx(graph), set(np.flatnonzero(members).tolist()))
    assert conductance(graph, members) == pytest.approx(wanted, abs=1e-12)
    assert conductance(graph, np.flatnonzero(members)) == conductance(graph, ~members)


def test_odd_sets_and_errors():
    graph = Graph.from_edges([0, 1], [1, 2], [3.0, 1.0])
    assert conductance(graph, [False] * 3) == conductance(graph, [True] * 3) == 0
    assert conductance(Graph([0], []), []) == 0
    assert conductance(graph, [True, True, False], weights="weight") == 1
    assert conductance(graph, [True, False, False]) == 1
    assert conductance(graph, [0]) == 1 and conductance(graph, [0, 1, 2]) == 0
    with pytest.raises(ValueError, match="must be a vertex id from 0 to 2, got 3"):
        conductance(graph, [0, 3])
    with pytest.raises(ValueError, match="vertices must have one entry per vertex"):
        conductance(graph, [True])
