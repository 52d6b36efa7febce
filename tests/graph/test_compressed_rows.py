"""Compressed rows under operators and algorithms: the same results, and nothing is unpacked."""

import numpy as np
import pytest

import edgewise as ew
from edgewise.base.bit_blocks import Blocks
from edgewise.base.coded import Coded
from edgewise.operators import ADD, MIN, advance, frontier, intersect, reduce_neighbors
from tests.operators.graphs import random_graph

PLAIN = random_graph(400, 6000, 5).without_self_loops()
EVERY_THIRD = np.arange(0, PLAIN.num_arcs, 3)


def _sum(graph, members):
    values = np.arange(graph.num_vertices, dtype=np.int64)
    return reduce_neighbors(graph, members, lambda value: value, values, reduce=ADD)


def _reached(graph, members):
    values = np.arange(graph.num_vertices, dtype=np.int64)
    return advance(graph, members, lambda value: value, values, reduce=MIN).ids, values


def _louvain(graph):
    with ew.threads(1):  # several threads may give other communities
        return ew.communities.louvain(graph, seed=1).labels


OPERATORS = {
    "reduce_neighbors": lambda graph: _sum(graph, None),
    "reduce_neighbors of edges": lambda graph: _sum(graph, frontier(graph, edges=EVERY_THIRD)),
    "advance": lambda graph: _reached(graph, frontier(graph, [0, 5])),
    "advance of edges": lambda graph: _reached(graph, frontier(graph, edges=EVERY_THIRD[:4])),
    "intersect": lambda graph: intersect(graph).counts,
    "intersect of edges": lambda graph: intersect(graph, frontier(graph, edges=EVERY_THIRD)).counts,
    "intersect of pairs": lambda graph: intersect(graph, ([0, 1], [2, 3]), lists=True).members,
}
ALGORITHMS = {
    "bfs": lambda graph: ew.bfs(graph, 3).distance,
    "connected_components": ew.connected_components,
    "pagerank": ew.pagerank,
    "triangle_count": ew.triangle_count,
    "louvain": lambda graph: _louvain(graph),
    "core_number": ew.core_number,
    "label_propagation": ew.communities.label_propagation,
    "locally_dominant": lambda graph: ew.matching.locally_dominant(graph).mate,
    "degree_centrality": ew.degree_centrality,
}


@pytest.mark.parametrize("name", OPERATORS | ALGORITHMS)
def test_results_are_the_same_and_no_columns_are_unpacked(monkeypatch, name):
    run, small = (OPERATORS | ALGORITHMS)[name], PLAIN.compress()
    unpack, arcs = Blocks.unpack, small.stored.indices

    def only_row_starts(blocks):
        assert blocks.words_at != arcs.words_at, "the neighbors are unpacked"
        return unpack(blocks)

    expected = run(PLAIN)
    monkeypatch.setattr(Blocks, "unpack", only_row_starts)
    found = run(small)
    expected, found = (one if isinstance(one, tuple) else (one,) for one in (expected, found))
    for mine, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(mine, other, rtol=1e-9)


MESSAGES = {
    "reduce_neighbors": lambda graph: reduce_neighbors(
        graph, None, lambda weight: weight, np.zeros(graph.num_vertices), reduce=ADD),
    "intersect": lambda graph: intersect(
        graph, message=lambda weight_u, weight_v: weight_u * weight_v, reduce=ADD).totals,
    "sssp": lambda graph: ew.sssp(graph, 0).distance,
    "pagerank": ew.pagerank,
    "louvain": lambda graph: _louvain(graph),
    "locally_dominant": lambda graph: ew.matching.locally_dominant(graph).mate,
}  # fmt: skip


@pytest.mark.parametrize("name", MESSAGES)
def test_coded_weights_are_read_by_operators(monkeypatch, name):
    run, coded = MESSAGES[name], PLAIN.compress(weights="dictionary")
    expected = run(PLAIN)
    if name in OPERATORS:
        monkeypatch.setattr(Coded, "unpack", None)
    np.testing.assert_allclose(run(coded), expected, rtol=1e-9)
