"""`katz_centrality`: its linear equations, NetworkX's numbers, and numbers that grow for ever."""

from __future__ import annotations

import pickle

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from edgewise import ConvergenceError, katz_centrality, threads
from tests.algorithms.dense import matrix
from tests.algorithms.samples import SHAPES, TEAMS, graphs, random_graph, shape, to_networkx


@given(graphs(), st.sampled_from(TEAMS))
@settings(max_examples=40)
def test_solves_its_equations(graph, team):
    a = matrix(graph)
    alpha = 0.5 / max(1.0, a.sum(axis=0).max())
    with threads(team):
        found = katz_centrality(graph, alpha=alpha, tol=1e-13, normalized=False)
    known = np.linalg.solve(np.eye(len(a)) - alpha * a.T, np.ones(len(a)))
    np.testing.assert_allclose(found, known, rtol=1e-9)


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("name", [name for name in SHAPES if name != "empty"])
def test_shapes_as_networkx(name, directed):
    graph = shape(name, directed=directed)
    known = nx.katz_centrality(to_networkx(graph), alpha=0.05, tol=1e-10)
    found = katz_centrality(graph, alpha=0.05, tol=1e-10)
    np.testing.assert_allclose(found, [known[v] for v in range(len(known))], rtol=1e-7)


@pytest.mark.slow
def test_weights_and_beta():
    graph = random_graph(200, 900, directed=True)
    u, v, _ = graph.arcs()
    weights, beta = ((u + v) % 5).astype(float), np.arange(200) % 3 + 0.5
    other = to_networkx(graph, weights)
    known = nx.katz_centrality(other, 0.002, dict(enumerate(beta)), tol=1e-12, weight="weight")
    for given_as in (beta, dict(enumerate(beta.tolist()))):
        found = katz_centrality(graph, alpha=0.002, beta=given_as, weights=weights, tol=1e-12)
        np.testing.assert_allclose(found, [known[v] for v in range(200)], rtol=1e-8)


def test_no_alpha_always_converges():
    for graph in (random_graph(3000, 20_000), shape("clique"), shape("empty"), shape("one vertex")):
        found = katz_centrality(graph)
        assert (found > 0).all() and (found @ found == pytest.approx(1) or not len(found))


@pytest.mark.parametrize("alpha", [0.02, 0.0515])
def test_tol_is_the_total_change_of_a_round(alpha):
    """So the default is at least as exact as NetworkX's, also near the greatest alpha."""
    graph = random_graph(400, 2000)
    exact = katz_centrality(graph, alpha=alpha, tol=1e-12, max_iter=10_000)
    nodes = nx.katz_centrality(to_networkx(graph), alpha=alpha)
    theirs = abs(np.array([nodes[v] for v in range(400)]) - exact).sum()
    assert abs(katz_centrality(graph, alpha=alpha) - exact).sum() <= min(theirs + 1e-9, 1e-4)


def test_growing_without_end():
    with pytest.raises(ConvergenceError, match="katz_centrality did not converge") as caught:
        katz_centrality(random_graph(300, 5000), alpha=0.9)
    assert caught.value.iterations < 1000, "it is seen before"
    with pytest.raises(ConvergenceError, match="alpha must be below 1 / lambda_max") as caught:
        katz_centrality(shape("star"), alpha=0.5)  # of 39 rays: two eigenvalues of one size
    said = float(str(caught.value).split("about ")[1].split(",")[0])
    assert said == pytest.approx(39**-0.5, rel=0.01)
    with pytest.raises(ConvergenceError, match="raise max_iter or tol"):
        katz_centrality(shape("star"), alpha=0.159, max_iter=20)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
    with pytest.raises(ValueError, match="beta must be non-negative"):
        katz_centrality(shape("star"), beta=[-1.0] * 40)
