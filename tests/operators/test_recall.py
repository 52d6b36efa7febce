"""A call of an operator is prepared once: whatever changes between two calls still counts."""

from __future__ import annotations

import gc
from concurrent.futures import ThreadPoolExecutor
from weakref import ref

import numpy as np
import pytest

from edgewise import Graph, check_bounds, threads
from edgewise.operators import (
    ADD,
    ANY,
    MAX,
    MIN,
    advance,
    compute,
    for_rows,
    frontier,
    propagate,
    reduce_all,
    reduce_neighbors,
    sweep,
)
from edgewise.operators.recall import keep, recall
from tests.operators.graphs import random_graph

pytestmark = pytest.mark.host

PATH = Graph.from_edges([0, 1, 2], [1, 2, 3], [2.0, 3.0, 4.0])
ARROWS = Graph.from_edges([0, 1, 2], [1, 2, 3], [2.0, 3.0, 4.0], directed=True)


def pass_on(value):
    return value


def weigh(value, weight):
    return value * weight


def added_to(v, total, other):
    return total + other[v], total


def summed(graph, function=pass_on, dtype=np.float64, **options):
    values = np.arange(1, graph.num_vertices + 1).astype(dtype)
    return reduce_neighbors(graph, None, function, values, reduce=ADD, **options).tolist()


def test_types_and_columns_of_values():
    for _ in range(2):
        for dtype in (np.float64, np.float32, np.int64, np.int32, np.uint8):
            assert summed(PATH, dtype=dtype) == [2, 4, 6, 3]
        wide = np.array([[1.0, 5], [2, 6], [3, 7], [4, 8]])
        found = reduce_neighbors(PATH, None, pass_on, wide, reduce=ADD)
        assert found.tolist() == [[2, 6], [4, 12], [6, 14], [3, 7]]


def test_graphs_edges_and_weights():
    for _ in range(2):
        assert summed(PATH, weigh) == [4, 2 * 1 + 3 * 3, 3 * 2 + 4 * 4, 12]
        assert summed(PATH, weigh, weights=None) == [2, 4, 6, 3]
        assert summed(PATH, weigh, weights=np.ones(6)) == [2, 4, 6, 3]
        assert summed(PATH.with_weights(np.full(3, 10)), weigh) == [20, 40, 60, 30]
        assert summed(ARROWS) == [0, 1, 2, 3]
        assert summed(ARROWS, mode="out") == [2, 3, 4, 0]
        assert summed(ARROWS, mode="both") == [2, 4, 6, 3]
        assert summed(ARROWS, weigh, mode="both") == summed(PATH, weigh)
        assert summed(ARROWS, lambda edge: edge, mode="out") == [0, 1, 2, 0]


def test_monoids():
    for _ in range(2):
        for reduce, found in ((ADD, [2, 4, 6, 3]), (MIN, [2, 1, 2, 3]), (MAX, [2, 3, 4, 3])):
            values = np.arange(1, 5)
            assert reduce_neighbors(PATH, None, pass_on, values, reduce=reduce).tolist() == found
        for reduce, found in ((ADD, [3, 6, 9, 7]), (MIN, [1, 1, 2, 3]), (MAX, [2, 3, 4, 4])):
            values = np.arange(1, 5)
            advance(PATH, None, pass_on, values, reduce=reduce)
            assert values.tolist() == found


def test_functions_made_anew():
    def times(factor):
        return lambda value: value * factor

    for factor in (1, 2, 3, 2):
        assert summed(PATH, times(factor)) == [2 * factor, 4 * factor, 6 * factor, 3 * factor]
        values = np.arange(1.0, 5)
        advance(PATH, frontier(PATH, 0), times(factor), values, reduce=ADD)
        assert values[1] == 2 + factor


SCALE = 1


def test_functions_that_read_a_global(monkeypatch):
    for scale in (1, 7):
        monkeypatch.setitem(globals(), "SCALE", scale)

        def scaled(value):
            return value * SCALE

        assert summed(PATH, scaled) == [2 * scale, 4 * scale, 6 * scale, 3 * scale]


def test_params():
    def shifted(value, by):
        return value + by

    for by in (1, 2.5, np.int32(4)):
        assert summed(PATH, shifted, params={"by": by}) == [2 + by, 4 + 2 * by, 6 + 2 * by, 3 + by]
    table = np.full(1, 3.0)

    def looked_up(value, by):
        return value + by[0]

    assert summed(PATH, looked_up, params={"by": table})[0] == 5
    assert summed(PATH, looked_up, params={"by": table + 1})[0] == 6
    with pytest.raises(TypeError, match="has a parameter 'by'"):
        summed(PATH, shifted)
    with pytest.raises(TypeError, match="params has 'more'"):
        summed(PATH, shifted, params={"by": 1, "more": 2})


def test_state_of_a_finish():
    def plus(v, total, other, more):
        return total + other[v] + more, total

    values, out, other = np.arange(1.0, 5), np.zeros(4), np.ones(4)
    for _ in range(2):
        assert sweep(PATH, pass_on, values, added_to, other, reduce=ADD, out=out) == 15
        assert out.tolist() == [3, 5, 7, 4]
        assert sweep(PATH, pass_on, values, plus, (other, 2), reduce=ADD, out=out) == 15
        assert out.tolist() == [5, 7, 9, 6]
        with pytest.raises(TypeError, match=r"finish must take 4 argument\(s\)"):
            sweep(PATH, pass_on, values, added_to, (other, 2), reduce=ADD, out=out)


def refusals():
    values, fixed = np.arange(4.0), np.arange(4.0)
    fixed.flags.writeable = False
    yield "values is changed by this call", lambda: advance(PATH, None, pass_on, fixed, reduce=ADD)
    yield "one entry per vertex", lambda: advance(PATH, None, pass_on, values[:3], reduce=ADD)
    yield "must be contiguous", lambda: advance(PATH, None, pass_on, np.ones(8)[::2], reduce=ADD)
    yield "got dtype", lambda: advance(PATH, None, pass_on, values.astype(">f8"), reduce=ADD)
    yield "mode must be", lambda: advance(PATH, None, pass_on, values, reduce=ADD, mode="up")
    yield (
        "weights must name",
        lambda: advance(PATH, None, pass_on, values, reduce=ADD, weights="no"),
    )
    yield "reduce must be", lambda: advance(PATH, None, pass_on, values, reduce="add")
    yield "must be a function", lambda: advance(PATH, None, 3, values, reduce=ADD)
    yield "must be a function", lambda: advance(PATH, None, [], values, reduce=ADD)
    yield "a masked one", lambda: compute(PATH, None, _clear, np.ma.ones(4))


@pytest.mark.parametrize("place", range(10))
def test_refusals_after_a_good_call(place):
    advance(PATH, None, pass_on, np.arange(4.0), reduce=ADD)
    reason, call = list(refusals())[place]
    with pytest.raises((TypeError, ValueError), match=reason):
        call()


def _clear(v, values):
    values[v] = 0


def beyond(v, values):
    return values[v + 1]


def sender_beyond(source, table):
    return table[source + 1]


def test_debug_and_back():
    values, table = np.arange(4.0), np.arange(4)
    # Without checks this reads one number too many: only of arrays that have it.
    view = np.arange(5.0)[:4]
    for _ in range(2):
        assert reduce_all(PATH, view, reduce=MAX, function=beyond) == 4
        with check_bounds(), pytest.raises(IndexError, match="beyond"):
            reduce_all(PATH, values, reduce=MAX, function=beyond)
        start, parent = frontier(PATH, 3), np.full(4, -1)
        longer = np.arange(5)
        propagate(PATH, start, sender_beyond, parent, reduce=ANY, params={"table": longer})
        assert parent[2] == 4
        with check_bounds(), pytest.raises(IndexError, match="sender_beyond"):
            propagate(
                PATH, start, sender_beyond, np.full(4, -1), reduce=ANY, params={"table": table}
            )


def test_threads_and_calls_beside_each_other():
    graph = random_graph(3000, 40_000, 5)
    values = np.random.default_rng(1).integers(0, 9, graph.num_vertices)

    def call(team):
        with threads(team):
            found = values.copy()
            advance(graph, None, pass_on, found, reduce=ADD)
            total = np.zeros(graph.num_vertices, np.int64)
            for_rows(graph, None, pass_on, _written, total, values=values, reduce=ADD)
            return found - values, total

    known = call(1)[1]
    with ThreadPoolExecutor(4) as pool:
        for found, total in pool.map(call, [1, 2, 3, 1, 2, 3]):
            assert (found == known).all() and (total == known).all()


def _written(v, total, totals):
    totals[v] = total


def test_facts_go_with_their_function():
    def function():
        return None

    assert keep(function, "key", 5) == recall(function, "key") == 5
    assert recall(function, "other") is None
    for key in range(1000):
        keep(function, key, key)
    assert sum(recall(function, key) is not None for key in range(1000)) <= 64
    gone = ref(function)
    del function
    gc.collect()
    assert gone() is None
    assert recall(3, "key") is None
    assert recall([], "key") is None
    assert recall(pass_on, []) is None
