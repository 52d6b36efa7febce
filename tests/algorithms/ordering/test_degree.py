"""Order by degree against a plain sort."""

from __future__ import annotations

import numpy as np
import pytest

from edgewise import ordering
from tests.algorithms.ordering.oracles import GRAPHS, is_order, places


@pytest.mark.parametrize("name", GRAPHS)
def test_as_sorted(name):
    graph = GRAPHS[name]
    ends = np.concatenate(graph.arcs()[: 1 + graph.directed]).tolist()
    degree = [ends.count(v) for v in range(graph.num_vertices)]
    for largest, sign in (("first", -1), ("last", 1)):
        order = ordering.degree(graph, largest=largest)
        wanted = sorted(range(graph.num_vertices), key=lambda v, sign=sign: sign * degree[v])
        assert is_order(graph, order) and order.tolist() == places(wanted)


def test_wrong_choice():
    with pytest.raises(ValueError, match="largest must be one of 'first', 'last', got 'middle'"):
        ordering.degree(GRAPHS["path"], largest="middle")
