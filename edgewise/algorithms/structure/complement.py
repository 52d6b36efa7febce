"""The complement of a graph, and its line graph [1], built from arrays.

The complement is written in blocks of rows. The line graph has a vertex for each edge; each arc
is followed by the arcs of its head. Both take time in proportion to the result.

[1] H. Whitney. Congruent graphs and the connectivity of graphs. American J. Mathematics 54, 1932.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.base.checks import check_one_device
from edgewise.base.memory import free_memory
from edgewise.base.offsets import offsets
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.graph.transfer import like, row_ids

__all__ = ["complement", "line_graph"]

#: Entries of a block of rows, and bytes for each entry of a result.
_BLOCK, _BYTES = 1 << 24, 40


@takes_graph
def complement(graph: LocalGraphLike) -> Any:
    """Return the complement: a graph with an edge between every two vertices that have none.

    Parameters
    ----------
    graph : Graph
        Directed or undirected. Self-loops and weights are ignored.

    Returns
    -------
    Graph
        With the same vertices, labels and columns of vertices, without self-loops and weights.

    Raises
    ------
    MemoryError
        If the complement does not fit the free memory.

    Notes
    -----
    O(n²) time.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> complement(Graph.from_edges([0, 1, 2], [1, 2, 3])).edges()[:2]
    (array([0, 0, 1], dtype=int32), array([2, 3, 3], dtype=int32))
    """
    check_one_device(graph, "complement")
    n, xp = graph.num_vertices, graph.xp
    _check_memory(n * n - graph.num_arcs, "complement")
    lengths, parts = xp.zeros(n, np.int64), [xp.empty(0, graph.id_dtype)]
    rows, height = row_ids(graph), max(_BLOCK // max(n, 1), 1)
    for low in range(0, n, height):
        high = min(low + height, n)
        first, last = int(graph.indptr[low]), int(graph.indptr[high])
        absent = xp.ones((high - low, n), bool)
        absent[rows[first:last] - low, graph.indices[first:last]] = False
        absent[xp.arange(high - low), xp.arange(low, high)] = False
        lengths[low:high] = absent.sum(axis=1)
        parts.append(xp.nonzero(absent)[1].astype(graph.id_dtype))
    made = like(graph, offsets(lengths), xp.concatenate(parts), directed=graph.directed,
                labels=graph.labels)  # fmt: skip
    made._keep(columns=graph.columns and graph.columns._replace(edges=None).or_none())
    return made


@takes_graph
def line_graph(graph: LocalGraphLike) -> Any:
    """Return the line graph: its vertices are the edges, joined where they share an end.

    Parameters
    ----------
    graph : Graph
        Directed or undirected; weights are ignored.

    Returns
    -------
    Graph
        Vertex i is edge i in the order of ``graph.edges()``. In an undirected graph, two edges with
        a common end are joined. In a directed graph, the edge (u, v) leads to all edges (v, w).
        Columns of the edges of ``graph`` are columns of these vertices.

    Raises
    ------
    MemoryError
        If the line graph does not fit the free memory.

    Notes
    -----
    O(sum of squared degrees) time, plus a sort.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> line_graph(Graph.from_edges([0, 1, 2], [1, 2, 3])).edges()[:2]
    (array([0, 1], dtype=int32), array([1, 2], dtype=int32))
    """
    check_one_device(graph, "line_graph")
    xp, heads = graph.xp, graph.indices
    lengths = graph.row_lengths()[heads]
    total = int(lengths.sum())
    _check_memory(total, "line_graph")
    arcs = xp.repeat(xp.arange(graph.num_arcs), lengths)  # each with the arcs that leave its head
    starts = graph.indptr[:-1][heads] - offsets(lengths)[:-1]
    after = starts[arcs] + xp.arange(total)
    if graph.directed:
        sources, targets = arcs, after
    else:
        edge = graph.arc_to_edge
        sources, targets = edge[arcs], edge[after]
        once = sources < targets  # a pair is found from both of its edges
        sources, targets = sources[once], targets[once]
    return type(graph).from_edges(
        sources, targets, directed=graph.directed, num_vertices=graph.num_edges,
        vertex_columns=None if graph.columns is None else graph.columns.edges,
    )  # fmt: skip


def _check_memory(entries: int, name: str) -> None:
    if entries * _BYTES > free_memory():
        raise MemoryError(f"the {name} has {entries:,} arcs or more: more than the free memory")
