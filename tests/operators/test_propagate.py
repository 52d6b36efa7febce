"""`propagate`: the loop of `advance` inside the engine, against the same loop over mode."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from edgewise.base.threads import threads
from edgewise.operators import ADD, ANY, ARGMAX, MAX, MIN, frontier
from tests.operators import oracles
from tests.operators.engines import propagate
from tests.operators.functions import (
    UNION,
    narrow,
    pair_through,
    pass_on,
    sender,
    spread,
    through,
    unset,
)
from tests.operators.graphs import SMALL, any_graph, grid, path, random_graph, star

DIRECTIONS = ("push", "pull", "auto")
EVERY_SMALL = pytest.mark.parametrize("graph", SMALL.values(), ids=SMALL)


def start_at_zero(graph, fill, dtype=None, first=0):
    values = graph.full(fill, dtype)
    values[:1] = first
    return values, [0] if graph.num_vertices else []


@EVERY_SMALL
@pytest.mark.parametrize("mode", ["out", "in", "both"])
def test_shortest_distances(engine, graph, mode):
    values, start = start_at_zero(graph, np.inf)
    expected, _, _ = oracles.propagate(graph, start, through, values, reduce=MIN, mode=mode)
    for direction in DIRECTIONS:
        result, left = engine.send(
            "propagate", graph, start, through, values,
            reduce=MIN, mode=mode, direction=direction,
        )  # fmt: skip
        np.testing.assert_array_equal(result, expected)
        assert left == []


def test_widest_paths_from_infinity(engine):
    for graph in (SMALL["random"], SMALL["random, directed"]):
        values, start = start_at_zero(graph, -np.inf, first=np.inf)
        expected, _, _ = oracles.propagate(graph, start, narrow, values, reduce=MAX)
        result, left = engine.send("propagate", graph, start, narrow, values, reduce=MAX)
        np.testing.assert_array_equal(result, expected)
        assert left == []


@EVERY_SMALL
@pytest.mark.parametrize("direction", DIRECTIONS)
def test_path_counts_and_depths(engine, graph, direction):
    """A sum with `where`: exact rounds, so depths are exact too."""
    values, start = start_at_zero(graph, 0, np.int64, first=1)
    depths = graph.full(-1, np.int32)
    expected, _, turns = oracles.propagate(graph, start, pass_on, values, reduce=ADD, where=unset)
    result, left = engine.send(
        "propagate", graph, start, pass_on, values,
        reduce=ADD, where=unset, depths=depths, direction=direction,
    )  # fmt: skip
    np.testing.assert_array_equal(result, expected)
    assert depths.tolist() == [turn or -1 for turn in turns]
    assert left == []


@EVERY_SMALL
@pytest.mark.parametrize("direction", DIRECTIONS)
def test_first_message_wins_and_depths_count_hops(engine, graph, direction):
    values, start = start_at_zero(graph, -1, np.int32)
    depths = graph.full(-1, np.int32)
    result, left = engine.send(
        "propagate", graph, start, sender, values,
        reduce=ANY, depths=depths, direction=direction,
    )  # fmt: skip
    hops, _, turns = oracles.propagate(graph, start, sender, values, reduce=ANY)
    assert depths.tolist() == [turn or -1 for turn in turns]
    arcs = {(u, v) for u, v, _ in oracles.walked(graph)}
    for v in np.flatnonzero(depths > 0).tolist():
        u = int(result[v])
        assert (u, v) in arcs and max(depths[u], 0) == depths[v] - 1
    assert left == []


@pytest.mark.host
def test_a_transpose_is_built_for_those_who_pull():
    for build, wanted in ((path, False), (star, True)):
        graph = build(4000, directed=True)
        values, depths = graph.full(-1, np.int32), graph.full(-1, np.int32)
        propagate(graph, frontier(graph, 0), sender, values, reduce=ANY, depths=depths)
        assert ("transposed" in graph.__dict__) == wanted


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("rounds", [0, 1, 2, 3, 7])
def test_max_rounds_leaves_a_frontier_to_go_on_from(engine, rounds, direction):
    graph = SMALL["random, directed"]
    values, start = start_at_zero(graph, 0, np.int64, first=1)
    whole, _, _ = oracles.propagate(graph, start, pass_on, values, reduce=ADD, where=unset)
    part, left, _ = oracles.propagate(
        graph, start, pass_on, values, reduce=ADD, where=unset, max_iter=rounds
    )
    options = {"reduce": ADD, "where": unset, "direction": direction}
    result, ids = engine.send(
        "propagate", graph, start, pass_on, values, max_iter=rounds, **options
    )
    np.testing.assert_array_equal(result, part)
    assert ids == left
    result, ids = engine.send("propagate", graph, ids, pass_on, result, **options)
    np.testing.assert_array_equal(result, whole)
    assert ids == []


def test_the_returned_frontier_itself_can_go_on():
    """Also when it comes back as a bitmap, after a round that pulled."""
    graph = random_graph(600, 5000, 8)
    expected = graph.full(0)
    expected[0] = 1
    expected, _, _ = oracles.propagate(graph, [0], pass_on, expected, reduce=ADD, where=unset)
    for direction in DIRECTIONS:
        values, members = graph.full(0), frontier(graph, 0)
        values[0] = 1
        while not members.empty():
            members = propagate(
                graph, members, pass_on, values,
                reduce=ADD, where=unset, direction=direction, max_iter=1,
            )  # fmt: skip
            assert members.dense == (direction == "pull") or direction == "auto"
        np.testing.assert_array_equal(values, expected)


@cache
def some_size():
    """A graph with wide frontiers, two states to start from, and what becomes of them."""
    graph = random_graph(2000, 12_000, 4)
    values, start = start_at_zero(graph, np.inf)
    expected, _, _ = oracles.propagate(graph, start, through, values, reduce=MIN)
    counts, _ = start_at_zero(graph, 0, np.int64, first=1)
    paths, _, turns = oracles.propagate(graph, start, pass_on, counts, reduce=ADD, where=unset)
    return graph, values, counts, expected, paths, turns


@pytest.mark.parametrize("team", [1, 2, 3])
def test_teams_of_any_size_agree(engine, team):
    graph, values, counts, expected, paths, turns = some_size()
    start = [0]
    with threads(team):
        for direction in DIRECTIONS:
            result, _ = engine.send(
                "propagate", graph, start, through, values, reduce=MIN, direction=direction
            )
            np.testing.assert_array_equal(result, expected)
            depths = graph.full(0, np.int32)
            result, _ = engine.send(
                "propagate", graph, start, pass_on, counts,
                reduce=ADD, where=unset, direction=direction, depths=depths,
            )  # fmt: skip
            np.testing.assert_array_equal(result, paths)
            assert depths.tolist() == turns


@pytest.mark.parametrize("team", [1, 2, 3])
def test_many_levels_and_wide_levels(engine, team):
    """A grid's levels grow past the size that one thread takes alone, and shrink again."""
    graph = grid(160)
    side = np.arange(160)
    expected = (side[:, None] + side[None, :]).ravel()
    with threads(team):
        values, start = start_at_zero(graph, -1, np.int32)
        depths = graph.full(0, np.int32)
        engine.send("propagate", graph, start, sender, values, reduce=ANY, depths=depths)
    np.testing.assert_array_equal(depths, expected)


def test_a_monoid_of_ones_own_collects_labels(engine):
    graph = SMALL["two parts"]
    values = 1 << np.arange(8)
    result, _ = engine.send("propagate", graph, None, pass_on, values, reduce=UNION)
    assert result.tolist() == [7, 7, 7, 8, 112, 112, 112, 128]


def test_pairs_travel_with_their_sender(engine):
    graph = SMALL["path, directed"]
    values = graph.full(-np.inf), graph.full(2**62)
    values[0][0], values[1][0] = 0.0, 0
    expected, _, _ = oracles.propagate(graph, [0], pair_through, values, reduce=ARGMAX)
    result, _ = engine.send("propagate", graph, [0], pair_through, values, reduce=ARGMAX)
    np.testing.assert_equal(result, expected)


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_not_a_number_does_not_go_round_forever(engine, direction):
    graph = SMALL["cycle, directed"].with_weights(np.full(6, np.nan))
    values, start = start_at_zero(graph, np.inf)
    result, left = engine.send(
        "propagate", graph, start, through, values, reduce=MIN, direction=direction
    )
    assert result.tolist() == [0.0] + [np.inf] * 5 and left == []
    values, start = start_at_zero(graph, 0.0, first=1.0)
    result, left = engine.send(
        "propagate", graph, start, spread, values, reduce=ADD, direction=direction
    )
    assert np.isnan(result).all() and left == []


@settings(max_examples=40)
@given(graph=any_graph(), mode=st.sampled_from(["out", "in", "both"]), data=st.data())
def test_random_graphs(engine, graph, mode, data):
    source = data.draw(st.integers(0, graph.num_vertices - 1))
    distance, counts = graph.full(np.inf), graph.full(0)
    distance[source], counts[source] = 0.0, 1
    far, _, _ = oracles.propagate(graph, [source], through, distance, reduce=MIN, mode=mode)
    paths, _, turns = oracles.propagate(
        graph, [source], pass_on, counts, reduce=ADD, where=unset, mode=mode
    )
    for direction in DIRECTIONS:
        options = {"mode": mode, "direction": direction}
        result, _ = engine.send(
            "propagate", graph, [source], through, distance, reduce=MIN, **options
        )
        np.testing.assert_array_equal(result, far)
        depths = graph.full(0, np.int32)
        result, _ = engine.send(
            "propagate", graph, [source], pass_on, counts,
            reduce=ADD, where=unset, depths=depths, **options,
        )  # fmt: skip
        np.testing.assert_array_equal(result, paths)
        assert depths.tolist() == turns


def test_indices_of_64_bits_are_walked_alike(engine):
    """Such a graph has over two billion vertices; this one only has its types."""
    plain = SMALL["random"]
    wide = plain.copy()
    wide._keep(indices=plain.indices.astype(np.int64))
    values, start = start_at_zero(plain, np.inf)
    expected, _ = engine.send("propagate", plain, start, through, values, reduce=MIN)
    for direction in DIRECTIONS:
        result, _ = engine.send(
            "propagate", wide, start, through, values, reduce=MIN, direction=direction
        )
        np.testing.assert_array_equal(result, expected)


def test_a_small_call_needs_no_team(engine, monkeypatch):
    from edgewise.base import threads as module

    monkeypatch.setattr(module, "SERIAL_WORK", 1 << 14)
    monkeypatch.setattr(module._team, "run", None)
    graph = star(70)
    values, start = start_at_zero(graph, np.inf)
    result, _ = engine.send("propagate", graph, start, through, values, reduce=MIN)
    np.testing.assert_array_equal(result, [0.0, *graph.weights[:70]])


class TestErrors:
    graph = SMALL["two parts"]

    def fails(self, error, pattern, **options):
        options = {"reduce": MIN, **options}
        with pytest.raises(error, match=pattern):
            propagate(self.graph, None, through, self.graph.full(0.0), **options)

    def test_rounds(self):
        self.fails(ValueError, "max_iter must be at least 0, got -1", max_iter=-1)
        self.fails(TypeError, "max_iter must be a whole number, got 1.5", max_iter=1.5)

    def test_priority(self):
        for wrong in (0, -1.0, np.nan, "wide"):
            self.fails(ValueError, "priority must be a positive number", priority=wrong)
        self.fails(ValueError, "priority needs reduce=MIN or MAX", reduce=ADD, priority=1.0)
        self.fails(TypeError, "max_iter has no meaning", priority=1.0, max_iter=3)
        self.fails(TypeError, "direction 'pull' has no meaning", priority=1.0, direction="pull")
        depths = self.graph.full(0, np.int32)
        self.fails(TypeError, "depths has no meaning", priority=1.0, depths=depths)

    def test_schedule(self):
        self.fails(ValueError, "schedule must be one of", priority=1.0, schedule="random")
        self.fails(TypeError, "schedule 'near_far' belongs to priority", schedule="near_far")
