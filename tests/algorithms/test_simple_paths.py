"""`simple_paths` and `all_shortest_paths`: NetworkX's paths, in lexicographic order."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise import Graph, all_shortest_paths, simple_paths
from edgewise.generators import grid_2d
from tests.algorithms.samples import SHAPES, graphs, random_graph, shape, to_networkx


def check_simple(graph, source, target, cutoff):
    known = sorted(nx.all_simple_paths(to_networkx(graph), source, target, cutoff))
    found = simple_paths(graph, source, target, max_length=cutoff, max_paths=10**5)
    if source == target:
        known = [[source]]
    assert found.lists() == known and found.complete and found.num_paths == len(known)
    if len(known) > 1:
        few = simple_paths(graph, source, target, max_length=cutoff, max_paths=len(known) - 1)
        assert few.lists() == known[:-1] and not few.complete
        assert simple_paths(graph, source, target, max_length=cutoff, max_paths=len(known)).complete


def check_shortest(graph, source, target, weights=None):
    try:
        known = sorted(nx.all_shortest_paths(to_networkx(graph), source, target, weight=weights))
    except nx.NetworkXNoPath:
        known = []
    found = all_shortest_paths(graph, source, target, weights=weights, max_paths=10**4)
    assert found.lists() == known and found.complete


@given(graphs(most=7, lengths=st.sampled_from([0.5, 1.0, 1.5])), st.data())
def test_any_graph(graph, data):
    vertex = st.integers(0, graph.num_vertices - 1)
    source, target = data.draw(vertex), data.draw(vertex)
    check_simple(graph, source, target, data.draw(st.sampled_from([None, 0, 1, 2, 4])))
    check_shortest(graph, source, target)
    check_shortest(graph, source, target, "weight")


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("name", [name for name in SHAPES if name != "empty"])
def test_shapes(name, directed):
    graph = shape(name, directed=directed)
    check_simple(graph, 0, graph.num_vertices - 1, 4)
    check_shortest(graph, 0, graph.num_vertices - 1)


def test_larger_graphs():
    graph = random_graph(3000, 9000, directed=True)
    check_simple(graph, 1, 2, 4)
    check_shortest(graph, 1, 2)
    corner = all_shortest_paths(grid_2d(8, 8), 0, 63)
    assert corner.num_paths == 1000 and not corner.complete
    corner = all_shortest_paths(grid_2d(8, 8), 0, 63, max_paths=10**6)
    assert corner.num_paths == 3432 and corner.complete and corner.row(-1).tolist()[:2] == [0, 8]
    some = all_shortest_paths(grid_2d(40, 40), 0, 1599, max_paths=10)
    assert some.num_paths == 10 and not some.complete


def test_lengths_of_zero():
    """A circle of length zero is passed both ways, and no vertex twice."""
    graph = Graph.from_edges([0, 1, 2, 0, 2], [1, 2, 0, 3, 3], [0, 0, 0, 1, 1])
    found = all_shortest_paths(graph, 0, 3, weights="weight")
    assert found.lists() == [[0, 1, 2, 3], [0, 2, 3], [0, 3]]
    with pytest.raises(ValueError, match="weights must not be negative or NaN"):
        all_shortest_paths(graph, 0, 3, weights=np.full(5, -1.0))
    with pytest.raises(ValueError, match="max_paths must be at least 1"):
        simple_paths(graph, 0, 3, max_paths=0)
