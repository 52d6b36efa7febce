"""`intersect`: common neighbors of all edges, of chosen edges, and of any pairs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from edgewise.base import atomic
from edgewise.base.threads import threads
from edgewise.operators import ADD, ARGMIN, MAX, frontier
from tests.operators import oracles
from tests.operators.engines import intersect
from tests.operators.functions import of_both, of_each, of_some
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
    by_vertex = np.zeros(graph.num_vertices, int)
    for (u, v), row in zip(ends(graph), expected, strict=True):
        np.add.at(by_vertex, [*row, *[u, v] * len(row)], 1)
    found = intersect(graph, ordered=True, vertices=True, each=False)
    assert found.vertices.tolist() == by_vertex.tolist() and found.counts is None


@settings(max_examples=40)
@given(graph=any_graph(), data=st.data())
def test_random_graphs(graph, data):
    vertex = st.integers(0, graph.num_vertices - 1)
    pairs = data.draw(st.lists(st.tuples(vertex, vertex), max_size=30))
    check(graph, ([u for u, _ in pairs], [v for _, v in pairs]), pairs)
    check(graph, None, ends(graph))


def totals(graph, listed, message, weights="weight", start=0.0, combine=lambda old, new: old + new):
    """For every pair, what ``message(weight_u, weight_v, common)`` adds up to."""
    weights = graph.weights if isinstance(weights, str) else weights
    rows = []
    for v in range(graph.num_vertices):
        low, high = graph.indptr[v], graph.indptr[v + 1]
        row = zip(graph.indices[low:high].tolist(), weights[low:high].tolist(), strict=True)
        rows.append(dict(row))
    found = []
    for u, v in listed:
        found.append(start)
        for w in sorted(rows[u].keys() & rows[v].keys()):
            found[-1] = combine(found[-1], message(rows[u][w], rows[v][w], w))
    return found


@EVERY_SMALL
def test_a_message_is_reduced_over_common_neighbors(graph):
    """All edges, those of a frontier, and pairs; counts go along."""
    draw = np.random.default_rng(4)
    us, vs = draw.integers(0, max(graph.num_vertices, 1), (2, 50 if graph.num_vertices else 0))
    ids = np.arange(0, graph.num_arcs, 3)
    some = [ends(graph)[e] for e in ids]
    for pairs, listed in (
        (None, ends(graph)),
        (frontier(graph, edges=ids), some),
        ((us, vs), list(zip(us.tolist(), vs.tolist(), strict=True))),
    ):
        found = intersect(graph, pairs, message=of_both, reduce=ADD)
        assert found.totals.dtype == np.float64
        np.testing.assert_allclose(found.totals, totals(graph, listed, lambda a, b, w: a * b))
        assert found.counts.tolist() == [len(row) for row in oracles.intersect(graph, listed)]
        assert found.total == found.counts.sum() and found.members is None


@pytest.mark.slow
def test_messages_with_params_weights_and_other_monoids():
    graph = SMALL["random"]
    told = {"message": of_some, "reduce": MAX, "params": {"least": 5}}

    def rule(a, b, w):
        return a - 2 * b if w > 5 else -1.0

    found = intersect(graph, None, **told, dtype=np.float32)
    wanted = totals(graph, ends(graph), rule, "weight", -np.inf, max)
    assert found.totals.dtype == np.float32
    np.testing.assert_allclose(found.totals, wanted, rtol=1e-6)
    other = np.random.default_rng(1).random(graph.num_arcs)
    found = intersect(graph, None, **told, weights=other, dtype=np.float32)
    wanted = totals(graph, ends(graph), rule, other, -np.inf, max)
    np.testing.assert_allclose(found.totals, wanted, rtol=1e-6)
    sizes = graph.row_lengths()
    found = intersect(graph, None, message=of_each, reduce=ADD, params={"sizes": sizes})
    wanted = totals(graph, ends(graph), lambda a, b, w: 1.0 / (1.0 + sizes[w]))
    np.testing.assert_allclose(found.totals, wanted)


@pytest.mark.slow
def test_a_message_with_a_function_lists_and_in_order():
    """Each is as it is alone."""
    graph = SMALL["clique with loops"]
    found = intersect(graph, ordered=True, lists=True, message=of_both, reduce=ADD)
    plain = intersect(graph, ordered=True, lists=True)
    assert found.counts.tolist() == plain.counts.tolist()
    assert found.members.tolist() == plain.members.tolist()
    lists = np.split(plain.members, plain.indptr[1:-1])
    for (u, v), row, total in zip(ends(graph), lists, found.totals, strict=True):
        each = [graph.edge_weight(u, w) * graph.edge_weight(v, w) for w in row]
        assert total == pytest.approx(sum(each))
    seen, wanted = graph.full(0), graph.full(0)
    called = intersect(graph, None, note, seen, message=of_both, reduce=ADD, each=False)
    intersect(graph, None, note, wanted)
    np.testing.assert_array_equal(seen, wanted)
    assert called.counts is None and len(called.totals) == graph.num_arcs


def test_far_lists_with_a_message():
    graph = star(500)
    found = intersect(graph, ([0, 3, 4], [4, 3, 5]), message=of_both, reduce=ADD)
    wanted = totals(graph, [(0, 4), (3, 3), (4, 5)], lambda a, b, w: a * b)
    np.testing.assert_allclose(found.totals, wanted)


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
        self.fails(TypeError, "ordered applies to all edges", ([0], [1]), ordered=True)
        self.fails(TypeError, "vertices are counted of all edges", ([0], [1]), vertices=True)

    def test_message(self):
        self.fails(TypeError, "reduce must be a Monoid of single", None, message=of_both)
        self.fails(TypeError, "reduce belongs to message", None, reduce=ADD)
        self.fails(TypeError, "dtype belongs to message", None, dtype=np.int64)
        told = {"message": lambda value: value, "reduce": ADD}
        self.fails(TypeError, "message may name weight_u, weight_v, source here", None, **told)
        told = {"message": of_both, "reduce": ADD, "params": {"least": 3}}
        self.fails(TypeError, "params has 'least', which no function", None, **told)
        told = {"message": of_both, "reduce": ARGMIN}
        self.fails(TypeError, "reduce must be a Monoid of single values", None, **told)
        told = {"message": of_both, "reduce": ADD, "weights": np.ones(3)}
        self.fails(ValueError, "weights must have one entry per arc", None, **told)

    def test_function(self):
        with pytest.raises(TypeError, match="function must be a function, got 3"):
            intersect(self.graph, None, 3)
        with pytest.raises(TypeError, match=r"state\[0\] must be an array or a number"):
            intersect(self.graph, None, note, "state")
