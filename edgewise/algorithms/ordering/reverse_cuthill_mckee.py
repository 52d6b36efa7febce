"""Reverse Cuthill-McKee [1]: small bandwidth and profile, by breadth-first search.

Every component is searched from a pseudoperipheral vertex [2]. A search starts at a vertex of least
degree. The next one starts at a vertex of least degree in its last level. This continues while the
searches get deeper, and the search with the narrowest levels is used. Vertices are then numbered
level by level, by the position of their parent and by degree. Finally the order is reversed [3].
There are a few searches, of all components at once and in parallel, one sort, and the numbering
(`levels`). Isolated vertices are placed by their ids.

[1] E. Cuthill, J. McKee. Reducing the bandwidth of sparse symmetric matrices. ACM 1969.
[2] A. George, J. Liu. An implementation of a pseudoperipheral node finder. ACM TOMS 5, 1979.
[3] A. George. Computer implementation of the finite element method. Stanford, 1971.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.components.connected_components import component_labels
from edgewise.algorithms.ordering.level_order import depths_from, level_by_level, level_sizes
from edgewise.algorithms.ordering.places import both_ways
from edgewise.base.checks import check_one_device
from edgewise.base.observe import notify
from edgewise.graph import Graph
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.operators import ARGMAX, deliver
from edgewise.operators.sorting import to_places

__all__ = ["reverse_cuthill_mckee"]

#: Searches for the ends of components: mostly the third is no deeper than the second.
_SEARCHES = 3
#: A level with such a share of all vertices is there wherever a search begins.
_BROAD = 0.1


@takes_graph
def reverse_cuthill_mckee(graph: LocalGraphLike) -> Any:
    """Return each vertex's position in reverse Cuthill-McKee order.

    The order has small bandwidth and profile.

    Parameters
    ----------
    graph : Graph
        Directed or undirected. Edges of a directed graph are followed in both directions.

    Returns
    -------
    array of int over vertices
        The position of each vertex, an array over vertices. `Graph.permute` takes it. It is the
        same for any number of threads.

    See Also
    --------
    nested_dissection : An order of small fill-in.

    Notes
    -----
    O(m log d) time, where d is the largest degree.

    Examples
    --------
    >>> from edgewise.generators import cycle
    >>> from edgewise.ordering import bandwidth
    >>> bandwidth(cycle(8)), bandwidth(cycle(8), reverse_cuthill_mckee(cycle(8)))
    (7, 2)
    """
    check_one_device(graph, "reverse_cuthill_mckee")
    graph = both_ways(graph, "reverse_cuthill_mckee")
    if graph.num_vertices == 0:
        return graph.full(0, graph.id_dtype)
    degrees = graph.row_lengths()
    depth, label = _from_ends(graph, degrees)
    order = to_places(graph, level_by_level(graph, depth, degrees, label))
    return graph.num_vertices - 1 - order


def _from_ends(graph: Graph, degrees: Any) -> tuple[Any, Any]:
    """Distances within every component from a vertex at an end of it; components by label.

    Of a few searches, each from where the last one ended as long as that makes some component
    deeper, the one whose widest level is narrowest: bandwidth is about that.
    """
    xp, n, span = graph.xp, graph.num_vertices, int(degrees.max()) + 1
    starts = xp.asarray([int(degrees.argmin())])
    depth, label = depths_from(graph, starts), graph.full(0, graph.id_dtype)
    if int(depth.min()) < 0:  # there are other components
        label = component_labels(graph)
        starts = _best(graph, label, -degrees)[1]
        depth = depths_from(graph, starts)
    widest, last = n + 1, -1
    for turn in range(_SEARCHES):
        depth = depths_from(graph, starts) if turn else depth
        width = int(level_sizes(graph, depth)[1:].max(initial=0))
        if width < widest:
            widest, found = width, depth
        if width > _BROAD * n:
            break
        key, ends = _best(graph, label, depth * np.int64(span) - degrees)
        deepest = (key + span - 1) // span
        grown = deepest > last
        notify(turn, phase="ends", components=len(starts), growing=int(grown.sum()))
        if not bool(grown.any()):
            break
        starts, last = xp.where(grown, ends, starts), deepest
    return found, label


def _best(graph: Graph, label: Any, key: Any) -> tuple[Any, Any]:
    """The greatest key of every component, and the least vertex that has it."""
    xp, ids = graph.xp, graph.vertex_ids()
    roots = xp.flatnonzero(label == ids)
    if len(roots) == 1:
        best = key.argmax()
        return key[best][None], best[None]
    found = graph.full(np.iinfo(np.int64).min, np.int64), graph.full(0, np.int64)
    deliver(graph, found, label, (key.astype(np.int64), ids), reduce=ARGMAX)
    return found[0][roots], found[1][roots]
