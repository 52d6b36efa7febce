"""Subgraphs isomorphic to a small pattern, counted or listed.

The vertices of the pattern are matched one by one, in a planned order
(`edgewise.algorithms.patterns.plan`). The candidates for each are an intersection of rows of
vertices matched before (`edgewise.algorithms.patterns.backtracking`). Symmetry breaking finds every
subgraph once. Searches start from all edges and are independent. If degrees are skewed, vertices
are first renumbered by degree, so that the bounds of symmetry breaking shorten the rows of hubs.
Memory: 16 bytes per arc and 64 MB, plus the list of matches.
"""

from __future__ import annotations

from typing import Any

from edgewise.algorithms.patterns.searching import matches, search
from edgewise.base.checks import check_one_device
from edgewise.graph.foreign import LocalGraphLike, takes_graph

__all__ = ["subgraph_match_count", "subgraph_matches"]


@takes_graph
def subgraph_match_count(
    graph: LocalGraphLike,
    pattern: Any,
    *,
    vertex_labels: Any = None,
    pattern_labels: Any = None,
    induced: bool = False,
    max_matches: int | None = None,
) -> int:
    """Return the number of subgraphs isomorphic to a pattern of two to six vertices.

    Parameters
    ----------
    graph : Graph
        Directed or undirected. Self-loops and weights are ignored.
    pattern : Graph, str, or pairs
        Connected graph without self-loops, directed if the graph is.
        It is a graph, a list of edges as pairs, or a name. For undirected graphs the names are
        "edge", "wedge", "triangle", and of four vertices "path", "star", "cycle", "paw", "diamond"
        and "clique".
    vertex_labels : array of int, optional
        A label for every vertex of the graph. Requires ``pattern_labels``.
    pattern_labels : array of int, optional
        A label for every vertex of the pattern; a match must have equal labels.
    induced : bool
        Whether vertices that are not adjacent in the pattern must not be adjacent in the graph.
    max_matches : int, optional
        Stop counting at this number.

    Returns
    -------
    int
        Every subgraph counts once, even if the pattern has symmetries.

    See Also
    --------
    subgraph_matches : The vertices of each match.
    motif_counts : The numbers of all subgraphs of three or four vertices.

    Notes
    -----
    The time grows with the number of matches, and is at most the AGM bound of the pattern. Memory:
    16 bytes per arc and 64 MB.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 0, 1, 2, 3], [1, 2, 2, 3, 1])
    >>> subgraph_match_count(graph, "triangle")
    2
    """
    check_one_device(graph, "subgraph_match_count")
    return search(graph, pattern, vertex_labels, pattern_labels, induced, max_matches).total


@takes_graph
def subgraph_matches(
    graph: LocalGraphLike,
    pattern: Any,
    *,
    vertex_labels: Any = None,
    pattern_labels: Any = None,
    induced: bool = False,
    max_matches: int | None = None,
) -> Any:
    """Return the subgraphs isomorphic to a pattern of two to six vertices, one per row.

    Parameters
    ----------
    graph, pattern, vertex_labels, pattern_labels
        As for `subgraph_match_count`.
    induced : bool
        Whether vertices that are not adjacent in the pattern must not be adjacent in the graph.
    max_matches : int, optional
        Stop after this number of matches; these are the same in every run.

    Returns
    -------
    array of vertex ids, of shape (number of matches, size of the pattern)
        Column i holds the vertex matched to vertex i of the pattern. The rows are in the same order
        in every run. If the pattern has symmetries, one match per subgraph is listed.

    See Also
    --------
    subgraph_match_count : The number of matches, without listing them.

    Notes
    -----
    The time grows with the number of matches, and is at most the AGM bound of the pattern. Memory:
    16 bytes per arc and 64 MB, plus the result.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 0, 1, 2, 3], [1, 2, 2, 3, 1])
    >>> subgraph_matches(graph, [(0, 1), (1, 2), (2, 0)]).tolist()
    [[0, 1, 2], [1, 2, 3]]
    """
    check_one_device(graph, "subgraph_matches")
    return matches(search(graph, pattern, vertex_labels, pattern_labels, induced, max_matches))
