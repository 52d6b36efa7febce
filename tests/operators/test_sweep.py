"""`sweep`: gather, finish and measure over all vertices at once."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from edgewise.base.errors import CompileError
from edgewise.base.threads import threads
from edgewise.operators import ADD, ARGMIN
from tests.operators import oracles
from tests.operators.engines import sweep
from tests.operators.functions import drawn, pass_on, spread
from tests.operators.graphs import SMALL, any_graph, random_graph, star

EVERY_SMALL = pytest.mark.parametrize("graph", SMALL.values(), ids=SMALL)


def damped(v, total, values, factor):
    new = total * factor + v
    return new, abs(new - values[v])


def check(graph, values, *, mode="in", weights="weight"):
    options = {"mode": mode, "weights": weights}
    everyone = range(graph.num_vertices)
    totals = oracles.reduce_neighbors(
        graph, everyone, spread, values, reduce=ADD, result=values, **options
    )
    expected = totals * 0.5 + np.arange(graph.num_vertices)
    out = graph.full(-1.0)
    before = values.copy()
    change = sweep(graph, spread, values, damped, (values, 0.5), reduce=ADD, out=out, **options)
    np.testing.assert_array_equal(out, expected)
    assert change == np.abs(expected - values).sum()
    np.testing.assert_array_equal(values, before)


def quarters(graph):
    return ((np.arange(graph.num_vertices) * 5) % 11) / 4


@EVERY_SMALL
@pytest.mark.parametrize("mode", ["in", "out", "both"])
def test_small_graphs(graph, mode):
    check(graph, quarters(graph), mode=mode)


@pytest.mark.parametrize("mode", ["in", "out", "both"])
@pytest.mark.parametrize("name", ["random", "random, directed"])
def test_weights_belong_to_edges(name, mode):
    graph = SMALL[name]
    check(graph, quarters(graph), mode=mode, weights=(np.arange(graph.num_arcs) % 13) / 4)


@settings(max_examples=30)
@given(graph=any_graph(), mode=st.sampled_from(["out", "in", "both"]))
def test_random_graphs(graph, mode):
    check(graph, quarters(graph), mode=mode)


def test_every_team_gives_the_same_sum():
    graph = random_graph(3000, 12_000, 1)
    values = np.random.default_rng(2).random(3000)
    found = set()
    for team in (1, 2, 3):
        out = graph.full(0.0)
        with threads(team):
            change = sweep(graph, spread, values, damped, (values, 0.5), reduce=ADD, out=out)
        found.add((change, out.tobytes()))
    assert len(found) == 1


def test_narrow_floats_are_totalled_in_float64():
    graph = star(3000)
    values = np.full(3001, 1.0, np.float32)
    values[1] = 2.0**24  # in float32, adding one to this changes nothing
    out = np.zeros(3001, np.float32)
    sweep(graph, pass_on, values, damped, (values, 1.0), reduce=ADD, out=out)
    assert out[0] == 2.0**24 + 2999 - 1 or out[0] == np.float32(2.0**24 + 2999)


def counting(v, total, values):
    return total, abs(total - values[v]), total > 3, v


@pytest.mark.parametrize("team", [1, 2])
def test_several_sums(team):
    graph = random_graph(3000, 12_000, 3)
    values, out = (np.arange(3000) % 5).astype(np.float64), graph.full(0.0)
    with threads(team):
        change, many, ids = sweep(
            graph, pass_on, values, counting, values, reduce=ADD, out=out, sums=3
        )
    assert change == np.abs(out - values).sum()
    assert many == (out > 3).sum()
    assert ids == 3000 * 2999 // 2
    nobody = SMALL["empty"]
    none = nobody.full(0.0)
    found = sweep(nobody, pass_on, none, counting, none, reduce=ADD, out=none.copy(), sums=3)
    assert found == (0.0, 0.0, 0.0)


def toward_mean(v, total, values, share, table):
    new = (1 - share) * total + share * table[v]
    return new, abs(new - values[v])


def test_own_and_params():
    """A message sees the target's own value; numbers and tables may change between calls."""
    graph = SMALL["random, directed"]
    values, out = quarters(graph), graph.full(0.0)
    for share, table in ((0.5, np.arange(150.0)), (0.25, np.arange(300.0) / 4)):
        params = {"pull": 2.0, "table": table, "share": share}
        change = sweep(graph, drawn, values, toward_mean, values, reduce=ADD, out=out,
                       params=params)  # fmt: skip
        sources, targets, weights = graph.arcs()
        sent = 2 * (values[sources] - values[targets]) * weights + table[1]
        total = np.bincount(targets, sent, 150)
        np.testing.assert_array_equal(out, (1 - share) * total + share * table[:150])
        assert change == np.abs(out - values).sum()


def by_column(v, total, values, factor, column):
    new = total * factor + v + column
    return new, abs(new - values[v, column])


@EVERY_SMALL
def test_columns(graph):
    n = graph.num_vertices
    values = (np.arange(n * 3).reshape(n, 3) * 5 % 11) / 4
    out = np.full((n, 3), -1.0)
    change = sweep(graph, spread, values, by_column, (values, 0.5), reduce=ADD, out=out)
    for j in range(3):
        alone = np.ascontiguousarray(values[:, j])
        totals = oracles.reduce_neighbors(graph, range(n), spread, alone, reduce=ADD, result=alone)
        np.testing.assert_array_equal(out[:, j], totals * 0.5 + np.arange(n) + j)
    assert change == np.abs(out - values).sum()


def unknown(value, price):
    return value * price


class TestErrors:
    graph = SMALL["path"]

    def fails(self, error, pattern, message=pass_on, **options):
        values = options.pop("values", self.graph.full(1.0))
        options = {"reduce": ADD, "out": self.graph.full(0.0), **options}
        finish = options.pop("finish", damped)
        with pytest.raises(error, match=pattern):
            sweep(self.graph, message, values, finish, (values, 0.5), **options)

    @pytest.mark.host
    def test_arrays(self):
        values = self.graph.full(1.0)
        self.fails(ValueError, "two different arrays", values=values, out=values)
        self.fails(ValueError, "out must have one entry per vertex", out=np.zeros(3))
        self.fails(ValueError, "values must have one entry per vertex", values=np.zeros(3))
        self.fails(ValueError, "out must have the shape of values", out=np.zeros((9, 2)))
        read_only = self.graph.full(0.0)
        read_only.flags.writeable = False
        self.fails(ValueError, "out is changed by this call", out=read_only)

    def test_functions(self):
        self.fails(TypeError, "reduce must be a Monoid of single values", reduce=ARGMIN)
        self.fails(TypeError, "message may name value, weight, source, edge", message=unknown)
        self.fails(TypeError, "finish must be a function, got None", finish=None)
        self.fails(ValueError, "mode must be one of", mode="up")

    def test_sums(self):
        self.fails(ValueError, "sums must be at least 1", sums=0)
        self.fails(CompileError, r"damped .* it must give a value and 2 number\(s\)", sums=2)
