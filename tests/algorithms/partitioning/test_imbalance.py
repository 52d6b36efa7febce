"""Imbalance: against sums by part."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise import Graph
from edgewise.generators import path
from edgewise.partitioning import Parts, imbalance, quality


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 9)), max_size=40))
def test_any_parts(pairs):
    parts, weights = np.array(pairs, int).reshape(-1, 2).T
    graph = path(len(parts)) if len(parts) else Graph.from_edges([], [], num_vertices=0)
    for vertex_weights in (None, weights):
        counts = np.bincount(parts, vertex_weights, minlength=9)
        wanted = counts.max() * 9 / counts.sum() - 1 if counts.sum() else 0
        assert imbalance(graph, parts, k=9, vertex_weights=vertex_weights) == pytest.approx(wanted)


def test_the_number_of_parts():
    graph = path(4)
    assert imbalance(graph, [0, 0, 1, 1]) == 0
    assert imbalance(graph, [0, 0, 1, 1], k=4) == 1
    assert imbalance(graph, Parts([0, 0, 1, 1], k=4)) == 1
    assert imbalance(graph, [0, 0, 2, 2]) == 0.5
    assert imbalance(graph, [0, 5, 1000, 10**12]) == (10**12 + 1) / 4 - 1
    with pytest.raises(ValueError, match=r"parts must lie below k \(2\), got 2"):
        imbalance(graph, [0, 0, 2, 2], k=2)
    with pytest.raises(ValueError, match="k must be at least 1"):
        imbalance(graph, [0, 0, 0, 0], k=0)


def test_several_weights():
    graph, parts = path(6), [0, 0, 0, 1, 1, 2]
    both = np.random.default_rng(2).integers(0, 5, (6, 3))
    alone = [imbalance(graph, parts, k=4, vertex_weights=one) for one in both.T]
    assert imbalance(graph, parts, k=4, vertex_weights=both) == max(alone)
    assert quality(graph, parts, k=4, vertex_weights=both).imbalance == max(alone)
    assert imbalance(graph, parts, vertex_weights=np.zeros((6, 2))) == 0
    with pytest.raises(ValueError, match="at least one column"):
        imbalance(graph, parts, vertex_weights=np.ones((6, 0)))


def test_wrong_weights():
    for wrong in ([1, 1, 1], [1, 1, 1, -1], [1, 1, 1, np.nan], [1, 1, 1, np.inf]):
        with pytest.raises(ValueError, match="vertex_weights must"):
            imbalance(path(4), [0, 0, 1, 1], vertex_weights=wrong)
