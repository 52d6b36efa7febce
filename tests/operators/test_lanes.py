"""Counts by lane and running sums over in-edges, against plain loops, on every engine."""

from __future__ import annotations

import numpy as np
import pytest

from edgewise.operators import frontier
from edgewise.operators.incoming import incoming_sums
from edgewise.operators.lanes import lane_counts
from tests.distributed.grids import assert_same, on_ranks
from tests.operators.engines import call
from tests.operators.graphs import SMALL, random_graph

GRAPHS = {name: SMALL[name] for name in ("empty", "no edges", "random", "random, directed")}


def words_of(n, width):
    rng = np.random.default_rng(n)
    words = rng.integers(0, 2**64, (n, width), np.uint64)
    words[rng.random((n, width)) < 0.3] = 0
    return words


def by_lane(words):
    return np.unpackbits(words.view(np.uint8), axis=1, bitorder="little").sum(axis=0)


@pytest.mark.parametrize("width", [1, 3])
@pytest.mark.parametrize("name", GRAPHS)
def test_counts(name, width):
    n = GRAPHS[name].num_vertices
    words = words_of(n, width)
    for ids in (np.arange(n), np.arange(0, n, 3), np.arange(0)):
        found = call(lane_counts, GRAPHS[name], frontier(GRAPHS[name], ids), words)
        assert found.dtype == np.int64 and found.tolist() == by_lane(words[ids]).tolist()


def test_more_members_than_eight_digits_count():
    graph = random_graph(700, 10, 1)
    every = np.full((700, 1), 2**64 - 1, np.uint64)
    for count in (255, 256, 700):
        found = call(lane_counts, graph, frontier(graph, np.arange(count)), every)
        assert found.tolist() == [count] * 64


@pytest.mark.parametrize("name", [*GRAPHS, "repeated edges"])
def test_running_sums(name):
    graph = SMALL[name]
    values = np.arange(graph.num_arcs) * 7 % 10
    totals, expected = {}, []
    _, v, _ = graph.arcs()
    for target, value in zip(v.tolist(), values.tolist(), strict=True):
        expected.append(totals.get(target, 0))
        totals[target] = expected[-1] + value
    assert call(incoming_sums, graph, values).tolist() == expected


@pytest.mark.host
@pytest.mark.parametrize("shape", [(2, 3), (1, 1), (3, 1)])
def test_on_a_grid(shape):
    graph = SMALL["random, directed"]
    n = graph.num_vertices
    words, some = words_of(n, 2), np.arange(0, n, 3)

    def work(given):
        lanes = words if given.one_device else given.share(words)
        chosen = frontier(given, some) | frontier(given, [1, 3])
        sums = incoming_sums(given, given.indices * 3 + 1) + given.indices
        return [lane_counts(given, chosen, lanes), len(chosen), int((sums * sums).sum()),
                len(frontier(given) | chosen)]  # fmt: skip

    assert_same(on_ranks(work, shape, graph), work(graph))


def test_unions():
    graph = SMALL["random"]
    both = frontier(graph, [5, 2]) | frontier(graph, [2, 9])
    assert both.ids.tolist() == [2, 5, 9] and both.kind == "vertices"
    assert (frontier(graph, edges=[1]) | frontier(graph, edges=[0])).ids.tolist() == [0, 1]
    with pytest.raises(ValueError, match="frontiers must be of one graph and one kind, got"):
        frontier(graph, 1) | frontier(graph, edges=1)
    with pytest.raises(TypeError):
        frontier(graph, 1) | [2]
