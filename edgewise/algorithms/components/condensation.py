"""The condensation of a directed graph: its strongly connected components as vertices.

Components are found by `strongly_connected_components` and merged by `graph.contraction`; what is
left has no cycle. Almost linear work.
"""

from __future__ import annotations

from edgewise.algorithms.components.strongly_connected_components import (
    strongly_connected_components,
)
from edgewise.graph.contract import Contraction
from edgewise.graph.foreign import GraphLike, takes_graph

__all__ = ["condensation"]


@takes_graph
def condensation(graph: GraphLike, *, method: str | None = None) -> Contraction:
    """The acyclic graph of the strongly connected components.

    Parameters
    ----------
    graph : Graph
        Directed.
    method : {"search", "colouring"}, optional
        As of `strongly_connected_components`.

    Returns
    -------
    Contraction
        ``graph``, directed and without loops, has a vertex for each component, in ascending order
        of their smallest vertices, which are its labels unless nothing was merged. Its weights are
        the sums of those of the edges between two components, or the number of these edges.
        ``vertices[v]`` is what v became.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 1, 2, 2, 3, 4], [1, 2, 0, 3, 4, 3], directed=True)
    >>> small, vertices = condensation(graph)
    >>> small.num_vertices, small.num_edges, vertices.tolist()
    (2, 1, [0, 0, 0, 1, 1])
    """
    label = strongly_connected_components(graph, method=method)
    return graph.contraction(label, loops=False)
