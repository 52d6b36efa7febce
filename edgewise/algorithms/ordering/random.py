"""A random order: what every other order is measured against.

Vertices sorted by a hash of the seed and of the vertex.
"""

from __future__ import annotations

from typing import Any

from edgewise.base.random import bits, check_seed
from edgewise.graph.foreign import GraphLike, takes_graph
from edgewise.operators.sorting import places_by

__all__ = ["random"]


@takes_graph
def random(graph: GraphLike, *, seed: int = 0) -> Any:
    """Every vertex a random position.

    Parameters
    ----------
    graph : Graph
    seed : int
        The same one gives the same order, on every device.

    Returns
    -------
    array of int over vertices
        Positions, as `graph.permute` takes them.

    Examples
    --------
    >>> from edgewise.generators import path
    >>> random(path(5), seed=1).tolist()
    [0, 4, 1, 2, 3]
    """
    return places_by(graph, [bits(check_seed(seed), graph.vertex_ids())])
