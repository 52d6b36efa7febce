"""`codelength` against the map equation written out: an index, and a codebook for each module."""

from __future__ import annotations

from math import log2

import numpy as np
import pytest

from edgewise.communities import codelength
from edgewise.generators import karate_club, random_weights, rmat
from tests.algorithms.communities.partitions import dense, striped
from tests.algorithms.samples import SHAPES, shape

pytestmark = pytest.mark.slow  # many kernels; the doctests are in the first tier


def entropy(rates):
    """Bits of a word of a codebook, by how often each is used, times how often one is."""
    total = sum(rates)
    return -sum(rate * log2(rate / total) for rate in rates if rate > 0)


def words(graph, labels, weights="weight", alpha=0.85):
    """The map equation as its authors first say it: an index and a codebook for each module."""
    matrix = dense(graph, weights)
    if matrix.sum() == 0:
        return 0.0
    out = matrix.sum(1)
    steps = matrix / matrix.sum()
    if graph.directed:
        n = len(matrix)
        follow = np.where(out[:, None] > 0, matrix / np.where(out > 0, out, 1)[:, None], 1 / n)
        walk = alpha * follow + (1 - alpha) / n
        rank = np.linalg.matrix_power(walk.T, 4096) @ np.full(n, 1 / n)
        steps = rank[:, None] * np.where(out[:, None] > 0, follow, 0)
        steps /= steps.sum()
    labels = np.asarray(labels)
    enters, length = [], 0.0
    for module in np.unique(labels):
        inside = labels == module
        enters.append(steps[~inside][:, inside].sum())
        leaves = steps[inside][:, ~inside].sum()
        length += entropy([leaves, *steps.sum(0)[inside]])
    return entropy(enters) + length


@pytest.mark.parametrize("directed", [False, True], ids=["undirected", "directed"])
@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name, directed):
    graph = shape(name, directed=directed)
    labels = striped(graph.num_vertices)
    assert codelength(graph, labels) == pytest.approx(words(graph, labels), abs=1e-9)


@pytest.mark.parametrize("directed", [False, True], ids=["undirected", "directed"])
def test_weights_and_loops(directed):
    graph = random_weights(rmat(6, edge_factor=4, seed=3, directed=directed), seed=4)
    labels = striped(graph.num_vertices)
    assert codelength(graph, labels) == pytest.approx(words(graph, labels), abs=1e-9)
    unit = np.ones(graph.num_arcs)
    wanted = words(graph, labels, unit)
    assert codelength(graph, labels, weights=None) == pytest.approx(wanted, abs=1e-9)
    if directed:
        wanted = words(graph, labels, alpha=0.5)
        assert codelength(graph, labels, alpha=0.5) == pytest.approx(wanted, abs=1e-9)


def test_wrong_calls_say_why():
    with pytest.raises(ValueError, match="one entry per vertex"):
        codelength(karate_club(), [1, 2])
    with pytest.raises(ValueError, match="alpha must be a number from 0 to 1"):
        codelength(karate_club(), np.zeros(34, int), alpha=2)
