"""Random orders: permutations that a seed decides, and that look random."""

from __future__ import annotations

import numpy as np
import pytest

from edgewise import ordering, threads
from edgewise.graph import Graph
from tests.algorithms.ordering.oracles import GRAPHS, is_order


@pytest.mark.parametrize("name", GRAPHS)
def test_an_order(name):
    assert is_order(GRAPHS[name], ordering.random_order(GRAPHS[name], seed=3))


def test_a_seed_decides():
    graph = Graph(np.zeros(50_001, np.int64), [])
    order = ordering.random_order(graph, seed=5)
    with threads(3):
        assert (ordering.random_order(graph, seed=5) == order).all()
    assert (ordering.random_order(graph, seed=6) != order).mean() > 0.99
    assert abs(np.corrcoef(order, np.arange(len(order)))[0, 1]) < 0.02
    with pytest.raises(TypeError, match="seed must be a whole number"):
        ordering.random_order(graph, seed="a")
