"""The diameter: how far apart the two vertices are that are farthest from each other.

Eccentricities are kept between bounds, which searches narrow until they decide (`bounds`) [1]: on
most real graphs some ten or hundred of them, not one per vertex.

[1] F. Takes, W. Kosters. Computing the eccentricity distribution of large graphs. Algorithms 6(1),
    2013.
"""

from __future__ import annotations

from edgewise.algorithms.distances.eccentricity_bounds import GREATEST, eccentricities
from edgewise.graph.foreign import GraphLike, takes_graph

__all__ = ["diameter"]


@takes_graph
def diameter(
    graph: GraphLike, *, estimated: int | None = None, disconnected: str = "refuse"
) -> int:
    """The greatest distance between two vertices.

    Parameters
    ----------
    graph : Graph
        In a directed graph distances are those along the edges.
    estimated : int, optional
        Only so many searches: the longest distance that they show is a lower bound, mostly met.
    disconnected : {"refuse", "ignore"}
        Where not all reach all: an error, as in NetworkX; or count what is reached alone.

    Returns
    -------
    int

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> path = Graph.from_edges([0, 1, 2], [1, 2, 3])
    >>> diameter(path)
    3
    """
    bounds = eccentricities(
        graph, GREATEST, "diameter", estimated=estimated, disconnected=disconnected
    )
    return int(bounds.lower.max()) if graph.num_vertices else 0
