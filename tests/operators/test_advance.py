"""`advance` in message form, line by line of its contract, against loops over mode."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from edgewise.base.threads import threads
from edgewise.operators import ADD, ANY, ARGMAX, ARGMIN, MAX, MIN, Frontier, Monoid, frontier
from edgewise.operators.monoids import add_each
from tests.operators import oracles
from tests.operators.engines import advance
from tests.operators.functions import (
    APART,
    MIXED,
    PRODUCT,
    UNION,
    above_two,
    best_sender,
    between,
    edge_mark,
    even_or_unset,
    narrow,
    odd_parts,
    only_weight,
    pair_through,
    pass_on,
    sender,
    spread,
    through,
    triple,
)
from tests.operators.graphs import SMALL, any_graph, random_graph, star, weighted
from tests.tiers import later

DIRECTIONS = ("push", "pull", "auto")
EVERY_SMALL = pytest.mark.parametrize("graph", SMALL.values(), ids=SMALL)


def some(graph):
    """About two thirds of the vertices."""
    return [v for v in range(graph.num_vertices) if v % 3]


def floats(graph):
    return ((np.arange(graph.num_vertices) * 5) % 11) / 4


def check(engine, graph, members, message, values, **options):
    """The operator and the oracle agree on values and changed vertices, in every direction."""
    chosen = range(graph.num_vertices) if members is None else members
    expected, changed = oracles.advance(graph, chosen, message, values, **options)
    for direction in DIRECTIONS:
        result, ids = engine.send(
            "advance", graph, members, message, values, direction=direction, **options
        )
        np.testing.assert_equal(result, expected)
        assert ids == changed


@EVERY_SMALL
@pytest.mark.parametrize("mode", ["out", "in", "both"])
def test_sums_use_values_from_before_the_call(engine, graph, mode):
    check(engine, graph, some(graph), spread, floats(graph), reduce=ADD, mode=mode)
    check(engine, graph, None, spread, floats(graph), reduce=ADD, mode=mode)


@EVERY_SMALL
@pytest.mark.parametrize("mode", ["out", "in", "both"])
def test_minimum_of_given_sources(engine, graph, mode):
    values = np.where(np.arange(graph.num_vertices) % 4, np.inf, 1.5)
    options = {"reduce": MIN, "source_values": floats(graph), "mode": mode}
    check(engine, graph, some(graph), through, values, **options)


def test_maximum_of_given_sources(engine):
    graph = SMALL["random, directed"]
    values = np.full(graph.num_vertices, -np.inf)
    check(engine, graph, some(graph), narrow, values, reduce=MAX, source_values=floats(graph))


def halfway(value, weight, own):
    return (own + value + weight) / 2


@EVERY_SMALL
def test_one_round_of_an_idempotent_monoid_reads_values_from_before_it(engine, graph):
    for members in (None, some(graph)):
        check(engine, graph, members, through, floats(graph), reduce=MIN)


@pytest.mark.host
@pytest.mark.parametrize("message", [through, later(halfway)])
def test_one_round_is_the_same_for_all_directions(message):
    graph = random_graph(2000, 8000, 5)
    values = np.random.default_rng(1).random(2000) * 9
    known, changed = oracles.advance(graph, range(2000), message, values, reduce=MIN)
    for team, direction in product((1, 2), DIRECTIONS):
        with threads(team):
            found = values.copy()
            ids = advance(graph, None, message, found, reduce=MIN, direction=direction).ids
        np.testing.assert_array_equal(found, known)
        assert sorted(ids.tolist()) == sorted(changed)


@pytest.mark.parametrize("name", ["random", "random, directed", "clique with loops"])
def test_any_takes_one_of_the_messages(engine, name):
    graph = SMALL[name]
    values = np.full(graph.num_vertices, -1, np.int32)
    values[:5] = 7
    sent = oracles.messages(graph, some(graph), sender, values, reduce=ANY)
    for direction in DIRECTIONS:
        result, ids = engine.send(
            "advance", graph, some(graph), sender, values, reduce=ANY, direction=direction
        )
        assert ids == sorted(sent)
        assert all(result[v] in sent[v] for v in sent)
        untouched = np.setdiff1d(np.arange(graph.num_vertices), ids)
        np.testing.assert_array_equal(result[untouched], values[untouched])


def test_where_says_who_listens(engine):
    for graph in (SMALL["random"], SMALL["random, directed"]):
        values = floats(graph) * 2
        options = {"reduce": MIN, "where": above_two, "source_values": floats(graph)}
        check(engine, graph, some(graph), through, values, **options)


def test_where_together_with_early_exit(engine):
    graph = SMALL["random"]
    values = np.full(graph.num_vertices, -1, np.int32)
    values[::3] = np.arange(len(values[::3]))
    sent = oracles.messages(graph, some(graph), sender, values, reduce=ANY, where=even_or_unset)
    for direction in DIRECTIONS:
        result, ids = engine.send(
            "advance", graph, some(graph), sender, values,
            reduce=ANY, where=even_or_unset, direction=direction,
        )  # fmt: skip
        assert ids == sorted(sent)
        assert all(result[v] in sent[v] for v in sent)


@pytest.mark.parametrize(
    ("reduce", "dtype", "message"),
    [later(MIN, np.int64, edge_mark), (ADD, np.int64, pass_on), (UNION, np.int64, pass_on),
     later(MAX, np.bool_, pass_on), later(MIN, np.float32, through),
     (PRODUCT, np.float64, only_weight)],
    ids=["min int64", "add int64", "or int64", "max bool", "min float32", "product float64"],
)  # fmt: skip
@pytest.mark.parametrize("name", ["random", "random, directed", "repeated edges"])
def test_monoids_and_types(engine, name, reduce, dtype, message):
    graph = SMALL[name]
    if dtype == np.float32:
        graph = graph.with_weights(graph.edges()[2].astype(np.float32))
    values = (np.arange(graph.num_vertices) % 5).astype(dtype)
    if message is edge_mark:
        values[:] = 10**12
    sources = values[::-1].copy() if reduce.idempotent else None
    check(engine, graph, some(graph), message, values, reduce=reduce, source_values=sources)


@pytest.mark.parametrize("mode", ["out", "in", "both"])
@pytest.mark.parametrize("name", ["random", "random, directed"])
def test_edge_source_and_target_are_those_of_the_edge_walked(engine, name, mode):
    graph = SMALL[name]
    values = np.full(graph.num_vertices, 10**12)
    check(engine, graph, some(graph), between, values, reduce=MIN, mode=mode)


@pytest.mark.parametrize("name", ["random", "random, directed"])
@pytest.mark.parametrize("mode", ["out", "in", "both"])
def test_weights_as_an_array_belong_to_edges_not_to_pairs(engine, name, mode):
    """Also on an undirected graph whose two directions get different numbers."""
    graph = SMALL[name]
    weights = (np.arange(graph.num_arcs) % 13) / 4
    options = {"reduce": ADD, "mode": mode, "weights": weights}
    check(engine, graph, some(graph), spread, floats(graph), **options)


@pytest.mark.parametrize("name", ["random", "random, directed"])
def test_weights_are_one_for_unit_and_without_weights(engine, name):
    graph = SMALL[name]
    plain = graph.with_weights(None)
    values = np.full(graph.num_vertices, np.inf)
    for chosen, weights in ((graph, None), (plain, "weight"), (plain, None)):
        options = {"reduce": MIN, "source_values": floats(graph), "weights": weights}
        check(engine, chosen, some(graph), through, values, **options)


def test_pairs_keep_the_least_key_and_its_least_sender(engine):
    for graph in (SMALL["random"], SMALL["random, directed"]):
        n = graph.num_vertices
        values = np.full(n, np.inf), np.full(n, 2**62)
        options = {"reduce": ARGMIN, "source_values": np.floor(floats(graph))}
        check(engine, graph, some(graph), best_sender, values, **options)


def test_pairs_keep_the_greatest_key_and_its_least_sender(engine):
    graph = SMALL["random, directed"]
    values = np.floor(floats(graph)), np.arange(graph.num_vertices)
    check(engine, graph, some(graph), pair_through, values, reduce=ARGMAX)


def test_three_arrays_under_a_monoid_of_ones_own(engine):
    for graph in (SMALL["random"], star(200)):
        n = graph.num_vertices
        values = np.zeros(n, np.int64), floats(graph), np.arange(n)
        check(engine, graph, some(graph), triple, values, reduce=MIXED)
        check(engine, graph, None, triple, values, reduce=MIXED)
        check(engine, graph, some(graph), triple, values, reduce=APART)


def test_sums_of_tuples(engine):
    """Each is added up for itself; who gets nothing but zeros does not change."""
    for graph in (SMALL["random, directed"], star(200)):
        values = floats(graph), np.arange(graph.num_vertices) % 3
        check(engine, graph, some(graph), odd_parts, values, reduce=add_each(2))


def test_frontier_forms_are_equal(engine):
    graph = SMALL["random, directed"]
    n, members = graph.num_vertices, some(graph)
    mask = np.isin(np.arange(n), members)
    bits = Frontier(n, bits=frontier(graph, members).bits.copy())
    assert bits.dense
    expected, changed = oracles.advance(graph, members, spread, floats(graph), reduce=ADD)
    for form in (members, np.array(members), np.uint64(members), mask, bits):
        for direction in DIRECTIONS:
            result, ids = engine.send(
                "advance", graph, form, spread, floats(graph), reduce=ADD, direction=direction
            )
            np.testing.assert_array_equal(result, expected)
            assert ids == changed


def test_an_edge_frontier_stands_for_its_targets(engine):
    graph = SMALL["random, directed"]
    mode = np.arange(0, graph.num_arcs, 7)
    targets = np.unique(graph.indices[mode]).tolist()
    expected, changed = oracles.advance(graph, targets, spread, floats(graph), reduce=ADD)
    start = frontier(graph, edges=mode)
    result, ids = engine.send("advance", graph, start, spread, floats(graph), reduce=ADD)
    np.testing.assert_array_equal(result, expected)
    assert ids == changed


def test_depths_mark_what_changed_with_one(engine):
    graph = SMALL["random"]
    for direction in DIRECTIONS:
        depths = np.full(graph.num_vertices, -5, np.int32)
        _, ids = engine.send(
            "advance", graph, some(graph), spread, floats(graph),
            reduce=ADD, depths=depths, direction=direction,
        )  # fmt: skip
        assert np.flatnonzero(depths == 1).tolist() == ids
        assert set(depths.tolist()) <= {1, -5}


@pytest.mark.parametrize("team", [1, 2, 3])
def test_teams_of_any_size_agree_on_skewed_degrees(engine, team):
    """Two hubs of over 2**15 edges are expanded by all threads together."""
    leaves = 36_000
    ends = np.arange(2, leaves + 2)
    graph = weighted(np.repeat([0, 1], leaves), np.tile(ends, 2))
    values = (np.arange(graph.num_vertices) % 17).astype(float)
    expected = values.copy()
    sources, targets, weights = graph.arcs()
    np.add.at(expected, targets, values[sources] * weights)
    with threads(team):
        for direction in DIRECTIONS:
            result, ids = engine.send(
                "advance", graph, None, spread, values, reduce=ADD, direction=direction
            )
            np.testing.assert_array_equal(result, expected)
            assert ids == np.flatnonzero(expected != values).tolist()
        least, _ = engine.send(
            "advance", graph, None, through, values, reduce=MIN, source_values=values.copy(),
            direction="push",
        )  # fmt: skip
    expected = values.copy()
    np.minimum.at(expected, targets, values[sources] + weights)
    np.testing.assert_array_equal(least, expected)


@pytest.mark.parametrize("team", [1, 2, 3])
def test_teams_of_any_size_agree_on_frontiers_of_some_size(engine, team):
    graph = random_graph(3000, 12_000, 5, directed=True)
    with threads(team):
        check(engine, graph, None, spread, floats(graph), reduce=ADD)
        check(engine, graph, some(graph), pass_on, np.arange(3000), reduce=ADD)
        values = np.full(3000, np.inf), np.full(3000, 2**62)
        check(engine, graph, None, best_sender, values, reduce=ARGMIN, source_values=floats(graph))


@settings(max_examples=40)
@given(graph=any_graph(), data=st.data())
def test_random_graphs(engine, graph, data):
    members = data.draw(st.sets(st.integers(0, graph.num_vertices - 1)).map(sorted))
    mode = data.draw(st.sampled_from(["out", "in", "both"]))
    check(engine, graph, members, spread, floats(graph), reduce=ADD, mode=mode)
    values = np.full(graph.num_vertices, np.inf)
    check(engine, graph, members, through, values, reduce=MIN, mode=mode,
          source_values=floats(graph))  # fmt: skip


def test_nothing_is_sent_from_an_empty_frontier(engine):
    graph = SMALL["random"]
    result, ids = engine.send("advance", graph, [], spread, floats(graph), reduce=ADD)
    np.testing.assert_array_equal(result, floats(graph))
    assert ids == []


def test_sources_are_not_changed(engine):
    graph = SMALL["random"]
    sources, values = floats(graph), np.full(graph.num_vertices, np.inf)
    engine.send("advance", graph, None, through, values, reduce=MIN, source_values=sources)
    np.testing.assert_array_equal(sources, floats(graph))


class TestErrors:
    graph = SMALL["two parts"]

    def fails(self, error, pattern, *, start=None, message=through, values=None, **options):
        values = self.graph.full(0.0) if values is None else values
        with pytest.raises(error, match=pattern):
            advance(self.graph, start, message, values, **{"reduce": ADD, **options})

    @pytest.mark.host
    def test_values(self):
        read_only = self.graph.full(0.0)
        read_only.flags.writeable = False
        self.fails(ValueError, "values is changed by this call.*read-only", values=read_only)
        self.fails(ValueError, r"values must have one entry per vertex \(8\)", values=np.zeros(7))
        self.fails(ValueError, "one entry per vertex", values=np.zeros((8, 2, 2)))
        self.fails(TypeError, "values must be a NumPy array, got list", values=[0.0] * 8)
        self.fails(ValueError, "contiguous", values=np.zeros(16)[::2])
        self.fails(TypeError, "values must hold.*complex128", values=np.zeros(8, complex))
        self.fails(TypeError, "values must hold.*object", values=np.zeros(8, object))
        self.fails(
            TypeError,
            "values must be float32 or float64, got float16",
            values=np.zeros(8, np.float16),
        )
        self.fails(TypeError, "values must hold.*>f8", values=np.zeros(8, ">f8"))
        self.fails(ValueError, "a tuple of 2 to 4, got 1", values=(np.zeros(8),))
        pair = np.zeros(8), np.zeros(7)
        self.fails(ValueError, r"values\[1\] must have one entry", values=pair, reduce=ARGMIN)

    def test_values_and_monoid_disagree(self):
        pair = np.zeros(8), np.zeros(8)
        self.fails(ValueError, r"as reduce combines at once \(1\), got 2", values=pair, reduce=MIN)
        self.fails(ValueError, r"as reduce combines at once \(2\), got 1", reduce=ARGMIN)

    @pytest.mark.host
    def test_sources(self):
        self.fails(
            ValueError, "source_values must have one entry per vertex", source_values=np.zeros(3)
        )
        self.fails(TypeError, "source_values must be a NumPy array", source_values=[0.0] * 8)

    def test_frontier(self):
        self.fails(TypeError, "frontier must be a Frontier or None", start=[0])
        other = frontier(SMALL["path"], 0)
        words = "frontier is of a graph with 9 vertices, this one has 8"
        self.fails(ValueError, words, start=other)
        other = frontier(SMALL["path"], edges=0)
        self.fails(ValueError, "frontier is of a graph with 16 edges", start=other)

    def test_choices(self):
        self.fails(ValueError, "mode must be one of 'out', 'in', 'both', got 'up'", mode="up")
        self.fails(ValueError, "direction must be one of .* got 'left'", direction="left")
        self.fails(ValueError, "weights must name a column .* got 'none'", weights="none")
        self.fails(ValueError, "weights must have one entry per arc", weights=np.ones(3))
        self.fails(TypeError, "weights must be real numbers", weights=np.ones(10, complex))

    def test_reduce(self):
        self.fails(TypeError, "reduce must be a Monoid", reduce=min)

    @pytest.mark.host
    def test_depths(self):
        self.fails(TypeError, "depths must be an int32 array of 8", depths=np.zeros(8))
        self.fails(TypeError, "depths must be an int32 array of 8", depths=np.zeros(7, np.int32))
        read_only = np.zeros(8, np.int32)
        read_only.flags.writeable = False
        self.fails(ValueError, "depths is changed by this call.*read-only", depths=read_only)

    def test_message(self):
        self.fails(TypeError, "message must be a function, got 3", message=3)
        self.fails(TypeError, "may name value, weight", message=lambda value, price: value)

    def test_what_belongs_to_the_edge_form(self):
        self.fails(TypeError, "neighbors belongs to the edge form", neighbors=slice(0, 1))
        self.fails(TypeError, "output 'edges' belongs to the edge form", output="edges")


def test_identity_of_a_tuple_must_match():
    graph = SMALL["path"]
    wrong = Monoid((0, 0, 0), MIXED.combine)
    with pytest.raises(ValueError, match=r"as reduce combines at once \(3\), got 2"):
        advance(graph, None, pair_through, (graph.full(0.0), graph.full(0)), reduce=wrong)
