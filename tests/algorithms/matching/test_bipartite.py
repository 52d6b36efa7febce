"""`maximum_weight_bipartite`: the greatest weight there is, full or not."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
import scipy.sparse
from hypothesis import given, settings, strategies as st

from edgewise.algorithms.matching import (
    heavy_perfect,
    hopcroft_karp,
    maximum_weight_bipartite,
    verify_matching,
)
from edgewise.graph import Graph
from edgewise.graph.csr import CSR
from tests.algorithms.samples import to_networkx

WEIGHTS = st.sampled_from([-3.0, -1.0, 0.0, 0.0, 0.25, 1.0, 1.0, 2.0, 5.0, 1e-300])


@st.composite
def tables(draw):
    """Weights of a small bipartite graph, NaN where there is no edge; dense or sparse."""
    rows, columns = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    entry = draw(st.sampled_from([WEIGHTS, st.one_of(WEIGHTS, *[st.just(np.nan)] * 4)]))
    entries = draw(st.lists(entry, min_size=rows * columns, max_size=rows * columns))
    return np.array(entries).reshape(rows, columns)


def graph_of(table: np.ndarray) -> Graph:
    rows, columns = np.nonzero(~np.isnan(table))
    weights = table[rows, columns]
    n = sum(table.shape)
    return Graph.from_edges(rows, table.shape[0] + columns, weights, num_vertices=n)


@given(tables())
def test_greatest_weight(table):
    graph = graph_of(table)
    sides = np.arange(graph.num_vertices) < len(table)
    known = to_networkx(graph)
    best = sum(known[u][v]["weight"] for u, v in nx.max_weight_matching(known))
    for found in (maximum_weight_bipartite(graph), maximum_weight_bipartite(graph, sides=sides)):
        assert verify_matching(graph, found).valid
        assert found.weight == pytest.approx(best, abs=1e-200)
        u, v, weights = graph.arcs()
        assert (weights[found.mate[u] == v] > 0).all()


@given(tables())
@settings(max_examples=60)
def test_full(table):
    graph = graph_of(table)
    sides = np.arange(graph.num_vertices) < len(table)
    best = fullest(np.asarray(table) if len(table) <= table.shape[1] else table.T)
    if best is None:
        with pytest.raises(ValueError, match="no full matching"):
            maximum_weight_bipartite(graph, sides=sides, full=True)
        return
    found = maximum_weight_bipartite(graph, sides=sides, full=True)
    assert verify_matching(graph, found).valid
    assert found.cardinality == min(table.shape) and found.weight == pytest.approx(best, abs=1e-200)


def fullest(table: np.ndarray) -> float | None:
    """The greatest weight of a full matching, by trying all."""
    from itertools import permutations

    rows = range(len(table))
    totals = [sum(table[i, c] for i, c in zip(rows, order, strict=True))
              for order in permutations(range(table.shape[1]), len(table))]  # fmt: skip
    totals = [total for total in totals if not np.isnan(total)]
    return max(totals) if totals else None


def test_large_and_sparse():
    rng, n = np.random.default_rng(0), 400
    u, v = rng.integers(0, n, (2, 3 * n))
    weights = rng.integers(1, 100, 3 * n)
    graph = Graph.from_edges(u, n + v, weights, num_vertices=2 * n, duplicates="max")
    found = maximum_weight_bipartite(graph)
    known = to_networkx(graph)
    best = sum(known[a][b]["weight"] for a, b in nx.max_weight_matching(known))
    assert verify_matching(graph, found).valid and found.weight == best


def test_rectangular_and_unweighted():
    table = CSR([0, 2, 3], [0, 4, 0], [3.0, 1.0, 1.0], num_columns=5)
    assert maximum_weight_bipartite(table).mate.tolist() == [2, -1, 0, -1, -1, -1, -1]
    assert maximum_weight_bipartite(table, full=True).mate.tolist() == [6, 2, 1, -1, -1, -1, 0]
    unit = maximum_weight_bipartite(table, weights=None)
    assert (unit.weight, unit.cardinality) == (2.0, 2)
    assert maximum_weight_bipartite(Graph([0], [])).mate.tolist() == []
    assert maximum_weight_bipartite(Graph([0, 0], []), full=True).mate.tolist() == [-1]
    path = Graph.from_edges([0, 1, 2], [1, 2, 3])
    assert maximum_weight_bipartite(path).cardinality == 2


@pytest.mark.parametrize("kind", ["csr", "csc", "coo", "lil"])
@pytest.mark.parametrize("form", ["matrix", "array"])
def test_matrices_of_scipy(kind, form):
    """Rectangular as they are, square ones as a CSR; entries that come twice count together."""
    make = getattr(scipy.sparse, f"coo_{form}")
    entries = ([5.0, 2.0, 2.0, 2.0], ([0, 0, 1, 1], [0, 1, 0, 0]))
    wide = make(entries, shape=(2, 3)).asformat(kind)
    assert maximum_weight_bipartite(wide).mate.tolist() == [3, 2, 1, 0, -1]
    assert maximum_weight_bipartite(wide).weight == 6.0
    assert maximum_weight_bipartite(wide.T).mate.tolist() == [4, 3, -1, 1, 0]
    assert hopcroft_karp(wide).cardinality == 2
    square = make(entries, shape=(2, 2)).asformat(kind)
    assert heavy_perfect(CSR.from_scipy(square)).mate.tolist() == [3, 2, 1, 0]
    with pytest.raises(ValueError, match="sides of equal size, got 2 and 3"):
        heavy_perfect(wide)
    for function in (maximum_weight_bipartite, hopcroft_karp, heavy_perfect):
        with pytest.raises(TypeError, match=r"CSR.from_scipy\(matrix\) for rows on the left"):
            function(square)


def test_errors():
    with pytest.raises(ValueError, match="edge 1 - 2 closes an odd cycle"):
        maximum_weight_bipartite(Graph.from_edges([0, 1, 2], [1, 2, 0], [1.0, 2.0, 3.0]))
    with pytest.raises(ValueError, match=r"finite, got nan on edge 0 \(0 - 1\)"):
        maximum_weight_bipartite(Graph.from_edges([0], [1], [np.nan]))
    with pytest.raises(ValueError, match="weights must be finite, got inf on edge 0"):
        maximum_weight_bipartite(CSR([0, 1], [0], [np.inf]))
    with pytest.raises(ValueError, match="undirected"):
        maximum_weight_bipartite(Graph.from_edges([0], [1], directed=True))
