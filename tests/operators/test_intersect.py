"""`intersect`: common neighbors of all edges, of chosen edges, and of any pairs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from edgewise.base import atomic
from edgewise.base.threads import threads
from edgewise.operators import frontier
from tests.operators import oracles
from tests.operators.engines import intersect
from tests.operators.graphs import SMALL, any_graph, random_graph, star, weighted

EVERY_SMALL = pytest.mark.parametrize("graph", SMALL.values(), ids=SMALL)


def note(u, v, common, seen):
    atomic.add(seen, common, u + 1)
    atomic.add(seen, v, 1)


def check(graph, pairs, listed):
    """Counts, lists and calls for the given argument, whose pairs are ``listed``."""
    expected = oracles.intersect(graph, listed)
    sizes = [len(row) for row in expected]
    found = intersect(graph, pairs)
    assert found.counts.tolist() == sizes and found.total == sum(sizes)
    assert found.indptr is None and found.members is None
    total = intersect(graph, pairs, each=False)
    assert total.counts is None and total.total == sum(sizes)
    both = intersect(graph, pairs, lists=True)
    assert both.counts.tolist() == sizes
    assert both.indptr.tolist() == np.cumsum([0, *sizes]).tolist()
    assert both.members.tolist() == sum(expected, [])
    seen, wanted = graph.full(0), graph.full(0)
    called = intersect(graph, pairs, note, seen)
    for (u, v), row in zip(listed, expected, strict=True):
        for w in row:
            wanted[w] += u + 1
            wanted[v] += 1
    assert called.total == sum(sizes)
    np.testing.assert_array_equal(seen, wanted)


def ends(graph):
    return [(u, v) for u, v, _ in oracles.walked(graph)]


@EVERY_SMALL
def test_both_ends_of_every_edge(graph):
    check(graph, None, ends(graph))


@EVERY_SMALL
def test_the_edges_of_a_frontier_in_the_order_of_their_ids(graph):
    ids = np.arange(0, graph.num_arcs, 3)
    chosen = ends(graph)
    check(graph, frontier(graph, edges=ids[::-1]), [chosen[e] for e in ids])


@pytest.mark.parametrize("name", ["random", "random, directed", "clique with loops", "star"])
def test_pairs_in_the_order_given(name):
    graph = SMALL[name]
    draw = np.random.default_rng(3)
    us, vs = draw.integers(0, graph.num_vertices, (2, 300))
    us[100:200] = us[100]  # a run with one first vertex, whose list is marked
    check(graph, (us, vs), list(zip(us.tolist(), vs.tolist(), strict=True)))
    check(
        graph, (us.tolist(), vs.astype(np.uint8)), list(zip(us.tolist(), vs.tolist(), strict=True))
    )


def test_long_and_short_lists():
    """A hub beside short lists: searched, not walked."""
    leaves = np.arange(2, 2002)
    graph = weighted(
        np.concatenate([np.zeros(2000), leaves[:40], [1]]),
        np.concatenate([leaves, np.ones(40), [0]]),
    )
    check(graph, ([0, 1, 5, 0, 1], [1, 0, 0, 5, 1]), [(0, 1), (1, 0), (5, 0), (0, 5), (1, 1)])


@pytest.mark.parametrize("team", [1, 2, 3])
def test_teams_of_any_size_agree(team):
    graph = random_graph(700, 8000, 4)
    with threads(team):
        check(graph, None, ends(graph))
        check(star(3000), None, ends(star(3000)))


@EVERY_SMALL
def test_ordered_finds_every_triangle_once(graph):
    """u > v > common over the edges u -> v: counts at the edges that are in order."""
    lists = [set(graph.neighbors(v).tolist()) for v in range(graph.num_vertices)]
    expected = [
        sorted(w for w in lists[u] & lists[v] if w < v) if v < u else [] for u, v in ends(graph)
    ]
    found = intersect(graph, ordered=True, lists=True)
    assert found.counts.tolist() == [len(row) for row in expected]
    assert found.members.tolist() == sum(expected, [])
    assert intersect(graph, ordered=True, each=False).total == sum(map(len, expected))


@settings(max_examples=40)
@given(graph=any_graph(), data=st.data())
def test_random_graphs(graph, data):
    vertex = st.integers(0, graph.num_vertices - 1)
    pairs = data.draw(st.lists(st.tuples(vertex, vertex), max_size=30))
    check(graph, ([u for u, _ in pairs], [v for _, v in pairs]), pairs)
    check(graph, None, ends(graph))


def test_one_pair_of_numbers():
    graph = SMALL["clique with loops"]
    assert intersect(graph, (2, 3)).counts.tolist() == [9]


class TestErrors:
    graph = SMALL["path"]

    def fails(self, error, pattern, pairs, **options):
        with pytest.raises(error, match=pattern):
            intersect(self.graph, pairs, **options)

    def test_pairs(self):
        self.fails(TypeError, "pairs must be two arrays of vertex ids", 3)
        self.fails(TypeError, "pairs must be two arrays of vertex ids", ([0.5], [1]))
        self.fails(TypeError, "pairs must be two arrays of vertex ids", ([0], [1], [2]))
        self.fails(ValueError, "pairs must be two arrays of one length, got 2 and 1", ([0, 1], [1]))
        self.fails(ValueError, "pairs must hold ids from 0 to 8, got 9", ([0], [9]))
        self.fails(ValueError, "pairs must hold ids from 0 to 8, got -1", ([-1], [0]))
        self.fails(ValueError, "frontier of this graph's edges", frontier(self.graph, 0))
        other = frontier(SMALL["star"], edges=0)
        self.fails(ValueError, "frontier of this graph's edges", other)

    def test_ordered(self):
        self.fails(TypeError, "ordered belongs to all edges", ([0], [1]), ordered=True)

    def test_function(self):
        with pytest.raises(TypeError, match="function must be a function, got 3"):
            intersect(self.graph, None, 3)
        with pytest.raises(TypeError, match=r"state\[0\] must be an array or a number"):
            intersect(self.graph, None, note, "state")
