"""The rows of a graph with their weights, as one record for functions that walk them."""

from __future__ import annotations

from typing import Any, NamedTuple

from edgewise.algorithms.weighting import weight_reader
from edgewise.graph import Graph
from edgewise.graph.kinds import AnyGraph

__all__ = ["WeightedRows", "stored_rows", "weighted_rows"]


class WeightedRows(NamedTuple):
    """Rows of arcs; arc e weighs ``weights[e * stride]``."""

    indptr: Any
    indices: Any
    weights: Any
    stride: int  # 0 where one weight stands for all


def weighted_rows(graph: AnyGraph, weights: Any) -> WeightedRows:
    """Return the rows of the graph with weights of arcs; 1 for all where there are none."""
    return WeightedRows(graph.indptr, graph.indices, *weight_reader(graph, weights))


def stored_rows(graph: Graph, weights: Any) -> WeightedRows:
    """The same, but the rows of a compressed graph as they are stored: for kernels."""
    return WeightedRows(*graph.stored, *weight_reader(graph, weights))
