"""Calls whose functions or arguments differ between ranks: an error that names what differs."""

from __future__ import annotations

import functools

import numpy as np
import pytest

import edgewise as ew
from edgewise.distributed import Grid, RankError, distribute, simulate_grid
from edgewise.distributed.calls import content
from edgewise.distributed.rank_threads import run_threads
from edgewise.generators import path, rmat
from tests.operators.functions import pass_on

GRAPH = rmat(5, seed=1)


def told(work, size=4):
    """What all ranks say of a call with the rank's number."""
    said = {}

    def program(comm):
        graph = distribute(GRAPH, grid=Grid(comm))
        try:
            work(graph, comm.rank)
        except RankError as error:
            said[comm.rank] = str(error)

    run_threads(program, size)
    assert set(said) == set(range(size)) and len(set(said.values())) == 1, said
    return said[0]


CALLS = {
    "bfs: source must be the same on all ranks: rank 0 has 7, rank 2 has 0": (
        lambda graph, rank: ew.bfs(graph, [7, 7, 0, 0][rank])
    ),
    "pagerank: tol must be the same on all ranks: rank 0 has 1e-08, rank 1 has 0.001": (
        lambda graph, rank: ew.pagerank(graph, **({"tol": 1e-3} if rank == 1 else {}))
    ),
    "betweenness_centrality: k must be the same on all ranks: rank 0 has 4, rank 3 has 5": (
        lambda graph, rank: ew.betweenness_centrality(graph, k=5 if rank == 3 else 4)
    ),
    "rank 0 calls pagerank(), rank 1 calls bfs()": (
        lambda graph, rank: ew.bfs(graph, 0) if rank else ew.pagerank(graph)
    ),
    "advance: function must be the same on all ranks: rank 0 has pass_on, rank 1 has <lambda>": (
        lambda graph, rank: ew.advance(
            graph,
            None,
            (lambda value: value + 1) if rank == 1 else pass_on,
            graph.full(0),
            reduce=ew.MIN,
        )
    ),
    "frontier: vertices must be the same on all ranks: rank 0 has [1, 2], rank 1 has [1, 3]": (
        lambda graph, rank: ew.frontier(graph, [1, 3 if rank == 1 else 2])
    ),
    "setting by vertex: vertices must be the same on all ranks: rank 0 has 0, rank 1 has 1": (
        lambda graph, rank: graph.full(0).__setitem__(rank, 1)
    ),
    "reading by vertex: vertices must be the same on all ranks: "
    "rank 0 has array([0]), rank 1 has array([1])": lambda graph, rank: graph.full(0)[rank],
    "pagerank: graph must be the same on all ranks: rank 0 has one with number=2, "
    "rank 3 has one with number=3": (
        lambda graph, rank: ew.pagerank(
            [distribute(GRAPH, grid=graph.grid), distribute(GRAPH, grid=graph.grid)][rank == 3]
        )
    ),
    "reduce_neighbors: values must be the same on all ranks: rank 0 has one with graph=1, "
    "rank 1 has one with graph=2": (
        lambda graph, rank: ew.reduce_neighbors(
            graph,
            None,
            pass_on,
            [graph, distribute(GRAPH, grid=graph.grid)][rank == 1].full(1.0),
            reduce=ew.ADD,
        )
    ),
    "Grid: shape must be the same on all ranks: rank 0 has (2, 2), rank 1 has (4, 1)": (
        lambda graph, rank: Grid(graph.grid.world, "4x1" if rank == 1 else "2x2")
    ),
    "distribute: num_vertices must be the same on all ranks: rank 0 has 2, rank 1 has 3": (
        lambda graph, rank: distribute(path(2 + rank), grid=graph.grid)
    ),
}


@pytest.mark.parametrize("message", CALLS)
def test_what_differs_is_named(message):
    assert told(CALLS[message]) == message


def test_arrays_are_compared_whole():
    def work(graph, rank):
        start = np.ones(GRAPH.num_vertices)
        start[20] += rank == 3
        ew.personalized_pagerank(graph, start)

    message = told(work)
    assert message.startswith("personalized_pagerank: ") and message.endswith(
        "rank 3 has one with other content"
    )


def test_graphs_are_compared_whole():
    one, other = (
        ew.Graph.from_edges([0, 1], [1, 2], [1.0, weight], num_vertices=4) for weight in (2.0, 3.0)
    )
    message = told(lambda graph, rank: distribute(other if rank else one, grid=graph.grid))
    assert message.startswith("distribute: weights must be the same on all ranks")


def test_the_same_call_in_other_words():
    def program(comm):
        graph = distribute(GRAPH, grid=Grid(comm))
        if comm.rank:
            return ew.bfs(graph=graph, source=np.int64(3)).distance.tolist()
        return ew.bfs(graph, 3).distance.tolist()

    first, *others = run_threads(program, 4)
    assert others == [first] * 3


@pytest.mark.parametrize("calls", [0, 1, 2])
def test_a_call_costs_one_reduction(calls):
    """What a public function calls in turn is not compared again."""

    def program(comm):
        graph = distribute(GRAPH, grid=Grid(comm))
        for _ in range(calls):
            graph.call(lambda graph: [ew.frontier(graph, 0) for _ in range(5)], graph)

    base = simulate_grid(lambda comm: distribute(GRAPH, grid=Grid(comm)), 4).report
    report = simulate_grid(program, 4).report
    assert report.collectives["allreduce"] - base.collectives["allreduce"] == calls
    assert report.max("sent", "control") - base.max("sent", "control") == calls * 24


def test_content():
    power = functools.partial(pow, 2)
    for value in (1, 1.5, "x", None, [1, (2, 3)], {"a": {1, 2}}, np.arange(3),
                  np.array(["a"], object), ew.MIN, pass_on, power, path, GRAPH):  # fmt: skip
        assert content(value) == content(value)
    different = [1, 2, 1.5, "1", [1], np.arange(3), np.arange(3.0), np.arange(4), ew.MIN, ew.MAX,
                 pass_on, lambda value: value - 1, lambda value: value - 2, power]  # fmt: skip
    assert len({repr(content(value)) for value in different}) == len(different)


def test_functions_count_by_what_they_close_over():
    def adding(number):
        return lambda value: value + number

    assert content(adding(1)) == content(adding(1)) != content(adding(2))
