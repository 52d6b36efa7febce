"""The largest connected component of a graph, as a graph. Linear work.

Every vertex adds one to the count of the vertex that names its component; the largest count wins,
and of equal ones that of the smallest vertex.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.components.connected_components import component_labels
from edgewise.algorithms.components.strongly_connected_components import (
    strongly_connected_components,
)
from edgewise.algorithms.partition import plain
from edgewise.base.checks import check_choice, check_directed
from edgewise.graph.foreign import GraphLike, takes_graph
from edgewise.graph.subgraphs import named_part
from edgewise.operators import ADD, ARGMAX, compute, deliver, reduce_all

__all__ = ["largest_component"]


@takes_graph
def largest_component(graph: GraphLike, *, connection: str = "weak") -> Any:
    """Return the largest connected component as a graph.

    Parameters
    ----------
    graph : Graph
        Directed or undirected.
    connection : {"weak", "strong"}
        Whether directions are ignored ("weak") or paths follow the edges ("strong").
        In undirected graphs only "weak" is possible.

    Returns
    -------
    Graph
        The vertices keep their order and their names. Without labels, the labels of the result are
        the old ids. Of several largest components, the one with the smallest vertex is returned.

    See Also
    --------
    connected_components : The component of each vertex.

    Notes
    -----
    O(n + m) time.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> part = largest_component(Graph.from_edges([0, 2, 3], [1, 3, 4]))
    >>> part.num_vertices, part.label(0)
    (3, 2)
    """
    check_choice(connection, "connection", ("weak", "strong"))
    if connection == "strong":
        check_directed(graph, 'largest_component with connection="strong"')
        label = plain(strongly_connected_components(graph))
    else:
        label = component_labels(graph)
    ids, sizes = graph.vertex_ids(label.dtype), graph.full(0, np.int64)
    deliver(graph, sizes, label, graph.full(1, np.int64), reduce=ADD)
    _, giant = reduce_all(graph, (sizes, ids), reduce=ARGMAX)
    inside = graph.full(False)
    compute(graph, None, _belongs, (label, int(giant), inside))
    return named_part(graph, inside)


def _belongs(v, label, giant, inside):
    inside[v] = label[v] == giant
