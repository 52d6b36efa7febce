"""`motif_counts`: every set of three or four vertices looked at; closed forms; known totals."""

from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise import Graph, generators, motif_counts, subgraph_match_count, threads, triangle_count
from edgewise.algorithms.patterns.motif_counts import MOTIFS
from tests.algorithms.samples import SHAPES, TEAMS, graphs, random_graph, shape, to_networkx

#: What tells the graphs of up to four vertices apart: their degrees, ascending.
KINDS = {
    size: {
        tuple(sorted(sum(str(v) in edge for edge in text.split()) for v in range(size))): name
        for name, text in motifs.items()
    }
    for size, motifs in MOTIFS.items()
}


def brute_force(graph, size):
    large = to_networkx(graph.without_self_loops())
    counts = dict.fromkeys(MOTIFS[size], 0)
    for some in combinations(range(graph.num_vertices), size):
        degrees = tuple(sorted(dict(large.subgraph(some).degree).values()))
        counts[KINDS[size][degrees]] += 1
    return counts


@given(graphs(directed=False), st.sampled_from(TEAMS), st.sampled_from([3, 4]))
def test_any_graph(graph, team, size):
    with threads(team):
        assert motif_counts(graph, size=size) == brute_force(graph, size)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in SHAPES if SHAPES[name][0] <= 40])
def test_shapes(name):
    for size in (3, 4):
        assert motif_counts(shape(name), size=size) == brute_force(shape(name), size)


@pytest.mark.slow
def test_hubs(monkeypatch):
    """Wedges in parts; patterns are searched one by one."""
    monkeypatch.setattr("edgewise.algorithms.two_steps.BUFFER", 1000)
    graph = random_graph(400, 2500, seed=5)
    found, parts = motif_counts(graph, size=4), motif_counts(graph, size=4, induced=False)
    for name in ("diamond", "cycle", "paw", "path", "star"):
        ends = [(int(u), int(v)) for u, v in MOTIFS[4][name].split()]
        pattern = Graph.from_edges(*np.array(ends).T)
        assert subgraph_match_count(graph, pattern, induced=True) == found[name]
        assert subgraph_match_count(graph, pattern) == parts[name]
    assert motif_counts(graph)["triangle"] == triangle_count(graph)


def test_numbers_beyond_64_bits():
    found = motif_counts(generators.star(400_000), size=4)
    assert found["star"] == comb(400_000, 3) and found["triangle"] == 0
    assert sum(found.values()) == comb(400_001, 4) > 2**64


def test_odd_arguments():
    with pytest.raises(ValueError, match="size must be 3 or 4, got 5"):
        motif_counts(shape("clique"), size=5)
    with pytest.raises(ValueError, match="motif_counts needs an undirected graph"):
        motif_counts(shape("cycle", directed=True))
