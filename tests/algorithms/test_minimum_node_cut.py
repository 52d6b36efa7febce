"""`minimum_node_cut`: no smaller set disconnects the graph, and this one does."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise import Graph, minimum_node_cut, node_connectivity
from edgewise.generators import complete, grid_2d, path, petersen
from tests.algorithms.samples import SHAPES, graphs, shape, to_networkx


def check(graph):
    """The cut has as many vertices as the connectivity, and disconnects all but complete graphs."""
    cut = minimum_node_cut(graph)
    assert cut.dtype == bool and cut.shape == (graph.num_vertices,)
    assert cut.sum() == node_connectivity(graph)
    rest = to_networkx(graph)
    if cut.any() and cut.sum() < graph.num_vertices - 1:
        rest.remove_nodes_from(np.flatnonzero(cut).tolist())
        assert not (nx.is_strongly_connected if graph.directed else nx.is_connected)(rest)


@given(graphs(most=8))
def test_any_graph(graph):
    check(graph)


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name, directed):
    check(shape(name, directed=directed))


@given(graphs(most=9), st.data())
def test_any_two_vertices(graph, data):
    if graph.num_vertices < 2:
        return
    ends = st.lists(st.integers(0, graph.num_vertices - 1), min_size=2, max_size=2, unique=True)
    source, target = data.draw(ends)
    if graph.has_edge(source, target):
        with pytest.raises(ValueError, match="source and target must not be adjacent"):
            minimum_node_cut(graph, source=source, target=target)
        return
    cut = minimum_node_cut(graph, source=source, target=target)
    assert cut.sum() == node_connectivity(graph, source=source, target=target)
    assert not cut[source] and not cut[target]
    rest = to_networkx(graph)
    rest.remove_nodes_from(np.flatnonzero(cut).tolist())
    assert not nx.has_path(rest, source, target)


def test_larger_graphs():
    theirs = nx.random_regular_graph(5, 60, seed=2)
    check(Graph.from_edges(*zip(*theirs.edges, strict=True)))
    check(grid_2d(30, 40))
    assert minimum_node_cut(petersen()).sum() == 3


def test_graphs_without_a_cut():
    assert minimum_node_cut(complete(5)).sum() == 4
    assert minimum_node_cut(path(2)).tolist() in ([True, False], [False, True])
    assert not minimum_node_cut(Graph.from_edges([0, 2], [1, 3])).any()
    assert not minimum_node_cut(Graph.from_edges([], [], num_vertices=1)).any()


def test_wrong_arguments():
    with pytest.raises(ValueError, match="source and target must both be given"):
        minimum_node_cut(petersen(), source=3)
    with pytest.raises(ValueError, match="target must differ from source, got 2 for both"):
        minimum_node_cut(petersen(), source=2, target=2)
