"""`descendants`, `ancestors` and `ego_graph`: NetworkX's sets and subgraphs."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise import Graph, ancestors, descendants, ego_graph, threads
from tests.algorithms.samples import SHAPES, TEAMS, graphs, random_graph, shape, to_networkx


def check(graph, source=0):
    theirs = to_networkx(graph)
    for ask in (descendants, ancestors):
        mask = ask(graph, source)
        assert mask.dtype == bool
        assert {*np.flatnonzero(mask).tolist()} == getattr(nx, ask.__name__)(theirs, source)
    for radius in (0, 1, 3):
        part, known = ego_graph(graph, source, radius=radius), nx.ego_graph(theirs, source, radius)
        assert [part.label(v) for v in range(part.num_vertices)] == sorted(known)
        pairs = [{part.label(u), part.label(v)} for u, v in zip(*part.edges()[:2], strict=True)]
        assert sorted(map(sorted, pairs)) == sorted(map(sorted, map(set, known.edges())))
        part.validate()


@given(graphs(), st.data(), st.sampled_from(TEAMS))
def test_any_graph(graph, data, team):
    with threads(team):
        check(graph, data.draw(st.integers(0, graph.num_vertices - 1)))


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("name", [name for name in SHAPES if name != "empty"])
def test_shapes(name, directed):
    check(shape(name, directed=directed))


def test_larger_graphs():
    check(random_graph(3000, 9000, directed=True), 5)


def test_labels_and_arguments():
    graph = Graph.from_edges(["a", "b"], ["b", "c"], [1.5, 2.5], directed=True)
    assert list(ego_graph(graph, "b").label([0, 1])) == ["b", "c"]
    assert ego_graph(graph, "b").weights.tolist() == [2.5]
    assert descendants(graph, "b").tolist() == [False, False, True]
    with pytest.raises(ValueError, match="radius must be at least 0"):
        ego_graph(graph, 0, radius=-1)
