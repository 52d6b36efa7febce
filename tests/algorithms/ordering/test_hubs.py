"""Hubs first, against plain sorts."""

from __future__ import annotations

import numpy as np
import pytest

from edgewise import ordering
from tests.algorithms.ordering.oracles import GRAPHS, is_order, places


@pytest.mark.parametrize("name", GRAPHS)
def test_as_sorted(name):
    graph = GRAPHS[name]
    ends = np.concatenate(graph.arcs()[: 1 + graph.directed]).tolist()
    n, degree = graph.num_vertices, [ends.count(v) for v in range(graph.num_vertices)]
    hubs = [v for v in range(n) if degree[v] > len(ends) / n]
    rest = [v for v in range(n) if v not in hubs]
    sorting, clustering = ordering.hub_sort(graph), ordering.hub_cluster(graph)
    assert is_order(graph, sorting) and is_order(graph, clustering)
    assert sorting.tolist() == places(sorted(hubs, key=lambda v: -degree[v]) + rest)
    assert clustering.tolist() == places(hubs + rest)
