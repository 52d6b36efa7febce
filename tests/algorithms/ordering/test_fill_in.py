"""`fill` against elimination one vertex at a time, and against SuperLU's factor."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sparse
from hypothesis import given, strategies as st
from scipy.sparse.linalg import splu

from edgewise import generators, ordering
from tests.algorithms.ordering.oracles import GRAPHS, neighborhoods
from tests.algorithms.samples import graphs, random_graph


def by_elimination(graph, order=None):
    n = graph.num_vertices
    order = range(n) if order is None else order
    rows = [set() for _ in range(n)]
    for v, row in enumerate(neighborhoods(graph)):
        rows[int(order[v])] = {int(order[u]) for u in row}
    added = 0
    for v in range(n):
        later = {u for u in rows[v] if u > v}
        for u in later:
            added += len(later - rows[u] - {u})
            rows[u] |= later - {u}
    return added // 2


@pytest.mark.parametrize("name", GRAPHS)
def test_odd_graphs(name):
    graph = GRAPHS[name]
    assert ordering.fill_in(graph) == by_elimination(graph)
    order = np.random.default_rng(1).permutation(graph.num_vertices)
    assert ordering.fill_in(graph, order) == by_elimination(graph, order)


@given(graphs(), st.randoms())
def test_any_graph_and_order(graph, random):
    order = [*range(graph.num_vertices)]
    random.shuffle(order)
    assert ordering.fill_in(graph, order) == by_elimination(graph, order)


def test_as_in_a_factor():
    graph = generators.grid_2d(20, 20)
    n, (u, v, _) = graph.num_vertices, graph.arcs()
    matrix = sparse.coo_matrix((-np.ones(len(u)), (u, v)), (n, n)) + sparse.diags([9.0] * n)
    made = splu(matrix.tocsc(), permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0,
                options={"SymmetricMode": True})  # fmt: skip
    assert ordering.fill_in(graph, made.perm_c) == made.L.nnz - n - graph.num_edges


def test_known_ones():
    assert ordering.fill_in(generators.path(50)) == 0
    assert ordering.fill_in(generators.cycle(50)) == 47
    assert ordering.fill_in(random_graph(300, 900), np.arange(300)[::-1]) > 0


def test_an_order_must_be_one():
    with pytest.raises(ValueError, match="positions must hold each of 0 to 2 once"):
        ordering.fill_in(generators.path(3), [0, 1, 1])
