"""`group_betweenness_centrality`: all shortest paths, listed and counted."""

from __future__ import annotations

from itertools import permutations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise import Graph, generators, group_betweenness_centrality, threads
from tests.algorithms.samples import SHAPES, TEAMS, graphs, random_graph, shape, to_networkx


def oracle(graph, group, endpoints=False):
    """The sum over ordered pairs, by lists of paths."""
    other, total = to_networkx(graph), 0.0
    for s, t in permutations(range(graph.num_vertices), 2):
        ends = (s in group) + (t in group)
        if not nx.has_path(other, s, t) or (ends and not endpoints):
            continue
        paths = [*nx.all_shortest_paths(other, s, t)]
        total += sum(not {*group}.isdisjoint(path) for path in paths) / len(paths)
    return total


def check(graph, group):
    n, c = graph.num_vertices, len(group)
    for endpoints in (False, True):
        total = oracle(graph, group, endpoints)
        options = {"endpoints": endpoints}
        found = group_betweenness_centrality(graph, group, normalized=False, **options)
        assert found == pytest.approx(total / (1 if graph.directed else 2))
        known = total / ((n - c) * (n - c - 1)) if n - c > 1 else 0.0
        assert group_betweenness_centrality(graph, group, **options) == pytest.approx(known)


@given(graphs(most=8), st.data(), st.sampled_from(TEAMS))
def test_any_graph(graph, data, team):
    group = data.draw(st.lists(st.integers(0, graph.num_vertices - 1), unique=True, max_size=4))
    with threads(team):
        check(graph, group)


@pytest.mark.parametrize("name", [name for name in SHAPES if "path" not in name])
@pytest.mark.parametrize("directed", [False, True])
def test_shapes(name, directed):
    graph = shape(name, directed=directed)
    check(graph, [*range(0, graph.num_vertices, 3)])


def test_as_networkx():
    graph = generators.karate_club()
    for group in ([0], [0, 33], [2, 5, 31, 33]):
        known = nx.group_betweenness_centrality(to_networkx(graph, None), group)
        assert group_betweenness_centrality(graph, group) == pytest.approx(known)


def test_many_paths_and_batches(monkeypatch):
    at = 3 * np.arange(1100)
    graph = Graph.from_edges(np.r_[at, at, at + 1, at + 2], np.r_[at + 1, at + 2, at + 3, at + 3])
    half = 3 * 550
    found = group_betweenness_centrality(graph, [half + 1], normalized=False)
    between = (half + 1) * (graph.num_vertices - half - 3)  # half of the paths across the square
    assert found == pytest.approx(between / 2, rel=1e-9)
    small = random_graph(300, 900)
    known = group_betweenness_centrality(small, [1, 2, 3])
    home = "edgewise.algorithms.centrality.group_betweenness_centrality._BATCH"
    monkeypatch.setattr(home, 1)
    assert group_betweenness_centrality(small, [1, 2, 3]) == known


def test_estimates():
    graph = random_graph(400, 1600)
    exact = group_betweenness_centrality(graph, [0, 1, 2])
    found = [group_betweenness_centrality(graph, [0, 1, 2], k=200, seed=seed) for seed in (1, 2)]
    assert found == pytest.approx([exact] * 2, rel=0.15) and found[0] != found[1]
    assert group_betweenness_centrality(graph, [0, 1, 2], k=400) == pytest.approx(exact)
    with pytest.raises(ValueError, match="k must be at most"):
        group_betweenness_centrality(graph, [0], k=401)
