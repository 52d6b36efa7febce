"""`greedy` alone: its order, and that it stays on the CPU (its mates: test_locally_dominant.py)."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise.algorithms.matching import greedy
from edgewise.algorithms.matching.greedy import _by_rank
from edgewise.base.errors import DeviceError
from tests.algorithms.samples import graphs, random_graph
from tests.operators import oracles


@given(graphs(directed=False, lengths=st.integers(-1, 2).map(float)))
def test_edges_come_by_rank(graph):
    low, high = _by_rank(graph, graph.weights)
    assert list(zip(low.tolist(), high.tolist(), strict=True)) == oracles.by_rank(graph)
    low, high = _by_rank(graph, None)
    assert list(zip(low.tolist(), high.tolist(), strict=True)) == oracles.by_rank(graph, None)


def test_a_run_of_equals_between_others():
    graph = random_graph(60, 300, seed=1)
    drawn = np.random.default_rng(2).choice([1.0, 2.0, 2.0, 2.0, 3.5], graph.num_edges)
    graph = graph.with_weights(drawn)
    low, high = _by_rank(graph, graph.weights)
    assert list(zip(low.tolist(), high.tolist(), strict=True)) == oracles.by_rank(graph)


def test_on_the_cpu_alone():
    class Elsewhere:
        device, engine, one_device = "cuda:0", "local", True

    with pytest.raises(
        DeviceError, match=r'greedy needs a graph in host memory.*graph.to\("cpu"\)'
    ):
        greedy(Elsewhere())
