"""`complement` and `line_graph`: NetworkX's edges."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given

from edgewise import Graph, complement, line_graph
from edgewise.algorithms.structure import complement as home
from tests.algorithms.samples import SHAPES, graphs, random_graph, shape, to_networkx


def ends(graph):
    graph.validate()
    u, v, _ = graph.edges()
    return sorted(zip(u.tolist(), v.tolist(), strict=True))


def ordered(edges, directed):
    return sorted(edges if directed else map(tuple, map(sorted, edges)))


def check(graph):
    theirs, directed = to_networkx(graph), graph.directed
    assert ends(complement(graph)) == ordered(nx.complement(theirs).edges(), directed)
    found = line_graph(graph)
    number = {edge: i for i, edge in enumerate(zip(*map(np.ndarray.tolist, graph.edges()[:2]),
                                                   strict=True))}  # fmt: skip
    kind = nx.DiGraph if directed else nx.Graph
    known = nx.line_graph(theirs, create_using=kind).edges()
    if not directed:
        known = [[tuple(sorted(edge)) for edge in pair] for pair in known]
    pairs = [(number[a], number[b]) for a, b in known]
    assert found.num_vertices == graph.num_edges and found.directed is directed
    assert ends(found) == ordered(pairs, directed)


@given(graphs())
def test_any_graph(graph):
    check(graph)


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name, directed):
    check(shape(name, directed=directed))


def test_larger_graphs_and_blocks(monkeypatch):
    monkeypatch.setattr(home, "_BLOCK", 1000)
    check(random_graph(150, 600))
    check(random_graph(150, 600, directed=True))


def test_labels_and_memory(monkeypatch):
    graph = Graph.from_edges(["a", "b"], ["b", "c"], [1.0, 2.0])
    assert complement(graph).has_edge("a", "c") and complement(graph).weights is None
    monkeypatch.setattr(home, "free_memory", lambda: 10)
    for ask in (complement, line_graph):
        with pytest.raises(MemoryError, match=f"the {ask.__name__} has .* arcs or more"):
            ask(graph)
