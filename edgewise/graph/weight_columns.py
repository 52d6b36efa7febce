"""What a name in ``weights=`` stands for: the one place that looks up columns of edges.

A graph has one column, "weight", which is ``graph.weights``. On a graph without weights that name
stands for unit weights. None stands for unit weights on every graph.
"""

from __future__ import annotations

from typing import Any

from edgewise.graph.csr import CSR
from edgewise.graph.kinds import AnyGraph

__all__ = ["WEIGHT", "column", "is_own"]

#: The name of the graph's own weights.
WEIGHT = "weight"


def column(graph: AnyGraph | CSR, name: str, argument: str = "weights") -> Any:
    """The column of that name over arcs; None if it is "weight" and the graph has no weights.

    >>> from edgewise.graph import Graph
    >>> column(Graph.from_edges([0], [1], [2.5]), "weight").tolist()
    [2.5, 2.5]
    >>> column(Graph.from_edges([0], [1]), "cost")
    Traceback (most recent call last):
    ValueError: weights must name a column of the graph, got 'cost': the graph has no columns
    """
    if name == WEIGHT:
        return graph.weights
    known = "no columns" if graph.weights is None else f"the column {WEIGHT!r}"
    raise ValueError(
        f"{argument} must name a column of the graph, got {name!r}: the graph has {known}"
    )


def is_own(weights: Any) -> bool:
    """Does the argument ask for the graph's own weights, and no others?"""
    return isinstance(weights, str) and weights == WEIGHT
