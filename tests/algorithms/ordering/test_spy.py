"""Edges by blocks of positions, against a histogram."""

from __future__ import annotations

import numpy as np
import pytest

from edgewise import ordering, threads
from tests.algorithms.ordering.oracles import GRAPHS
from tests.algorithms.samples import random_graph


def by_histogram(graph, places, bins):
    counts = np.zeros((bins, bins), np.int64)
    sources, targets, _ = graph.arcs()
    n = graph.num_vertices
    for u, v in zip(sources.tolist(), targets.tolist(), strict=True):
        counts[places[u] * bins // n, places[v] * bins // n] += 1
    return counts


@pytest.mark.parametrize("name", GRAPHS)
def test_odd_graphs(name):
    graph = GRAPHS[name]
    bins = min(max(graph.num_vertices, 1), 5)
    found = ordering.spy(graph, bins=5)
    assert found.tolist() == by_histogram(graph, [*range(graph.num_vertices)], bins).tolist()
    assert found.sum() == graph.num_arcs


def test_in_an_order():
    graph = random_graph(300, 2000, seed=1)
    order = ordering.random_order(graph, seed=2)
    wanted = by_histogram(graph, order.tolist(), 16)
    for team in (1, 3):
        with threads(team):
            assert (ordering.spy(graph, order, bins=16) == wanted).all()


def test_wrong_arguments():
    with pytest.raises(ValueError, match="bins must be at least 1, got 0"):
        ordering.spy(GRAPHS["path"], bins=0)
    with pytest.raises(ValueError, match="positions must hold each of 0 to 8 once"):
        ordering.spy(GRAPHS["cycle"], [0] * 9)
