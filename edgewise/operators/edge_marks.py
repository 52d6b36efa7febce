"""Edges that vertices name by their two ends, as a mask over arcs."""

from __future__ import annotations

from typing import Any

from edgewise.graph.kinds import AnyGraph
from edgewise.operators.engines import run
from edgewise.operators.helpers import find_edge
from edgewise.operators.members import compute

__all__ = ["mark_edges"]


def mark_edges(graph: AnyGraph, members: Any, first: Any, last: Any) -> Any:
    """Return a mask over arcs of the edges from ``first[v]`` to ``last[v]``, for members v.

    The graph is undirected, every edge must exist, and ``first[v] <= last[v]``. On one device the
    arcs from the smaller ends are marked; on a grid, both arcs of every edge.

    >>> import numpy as np
    >>> from edgewise import Graph
    >>> graph = Graph.from_edges([0, 1], [1, 2])
    >>> mark_edges(graph, None, np.array([1, 0, 1]), np.array([2, 1, 2])).tolist()
    [True, False, True, False]
    """
    if graph.engine != "local":
        return run(graph, "mark_edges")(graph, members, first, last)
    marks = graph.xp.zeros(graph.num_arcs, bool)
    compute(graph, members, _mark, (first, last, graph.indptr, graph.indices, marks))
    return marks


def _mark(v, first, last, indptr, indices, marks):
    marks[find_edge(indptr, indices, first[v], last[v])] = True
