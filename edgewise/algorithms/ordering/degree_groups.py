"""Vertices in groups of about equal degree, the highest first, stored as before within each [1].

The groups are bounded by powers of two times the mean degree: from 32 times on, from 16 times on,
..., below half of it. Hot values come to lie together, as by `degree`, and what locality the order
had stays within the groups. One stable split, linear work.

[1] P. Faldu, J. Diamond, B. Grot. A closer look at lightweight graph reordering. IISWC 2019.
"""

from __future__ import annotations

from typing import Any

from edgewise.algorithms.ordering.degree import total_degrees
from edgewise.graph.foreign import GraphLike, takes_graph
from edgewise.operators import multisplit
from edgewise.operators.sorting import places_in

__all__ = ["degree_groups"]

_GROUPS = 8


@takes_graph
def degree_groups(graph: GraphLike) -> Any:
    """Eight groups by degree, the highest first; within each, vertices stay in order.

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
    >>> degree_groups(graph).tolist()
    [2, 3, 1, 4, 0, 5]
    """
    degrees = total_degrees(graph)
    mean = int(degrees.sum()) / max(graph.num_vertices, 1)
    groups = multisplit(graph, None, _group, (degrees, mean), count=_GROUPS)
    return places_in(graph, groups)


def _group(v, degrees, mean):
    group, bound = 0, 32 * mean
    while group < _GROUPS - 1 and degrees[v] < bound:
        group, bound = group + 1, bound / 2
    return group
