"""`constraint` and `effective_size`: Burt's formulas with dense matrices, and NetworkX."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise import Graph, constraint, effective_size, generators, threads
from tests.algorithms.samples import SHAPES, TEAMS, graphs, random_graph, shape, to_networkx

WEIGHTS = st.sampled_from([0.0, 0.5, 1.0, 1.0, 3.0])


def ties_of(graph, weighted):
    n = graph.num_vertices
    u, v, weights = graph.arcs()
    ties = np.zeros((n, n))
    ties[u, v] = weights if weighted and weights is not None else 1.0
    ties += ties.T
    np.fill_diagonal(ties, 0)
    return ties


def by_formula(graph, weighted):
    """The two definitions, one pair at a time."""
    ties = ties_of(graph, weighted)
    n = len(ties)
    p = [[ties[u, v] / ties[u].sum() if ties[u].any() else 0 for v in range(n)] for u in range(n)]
    bound, size = np.full(n, np.nan), np.full(n, np.nan)
    for u in range(n):
        near = np.flatnonzero(ties[u])
        if len(near):
            bound[u] = sum((p[u][v] + sum(p[u][w] * p[w][v] for w in range(n))) ** 2 for v in near)
            size[u] = sum(
                1 - sum(p[u][w] * ties[v, w] / ties[v].max() for w in range(n)) for v in near
            )
    return bound, size


def check(graph, weights):
    bound, size = by_formula(graph, weights is not None)
    np.testing.assert_allclose(constraint(graph, weights=weights), bound, rtol=1e-9)
    np.testing.assert_allclose(effective_size(graph, weights=weights), size, rtol=1e-9, atol=1e-12)


@given(graphs(lengths=WEIGHTS), st.sampled_from(TEAMS), st.sampled_from([None, "weight"]))
def test_any_graph(graph, team, weights):
    with threads(team):
        check(graph, weights)


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("name", ["empty", "one loop", "edge and loops", "star", "clique", "cycle"])
def test_shapes(name, directed):
    assert name in SHAPES
    check(shape(name, directed=directed), None)


@pytest.mark.parametrize("directed", [False, True])
def test_networkx(directed):
    graph = random_graph(80, 500, directed=directed).without_self_loops()
    large = to_networkx(graph)
    np.testing.assert_allclose(constraint(graph), [*nx.constraint(large).values()], rtol=1e-9)
    one_by_one = np.array([*nx.effective_size(large, nodes=[*large]).values()])
    known = ~np.isnan(one_by_one)  # NetworkX knows those with a successor alone
    np.testing.assert_allclose(effective_size(graph)[known], one_by_one[known], rtol=1e-9)
    assert known.sum() > 40


def test_closed_forms_and_errors():
    assert effective_size(generators.star(4)).tolist() == [4, 1, 1, 1, 1]
    assert constraint(generators.star(4)).tolist() == [0.25, 1, 1, 1, 1]
    graph = Graph.from_edges([0, 1], [1, 2], [1e200, 2e200])
    np.testing.assert_allclose(constraint(graph, weights="weight"), [1, 5 / 9, 1])
    for ask in (constraint, effective_size):
        for wrong in (-1.0, np.nan, np.inf):
            with pytest.raises(ValueError, match="weights must"):
                ask(graph, weights=[1.0, wrong])
