"""Order by degree against a plain sort."""

from __future__ import annotations

import numpy as np
import pytest

from edgewise import ordering
from tests.algorithms.ordering.oracles import GRAPHS, is_order, places


@pytest.mark.parametrize("name", GRAPHS)
def test_as_sorted(name):
    graph = GRAPHS[name]
    ends = np.concatenate(graph.edges()[:2]).tolist()
    degree = [ends.count(v) for v in range(graph.num_vertices)]
    for descending, sign in ((True, -1), (False, 1)):
        order = ordering.degree_order(graph, descending=descending)
        wanted = sorted(range(graph.num_vertices), key=lambda v, sign=sign: sign * degree[v])
        assert is_order(graph, order) and order.tolist() == places(wanted)


def test_wrong_choice():
    with pytest.raises(TypeError, match="descending must be True or False"):
        ordering.degree_order(GRAPHS["path"], descending=np.zeros(2))
