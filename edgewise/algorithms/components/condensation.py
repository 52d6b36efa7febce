"""The condensation of a directed graph: its strongly connected components as vertices.

Components are found by `strongly_connected_components` and merged by `graph.contract`; the result
has no cycle. Almost linear work.
"""

from __future__ import annotations

from edgewise.algorithms.components.strongly_connected_components import strong_labels
from edgewise.graph.contract import Contraction
from edgewise.graph.foreign import GraphLike, takes_graph

__all__ = ["condensation"]


@takes_graph
def condensation(graph: GraphLike, *, method: str = "auto") -> Contraction:
    """Return the condensation: the acyclic graph of the strongly connected components.

    Parameters
    ----------
    graph : Graph
        Directed.
    method : {"auto", "search", "coloring"}
        Algorithm to use, as in `strongly_connected_components`; it affects only the time.

    Returns
    -------
    Contraction
        ``graph`` is directed, has no self-loops and has one vertex per component, in ascending
        order of the smallest members. These members are its labels unless nothing was merged. An
        edge's weight is the sum of the weights between the two components, or the number of edges
        if unweighted. ``mapping`` is an array over vertices: ``mapping[v]`` is the component's
        vertex in the new graph.

    Notes
    -----
    O(n + m) time.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 1, 2, 2, 3, 4], [1, 2, 0, 3, 4, 3], directed=True)
    >>> small, vertices = condensation(graph)
    >>> small.num_vertices, small.num_edges, vertices.tolist()
    (2, 1, [0, 0, 0, 1, 1])
    """
    label = strong_labels(graph, method)
    return graph.contract(label, self_loops="drop")
