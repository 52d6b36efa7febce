"""`explore`: searches beside one another; what each reaches, path counts, sums, refusals."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import edgewise as ew
from edgewise import Graph, generators
from edgewise.base.threads import threads
from edgewise.operators.exploring import beside
from tests.operators import oracles
from tests.operators.engines import explore
from tests.operators.graphs import SMALL, any_graph, random_graph
from tests.tiers import later

EVERY_SMALL = pytest.mark.parametrize("graph", SMALL.values(), ids=SMALL)


def note(v, search, depth, found):
    found[search, v] = depth


def note_paths(v, search, depth, paths, share, counts, shares):
    counts[search, v] = paths
    shares[search, v] = share


def one(v, search, depth, paths, share):
    return depth + paths * share


def far(v, search, depth):
    return depth * 1.5


def along(u, v, edge, search, paths, share):
    return paths * share


def searched(graph, source, mode="out", most=None):
    """Depths (-1 for none), path counts and shares by the book."""
    n, arcs = graph.num_vertices, oracles.walked(graph, mode)
    depth, paths = np.full(n, -1), np.zeros(n)
    depth[source], paths[source], level = 0, 1, 0
    while (depth == level).any() and level != most:
        steps = [(u, v) for u, v, _ in arcs if depth[u] == level and depth[v] in (-1, level + 1)]
        for u, v in steps:
            depth[v] = level + 1
            paths[v] += paths[u]
        level += 1
    share = np.zeros(n)
    for u in sorted(np.flatnonzero(depth >= 0), key=lambda v: -depth[v]):
        share[u] = 1 / paths[u]
        for a, v, _ in arcs:
            if a == u and depth[v] == depth[u] + 1:
                share[u] += share[v]
    return depth, paths, share


@EVERY_SMALL
@pytest.mark.parametrize("mode", ["out", "in", "both"])
def test_depths(graph, mode):
    sources = list(range(graph.num_vertices)) * 2
    found = np.full((len(sources), graph.num_vertices), -1)
    for team in (1, 3):
        found[:] = -1
        with threads(team):
            left = explore(graph, sources, note, found, mode=mode)
        assert left.tolist() == []
        for search, source in enumerate(sources):
            assert found[search].tolist() == searched(graph, source, mode)[0].tolist()


@given(any_graph(), st.integers(0, 3))
@settings(max_examples=40)
def test_not_farther_than(graph, most):
    sources = range(graph.num_vertices)
    found = np.full((graph.num_vertices, graph.num_vertices), -1)
    explore(graph, sources, note, found, max_depth=most)
    for source in sources:
        assert found[source].tolist() == searched(graph, source, most=most)[0].tolist()


@EVERY_SMALL
@pytest.mark.parametrize("mode", ["out", later("in"), later("both")])
def test_paths(graph, mode):
    """Counts up to a factor, shares up to its inverse."""
    n = graph.num_vertices
    for team in (1, 2):
        counts, shares = np.zeros((n, n)), np.zeros((n, n))
        with threads(team):
            explore(graph, range(n), note_paths, (counts, shares), paths=True, mode=mode)
        for source in range(n):
            _, paths, share = searched(graph, source, mode)
            least = counts[source, source]
            np.testing.assert_allclose(counts[source] / least, paths)
            np.testing.assert_allclose(shares[source] * least, share)


@given(any_graph(), st.integers(1, 4))
@settings(max_examples=40)
def test_sums_over_vertices_and_edges(graph, team):
    n, sources = graph.num_vertices, [v for v in range(graph.num_vertices) for _ in range(2)]
    total, lengths, mode = np.ones(n), np.zeros(n), np.zeros(graph.num_arcs)
    with threads(team):
        explore(graph, sources, one, paths=True, sums=total)
        explore(graph, sources, far, sums=lengths)
        explore(graph, sources, along, paths=True, each="edge", sums=mode)
    expected, reached, carried = np.ones(n), np.zeros(n), np.zeros(graph.num_arcs)
    ends = np.repeat(np.arange(n), np.diff(graph.indptr))
    for source in sources:
        depth, paths, share = searched(graph, source)
        expected += np.where(depth >= 0, depth + paths * share, 0)
        reached += 1.5 * np.maximum(depth, 0)
        on = (depth[ends] >= 0) & (depth[graph.indices] == depth[ends] + 1)
        carried += np.where(on, paths[ends] * share[graph.indices], 0)
    np.testing.assert_allclose(total, expected)
    np.testing.assert_allclose(lengths, reached)
    np.testing.assert_allclose(mode, carried)


def test_the_same_bits_however_threads_come():
    graph = random_graph(300, 900, 1)
    sums = []
    for _ in range(5):
        total = np.zeros(300)
        with threads(4):
            explore(graph, range(300), one, paths=True, sums=total)
        sums.append(total.tobytes())
    assert len(set(sums)) == 1


def test_too_many_paths_are_left_out():
    """A chain of 2,100 diamonds has 2**2100 paths from end to end."""
    links = 2100
    corner = np.arange(links) * 3
    sources = np.concatenate([corner, corner, corner + 1, corner + 2])
    targets = np.concatenate([corner + 1, corner + 2, corner + 3, corner + 3])
    graph, middle = Graph.from_edges(sources, targets), links // 2 * 3
    found = np.zeros(graph.num_vertices)
    left = explore(graph, [0, middle, 3 * links], one, paths=True, sums=found)
    assert left.tolist() == [0, 2]
    alone = np.zeros(graph.num_vertices)
    explore(graph, [middle], one, paths=True, sums=alone)
    np.testing.assert_array_equal(found, alone)
    assert ew.betweenness_centrality(graph, sources=[0, middle]).max() < np.inf


def test_refusals():
    graph = SMALL["random"]
    with pytest.raises(ValueError, match="sources"):
        explore(graph, [99999], note, np.zeros((1, graph.num_vertices)))
    with pytest.raises(TypeError, match="visit takes|visit must take"):
        explore(graph, [0], lambda v: None)
    with pytest.raises(TypeError, match="sums must be a float64 array"):
        explore(graph, [0], far, sums=np.zeros(3))
    with pytest.raises(TypeError, match="each=.edge. requires paths=True"):
        explore(graph, [0], along, each="edge")
    with pytest.raises(ValueError, match="each must be"):
        explore(graph, [0], far, each="arc")


def test_where_it_is_chosen():
    small, roads = generators.rmat(10, seed=1), generators.road(400, 400, seed=1)
    hubs = generators.rmat(18, seed=1)
    with threads(2):
        assert beside(small, 1) is (small.num_arcs < 1 << 15) and beside(small, 2)
        assert beside(roads, 2) and not beside(hubs, 8)
