"""Vertices by degree, equal ones as they are stored.

One parallel sort. Where a few vertices have most edges, their values end up in a few cache lines
that stay in the cache.
"""

from __future__ import annotations

from typing import Any

from edgewise.algorithms.ordering.places import by_key
from edgewise.base.checks import check_choice, check_one_device
from edgewise.graph import Graph
from edgewise.graph.foreign import LocalGraphLike, takes_graph

__all__ = ["degree", "total_degrees"]


@takes_graph
def degree(graph: LocalGraphLike, *, largest: str = "first") -> Any:
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
    check_one_device(graph, "degree")
    check_choice(largest, "largest", ("first", "last"))
    degrees = total_degrees(graph)
    return by_key(graph, -degrees if largest == "first" else degrees)


def total_degrees(graph: Graph) -> Any:
    """The number of edges at every vertex: out of it, and into it where that is not the same."""
    degrees = graph.degrees()
    return degrees + graph.in_degrees() if graph.directed else degrees
