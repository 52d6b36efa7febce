"""`dag_longest_path`: a path of the graph, as long as NetworkX's."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise import Graph, dag_longest_path
from edgewise.cli.sample import without_cycles
from tests.algorithms.samples import SHAPES, graphs, random_graph, shape, to_networkx


def check(graph, **options):
    theirs = to_networkx(graph, **options)
    path = dag_longest_path(graph, **options)
    length = nx.dag_longest_path_length(theirs) if graph.num_vertices else 0
    steps = list(zip(path, path[1:], strict=False))
    assert len(path) > 0 or graph.num_vertices == 0
    assert sum(theirs.edges[step].get("weight", 1) for step in steps) == length


@given(graphs(directed=True, lengths=st.sampled_from([-2.0, 0.0, 0.5, 3.0])))
def test_any_graph(graph):
    check(without_cycles(graph))
    check(without_cycles(graph), weights=None)


@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name):
    check(without_cycles(shape(name, directed=True)))


def test_larger_graphs():
    graph = without_cycles(random_graph(3000, 20_000, directed=True))
    check(graph)
    check(graph.with_weights(np.random.default_rng(1).integers(-3, 9, graph.num_edges)))


def test_what_has_no_longest_path():
    with pytest.raises(ValueError, match="graph must have no cycle, got 0 -> 1 -> 0"):
        dag_longest_path(Graph.from_edges([0, 1], [1, 0], directed=True))
    with pytest.raises(ValueError, match="dag_longest_path needs a directed graph"):
        dag_longest_path(shape("path"))
    with pytest.raises(ValueError, match="weights must be finite, got inf"):
        dag_longest_path(Graph.from_edges([0], [1], [np.inf], directed=True))
