"""Connected components in several steps [1]: trimming, a search from the hub, then propagation.

Vertices without edges are components of their own. Most real graphs have one giant component, and
it holds the vertex of highest degree: a breadth-first search from there, which goes over to pulling
while it is wide, reaches it whole at less than linear cost. Along the edges of what is left, labels
spread until each is the smallest of its component; components that small are soon done.

Best where one component holds nearly everything and paths are short; as many rounds as the longest
of these, so it is slow on road networks. Linear work but for the propagation.
`connected_components` has the faster methods on most graphs.

[1] G. Slota, S. Rajamanickam, K. Madduri. BFS and coloring-based parallel algorithms for strongly
    connected components and related problems. IPDPS 2014.
"""

from __future__ import annotations

from typing import Any

from edgewise.base.checks import check_undirected
from edgewise.base.observe import notify
from edgewise.graph.foreign import GraphLike, takes_graph
from edgewise.operators import (
    ANY,
    ARGMAX,
    MIN,
    compute,
    filter,
    frontier,
    propagate,
    reduce_all,
)

__all__ = ["multistep_components"]


@takes_graph
def multistep_components(graph: GraphLike) -> Any:
    """Label every vertex with the smallest vertex of its component, as `connected_components` does.

    Parameters
    ----------
    graph : Graph
        Undirected.

    Returns
    -------
    array of vertex ids
        Two vertices are connected if and only if their labels are equal.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> multistep_components(Graph.from_edges([0, 3], [2, 4])).tolist()
    [0, 1, 0, 3, 3]
    """
    check_undirected(graph, "multistep_components")
    label = graph.vertex_ids(graph.indices.dtype)
    if graph.num_arcs == 0:
        return label
    ids, degrees = graph.vertex_ids(), graph.degrees()
    hub = int(reduce_all(graph, (degrees, ids), reduce=ARGMAX)[1])
    reached = graph.full(False)
    reached[hub] = True
    propagate(graph, frontier(graph, hub), _arrive, reached, reduce=ANY)
    giant = filter(graph, None, _is_set, reached)
    smallest = int(reduce_all(graph, ids, reduce=MIN, frontier=giant))
    compute(graph, giant, _name, (label, smallest))
    notify(0, phase="search")
    rest = filter(graph, None, _is_apart, (reached, degrees))
    if not rest.empty():
        propagate(graph, rest, _pass_on, label, reduce=MIN)
    notify(1, phase="propagation")
    return label


def _arrive():
    return True


def _is_set(v, reached):
    return reached[v]


def _name(v, label, smallest):
    label[v] = smallest


def _is_apart(v, reached, degrees):
    return not reached[v] and degrees[v] > 0


def _pass_on(value):
    return value
