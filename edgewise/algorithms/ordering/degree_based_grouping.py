"""Degree-based grouping [1]: groups of similar degree, the highest first, stable within each.

The groups are bounded by powers of two times the mean degree: at least 32 times, at least 16 times,
..., below half of it. The values of high-degree vertices become contiguous, as in `degree_order`,
and the groups preserve the locality of the given order. One stable split, linear work.

[1] P. Faldu, J. Diamond, B. Grot. A closer look at lightweight graph reordering. IISWC 2019.
"""

from __future__ import annotations

from typing import Any

from edgewise.algorithms.ordering.degree_order import total_degrees
from edgewise.graph.foreign import GraphLike, takes_graph
from edgewise.operators import multisplit
from edgewise.operators.sorting import places_in

__all__ = ["degree_based_grouping"]

_GROUPS = 8


@takes_graph
def degree_based_grouping(graph: GraphLike) -> Any:
    """Return each vertex's position by degree-based grouping (DBG).

    There are eight groups by degree, the highest first. Within a group, vertices keep their order.

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
    hub_cluster : Two groups only.
    degree_order : A full sort by degree.

    Notes
    -----
    O(n + m) time.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([4, 4, 4, 2, 2], [0, 1, 2, 3, 3], num_vertices=6)
    >>> degree_based_grouping(graph).tolist()
    [2, 3, 1, 4, 0, 5]
    """
    degrees = total_degrees(graph)
    mean = int(degrees.sum()) / max(graph.num_vertices, 1)
    groups = multisplit(graph, None, _group, (degrees, mean), num_buckets=_GROUPS)
    return places_in(graph, groups)


def _group(v, degrees, mean):
    group, bound = 0, 32 * mean
    while group < _GROUPS - 1 and degrees[v] < bound:
        group, bound = group + 1, bound / 2
    return group
