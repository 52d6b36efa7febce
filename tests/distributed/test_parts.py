"""Graphs whose vertices are distributed by a partition: equal results, and where edges are."""

from __future__ import annotations

import numpy as np
import pytest

import edgewise as ew
from edgewise import partitioning as pt
from edgewise.distributed import Grid, distribute, simulate_grid
from edgewise.generators import grid_2d
from tests.algorithms.samples import random_graph
from tests.distributed.grids import whole


def run(graph, shape, work, **options):
    return simulate_grid(
        lambda comm: whole(work(distribute(graph, grid=Grid(comm, shape), **options))),
        shape[0] * shape[1],
    )


@pytest.mark.parametrize("shape", [(1, 1), (4, 1), (1, 3), (2, 3)])
def test_results_are_those_of_one_device(shape):
    graph = random_graph(300, 900, seed=2)
    parts = np.random.default_rng(1).integers(0, 6, 300)
    wanted = ew.connected_components(graph), ew.bfs(graph, 3).distance, pt.edge_cut(graph, parts)
    wanted += (graph.contract(parts).graph.weights.sum(),)

    def work(spread):
        small = spread.contract(parts).graph
        total = pt.edge_cut(small, np.arange(6)) * 2 if small.num_vertices == 6 else 0
        return (ew.connected_components(spread), ew.bfs(spread, 3).distance,
                pt.edge_cut(spread, parts), total)  # fmt: skip

    found = run(graph, shape, work, parts=parts).results
    for one in found:
        np.testing.assert_array_equal(one[0], wanted[0])
        np.testing.assert_array_equal(one[1], wanted[1])
        assert one[2] == wanted[2]
        assert one[3] == 2 * wanted[2]


def test_a_rank_has_the_edges_of_its_part():
    graph = grid_2d(32, 32)
    parts = pt.multi_jagged(np.stack(np.divmod(np.arange(1024), 32), axis=1), 8)

    def outside(spread):
        row = spread.numbering.of["row"]
        _, targets, _ = spread.block.arcs()
        at = spread.numbering.positions()[targets]
        return int(((at < row.low) | (at >= row.high)).sum())

    cut = sum(run(graph, (8, 1), outside, parts=parts).results)
    assert cut == 2 * pt.edge_cut(graph, parts)
    assert cut < 0.3 * sum(run(graph, (8, 1), outside).results)


def test_parts_must_be_alike_on_all_ranks():
    graph = grid_2d(2, 4)

    def program(comm):
        distribute(graph, grid=Grid(comm, (2, 1)), parts=np.arange(8) % 2 + comm.rank)

    with pytest.raises(Exception, match="parts"):
        simulate_grid(program, 2)
