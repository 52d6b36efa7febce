"""`spectral_embedding`: eigenvectors by definition, and scikit-learn's coordinates."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from edgewise import Graph, generators, laplacian_matrix, spectral_embedding
from tests.algorithms.samples import SHAPES, graphs, shape


def check(graph, dim, tol=1e-7, **options):
    """Columns are eigenvectors of the smallest eigenvalues but one, orthogonal by the degrees."""
    n, plain = graph.num_vertices, graph.without_self_loops()
    matrix = laplacian_matrix(plain).toarray().astype(float) / max(_largest(plain), 1e-300)
    for normalized in (True, False):
        found = spectral_embedding(graph, dim=dim, normalized=normalized, **options)
        assert found.shape == (n, dim)
        count = min(dim, max(n - 1, 0))
        assert (found[:, count:] == 0).all()
        if count == 0:
            continue
        degrees = matrix.diagonal()
        mass = np.where(degrees > 0, degrees, 1.0) if normalized else np.ones(n)
        root = 1 / np.sqrt(mass)
        values = np.linalg.eigvalsh(root[:, None] * matrix * root)[1 : count + 1]
        vectors = found[:, :count]
        inner = vectors.T @ (mass[:, None] * vectors)
        np.testing.assert_allclose(inner, np.eye(count), atol=tol)
        np.testing.assert_allclose(mass @ vectors, 0, atol=1e-6 * np.sqrt(mass.sum()))
        right = mass[:, None] * vectors * values
        np.testing.assert_allclose(matrix @ vectors, right, atol=100 * tol)


def _largest(graph):
    weights = graph.edges()[2]
    return 1.0 if weights is None or len(weights) == 0 else float(np.max(weights))


@settings(max_examples=60)
@given(graphs(directed=False), st.integers(1, 3))
def test_any_graph(graph, dim):
    check(graph, dim)


@settings(max_examples=60)
@given(graphs(directed=False, lengths=st.sampled_from([0.0, 0.5, 1.0, 2.0])))
def test_weights(graph):
    check(graph, 2)


@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name):
    check(shape(name), 3)


def test_larger_graph():
    check(generators.grid_2d(40, 17), 3, tol=1e-5)


def test_as_scikit_learn():
    manifold = pytest.importorskip("sklearn.manifold")
    graph = generators.karate_club()
    for normalized in (True, False):
        known = manifold.spectral_embedding(
            graph.to_scipy().astype(float), n_components=3, norm_laplacian=normalized
        )
        found = spectral_embedding(graph, dim=3, normalized=normalized, weights=None)
        np.testing.assert_allclose(abs(found), abs(known), atol=1e-6)


def test_errors():
    with pytest.raises(ValueError, match="dim"):
        spectral_embedding(shape("cycle"), dim=0)
    with pytest.raises(ValueError, match="dim must be at most"):
        spectral_embedding(shape("cycle"), dim=10)
    with pytest.raises(ValueError, match="undirected"):
        spectral_embedding(Graph.from_edges([0], [1], directed=True))
