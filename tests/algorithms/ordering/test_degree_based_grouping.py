"""Groups by degree, against a plain sort by the group."""

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
    bounds = [times * len(ends) / max(n, 1) for times in (32, 16, 8, 4, 2, 1, 0.5, 0)]
    group = [next(i for i, bound in enumerate(bounds) if degree[v] >= bound) for v in range(n)]
    found = ordering.degree_based_grouping(graph)
    assert is_order(graph, found)
    assert found.tolist() == places(sorted(range(n), key=lambda v: group[v]))
