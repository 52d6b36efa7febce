"""The radius: how far the farthest vertex is from the most central one.

Eccentricities are kept between bounds, which searches narrow until they decide (`bounds`) [1]: on
most real graphs some ten or hundred of them, not one per vertex.

[1] F. Takes, W. Kosters. Computing the eccentricity distribution of large graphs. Algorithms 6(1),
    2013.
"""

from __future__ import annotations

from edgewise.algorithms.distances.eccentricity_bounds import LEAST, eccentricities
from edgewise.graph.foreign import GraphLike, takes_graph

__all__ = ["radius"]


@takes_graph
def radius(graph: GraphLike, *, estimated: int | None = None, disconnected: str = "refuse") -> int:
    """The least distance to the farthest vertex that any vertex has.

    Parameters
    ----------
    graph : Graph
        In a directed graph distances are those along the edges.
    estimated : int, optional
        Only so many searches: the least that they show is an upper bound.
    disconnected : {"refuse", "ignore"}
        Where not all reach all: an error, as in NetworkX; or count what is reached alone.

    Returns
    -------
    int

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> path = Graph.from_edges([0, 1, 2], [1, 2, 3])
    >>> radius(path)
    2
    """
    bounds = eccentricities(graph, LEAST, "radius", estimated=estimated, disconnected=disconnected)
    return int(bounds.upper.min()) if graph.num_vertices else 0
