"""`hopcroft_karp`: a matching of the greatest cardinality, and the two sides it needs."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, strategies as st

import edgewise as ew
from edgewise.algorithms.matching import grafting, hopcroft_karp, verify_matching
from edgewise.algorithms.matching.biadjacency import two_sides
from edgewise.graph import Graph
from edgewise.graph.csr import CSR
from tests.algorithms.samples import SHAPES, graphs, shape, small_and_large, to_networkx

#: By searches with grafting, and by the phases of Hopcroft and Karp.
way = small_and_large(grafting, "_ROUNDS")


@st.composite
def bipartite_graphs(draw):
    """Any small bipartite graph, its two sides mixed among the ids."""
    left, right = draw(st.integers(1, 8)), draw(st.integers(1, 8))
    pair = st.tuples(st.integers(0, left - 1), st.integers(0, right - 1))
    edges = np.array(draw(st.lists(pair, max_size=40)), np.int64).reshape(-1, 2)
    ids = np.array(draw(st.permutations(range(left + right))))
    graph = Graph.from_edges(ids[edges[:, 0]], ids[left + edges[:, 1]], num_vertices=len(ids))
    sides = np.zeros(len(ids), bool)
    sides[ids[:left]] = True
    return graph, sides


@given(bipartite_graphs(), st.booleans())
def test_small_graphs(drawn, given_sides):
    graph, sides = drawn
    found = hopcroft_karp(graph, sides=sides if given_sides else None)
    assert verify_matching(graph, found).valid
    best = nx.max_weight_matching(to_networkx(graph), maxcardinality=True)
    assert found.cardinality == found.weight == len(best)


def test_large_sparse():
    """About as many rows as can be, and long augmenting paths."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_bipartite_matching

    for seed, degree in ((0, 1.5), (1, 2.5), (2, 6)):
        rng, n = np.random.default_rng(seed), 3000
        u, v = rng.integers(0, n, (2, int(degree * n)))
        matrix = csr_array((np.ones(len(u)), (u, v)), shape=(n, n))
        matrix.sum_duplicates()
        best = int((maximum_bipartite_matching(matrix, perm_type="column") >= 0).sum())
        with ew.observe(ew.Trace()) as trace:
            found = hopcroft_karp(Graph.from_edges(u, n + v, num_vertices=2 * n))
        assert found.cardinality == best
        assert 1 < len(trace.rows) < 40
        rectangle = CSR(matrix.indptr, matrix.indices, num_columns=n)
        assert hopcroft_karp(rectangle).mate.tolist() == found.mate.tolist()


def test_rectangular():
    wide = CSR([0, 2, 3], [0, 4, 0], num_columns=5)
    assert hopcroft_karp(wide).mate.tolist() == [6, 2, 1, -1, -1, -1, 0]
    assert hopcroft_karp(CSR([0, 0], [], num_columns=0)).mate.tolist() == [-1]
    with pytest.raises(TypeError, match="sides must be None for a matrix"):
        hopcroft_karp(wide, sides=[True, False])


@pytest.mark.parametrize("n", [2, 3, 100])
def test_one_long_augmentation(n):
    """The first free column is always the wrong one: the last path turns all edges around."""
    # Row i has the columns i and i + 1, the last row column 0 alone.
    columns = np.r_[np.arange(1, 2 * n - 1) // 2, 0]
    rows = CSR(np.r_[np.arange(0, 2 * n, 2), 2 * n - 1], columns, num_columns=n)
    assert hopcroft_karp(rows).cardinality == n


@given(graphs(directed=False))
def test_sides_exist_or_an_odd_cycle_is_named(graph):
    known = nx.is_bipartite(to_networkx(graph))
    if known:
        sides, (u, v, _) = two_sides(graph), graph.arcs()
        assert (sides[u] != sides[v]).all()
        labels = ew.connected_components(graph)
        assert sides[labels].all()
    else:
        with pytest.raises(ValueError, match="edge .* - .* closes an odd cycle"):
            hopcroft_karp(graph)


@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name):
    graph = shape(name)
    if nx.is_bipartite(to_networkx(graph)):
        best = nx.max_weight_matching(to_networkx(graph), maxcardinality=True)
        assert hopcroft_karp(graph).cardinality == len(best)
    else:
        with pytest.raises(ValueError, match="closes an odd cycle"):
            hopcroft_karp(graph)


@pytest.mark.parametrize("name", ["rmat", "road", "uniform"])
def test_the_vertices_of_a_graph_twice(name):
    """Both sides take the part of the rows; hubs and many vertices that stay free."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_bipartite_matching

    graph = {
        "rmat": lambda: ew.generators.rmat(11, seed=3),
        "road": lambda: ew.generators.road(50, 50, seed=3),
        "uniform": lambda: ew.generators.gnm_random(3000, 9000, seed=3),
    }[name]()
    n, (u, v, _) = graph.num_vertices, graph.edges()
    twice = Graph.from_edges(u, v + n, num_vertices=2 * n)
    matrix = csr_array((np.ones(len(u)), (u, v)), shape=(n, n))
    best = int((maximum_bipartite_matching(matrix) >= 0).sum())
    left = np.arange(2 * n) < n
    for sides in (left, ~left, None):
        found = hopcroft_karp(twice, sides=sides)
        assert found.cardinality == best and verify_matching(twice, found).valid


def test_sides_of_any_layout():
    path = Graph.from_edges([0, 1, 2], [1, 2, 3])
    sides = np.array([[True, 0], [False, 0], [True, 0], [False, 0]], bool)[:, 0]
    assert not sides.flags.contiguous
    assert hopcroft_karp(path, sides=sides).cardinality == 2
    assert hopcroft_karp(path, sides=sides.tolist()).cardinality == 2


@pytest.mark.parametrize("edge", [(3, 3), (1, 3), (0, 2)])
def test_sides_that_do_not_part_one_edge(edge):
    graph = Graph.from_edges([0, 2, edge[0]], [1, 3, edge[1]])
    with pytest.raises(ValueError, match=f"not so for {edge[0]} - {edge[1]}"):
        hopcroft_karp(graph, sides=[True, False, True, False])


def test_errors():
    path = Graph.from_edges([0, 1], [1, 2])
    with pytest.raises(ValueError, match="edge 0 - 0 closes an odd cycle"):
        hopcroft_karp(Graph.from_edges([0], [0]))
    with pytest.raises(
        ValueError, match="sides must differ at the two ends of every edge, not so for 0 - 1"
    ):
        hopcroft_karp(path, sides=[True, True, False])
    with pytest.raises(ValueError, match=r"one bool per vertex \(3\), got int64 of shape \(3,\)"):
        hopcroft_karp(path, sides=[1, 0, 1])
    with pytest.raises(ValueError, match="undirected"):
        hopcroft_karp(Graph.from_edges([0], [1], directed=True))
