"""Smallest-last order [1]: each vertex has the fewest neighbors among itself and those before it.

A vertex of smallest degree takes the last position and is removed, and so on with what is left. No
vertex has more earlier neighbors than the degeneracy of the graph, its largest core number. Greedy
coloring in this order therefore needs at most one color more than that.

[1] D. Matula, L. Beck. Smallest-last ordering and clustering and graph coloring algorithms. J. ACM
    1983.
"""

from __future__ import annotations

from typing import Any

from edgewise.algorithms.ordering.bucket_order import remove_all
from edgewise.algorithms.ordering.places import both_ways
from edgewise.base.checks import check_one_device
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.operators.sorting import to_places

__all__ = ["smallest_last"]


@takes_graph
def smallest_last(graph: LocalGraphLike) -> Any:
    """Return each vertex's position in smallest-last order.

    The last vertex has the smallest degree. Without it, the last but one has the smallest degree,
    and so on.

    Parameters
    ----------
    graph : Graph
        A directed graph is treated as undirected. Self-loops are ignored. A graph on a GPU is
        copied to host memory, where one CPU thread finds the order.

    Returns
    -------
    array of int over vertices
        The position of each vertex, an array over vertices. `Graph.permute` takes it.

    See Also
    --------
    edgewise.coloring.greedy : Coloring in this order.
    edgewise.core_number : The degeneracy is the largest core number.

    Notes
    -----
    O(n + m) time on one CPU thread.

    References
    ----------
    D. Matula, L. Beck. Smallest-last ordering and clustering and graph coloring algorithms. J. ACM
    1983.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> triangle_with_tail = Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3])
    >>> smallest_last(triangle_with_tail).tolist()
    [0, 1, 2, 3]
    """
    check_one_device(graph, "smallest_last")
    graph = both_ways(graph, "smallest_last")
    return to_places(graph, graph.xp.asarray(remove_all(graph, "smallest_last").vertices))
