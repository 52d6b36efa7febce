"""Vertices by degree, equal ones as they are stored.

One parallel sort. Where a few vertices have most edges, their values end up in a few cache lines
that stay in the cache.
"""

from __future__ import annotations

from typing import Any

from edgewise.base.checks import check_choice
from edgewise.graph.foreign import GraphLike, takes_graph
from edgewise.graph.kinds import AnyGraph
from edgewise.operators.sorting import places_by

__all__ = ["degree", "total_degrees"]


@takes_graph
def degree(graph: GraphLike, *, largest: str = "first") -> Any:
    """Order by degree.

    Parameters
    ----------
    graph : Graph
        In a directed one edges of both directions count.
    largest : {"first", "last"}
        Where vertices of high degree go.

    Returns
    -------
    array of int over vertices
        Positions, as `graph.permute` takes them.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([2, 2, 2, 3], [0, 1, 3, 0])
    >>> degree(graph).tolist(), degree(graph, largest="last").tolist()
    ([1, 3, 0, 2], [1, 0, 3, 2])
    """
    check_choice(largest, "largest", ("first", "last"))
    degrees = total_degrees(graph)
    return places_by(graph, [-degrees if largest == "first" else degrees])


def total_degrees(graph: AnyGraph) -> Any:
    """The number of edges at every vertex: out of it, and into it where that is not the same."""
    degrees = graph.degrees()
    return degrees + graph.in_degrees() if graph.directed else degrees
