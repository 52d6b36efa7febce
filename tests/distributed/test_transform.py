"""Graphs made of a graph on a grid, and arrays that go between the two: as on one device."""

from __future__ import annotations

import numpy as np
import pytest

from edgewise import generators
from edgewise.distributed import Grid, distribute
from edgewise.distributed.arrays import ArcArray
from edgewise.distributed.output import collect
from edgewise.distributed.rank_threads import run_threads
from edgewise.graph import Graph, Labels
from edgewise.graph.anywhere import index_of, numbered, padded, put, rows_at, whole, whole_xp
from edgewise.graph.edges import Arcs, arc_ends, other_direction, per_edge
from edgewise.graph.subgraphs import named_part, only_edges
from tests.distributed.grids import DISTRIBUTIONS, assert_close, assert_same, check, on_ranks
from tests.distributed.helpers import same
from tests.tiers import later


def _with_loops(directed: bool) -> Graph:
    graph = generators.rmat(6, edge_factor=3, seed=8, directed=directed)
    u, v, _ = graph.edges()
    loops = np.arange(0, graph.num_vertices, 5)
    u, v = np.concatenate([u, loops]), np.concatenate([v, loops])
    weights = ((u.astype(np.int64) + v) % 9 + 1) / 4
    return Graph.from_edges(u, v, weights, directed=directed, num_vertices=graph.num_vertices + 3)


GRAPHS = [_with_loops(False), _with_loops(True), Graph.from_edges([], [], num_vertices=2),
          Graph.from_edges([0], [0])]  # fmt: skip
ON_GRIDS = pytest.mark.parametrize("shape", [(2, 3), later((1, 1)), later((2, 2)), later((3, 1))])


@ON_GRIDS
@pytest.mark.parametrize("distribution", [DISTRIBUTIONS[2], *map(later, DISTRIBUTIONS[:2])])
def test_graphs_of_a_graph(shape, distribution):
    def work(graph):
        heavy = graph.full_arcs(False) if graph.weights is None else graph.weights > 1
        return [
            graph.without_self_loops(),
            graph.with_weights(None),
            graph.with_weights(Arcs(graph.full_arcs(2, np.int64))).to_undirected(),
            only_edges(graph, heavy),
            named_part(graph, graph.vertex_ids() % 3 != 1),
            named_part(graph, graph.vertex_ids() < 0),
        ]

    check(work, GRAPHS, shape, distribution)


def test_weights_of_edges_that_go_both_ways():
    graph = Graph.from_edges([0, 1, 1, 3, 2], [1, 0, 2, 3, 1], [2.0, 3.0, 4.0, 1.0, 0.5],
                             directed=True)  # fmt: skip
    check(lambda g: [g.to_undirected(duplicates=one) for one in ("sum", "min", "max")], [graph],
          (2, 2))  # fmt: skip
    with pytest.raises(ValueError, match="duplicates must be one of"):
        on_ranks(lambda g: g.to_undirected(duplicates="first"), (2, 2), graph)
    with pytest.raises(TypeError, match="weights on a grid must be an array over its arcs"):
        on_ranks(lambda g: g.with_weights(np.ones(5)), (2, 2), graph)


@pytest.mark.parametrize(
    "labels",
    [Labels.range(4, 67), Labels(np.arange(67)[::-1] * 7), Labels([f"v{i}" for i in range(67)])],
    ids=["range", "integers", "texts"],
)
def test_a_part_keeps_its_names(labels):
    graph = GRAPHS[0].with_labels(labels)
    assert len(labels) == graph.num_vertices
    check(lambda g: named_part(g, g.vertex_ids() % 3 != 1), [graph], (2, 2))
    wanted = named_part(graph, np.arange(67) % 3 != 1)

    def program(comm):
        there = distribute(graph, grid=Grid(comm))
        return collect(named_part(there, there.vertex_ids() % 3 != 1))

    first, *others = run_threads(program, 4)
    assert same(first, wanted) and others == [None] * 3


@ON_GRIDS
def test_values_per_edge(shape):
    """In the order of one device, also on one rank, and from one direction to the other."""

    def work(graph):
        u, v = arc_ends(graph)
        apart, alike = u * 100.0 + v, (u + v) * 1.0
        found = [per_edge(graph, apart)] if graph.directed else [per_edge(graph, alike)]
        if not graph.directed:
            turned = other_direction(graph, apart)
            found += [per_edge(graph, turned + apart), (turned == v * 100.0 + u).all()]
        return found

    check(work, GRAPHS[:2], shape, "random")


def test_values_per_edge_on_one_rank():
    graph = GRAPHS[0]

    def program(comm):
        return collect((distribute(graph, grid=Grid(comm)).weights, 5))

    first, *others = run_threads(program, 4)
    assert_same(first, (graph.edges()[2], 5))
    assert others == [(None, 5)] * 3


@ON_GRIDS
def test_arrays_of_vertices_wherever_they_are(shape):
    def work(graph):
        n = graph.num_vertices
        chosen = np.arange(0, n, 4)[::-1]
        values, table = graph.full(-1.0), graph.xp.zeros((n, 2))
        values[index_of(graph, chosen)] = 3.5
        put(graph, values, chosen[1:], whole_xp(graph).arange(len(chosen) - 1) * 2.0)
        put(graph, table, n // 2, np.array([4.0, 5.0]))
        found, at = rows_at(values, chosen)
        groups = numbered(graph, graph.vertex_ids() % 7 * 10**12 - 5)
        small = graph.contract(groups)
        return [values, table, found[at], groups, padded(graph, small.graph.degrees()),
                whole(values)]  # fmt: skip

    check(work, GRAPHS[:1], shape, "random")


def test_all_vertices_are_no_index_of_all_ranks():
    """As many ids as there are vertices are still ids."""
    graph = GRAPHS[0]

    def work(spread):
        values, ids = spread.full(0), np.arange(spread.num_vertices)[::-1]
        values[index_of(spread, ids)] = 2
        put(spread, values, ids, ids * 3)
        return values

    assert_close(on_ranks(work, (2, 2), graph), np.arange(graph.num_vertices) * 3)


def test_arrays_over_arcs_are_made_whole():
    def work(graph):
        found = graph.full_arcs(2, np.int32)
        assert isinstance(found, ArcArray) and found.dtype == np.int32
        return found.sum()

    assert on_ranks(work, (2, 2), GRAPHS[0]) == 2 * GRAPHS[0].num_arcs
