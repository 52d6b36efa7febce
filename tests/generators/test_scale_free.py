"""Preferential attachment: structure, the power law, and the model's own probabilities."""

from __future__ import annotations

from collections import Counter

import networkx as nx
import numpy as np
import pytest
from scipy.stats import chi2_contingency

from edgewise.generators import barabasi_albert


@pytest.mark.parametrize(("n", "m"), [(2, 1), (10, 1), (10, 9), (50, 4), (3000, 7)])
def test_counts_and_degrees(n, m, edge_set, as_networkx):
    graph = barabasi_albert(n, m, seed=4)
    assert (graph.num_vertices, graph.num_edges) == (n, m * (n - m))
    edges = edge_set(graph)
    assert {(0, v) for v in range(1, m + 1)} <= edges
    # Every newcomer has exactly m different earlier neighbors.
    earlier = Counter(v for _, v in edges)
    assert all(earlier[v] == m for v in range(m + 1, n))
    assert nx.is_connected(as_networkx(graph))


def test_power_law_tail():
    degrees = barabasi_albert(100000, 4, seed=1).degrees()
    assert degrees.min() >= 1
    assert (degrees[5:] >= 4).all()
    # P(degree >= k) = m (m + 1) / (k (k + 1)) in the limit.
    for k in (8, 16, 32, 64):
        assert abs((degrees >= k).mean() / (20 / (k * (k + 1))) - 1) < 0.1
    assert degrees.max() > 500


def test_targets_are_drawn_by_degree(edge_set, chi_square):
    """The fourth vertex of m = 1 picks by degree; the three earlier vertices form a tree."""
    rounds, counts, expected = 6000, np.zeros(3), np.zeros(3)
    for seed in range(rounds):
        edges = edge_set(barabasi_albert(4, 1, seed=seed))
        before = [e for e in edges if e[1] < 3]
        degrees = np.bincount(np.ravel(before), minlength=3)
        counts[next(u for u, v in edges if v == 3)] += 1
        expected += degrees / degrees.sum()
    assert chi_square(counts, expected) > 1e-4


def test_degrees_are_distributed_as_networkx_ones():
    ours = np.concatenate([barabasi_albert(300, 3, seed=s).degrees() for s in range(40)])
    theirs = np.concatenate(
        [[d for _, d in nx.barabasi_albert_graph(300, 3, seed=s).degree()] for s in range(40)]
    )
    edges = [0, 4, 5, 6, 7, 8, 10, 13, 18, 30, 300]
    table = [np.histogram(degrees, edges)[0] for degrees in (ours, theirs)]
    assert chi2_contingency(table).pvalue > 1e-4


def test_seeds():
    assert barabasi_albert(500, 3, seed=1) == barabasi_albert(500, 3, seed=1)
    assert barabasi_albert(500, 3, seed=1) != barabasi_albert(500, 3, seed=2)


@pytest.mark.parametrize(
    ("n", "m", "message"),
    [(5, 5, "m must be less than n = 5, got 5"), (5, 0, "m must be at least 1"), (-1, 1, "n must")],
)
def test_bad_arguments_are_named(n, m, message):
    with pytest.raises(ValueError, match=message):
        barabasi_albert(n, m)
