"""Girvan-Newman: the divisions of the definition, by exact betweenness."""

from __future__ import annotations

from fractions import Fraction

import networkx as nx
import numpy as np
import pytest
from hypothesis import given

from edgewise import Graph, communities, generators
from edgewise.algorithms.communities import dividing
from edgewise.base.threads import threads
from tests.algorithms.samples import SHAPES, graphs, random_graph, shape, to_networkx


def betweenness(other):
    """The exact betweenness of each edge, by listing all shortest paths."""
    score = dict.fromkeys(map(frozenset, other.edges), Fraction(0))
    for part in nx.connected_components(other):
        for s in part:
            for t in part:
                if s < t:
                    paths = [*nx.all_shortest_paths(other, s, t)]
                    for path in paths:
                        for pair in zip(path, path[1:], strict=False):
                            score[frozenset(pair)] += Fraction(1, len(paths))
    return score


def slow(graph):
    """The partitions of the definition, the coarsest first: of equal edges, the first goes."""
    other = to_networkx(graph, weights=None)
    other.remove_edges_from([*nx.selfloop_edges(other)])
    found = [labels(other)]
    while other.number_of_edges():
        score = betweenness(other)
        most = max(score.values())
        other.remove_edge(*min(sorted(one) for one in score if score[one] == most))
        if labels(other) != found[-1]:
            found.append(labels(other))
    return found


def labels(other):
    found = dict.fromkeys(other)
    for part in nx.connected_components(other):
        found |= dict.fromkeys(part, min(part))
    return [found[v] for v in sorted(other)]


def check(graph):
    found = communities.girvan_newman(graph)
    wanted, tree = slow(graph), found.dendrogram
    assert len(tree.merges) == len(wanted) - 1
    for level, quality in zip(wanted, tree.quality[::-1], strict=True):
        assert tree.cut(len(set(level))).tolist() == level
        assert quality == pytest.approx(communities.modularity(graph, level, weights=None))
    assert found.modularity == pytest.approx(tree.quality.max())


@given(graphs(directed=False, most=9))
def test_any_graph(graph):
    check(graph)


@pytest.mark.parametrize("name", [name for name in SHAPES if "path" not in name])
def test_shapes(name):
    check(shape(name))


def test_karate_club():
    check(generators.karate_club())


@pytest.mark.parametrize("seed", range(3))
def test_on_all_threads_as_on_one(seed, monkeypatch):
    graph = random_graph(60, 120, seed=seed)
    alone = communities.girvan_newman(graph).dendrogram
    monkeypatch.setattr(dividing, "_LARGE", 50)
    monkeypatch.setattr(dividing, "_STEPS", 500)
    for team in (1, 3):
        with threads(team):
            found = communities.girvan_newman(graph).dendrogram
        for ours, theirs in zip(found, alone, strict=True):
            assert np.allclose(ours, theirs)


def test_limit():
    graph = generators.karate_club()
    every = communities.girvan_newman(graph).dendrogram
    few = communities.girvan_newman(graph, max_communities=4).dendrogram
    assert few.num_leaves == 4 and len(few.merges) == 3
    for k in range(1, 5):
        assert few.cut(k).tolist() == every.cut(k).tolist()
    with pytest.raises(ValueError, match="k must lie in 1 to 4"):
        few.cut(5)
    assert communities.girvan_newman(graph, max_communities=1).num_communities == 1
    apart = Graph.from_edges([0, 2], [1, 3])
    assert communities.girvan_newman(apart, max_communities=1).tolist() == [0, 0, 2, 2]


def test_more_paths_than_floats_count():
    """A chain of 1,200 diamonds has 2**1200 shortest paths from end to end."""
    i = 3 * np.arange(1200)
    ends = [(i, i + 1), (i, i + 2), (i + 1, i + 3), (i + 2, i + 3)]
    graph = Graph.from_edges(*(np.concatenate(side) for side in zip(*ends, strict=True)))
    found = communities.girvan_newman(graph, max_communities=2)
    assert sorted(found.dendrogram.cut(2).sizes().tolist()) == [1800, 1801]


def test_errors():
    with pytest.raises(ValueError, match="undirected"):
        communities.girvan_newman(generators.gnm_random(5, 6, directed=True))
    with pytest.raises(ValueError, match="max_communities must be at least 1, got 0"):
        communities.girvan_newman(generators.path(3), max_communities=0)
    with pytest.raises(TypeError, match="max_communities"):
        communities.girvan_newman(generators.path(3), max_communities=1.5)
