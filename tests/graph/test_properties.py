"""Summaries against plain NumPy on the edges."""

from __future__ import annotations

import math

import numpy as np
import pytest

from edgewise.graph import DegreeSummary, Graph, WeightSummary


@pytest.mark.parametrize("directed", [True, False])
def test_degree_summary(directed):
    graph = Graph.from_edges([0, 0, 0, 4], [1, 2, 0, 1], num_vertices=6, directed=directed)
    out = [3, 0, 0, 0, 1, 0] if directed else [4, 2, 1, 0, 1, 0]
    assert graph.degree_summary() == DegreeSummary(
        min(out), float(np.median(out)), sum(out) / 6, max(out), 2
    )


def test_summaries_of_nothing():
    empty = Graph.from_edges([], [])
    assert empty.degree_summary() == DegreeSummary(0, 0.0, 0.0, 0, 0)
    assert empty.weight_summary() is None
    summary = Graph.from_edges([], [], []).weight_summary()
    assert math.isnan(summary.min)
    assert summary.total == 0


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "int64"])
def test_weight_summary_counts_each_edge_once(dtype):
    graph = Graph.from_edges([0, 1, 2, 2], [1, 2, 2, 0], np.array([4, -2, 0, 6], dtype))
    assert graph.weight_summary() == WeightSummary(-2.0, 2.0, 6.0, 8.0, 1, 1, 0)


def test_odd_weights_are_counted_apart():
    graph = Graph.from_edges([0, 1, 2], [1, 2, 3], [np.nan, -np.inf, 5.0])
    assert graph.weight_summary() == WeightSummary(5.0, 5.0, 5.0, 5.0, 0, 0, 2)


def test_large_integers_do_not_wrap():
    graph = Graph.from_edges([0, 1], [1, 2], np.array([2**62, 2**62]), directed=True)
    assert graph.weight_summary().total == 2.0**63


def test_in_degrees_before_and_after_the_transpose():
    graph = Graph.from_edges([0, 1, 1], [2, 2, 0], directed=True)
    assert graph.in_degrees().tolist() == [1, 0, 2]
    assert graph.transposed.degrees().tolist() == [1, 0, 2]
    assert graph.in_degrees().tolist() == [1, 0, 2]
