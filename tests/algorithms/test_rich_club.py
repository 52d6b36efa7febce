"""`rich_club_coefficient`: NetworkX's numbers, and random graphs of the same degrees."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise import Graph, rich_club_coefficient, threads
from edgewise.algorithms.structure.rewiring import rewired
from tests.algorithms.samples import SHAPES, TEAMS, graphs, random_graph, shape, to_networkx


def known(graph):
    plain = to_networkx(graph)
    plain.remove_edges_from(list(nx.selfloop_edges(plain)))
    return list(nx.rich_club_coefficient(plain, normalized=False).values())


@given(graphs(directed=False), st.sampled_from(TEAMS))
def test_any_graph(graph, team):
    with threads(team):
        found = rich_club_coefficient(graph, normalized=False)
    np.testing.assert_allclose(found, known(graph), rtol=1e-14)


@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name):
    graph = shape(name)
    np.testing.assert_allclose(rich_club_coefficient(graph, normalized=False), known(graph))
    assert len(rich_club_coefficient(graph)) == len(known(graph))


def test_rewiring_keeps_degrees_and_edges_distinct():
    graph, found = random_graph(400, 3000).without_self_loops(), []
    sources, targets, _ = graph.edges()
    for team in TEAMS:
        with threads(team):
            found.append(np.stack(rewired(graph, sources, targets, 20, seed=3)))
    assert (found[0] == found[1]).all() and (found[0] == found[2]).all()
    u, v = found[0]
    assert (np.bincount(np.r_[u, v], minlength=400) == graph.degrees()).all() and (u != v).all()
    keys = np.minimum(u, v) * 400 + np.maximum(u, v)
    assert len(np.unique(keys)) == len(keys) == graph.num_edges
    assert np.isin(keys, sources.astype(np.int64) * 400 + targets).mean() < 0.35
    other = np.stack(rewired(graph, sources, targets, 20, seed=4))
    assert (other != found[0]).any()


@pytest.mark.slow
def test_all_graphs_of_the_degrees_are_as_likely():
    """Six vertices with a neighbor each: all 15 matchings come up about as often."""
    pairs, count = Graph.from_edges([0, 2, 4], [1, 3, 5]), {}
    for seed in range(600):
        u, v = rewired(pairs, *pairs.edges()[:2], 12, seed=seed)
        one = frozenset(map(frozenset, zip(u.tolist(), v.tolist(), strict=True)))
        count[one] = count.get(one, 0) + 1
    assert len(count) == 15 and min(count.values()) > 15 and max(count.values()) < 80


def test_normalized_beside_networkx():
    """A club of 30 who know each other, in a random crowd: far above 1 in both."""
    u, v = np.triu_indices(30, 1)
    crowd = random_graph(600, 2000, seed=1)
    sources, targets, _ = crowd.edges()
    graph = Graph.from_edges(np.r_[u + 500, sources], np.r_[v + 500, targets]).without_self_loops()
    ours = rich_club_coefficient(graph, seed=2)
    theirs = nx.rich_club_coefficient(to_networkx(graph), Q=5, seed=2)
    at = 28
    assert ours[at] > 2 and abs(ours[at] / theirs[at] - 1) < 0.35
    np.testing.assert_allclose(ours[0], 1)


def test_errors():
    with pytest.raises(ValueError, match="rich_club_coefficient needs an undirected graph"):
        rich_club_coefficient(shape("path", directed=True))
    with pytest.raises(ValueError, match="Q must be at most 10000, got 10001"):
        rich_club_coefficient(shape("path"), Q=10_001)
