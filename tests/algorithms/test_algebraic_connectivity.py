"""Algebraic connectivity and Fiedler vectors: dense eigenvalues, and eigenvectors by definition."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from edgewise import (
    ConvergenceError,
    Graph,
    algebraic_connectivity,
    fiedler_vector,
    generators,
    laplacian_matrix,
    normalized_laplacian_matrix,
)
from tests.algorithms.samples import SHAPES, graphs, shape, to_networkx

MATRICES = {False: laplacian_matrix, True: normalized_laplacian_matrix}


def check(graph, tol=1e-9, **options):
    plain = graph.without_self_loops()
    n = graph.num_vertices
    for normalized, matrix in MATRICES.items():
        value = algebraic_connectivity(graph, normalized=normalized, **options)
        vector = fiedler_vector(graph, normalized=normalized, **options)
        if n < 2:
            assert value == 0.0 and vector.tolist() == [0.0] * n
            continue
        dense = matrix(plain).toarray().astype(float)
        degrees = laplacian_matrix(plain).toarray().diagonal().astype(float)
        first = np.sqrt(np.where(degrees > 0, degrees, 1.0)) if normalized else np.ones(n)
        known = np.sort(np.linalg.eigvalsh(dense))[1]
        assert value == pytest.approx(known, rel=1e-6, abs=tol)
        assert np.linalg.norm(vector) == pytest.approx(1.0)
        if value > tol or not normalized:  # elsewhere there are several first vectors
            assert abs(vector @ first) <= 1e-6 * np.linalg.norm(first)
        assert np.linalg.norm(dense @ vector - value * vector) <= max(1e-4 * value, tol)


@settings(max_examples=60)
@given(graphs(directed=False))
def test_any_graph(graph):
    check(graph)


@settings(max_examples=60)
@given(graphs(directed=False, lengths=st.sampled_from([0.0, 0.5, 1.0, 3.0])))
def test_weights(graph):
    check(graph)


@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name):
    check(shape(name))


@pytest.mark.parametrize("graph", [
    generators.grid_2d(30, 25), generators.barabasi_albert(800, 3, seed=1),
    generators.watts_strogatz(700, 6, p=0.2),
], ids=["grid", "hubs", "small world"])  # fmt: skip
def test_larger_graphs(graph):
    check(graph, tol=1e-8)


def test_as_networkx():
    other = nx.karate_club_graph()
    graph = Graph.from_networkx(other)
    for normalized in (False, True):
        known = nx.algebraic_connectivity(other, normalized=normalized)
        assert algebraic_connectivity(graph, normalized=normalized) == pytest.approx(known)
    known = nx.algebraic_connectivity(to_networkx(graph, None), weight=None)
    assert algebraic_connectivity(graph, weights=None) == pytest.approx(known)


def test_disconnected_graphs():
    graph = shape("disconnected")  # a triangle, an edge and two vertices
    vector = fiedler_vector(graph)
    assert (vector[:3] > 0).all() and (vector[3:] < 0).all()
    assert algebraic_connectivity(graph) == 0.0


def test_errors():
    graph = generators.grid_2d(60, 60)
    for ask in (algebraic_connectivity, fiedler_vector):
        with pytest.raises(ConvergenceError) as caught:
            ask(graph, max_iter=1)
        assert caught.value.best.shape == (3600,)
        with pytest.raises(ValueError, match="undirected"):
            ask(shape("path", directed=True))
        with pytest.raises(ValueError, match="tol"):
            ask(graph, tol=0)
