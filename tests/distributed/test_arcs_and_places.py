"""Operators on a grid that answer per arc, per triangle or by sorting, against one device."""

from __future__ import annotations

import numpy as np
import pytest

from edgewise import Graph
from edgewise.graph.edges import edge_ends, per_edge
from edgewise.graph.orient import orient
from edgewise.operators import ADD, advance, frontier, intersect, multisplit
from edgewise.operators.sorting import places_by, places_in
from tests.distributed.grids import check, on_ranks, over_vertices, spotted
from tests.operators.functions import of_both
from tests.operators.graphs import SMALL
from tests.tiers import later

GRAPHS = [graph for name, graph in SMALL.items() if name not in ("path", "star, directed")]
UNDIRECTED = [graph for graph in GRAPHS if not graph.directed]
ON_GRIDS = pytest.mark.parametrize(
    ("shape", "distribution"),
    [((2, 3), "random"), later((1, 1), "striped"), later((2, 2), "block"), later((4, 1), "random")],
)


@ON_GRIDS
def test_triangles_by_vertex(shape, distribution):
    """Of all arcs, and of every triangle once."""

    def work(graph):
        oriented = orient(graph)
        once = intersect(oriented.rows, each=False, vertices=True, ordered=oriented.ordered)
        often = intersect(graph, vertices=True)
        return once.total, oriented.by_vertex(once.vertices), often.total, often.vertices

    check(work, UNDIRECTED, shape, distribution)


@ON_GRIDS
def test_rows_of_one_graph_and_ends_of_another(shape, distribution):
    """Common neighbors are those of the graph without loops, also where an edge is a loop."""

    def work(graph):
        rows, ends = graph.without_self_loops(), edge_ends(graph)
        pairs = ends.us, ends.vs
        counts = intersect(rows, pairs).counts
        weight = rows.full_arcs(0.5) if rows.weights is None else rows.weights * 2
        totals = intersect(rows, pairs, message=of_both, reduce=ADD, weights=weight).totals
        return ends.in_order(counts), ends.in_order(totals)

    check(work, GRAPHS, shape, distribution)


def _note(source, target, edge, found, values, factor):
    found[edge] += factor * values[source] + values[target]
    return False


@ON_GRIDS
def test_functions_of_an_arc_write_what_belongs_to_it(shape, distribution):
    def work(graph):
        values, found = over_vertices(graph, spotted), graph.full_arcs(1.0)
        advance(graph, None, _note, (found, values, 1.0), output=None)
        some = frontier(graph, over_vertices(graph, lambda ids: ids % 3 == 0, bool))
        if graph.directed:
            advance(graph, some, _note, (found, values, 2.0), output=None)
        return per_edge(graph, found)

    check(work, GRAPHS, shape, distribution)


def _change(source, target, edge, found, values):
    values[target] = found[edge]
    return False


def test_functions_of_an_arc_do_not_write_to_its_ends():
    graph = SMALL["random"]

    def work(graph, **options):
        state = (graph.full_arcs(1.0), graph.full(0.0))
        advance(graph, None, _change, state, **{"output": None, **options})

    with pytest.raises(Exception, match=r"(?i)read-?only"):
        on_ranks(work, (2, 2), graph)
    for options in ({"output": "vertices"}, {"mode": "in"}, {"neighbors": slice(1)}):
        with pytest.raises(ValueError, match="is in edge form"):
            on_ranks(lambda graph, options=options: work(graph, **options), (2, 2), graph)


def _third(v, values):
    return int(values[v]) % 3


@ON_GRIDS
def test_places(shape, distribution):
    """By one key and by several, of any kind; equal ones by id."""

    def work(graph):
        ids = graph.vertex_ids()
        few, wide = ids % 3, (ids.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15))
        groups = multisplit(graph, None, _third, over_vertices(graph, spotted), num_buckets=3)
        return [
            places_by(graph, [few]),
            places_by(graph, [wide]),
            places_by(graph, [ids % 2 == 0]),
            places_by(graph, (one for one in (-few, ids % 2, ids * 0))),
            places_by(graph, []),
            places_in(graph, groups),
        ]

    check(work, [*GRAPHS, Graph.from_edges([], [])], shape, distribution)
