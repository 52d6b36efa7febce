"""`triad_census`: NetworkX's numbers; every triad looked at; closed forms."""

from __future__ import annotations

from math import comb

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise import Graph, generators, motif_counts, threads, triad_census
from edgewise.algorithms.triangles.triad_census import _TYPES
from tests.algorithms.samples import SHAPES, TEAMS, graphs, random_graph, shape, to_networkx


def brute_force(graph):
    """Every three vertices, by NetworkX's name of their subgraph."""
    large = to_networkx(graph.without_self_loops())
    counts = dict.fromkeys(_TYPES, 0)
    for part in nx.all_triads(large):
        counts[nx.triad_type(part)] += 1
    return counts


@given(graphs(directed=True, most=8), st.sampled_from(TEAMS))
def test_any_graph(graph, team):
    with threads(team):
        found = triad_census(graph)
    assert found == brute_force(graph)
    assert [*found] == [*_TYPES]


@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name):
    graph = shape(name, directed=True)
    assert triad_census(graph) == nx.triadic_census(to_networkx(graph.without_self_loops()))


def test_larger_graphs(monkeypatch):
    monkeypatch.setattr("edgewise.algorithms.triangles.triad_census._PARTS", 16)
    graph = random_graph(300, 4000, directed=True, seed=3)
    assert triad_census(graph) == nx.triadic_census(to_networkx(graph.without_self_loops()))


def test_large_numbers_are_exact():
    """A star of so many leaves that their pairs exceed 2**32; a mutual clique."""
    n = 200_000
    star = Graph.from_edges(np.zeros(n, np.int64), np.arange(1, n + 1), directed=True)
    assert triad_census(star) == dict.fromkeys(_TYPES, 0) | {"021D": comb(n, 2), "003": comb(n, 3)}
    u, v, _ = generators.complete(30).arcs()
    clique = Graph.from_edges(u, v, directed=True)
    assert (
        triad_census(clique)["300"]
        == comb(30, 3)
        == motif_counts(clique.to_undirected())["triangle"]
    )


def test_undirected_graphs_are_refused():
    with pytest.raises(ValueError, match="triad_census needs a directed graph"):
        triad_census(shape("path"))
