"""A random order: the baseline for all other orders.

Vertices are sorted by a hash of the seed and the vertex id.
"""

from __future__ import annotations

from typing import Any

from edgewise.base.random import bits, check_seed
from edgewise.graph.foreign import GraphLike, takes_graph
from edgewise.operators.sorting import places_by

__all__ = ["random_order"]


@takes_graph
def random_order(graph: GraphLike, *, seed: int = 0) -> Any:
    """Return a random position for each vertex.

    Parameters
    ----------
    graph : Graph
        Directed or undirected.
    seed : int
        The same seed gives the same order on every device.

    Returns
    -------
    array of int over vertices
        The position of each vertex, an array over vertices. `Graph.permute` takes it.

    Notes
    -----
    O(n + m) time.

    Examples
    --------
    >>> from edgewise.generators import path
    >>> random_order(path(5), seed=1).tolist()
    [0, 4, 1, 2, 3]
    """
    return places_by(graph, [bits(check_seed(seed), graph.vertex_ids())])
