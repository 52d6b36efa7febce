"""`minimum_vertex_cover`: a cover as large as a matching, which proves it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise import Graph, is_bipartite, minimum_vertex_cover
from edgewise.matching import hopcroft_karp
from tests.algorithms.samples import SHAPES, shape


def check(graph, **options):
    cover = minimum_vertex_cover(graph, **options)
    u, v, _ = graph.edges()
    assert cover.dtype == bool and (cover[u] | cover[v]).all()
    assert cover.sum() == hopcroft_karp(graph).cardinality


@given(st.lists(st.tuples(st.integers(0, 7), st.integers(8, 17)), max_size=40))
def test_any_graph(edges):
    ends = np.array(edges, np.int64).reshape(-1, 2).T
    graph = Graph.from_edges(*ends, num_vertices=18)
    check(graph)
    check(graph, sides=np.arange(18) < 8)
    check(graph, sides=np.arange(18) >= 8)


@pytest.mark.parametrize("name", [name for name in SHAPES if is_bipartite(shape(name))])
def test_shapes(name):
    check(shape(name))


def test_larger_graphs():
    u, v = np.random.default_rng(1).integers(0, 5000, (2, 15_000))
    check(Graph.from_edges(u, 5000 + v, num_vertices=10_000))


def test_wrong_arguments():
    with pytest.raises(ValueError, match="the graph is not bipartite: edge"):
        minimum_vertex_cover(shape("clique"))
    with pytest.raises(ValueError, match="needs an undirected graph"):
        minimum_vertex_cover(shape("path", directed=True))
    with pytest.raises(ValueError, match="sides must have one bool per vertex"):
        minimum_vertex_cover(shape("path"), sides=[True])
