"""Grids: shapes, who stands where, and the groups along rows and columns."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from edgewise.distributed import Grid, GridGraph, RankError, distribute
from edgewise.distributed.grid import check_shape
from edgewise.distributed.rank_threads import run_threads
from edgewise.graph import Graph
from tests.distributed.grids import DISTRIBUTIONS, SHAPES
from tests.distributed.helpers import gather_graph, same
from tests.operators.graphs import SMALL, any_graph


@pytest.mark.parametrize(
    ("size", "shape"), [(1, (1, 1)), (2, (1, 2)), (6, (2, 3)), (7, (1, 7)), (16, (4, 4))]
)
def test_as_square_as_can_be(size, shape):
    assert check_shape(None, size) == shape


@pytest.mark.parametrize("given", ["2x3", " 2X3 ", (2, 3), [2, 3], np.array([2, 3])])
def test_shapes(given):
    assert check_shape(given, 6) == (2, 3)


@pytest.mark.parametrize("given", ["2", "2x", "0x6", "-2x-3", "2x3x1", "axb", ""])
def test_wrong_words(given):
    with pytest.raises(ValueError, match="grid must be rows x columns, such as 2x3, got"):
        check_shape(given, 6)


def test_wrong_numbers():
    for shape in ("2x2", (2, 2), (6, 2)):
        with pytest.raises(ValueError, match=r"grid \dx2 takes \d+ ranks, but there are 6"):
            check_shape(shape, 6)
    for shape in ((-2, -3), (1, 2, 3), (2.5, 3), 6):
        with pytest.raises((TypeError, ValueError)):
            check_shape(shape, 6)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_groups(shape):
    def program(comm):
        grid = Grid(comm, shape)
        assert (grid.rank, grid.size) == (comm.rank, comm.size) and grid.world is comm
        assert (grid.r, grid.c) == divmod(comm.rank, shape[1])
        assert (grid.row.rank, grid.row.size) == (grid.c, shape[1])
        assert (grid.column.rank, grid.column.size) == (grid.r, shape[0])
        assert grid.along("row") is grid.row and grid.along("column") is grid.column
        mates = grid.row.gather_objects(comm.rank), grid.column.gather_objects(comm.rank)
        assert repr(grid) == f"Grid({shape[0]}x{shape[1]}, rank {comm.rank})"
        return mates

    rows, columns = shape
    for rank, (row, column) in enumerate(run_threads(program, rows * columns)):
        r, c = divmod(rank, columns)
        assert row == [r * columns + k for k in range(columns)]
        assert column == [k * columns + c for k in range(rows)]


def test_a_wrong_shape_fails_on_all_ranks():
    with pytest.raises(ValueError, match="grid 3x2 takes 6 ranks, but there are 4"):
        run_threads(lambda comm: Grid(comm, "3x2"), 4)


@given(any_graph(), st.tuples(st.integers(1, 3), st.integers(1, 4)), st.sampled_from(DISTRIBUTIONS))
@settings(max_examples=40)
def test_a_graph_is_all_there(graph, shape, distribution):
    """Every arc is on one rank, numbers are those of the whole, and degrees are too."""

    def program(comm):
        spread = distribute(graph, distribution=distribution, seed=3, grid=Grid(comm, shape))
        assert same(gather_graph(spread), graph)
        assert spread.num_vertices == graph.num_vertices
        assert spread.num_arcs == graph.num_arcs and spread.num_edges == graph.num_edges
        assert spread.num_self_loops == graph.num_self_loops
        assert spread.max_degree == graph.degrees().max(initial=0)
        assert spread.degrees().tolist() == graph.degrees().tolist()
        assert spread.in_degrees().tolist() == graph.in_degrees().tolist()
        assert spread.row_lengths().tolist() == graph.row_lengths().tolist()
        assert spread.column_lengths().tolist() == graph.column_lengths().tolist()
        assert len(spread.weights) == graph.num_arcs
        counted = spread.full(0, np.int64)
        for side in ("row", "column"):
            counted.local[:] = 0
            counted.local[spread.once(side)] = 1
            mine = comm.allreduce(np.array([counted.local.sum()]))
            assert mine[0] == graph.num_vertices
        assert (spread.layout.vertex(spread.positions) == spread.ids).all()

    run_threads(program, shape[0] * shape[1])


def test_what_a_graph_on_a_grid_does_not_have():
    def program(comm):
        graph = distribute(SMALL["random"], grid=Grid(comm))
        for name in ("reverse_arc", "neighbors", "arcs", "subgraph"):
            with pytest.raises(AttributeError, match=f"a graph on a grid has no '{name}'"):
                getattr(graph, name)
        with pytest.raises(AttributeError, match="'GridGraph' object has no attribute 'color'"):
            graph.color  # noqa: B018
        assert graph.engine == "grid" and graph.device == "cpu" and graph.labels is None
        assert graph.to("cpu") is graph
        return repr(graph)

    (first, *_) = run_threads(program, 4)
    assert first.startswith("GridGraph(undirected, 150 vertices, 396 edges, 2x2, rank 0 has ")


def test_errors():
    def wrong_block(comm):
        graph = distribute(SMALL["random"], grid=Grid(comm))
        small = Graph.from_edges([0], [1])
        GridGraph(graph.grid, graph.layout, small, directed=False)

    with pytest.raises(ValueError, match=r"block must have \d+ rows, got 2"):
        run_threads(wrong_block, 4)
    with pytest.raises(ValueError, match="distribution must be one of"):
        run_threads(lambda comm: distribute(SMALL["path"], distribution="even", grid=Grid(comm)), 2)

    def one_fails(comm):
        Grid(comm)
        if comm.rank == 1:
            raise KeyError("lost")
        try:
            comm.barrier()
        except RankError as error:
            return str(error)

    with pytest.raises(KeyError, match="lost"):
        run_threads(one_fails, 2)


def test_vertices_as_of_a_container():
    def program(comm):
        graph = distribute(Graph.from_edges(["ann"], ["bob"]), grid=Grid(comm))
        return len(graph), bool(graph), "ann" in graph, 1 in graph, 2 in graph

    assert run_threads(program, 2) == [(2, True, True, True, False)] * 2
