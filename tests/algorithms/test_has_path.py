"""`has_path`: NetworkX's answer for all pairs."""

from __future__ import annotations

import networkx as nx
import pytest
from hypothesis import given

from edgewise import Graph, has_path
from tests.algorithms.samples import graphs, shape, to_networkx


@given(graphs(most=6))
def test_any_graph(graph):
    known = to_networkx(graph)
    for source in range(len(graph)):
        for target in range(len(graph)):
            assert has_path(graph, source, target) == nx.has_path(known, source, target)


def test_labels_and_errors():
    graph = Graph.from_edges(["a", "b"], ["b", "c"], directed=True)
    assert has_path(graph, "a", "c") and not has_path(graph, "c", "a")
    with pytest.raises(ValueError, match="target must be a vertex id"):
        has_path(shape("path"), 0, 150)
