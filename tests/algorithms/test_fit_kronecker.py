"""Fitting a Kronecker model: expectations by enumeration, and initiators that come back."""

from __future__ import annotations

from itertools import combinations, permutations

import numpy as np
import pytest

from edgewise import Graph, fit_kronecker, generators
from edgewise.algorithms.structure.fit_kronecker import _expected
from tests.algorithms.samples import SHAPES, random_graph, shape, to_networkx


def by_enumeration(matrix, power):
    """Sums of the probabilities of all edges, wedges, triangles and tripins."""
    p = np.ones((1, 1))
    for _ in range(power):
        p = np.kron(p, matrix)
    n = len(p)
    edges = sum(p[u, v] for u, v in combinations(range(n), 2))
    wedges = sum(p[u, v] * p[u, w] for u, v, w in permutations(range(n), 3)) / 2
    triangles = sum(p[u, v] * p[v, w] * p[u, w] for u, v, w in combinations(range(n), 3))
    tripins = sum(p[u, v] * p[u, w] * p[u, x] for u, v, w, x in permutations(range(n), 4)) / 6
    return [edges, wedges, triangles, tripins]


@pytest.mark.parametrize("power", [1, 2, 3])
def test_expectations(power):
    for a, b, c in ((0.9, 0.5, 0.2), (1.0, 1.0, 1.0), (0.3, 0.0, 0.7), (0.0, 0.8, 0.0)):
        found = _expected(np.array([a, b, c]), power)
        assert found == pytest.approx(by_enumeration([[a, b], [b, c]], power))


def count(graph):
    """The four numbers by sets of vertices."""
    other = to_networkx(graph, weights=None)
    other.remove_edges_from([(v, v) for v in [*other] if other.has_edge(v, v)])
    degrees = [d for _, d in other.degree]
    triangles = sum(
        other.has_edge(u, v) for w in other for u, v in combinations(other[w], 2)
    ) / 3  # fmt: skip
    wedges, tripins = (sum(len([*combinations(range(d), k)]) for d in degrees) for k in (2, 3))
    return [other.number_of_edges(), wedges, triangles, tripins]


@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name):
    graph = shape(name)
    fit = fit_kronecker(graph)
    assert fit.observed.tolist() == count(graph)
    assert 2**fit.power >= graph.num_vertices and fit.power >= 1
    (a, b), (again, c) = fit.initiator
    assert b == again and 1 >= a >= c >= 0 and 1 >= b >= 0
    assert fit.expected == pytest.approx(_expected(np.array([a, b, c]), fit.power))


@pytest.mark.parametrize("initiator", [(0.95, 0.45, 0.25), (0.7, 0.6, 0.3), (0.99, 0.54, 0.14)])
def test_initiators_come_back(initiator):
    a, b, c = initiator
    graph = generators.stochastic_kronecker([[a, b], [b, c]], 15, seed=3)
    fit = fit_kronecker(graph)
    assert fit.power == 15
    assert fit.initiator.ravel() == pytest.approx([a, b, b, c], abs=0.06)
    assert fit.expected == pytest.approx(fit.observed, rel=0.2)


def test_ids_do_not_matter():
    graph = random_graph(300, 1200, seed=2)
    shuffled = graph.permute(np.random.default_rng(1).permutation(graph.num_vertices))
    assert np.array_equal(fit_kronecker(graph).initiator, fit_kronecker(shuffled).initiator)


def test_errors():
    with pytest.raises(ValueError, match="undirected"):
        fit_kronecker(Graph.from_edges([0, 1], [1, 2], directed=True))
