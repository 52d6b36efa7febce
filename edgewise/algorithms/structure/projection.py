"""Projection of a bipartite graph onto one side: vertices are joined if they share a neighbor [1].

It is the product of two sparse matrices: the edges from the side to the other vertices, and those
back. Entry (u, v) is a sum over the common neighbors of u and v. Time in proportion to the paths of
two edges between vertices of the side.

[1] M. Newman. Scientific collaboration networks II. Physical Review E 64, 2001.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.base.checks import check_choice, check_one_device
from edgewise.base.offsets import offsets
from edgewise.graph import Graph
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.graph.labels import Labels
from edgewise.graph.lookup import check_vertices
from edgewise.graph.transfer import host, like, row_ids
from edgewise.linalg.matrix import Matrix
from edgewise.linalg.spgemm import spgemm

__all__ = ["projection"]

#: The weight of an edge, by the sum over common neighbors, the sizes of both ends, and the number
#: of vertices on the other side.
_WEIGHTINGS: dict[str, Any] = {
    "none": None,
    "count": lambda xp, both, a, b, size: both.astype(np.int64),
    "ratio": lambda xp, both, a, b, size: both / size,
    "newman": lambda xp, both, a, b, size: both,
    "jaccard": lambda xp, both, a, b, size: both / (a + b - both),
    "overlap": lambda xp, both, a, b, size: both / xp.minimum(a, b),
}


@takes_graph
def projection(graph: LocalGraphLike, vertices: Any, *, weighting: str = "count") -> Any:
    """Return the projection onto one side of a bipartite graph: who shares neighbors with whom.

    Parameters
    ----------
    graph : Graph
        Directed or undirected. Its weights are ignored. It need not be bipartite: a common neighbor
        is a vertex outside the side. In a directed graph, an edge (u, v) stands for paths from u
        over another vertex to v.
    vertices : array of bool over vertices, or array of vertices
        The side.
    weighting : {"count", "ratio", "newman", "jaccard", "overlap", "none"}
        The weight of an edge. "count" is the number of common neighbors, "ratio" their fraction of
        all vertices outside the side. "newman" adds 1 / (d - 1) for each common neighbor, which has
        d neighbors in the side. "jaccard" divides the number by that of the neighbors of either
        end, "overlap" by the smaller number of neighbors. "none" returns a graph without weights.

    Returns
    -------
    Graph
        The vertices of the side, in ascending order. They keep their labels; without labels, the
        labels of the result are the old ids.

    See Also
    --------
    bipartition : The two sides of a bipartite graph.
    similarity.top_k : The most similar vertices, without a graph of all pairs.

    Notes
    -----
    O(sum of squared degrees of the other side) time.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> papers = Graph.from_edges(["ann", "ann", "bob", "bob", "eve"], ["p", "q", "p", "q", "q"])
    >>> authors = projection(papers, ["ann", "bob", "eve"])
    >>> authors.edge_weight("ann", "bob"), authors.edge_weight("ann", "eve")
    (2, 1)
    """
    check_one_device(graph, "projection")
    check_choice(weighting, "weighting", _WEIGHTINGS)
    xp, side = graph.xp, _mask(graph, vertices)
    ids = xp.flatnonzero(side)
    into, back = _between(graph, side, ids)
    if weighting == "newman":
        degree = xp.diff(back.indptr)
        back = _matrix(back, ((degree > 1) / xp.maximum(degree - 1, 1))[row_ids(back)])
    found = spgemm(into, back, sort=True)
    rows, columns = row_ids(found), found.indices
    others = rows != columns
    rows, columns, both = rows[others], columns[others], found.values[others]
    weights = None
    if weighting != "none":
        a, b = xp.diff(into.indptr)[rows], xp.bincount(back.indices, minlength=len(ids))[columns]
        weights = _WEIGHTINGS[weighting](xp, both, a, b, graph.num_vertices - len(ids))
    labels = graph.labels
    labels = Labels.ascending(host(ids)) if labels is None else labels.take(host(ids))
    indptr = offsets(xp.bincount(rows, minlength=len(ids)))
    result = like(graph, indptr, columns.astype(graph.id_dtype), weights,
                  directed=graph.directed, labels=labels)  # fmt: skip
    return _even(result) if weighting == "newman" and not graph.directed else result


def _mask(graph: Graph, vertices: Any) -> Any:
    """The side as a mask over vertices, on the graph's device."""
    xp, n = graph.xp, graph.num_vertices
    given = vertices if hasattr(vertices, "dtype") else np.asarray(vertices)
    if given.dtype.kind != "b":
        mask = np.zeros(n, bool)
        mask[check_vertices(graph, vertices, "vertices")] = True
        return xp.asarray(mask)
    if given.shape != (n,):
        raise ValueError(
            f"vertices must have one entry per vertex ({n}) as a mask, got shape {given.shape}"
        )
    return xp.asarray(given)


def _between(graph: Graph, side: Any, ids: Any) -> tuple[Matrix, Matrix]:
    """The arcs from the side to other vertices, and back; the side is numbered anew."""
    xp, n, count = graph.xp, graph.num_vertices, len(ids)
    new_ids = xp.zeros(n, graph.id_dtype)
    new_ids[ids] = xp.arange(count, dtype=new_ids.dtype)
    rows, heads = row_ids(graph), graph.indices
    out, into = side[rows] & ~side[heads], ~side[rows] & side[heads]
    first = offsets(xp.bincount(new_ids[rows[out]], minlength=count)[:count])
    second = offsets(xp.bincount(rows[into], minlength=n)[:n])
    ones = xp.ones(int(out.sum()))
    return (
        Matrix(first, heads[out], ones, num_columns=n, device=graph.device),
        Matrix(second, new_ids[heads[into]], xp.ones(int(into.sum())), num_columns=count,
               device=graph.device),
    )  # fmt: skip


def _matrix(matrix: Matrix, values: Any) -> Matrix:
    """The same entries with other values."""
    return Matrix(matrix.indptr, matrix.indices, values, num_columns=matrix.shape[1],
                  device=matrix.device)  # fmt: skip


def _even(graph: Any) -> Any:
    """The graph with the weights of both directions equal, whatever the order of sums was."""
    up = row_ids(graph) < graph.indices
    weights = graph.xp.where(up, graph.weights, graph.weights[graph.reverse_arc])
    return like(graph, graph.indptr, graph.indices, weights, directed=False, labels=graph.labels)
