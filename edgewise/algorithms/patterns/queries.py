"""Subgraph queries: a pattern as text, with labels and conditions on its vertices.

`subgraph_matches` finds each subgraph once. A query asks for every assignment of vertices to its
names, so each subgraph is repeated for every symmetry of the labeled pattern, and conditions select
from them. Matches come in parts, so that memory is bounded by that of one part.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from edgewise.algorithms.patterns.query_search import query_parts, searched_query
from edgewise.algorithms.patterns.query_text import Query, parse_query
from edgewise.base.checks import check_count, check_one_device
from edgewise.graph import Graph
from edgewise.graph.foreign import LocalGraphLike, takes_graph

__all__ = ["QueryMatches", "iter_query_matches", "query_match_count", "query_matches"]

#: Matches of a part; and how many times more subgraphs are searched for if conditions leave few.
_PART, _MORE = 1 << 20, 8


class QueryMatches(NamedTuple):
    """The matches of a query.

    Attributes
    ----------
    names : tuple of str
        The names of the query's vertices, in the order of their first appearance.
    vertices : array of vertex ids, matches x names
        Column i holds the vertex of ``names[i]``.
    """

    names: tuple[str, ...]
    vertices: Any


@takes_graph
def query_matches(
    graph: LocalGraphLike,
    query: str,
    *,
    vertex_labels: Any = None,
    induced: bool = False,
    max_matches: int | None = None,
) -> QueryMatches:
    """Return all matches of a subgraph query.

    Parameters
    ----------
    graph : Graph
        Directed or undirected, on one device. Self-loops and weights are ignored.
    query : str
        Edges and conditions, separated by commas, over two to six vertices:
        ``"(a)-(b)-(c), (a)-(c), a < b"``. In a directed graph, edges are ``->`` or ``<-``. The
        vertex ``(a:x)`` must have the label x. A condition compares vertex ids (``a < b``), columns
        of vertices (``a.age >= 30``, ``a.city = b.city``) and texts (``a.city = 'Rome'``).
    vertex_labels : str, or array over vertices, optional
        Whole numbers or texts, or a column of vertices with them; labels of the query are these.
    induced : bool
        Whether vertices that are not adjacent in the query must not be adjacent in the graph.
    max_matches : int, optional
        Stop after this many; these are the same in every run.

    Returns
    -------
    QueryMatches
        ``names`` and ``vertices``. A match assigns different vertices to all names. An edge
        ``(a)-(b)`` has two matches in an undirected graph; ``(a)-(b), a < b`` has one.

    Raises
    ------
    ValueError
        If the query cannot be read, or names a column or label that the graph does not have.

    See Also
    --------
    iter_query_matches : The matches in parts.
    query_match_count : Their number.
    subgraph_matches : Patterns as graphs; each subgraph once.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3])
    >>> query_matches(graph, "(a)-(b)-(c), (a)-(c), a < b, b < c").vertices.tolist()
    [[0, 1, 2]]
    """
    most = None if max_matches is None else check_count(max_matches, "max_matches", 1)
    asked, limit = _parsed(graph, query), most
    while True:
        found, symmetries = searched_query(graph, asked, vertex_labels, induced, limit)
        rows = list(_first(query_parts(graph, asked, found, symmetries, _PART), most))
        total = sum(map(len, rows))
        if most is None or limit is None or total >= most or found.total < limit:
            break
        limit *= _MORE
    xp = graph.xp
    nothing = xp.empty((0, len(asked.names)), graph.indices.dtype)
    return QueryMatches(asked.names, (xp.concatenate(rows) if rows else nothing)[:most])


@takes_graph
def iter_query_matches(
    graph: LocalGraphLike,
    query: str,
    *,
    batch_size: int = _PART,
    vertex_labels: Any = None,
    induced: bool = False,
) -> Iterator[Any]:
    """Return an iterator over arrays of matches of a subgraph query.

    Parameters
    ----------
    graph, query, vertex_labels, induced
        As for `query_matches`.
    batch_size : int
        About how many subgraphs to search for at a time. Arrays may be smaller or larger.

    Yields
    ------
    array of vertex ids, matches x names

    Examples
    --------
    >>> from edgewise.generators import complete
    >>> sum(len(part) for part in iter_query_matches(complete(6), "(a)-(b)-(c), a < c"))
    60
    """
    asked, size = _parsed(graph, query), check_count(batch_size, "batch_size", 1)
    return query_parts(
        graph, asked, *searched_query(graph, asked, vertex_labels, induced, None), size
    )


@takes_graph
def query_match_count(
    graph: LocalGraphLike, query: str, *, vertex_labels: Any = None, induced: bool = False
) -> int:
    """Return the number of matches of a subgraph query.

    Parameters
    ----------
    graph, query, vertex_labels, induced
        As for `query_matches`.

    Returns
    -------
    int

    Notes
    -----
    Without conditions, matches are counted but not listed.

    Examples
    --------
    >>> from edgewise.generators import complete
    >>> query_match_count(complete(4), "(a)-(b)-(c), (a)-(c)")
    24
    """
    asked = _parsed(graph, query)
    found, symmetries = searched_query(graph, asked, vertex_labels, induced, None)
    if not asked.conditions:
        return found.total * len(symmetries)
    return sum(len(part) for part in query_parts(graph, asked, found, symmetries, _PART))


def _parsed(graph: Graph, query: Any) -> Query:
    check_one_device(graph, "a query")
    return parse_query(query, graph.directed)


def _first(parts: Iterator[Any], most: int | None) -> Iterator[Any]:
    """The parts, until they have so many rows."""
    total = 0
    for part in parts:
        yield part
        total += len(part)
        if most is not None and total >= most:
            return
