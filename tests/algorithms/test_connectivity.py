"""`edge_connectivity` and `node_connectivity`: the definitions, and NetworkX's numbers."""

from __future__ import annotations

from itertools import combinations, permutations

import networkx as nx
import pytest
from hypothesis import given, strategies as st

from edgewise import Graph, edge_connectivity, node_connectivity
from edgewise.generators import grid_2d
from tests.algorithms.samples import SHAPES, graphs, random_graph, shape, to_networkx


def is_connected(theirs):
    check = nx.is_strongly_connected if theirs.is_directed() else nx.is_connected
    return len(theirs) == 0 or check(theirs)


def by_removal(graph, of_nodes):
    """The fewest nodes or edges without which the graph is not connected."""
    theirs = to_networkx(graph)
    theirs.remove_edges_from([*nx.selfloop_edges(theirs)])
    if len(theirs) < 2:
        return 0
    for size in range(len(theirs)):
        for chosen in combinations(theirs.nodes if of_nodes else theirs.edges, size):
            rest = theirs.copy()
            (rest.remove_nodes_from if of_nodes else rest.remove_edges_from)(chosen)
            if not is_connected(rest):
                return size
    return len(theirs) - 1


@given(graphs(most=6))
def test_any_graph(graph):
    if graph.num_edges <= 14:
        assert edge_connectivity(graph) == by_removal(graph, False)
    assert node_connectivity(graph) == by_removal(graph, True)


@given(graphs(most=9), st.data())
def test_any_two_vertices(graph, data):
    if graph.num_vertices > 1:
        ends = st.lists(st.integers(0, graph.num_vertices - 1), min_size=2, max_size=2, unique=True)
        source, target = data.draw(ends)
        theirs = to_networkx(graph)
        assert edge_connectivity(graph, source=source, target=target) == nx.edge_connectivity(
            theirs, source, target
        )
        assert node_connectivity(graph, source=source, target=target) == nx.node_connectivity(
            theirs, source, target
        )


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name, directed):
    graph = shape(name, directed=directed)
    theirs = to_networkx(graph)
    theirs.remove_edges_from([*nx.selfloop_edges(theirs)])
    if len(theirs) < 2 or not is_connected(theirs):
        assert edge_connectivity(graph) == node_connectivity(graph) == 0
    else:
        assert edge_connectivity(graph) == nx.edge_connectivity(theirs)
        assert node_connectivity(graph) == nx.node_connectivity(theirs)


@pytest.mark.parametrize("directed", [False, True])
def test_larger_graphs(directed):
    """All pairs that are not adjacent have at least so many paths, and some pair has no more."""
    theirs = nx.gnp_random_graph(40, 0.3, seed=4, directed=directed)
    ends = [*zip(*theirs.edges, strict=True)]
    graph = Graph.from_edges(*ends, num_vertices=40, directed=directed)
    pairs = (permutations if directed else combinations)(range(40), 2)
    apart = (pair for pair in pairs if not theirs.has_edge(*pair))
    least = min(nx.node_connectivity(theirs, *pair) for pair in apart)
    assert node_connectivity(graph) == least
    assert edge_connectivity(graph) == nx.edge_connectivity(theirs)


def test_many_vertices():
    torus = nx.grid_2d_graph(40, 50, periodic=True)
    ids = {node: i for i, node in enumerate(torus)}
    u, v = zip(*((ids[a], ids[b]) for a, b in torus.edges), strict=True)
    assert edge_connectivity(Graph.from_edges(u, v)) == 4
    assert node_connectivity(Graph.from_edges(u, v)) == 4
    assert edge_connectivity(Graph.from_edges([*u, *v], [*v, *u], directed=True)) == 4
    assert node_connectivity(grid_2d(100, 100)) == 2
    assert edge_connectivity(random_graph(3000, 20_000)) == 0


def test_wrong_arguments():
    graph = shape("cycle")
    with pytest.raises(ValueError, match="source and target must both be given"):
        edge_connectivity(graph, source=3)
    with pytest.raises(ValueError, match="target must differ from source, got 2 for both"):
        node_connectivity(graph, source=2, target=2)
    with pytest.raises(ValueError, match="target must be a vertex id from 0 to 8, got 9"):
        node_connectivity(graph, source=2, target=9)
