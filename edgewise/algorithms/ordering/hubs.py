"""Hubs first: sorted by degree (hub sort [1]) or in the given order (hub clustering [2]).

A hub is a vertex of more than average degree. All other vertices keep their order and its locality,
which a full sort by degree would destroy. One parallel sort.

[1] Y. Zhang, V. Kiriansky, C. Mendis, S. Amarasinghe, M. Zaharia. Making caches work for graph
    analytics. IEEE Big Data 2017.
[2] V. Balaji, B. Lucia. When is graph reordering an optimization? IISWC 2018.
"""

from __future__ import annotations

from typing import Any

from edgewise.algorithms.ordering.degree_order import total_degrees
from edgewise.graph.foreign import GraphLike, takes_graph
from edgewise.graph.kinds import AnyGraph
from edgewise.operators.sorting import places_by

__all__ = ["hub_cluster", "hub_sort"]


@takes_graph
def hub_sort(graph: GraphLike) -> Any:
    """Return each vertex's position with the hubs first, sorted by degree.

    Hubs are the vertices of more than average degree. All other vertices keep their order.

    Parameters
    ----------
    graph : Graph
        Directed or undirected. The degree counts edges of both directions.

    Returns
    -------
    array of int over vertices
        The position of each vertex, an array over vertices. `Graph.permute` takes it.

    See Also
    --------
    hub_cluster : Keeps the order of the hubs, too.

    Notes
    -----
    O(n + m) time.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([4, 4, 4, 2, 2], [0, 1, 2, 3, 3], num_vertices=6)
    >>> hub_sort(graph).tolist()
    [2, 3, 1, 4, 0, 5]
    """
    degrees, hub = _hubs(graph)
    return places_by(graph, [graph.xp.where(hub, -degrees, 0)])


@takes_graph
def hub_cluster(graph: GraphLike) -> Any:
    """Return each vertex's position with the hubs first, both groups in their given order.

    Hubs are the vertices of more than average degree.

    Parameters
    ----------
    graph : Graph
        Directed or undirected. The degree counts edges of both directions.

    Returns
    -------
    array of int over vertices
        The position of each vertex, an array over vertices. `Graph.permute` takes it.

    See Also
    --------
    hub_sort : Sorts the hubs by degree.

    Notes
    -----
    O(n + m) time.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([4, 4, 4, 2, 2], [0, 1, 2, 3, 3], num_vertices=6)
    >>> hub_cluster(graph).tolist()
    [2, 3, 0, 4, 1, 5]
    """
    return places_by(graph, [~_hubs(graph)[1]])


def _hubs(graph: AnyGraph) -> tuple[Any, Any]:
    """All degrees, and whether they are above the average."""
    degrees = total_degrees(graph)
    return degrees, degrees * graph.num_vertices > degrees.sum()
