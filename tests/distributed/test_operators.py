"""Operators on a grid against the one-device engine, in every way to communicate."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from edgewise import Graph, random
from edgewise.algorithms.matching import locally_dominant
from edgewise.operators import (
    ADD,
    ANY,
    ARGMIN,
    MAX,
    MIN,
    advance,
    compute,
    deliver,
    filter,
    for_rows,
    frontier,
    intersect,
    look_up,
    multisplit,
    propagate,
    reach,
    reduce_all,
    reduce_neighbors,
    settle,
    sweep,
    unwind,
)
from edgewise.operators.reaching import odds
from tests.distributed.grids import (
    DISTRIBUTIONS,
    EVERY_VARIANT,
    assert_same,
    check,
    on_ranks,
    over_arcs,
    over_vertices,
    spotted,
    start,
    thirds,
)
from tests.operators.functions import (
    PRODUCT,
    UNION,
    at_home,
    narrow,
    of_both,
    of_some,
    one,
    pair_through,
    pass_on,
    sender,
    spread,
    through,
    tight,
    unset,
)
from tests.operators.graphs import SMALL, any_graph
from tests.tiers import later

GRAPHS = [graph for name, graph in SMALL.items() if name not in ("path", "star, directed")]
# Traversal.


@EVERY_VARIANT
@pytest.mark.parametrize(
    ("mode", "direction"),
    [("out", "auto"), later("out", "pull"), ("in", "push"), ("both", "pull")],
)
def test_shortest_distances(mode, direction, shape, distribution, choice):
    def work(graph):
        found = []
        for weights in ("weight", None, over_arcs(graph)):
            values, first = start(graph, np.inf, 0)
            left = propagate(graph, first, through, values, reduce=MIN, mode=mode,
                             weights=weights, direction=direction)  # fmt: skip
            found += [values, left]
        return found

    check(work, GRAPHS, shape, distribution, choice)


@pytest.mark.slow
@EVERY_VARIANT
def test_messages_know_both_ends(shape, distribution, choice):
    """By their ids, in whichever direction edges are walked."""

    def work(graph):
        found = []
        for mode in ("out", "both"):
            values, first = start(graph, 10**12, 0, np.int64)
            left = propagate(graph, first, toward, values, reduce=MIN, mode=mode)
            summed = over_vertices(graph, spotted, np.int64)
            changed = advance(graph, None, ends, summed, reduce=ADD, mode=mode)
            found += [values, left, summed, changed]
        return found

    check(work, GRAPHS, shape, distribution, choice)


def toward(value, own, target):
    return min(own, value + 1 + target % 5)


def ends(source, target):
    return 10 * source + target


def test_what_no_sender_can_tell_is_refused():
    def work(graph):
        advance(graph, None, toward, graph.full(0), reduce=ADD)

    with pytest.raises(ValueError, match="message names own and target, which on a grid"):
        on_ranks(work, (2, 2), SMALL["random"])


@EVERY_VARIANT
def test_priority(shape, distribution, choice):
    def work(graph):
        near, first = start(graph, np.inf, 0)
        left = propagate(graph, first, through, near, reduce=MIN, priority=0.5)
        wide, first = start(graph, -np.inf, np.inf)
        rest = propagate(graph, first, narrow, wide, reduce=MAX, priority=1e-9)
        return near, left, wide, rest

    check(work, GRAPHS, shape, distribution, choice)


@EVERY_VARIANT
@pytest.mark.parametrize("direction", ["auto", later("pull")])
def test_path_counts_and_depths(direction, shape, distribution, choice):
    """A sum with `where`: rounds are exact, and so are depths."""

    def work(graph):
        found = []
        for mode, most in (("out", None), ("both", 2)):
            paths, first = start(graph, 0, 1, np.int64)
            depths = graph.full(-1, np.int32)
            left = propagate(graph, first, pass_on, paths, reduce=ADD, where=unset, mode=mode,
                             depths=depths, direction=direction, max_iter=most)  # fmt: skip
            found += [paths, depths, left]
        return found

    check(work, GRAPHS, shape, distribution, choice)


@EVERY_VARIANT
@pytest.mark.parametrize("direction", ["auto", later("pull")])
def test_first_message_wins(direction, shape, distribution, choice):
    """Which sender wins is open; the levels are not, and the winner is one level higher."""

    def work(graph):
        parent, first = start(graph, -1, 0, np.int32)
        depths = graph.full(-1, np.int32)
        left = propagate(graph, first, sender, parent, reduce=ANY, depths=depths,
                         direction=direction)  # fmt: skip
        if graph.num_vertices:
            depths[0] = 0
        reached = parent >= 0
        at = graph.xp.where(reached, parent, 0)
        fits = ~reached | (look_up(graph, depths, at) >= depths - 1)
        return depths, left, fits

    check(work, GRAPHS, shape, distribution, choice)


@EVERY_VARIANT
@pytest.mark.parametrize(
    "reduce",
    [later(MIN), ADD, PRODUCT, later(UNION)],
    ids=["MIN", "ADD", "product", "union"],
)
def test_one_round_from_some(reduce, shape, distribution, choice):
    """Only members send: what they read, along which mode, and who listens."""

    def work(graph):
        found = []
        members = frontier(graph, np.flatnonzero(thirds(np.arange(graph.num_vertices))))
        read = over_vertices(graph, lambda ids: ids % 2 + 1, np.int64)
        for mode, direction, sources, where in (
            ("out", "auto", read, None),
            ("in", "push", None, unset),
            ("both", "pull", read, unset),
        ):
            values = over_vertices(graph, lambda ids: ids % 4, np.int64)
            depths = graph.full(0, np.int32)
            changed = advance(graph, members, pass_on, values, reduce=reduce, source_values=sources,
                              where=where, mode=mode, direction=direction,
                              depths=depths)  # fmt: skip
            found += [values, changed, depths]
        return found

    check(work, GRAPHS, shape, distribution, choice)


@EVERY_VARIANT
@pytest.mark.parametrize(
    "options",
    [
        {"own": True, "finish": True},
        later({"mode": "both"}),
        later({"weights": None}),
    ],
    ids=["own", "both", "unit"],
)
def test_unwind(options, shape, distribution, choice):
    def work(graph):
        paths, first = start(graph, 0, 1.0)
        depths = graph.full(2**31 - 1, np.int32)
        if graph.num_vertices:
            depths[0] = 0
        propagate(graph, first, pass_on, paths, reduce=ADD, where=unset, depths=depths)
        below = over_vertices(graph, lambda ids: ids % 5)
        given = {"own": paths, "finish": plus} if "own" in options else options
        unwind(graph, depths, spread, below, reduce=ADD, **given)
        return below

    check(work, GRAPHS, shape, distribution, choice)


def plus(total, own):
    return total + own


# Neighborhoods.


@EVERY_VARIANT
@pytest.mark.parametrize("mode", ["in", later("out"), later("both")])
def test_reduce_neighbors(mode, shape, distribution, choice):
    def work(graph):
        values = over_vertices(graph, spotted)
        level = over_vertices(graph, lambda ids: (ids * 7 + 3) % 11 + 0.5)
        some = frontier(graph, np.flatnonzero(thirds(np.arange(graph.num_vertices))))
        made = graph.full(7.0)
        found = [
            reduce_neighbors(graph, None, spread, values, reduce=ADD, mode=mode),
            reduce_neighbors(graph, some, spread, values, reduce=ADD, mode=mode,
                             weights=over_arcs(graph)),
            reduce_neighbors(graph, None, spread, values, reduce=MIN, mode=mode, weights=None),
            reduce_neighbors(graph, some, tight, values, reduce=MAX, own=level, mode=mode,
                             dtype=np.int32),
            reduce_neighbors(graph, some, one, values, reduce=PRODUCT, mode=mode, dtype=np.int64),
        ]  # fmt: skip
        given = reduce_neighbors(graph, some, spread, values, reduce=ADD, mode=mode, out=made)
        assert given is made
        return [*found, made]

    check(work, GRAPHS, shape, distribution, choice)


@EVERY_VARIANT
def test_reduce_neighbors_to_tuples(shape, distribution, choice):
    def work(graph):
        values = (over_vertices(graph, spotted), graph.full(0, np.int32))
        some = frontier(graph, np.flatnonzero(thirds(np.arange(graph.num_vertices))))
        types = (np.float64, np.int32)
        return [
            reduce_neighbors(graph, members, pair_through, values, reduce=ARGMIN, dtype=types)
            for members in (None, some)
        ]

    check(work, GRAPHS, shape, distribution, choice)


@EVERY_VARIANT
@pytest.mark.parametrize("choose", ["max", later("min")])
def test_best_key(choose, shape, distribution, choice):
    def work(graph):
        label = over_vertices(graph, lambda ids: ids % 4, np.int64)
        some = frontier(graph, np.flatnonzero(thirds(np.arange(graph.num_vertices))))
        found = []
        for members, mode, weights in ((None, "in", "weight"), (some, "out", None)):
            for reduce in (ADD, MAX):
                best = reduce_neighbors(graph, members, only_pull, label, reduce=reduce, key=label,
                                        choose=choose, mode=mode, weights=weights,
                                        dtype=np.float64)  # fmt: skip
                found.append(tuple(best))
        return found

    check(work, GRAPHS, shape, distribution, choice)


def only_pull(weight):
    return weight


@EVERY_VARIANT
def test_keys_that_are_drawn(shape, distribution, choice):
    """By the same noise as on one device; also what a score reads at the key to stay with."""

    def work(graph):
        n = graph.num_vertices
        if n == 0:
            return []
        label = over_vertices(graph, lambda ids: ids * 3 % n, np.int64)
        stay = over_vertices(graph, lambda ids: ids * 5 % (n + 2) - 2, np.int64)
        size, own = over_vertices(graph, spotted), over_vertices(graph, thirds, np.float64)
        some = frontier(graph, np.flatnonzero(thirds(np.arange(n))))
        options = {"reduce": ADD, "key": label, "choose": at_home, "own": own, "stay": stay,
                   "by_key": {"size": size}, "params": {"scale": 0.25},
                   "dtype": np.float64}  # fmt: skip
        found = []
        for members, more in ((None, {}), (some, {"temperature": 2.0, "seed": 7}),
                              (None, {"temperature": 0.5, "skip_empty": True})):  # fmt: skip
            for mode in ("in", "out"):
                best = reduce_neighbors(graph, members, positive, label, mode=mode, **options,
                                        **more)  # fmt: skip
                found.append(tuple(best))
        return found

    check(work, GRAPHS, shape, distribution, choice)


def positive(weight):
    return weight if weight > 2 else 0


@EVERY_VARIANT
def test_settle(shape, distribution, choice):
    """Synchronous passes: groups by majority, masses carried along."""

    def work(graph):
        n, found = graph.num_vertices, []
        for parts, more in ((1, {}), (3, {}), (2, {"temperature": 1.0}), (in_thirds(graph), {})):
            label = graph.vertex_ids(np.int64)
            mass = over_vertices(graph, lambda ids: ids % 3 + 1.0, np.float64)
            size, active = mass.copy(), graph.full(1, np.int8)
            gain = settle(
                graph, active, only_pull, follow, label, reduce=ADD, key=label, stay=label,
                choose=smaller_first, by_key={"size": size}, masses={"size": mass},
                dtype=np.float64, passes=4, parts=parts, synchronous=True, seed=5, **more,
            )  # fmt: skip
            found += [label, size, active, round(gain, 6)]
            assert n == 0 or float(size.sum()) == float(mass.sum())
        return found

    check(work, [one for one in GRAPHS if not one.directed], shape, distribution, choice)


def in_thirds(graph):
    """Two parts of one's own."""
    ids = graph.vertex_ids(np.int64)

    def parts(turn, active):
        return multisplit(graph, active, is_third, ids, num_buckets=2)[::-1]

    return parts


def is_third(v, ids):
    return ids[v] % 3 == 0


def smaller_first(total, staying, size, staying_size):
    return total - staying + (staying_size - size) / 64


def follow(v, key, score, label):
    if not score > 0:
        return 0.0
    label[v] = key
    return score


@EVERY_VARIANT
@pytest.mark.parametrize("mode", ["in", later("out"), later("both")])
def test_sweep(mode, shape, distribution, choice):
    def work(graph):
        found = []
        for dtype in (np.float64, np.float32):
            values, out = over_vertices(graph, spotted, dtype), graph.full(0, dtype)
            sums = sweep(graph, spread, values, halved, (values, 0.5), reduce=ADD, out=out,
                         mode=mode, sums=2)  # fmt: skip
            found += [out, sums]
        return found

    check(work, GRAPHS, shape, distribution, choice)


def halved(v, total, values, factor):
    return total * factor, abs(total - values[v]), 1.0


@pytest.mark.parametrize(
    ("shape", "distribution"),
    [later((1, 1), "striped"), later((2, 2), "random"), ((2, 3), "block")],
)
def test_intersect(shape, distribution):
    """Counts and totals of every edge, seen as weights of the mode."""

    def work(graph):
        of_weights = intersect(graph, message=of_both, reduce=ADD, weights=over_arcs(graph))
        told = {"message": of_some, "reduce": MAX, "params": {"least": 5}, "dtype": np.float32}
        by_source = intersect(graph, **told)
        total = intersect(graph, each=False).total
        seen = []
        for weights in (of_weights.counts, of_weights.totals, by_source.totals):
            values = graph.full(0.0)
            seen.append(
                reduce_neighbors(
                    graph, None, marked_weight, values, reduce=MIN, mode="out", weights=weights
                )
            )
        return of_weights.total, total, by_source.counts is None, *seen

    check(work, GRAPHS, shape, distribution)


def marked_weight(weight, source):
    return weight * (source % 5 + 1)


def test_sweep_totals_floats_of_a_rank_in_float64():
    """2**24 + 1 + 1 + ...: in float32 all the ones would be lost, not those of a few ranks."""
    graph = SMALL["star"]

    def work(graph):
        values = over_vertices(graph, lambda ids: np.where(ids == 1, 2.0**24, 1.0), np.float32)
        out = graph.full(0, np.float32)
        return sweep(
            graph, pass_on, values, halved, (values, 0.5), reduce=ADD, out=out, sums=2
        ), out

    sums, out = on_ranks(work, (2, 3), graph)
    wanted, exact = work(graph)
    np.testing.assert_allclose(out, exact, rtol=2e-7)
    np.testing.assert_allclose(sums, wanted, rtol=2e-7)


@EVERY_VARIANT
def test_for_rows(shape, distribution, choice):
    def work(graph):
        values = over_vertices(graph, spotted)
        out, best = graph.full(0.0), graph.full(-1, np.int64)
        for_rows(graph, None, spread, keep_total, out, reduce=ADD, values=values)
        some = filter(graph, None, odd, (over_vertices(graph, lambda ids: ids, np.int64),))
        for_rows(graph, some, to_sender, keep_sender, best, reduce=ARGMIN,
                 dtype=(np.float64, np.int64))  # fmt: skip
        return [out, best]

    check(work, GRAPHS, shape, distribution, choice)


def keep_total(v, total, out):
    out[v] = total


def odd(v, ids):
    return ids[v] % 2 == 1


def to_sender(weight, source, own):
    return abs(source - own) * weight, source


def keep_sender(v, best, out):
    out[v] = best[1] if best[0] < np.inf else -1


# Members, and pointers.


@EVERY_VARIANT
def test_members(shape, distribution, choice):
    def work(graph):
        values = over_vertices(graph, spotted, np.int64)
        other = over_vertices(graph, lambda ids: ids / 4)
        some = frontier(graph, np.flatnonzero(thirds(np.arange(graph.num_vertices))))
        rest, kept = multisplit(graph, some, is_even, values, num_buckets=2)
        numbers = [
            reduce_all(graph, array, reduce=reduce, frontier=members)
            for array in (values, other)
            for reduce in (ADD, MIN, MAX)
            for members in (None, some, rest)
        ]
        numbers.append(reduce_all(graph, values, reduce=UNION))
        numbers.append(reduce_all(graph, (values, other), reduce=ADD, function=product))
        numbers.append(reduce_all(graph, (values, other), reduce=ARGMIN, frontier=some))
        numbers.append(reduce_all(graph, values, reduce=ANY, frontier=rest) in (-1, *range(9)))
        compute(graph, kept, double, (values, 3))
        ids = graph.xp.arange(graph.num_vertices)
        drawn = filter(graph, None, heads, (ids, 7))
        whole = random.uniform(7, ids, 1), random.integer(9, 7, ids)
        return kept, rest, filter(graph, None, is_even, values), values, numbers, drawn, whole

    check(work, GRAPHS, shape, distribution, choice)


def is_even(v, values):
    return values[v] % 2 == 0


def heads(v, ids, seed):
    return random.uniform(seed, ids[v]) < 0.5


def product(v, values, other):
    return values[v] * other[v]


def double(v, values, factor):
    values[v] *= factor


@EVERY_VARIANT
def test_pointers(shape, distribution, choice):
    def work(graph):
        n = graph.num_vertices
        at = over_vertices(graph, lambda ids: ids * 5 % max(n, 1), np.int64)
        values = over_vertices(graph, spotted, np.int32)
        found = [look_up(graph, values, at), look_up(graph, at, at)]
        look_up(graph, at, at, out=(made := graph.full(0, np.int64)))
        found.append(made)
        for reduce in (MIN, MAX, ADD):
            for dtype in (np.int32, np.float64):
                values = over_vertices(graph, spotted, dtype)
                some = over_vertices(graph, lambda ids: np.where(ids % 4, ids // 3, -1), np.int32)
                sent = over_vertices(graph, lambda ids: ids * 3 % 8, np.int64)
                found += [deliver(graph, values, some, sent, reduce=reduce), values]
        few = frontier(graph, np.flatnonzero(thirds(np.arange(n))))
        sent = over_vertices(graph, spotted, np.int32)
        pairs = sent.copy(), at.copy()
        found += look_up(graph, pairs, at, frontier=few)
        look_up(graph, at, at, frontier=few, out=(made := graph.full(7, np.int64)))
        found += [
            made,
            deliver(graph, pairs, some, (sent, at), reduce=ARGMIN, frontier=few),
            *pairs,
        ]
        times = graph.full(1, np.int64)
        found += [deliver(graph, times, some, sent % 3 + 1, reduce=PRODUCT, frontier=few), times]
        return found

    check(work, GRAPHS, shape, distribution, choice)


# Random graphs on random grids.

PLACES = st.tuples(st.integers(1, 4), st.integers(1, 4))


@given(any_graph(), PLACES, st.sampled_from(DISTRIBUTIONS), st.sampled_from(["dense", "sparse"]))
@settings(max_examples=40)
def test_any_graph(graph, shape, distribution, pattern):
    def work(graph):
        near, first = start(graph, np.inf, 0)
        left = propagate(graph, first, through, near, reduce=MIN)
        paths, first = start(graph, 0, 1, np.int64)
        depths = graph.full(-1, np.int32)
        propagate(graph, first, pass_on, paths, reduce=ADD, where=unset, depths=depths,
                  mode="both")  # fmt: skip
        values = over_vertices(graph, spotted)
        total = reduce_neighbors(graph, None, spread, values, reduce=ADD, mode="both")
        label = over_vertices(graph, lambda ids: ids % 4, np.int64)
        best = reduce_neighbors(graph, None, only_pull, label, reduce=ADD, key=label, choose="max",
                                dtype=np.float64)  # fmt: skip
        found = [near, left, paths, depths, total, tuple(best)]
        if not graph.directed:
            found.append(locally_dominant(graph).mate)
        return found

    check(work, [graph], shape, distribution, {"pattern": pattern})


# Searches.


@EVERY_VARIANT
def test_searches_that_are_sure(shape, distribution, choice):
    """Edges that are live always or never: what one device reaches."""

    def work(graph):
        starts, n = np.arange(graph.num_vertices)[::-1] % 150, graph.num_vertices
        along = (over_arcs(graph) > 1) * 1.0
        ragged = np.arange(n + 1).clip(0, n // 2), starts[: n // 2]
        found = []
        for mode in ("in", "out"):
            found += reach(graph, starts, along, mode=mode).members()
            found += reach(graph, ragged, 1.0, mode=mode, first=70).members()
        return found

    check(work, GRAPHS, shape, distribution, choice)


def test_searches_by_chance():
    """The same on every shape, in any number of calls; as often as exact chances say."""
    graph = Graph.from_edges([0, 0, 1, 2, 3, 1], [1, 2, 3, 3, 0, 2], directed=True)
    even = {"each": 0.3, "one": 0.25}
    turns, found = 6000, {}

    def work(graph, take, parts):
        starts, known = np.full(turns, 3), odds(graph, even[take], take=take)
        sets = None
        for part in np.split(starts, parts):
            sets = reach(graph, part, known, seed=4, out=sets)
        return list(sets.members())

    for take in even:
        wanted = on_ranks(lambda g, take=take: work(g, take, []), (1, 1), graph)
        for shape, parts in (((2, 2), []), ((1, 3), [100, 4200])):
            again = on_ranks(lambda g, take=take, cut=parts: work(g, take, cut), shape, graph)
            assert_same(again, wanted)
        found[take] = np.bincount(wanted[1], minlength=4) / turns
    here = {take: reach(graph, np.full(turns, 3), even[take], take=take, seed=9) for take in even}
    for take, share in found.items():
        other = np.bincount(here[take].members()[1], minlength=4) / turns
        about = np.sqrt(share * (1 - share) / turns)
        assert (np.abs(share - other) <= 4.5 * np.sqrt(2) * about + 1e-9).all()
        assert 0.2 < share[1] < 0.4 and share[3] == 1


def test_searches_on_a_grid_refuse_edges_out_one_by_one():
    def work(graph):
        with pytest.raises(ValueError, match="mode must be 'in' with take='one'"):
            reach(graph, [0], 0.1, take="one", mode="out")
        with pytest.raises(ValueError, match="chances must lie in 0 to 1, got 2"):
            reach(graph, [0], over_arcs(graph) * 0 + 2.0)

    on_ranks(work, (1, 2), SMALL["cycle, directed"])
