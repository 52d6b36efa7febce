"""Laplacian matrices: NetworkX's entries and types."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise import Graph, laplacian_matrix, normalized_laplacian_matrix
from tests.algorithms.samples import SHAPES, graphs, shape, to_networkx


def check(graph, weight="weight"):
    if graph.num_vertices == 0:
        assert laplacian_matrix(graph).shape == (0, 0)
        return
    other = to_networkx(graph)
    for ours, theirs in (
        (laplacian_matrix, nx.laplacian_matrix),
        (normalized_laplacian_matrix, nx.normalized_laplacian_matrix),
    ):
        found = ours(graph, weights=weight)
        with np.errstate(all="ignore"):
            known = theirs(other, weight=weight).toarray()
        np.testing.assert_allclose(found.toarray(), known, atol=1e-12)
        assert found.format == "csr"


@given(graphs(lengths=st.sampled_from([0.0, 0.5, 3.0])))
def test_any_graph(graph):
    check(graph)


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("directed", [False, True])
def test_shapes(name, directed):
    check(shape(name, directed=directed))


def test_types_and_weights():
    graph = Graph.from_edges([0, 1], [1, 2], [2, 3])
    assert laplacian_matrix(graph).dtype == np.int64
    assert laplacian_matrix(graph, weights=None).toarray()[1].tolist() == [-1, 2, -1]
    assert laplacian_matrix(graph, weights=[0.5, 1.0]).toarray()[1].tolist() == [-0.5, 1.5, -1.0]
    assert normalized_laplacian_matrix(graph).dtype == np.float64
    with pytest.raises(ValueError, match="negative"):
        laplacian_matrix(graph, weights=[1.0, -1.0])
