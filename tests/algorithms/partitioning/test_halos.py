"""Subgraphs with halos, the quotient graph, and vertex separators of two parts."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from edgewise import Graph, partitioning as pt
from edgewise.generators import grid_2d, star
from tests.algorithms.samples import SHAPES, graphs, random_graph, shape


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("halo", [0, 1, 3])
def test_subgraphs(name, halo, directed):
    graph = shape(name, directed=directed)
    n = graph.num_vertices
    parts = np.arange(n) * 2 % 5
    pieces = pt.subgraphs(graph, parts, halo=halo, k=6)
    assert len(pieces) == 6
    matrix = graph.to_scipy().toarray()
    for part, (piece, vertices, num_own) in enumerate(pieces):
        own = np.flatnonzero(parts == part)
        assert vertices[:num_own].tolist() == own.tolist()
        assert len(set(vertices.tolist())) == len(vertices)
        reach = set(own.tolist())
        for _ in range(halo):
            reach |= set(np.flatnonzero((matrix + matrix.T)[sorted(reach)].any(axis=0)).tolist())
        assert set(vertices.tolist()) == reach
        wanted = matrix[np.ix_(vertices, vertices)]
        np.testing.assert_array_equal(piece.to_scipy().toarray().reshape(wanted.shape), wanted)


@pytest.mark.parametrize("layers", [1, 2, 3])
def test_networks_of_as_many_layers_as_steps_are_exact(layers):
    """Means over neighbors, layer after layer, on a part with its halo and on the whole graph."""
    graph = random_graph(60, 150, seed=2)
    features = np.random.default_rng(1).random(60)

    def means(one, values):
        matrix = one.to_scipy().toarray()
        for _ in range(layers):
            values = np.tanh(matrix @ values / np.maximum(matrix.sum(axis=1), 1)) + values
        return values

    wanted = means(graph, features)
    for piece, vertices, num_own in pt.subgraphs(graph, np.arange(60) // 20, halo=layers):
        found = means(piece, features[vertices])
        np.testing.assert_allclose(found[:num_own], wanted[vertices[:num_own]])


def test_batches_of_pytorch_geometric():
    torch = pytest.importorskip("torch")
    pytest.importorskip("torch_geometric")
    graph = random_graph(60, 150, seed=2)
    features, seen = torch.rand(60, 3), []
    for piece in pt.subgraphs(graph, np.arange(60) // 20, halo=2):
        data = piece.graph.to_pyg()
        data.x = features[torch.from_numpy(piece.vertices)]
        data.own = torch.arange(data.num_nodes) < piece.num_own
        seen += piece.vertices[data.own.numpy()].tolist()
        assert data.validate() and data.x.shape == (len(piece.vertices), 3)
    assert seen == list(range(60))


def test_the_halo_has_the_nearest_first():
    piece = pt.subgraphs(grid_2d(1, 9), np.arange(9) // 3, halo=2)[1]
    assert piece.vertices.tolist() == [3, 4, 5, 2, 6, 1, 7]
    with pytest.raises(ValueError, match="halo must be at least 0"):
        pt.subgraphs(grid_2d(1, 9), np.arange(9), halo=-1)


@settings(max_examples=30)
@given(graphs(lengths=st.integers(1, 5)), st.data())
def test_quotient(graph, data):
    n = graph.num_vertices
    parts = np.array(data.draw(st.lists(st.integers(0, 4), min_size=n, max_size=n)), int)
    found = pt.quotient(graph, parts, k=6)
    assert found.num_vertices == 6 and found.directed == graph.directed
    joined = np.eye(6)[parts]
    wanted = joined.T @ graph.to_scipy().toarray() @ joined
    np.fill_diagonal(wanted, 0)
    np.testing.assert_allclose(found.to_scipy().toarray(), wanted)


@settings(max_examples=40)
@given(graphs(most=8), st.data())
def test_separators_are_smallest_covers(graph, data):
    n = graph.num_vertices
    parts = np.array(data.draw(st.lists(st.integers(0, 1), min_size=n, max_size=n)), int)
    found = pt.separator(graph, parts)
    sources, targets, _ = graph.arcs()
    cut = [(u, v) for u, v in zip(sources, targets, strict=True) if parts[u] != parts[v]]
    assert all(found[u] or found[v] for u, v in cut)
    for chosen in combinations(range(n), max(found.sum() - 1, 0)):
        if found.any():
            assert not all(u in chosen or v in chosen for u, v in cut)


def test_separators_of_larger_graphs():
    graph = grid_2d(20, 30)
    assert pt.separator(graph, np.arange(600) % 30 // 15).sum() == 20
    assert pt.separator(star(50), np.arange(51) > 0).tolist() == [True] + [False] * 50
    graph = random_graph(500, 3000, directed=True)
    parts = np.arange(500) % 2
    left = graph.subgraph(~pt.separator(graph, parts))
    kept = parts[~pt.separator(graph, parts)]
    assert pt.edge_cut(left, kept) == 0
    with pytest.raises(ValueError, match="parts must be 0 or 1, got 3 parts"):
        pt.separator(graph, np.arange(500) % 3)
    assert not pt.separator(Graph.from_edges([], [], num_vertices=0), []).any()
