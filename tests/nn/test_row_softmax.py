"""Softmax and attention of NumPy arrays beside dense ones; gradients beside differences."""

from __future__ import annotations

import numpy as np
import pytest

import edgewise as ew
from edgewise import generators
from edgewise.linalg import sddmm, spmm
from edgewise.nn.head_products import head_products, head_sums
from edgewise.nn.row_softmax import attend, attend_gradients, softmax, softmax_gradient


def sample(n=9, entries=30):
    rng = np.random.default_rng(3)
    sources, targets = rng.integers(0, n, (2, entries))
    graph = ew.Graph.from_edges(sources, targets, directed=True, num_vertices=n + 2)
    adjacency = ew.nn.Adjacency(graph)
    assert min(np.diff(adjacency.matrix.indptr)) == 0  # empty rows, too
    return adjacency, rng


def dense_softmax(matrix, scores):
    """The rows one by one."""
    found = np.empty_like(scores)
    for low, high in zip(matrix.indptr[:-1], matrix.indptr[1:], strict=True):
        grown = np.exp(scores[low:high])
        found[low:high] = grown / grown.sum(0)
    return found


def differences(function, given, gradients, step=1e-6):
    """The gradient of the scalar product of a function's results with some numbers."""

    def product():
        return sum((a * b).sum() for a, b in zip(function(), gradients, strict=True))

    found = np.zeros_like(given)
    for place in np.ndindex(given.shape):
        known = given[place]
        given[place] = known + step
        above = product()
        given[place] = known - step
        found[place] = (above - product()) / (2 * step)
        given[place] = known
    return found


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_softmax_of_rows(dtype):
    adjacency, rng = sample()
    scores = rng.normal(size=(adjacency.num_entries, 3)).astype(dtype)
    found = ew.nn.edge_softmax(adjacency, scores)
    assert found.dtype == dtype
    assert np.allclose(found, dense_softmax(adjacency.matrix, scores), atol=1e-6)
    assert np.allclose(ew.nn.edge_softmax(adjacency, scores[:, 1]), found[:, 1])
    large = ew.nn.edge_softmax(adjacency, scores * 0 + dtype(1e30))
    assert np.isfinite(large).all()


def test_attention_is_that_of_dense_matrices():
    adjacency, rng = sample()
    n, rows, columns = adjacency.num_vertices, *entries(adjacency)
    x, left, right = (rng.normal(size=shape) for shape in ((n, 2, 5), (n, 2), (n, 2)))
    found = ew.nn.attention(adjacency, x, left, right, negative_slope=0.3)
    scores = left[rows] + right[columns]
    weights = dense_softmax(adjacency.matrix, np.where(scores > 0, scores, 0.3 * scores))
    sums = np.zeros((n, 2, 5))
    np.add.at(sums, rows, weights[:, :, None] * x[columns])
    assert np.allclose(found.weights, weights) and np.allclose(found.features, sums)


def entries(adjacency):
    matrix = adjacency.matrix
    return np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr)), matrix.indices


def test_gradients_are_those_of_differences():
    adjacency, rng = sample(5, 12)
    n, matrix = adjacency.num_vertices, adjacency.matrix
    scores, g = rng.normal(size=(2, adjacency.num_entries, 2))
    expected = differences(lambda: (softmax(matrix, scores),), scores, (g,))
    assert np.allclose(softmax_gradient(matrix, softmax(matrix, scores), g), expected, atol=1e-7)
    inputs = tuple(rng.normal(size=shape) for shape in ((n, 2, 3), (n, 2), (n, 2)))
    ours = rng.normal(size=(n, 2, 3))
    for given in ((ours, g), (ours, None), (None, g)):
        weights = attend(matrix, *inputs, 0.2)[1]
        found = attend_gradients(matrix, adjacency.flipped, inputs, 0.2, weights, given)
        filled = [one if one is not None else 0 * two
                  for one, two in zip(given, (ours, g), strict=True)]  # fmt: skip
        for one, gradient in zip(inputs, found, strict=True):
            expected = differences(lambda: attend(matrix, *inputs, 0.2), one, filled)
            assert np.allclose(gradient, expected, atol=1e-7)


@pytest.mark.parametrize("shape", [(1, 4), (3, 5), (2, 0), (0, 3)])
def test_products_of_all_heads_are_those_of_each(shape):
    adjacency, rng = sample()
    matrix, heads = adjacency.matrix, range(shape[0])
    x, y = rng.normal(size=(2, adjacency.num_vertices, *shape))
    values = rng.normal(size=(matrix.nnz, shape[0]))
    sums, products = head_sums(matrix, values, x), head_products(matrix, x, y)
    assert sums.shape == x.shape and products.shape == values.shape
    for h in heads:
        assert np.allclose(sums[:, h], spmm(matrix.with_values(values[:, h]), x[:, h]))
        assert np.allclose(products[:, h], sddmm(matrix, x[:, h], y[:, h]).values)


def test_nothing_to_do():
    for graph in (ew.Graph.from_edges([], [], num_vertices=3), generators.path(4)):
        adjacency = ew.nn.Adjacency(graph)
        n, e = graph.num_vertices, adjacency.num_entries
        assert ew.nn.edge_softmax(adjacency, np.zeros((e, 0))).shape == (e, 0)
        found = ew.nn.attention(adjacency, np.ones((n, 2, 0)), np.ones((n, 2)), np.ones((n, 2)))
        assert found.features.shape == (n, 2, 0) and found.weights.shape == (e, 2)
        found = ew.nn.attention(adjacency, np.ones((n, 1, 1)), np.ones((n, 1)), np.ones((n, 1)))
        assert np.allclose(found.features[:, 0, 0], np.diff(adjacency.matrix.indptr) > 0)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda a, x: ew.nn.edge_softmax(a, x), ValueError, "scores must have one row per entry"),
        (lambda a, x: ew.nn.edge_softmax(a, [1.0]), TypeError, "scores must be a PyTorch"),
        (lambda a, x: ew.nn.edge_softmax(a, np.arange(4)), TypeError, "scores must be of float32"),
        (lambda a, x: ew.nn.attention(a, x, x, x), ValueError, "features must have 3 dimensions"),
        (lambda a, x: ew.nn.attention(a, x[:, :, None], x, x[:, :1]), ValueError,
         "right must have one column per head"),
        (lambda a, x: ew.nn.attention(a, x[:, :, None], x.astype("f4"), x), ValueError,
         "left must be of the type of features"),
        (lambda a, x: ew.nn.attention(a, x[:, :, None], x, x, dropout=abs), TypeError,
         "dropout needs features that are"),
    ],
)  # fmt: skip
def test_bad_arguments_are_named(call, error, message):
    with pytest.raises(error, match=message):
        call(ew.nn.Adjacency(generators.path(3)), np.ones((3, 2)))
