"""What owners do with whole rows, and numbers of edges, on a grid: as on one device."""

from __future__ import annotations

import numpy as np
import pytest

import edgewise
from edgewise.distributed import Grid, distribute, simulate_grid
from edgewise.distributed.output import collect
from edgewise.distributed.rank_threads import run_threads
from edgewise.generators import rmat
from edgewise.graph.edges import at_kept, edge_numbers, marked, numbers_of
from edgewise.operators import filter, frontier, sample
from edgewise.operators.edge_marks import mark_edges
from edgewise.operators.incoming import incoming_sums
from tests.distributed.grids import assert_close, check, on_ranks, over_arcs, thirds
from tests.operators.graphs import SMALL
from tests.tiers import later

GRAPHS = [graph for name, graph in SMALL.items() if name not in ("path", "star, directed")]
UNDIRECTED = [graph for graph in GRAPHS if not graph.directed]
ON_GRIDS = pytest.mark.parametrize(
    ("shape", "distribution"),
    [((2, 3), "random"), later((1, 1), "striped"), later((2, 2), "block"), later((3, 3), "random")],
)


def _rows(found):
    """Where rows begin, and the neighbors: arcs have no numbers on a grid."""
    whole = found.gather() if hasattr(found, "gather") else found
    return np.asarray(whole.indptr), np.asarray(whole.neighbors)


@ON_GRIDS
def test_samples(shape, distribution):
    def work(graph):
        some = frontier(graph, [v for v in range(graph.num_vertices) if thirds(v)])
        return [
            _rows(sample(graph, None, 2, seed=1)),
            _rows(sample(graph, some, 3, replace=True, seed=2)),
            _rows(sample(graph, some, fraction=0.5, weights=None)),
            _rows(sample(graph, None, 1, weights=over_arcs(graph), seed=4)),
        ]

    check(work, GRAPHS, shape, distribution)


def test_samples_that_are_refused():
    path = edgewise.Graph.from_edges([0, 1], [1, 2], [1.0, -2.0], directed=True)
    with pytest.raises(ValueError, match="mode must be 'out' for a directed graph on a grid"):
        on_ranks(lambda graph: sample(graph, None, 1, mode="in"), (1, 2), path)
    with pytest.raises(ValueError, match="weights must be finite and not negative, got -2"):
        on_ranks(lambda graph: sample(graph, None, 1), (1, 2), path)


@ON_GRIDS
def test_numbers_and_marks_of_edges(shape, distribution):
    def work(graph):
        degree, ids = graph.degrees(), graph.vertex_ids(np.int64)
        members = filter(graph, None, _is_end, degree)
        other = edgewise.reduce_neighbors(graph, members, _source, ids, reduce=edgewise.MIN)
        ends = np.minimum(ids, other), np.maximum(ids, other)
        marks = mark_edges(graph, members, *ends)
        numbers = edge_numbers(graph)
        first = int(marked(graph, numbers, marks).sum())
        kept = numbers % 2 == 1
        return numbers_of(graph, marks), first, int(at_kept(graph, kept, numbers[kept]).sum())

    check(work, UNDIRECTED, shape, distribution)


def _is_end(v, degree):
    return degree[v] == 1


def _source(source):
    return source


@ON_GRIDS
def test_sums_over_the_edges_into_a_vertex(shape, distribution):
    def work(graph):
        sums = incoming_sums(graph, graph.indices.astype(np.int64) * 3 % 7 + 1)
        return int(sums.sum()), int((sums * sums).sum()), int((sums * graph.indices).sum())

    check(work, GRAPHS, shape, distribution)


def test_ranks_share_the_walks():
    graph = rmat(6, seed=2)
    wanted = edgewise.random_walk(graph, length=3, num_walks=2)

    def program(comm):
        spread = distribute(graph, grid=Grid(comm, (2, 3)))
        found = edgewise.random_walk(spread, length=3, num_walks=2)
        assert found.shape == wanted.shape and len(found) == len(wanted)
        return len(found.local), collect(found), str(found)

    counts, wholes, texts = zip(*run_threads(program, 6), strict=True)
    assert sum(counts) == len(wanted) and max(counts) - min(counts) <= 1
    assert_close(wholes[0], np.asarray(wanted))
    assert wholes[1:] == (None,) * 5
    assert texts[0].startswith("WalkRows(128 walks of 3 steps, ")


def test_a_step_of_all_walks_is_two_exchanges():
    """Messages of a rank grow as the square root of the ranks, and bytes of all as the walks."""
    graph = rmat(8, seed=1)

    def counted(side, length):
        def program(comm):
            spread = distribute(graph, grid=Grid(comm, (side, side)))
            edgewise.random_walk(spread, length=length)

        report = simulate_grid(program, side * side).report
        return report.total("messages", "packets"), report.total("sent", "packets")

    for side in (2, 4):
        (many, more), (few, less) = counted(side, 11), counted(side, 1)
        each = 4 * (side - 1) * side * side  # counts and data along rows, then columns
        assert many - few <= 10 * each
        assert more - less < 10 * 2 * 40 * graph.num_vertices


def test_graphs_that_do_not_go_together():
    path, longer = edgewise.generators.path(4), edgewise.generators.path(5)

    def both(one, other, **options):
        return edgewise.compose(one, other, **options)

    with pytest.raises(ValueError, match="other must have its vertices where the graph has them"):
        on_ranks(both, (2, 2), path, longer)
    with pytest.raises(ValueError, match=r"edge \(0, 1\) is in both graphs, and combine='raise'"):
        on_ranks(lambda one, other: both(one, other, combine="raise"), (2, 2), path, path)
    with pytest.raises(TypeError, match="other must be a graph on the same grid, got Graph"):
        on_ranks(lambda one: both(one, path), (2, 2), path)
