"""What operators do not do on a grid, and arrays of the wrong kind: an error on all ranks.

Wrong arguments that every engine refuses are in tests/operators/test_refusals.py.
"""

from __future__ import annotations

import numpy as np
import pytest

from edgewise import Graph, union
from edgewise.algorithms.matching import locally_dominant
from edgewise.distributed import Grid, distribute, tuned
from edgewise.distributed.rank_threads import run_threads
from edgewise.graph.orient import orient
from edgewise.operators import (
    ADD,
    ARGMIN,
    MAX,
    MIN,
    advance,
    compute,
    deliver,
    for_rows,
    frontier,
    intersect,
    look_up,
    reduce_neighbors,
    unwind,
)
from tests.distributed.grids import on_ranks
from tests.operators.functions import (
    edge_mark,
    one,
    pair_through,
    pass_on,
    tally,
    through,
)
from tests.operators.graphs import SMALL

GRAPH, DIRECTED = SMALL["random"], SMALL["random, directed"]


def refuses(kind, text, work, graph=GRAPH, shapes=((1, 1), (2, 2))):
    """On one rank as on four."""
    for shape in shapes:
        with pytest.raises(kind, match=text):
            on_ranks(work, shape, graph)


def test_a_union_is_of_graphs_on_one_grid():
    labeled = Graph.from_edges(["a"], ["b"])
    refuses(ValueError, "no labels on a grid", lambda graph: union(graph, graph), labeled)
    refuses(ValueError, "on the grid of graph", lambda graph: union(graph, SMALL["random"]))


def test_edges_have_no_numbers():
    refuses(
        ValueError,
        "message names edge, but arcs on a grid have no numbers",
        lambda graph: advance(graph, None, edge_mark, graph.full(0), reduce=ADD),
    )
    refuses(
        ValueError,
        "message names edge",
        lambda graph: reduce_neighbors(graph, None, edge_mark, graph.full(0), reduce=ADD),
    )
    refuses(
        ValueError,
        "message names edge",
        lambda graph: unwind(graph, graph.full(0, np.int32), edge_mark, graph.full(0), reduce=ADD),
    )
    refuses(ValueError, "frontiers of vertices alone, not of edges",
            lambda graph: frontier(graph, edges=[0]))  # fmt: skip


def test_edge_form():
    refuses(ValueError, "'tally' is in edge form, .* on a grid give a reduce",
            lambda graph: advance(graph, None, tally, (graph.full(0), graph.full(0))),
            shapes=((1, 2), (2, 2)))  # fmt: skip


def test_state_and_weights():
    whole = np.zeros(GRAPH.num_vertices)
    refuses(
        TypeError,
        "values must be an array over the vertices of a graph on a grid",
        lambda graph: advance(graph, None, pass_on, whole, reduce=MIN),
    )
    refuses(
        TypeError,
        r"values\[1\] must be an array over the vertices",
        lambda graph: advance(graph, None, pair_through, (graph.full(0.0), whole), reduce=ARGMIN),
    )
    refuses(
        TypeError,
        "weights on a grid must be a column's name, an array over its arcs, or None",
        lambda graph: advance(
            graph, None, through, graph.full(0.0), reduce=MIN, weights=np.ones(GRAPH.num_arcs)
        ),
    )
    refuses(
        TypeError,
        "frontier must be that of a graph on a grid or None, got Frontier",
        lambda graph: compute(graph, frontier(GRAPH), pass_on, graph.full(0)),
    )
    refuses(
        TypeError,
        r"params\['scale'\] must be a number or an array, got VertexArray: what is spread",
        lambda graph: advance(
            graph, None, scaled, graph.full(0.0), reduce=MIN, params={"scale": graph.full(0.0)}
        ),
    )


def scaled(value, scale):
    return value * scale[0]


def test_things_of_another_graph():
    def work(comm):
        grid = Grid(comm, (2, 2))
        here, there = distribute(GRAPH, grid=grid), distribute(SMALL["path"], grid=grid)
        with pytest.raises(ValueError, match="values belongs to another graph"):
            advance(here, None, pass_on, there.full(0), reduce=MIN)
        with pytest.raises(ValueError, match="frontier belongs to another graph"):
            advance(here, frontier(there, 0), pass_on, here.full(0), reduce=MIN)

    run_threads(work, 4)


def test_keys():
    def by_key(graph, **options):
        label = graph.full(0)
        return reduce_neighbors(graph, None, one, label, key=label, **options)

    def two_steps(graph, via, **options):
        return reduce_neighbors(graph, None, one, graph.full(0), reduce=ADD, via=via, **options)

    refuses(TypeError, "via must be a graph on the same grid, got Graph",
            lambda graph: two_steps(graph, GRAPH))  # fmt: skip
    refuses(ValueError, "via must have its vertices where the graph has them",
            lambda graph: two_steps(graph, distribute(SMALL["path"], grid=graph.grid)))  # fmt: skip
    refuses(ValueError, "is for undirected graphs on a grid",
            lambda graph: by_key(graph, reduce=ADD, choose="max", mode="both"),
            DIRECTED)  # fmt: skip


def test_pointers():
    n = GRAPH.num_vertices
    refuses(
        ValueError,
        f"at must hold vertex ids from 0 to {n - 1}, got -1 at vertex 0",
        lambda graph: look_up(graph, graph.full(0), graph.full(-1)),
    )
    refuses(
        ValueError,
        f"at must hold vertex ids from 0 to {n - 1}, or -1 to send nothing, got {n}",
        lambda graph: deliver(graph, graph.full(0), at(graph, n), graph.full(0), reduce=MIN),
    )
    refuses(
        ValueError,
        "or -1 to send nothing, got -2",
        lambda graph: deliver(graph, graph.full(0), at(graph, -2), graph.full(0), reduce=MIN),
    )
    refuses(
        TypeError,
        "at must be an array of integers, got dtype float64",
        lambda graph: look_up(graph, graph.full(0), graph.full(0.0)),
    )
    refuses(
        ValueError,
        r"messages must be as many arrays as values \(1\), got 2",
        lambda graph: deliver(
            graph, graph.full(0), graph.full(0), (graph.full(0), graph.full(0)), reduce=MIN
        ),
    )


def at(graph, wrong):
    """Pointers of which one, known to one owner, is wrong."""
    pointers = graph.full(0)
    pointers[77] = wrong
    return pointers


def test_triangles_and_pairs():
    refuses(ValueError, "oriented graph on a grid gives the total alone",
            lambda graph: intersect(orient(graph).rows, each=True))  # fmt: skip
    refuses(ValueError, "about all edges: it takes no pairs",
            lambda graph: intersect(graph, ([0], [1])))  # fmt: skip
    refuses(ValueError, "no lists=True", lambda graph: intersect(graph, lists=True))
    refuses(ValueError, "orient needs an undirected graph", orient, DIRECTED)
    refuses(ValueError, "locally_dominant needs an undirected graph", locally_dominant, DIRECTED)
    refuses(ValueError, "num_batches and device need a graph in host memory",
            lambda graph: locally_dominant(graph, num_batches=2))  # fmt: skip


def so_far(weight, total):
    return max(weight, total)


def test_rows_in_several_hands():
    refuses(ValueError, "message names total, but a row on a grid is in several hands",
            lambda graph: for_rows(graph, None, so_far, _note, graph.full(0.0), reduce=MAX,
                                   dtype=np.float64))  # fmt: skip


def _note(v, total, out):
    out[v] = total


def test_ranks_that_disagree_do_not_hang():
    """One rank wants another pattern: their collectives do not fit, which is an error."""

    def work(comm):
        graph = distribute(GRAPH, grid=Grid(comm, (2, 2)))
        with tuned(pattern="dense" if comm.rank == 0 else "sparse"):
            advance(graph, None, pass_on, graph.xp.arange(GRAPH.num_vertices), reduce=MIN)

    with pytest.raises(RuntimeError, match=r"rank \d calls"):
        run_threads(work, 4)
