"""k-clique percolation: the definition, over all k-cliques, and NetworkX."""

from __future__ import annotations

from itertools import combinations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise import communities, generators
from edgewise.base.threads import threads
from tests.algorithms.samples import SHAPES, graphs, random_graph, shape, to_networkx


def slow(graph, k):
    """The definition: k-cliques that share k - 1 vertices are adjacent."""
    other = to_networkx(graph, weights=None)
    other.remove_edges_from([*nx.selfloop_edges(other)])
    cliques = [
        frozenset(some)
        for some in combinations(other, k)
        if all(other.has_edge(u, v) for u, v in combinations(some, 2))
    ]
    adjacent = nx.Graph()
    adjacent.add_nodes_from(cliques)
    adjacent.add_edges_from(
        pair for pair in combinations(cliques, 2) if len(pair[0] & pair[1]) == k - 1
    )
    return sorted(sorted(frozenset.union(*one)) for one in nx.connected_components(adjacent))


def check(graph, found, wanted):
    lists = [one.tolist() for one in found.lists()]
    assert sorted(lists) == wanted
    assert [one[0] for one in lists] == sorted(one[0] for one in lists)
    assert found.sizes().tolist() == [*map(len, lists)]
    assert [found.row(i).tolist() for i in range(found.num_communities)] == lists
    n = graph.num_vertices
    counts = [sum(v in one for one in lists) for v in range(n)]
    assert found.counts().tolist() == counts and found.num_vertices == n
    sums = np.bincount(found.members, found.shares, n)
    assert np.allclose(sums[found.counts() > 0], 1)
    overlap = found.overlap()
    expected = [
        (v, i) for v in range(n) if counts[v] > 1 for i, one in enumerate(lists) if v in one
    ]
    assert [*zip(overlap.vertices.tolist(), overlap.communities.tolist(), strict=True)] == expected
    assert np.allclose(overlap.shares, [1 / counts[v] for v, _ in expected])


@given(graphs(directed=False, most=9), st.integers(2, 5))
def test_any_graph(graph, k):
    check(graph, communities.k_clique_communities(graph, k=k), slow(graph, k))


@pytest.mark.parametrize("k", [2, 3, 4])
@pytest.mark.parametrize("name", [name for name in SHAPES if "path" not in name])
def test_shapes(name, k):
    check(shape(name), communities.k_clique_communities(shape(name), k=k), slow(shape(name), k))


@pytest.mark.parametrize("k", [2, 3, 4, 5, 6])
def test_networkx(k):
    for graph in (
        generators.planted_partition(5, 30, p_in=0.5, p_out=0.03, seed=k).graph,
        generators.karate_club(),
        random_graph(200, 1500, seed=k).without_self_loops(),
    ):
        known = nx.community.k_clique_communities(to_networkx(graph, weights=None), k)
        found = communities.k_clique_communities(graph, k=k)
        check(graph, found, sorted(map(sorted, known)))


def test_threads_do_not_matter():
    graph = random_graph(300, 3000).without_self_loops()
    found = []
    for team in (1, 3):
        with threads(team):
            found.append(communities.k_clique_communities(graph, k=4))
    for one, other in zip(*found, strict=True):
        assert np.array_equal(one, other)


def test_large_cliques_and_large_k():
    assert communities.k_clique_communities(generators.complete(60), k=50).sizes().tolist() == [60]
    assert communities.k_clique_communities(generators.complete(60), k=61).num_communities == 0
    assert communities.k_clique_communities(generators.empty(0), k=2**80).num_communities == 0


def test_errors():
    graph = generators.path(4)
    with pytest.raises(ValueError, match="k must be at least 2, got 1"):
        communities.k_clique_communities(graph, k=1)
    with pytest.raises(TypeError, match="k must be a whole number"):
        communities.k_clique_communities(graph, k=2.5)
    with pytest.raises(ValueError, match="undirected"):
        communities.k_clique_communities(generators.gnm_random(5, 6, directed=True))
