"""`conductance` of a set and `conductances` of all communities: as NetworkX has them."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise import Graph
from edgewise.communities import conductance, conductances
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
    np.testing.assert_allclose(conductances(graph, labels), wanted, atol=1e-12)
    for one in range(3):
        found = conductance(graph, labels == one)
        assert found == pytest.approx(by_hand(graph, labels == one), abs=1e-12)


@pytest.mark.parametrize("directed", [False, True])
def test_equal_to_networkx(directed):
    graph = random_graph(60, 300, directed=directed, seed=2)
    members = np.arange(60) % 3 == 0
    wanted = nx.conductance(to_networkx(graph), set(np.flatnonzero(members).tolist()))
    assert conductance(graph, members) == pytest.approx(wanted, abs=1e-12)
    assert conductance(graph, members.astype(int)) == conductance(graph, ~members)


def test_odd_sets_and_errors():
    graph = Graph.from_edges([0, 1], [1, 2], [3.0, 1.0])
    assert conductance(graph, [False] * 3) == conductance(graph, [True] * 3) == 0
    assert conductance(Graph([0], []), []) == 0
    assert conductance(graph, [True, True, False]) == 1
    assert conductance(graph, [True, False, False], weights="unit") == 1
    with pytest.raises(ValueError, match="members must be truths, or 0 and 1, got 2"):
        conductance(graph, [0, 1, 2])
    with pytest.raises(ValueError, match="members must have one entry per vertex"):
        conductance(graph, [True])
