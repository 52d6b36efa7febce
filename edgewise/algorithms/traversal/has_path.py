"""Whether a path joins two vertices, by breadth-first searches from both ends [1].

[1] I. Pohl. Bi-directional search. Machine Intelligence 6, 1971.
"""

from __future__ import annotations

from edgewise.algorithms.traversal.shortest_path import shortest_path
from edgewise.graph.foreign import GraphLike, takes_graph

__all__ = ["has_path"]


@takes_graph
def has_path(graph: GraphLike, source: int | str, target: int | str) -> bool:
    """Return True if a path leads from a source to a target (st-connectivity).

    Parameters
    ----------
    graph : Graph
        In a directed graph, the path follows the edges.
    source, target : int or str
        The ends of the path, by id or label.

    Returns
    -------
    bool

    See Also
    --------
    shortest_path : The path.
    descendants : All vertices that a path leads to.

    Notes
    -----
    O(n + m) time; usually much less, by searches from both ends.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 1], [1, 2], directed=True)
    >>> has_path(graph, 0, 2), has_path(graph, 2, 0)
    (True, False)
    """
    return len(shortest_path(graph, source, target)) > 0
