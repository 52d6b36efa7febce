"""Smallest-last order: every removed vertex has the smallest degree among those that are left."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from edgewise import Graph, core_number, generators, ordering
from edgewise.algorithms.ordering import bucket_order
from tests.algorithms.ordering.oracles import GRAPHS, is_order
from tests.algorithms.samples import graphs, random_graph


def check_law(graph, position):
    """Remove the vertices one by one, the last one first, and count the neighbors that are left."""
    assert is_order(graph, position)
    graph = graph.to_undirected() if graph.directed else graph
    u, v, _ = graph.without_self_loops().arcs()
    left, degree = [True] * graph.num_vertices, np.bincount(u, minlength=graph.num_vertices)
    for one in np.argsort(-position.astype(np.int64)).tolist():
        assert degree[one] == min(degree[k] for k in range(len(left)) if left[k])
        left[one] = False
        np.subtract.at(degree, v[u == one], 1)


@pytest.mark.parametrize("name", GRAPHS)
def test_odd_graphs(name):
    check_law(GRAPHS[name], ordering.smallest_last(GRAPHS[name]))


@given(graphs())
def test_any_graph(graph):
    check_law(graph, ordering.smallest_last(graph))


@pytest.mark.parametrize("window", [1, 2, 100])
def test_late_entries(window, monkeypatch):
    """Vertices enter the stacks at another moment, and the law is the same."""
    monkeypatch.setattr(bucket_order, "_WINDOW", window)
    check_law(graph := random_graph(120, 1500, seed=window), ordering.smallest_last(graph))


def test_parallel_edges_count_as_often_as_they_are_there():
    indptr, indices = [0, 2, 5, 6, 6], [1, 1, 0, 0, 2, 1]
    check_law(graph := Graph(indptr, indices), ordering.smallest_last(graph))


def test_no_vertex_has_more_earlier_neighbors_than_the_degeneracy():
    graph = generators.rmat(11, seed=4).without_self_loops()
    position = ordering.smallest_last(graph)
    u, v, _ = graph.arcs()
    earlier = np.bincount(u[position[v] < position[u]], minlength=graph.num_vertices)
    assert earlier.max() == core_number(graph).max()
