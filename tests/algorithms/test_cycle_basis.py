"""`cycle_basis`: cycles of the graph that are independent, and as many as there are dimensions."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given

from edgewise import connected_components, cycle_basis
from tests.algorithms.samples import SHAPES, graphs, random_graph, shape, to_networkx


def check(graph):
    basis = cycle_basis(graph)
    n, m = graph.num_vertices, graph.num_edges
    assert basis.complete and basis.num_paths == m - n + connected_components(graph).num_components
    rows = np.zeros((basis.num_paths, m), bool)
    sources, targets, _ = graph.edges()
    edge = {pair: i for i, pair in enumerate(zip(sources.tolist(), targets.tolist(), strict=True))}
    for i, cycle in enumerate(basis.lists()):
        assert len({*cycle}) == len(cycle)
        for u, v in zip(cycle, cycle[1:] + cycle[:1], strict=True):
            rows[i, edge[min(u, v), max(u, v)]] ^= True
        assert rows[i].sum() == len(cycle)
    rank = 0  # over the field of two elements
    for column in range(m):
        at = np.flatnonzero(rows[rank:, column]) + rank
        if len(at):
            rows[[rank, at[0]]] = rows[[at[0], rank]]
            others = np.flatnonzero(rows[:, column])
            rows[others[others != rank]] ^= rows[rank]
            rank += 1
    assert rank == basis.num_paths


@given(graphs(directed=False))
def test_any_graph(graph):
    check(graph)


@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name):
    check(shape(name))


def test_larger_graph():
    check(random_graph(150, 400))


def test_directed_graphs_are_refused():
    assert cycle_basis(shape("path")).num_paths == 0
    assert (
        len(nx.cycle_basis(to_networkx(shape("clique")))) == cycle_basis(shape("clique")).num_paths
    )
    with pytest.raises(ValueError, match="cycle_basis needs an undirected graph"):
        cycle_basis(shape("cycle", directed=True))
