"""Degree order: vertices sorted by degree, ties in the given order.

One parallel sort. In graphs with a skewed degree distribution, the values of the hubs end up in a
few cache lines that stay in the cache.
"""

from __future__ import annotations

from typing import Any

from edgewise.base.checks import check_flag
from edgewise.graph.foreign import GraphLike, takes_graph
from edgewise.graph.kinds import AnyGraph
from edgewise.operators.sorting import places_by

__all__ = ["degree_order", "total_degrees"]


@takes_graph
def degree_order(graph: GraphLike, *, descending: bool = True) -> Any:
    """Return each vertex's position by degree.

    Parameters
    ----------
    graph : Graph
        Directed or undirected. The degree counts edges of both directions.
    descending : bool
        Place vertices of high degree first.

    Returns
    -------
    array of int over vertices
        The position of each vertex, an array over vertices. `Graph.permute` takes it. Vertices of
        equal degree keep their order.

    See Also
    --------
    hub_sort : Sorts the hubs only.
    degree_based_grouping : Sorts into eight groups only.

    Notes
    -----
    O(n + m) time.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([2, 2, 2, 3], [0, 1, 3, 0])
    >>> degree_order(graph).tolist(), degree_order(graph, descending=False).tolist()
    ([1, 3, 0, 2], [1, 0, 3, 2])
    """
    check_flag(descending, "descending")
    degrees = total_degrees(graph)
    return places_by(graph, [-degrees if descending else degrees])


def total_degrees(graph: AnyGraph) -> Any:
    """The number of edges at every vertex: out of it, and into it where that is not the same."""
    degrees = graph.degrees()
    return degrees + graph.in_degrees() if graph.directed else degrees
