"""Depth-first order against NetworkX."""

from __future__ import annotations

import networkx as nx
import pytest
from hypothesis import given

from edgewise import ordering
from edgewise.base.errors import DeviceError
from tests.algorithms.ordering.oracles import GRAPHS, is_order, neighborhoods, places
from tests.algorithms.samples import graphs


def by_networkx(graph):
    """NetworkX follows neighbors in the order in which they were added."""
    twin = nx.Graph()
    twin.add_nodes_from(range(graph.num_vertices))
    twin = nx.DiGraph(twin)
    for v, row in enumerate(neighborhoods(graph)):
        twin.add_edges_from((v, u) for u in row)
    return places(list(nx.dfs_preorder_nodes(twin)))


@pytest.mark.parametrize("name", GRAPHS)
def test_odd_graphs(name):
    order = ordering.dfs_order(GRAPHS[name])
    assert is_order(GRAPHS[name], order) and order.tolist() == by_networkx(GRAPHS[name])


@given(graphs())
def test_any_graph(graph):
    assert ordering.dfs_order(graph).tolist() == by_networkx(graph)


def test_on_the_cpu_alone():
    class Elsewhere:
        device, engine, one_device = "cuda:0", "local", True

    with pytest.raises(DeviceError, match="dfs_order needs a graph in host memory"):
        ordering.dfs_order(Elsewhere())
