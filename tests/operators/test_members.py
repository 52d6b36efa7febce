"""`compute`, `filter` and `reduce_all`: what is done for every member of a frontier."""

from __future__ import annotations

import numpy as np
import pytest

from edgewise.base.threads import threads
from edgewise.operators import ADD, ANY, ARGMIN, MAX, MIN, Frontier, frontier
from tests.operators import oracles
from tests.operators.engines import compute, filter, multisplit, reduce_all
from tests.operators.functions import MIXED, PRODUCT, UNION
from tests.operators.graphs import SMALL, random_graph

TEAMS = pytest.mark.parametrize("team", [1, 2, 3])


def forms(graph, members, *, edges=False):
    """The same members as ids in another order, and as a bitmap."""
    first = frontier(graph, **{"edges" if edges else "vertices": members})
    yield first
    yield Frontier(first.size, ids=first.ids[::-1].copy(), kind=first.kind)
    yield Frontier(first.size, bits=first.bits.copy(), kind=first.kind)


def count_call(v, calls, factor):
    calls[v] += factor


def count_ends(source, target, edge, calls, sums):
    calls[edge] += 1
    sums[edge] = 1000 * source + target


def is_large(v, values, bound):
    return values[v] >= bound


def is_third(member):
    return member % 3 == 0


def product(v, a, b):
    return a[v] * b[v]


class TestCompute:
    @TEAMS
    def test_one_call_per_member(self, team):
        graph = random_graph(3000, 9000, 1)
        with threads(team):
            for members in ([], [0], range(0, 3000, 2), range(3000)):
                for start in forms(graph, np.array(members, int)):
                    calls = graph.full(0)
                    assert compute(graph, start, count_call, (calls, 2)) is None
                    assert np.flatnonzero(calls).tolist() == list(members)
                    assert (calls[list(members)] == 2).all()
            for work in (None, 0, 1 << 15, 1 << 40):  # on one thread, and in ever smaller parts
                calls = graph.full(0)
                compute(graph, None, count_call, (calls, 1), work=work)
                assert (calls == 1).all()

    @TEAMS
    def test_an_edge_frontier_gives_both_ends(self, team):
        for graph in (SMALL["random, directed"], SMALL["two parts"], SMALL["no edges"]):
            ids = np.arange(0, graph.num_arcs, 2)
            calls, sums = np.zeros((2, graph.num_arcs), np.int64)
            expected = {e: 1000 * u + v for u, v, e in oracles.walked(graph) if e % 2 == 0}
            with threads(team):
                compute(graph, frontier(graph, edges=ids), count_ends, (calls, sums))
            assert np.flatnonzero(calls).tolist() == sorted(expected)
            assert calls.max(initial=0) <= 1
            assert all(sums[e] == total for e, total in expected.items())

    def test_no_vertices(self):
        graph = SMALL["empty"]
        compute(graph, None, count_call, (graph.full(0), 1))

    @pytest.mark.host
    def test_errors(self):
        graph = SMALL["path"]
        with pytest.raises(TypeError, match="frontier must be a Frontier or None"):
            compute(graph, [0], count_call, (graph.full(0), 1))
        for start in (frontier(SMALL["star"], 0), frontier(SMALL["star"], edges=0)):
            with pytest.raises(ValueError, match="frontier is of a graph with"):
                compute(graph, start, count_call, (graph.full(0), 1))
        with pytest.raises(TypeError, match="function must be a function"):
            compute(graph, None, 3, graph.full(0))
        with pytest.raises(TypeError, match=r"state\[0\] must be an array or a number"):
            compute(graph, None, count_call, ([0] * 9, 1))


class TestFilter:
    @TEAMS
    def test_keeps_what_the_predicate_picks(self, team):
        graph = random_graph(3000, 9000, 1)
        values = np.arange(3000) % 11
        with threads(team):
            for members in ([], [0], range(0, 3000, 2), range(3000)):
                members = np.array(members, int)
                for start in forms(graph, members):
                    kept = filter(graph, start, is_large, (values, 6))
                    far, near = multisplit(graph, start, is_large, (values, 6), num_buckets=2)
                    assert sorted(kept.ids.tolist()) == members[values[members] >= 6].tolist()
                    assert near.ids.tolist() == kept.ids.tolist()
                    assert sorted(far.ids.tolist()) == members[values[members] < 6].tolist()
            nobody, everyone = multisplit(graph, None, is_large, (values, 0), num_buckets=2)
            assert everyone.ids.tolist() == list(range(3000)) and nobody.empty()

    def test_few_members_for_many_threads(self, monkeypatch):
        monkeypatch.setattr("edgewise.base.threads.SERIAL_WORK", 1 << 14)
        values = np.arange(3000) % 11
        with threads(3):
            given = random_graph(3000, 9000, 1), None, is_large, (values, 6)
            kept = filter(*given, work=1 << 20)
            far, near = multisplit(*given, num_buckets=2, work=1 << 20)
        assert kept.ids.tolist() == near.ids.tolist() == np.flatnonzero(values >= 6).tolist()
        assert far.ids.tolist() == np.flatnonzero(values < 6).tolist()

    def test_work_is_a_count(self):
        with pytest.raises(ValueError, match="work must be at least 0, got -1"):
            filter(SMALL["random"], None, is_third, work=-1)

    def test_members_keep_their_order(self):
        graph = SMALL["random"]
        start = Frontier(150, ids=np.array([9, 3, 120, 6, 7], np.int32))
        assert filter(graph, start, is_third).ids.tolist() == [9, 3, 120, 6]

    def test_edges_stay_edges(self):
        graph = SMALL["random"]
        start = frontier(graph, edges=np.arange(graph.num_arcs))
        kept = filter(graph, start, is_third)
        assert kept.kind == "edges" and kept.size == graph.num_arcs
        assert kept.ids.tolist() == list(range(0, graph.num_arcs, 3))

    def test_the_frontier_given_is_unchanged(self):
        graph = SMALL["random"]
        start = frontier(graph, [1, 3, 6])
        filter(graph, start, is_third)
        assert start.ids.tolist() == [1, 3, 6]

    def test_errors(self):
        graph = SMALL["path"]
        with pytest.raises(TypeError, match="frontier must be a Frontier or None"):
            filter(graph, [0], is_third)
        with pytest.raises(ValueError, match="frontier is of a graph with 71 vertices"):
            filter(graph, frontier(SMALL["star"], 0), is_third)
        with pytest.raises(TypeError, match="predicate must be a function"):
            filter(graph, None, "large")


def negated(v, keys):
    return -keys[v], v


def far_apart(v, ids):
    return 2**53 + ids[v]


class TestReduceAll:
    graph = SMALL["random"]

    @pytest.mark.parametrize("reduce", [MIN, MAX, ADD, PRODUCT, UNION])
    def test_integers(self, reduce):
        for dtype in (np.int64, np.int32):
            for n in (0, 1, 150):
                values = (np.arange(n, dtype=dtype) * 7) % 23 + 1
                unset = reduce.identity_for(np.int64).item()
                expected = oracles.reduce_all(values, reduce=reduce, unset=unset)
                wrapped = (expected + 2**63) % 2**64 - 2**63  # as int64 does
                assert reduce_all(self.graph, values, reduce=reduce) == wrapped

    def test_narrow_integers_are_summed_as_int64(self):
        values = np.full(150, 2**31 - 1, np.int32)
        assert reduce_all(self.graph, values, reduce=ADD) == 150 * (2**31 - 1)

    def test_floats(self):
        values = ((np.arange(150) * 37) % 19) / 4
        assert reduce_all(self.graph, values, reduce=ADD) == values.sum()
        assert reduce_all(self.graph, values, reduce=MIN) == 0.0
        assert reduce_all(self.graph, values.astype(np.float32), reduce=ADD) == values.sum()
        assert reduce_all(self.graph, values[:0], reduce=MIN) == np.inf

    def test_booleans(self):
        values = np.arange(150) % 3 == 0
        assert reduce_all(self.graph, values, reduce=ADD) == 50
        assert reduce_all(self.graph, values, reduce=MAX) is True
        assert reduce_all(self.graph, values, reduce=MIN) is False
        assert reduce_all(self.graph, values[:0], reduce=MIN) is True

    def test_chosen_type(self):
        ids = np.arange(150)
        found = reduce_all(self.graph, ids, reduce=MAX, function=far_apart, dtype=np.int64)
        assert found == 2**53 + 149 and isinstance(found, int)
        assert reduce_all(self.graph, ids, reduce=MAX, function=far_apart) == float(2**53 + 149)
        assert reduce_all(self.graph, np.ones(150, np.int8), reduce=ADD, dtype=np.uint8) == 150

    def test_any(self):
        assert reduce_all(self.graph, np.array([5, 6]), reduce=ANY) in (5, 6)

    def test_any_skips_what_is_unset(self):
        for values in ([-1, 5, -1], [7, -1]):
            assert reduce_all(self.graph, np.array(values), reduce=ANY) == max(values)
        assert reduce_all(self.graph, np.full(150, -1), reduce=ANY) == -1

    @pytest.mark.parametrize("team", [1, 3])
    def test_tuples(self, team):
        keys = (np.arange(9000) * 37) % 8011 / 4
        ids, flags = np.arange(9000), np.arange(9000) % 3 == 0
        with threads(team):
            assert reduce_all(self.graph, (keys, ids), reduce=ARGMIN) == (0.0, 0)
            keys[7000] = -1
            assert reduce_all(self.graph, (keys, ids), reduce=ARGMIN) == (-1.0, 7000)
            # booleans are counted where a sum is made of them
            found = reduce_all(self.graph, (flags, ids, keys), reduce=MIXED)
            assert found == (3000, 8999, -1.0)
        assert reduce_all(self.graph, (keys[:0], ids[:0]), reduce=ARGMIN) == (np.inf, 2**63 - 1)

    def test_tuples_of_a_function(self):
        keys, start = np.arange(150) % 11 / 2, frontier(self.graph, [4, 30, 21])
        options = {"reduce": ARGMIN, "function": negated, "frontier": start}
        found = reduce_all(self.graph, keys, **options, dtype=(np.float32, np.int64))
        assert found == (-5.0, 21) and isinstance(found[1], int)
        assert reduce_all(self.graph, keys, **options) == (-5.0, 21.0)

    def test_members_only(self):
        values = np.arange(150.0)
        for start in forms(self.graph, [3, 5, 140]):
            assert reduce_all(self.graph, values, reduce=ADD, frontier=start) == 148
        assert reduce_all(self.graph, values, reduce=ADD, frontier=frontier(self.graph, [])) == 0

    def test_over_edges(self):
        graph = self.graph
        start = frontier(graph, edges=[0, 4, 9])
        expected = graph.weights[[0, 4, 9]].sum()
        assert reduce_all(graph, graph.weights, reduce=ADD, frontier=start) == expected

    def test_of_a_function(self):
        a, b = np.arange(150.0), np.full(150, 0.5)
        assert reduce_all(self.graph, (a, b), reduce=ADD, function=product) == a.sum() / 2
        start = frontier(self.graph, [4, 6])
        result = reduce_all(self.graph, (a, b), reduce=MAX, function=product, frontier=start)
        assert result == 3.0

    def test_every_team_gives_the_same_number(self):
        values = np.random.default_rng(5).random(50_000)
        sums = set()
        for team in (1, 2, 3):
            with threads(team):
                sums.add(reduce_all(self.graph, values, reduce=ADD))
        assert len(sums) == 1
        np.testing.assert_allclose(sums.pop(), values.sum())

    def test_errors(self):
        graph, values = self.graph, np.zeros(150)
        with pytest.raises(TypeError, match="reduce must be a Monoid"):
            reduce_all(graph, values, reduce=sum)
        with pytest.raises(TypeError, match="values must be 2 arrays, as many as reduce combines"):
            reduce_all(graph, values, reduce=ARGMIN)
        with pytest.raises(
            ValueError, match=r"values must be arrays of one length, got \[9, 150\]"
        ):
            reduce_all(graph, (values, values[:9]), reduce=ARGMIN)
        with pytest.raises(ValueError, match=r"dtype must be one, or as many as reduce combines"):
            reduce_all(graph, (values, values), reduce=ARGMIN, dtype=(np.int64,) * 3)
        with pytest.raises(TypeError, match="values must be one array"):
            reduce_all(graph, (values, values), reduce=ADD)
        with pytest.raises(TypeError, match="values must be one array"):
            reduce_all(graph, 3.0, reduce=ADD)
        with pytest.raises(TypeError, match="frontier must be a Frontier or None"):
            reduce_all(graph, values, reduce=ADD, frontier=[0])
        with pytest.raises(ValueError, match="one entry per member"):
            start = frontier(graph, edges=[0])
            reduce_all(graph, values, reduce=ADD, frontier=start)
