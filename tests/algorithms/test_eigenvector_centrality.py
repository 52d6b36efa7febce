"""`eigenvector_centrality`: the eigenvector itself, NetworkX's numbers, and no convergence."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from edgewise import ConvergenceError, eigenvector_centrality, threads
from tests.algorithms.dense import matrix
from tests.algorithms.samples import SHAPES, TEAMS, graphs, random_graph, shape, to_networkx


@given(graphs(directed=False), st.sampled_from(TEAMS))
@settings(max_examples=40)
def test_is_an_eigenvector(graph, team):
    with threads(team):
        found = eigenvector_centrality(graph, tol=1e-12, max_iter=20_000)
    again = matrix(graph).T @ found + found
    np.testing.assert_allclose(again / np.linalg.norm(again), found, atol=1e-9)
    assert (found >= 0).all() and found @ found == pytest.approx(1)


@pytest.mark.parametrize("name", [*SHAPES, "directed cycle"])
def test_shapes_as_networkx(name):
    graph = shape(name.removeprefix("directed "), directed=name.startswith("directed"))
    if graph.num_vertices == 0:
        assert eigenvector_centrality(graph).tolist() == []
        return
    tol = 1e-4 if "path" in name else 1e-8
    known = nx.eigenvector_centrality(to_networkx(graph), tol=tol, max_iter=5000)
    found = eigenvector_centrality(graph, tol=tol * graph.num_vertices, max_iter=5000)
    np.testing.assert_allclose(found, [known[v] for v in range(len(known))], atol=50 * tol)


@pytest.mark.slow
@pytest.mark.parametrize("directed", [False, True])
def test_random_graphs_as_networkx(directed):
    graph = random_graph(500, 5000, directed=directed)
    u, v, _ = graph.edges()
    weights = ((u + v) % 5).astype(float)
    for lengths in (None, weights):
        other = to_networkx(graph, lengths)
        name = None if lengths is None else "weight"
        known = nx.eigenvector_centrality(other, tol=1e-12, max_iter=1000, weight=name)
        found = eigenvector_centrality(graph, tol=1e-12, weights=lengths)
        np.testing.assert_allclose(found, [known[v] for v in range(500)], rtol=0, atol=1e-8)


def test_tol_is_the_total_change_of_a_round():
    """So the default is at least as exact as NetworkX's, whatever the size."""
    for size in (50, 2000):
        graph = random_graph(size, 6 * size)
        exact = eigenvector_centrality(graph, tol=1e-13)
        nodes = nx.eigenvector_centrality(to_networkx(graph), max_iter=1000)
        theirs = abs(np.array([nodes[v] for v in range(size)]) - exact).sum()
        assert abs(eigenvector_centrality(graph) - exact).sum() <= min(theirs, 1e-5)


def test_without_convergence_the_work_is_kept():
    with pytest.raises(ConvergenceError, match="eigenvector_centrality did not conv") as caught:
        eigenvector_centrality(shape("path"), tol=0, max_iter=5)
    best = caught.value.best
    assert best @ best == pytest.approx(1)


def test_without_cycles_the_change_shrinks_too_slowly():
    """As in NetworkX: there is no eigenvector but that of the last vertices, far away."""
    with pytest.raises(ConvergenceError):
        eigenvector_centrality(shape("path", directed=True), tol=1e-8)
