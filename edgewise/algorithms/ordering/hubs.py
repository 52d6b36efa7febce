"""Hubs first: sorted by degree (hub sort [1]) or as they are stored (hub clustering [2]).

A hub has more edges than the average. All other vertices keep their order, and with it whatever
locality it has; degree order would shuffle them. One parallel sort.

[1] Y. Zhang, V. Kiriansky, C. Mendis, S. Amarasinghe, M. Zaharia. Making caches work for graph
    analytics. IEEE Big Data 2017.
[2] V. Balaji, B. Lucia. When is graph reordering an optimization? IISWC 2018.
"""

from __future__ import annotations

from typing import Any

from edgewise.algorithms.ordering.degree import total_degrees
from edgewise.graph.foreign import GraphLike, takes_graph
from edgewise.graph.kinds import AnyGraph
from edgewise.operators.sorting import places_by

__all__ = ["hub_cluster", "hub_sort"]


@takes_graph
def hub_sort(graph: GraphLike) -> Any:
    """Vertices of more than average degree first, from the highest on; the others stay in order.

    Parameters
    ----------
    graph : Graph
        In a directed one edges of both directions count.

    Returns
    -------
    array of int over vertices
        Positions, as `graph.permute` takes them.

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
    """Vertices of more than average degree first; these and the others stay in order.

    Parameters and result are those of `hub_sort`.

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
