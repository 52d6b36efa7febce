"""`propagate` with `levels`: peeling, against the same in sets."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from edgewise.base.observe import Trace, observe
from edgewise.base.threads import threads
from edgewise.operators import ADD, MIN, frontier
from tests.operators import oracles
from tests.operators.engines import propagate
from tests.operators.functions import one, remove, through, unset
from tests.operators.graphs import SMALL, any_graph, random_graph, star

EVERY_SMALL = pytest.mark.parametrize("graph", SMALL.values(), ids=SMALL)


def gone():
    return -1


def degrees(graph):
    return np.diff(graph.indptr).astype(np.int64)


def check(graph, members, message, values, **options):
    """The operator and the oracle agree on values and levels."""
    levels = graph.full(-5, options.pop("dtype", np.int64))
    chosen = range(graph.num_vertices) if members is None else members
    expected = oracles.peel(graph, chosen, message, values, levels, **options)
    result = values.copy()
    start = None if members is None else frontier(graph, members)
    last = propagate(graph, start, message, result, levels=levels, **options)
    assert last.empty()
    np.testing.assert_array_equal(levels, expected[1])
    np.testing.assert_array_equal(result, expected[0])


@pytest.mark.slow
def test_messages_may_name_their_target():
    check(SMALL["random"], None, aimed, degrees(SMALL["random"]), reduce=ADD)


def aimed(target):
    return -1 - target % 2


@EVERY_SMALL
def test_cores(graph):
    check(graph, None, gone, degrees(graph), reduce=ADD)


@settings(max_examples=30)
@given(graph=any_graph())
def test_random_graphs(graph):
    check(graph, None, gone, degrees(graph), reduce=ADD)


@pytest.mark.parametrize("team", [1, 2, 3])
def test_teams_of_any_size_agree(team):
    """Wide turns, a hub, and a list that one thread does not look through alone."""
    for graph in (random_graph(9000, 40_000, 5), star(6000)):
        with threads(team):
            check(graph, None, gone, degrees(graph), reduce=ADD)


@pytest.mark.parametrize("mode", ["out", "in", "both"])
def test_weights_and_directions(mode):
    """Floats come down in quarters; the message names the level, its value and a param."""
    graph = SMALL["random, directed"]
    sources = np.repeat(np.arange(graph.num_vertices), np.diff(graph.indptr))
    total = np.bincount(sources, graph.weights, graph.num_vertices)
    for scale in (1.0, 0.5):
        options = {"params": {"scale": scale}, "mode": mode, "dtype": np.float64}
        check(graph, None, remove, total, reduce=ADD, **options)


def test_some_of_the_vertices():
    """The level rises by the members; whoever falls to it goes, too."""
    for graph in (SMALL["random"], random_graph(300, 1500, 9)):
        members = list(range(0, graph.num_vertices, 3))
        check(graph, members, gone, degrees(graph), reduce=ADD)
        check(graph, [], gone, degrees(graph), reduce=ADD)


@pytest.mark.slow
def test_least_values_come_down():
    """A monoid that is no sum."""
    graph = SMALL["random"]
    values = ((np.arange(graph.num_vertices) * 7) % 31 + 10).astype(np.float64)
    check(graph, None, through, values, reduce=MIN, dtype=np.float64)


def test_not_a_number_never_sends():
    graph = SMALL["path"]
    values = degrees(graph).astype(np.float64)
    values[4] = np.nan
    options = {"params": {"scale": 1.0}, "dtype": np.float64}
    check(graph, None, remove, values, reduce=ADD, **options)


@pytest.mark.host
def test_observers_see_every_level():
    graph = SMALL["random"]
    levels = graph.full(0)
    with observe(Trace()) as trace:
        propagate(graph, None, gone, degrees(graph), reduce=ADD, levels=levels)
    assert [row["level"] for row in trace.rows] == np.unique(levels).tolist()

    def stop(iteration, **counts):
        raise InterruptedError

    with observe(stop), pytest.raises(InterruptedError):
        propagate(graph, None, gone, degrees(graph), reduce=ADD, levels=levels)
    check(graph, None, gone, degrees(graph), reduce=ADD)


class TestErrors:
    graph = SMALL["two parts"]

    def fails(self, pattern, values=None, **options):
        values = self.graph.full(1) if values is None else values
        options = {"levels": self.graph.full(0), "reduce": ADD, **options}
        with pytest.raises(TypeError, match=pattern):
            propagate(self.graph, None, one, values, **options)

    def test_what_has_no_meaning(self):
        self.fails("depths has no meaning with levels", depths=self.graph.full(0, np.int32))
        self.fails("max_iter has no meaning with levels", max_iter=3)
        self.fails("wake has no meaning with levels", wake=unset)
        self.fails("where has no meaning with levels", where=unset)
        self.fails("direction 'pull' has no meaning with levels", direction="pull")
        self.fails("levels has no meaning with priority", reduce=MIN, priority=1.0)

    def test_arrays(self):
        self.fails("levels must be an array of numbers", levels=3)
        self.fails("levels must be an array of numbers", levels=self.graph.full(False))
        self.fails("levels needs one array of numbers", values=self.graph.full(False))
        self.fails("levels needs one array of numbers", values=np.zeros((8, 2)))
