"""`average_neighbor_degree`: NetworkX's numbers."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise import average_neighbor_degree
from tests.algorithms.samples import SHAPES, graphs, random_graph, shape, to_networkx


def check(graph, **weight):
    known = nx.average_neighbor_degree(to_networkx(graph), **weight)
    found = average_neighbor_degree(graph, weights=weight.get("weight"))
    np.testing.assert_allclose(found, [known[v] for v in range(graph.num_vertices)])


@given(graphs())
def test_any_graph(graph):
    check(graph)


@given(graphs(lengths=st.sampled_from([0.0, 0.5, 1.0, 3.0])))
def test_weights(graph):
    check(graph, weight="weight")


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("directed", [False, True])
def test_shapes(name, directed):
    check(shape(name, directed=directed))


def test_larger_graph():
    check(random_graph(500, 3000))
