"""`reduce_neighbors` by key: the best key by a score of one's own, and the least absent one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from edgewise.base.check_bounds import check_bounds
from edgewise.base.threads import threads
from edgewise.operators import ADD, frontier
from tests.operators import oracles
from tests.operators.engines import ENGINES, for_rows, reduce_neighbors
from tests.operators.functions import better_off, gain, one, spread
from tests.operators.graphs import SMALL, any_graph, random_graph, star
from tests.operators.test_reduce_neighbors import EVERY_SMALL, floats, some

KEYS = 7
SIZES = (np.arange(KEYS) * 3 % 5) / 2
SCORE = {"choose": gain, "by_key": {"size": SIZES}, "params": {"scale": 0.25}}


def keys_of(graph):
    return (np.arange(graph.num_vertices) * 3) % KEYS


def stays_of(graph):
    return (np.arange(graph.num_vertices) * 5) % (KEYS + 2) - 2


def put(v, key, score, keys, scores):
    keys[v], scores[v] = key, score


def greatest(total):
    return total


def check_scores(graph, members, *, stay=None, mode="in"):
    """The operators and the oracle agree on a score, also where the result has its arrays."""
    score = gain if stay is None else better_off
    n, chosen = graph.num_vertices, range(graph.num_vertices) if members is None else members
    values, own, key = floats(graph), np.arange(n) / 4, keys_of(graph)
    rows = oracles.grouped(graph, chosen, spread, values, key, reduce=ADD, mode=mode)
    expected = oracles.chosen(rows, score, own, stay=stay, by_key={"size": SIZES},
                              params={"scale": 0.25})  # fmt: skip
    start = None if members is None else frontier(graph, members)
    options = {"reduce": ADD, "own": own, "key": key, "stay": stay, "mode": mode, **SCORE,
               "choose": score}  # fmt: skip
    found = reduce_neighbors(graph, start, spread, values, **options)
    assert found.key.dtype == np.int64 and found.total.dtype == np.float64
    inside = set(chosen)
    for v, (k, score) in enumerate(expected):
        if v in inside:
            assert (found.key[v], found.total[v]) == (k, -np.inf if score is None else score)
        else:
            assert (found.key[v], found.total[v]) == (-1, -np.inf)
    kept, finished = (np.full(n, 77), np.full(n, 7.5)), (np.full(n, 77), np.full(n, 7.5))
    reduce_neighbors(graph, start, spread, values, out=kept, **options)
    for_rows(graph, start, spread, put, finished, values=values, **options)
    for v in range(n):
        now = (found.key[v], found.total[v]) if v in inside else (77, 7.5)
        assert (kept[0][v], kept[1][v]) == (finished[0][v], finished[1][v]) == now


@EVERY_SMALL
@pytest.mark.parametrize("mode", ["in", "out", "both"])
def test_the_best_score(graph, mode):
    check_scores(graph, None, mode=mode)
    check_scores(graph, some(graph), stay=stays_of(graph), mode=mode)


@settings(max_examples=30)
@given(graph=any_graph(), data=st.data())
def test_scores_on_random_graphs(graph, data):
    members = data.draw(st.sets(st.integers(0, graph.num_vertices - 1)).map(sorted))
    check_scores(graph, members, stay=stays_of(graph))


@pytest.mark.parametrize("choose", ["max", pytest.param("min", marks=pytest.mark.slow)])
def test_a_key_to_stay_with(choose):
    """It takes part with the identity as its total, if no neighbor has it."""
    for graph in (SMALL["random, directed"], SMALL["no edges"]):
        n = graph.num_vertices
        values, key, stay = floats(graph), keys_of(graph), stays_of(graph)
        found = reduce_neighbors(graph, None, spread, values, reduce=ADD, key=key, stay=stay,
                                 choose=choose)  # fmt: skip
        rows = oracles.grouped(graph, range(n), spread, values, key, reduce=ADD)
        score = greatest if choose == "max" else lambda total: -total
        expected = oracles.chosen(rows, score, values, stay=stay)
        assert found.key.tolist() == [k for k, _ in expected]
        for total, (_, best) in zip(found.total.tolist(), expected, strict=True):
            assert total == (0 if best is None else abs(best))


@pytest.mark.slow
def test_a_score_that_is_no_number_loses():
    graph = SMALL["star"]
    key = np.arange(graph.num_vertices) % 3
    found = reduce_neighbors(graph, frontier(graph, 0), one, floats(graph), reduce=ADD, key=key,
                             choose=lambda total, key: np.nan if key < 2 else -total)  # fmt: skip
    assert (found.key[0], found.total[0]) == (2, -23.0)


@pytest.mark.parametrize("team", [1, 2, 3])
def test_very_long_rows(engine, team):
    """A hub's row is walked by all threads, in pieces: even roundings agree, but on a GPU."""
    graph = star(70_000)
    n = graph.num_vertices
    values, own = np.random.default_rng(1).random(n), np.arange(n) / 4
    key = np.random.default_rng(2).integers(0, 50_000, n)
    key[:9] = 4
    sizes = np.arange(50_000) % 5 / 2
    options = {"reduce": ADD, "own": own, "key": key, "stay": key[::-1].copy(), **SCORE}
    options |= {"by_key": {"size": sizes}, "choose": better_off}
    with threads(team):
        found = reduce_neighbors(graph, None, spread, values, **options)
    with threads(1):
        expected = reduce_neighbors(graph, None, spread, values, **options)
    assert found.key.tolist() == expected.key.tolist()
    np.testing.assert_allclose(found.total, expected.total, rtol=1e-12)
    if engine is ENGINES["cpu"]:
        assert found.total.tobytes() == expected.total.tobytes()
    weights = graph.weights[: graph.indptr[1]]
    totals = np.bincount(key[1:], values[1:] * weights, 50_000)
    scores = totals - totals[key[-1]] - 0 * sizes + np.arange(50_000) % 3 / 8
    scores[np.bincount(key[1:], minlength=50_000) + (np.arange(50_000) == key[-1]) == 0] = -np.inf
    assert found.key[0] == scores.argmax()
    np.testing.assert_allclose(found.total[0], scores.max())


class TestAbsent:
    def check(self, graph, members, key, mode="in"):
        chosen = range(graph.num_vertices) if members is None else members
        rows = oracles.grouped(graph, chosen, one, floats(graph), key, reduce=ADD, mode=mode)
        start = None if members is None else frontier(graph, members)
        options = {"reduce": None, "key": key, "choose": "absent", "mode": mode}
        found = reduce_neighbors(graph, start, None, floats(graph), **options)
        inside, expected = set(chosen), oracles.absent(rows)
        assert found.total is None
        assert found.key.tolist() == [k if v in inside else -1 for v, k in enumerate(expected)]
        kept = np.full(graph.num_vertices, 77), None
        reduce_neighbors(graph, start, None, floats(graph), out=kept, **options)
        assert kept[0].tolist() == [k if v in inside else 77 for v, k in enumerate(expected)]

    @EVERY_SMALL
    @pytest.mark.parametrize("mode", ["in", "out", "both"])
    def test_the_least_absent_key(self, graph, mode):
        self.check(graph, None, keys_of(graph) - 1, mode)
        self.check(graph, some(graph), np.arange(graph.num_vertices), mode)

    def test_more_keys_than_fit_a_word(self):
        for leaves in (63, 64, 65, 200):
            graph = star(leaves)
            key = np.arange(-1, leaves)  # the leaves have 0, 1, ...
            self.check(graph, None, key)
            key[leaves // 2] = -1
            self.check(graph, [0], key)

    @pytest.mark.parametrize("team", [1, 3])
    def test_very_long_rows(self, team):
        graph = star(40_000)
        key = np.arange(-1, 40_000)
        with threads(team):
            for missing in (0, 17, 30_000, 39_999):
                key[1 + missing] = 7
                found = reduce_neighbors(graph, None, None, key, key=key, choose="absent").key
                assert found[0] == missing and (found[1:] == 0).all()
                key[1 + missing] = missing

    @settings(max_examples=30)
    @given(graph=any_graph(), data=st.data())
    def test_random_graphs(self, graph, data):
        n = graph.num_vertices
        key = np.array(data.draw(st.lists(st.integers(-2, 5), min_size=n, max_size=n)))
        self.check(graph, None, key)

    @pytest.mark.parametrize("team", [1, 3])
    def test_in_place(self, team):
        """Colors that neighbors choose at the same time: of two that are alike one gives way."""
        for graph in (random_graph(2000, 9000, 7), star(300), SMALL["path, directed"]):
            plain = graph.arcs()[0] != graph.arcs()[1]
            ends = [array[plain] for array in graph.arcs()[:2]]
            color, waiting = graph.full(-1), np.arange(graph.num_vertices)
            while len(waiting):
                with threads(team):
                    reduce_neighbors(graph, frontier(graph, waiting), None, color, key=color,
                                     choose="absent", out=(color, None), mode="both")  # fmt: skip
                assert color.min() >= 0
                alike = color[ends[0]] == color[ends[1]]
                lower = np.minimum(*ends)[alike]
                assert np.isin(lower, waiting).all(), "whoever has chosen before keeps its color"
                waiting = np.unique(lower)
            assert color.max() <= graph.degrees().max() + 1


class TestErrors:
    graph = SMALL["path"]

    def fails(self, error, pattern, **options):
        key = np.zeros(9, np.int64)
        given = {"reduce": ADD, "key": key, "choose": gain, "params": {"scale": 1.0}}
        given["by_key"] = {"size": np.zeros(1)}
        with pytest.raises(error, match=pattern):
            reduce_neighbors(self.graph, None, spread, self.graph.full(0.0), **{**given, **options})

    def test_scores(self):
        self.fails(TypeError, "choose may name .*'size'", by_key=None)
        self.fails(TypeError, "by_key is for a score", choose="max", params=None)
        self.fails(TypeError, "by_key must be a dict", by_key=np.zeros(3))
        self.fails(ValueError, "by_key must not use the reserved", by_key={"total": np.zeros(1)})
        self.fails(TypeError, "params has 'other'", params={"scale": 1.0, "other": 2.0})
        self.fails(TypeError, "choose belongs to key", key=None)

    @pytest.mark.host
    def test_keys_are_checked_on_demand(self):
        with check_bounds():
            self.fails(IndexError, r"key must hold positions in by_key\['size'\], 0 to 0, got 1",
                       key=np.ones(9, np.int64))  # fmt: skip
            self.fails(IndexError, "stay must hold positions", stay=np.arange(9))

    def test_stay(self):
        self.fails(ValueError, "stay must have one entry per vertex", stay=np.zeros(3, np.int64))
        self.fails(TypeError, "stay must be an array of integers", stay=np.zeros(9))

    def test_out(self):
        pair = np.zeros(9, np.int64), np.zeros(9)
        self.fails(TypeError, "out must be a pair", out=pair[0])
        self.fails(TypeError, r"out\[0\] must be of int64", out=(pair[1], pair[1]))
        self.fails(TypeError, r"out\[1\] must be of float64", out=(pair[0], pair[0]))
        self.fails(ValueError, r"out\[0\] must have one entry", out=(np.zeros(3, int), pair[1]))
        self.fails(ValueError, "out must not be an array", out=pair, key=pair[0])
