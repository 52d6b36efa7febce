"""`propagate` in priority order: the same result as without, for every width and schedule."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from edgewise.base.threads import threads
from edgewise.graph import Graph
from edgewise.operators import MAX, MIN, frontier
from edgewise.operators.cpu import buckets
from tests.operators import oracles
from tests.operators.engines import propagate
from tests.operators.functions import narrow, only_weight, through
from tests.operators.graphs import SMALL, any_graph, grid, random_graph, weighted

SCHEDULES = ("bucketed", "near_far")
EVERY_SMALL = pytest.mark.parametrize("graph", SMALL.values(), ids=SMALL)


def distances(graph, source=0, **options):
    values = graph.full(np.inf)
    values[source : source + 1] = 0.0
    start = frontier(graph, [source] if graph.num_vertices else [])
    left = propagate(graph, start, through, values, reduce=MIN, **options)
    assert left.empty()
    return values


def widths(graph, **options):
    values = graph.full(-np.inf)
    values[0] = np.inf
    propagate(graph, frontier(graph, 0), narrow, values, reduce=MAX, **options)
    return values


@EVERY_SMALL
@pytest.mark.parametrize("schedule", SCHEDULES)
def test_small_graphs(graph, schedule):
    for mode in ("out", "in", "both"):
        values = graph.full(np.inf)
        values[:1] = 0.0
        start = [0] if graph.num_vertices else []
        expected, _, _ = oracles.propagate(graph, start, through, values, reduce=MIN, mode=mode)
        result = distances(graph, mode=mode, priority=0.75, schedule=schedule)
        np.testing.assert_array_equal(result, expected)


@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize("delta", [1e-300, 1e-9, 0.1, 1, 3.5, 1e9, 1e308, np.inf])
def test_any_width_gives_the_same(delta, schedule):
    graph = SMALL["random"]
    expected = distances(graph)
    result = distances(graph, priority=delta, schedule=schedule)
    np.testing.assert_array_equal(result, expected)


@pytest.mark.slow
def test_messages_may_name_their_target():
    graph = SMALL["random, directed"]
    values = graph.full(np.inf)
    values[0] = 0.0
    expected, _, _ = oracles.propagate(graph, [0], detour, values, reduce=MIN)
    propagate(graph, frontier(graph, 0), detour, values, reduce=MIN, priority=0.5)
    np.testing.assert_array_equal(values, expected)


def detour(value, weight, target):
    return value + weight + target % 3


def test_a_width_may_be_an_array_of_one_number():
    """As `weights.mean()` is, where weights are on a GPU."""
    graph = random_graph(40, 200, 3)
    width = np.asarray(graph.weights.mean())
    np.testing.assert_array_equal(
        distances(graph, priority=width), distances(graph, priority=float(width))
    )


@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize("delta", [1e-9, 0.5, 100])
def test_highest_first_from_infinity(delta, schedule):
    for graph in (SMALL["random"], SMALL["random, directed"]):
        result = widths(graph, priority=delta, schedule=schedule)
        np.testing.assert_array_equal(result, widths(graph))


@pytest.mark.parametrize("team", [1, 2, 3])
@pytest.mark.parametrize("schedule", SCHEDULES)
def test_teams_of_any_size_agree(team, schedule):
    for graph in (grid(80), random_graph(4000, 20_000, 3, directed=True)):
        assert graph.num_vertices + graph.num_arcs > 1 << 14, "too small for a team"
        expected = distances(graph)
        with threads(team):
            for delta in (0.25, 2.0):
                result = distances(graph, priority=delta, schedule=schedule)
                np.testing.assert_array_equal(result, expected)
            result = widths(graph, priority=0.5, schedule=schedule)
        np.testing.assert_array_equal(result, widths(graph))


@pytest.mark.host
@pytest.mark.parametrize("team", [1, 3])
def test_a_pool_that_runs_out_spills_and_grows(team, monkeypatch):
    graph = random_graph(4000, 30_000, 6)
    expected = distances(graph)
    grown = []

    def twice(pool, state):
        grown.append(len(pool.held))
        return larger(pool, state)

    larger = buckets._twice
    monkeypatch.setattr(buckets, "_twice", twice)
    monkeypatch.setattr(buckets, "_blocks", lambda *given: 3)
    with threads(team):
        for schedule in SCHEDULES:
            result = distances(graph, priority=0.5, schedule=schedule)
            np.testing.assert_array_equal(result, expected)
    assert grown[0] == 3 and len(grown) > 4


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_a_member_without_a_value_that_improves_to_nothing(schedule):
    """Whatever it is worth after that, zero too, it sends on."""
    graph = Graph.from_edges([0, 1], [1, 2], [0.0, 5.0], num_vertices=4)
    values = np.array([0.0, np.inf, np.inf, np.inf])
    start = frontier(graph, [0, 1])
    propagate(graph, start, through, values, reduce=MIN, priority=1.0, schedule=schedule)
    assert values.tolist() == [0.0, 0.0, 5.0, np.inf]


def test_integers_agree_bit_for_bit():
    graph = random_graph(4000, 20_000, 9)
    lengths = (graph.weights * 4).astype(np.int64)
    far = np.iinfo(np.int64).max
    expected = distances(graph) * 4
    for schedule in SCHEDULES:
        values = graph.full(far)
        values[0] = 0
        propagate(graph, frontier(graph, 0), through, values, reduce=MIN, weights=lengths,
                  priority=2, schedule=schedule)  # fmt: skip
        np.testing.assert_array_equal(values == far, np.isinf(expected))
        np.testing.assert_array_equal(values[values < far], expected[values < far])


@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize("delta", [0.01, 1.0, 50.0])
def test_edges_of_negative_and_of_no_length(delta, schedule):
    """Order is a matter of time alone: a value that falls below its bucket is taken up again."""
    graph = random_graph(200, 700, 11, directed=True)
    sources, targets, weights = graph.arcs()
    height = (np.arange(200) * 37) % 50  # differences of heights go round to nothing
    lengths = np.where(np.arange(graph.num_arcs) % 3, weights, 0.0)
    lengths = lengths + height[targets] - height[sources]
    assert (lengths < 0).any()
    expected = distances(graph, weights=lengths)
    result = distances(graph, weights=lengths, priority=delta, schedule=schedule)
    np.testing.assert_array_equal(result, expected)


def test_several_sources_at_once():
    graph = grid(12)
    values = graph.full(np.inf)
    values[[3, 77, 140]] = 0.0, 0.5, 9.0
    expected, _, _ = oracles.propagate(graph, [3, 77, 140], through, values, reduce=MIN)
    start = frontier(graph, [3, 77, 140])
    propagate(graph, start, through, values, reduce=MIN, priority=0.5)
    np.testing.assert_array_equal(values, expected)


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_members_without_a_value_send_too(schedule):
    """A message that does not look at the value is worth as much from an unset vertex."""
    graph = SMALL["random"]
    expected, _, _ = oracles.propagate(graph, [5], only_weight, graph.full(np.inf), reduce=MIN)
    values = graph.full(np.inf)
    start = frontier(graph, 5)
    propagate(graph, start, only_weight, values, reduce=MIN, priority=1.0, schedule=schedule)
    np.testing.assert_array_equal(values, expected)


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_not_a_number_does_not_go_round_forever(schedule):
    graph = SMALL["random"]
    expected = graph.full(np.inf)
    expected[0] = np.nan
    values = expected.copy()
    propagate(graph, frontier(graph, 0), through, values, reduce=MIN, priority=1.0,
              schedule=schedule)  # fmt: skip
    np.testing.assert_array_equal(values, expected)
    weights = np.full(graph.num_arcs, np.nan)
    result = distances(graph, weights=weights, priority=1.0, schedule=schedule)
    assert result[0] == 0 and np.isinf(result[1:]).all()


def test_an_empty_frontier_and_an_empty_graph():
    for graph in (SMALL["empty"], SMALL["random"]):
        values = graph.full(np.inf)
        propagate(graph, frontier(graph, []), through, values, reduce=MIN, priority=1.0)
        assert np.isinf(values).all()


def test_far_apart_values_need_few_windows():
    """A length of a million steps is jumped over, not walked through."""
    graph = weighted([0, 1], [1, 2], directed=True).with_weights(np.array([1e9, 1.0]))
    assert distances(graph, priority=1e-3).tolist() == [0.0, 1e9, 1e9 + 1]


@settings(max_examples=40)
@given(
    graph=any_graph(),
    delta=st.sampled_from([1e-12, 0.1, 0.5, 1.0, 7.0, 1e12]),
    schedule=st.sampled_from(SCHEDULES),
    data=st.data(),
)
def test_random_graphs(graph, delta, schedule, data):
    source = data.draw(st.integers(0, graph.num_vertices - 1))
    expected = distances(graph, source)
    result = distances(graph, source, priority=delta, schedule=schedule)
    np.testing.assert_array_equal(result, expected)
