"""Extreme weights on a grid: a common factor changes nothing, and sums that overflow are errors."""

from __future__ import annotations

import numpy as np
import pytest

from edgewise import (
    Graph,
    degree_assortativity_coefficient,
    eigenvector_centrality,
    hits,
    katz_centrality,
    pagerank,
    sssp,
)
from edgewise.communities import label_propagation, louvain, modularity
from edgewise.distributed import Grid, distribute
from edgewise.distributed.rank_threads import run_threads
from tests.algorithms.test_scale import FACTORS, weighted

CALLS = {
    "eigenvector_centrality": lambda graph: eigenvector_centrality(graph, weights="weight"),
    "hits": lambda graph: hits(graph, normalized=True).hubs,
    "pagerank": pagerank,
    "katz_centrality": lambda graph: katz_centrality(graph, alpha=0.01, weights=None, beta=1e200),
    "label_propagation": lambda graph: label_propagation(graph, weights="weight"),
    "louvain": louvain,
    "modularity": lambda graph: modularity(graph, np.arange(graph.num_vertices) % 4),
    "assortativity": lambda graph: degree_assortativity_coefficient(graph, weights="weight"),
}


def on_ranks(call, graph):
    return run_threads(lambda comm: np.asarray(call(distribute(graph, grid=Grid(comm)))), 4)[0]


@pytest.mark.parametrize("name", CALLS)
def test_a_common_factor_changes_nothing(name):
    graph = weighted()
    known = on_ranks(CALLS[name], graph)
    for factor in FACTORS:
        found = on_ranks(CALLS[name], graph.with_weights(graph.edges()[2] * factor))
        np.testing.assert_allclose(found, known, rtol=1e-9, atol=1e-12)


def test_whole_weights_past_int64():
    triangle = Graph.from_edges([0, 0, 1], [1, 2, 2], np.full(3, 2**62))
    assert on_ranks(CALLS["label_propagation"], triangle).tolist() == [0, 0, 0]


def test_lengths_that_overflow():
    graph = Graph.from_edges([0, 1, 2], [1, 2, 3], [1e308, 1e308, 1.0], directed=True)
    with pytest.raises(ValueError, match="but a path along the edge 1 -> 2 exceeds its range"):
        on_ranks(lambda graph: sssp(graph, 0).distance, graph)
