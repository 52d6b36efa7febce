"""`multisplit`: one frontier into several, whose members keep their order."""

from __future__ import annotations

import numpy as np
import pytest

from edgewise import CompileError
from edgewise.base.threads import threads
from edgewise.distributed import Grid, distribute
from edgewise.distributed.rank_threads import run_threads
from edgewise.operators import Frontier, frontier, multisplit as plain_multisplit
from tests.operators.engines import multisplit
from tests.operators.graphs import SMALL, random_graph


def digit(v, values, step):
    return values[v] // step - 1


def wanted(members, values, step, count):
    """For each bucket the members whose number it is, in their order."""
    return [[v for v in members if values[v] // step - 1 == b] for b in range(count)]


@pytest.mark.parametrize("team", [1, pytest.param(3, marks=pytest.mark.host)])
def test_each_in_its_bucket(team):
    graph = random_graph(3000, 9000, 1)
    values = np.random.default_rng(1).integers(0, 30, 3000)
    shuffled = np.random.default_rng(2).permutation(3000)[:700].astype(np.int32)
    with threads(team):
        for start in (None, Frontier(3000, ids=shuffled), frontier(graph, []), frontier(graph, 9)):
            members = np.arange(3000) if start is None else start.ids
            for step, count in ((1, 29), (10, 2), (30, 1), (2, 14), (3, 1024)):
                found = multisplit(graph, start, digit, (values, step), num_buckets=count)
                assert len(found) == count and {one.size for one in found} == {3000}
                piles = [one.ids.tolist() for one in found]
                assert piles == wanted(members.tolist(), values, step, count)
    with pytest.raises(
        ValueError, match=r"bucket must return integers below num_buckets \(5\), got 2"
    ):
        multisplit(graph, None, digit, (values, 1), num_buckets=5)


def test_edges_stay_edges():
    graph = SMALL["random, directed"]
    start = frontier(graph, edges=np.arange(0, graph.num_arcs, 2))
    values = np.arange(graph.num_arcs) % 3 + 1
    found = multisplit(graph, start, digit, (values, 1), num_buckets=3)
    assert {(one.kind, one.size) for one in found} == {("edges", graph.num_arcs)}
    assert [one.ids.tolist() for one in found] == wanted(start.ids.tolist(), values, 1, 3)


def test_no_vertices():
    found = multisplit(SMALL["empty"], None, digit, (np.zeros(0, int), 1), num_buckets=3)
    assert [len(one) for one in found] == [0, 0, 0]


@pytest.mark.host
@pytest.mark.parametrize("ranks", [1, 4])
def test_on_a_grid(ranks):
    graph = random_graph(60, 150, 2)
    values = np.arange(60) % 7

    def program(comm):
        spread = distribute(graph, grid=Grid(comm))
        found = plain_multisplit(spread, None, digit, (spread.share(values), 2), num_buckets=3)
        again = plain_multisplit(spread, found[1], digit, (spread.share(values), 4), num_buckets=2)
        return [(len(one), one.ids.tolist()) for one in (*found, *again)]

    first = wanted(range(60), values, 2, 3)
    expected = [(len(one), one) for one in (*first, *wanted(first[1], values, 4, 2))]
    for found in run_threads(program, ranks):
        assert found == expected


@pytest.mark.host
def test_buckets_are_whole_numbers():
    graph = SMALL["random"]
    with pytest.raises(CompileError, match="part .* it must give a whole number, that of a bucket"):
        multisplit(graph, None, part, np.full(graph.num_vertices, np.nan), num_buckets=3)


def part(v, values):
    return values[v]
