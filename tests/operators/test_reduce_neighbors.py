"""`reduce_neighbors`: one total per vertex over its neighborhood, or one per key of it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from edgewise.base.threads import threads
from edgewise.operators import ADD, ANY, ARGMAX, ARGMIN, MAX, MIN, frontier
from tests.operators import oracles
from tests.operators.engines import reduce_neighbors
from tests.operators.functions import (
    FOUR,
    MIXED,
    PRODUCT,
    best_sender,
    drawn,
    everything,
    one,
    only_weight,
    pass_on,
    quadruple,
    spread,
    through,
    tight,
    tilted,
    triple,
)
from tests.operators.graphs import SMALL, any_graph, random_graph, star
from tests.tiers import later

EVERY_SMALL = pytest.mark.parametrize("graph", SMALL.values(), ids=SMALL)


def some(graph):
    return [v for v in range(graph.num_vertices) if v % 3]


def floats(graph):
    return ((np.arange(graph.num_vertices) * 5) % 11) / 4


def check(graph, members, message, values, *, like=None, dtype=None, **options):
    """The operator and the oracle agree; ``like`` are arrays of the result's types."""
    chosen = range(graph.num_vertices) if members is None else members
    like = values if like is None else like
    expected = oracles.reduce_neighbors(graph, chosen, message, values, result=like, **options)
    start = None if members is None else frontier(graph, members)
    result = reduce_neighbors(graph, start, message, values, dtype=dtype, **options)
    np.testing.assert_equal(result, expected)
    kinds = [a.dtype for a in (like if isinstance(like, tuple) else (like,))]
    assert [a.dtype for a in (result if isinstance(result, tuple) else (result,))] == kinds


@EVERY_SMALL
@pytest.mark.parametrize("mode", ["in", "out", "both"])
def test_sums(graph, mode):
    check(graph, None, spread, floats(graph), reduce=ADD, mode=mode)
    check(graph, some(graph), spread, floats(graph), reduce=ADD, mode=mode)


@pytest.mark.parametrize("mode", ["in", "out", "both"])
@pytest.mark.parametrize("name", ["random", "random, directed", "clique with loops"])
def test_a_message_may_name_all(name, mode):
    """Also over mode whose two directions weigh differently."""
    graph = SMALL[name]
    weights = (np.arange(graph.num_arcs) % 13) / 4
    own = np.arange(graph.num_vertices) / 2
    options = {"reduce": MAX, "own": own, "mode": mode, "weights": weights}
    check(graph, some(graph), everything, floats(graph), **options)


@pytest.mark.parametrize(
    ("reduce", "message", "dtype"),
    [(MIN, pass_on, np.int64), later(MAX, pass_on, np.int32), later(MAX, pass_on, np.bool_),
     (PRODUCT, only_weight, np.float64), (ADD, one, np.int64), later(MIN, pass_on, np.float32)],
    ids=["min int64", "max int32", "max bool", "product float64", "count int64", "min float32"],
)  # fmt: skip
def test_monoids_and_types(reduce, message, dtype):
    for graph in (SMALL["random"], SMALL["random, directed"], SMALL["no edges"]):
        values = (np.arange(graph.num_vertices) % 7).astype(dtype)
        check(graph, None, message, values, reduce=reduce)


def test_own_defaults_to_values_and_any_takes_one():
    """Tight mode, as a shortest path tree needs them."""
    graph = SMALL["random"]
    distance = graph.full(np.inf)
    distance[0] = 0.0
    distance, _, _ = oracles.propagate(graph, [0], through, distance, reduce=MIN)
    parent = reduce_neighbors(graph, None, tight, distance, reduce=ANY, dtype=np.int32)
    assert parent.dtype == np.int32
    weight = {(u, v): graph.weights[e] for u, v, e in oracles.walked(graph)}
    for v in range(graph.num_vertices):
        into = [(u, x) for (u, w), x in weight.items() if w == v]
        tight_ones = [u for u, x in into if distance[u] + x == distance[v]]
        assert parent[v] in tight_ones if tight_ones else parent[v] == -1


def test_pairs_triples_and_quadruples():
    graph = SMALL["random, directed"]
    types = np.float64, np.int64
    like = tuple(np.empty(graph.num_vertices, t) for t in types)
    for reduce in (ARGMIN, ARGMAX):
        check(graph, some(graph), best_sender, np.floor(floats(graph)), reduce=reduce, like=like,
              dtype=types)  # fmt: skip
    values = np.arange(graph.num_vertices), floats(graph), np.arange(graph.num_vertices)
    check(graph, None, triple, values, reduce=MIXED)
    check(graph, None, quadruple, (*values, floats(graph)), reduce=FOUR)


def test_dtype_of_the_result():
    graph = SMALL["random"]
    values = np.arange(graph.num_vertices, dtype=np.int32)
    wide = reduce_neighbors(graph, None, pass_on, values, reduce=MAX, dtype=np.int64)
    assert wide.dtype == np.int64
    narrow = reduce_neighbors(graph, None, pass_on, values, reduce=MAX)
    assert narrow.dtype == np.int32


@pytest.mark.parametrize("members", [None, [1, 2, 5, 9]])
def test_out_takes_the_result(members):
    graph = SMALL["random"]
    start = None if members is None else frontier(graph, members)
    expected = reduce_neighbors(graph, start, spread, floats(graph), reduce=ADD)
    out = graph.full(99.0)
    assert reduce_neighbors(graph, start, spread, floats(graph), reduce=ADD, out=out) is out
    others = np.ones(graph.num_vertices, bool)
    others[slice(None) if members is None else members] = False
    np.testing.assert_array_equal(out, np.where(others, 99.0, expected))


@pytest.mark.parametrize("team", [1, 2, 3])
def test_long_rows_add_up_the_same_for_every_team(team):
    """Rows of over 2**15 edges are added in pieces of fixed size: even roundings agree."""
    graph = star(70_000)
    values = np.random.default_rng(1).random(graph.num_vertices)
    with threads(team):
        result = reduce_neighbors(graph, None, spread, values, reduce=ADD)
    with threads(1):
        expected = reduce_neighbors(graph, None, spread, values, reduce=ADD)
    assert result.tobytes() == expected.tobytes()
    sources, targets, weights = graph.arcs()
    exact = np.bincount(targets, values[sources] * weights, graph.num_vertices)
    np.testing.assert_allclose(result, exact)


@pytest.mark.parametrize("team", [1, 2, 3])
def test_teams_of_any_size_agree(team):
    graph = random_graph(3000, 12_000, 3)
    with threads(team):
        check(graph, None, spread, floats(graph), reduce=ADD)


@settings(max_examples=40)
@given(graph=any_graph(), mode=st.sampled_from(["out", "in", "both"]), data=st.data())
def test_random_graphs(graph, mode, data):
    members = data.draw(st.sets(st.integers(0, graph.num_vertices - 1)).map(sorted))
    check(graph, members, spread, floats(graph), reduce=ADD, mode=mode)


def test_params_may_change_between_calls():
    graph, own = SMALL["random, directed"], np.arange(150) / 4
    values = floats(graph)
    for pull, table in ((0.5, [3.0, 1.0]), (2.0, [0.25, -2.0, 7.0])):
        params = {"table": np.array(table), "pull": pull}
        check(graph, some(graph), drawn, values, reduce=ADD, own=own, params=params)


def columns_of(graph, k):
    return (np.arange(graph.num_vertices * k).reshape(-1, k) * 5 % 11) / 4


@EVERY_SMALL
@pytest.mark.parametrize("k", [1, 5])
def test_columns_are_reduced_apart(graph, k):
    values = columns_of(graph, k)
    for members in (None, some(graph)):
        start = None if members is None else frontier(graph, members)
        found = reduce_neighbors(graph, start, tilted, values, reduce=ADD)
        kept = np.full((graph.num_vertices, k), 7.5)
        reduce_neighbors(graph, start, tilted, values, reduce=ADD, out=kept)
        chosen = np.arange(graph.num_vertices) if members is None else np.array(members, int)
        for j in range(k):
            alone = np.ascontiguousarray(values[:, j])
            expected = oracles.reduce_neighbors(
                graph, chosen, tilted, alone, reduce=ADD, result=alone, params={"column": j}
            )
            np.testing.assert_array_equal(found[:, j], expected)
            np.testing.assert_array_equal(kept[chosen, j], expected[chosen])
        others = np.setdiff1d(np.arange(graph.num_vertices), chosen)
        assert (kept[others] == 7.5).all()


@pytest.mark.slow
def test_columns_of_own_and_any():
    """Of each column one tight edge; own may have one number per vertex or one per column."""
    graph = SMALL["random"]
    values = np.column_stack([np.arange(150.0) % 4, np.arange(150.0) % 3])
    for own in (values, None, np.arange(150.0) % 5):
        found = reduce_neighbors(graph, None, tight, values, reduce=ANY, own=own, dtype=np.int32)
        for j in range(2):
            alone = np.ascontiguousarray(values[:, j])
            mine = own if own is not None and own.ndim == 1 else alone
            some = reduce_neighbors(graph, None, tight, alone, reduce=MAX, own=mine, dtype=np.int32)
            assert ((found[:, j] >= 0) == (some >= 0)).all()


@pytest.mark.slow
@pytest.mark.parametrize("team", [1, 3])
def test_long_rows_of_columns(team):
    graph = star(70_000)
    values = np.random.default_rng(1).random((graph.num_vertices, 3))
    with threads(team):
        found = reduce_neighbors(graph, None, tilted, values, reduce=ADD)
    with threads(1):
        assert (
            found.tobytes() == reduce_neighbors(graph, None, tilted, values, reduce=ADD).tobytes()
        )
    sources, targets, weights = graph.arcs()
    for j in range(3):
        exact = np.bincount(targets, values[sources, j] * weights + j, graph.num_vertices)
        np.testing.assert_allclose(found[:, j], exact)


def check_groups(graph, members, message, values, key, **options):
    chosen = range(graph.num_vertices) if members is None else members
    rows = oracles.grouped(graph, chosen, message, values, key, **options)
    start = None if members is None else frontier(graph, members)
    found = reduce_neighbors(graph, start, message, values, key=key, **options)
    assert len(found.indptr) == graph.num_vertices + 1
    for v, row in enumerate(rows):
        part = slice(found.indptr[v], found.indptr[v + 1])
        assert found.keys[part].tolist() == sorted(row)
        assert found.totals[part].tolist() == [row[k] for k in sorted(row)]
    for choose, sign in (("max", -1), ("min", 1)):
        best = reduce_neighbors(graph, start, message, values, key=key, choose=choose, **options)
        unset = oracles.identity_of(options["reduce"], values)
        for v, row in enumerate(rows):
            k = min(row, key=lambda k, row=row: (sign * row[k], k)) if row else -1
            assert (best.key[v], best.total[v]) == (k, row[k] if row else unset)


@EVERY_SMALL
@pytest.mark.parametrize("mode", ["in", "out", "both"])
def test_groups_by_key(graph, mode):
    key = (np.arange(graph.num_vertices) * 3) % 5 - 1
    check_groups(graph, None, spread, floats(graph), key, reduce=ADD, mode=mode)
    check_groups(graph, some(graph), spread, floats(graph), key, reduce=ADD, mode=mode)


@pytest.mark.parametrize("team", [1, 2, 3])
def test_groups_with_many_keys(team):
    """As many keys as neighbors, with hashes that collide, on a hub and on small rows."""
    for graph in (star(3000), random_graph(2000, 9000, 7)):
        key = np.arange(graph.num_vertices) * 1024 - 5000
        with threads(team):
            check_groups(graph, None, spread, floats(graph), key, reduce=ADD)


@settings(max_examples=30)
@given(graph=any_graph(), data=st.data())
def test_groups_on_random_graphs(graph, data):
    n = graph.num_vertices
    key = np.array(data.draw(st.lists(st.integers(-3, 3), min_size=n, max_size=n)))
    check_groups(graph, None, spread, floats(graph), key, reduce=ADD)


class TestErrors:
    graph = SMALL["path"]

    def fails(self, error, pattern, *, start=None, message=pass_on, values=None, **options):
        values = self.graph.full(0.0) if values is None else values
        with pytest.raises(error, match=pattern):
            reduce_neighbors(self.graph, start, message, values, **{"reduce": ADD, **options})

    def test_arrays(self):
        self.fails(ValueError, "values must have one entry per vertex", values=np.zeros(3))
        self.fails(ValueError, "own must have one entry per vertex", own=np.zeros(3))
        self.fails(
            ValueError, "as many arrays as reduce combines", values=(np.zeros(9), np.zeros(9))
        )

    @pytest.mark.host
    def test_out(self):
        self.fails(ValueError, "out must have one entry per vertex", out=np.zeros(3))
        self.fails(TypeError, "out must have the dtype asked for", out=np.zeros(9), dtype=np.int64)
        values = self.graph.full(1.0)
        self.fails(ValueError, "out must not be values itself", values=values, out=values)
        read_only = self.graph.full(0.0)
        read_only.flags.writeable = False
        self.fails(ValueError, "out is changed by this call", out=read_only)

    def test_key(self):
        key = np.zeros(9, np.int64)
        self.fails(TypeError, "key must be an array of integers", key=np.zeros(9))
        self.fails(ValueError, "key must have one entry per vertex", key=np.zeros(3, np.int64))
        self.fails(TypeError, "choose belongs to key", choose="max")
        self.fails(ValueError, "choose must be one of 'max', 'min'", key=key, choose="most")
        self.fails(TypeError, "out with key requires choose", key=key, out=np.zeros(9))
        pair = np.zeros(9), np.zeros(9, np.int64)
        self.fails(TypeError, "key needs one array", key=key, values=pair, reduce=ARGMIN)

    def test_params(self):
        self.fails(TypeError, "params has 'more', which no function", params={"more": 1})
        self.fails(TypeError, "params must be a dict", params=[1])
        self.fails(TypeError, r"message may name .*'pull'", message=drawn)

    def test_columns(self):
        wide = np.zeros((9, 65))
        self.fails(ValueError, "values must have 1 to 64 columns, got 65", values=wide)
        self.fails(
            ValueError, "out must have the shape", values=wide[:, :2].copy(), out=wide[:, 0].copy()
        )
        self.fails(TypeError, "message may name .*'column'", message=tilted)

    def test_choices(self):
        self.fails(ValueError, "mode must be one of", mode="up")
        self.fails(TypeError, "reduce must be a Monoid", reduce=max)
        self.fails(TypeError, "frontier must be a Frontier or None", start=[1])
