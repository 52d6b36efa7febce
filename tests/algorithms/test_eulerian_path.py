"""`eulerian_path`: a walk along every edge once, if and only if NetworkX has one."""

from __future__ import annotations

from collections import Counter

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise import Graph, eulerian_path
from tests.algorithms.samples import SHAPES, graphs, shape, to_networkx


def check(graph):
    theirs = to_networkx(graph)
    theirs.remove_nodes_from([v for v in list(theirs) if theirs.degree(v) == 0])
    walk = eulerian_path(graph)
    if graph.num_edges == 0 or not nx.has_eulerian_path(theirs):
        assert walk.tolist() == []
        return

    def named(u, v):
        return (u, v) if graph.directed else (min(u, v), max(u, v))

    steps = Counter(
        named(*step) for step in zip(walk[:-1].tolist(), walk[1:].tolist(), strict=True)
    )
    assert steps == Counter(named(u, v) for u, v in theirs.edges())


@given(graphs(most=5))
def test_any_graph(graph):
    check(graph)


@given(st.lists(st.integers(0, 6), min_size=2, max_size=15), st.booleans())
def test_any_walk(stops, directed):
    """Graphs that have such a walk, unless edges repeat."""
    check(Graph.from_edges(stops[:-1], stops[1:], directed=directed))


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name, directed):
    check(shape(name, directed=directed))


def test_larger_graphs():
    """A ring with chords that close circles: all degrees are even."""
    ring = np.arange(5000)
    sources, targets = np.r_[ring, ring, ring], np.r_[ring + 1, ring + 7, ring + 30] % 5000
    for directed in (False, True):
        graph = Graph.from_edges(sources, targets, directed=directed)
        walk = eulerian_path(graph)
        assert len(walk) == 15_001 and walk[0] == walk[-1] == 0
        check(graph)
