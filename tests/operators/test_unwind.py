"""`unwind`: levels backwards, the deepest first."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from edgewise.base.threads import threads
from edgewise.operators import ADD, ANY, ARGMIN, MAX, frontier
from tests.operators import oracles
from tests.operators.engines import propagate, unwind
from tests.operators.functions import drawn, everything, hop, pass_on, sender, through, unset
from tests.operators.graphs import SMALL, any_graph, grid, random_graph, weighted

EVERY_SMALL = pytest.mark.parametrize("graph", SMALL.values(), ids=SMALL)


def add_half(total, own):
    return total + own / 2


def levels(graph, source=0, mode="out"):
    """Depths of a breadth-first search, -1 where it does not come."""
    depths = graph.full(-1, np.int32)
    depths[source : source + 1] = 0
    reached = [source] if graph.num_vertices else []
    turn, arcs = 0, oracles.walked(graph, mode)
    while reached:
        turn += 1
        reached = {v for u, v, _ in arcs if u in set(reached) and depths[v] < 0}
        depths[list(reached)] = turn
    return depths


def check(graph, depths, message, values, **options):
    expected = oracles.unwind(graph, depths, message, values, **options)
    result = values.copy()
    assert unwind(graph, depths, message, result, **options) is None
    np.testing.assert_array_equal(result, expected)


@EVERY_SMALL
@pytest.mark.parametrize("mode", ["out", "in", "both"])
def test_levels_backwards(graph, mode):
    depths = levels(graph, mode=mode)
    check(graph, depths, hop, graph.full(0.0), reduce=ADD, mode=mode)


@EVERY_SMALL
def test_own_and_finish(graph):
    own = np.arange(graph.num_vertices) / 4
    options = {"reduce": ADD, "own": own, "finish": add_half}
    check(graph, levels(graph), pass_on, graph.full(3.0), **options)
    np.testing.assert_array_equal(own, np.arange(graph.num_vertices) / 4)


def test_own_is_values_as_they_were():
    graph = SMALL["random"]
    values = np.arange(graph.num_vertices) / 8
    check(graph, levels(graph), pass_on, values, reduce=ADD, finish=add_half)


@pytest.mark.parametrize("mode", ["out", "in", "both"])
@pytest.mark.parametrize("name", ["random", "random, directed"])
def test_a_message_may_name_all(name, mode):
    graph = SMALL[name]
    weights = (np.arange(graph.num_arcs) % 13) / 4
    options = {"reduce": MAX, "own": graph.full(0.5), "mode": mode, "weights": weights}
    check(graph, levels(graph, mode=mode), everything, graph.full(0.0), **options)


def shared(total, own, part):
    return total * part + own


def test_params_of_message_and_finish():
    graph = SMALL["random"]
    values, depths, own = np.arange(150) / 8, levels(graph), np.arange(150) / 4
    for pull, part, table in ((0.5, 0.25, np.ones(3)), (1.0, 2.0, np.zeros(2))):
        params = {"pull": pull, "table": table, "part": part}
        options = {"reduce": MAX, "own": own, "finish": shared, "params": params}
        check(graph, depths, drawn, values, **options)


def test_vertices_without_a_level_are_left_alone():
    graph = SMALL["path"]
    depths = np.array([0, 1, 2, 3, 2**31 - 1, -1, -7, 2**31 - 1, -1], np.int32)
    values = graph.full(5.0)
    check(graph, depths, hop, values, reduce=ADD)
    unwind(graph, depths, hop, values, reduce=ADD)
    assert values.tolist() == [3.0, 2.0, 1.0, 0.0] + [5.0] * 5


@pytest.mark.parametrize("team", [1, 2, 3])
def test_teams_of_any_size_agree(team):
    for graph in (grid(160), random_graph(3000, 9000, 2)):
        depths, parent = graph.full(-1, np.int32), graph.full(-1, np.int32)
        depths[0] = parent[0] = 0
        propagate(graph, frontier(graph, 0), sender, parent, reduce=ANY, depths=depths)
        expected = counted_below(graph, depths)
        with threads(team):
            values = graph.full(0.0)
            unwind(graph, depths, hop, values, reduce=ADD)
        np.testing.assert_array_equal(values, expected)


@pytest.mark.parametrize("team", [1, 2])
def test_wide_and_narrow_levels_in_any_order(team):
    """Wide levels are shared by the team, narrow ones are not; each is done in its turn."""
    sizes = [1] * 40
    for level in (3, 4, 11, 19, 20, 27, 35):
        sizes[level] = 300
    first = np.concatenate([[0], np.cumsum(sizes)])
    below = [(u, v) for k in range(1, 40) for v in range(first[k], first[k + 1])
             for u in (first[k - 1], first[k] - 1)]  # fmt: skip
    graph = weighted(*np.array(below).T, directed=True)
    depths = np.repeat(np.arange(40), sizes).astype(np.int32)
    with threads(team):
        values = graph.full(-1.0)
        unwind(graph, depths, hop, values, reduce=MAX, finish=at_least_zero)
    np.testing.assert_array_equal(values, counted_height(graph, depths))


def at_least_zero(total, own):
    return max(total, 0.0)


def counted_below(graph, depths):
    """The sum over mode one level deeper of (value + 1), by levels of arrays."""
    values, (sources, targets, _) = graph.full(0.0), graph.arcs()
    for level in range(depths.max(), -1, -1):
        chosen = (depths[sources] == level) & (depths[targets] == level + 1)
        totals = np.bincount(sources[chosen], values[targets[chosen]] + 1, graph.num_vertices)
        values[depths == level] = totals[depths == level]
    return values


def counted_height(graph, depths):
    values, (sources, targets, _) = graph.full(0.0), graph.arcs()
    for level in range(depths.max(), -1, -1):
        chosen = (depths[sources] == level) & (depths[targets] == level + 1)
        np.maximum.at(values, sources[chosen], values[targets[chosen]] + 1)
    return values


@settings(max_examples=40)
@given(graph=any_graph(), mode=st.sampled_from(["out", "in", "both"]), data=st.data())
def test_random_graphs(graph, mode, data):
    depths = levels(graph, data.draw(st.integers(0, graph.num_vertices - 1)), mode)
    check(graph, depths, hop, graph.full(0.0), reduce=ADD, mode=mode)


class TestErrors:
    graph = SMALL["path"]

    def fails(self, error, pattern, depths=None, values=None, message=pass_on, **options):
        depths = self.graph.full(0, np.int32) if depths is None else depths
        values = self.graph.full(0.0) if values is None else values
        with pytest.raises(error, match=pattern):
            unwind(self.graph, depths, message, values, **{"reduce": ADD, **options})

    @pytest.mark.host
    def test_arrays(self):
        self.fails(TypeError, "depths of int32", depths=np.zeros(9))
        self.fails(ValueError, "depths must have one entry", depths=np.zeros(8, np.int32))
        self.fails(ValueError, "values must have one entry", values=np.zeros(8))
        self.fails(ValueError, "own must have one entry", own=np.zeros(8))
        self.fails(TypeError, "one array of values", values=(np.zeros(9), np.zeros(9)))
        read_only = self.graph.full(0.0)
        read_only.flags.writeable = False
        self.fails(ValueError, "values is changed by this call", values=read_only)

    def test_functions(self):
        self.fails(TypeError, "reduce must be a Monoid of single values", reduce=ARGMIN)
        self.fails(TypeError, "reduce must be a Monoid", reduce=sum)
        self.fails(TypeError, "finish must be a function", finish=3)
        self.fails(TypeError, "message may name", message=unset_message)
        self.fails(ValueError, "mode must be one of", mode="down")


def unset_message(price):
    return unset(price) or through(price, 1)
