"""Graphs from and to DGL: the same edges, in the same memory."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from edgewise import Graph

torch = pytest.importorskip("torch")
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    dgl = pytest.importorskip("dgl")


def sample(directed, weighted=True):
    rng = np.random.default_rng(2)
    us, vs = rng.integers(0, 30, (2, 90))
    graph = Graph.from_edges(us, vs, rng.random(90) if weighted else None, directed=directed,
                             num_vertices=33)  # fmt: skip
    return graph.with_columns(vertices={"age": np.arange(33)})


def address(array):
    return array.__array_interface__["data"][0]


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
def test_memory_is_shared_both_ways(directed, weighted):
    graph = sample(directed, weighted)
    made = graph.to_dgl()
    assert (made.num_nodes(), made.num_edges()) == (33, graph.num_arcs)
    assert made.adj_tensors("csr")[1].data_ptr() == address(graph.indices)
    assert made.ndata["age"].data_ptr() == address(graph.vertices["age"])
    assert ("weight" in made.edata) == weighted
    again = Graph.from_dgl(made, vertex_columns=True, directed=True if directed else None)
    assert again == graph and again.directed == directed
    assert address(again.indices) == address(graph.indices)
    assert again.vertices["age"].tolist() == list(range(33))
    if weighted:
        assert made.edata["weight"].data_ptr() == address(graph.weights) == address(again.weights)


@pytest.mark.parametrize("directed", [False, True])
def test_columns_of_edges_come_back(directed):
    graph = sample(directed).with_columns(edges={"km": np.arange(sample(directed).num_edges) + 0.5})
    again = Graph.from_dgl(graph.to_dgl(), edge_columns=["km"], directed=directed)
    assert again.edges["km"].tolist() == graph.edges["km"].tolist()
    assert again.with_columns(edges={"km": None}) == graph.with_columns(
        edges={"km": None}, vertices={"age": None}
    )
    with pytest.raises(ValueError, match="edge_columns must name attributes, got 'm'"):
        Graph.from_dgl(graph.to_dgl(), edge_columns="m")


def test_other_layouts_are_copied():
    made = dgl.graph(([2, 0, 1, 1], [1, 1, 2, 0]))  # a list of edges
    made.edata["w"] = torch.tensor([1.0, 2.0, 1.0, 2.0])
    graph = Graph.from_dgl(made, weight="w")
    assert not graph.directed and graph.edges()[2].tolist() == [2, 1]
    assert Graph.from_dgl(made, directed=True).num_edges == 4
    made.edata["w"][0] = 5
    assert Graph.from_dgl(made, weight="w").directed
    rows = dgl.graph(("csr", ([0, 2, 3, 4], [2, 1, 0, 0], [])))  # not ascending
    assert Graph.from_dgl(rows).num_edges == 2
    numbered = dgl.graph(("csr", ([0, 1, 2], [1, 0], [1, 0])))
    numbered.edata["weight"] = torch.tensor([3.0, 4.0])
    assert Graph.from_dgl(numbered).weights.tolist() == [4, 3]
    with pytest.raises(ValueError, match="must hold both directions"):
        Graph.from_dgl(dgl.graph(([0], [1])), directed=False)


def test_what_has_no_place_is_named():
    graph = Graph.from_edges(["a"], ["b"], [1.0])
    graph = graph.with_columns(edges={"day": ["Mon"]}, vertices={"text": ["x", "y"]})
    with pytest.warns(UserWarning, match="no place for labels, column 'day', column 'text'"):
        graph.to_dgl()
    with pytest.raises(TypeError, match="graph must be a dgl.DGLGraph, got Graph"):
        Graph.from_dgl(graph)
    kinds = dgl.heterograph({("a", "b", "a"): ([0], [1]), ("a", "c", "a"): ([0], [1])})
    with pytest.raises(ValueError, match="one type of nodes and one of edges, got 1 and 2"):
        Graph.from_dgl(kinds)
