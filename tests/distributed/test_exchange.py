"""How copies are brought in line: every pattern gives the same, and which one is used when."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from edgewise.distributed import Grid, distribute, simulate_grid, tuned
from edgewise.distributed.arrays import VertexArray
from edgewise.distributed.exchange import (
    agree,
    dense,
    kind_of,
    pack,
    reduce_along,
    share,
    spread,
    unpack,
)
from edgewise.distributed.packet_swap import ask, post, publish
from edgewise.distributed.rank_threads import run_threads
from edgewise.operators import ADD, ANY, ARGMIN, MAX, MIN, frontier, propagate
from tests.distributed.grids import DISTRIBUTIONS, check_copies
from tests.operators.functions import PRODUCT, UNION, pass_on
from tests.operators.graphs import SMALL, path, random_graph

PATTERNS = st.sampled_from(["auto", "dense", "sparse"])
SIDES = st.sampled_from(["row", "column"])
PLACES = st.tuples(st.integers(1, 3), st.integers(1, 4), st.sampled_from(DISTRIBUTIONS))
MANY = settings(max_examples=30)


def on_grid(work, place, n):
    """Run ``work(graph, numbers drawn for the rank)`` on all ranks of a grid."""
    rows, columns, distribution = place
    graph = random_graph(n, 2 * n, 1)

    def program(comm):
        spread = distribute(
            graph, distribution=distribution, seed=4, grid=Grid(comm, (rows, columns))
        )
        return work(spread, np.random.default_rng([n, comm.rank]))

    return run_threads(program, rows * columns)


def some_of(graph, side, draw, share_of=0.4):
    """Some local numbers of a side."""
    place = graph.numbering.slice(side)
    mask = draw.random(place.stop - place.start) < share_of
    return (np.flatnonzero(mask) + place.start).astype(np.int32)


def told(graph, ids, *numbers):
    """What all ranks brought, in their order: lists of ids and numbers."""
    every = graph.grid.world.gather_objects((graph.ids[ids].tolist(), *map(np.ndarray.tolist,
                                                                           numbers)))  # fmt: skip
    return [row for one in every for row in zip(*one, strict=True)]


def check_result(graph, parts, before, wanted, changed):
    """Every copy holds what is wanted, and exactly those that are new are said to have changed."""
    differs = np.zeros(graph.numbering.size, bool)
    for part, old, whole in zip(parts, before, wanted, strict=True):
        np.testing.assert_array_equal(part, whole[graph.ids])
        check_copies(VertexArray(graph, part))
        differs |= whole[graph.ids] != old[graph.ids]
    assert len(set(changed.tolist())) == len(changed)
    assert set(np.flatnonzero(differs).tolist()) <= set(changed.tolist())
    return set(changed.tolist()) == set(np.flatnonzero(differs).tolist())


@given(PLACES, st.integers(1, 40), SIDES, PATTERNS)
@MANY
def test_agree_on_minima(place, n, side, pattern):
    def work(graph, draw):
        before = np.arange(n) * 5 % 17
        part = before[graph.ids]
        ids = some_of(graph, side, draw)
        new = draw.integers(0, 17, len(ids))
        ids, new = ids[new < part[ids]], new[new < part[ids]]
        part[ids] = new
        wanted = before.copy()
        for v, number in told(graph, ids, new):
            wanted[v] = min(wanted[v], number)
        changed = agree(graph, side, ids, (part,), MIN, pattern)
        assert check_result(graph, (part,), (before,), (wanted,), changed)

    on_grid(work, place, n)


@given(PLACES, st.integers(1, 40), SIDES, PATTERNS)
@MANY
def test_agree_by_a_monoid_of_ones_own(place, n, side, pattern):
    def work(graph, draw):
        before = np.arange(n) % 4
        part, ids = before[graph.ids], some_of(graph, side, draw)
        new = part[ids] | (1 << draw.integers(0, 6, len(ids)))
        ids, new = ids[new != part[ids]], new[new != part[ids]]
        part[ids] = new
        wanted = before.copy()
        for v, number in told(graph, ids, new):
            wanted[v] |= number
        changed = agree(graph, side, ids, (part,), UNION, pattern)
        assert check_result(graph, (part,), (before,), (wanted,), changed)

    on_grid(work, place, n)


@given(PLACES, st.integers(1, 40), SIDES, PATTERNS)
@MANY
def test_agree_on_pairs(place, n, side, pattern):
    def work(graph, draw):
        before = np.full(n, np.inf), np.full(n, 2**31 - 1, np.int32)
        parts = tuple(whole[graph.ids] for whole in before)
        ids = some_of(graph, side, draw)
        keys, names = draw.integers(0, 3, len(ids)) / 4, draw.integers(0, 9, len(ids), np.int32)
        parts[0][ids], parts[1][ids] = keys, names
        wanted = tuple(whole.copy() for whole in before)
        for v, *new in told(graph, ids, keys, names):
            if new < [wanted[0][v], wanted[1][v]]:
                wanted[0][v], wanted[1][v] = new
        changed = agree(graph, side, ids, parts, ARGMIN, pattern)
        assert check_result(graph, parts, before, wanted, changed)

    on_grid(work, place, n)


@given(PLACES, st.integers(1, 40), SIDES, PATTERNS)
@MANY
def test_agree_on_any(place, n, side, pattern):
    """The first message in the order of the ranks, the same one everywhere."""

    def work(graph, draw):
        before = np.where(np.arange(n) % 3, -1, 7)
        part, ids = before[graph.ids], some_of(graph, side, draw)
        ids = ids[part[ids] < 0]
        part[ids] = new = np.full(len(ids), graph.grid.rank)
        offers = told(graph, ids, new)
        changed = agree(graph, side, ids, (part,), ANY, pattern)
        found = VertexArray(graph, part)
        check_copies(found)
        whole, wanted = found.gather(), before.copy()
        for v, _ in offers:
            assert (v, whole[v]) in offers
            wanted[v] = whole[v]
        assert check_result(graph, (part,), (before,), (wanted,), changed)

    on_grid(work, place, n)


@given(PLACES, st.integers(1, 40), SIDES, PATTERNS, st.sampled_from([ADD, PRODUCT]))
@MANY
def test_totals_are_the_same_bits_everywhere(place, n, side, pattern, reduce):
    """Sums of floats of all magnitudes, found apart on every rank."""

    def work(graph, draw):
        start = 0.0 if reduce is ADD else 1.0
        part = np.full(graph.numbering.size, start)
        ids = some_of(graph, side, draw, 0.8)
        part[ids] = new = draw.standard_normal(len(ids)) * 10.0 ** draw.integers(-3, 4, len(ids))
        wanted = np.full(n, start)
        for v, number in told(graph, ids, new):
            wanted[v] = wanted[v] + number if reduce is ADD else wanted[v] * number
        ids = reduce_along(graph, side, ids, (part,), reduce, pattern, apart=True)
        share(graph, side, ids, (part,), pattern)
        check_copies(VertexArray(graph, part))
        np.testing.assert_allclose(part, wanted[graph.ids], rtol=1e-12, atol=1e-9)

    on_grid(work, place, n)


@given(PLACES, st.integers(1, 40), SIDES)
@MANY
def test_dense_and_spread(place, n, side):
    def work(graph, draw):
        part = np.full(graph.numbering.size, -1)
        mine = graph.numbering.slice(side)
        part[mine] = 1
        dense(graph, side, part, "sum")
        assert (part == graph.grid.along(side).size).all()
        part[:] = -1
        part[mine] = graph.ids[mine]
        spread(graph, side, part)
        np.testing.assert_array_equal(part, graph.ids)

    on_grid(work, place, n)


@given(st.lists(st.sampled_from(["?", "i1", "i4", "i8", "f4", "f8", "u8"]), min_size=1),
       st.integers(0, 20))  # fmt: skip
def test_packing(dtypes, count):
    fields = tuple((np.arange(count) * (k + 3) % 7).astype(kind) for k, kind in enumerate(dtypes))
    fields += (np.outer(np.arange(count), [1, 2, 3]).astype(np.int16),)  # rows of three numbers
    words = pack(np, fields)
    assert words.dtype == np.uint64
    for one, other in zip(unpack(words, count, list(map(kind_of, fields))), fields, strict=True):
        np.testing.assert_array_equal(one, other)
        assert one.dtype == other.dtype and one.shape == other.shape


@given(PLACES, st.integers(1, 30))
@MANY
def test_packets_arrive(place, count):
    """Everything at its destination, once, with its fields side by side."""

    def work(graph, draw):
        size, me = graph.grid.size, graph.grid.rank
        many = int(draw.integers(0, count))
        ranks = draw.integers(0, size, many)
        fields = (np.full(many, me, np.int32), np.arange(many), draw.random(many) < 0.5)
        found = post(graph, ranks, fields)
        assert [one.dtype for one in found] == [one.dtype for one in fields]
        sent = graph.grid.world.gather_objects((ranks, *fields))
        wanted = [row[1:] for one in sent for row in zip(*one, strict=True) if row[0] == me]
        assert sorted(zip(*found, strict=True)) == sorted(wanted)

    on_grid(work, place, 10)


@given(PLACES, st.integers(1, 40))
@MANY
def test_asking_and_publishing(place, n):
    def work(graph, draw):
        whole = np.arange(n) * 3 + 1
        values = whole[graph.ids]
        positions = draw.integers(0, n, int(draw.integers(0, 2 * n)))
        found = ask(graph, values, positions)
        np.testing.assert_array_equal(found, whole[graph.layout.vertex(positions)])

        own = np.arange(graph.own.start, graph.own.stop, dtype=np.int32)
        ids = own[draw.random(len(own)) < 0.5]
        values[ids] = -graph.ids[ids]
        wanted = whole.copy()
        for (v,) in told(graph, ids):
            wanted[v] = -v
        new = publish(graph, ids, (values,))
        np.testing.assert_array_equal(values, wanted[graph.ids])
        assert set(new.tolist()) == set(np.flatnonzero(wanted[graph.ids] <= 0).tolist())

    on_grid(work, place, n)


# Which pattern is used, as simulated ranks count it.


def collectives(work, graph, shape=(2, 2)):
    """The collectives of ``work(graph)`` by kind, beyond those that make the graph."""

    def program(comm, more=True):
        spread = distribute(graph, grid=Grid(comm, shape))
        if more:
            work(spread)

    size = shape[0] * shape[1]
    found, base = (
        simulate_grid(lambda comm, more=more: program(comm, more), size).report.collectives
        for more in (True, False)
    )
    return {kind: count - base.get(kind, 0) for kind, count in found.items()}


def agreeing(share_of, pattern, reduce=MIN):
    def work(graph):
        draw = np.random.default_rng(graph.grid.rank)
        part = np.full(graph.numbering.size, 100)
        ids = some_of(graph, "column", draw, share_of)
        part[ids] = 5
        agree(graph, "column", ids, (part,), reduce, pattern)

    return work


@pytest.mark.parametrize(
    ("share_of", "pattern", "sends_all"),
    [
        (0.0, "dense", True),
        (1.0, "dense", True),
        (0.0, "sparse", False),
        (1.0, "sparse", False),
        (0.1, "auto", False),
        (1.0, "auto", True),
    ],
)
def test_which_pattern(share_of, pattern, sends_all):
    kinds = collectives(agreeing(share_of, pattern), random_graph(600, 900, 1))
    assert (kinds.get("allreduce", 0) > 0) == sends_all
    assert (kinds.get("broadcast", 0) > 0) == sends_all


def test_own_monoids_travel_sparse():
    kinds = collectives(agreeing(1.0, "auto", UNION), random_graph(600, 900, 1))
    assert kinds.get("allreduce", 0) == 0


def test_a_lonely_wave_sends_little():
    """Along a path one vertex is new in each round: sparse rounds cost far less than dense ones."""
    graph = path(400)

    def program(comm):
        spread = distribute(graph, distribution="block", grid=Grid(comm, (2, 2)))
        hops = spread.full(np.iinfo(np.int64).max, np.int64)
        hops[0] = 0
        propagate(spread, frontier(spread, 0), pass_on, hops, reduce=MIN, max_iter=20)

    sent = {}
    for pattern in ("auto", "dense", "sparse"):
        with tuned(pattern=pattern):
            report = simulate_grid(program, 4).report
        sent[pattern] = report.total("sent", "reduce") + report.total("sent", "share")
    assert sent["auto"] == sent["sparse"] < sent["dense"]


def test_everything_at_once_sends_all():
    """When all labels change in a round, values go out as they lie, without positions."""

    def work(graph):
        label = graph.full(0, np.int64)
        label += 1000 - graph.xp.arange(graph.num_vertices)
        propagate(graph, None, pass_on, label, reduce=MAX, max_iter=1)

    for pattern in ("auto", "dense", "sparse"):
        with tuned(pattern=pattern):
            kinds = collectives(work, SMALL["clique with loops"])
        assert (kinds.get("broadcast", 0) > 0) == (pattern != "sparse")


def test_tuning_is_checked_and_ends_with_its_block():
    with pytest.raises(ValueError, match="pattern must be one of"), tuned(pattern="thick"):
        pass
    with pytest.raises(ValueError, match="direction must be one of"), tuned(direction="up"):
        pass
    with tuned(pattern="dense") as chosen:
        assert chosen.pattern == "dense" and chosen.queues
