"""`dominating_set`: everybody is dominated, by few enough."""

from __future__ import annotations

from itertools import combinations
from math import log

import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise import dominating_set, threads
from edgewise.generators import rmat
from tests.algorithms.samples import SHAPES, TEAMS, graphs, random_graph, shape


def dominated(graph, members):
    u, v, _ = graph.arcs()
    near = members.copy()
    near[u[members[v]]] = True
    return near


def fewest(graph):
    """The size of the smallest one, by trying all sets."""
    n = graph.num_vertices
    closed = [1 << v | sum(1 << int(w) for w in graph.neighbors(v) if w != v) for v in range(n)]
    for size in range(n + 1):
        for some in combinations(range(n), size):
            if np.bitwise_or.reduce([0, *(closed[v] for v in some)]) == (1 << n) - 1:
                return size
    raise AssertionError


def greedy(graph):
    """The size of the set of the greedy choice, one vertex at a time."""
    n = graph.num_vertices
    closed = [{v, *graph.neighbors(v).tolist()} for v in range(n)]
    free, size = set(range(n)), 0
    while free:
        free -= max(closed, key=lambda some: len(some & free))
        size += 1
    return size


@pytest.mark.slow
@given(graphs(directed=False, most=9), st.sampled_from(TEAMS), st.integers(0, 2))
def test_any_graph(graph, team, seed):
    with threads(team):
        found = dominating_set(graph, seed=seed)
    assert dominated(graph, found).all()
    degree = max(len(set(graph.neighbors(v).tolist()) - {v}) for v in range(graph.num_vertices))
    assert found.sum() <= 1.25 * (1 + log(degree + 1)) * fewest(graph)


@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name):
    graph, found = shape(name), []
    for team in TEAMS:
        with threads(team):
            found.append(dominating_set(graph))
    assert found[0].dtype == bool and dominated(graph, found[0]).all()
    assert all((one == found[0]).all() for one in found)
    assert found[0].sum() <= 1.3 * greedy(graph) + 1


@pytest.mark.parametrize(
    "graph", [random_graph(800, 4000), rmat(9, seed=1)], ids=["skewed", "rmat"]
)
def test_nearly_as_few_as_one_at_a_time(graph):
    found = [dominating_set(graph, seed=seed) for seed in range(2)]
    for one in found:
        assert dominated(graph, one).all() and one.sum() <= 1.1 * greedy(graph)
    with threads(3):
        assert (dominating_set(graph) == found[0]).all()


def test_stars_are_dominated_by_their_centres():
    assert np.flatnonzero(dominating_set(shape("star"))).tolist() == [0]


def test_directed_graphs_are_turned_away():
    with pytest.raises(ValueError, match="dominating_set needs an undirected graph"):
        dominating_set(shape("path", directed=True))
