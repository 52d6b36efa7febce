"""`density`, `reciprocity` and `degree_histogram`: NetworkX's numbers."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise import degree_histogram, density, reciprocity, threads
from tests.algorithms.samples import SHAPES, TEAMS, graphs, random_graph, shape, to_networkx


def check(graph):
    theirs = to_networkx(graph)
    assert density(graph) == pytest.approx(nx.density(theirs), rel=1e-12)
    counts = degree_histogram(graph)
    known = nx.degree_histogram(theirs) if graph.num_vertices else []
    assert counts.dtype == np.int64 and counts.tolist() == known
    if graph.directed:
        known = nx.reciprocity(theirs) if graph.num_edges else 0.0
        assert reciprocity(graph) == pytest.approx(known, rel=1e-12)


@given(graphs(lengths=st.just(1.0)), st.sampled_from(TEAMS))
def test_any_graph(graph, team):
    with threads(team):
        check(graph)


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name, directed):
    check(shape(name, directed=directed))


def test_larger_graphs():
    check(random_graph(500, 30_000, directed=True))
    check(random_graph(3000, 9000))
    with pytest.raises(ValueError, match="reciprocity needs a directed graph"):
        reciprocity(shape("path"))
