"""`k_clique_count`: as many as listing finds, and binomials where no list could be made."""

from __future__ import annotations

from math import comb

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise import Graph, k_clique_count, threads, triangle_count
from edgewise.algorithms import scratch
from edgewise.generators import complete, urand
from edgewise.graph.orient import orient
from tests.algorithms.samples import SHAPES, TEAMS, graphs, random_graph, shape, to_networkx


def sizes(graph):
    """How many cliques of each size there are, by listing all."""
    plain = to_networkx(graph)
    plain.remove_edges_from(list(nx.selfloop_edges(plain)))
    found = [0] * (graph.num_vertices + 2)
    for clique in nx.enumerate_all_cliques(plain):
        found[len(clique)] += 1
    return found


@given(graphs(directed=False), st.integers(1, 6), st.sampled_from(TEAMS))
def test_any_graph(graph, k, team):
    wanted = [*sizes(graph), *[0] * 6]
    with threads(team):
        assert k_clique_count(graph, k=k) == wanted[k]


@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name):
    graph = shape(name)
    wanted = sizes(graph)[1:15]
    assert [k_clique_count(graph, k=k) for k in range(1, len(wanted) + 1)] == wanted


def test_a_skewed_graph():
    graph = random_graph(600, 12_000)
    wanted = sizes(graph)
    assert k_clique_count(graph) == triangle_count(graph) == wanted[3]
    for team in TEAMS:
        with threads(team):
            assert [k_clique_count(graph, k=k) for k in range(3, 12)] == wanted[3:12]


def test_more_than_a_word_of_neighbors():
    """A clique without a perfect matching: half of everyone's choices exclude one another."""
    u, v = np.triu_indices(140, 1)
    apart = v != u + 70
    graph = Graph.from_edges(u[apart], v[apart])
    for k in (3, 4, 5):
        assert k_clique_count(graph, k=k) == comb(70, k) * 2**k


@pytest.mark.parametrize("hub", [False, True])
@pytest.mark.parametrize("words", [1, 40, 1 << 25])
def test_four_in_parts(hub, words, monkeypatch):
    """Rows of bits in many parts; with a hub vertices are renumbered, without they are not."""
    graph = urand(8, edge_factor=20)
    if hub:
        u, v = np.triu_indices(40, 1)
        graph = Graph.from_edges(np.r_[u, np.zeros(2_000, int)], np.r_[v, np.arange(2_000)])
    assert (orient(graph).order is not None) == hub
    monkeypatch.setattr(scratch, "_WORDS", words)
    assert k_clique_count(graph, k=4) == (comb(40, 4) if hub else sizes(graph)[4])


def test_binomials_up_to_64_bits():
    graph = complete(66)
    for k in (4, 20, 33, 60, 66):
        assert k_clique_count(graph, k=k) == comb(66, k)
    assert k_clique_count(graph, k=67) == k_clique_count(graph, k=10**30) == 0
    with pytest.raises(ValueError, match=r"k must give fewer than 2\*\*63 cliques, got 35"):
        k_clique_count(complete(70), k=35)
    two = Graph.from_edges(*np.concatenate([np.triu_indices(66, 1), np.triu_indices(66, 1)], 1)
                           + np.repeat([0, 66], 66 * 65 // 2))  # fmt: skip
    with pytest.raises(ValueError, match="got 33"):  # though each half has few enough
        k_clique_count(two, k=33)


def test_errors():
    with pytest.raises(ValueError, match="k_clique_count needs an undirected graph"):
        k_clique_count(shape("path", directed=True))
    with pytest.raises(ValueError, match="k must be at least 1, got 0"):
        k_clique_count(shape("path"), k=0)
