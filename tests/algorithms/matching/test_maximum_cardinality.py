"""`matching.maximum_cardinality`: a matching, and a barrier that proves that none is larger."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise import Graph
from edgewise.matching import hopcroft_karp, maximum_cardinality
from tests.algorithms.samples import SHAPES, graphs, random_graph, shape, to_networkx


def check(graph):
    """By Tutte and Berge, odd components beyond the barrier's size must stay unmatched."""
    found, theirs = maximum_cardinality(graph), to_networkx(graph)
    mate, n = found.mate, graph.num_vertices
    matched = np.flatnonzero(mate >= 0)
    assert (mate[mate[matched]] == matched).all() and (mate[matched] != matched).all()
    assert all(theirs.has_edge(v, mate[v]) for v in matched.tolist())
    assert found.cardinality == found.weight == len(matched) / 2
    theirs.remove_nodes_from(np.flatnonzero(found.barrier).tolist())
    odd = sum(len(part) % 2 for part in nx.connected_components(theirs))
    assert n - len(matched) == odd - found.barrier.sum()
    return found


@given(graphs(directed=False, most=14))
def test_any_graph(graph):
    check(graph)


@pytest.mark.slow
@given(st.integers(4, 30), st.integers(0, 10**6))
def test_sparse_graphs(n, seed):
    """Long paths and nested blossoms: most vertices have degree 2 or 3."""
    rng = np.random.default_rng(seed)
    check(Graph.from_edges(*rng.integers(0, n, (2, n + n // 3)), num_vertices=n))


@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name):
    check(shape(name))


@pytest.mark.parametrize("factor", [0.6, 1.0, 1.5, 3.0])
def test_larger_graphs(factor):
    for seed in range(3):
        rng = np.random.default_rng(seed)
        n = 3000
        check(Graph.from_edges(*rng.integers(0, n, (2, int(factor * n))), num_vertices=n))
        check(random_graph(2000, int(2000 * factor), seed=seed))


def test_blossoms_in_blossoms():
    """Rings of odd length, joined in a ring of odd length, and so on, with a tail each."""
    rng = np.random.default_rng(2)
    for length, depth in ((3, 4), (5, 3), (7, 2)):
        n, edges = length**depth, []
        for level in range(depth):
            step = length**level
            for base in range(0, n, step * length):
                ring = [base + i * step + int(rng.integers(step)) for i in range(length)]
                edges += zip(ring, [*ring[1:], ring[0]], strict=True)
        tails = rng.choice(n, 10, replace=False)
        edges += zip(tails.tolist(), range(n, n + 10), strict=True)
        shuffled = rng.permutation(n + 10)
        u, v = shuffled[np.array(edges).T]
        check(Graph.from_edges(u, v, num_vertices=n + 10))


def test_bipartite_graphs_have_matchings_of_the_same_size():
    rng = np.random.default_rng(4)
    u, v = rng.integers(0, 5000, (2, 12_000))
    graph = Graph.from_edges(u, 5000 + v, num_vertices=10_000)
    assert check(graph).cardinality == hopcroft_karp(graph).cardinality


def test_repr_and_wrong_arguments():
    assert repr(maximum_cardinality(shape("one edge"))).startswith(
        "CertifiedMatching(weight=1.0, cardinality=1)\n"
    )
    with pytest.raises(ValueError, match="needs an undirected graph"):
        maximum_cardinality(shape("path", directed=True))
