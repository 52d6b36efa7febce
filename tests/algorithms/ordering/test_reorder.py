"""Graphs in another order by name: the same graph, under the same labels."""

from __future__ import annotations

import numpy as np
import pytest

from edgewise import ordering
from edgewise.algorithms.ordering.reorder import names
from edgewise.graph import Graph
from tests.algorithms.ordering.oracles import GRAPHS
from tests.algorithms.samples import random_graph
from tests.tiers import later


def edges_by_label(graph):
    sources, targets, weights = graph.arcs()
    ends = zip(graph.label(sources).tolist(), graph.label(targets).tolist(), strict=True)
    values = [None] * graph.num_arcs if weights is None else weights.tolist()
    return sorted(zip(ends, values, strict=True))


#: Orders that compile much; each has tests of its own.
LONG = {"layered_label_propagation", "nested_dissection", "reverse_cuthill_mckee"}


@pytest.mark.parametrize("name", [later(name) if name in LONG else name for name in names()])
def test_the_same_graph_in_every_order(name):
    plain = random_graph(80, 200, seed=7)
    for graph in (
        plain,
        plain.with_labels([f"v{i}" for i in range(80)]).with_weights(np.arange(plain.num_edges)),
        random_graph(40, 90, directed=True, seed=8),
    ):
        found = ordering.reorder(graph, name, seed=3)
        found.validate()
        assert found.labels is not None and found.directed == graph.directed
        assert edges_by_label(found) == edges_by_label(graph)


def test_the_order_is_that_of_the_function():
    graph = random_graph(80, 200, seed=7)
    order = ordering.random_order(graph, seed=5)
    found = ordering.reorder(graph, "random", seed=5)
    assert found.with_labels(None) == graph.permute(order)
    assert found.vertex(np.arange(80)).tolist() == order.tolist()


@pytest.mark.slow
@pytest.mark.parametrize("order", ["natural", "random"])
def test_refined(order):
    graph = random_graph(80, 200, seed=7)
    found = ordering.reorder(graph, order, refine_metric="log_gap", seed=5)
    before = ordering.reorder(graph, order, seed=5)
    assert ordering.log_gap(found) < ordering.log_gap(before)
    assert edges_by_label(found) == edges_by_label(graph)


@pytest.mark.parametrize("name", GRAPHS)
def test_odd_graphs(name):
    graph = GRAPHS[name]
    assert edges_by_label(ordering.reorder(graph)) == edges_by_label(graph)


def test_wrong_names():
    graph = Graph.from_edges([0], [1])
    with pytest.raises(ValueError, match="method must be one of 'auto', 'natural', .*got 'rcm'"):
        ordering.reorder(graph, "rcm")
    with pytest.raises(
        ValueError, match="refine_metric must be one of 'log_gap', 'linear_gap', got 'x'"
    ):
        ordering.reorder(graph, refine_metric="x")
    with pytest.raises(TypeError, match="seed must be a whole number"):
        ordering.reorder(graph, "degree", seed=0.5)
