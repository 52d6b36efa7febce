"""Names of columns: what they stand for, on a graph and on a matrix."""

from __future__ import annotations

import pytest

from edgewise import Graph
from edgewise.graph import CSR
from edgewise.graph.weight_columns import column, is_own


def test_the_weights():
    graph = Graph.from_edges([0, 1], [1, 2], [0.5, 2.0])
    assert column(graph, "weight") is graph.weights
    assert column(graph.with_weights(None), "weight") is None
    assert column(CSR([0, 1], [0], [3.0]), "weight").tolist() == [3.0]


def test_unknown_names():
    graph = Graph.from_edges([0, 1], [1, 2], [0.5, 2.0])
    with pytest.raises(ValueError, match="weights must name a column of the graph, got 'weights': "
                                         "the graph has the column 'weight'"):  # fmt: skip
        column(graph, "weights")
    with pytest.raises(ValueError, match="probability must name .*: the graph has no columns"):
        column(graph.with_weights(None), "cost", "probability")


def test_is_own():
    assert is_own("weight") and not is_own(None) and not is_own("cost") and not is_own([1.0])
