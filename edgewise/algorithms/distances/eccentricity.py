"""Eccentricities: the distance from each vertex to the farthest one.

Searches narrow lower and upper bounds of eccentricities until these decide (`eccentricity_bounds`)
[1]. On most real graphs this takes about ten to a hundred searches, not one per vertex.

[1] F. Takes, W. Kosters. Computing the eccentricity distribution of large graphs. Algorithms 6(1),
    2013.
"""

from __future__ import annotations

from typing import Any

from edgewise.algorithms.distances.eccentricity_bounds import ALL, eccentricities
from edgewise.graph.foreign import GraphLike, takes_graph

__all__ = ["eccentricity"]


@takes_graph
def eccentricity(
    graph: GraphLike, *, max_searches: int | None = None, on_disconnected: str = "raise"
) -> Any:
    """Return the eccentricity of each vertex: the distance to the vertex farthest from it.

    Parameters
    ----------
    graph : Graph
        In a directed graph, distances follow the edges.
    max_searches : int, optional
        Maximum number of searches; the results are then lower bounds.
    on_disconnected : {"raise", "ignore"}
        Whether to raise an error if some vertex cannot reach another, as in NetworkX.
        With "ignore", only pairs with a path count.

    Returns
    -------
    array of int32 over vertices

    Raises
    ------
    ValueError
        If the graph is empty or not (strongly) connected, unless ``on_disconnected`` is "ignore".

    See Also
    --------
    diameter : The largest eccentricity.
    radius : The smallest eccentricity.

    Notes
    -----
    O(n + m) time per search. Most graphs need few searches; the maximum is n.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> path = Graph.from_edges([0, 1, 2], [1, 2, 3])
    >>> eccentricity(path).tolist()
    [3, 2, 2, 3]
    """
    bounds = eccentricities(
        graph, ALL, "eccentricity", max_searches=max_searches, on_disconnected=on_disconnected
    )
    return bounds.lower
