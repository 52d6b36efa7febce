"""`hits`: the leading singular vectors, NetworkX's numbers, and what if it does not end."""

from __future__ import annotations

import sys

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from edgewise import ConvergenceError, Graph, hits, threads
from tests.algorithms.dense import matrix
from tests.algorithms.samples import SHAPES, TEAMS, graphs, random_graph, shape, to_networkx

MODULE = sys.modules["edgewise.algorithms.ranking.hits"]
SLOW = ("path", "backward path", "diamonds")  # singular values too close to each other


def leading(a: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Where the power iteration from an even start ends: the projection on the leading vectors."""
    values, vectors = np.linalg.eigh(a @ a.T)
    top = vectors[:, values > values[-1] * (1 - 1e-9)]
    hubs = top @ (top.T @ np.ones(len(a)))
    authorities = a.T @ hubs
    return hubs / hubs.sum(), authorities / authorities.sum()


def check(graph: Graph, found, atol: float = 1e-5) -> None:
    a = matrix(graph)
    if not a.any():
        assert not found.hubs.any() and not found.authorities.any()
        return
    hubs, authorities = leading(a)
    np.testing.assert_allclose(found.hubs, hubs, rtol=0, atol=atol)
    np.testing.assert_allclose(found.authorities, authorities, rtol=0, atol=atol)


@given(graphs(), st.sampled_from(TEAMS))
@settings(max_examples=40)
def test_leading_singular_vectors(graph, team):
    """What comes out is multiplied by one number in a round, as far as it has converged."""
    with threads(team):
        try:
            found = hits(graph, max_iter=20_000, tol=1e-10)
        except ConvergenceError as error:
            found = error.best
    a = matrix(graph)
    if not a.any():
        check(graph, found)
        return
    again = a @ (a.T @ found.hubs)
    np.testing.assert_allclose(again / again.sum(), found.hubs, atol=1e-6)
    assert found.hubs.sum() == pytest.approx(1) and found.authorities.sum() == pytest.approx(1)
    largest = np.linalg.norm(a, 2) ** 2
    assert again.sum() == pytest.approx(largest, rel=1e-2)


@pytest.mark.slow
@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("name", [name for name in SHAPES if name not in SLOW])
def test_shapes(name, directed):
    graph = shape(name, directed=directed)
    for team in TEAMS:
        with threads(team):
            check(graph, hits(graph))


@pytest.mark.parametrize("directed", [False, True])
def test_as_networkx(directed):
    graph = random_graph(300, 2000, directed=directed)
    for normalized in (True, False):
        known = nx.hits(to_networkx(graph), tol=0, max_iter=1000, normalized=normalized)
        found = hits(graph, tol=1e-12, normalized=normalized)
        for one, other in zip(found, known, strict=True):
            array = np.array([other[v] for v in range(300)])
            np.testing.assert_allclose(one, array * np.sign(array.sum()), rtol=0, atol=1e-9)


@pytest.mark.slow
def test_weights():
    graph = random_graph(200, 1200, directed=True)
    u, v, _ = graph.arcs()
    weights = (u + v) % 7 + 1.0
    for factor in (1.0, 1e290, 1e-290):
        found = hits(graph, weights=weights * factor, tol=1e-12)
        check(graph.with_weights(weights), found, 1e-9)
    unit = hits(graph.with_weights(weights), weights=None, tol=1e-12)
    check(graph, unit, 1e-9)


@pytest.mark.slow
def test_large_graphs_begin_in_single_precision(monkeypatch):
    graph = random_graph(3000, 20_000, directed=True)
    known = hits(graph, tol=1e-12)
    monkeypatch.setattr(MODULE, "_LARGE", 0)
    for tol in (1e-3, 1e-8, 1e-12):
        found = hits(graph, tol=tol)
        for one, other in zip(found, known, strict=True):
            assert one.dtype == np.float64
            np.testing.assert_allclose(one, other, rtol=0, atol=tol)


def test_without_convergence_the_work_is_kept():
    with pytest.raises(ConvergenceError, match="hits did not converge in 2 iter") as caught:
        hits(random_graph(300, 900), tol=0, max_iter=2)
    assert caught.value.best.hubs.sum() == pytest.approx(1)
    with pytest.raises(ValueError, match=r"weights must not be negative .* on edge 0"):
        hits(shape("star"), weights=[-1.0] * 39)
