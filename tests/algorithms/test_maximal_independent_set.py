"""`maximal_independent_set`: the set of a greedy walk, on any number of threads."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise import Graph, maximal_independent_set, threads
from edgewise.algorithms.independence.maximal_independent_set import in_order
from tests.algorithms.samples import SHAPES, TEAMS, graphs, random_graph, shape


def greedy(graph, seed):
    """Take every vertex, in order, that has no neighbor in the set."""
    taken = np.zeros(graph.num_vertices, bool)
    for v in np.argsort(in_order(graph, graph.row_lengths(), seed)).tolist():
        row = graph.neighbors(v)
        taken[v] = not taken[row[row != v]].any()
    return taken.tolist()


def check_law(graph, members):
    u, v, _ = graph.arcs()
    proper = u != v
    assert not (members[u] & members[v] & proper).any(), "an edge joins two members"
    near = members.copy()
    near[u[members[v]]] = True
    assert near.all(), "a vertex could be added"


@given(graphs(directed=False), st.sampled_from(TEAMS), st.integers(0, 3))
def test_any_graph(graph, team, seed):
    with threads(team):
        found = maximal_independent_set(graph, seed=seed)
    assert found.tolist() == greedy(graph, seed)
    check_law(graph, found)


@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name):
    graph = shape(name)
    for team in TEAMS:
        with threads(team):
            found = maximal_independent_set(graph)
        assert found.dtype == bool and found.tolist() == greedy(graph, 0)


def test_a_skewed_graph_on_all_teams():
    graph, found = random_graph(3000, 20_000), []
    for team in TEAMS:
        with threads(team):
            found.append(maximal_independent_set(graph, seed=5))
    check_law(graph, found[0])
    assert all((one == found[0]).all() for one in found)
    assert found[0].tolist() == greedy(graph, 5)


def test_seeds_give_other_sets():
    graph = Graph.from_edges(np.arange(500), (np.arange(500) + 1) % 500)
    sets = {tuple(maximal_independent_set(graph, seed=seed).tolist()) for seed in range(3)}
    assert len(sets) == 3


def test_directed_graphs_are_turned_away():
    with pytest.raises(ValueError, match="maximal_independent_set needs an undirected graph"):
        maximal_independent_set(shape("path", directed=True))
