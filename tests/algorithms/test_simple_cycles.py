"""`simple_cycles`: NetworkX's cycles, in lexicographic order, with limits."""

from __future__ import annotations

import networkx as nx
import pytest
from hypothesis import given, strategies as st

from edgewise import Graph, generators, simple_cycles
from tests.algorithms.samples import SHAPES, graphs, random_graph, shape, to_networkx


def from_the_smallest(cycle, directed):
    at = cycle.index(min(cycle))
    cycle = cycle[at:] + cycle[:at]
    return cycle if directed or len(cycle) < 3 or cycle[1] < cycle[-1] else cycle[:1] + cycle[:0:-1]


def by_networkx(graph, bound=None):
    found = nx.simple_cycles(to_networkx(graph), length_bound=bound)
    return sorted(from_the_smallest(cycle, graph.directed) for cycle in found)


@given(graphs(most=8), st.sampled_from([None, 0, 1, 2, 3, 4, 6]))
def test_any_graph(graph, bound):
    wanted = by_networkx(graph, bound)
    found = simple_cycles(graph, max_length=bound, max_cycles=10**9)
    assert found.lists() == wanted and found.complete
    some = simple_cycles(graph, max_length=bound, max_cycles=2)
    assert some.lists() == wanted[:2] and some.complete == (len(wanted) <= 2)


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("name", [name for name in SHAPES if "clique" not in name])
def test_shapes(name, directed):
    graph = shape(name, directed=directed)
    assert simple_cycles(graph, max_cycles=5000).lists() == by_networkx(graph)


def test_larger_graphs(monkeypatch):
    """More cycles than the first pass has memory for."""
    monkeypatch.setattr("edgewise.algorithms.traversal.simple_cycles._SPACE", 50)
    for directed in (False, True):
        graph = random_graph(60, 160, directed=directed, seed=1)
        for bound in (4, 6):
            found = simple_cycles(graph, max_length=bound, max_cycles=10**6)
            assert found.lists() == by_networkx(graph, bound)
    graph = random_graph(25, 45, directed=True, seed=5)
    assert simple_cycles(graph, max_cycles=10**6).lists() == by_networkx(graph)


def test_many_cycles_are_cut_off():
    found = simple_cycles(generators.complete(60), max_cycles=100)
    assert found.num_paths == 100 and not found.complete
    assert simple_cycles(generators.complete(9), max_cycles=10**6).num_paths == 62814
    path = Graph.from_edges(range(100_000), range(1, 100_001), directed=True)
    assert simple_cycles(path).num_paths == 0
    with pytest.raises(ValueError, match="max_cycles must be at least 1"):
        simple_cycles(path, max_cycles=0)
    with pytest.raises(ValueError, match="max_length must be at least 0"):
        simple_cycles(path, max_length=-1)
