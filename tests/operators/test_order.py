"""The order in which the members of a frontier are processed, as `Frontier` promises it."""

from __future__ import annotations

from bisect import bisect_left

import numpy as np
import pytest

from edgewise.base import atomic
from edgewise.base.threads import threads
from edgewise.operators import (
    ADD,
    Frontier,
    advance,
    compute,
    filter,
    for_rows,
    frontier,
    reduce_neighbors,
)
from tests.operators.functions import one
from tests.operators.graphs import path, random_graph, star

pytestmark = pytest.mark.host  # a GPU promises nothing

GRAPH = random_graph(3000, 9000, 4)
IDS = np.random.default_rng(1).permutation(3000)[:2000].astype(np.int32)


def note(v, places, clock):
    places[v] = atomic.add(clock, 0, 1)


def note_member(v, places, clock):
    places[v] = atomic.add(clock, 0, 1)
    return True


def note_row(v, total, places, clock):
    places[v] = atomic.add(clock, 0, 1)


def note_best(v, key, score, places, clock):
    places[v] = atomic.add(clock, 0, 1)


def note_source(source, target, edge, places, clock):
    if places[source] < 0:
        places[source] = atomic.add(clock, 0, 1)
    return False


def computed(graph, members, state):
    compute(graph, members, note, state)


def filtered(graph, members, state):
    filter(graph, members, note_member, state)


def by_rows(graph, members, state):
    for_rows(graph, members, one, note_row, state, reduce=ADD, dtype=np.int64)


def by_keys(graph, members, state):
    key = graph.full(0)
    for_rows(graph, members, one, note_best, state, reduce=ADD, dtype=np.int64, key=key,
             choose="max")  # fmt: skip


def visited(graph, members, state):
    advance(graph, members, note_source, state)


WAYS = [computed, filtered, by_rows, by_keys, visited]


def places(way, members, graph=GRAPH):
    """When each member was processed."""
    state = graph.full(-1, np.int64), np.zeros(1, np.int64)
    way(graph, members, state)
    return state[0]


@pytest.mark.parametrize("way", WAYS)
def test_one_thread_goes_by_the_ids(way):
    graph = path(3000)  # where nobody lacks an edge
    with threads(1):
        assert places(way, Frontier(3000, ids=IDS), graph)[IDS].tolist() == [*range(2000)]
        assert places(way, frontier(graph, IDS), graph)[np.sort(IDS)].tolist() == [*range(2000)]
        assert places(way, None, graph).tolist() == [*range(3000)]


@pytest.mark.parametrize("way", WAYS[:4])
def test_every_thread_goes_by_the_ids(way):
    """So what three threads do is a mix of three ascending sequences (Dilworth)."""
    with threads(3):
        turns = places(way, Frontier(3000, ids=IDS))[IDS].tolist()
    assert sorted(turns) == [*range(2000)]
    falling: list[int] = []  # the least ends of falling sequences, negated, by their length
    for turn in turns:
        at = bisect_left(falling, -turn)
        falling[at : at + 1] = [-turn]
    assert len(falling) <= 3


def test_very_long_rows_come_last():
    graph = star(40_000)
    ids = np.array([3, 0, 2, 1], np.int32)
    with threads(1):
        for way in (by_rows, by_keys):
            assert places(way, Frontier(40_001, ids=ids), graph)[ids].tolist() == [0, 3, 1, 2]
        for way in (computed, filtered, visited):
            assert places(way, Frontier(40_001, ids=ids), graph)[ids].tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize("graph", [GRAPH, star(40_000)], ids=["random", "star"])
def test_greedy_coloring_in_any_order(graph):
    """A thread that writes the colors it reads is the sequential greedy algorithm."""
    n = graph.num_vertices
    order = np.random.default_rng(2).permutation(n).astype(np.int32)
    colors = graph.full(-1, np.int64)
    with threads(1):
        reduce_neighbors(graph, Frontier(n, ids=order), None, colors, key=colors, choose="absent",
                         out=(colors, None))  # fmt: skip
    expected = [-1] * n
    for v in order.tolist():
        taken = {expected[u] for u in graph.neighbors(v).tolist()}
        expected[v] = next(c for c in range(len(taken) + 1) if c not in taken)
    assert colors.tolist() == expected
