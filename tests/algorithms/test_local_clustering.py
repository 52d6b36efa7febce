"""`local_clustering`: NetworkX's numbers, and edges among neighbors counted one by one."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from edgewise import Graph, clustering_coefficient, local_clustering, threads
from tests.algorithms.dense import matrix
from tests.algorithms.samples import SHAPES, TEAMS, graphs, random_graph, shape, to_networkx


def among_neighbors(graph: Graph) -> np.ndarray:
    """For every vertex the share of the ordered pairs of neighbors that are edges."""
    a = matrix(graph) > 0
    np.fill_diagonal(a, False)
    found = np.zeros(len(a))
    for v in range(len(a)):
        near = np.flatnonzero(a[v] | a[:, v])
        if len(near) > 1:
            found[v] = a[np.ix_(near, near)].sum() / (len(near) * (len(near) - 1))
    return found


def check(graph: Graph) -> None:
    known = nx.clustering(to_networkx(graph))
    found = local_clustering(graph)
    np.testing.assert_allclose(found, [known[v] for v in range(len(known))], rtol=1e-12)
    found = local_clustering(graph, method="ldbc")
    np.testing.assert_allclose(found, among_neighbors(graph), rtol=1e-12)


@given(graphs(directed=True), st.sampled_from(TEAMS))
@settings(max_examples=30)
def test_random_graphs(graph, team):
    with threads(team):
        check(graph)


@pytest.mark.slow
@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name, directed):
    check(shape(name, directed=directed))


@pytest.mark.slow
def test_larger_graphs():
    check(random_graph(400, 5000, directed=True))
    graph = random_graph(400, 5000)
    np.testing.assert_array_equal(local_clustering(graph), clustering_coefficient(graph))


def test_wrong_method():
    with pytest.raises(ValueError, match="method must be one of 'fagiolo', 'ldbc', got 'watts'"):
        local_clustering(shape("star"), method="watts")
