"""Eccentricities: how far from each vertex the farthest one is.

Eccentricities are kept between bounds, which searches narrow until they decide (`bounds`) [1]: on
most real graphs some ten or hundred of them, not one per vertex.

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
    graph: GraphLike, *, estimated: int | None = None, disconnected: str = "refuse"
) -> Any:
    """The distance from every vertex to the farthest one.

    Parameters
    ----------
    graph : Graph
        In a directed graph distances are those along the edges.
    estimated : int, optional
        Only so many searches, from which lower bounds are given.
    disconnected : {"refuse", "ignore"}
        Where not all reach all: an error, as in NetworkX; or count what is reached alone.

    Returns
    -------
    array of int32

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> path = Graph.from_edges([0, 1, 2], [1, 2, 3])
    >>> eccentricity(path).tolist()
    [3, 2, 2, 3]
    """
    bounds = eccentricities(
        graph, ALL, "eccentricity", estimated=estimated, disconnected=disconnected
    )
    return bounds.lower
