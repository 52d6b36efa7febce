"""The biadjacency matrix of a bipartite graph, on which the exact methods work.

The left side of a graph becomes the rows, in the order of the ids. A rectangular `CSR` is already
such a matrix: its row i is vertex i, and its column j is vertex rows + j. CPU only.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.matching.b_values import ends
from edgewise.algorithms.matching.result import Matching, finite_weights
from edgewise.algorithms.weighting import edge_weights, total
from edgewise.base.checks import check_undirected
from edgewise.base.offsets import offsets
from edgewise.graph import Graph
from edgewise.graph.csr import CSR, frozen, index_dtype
from edgewise.graph.kinds import AnyGraph
from edgewise.graph.transfer import check_host
from edgewise.graph.transpose import turned
from edgewise.operators.sequential import going, sequential

__all__ = [
    "Biadjacency",
    "as_matching",
    "biadjacency",
    "bipartite_rows",
    "check_sides",
    "rows_of_both",
    "two_sides",
]


class Biadjacency(NamedTuple):
    """Rows, columns, and the vertices that they are; ``weights`` is None where all are one."""

    left: Any
    right: Any
    indptr: Any
    indices: Any
    weights: Any


def biadjacency(graph: Graph | CSR, sides: Any, weights: Any, name: str) -> Biadjacency:
    """The matrix of a bipartite graph, or of a rectangular one; an error if it is neither."""
    check_host(graph, name)
    if not isinstance(graph, Graph):
        _check_no_sides(sides)
        found = edge_weights(graph, weights)
        wrong = np.flatnonzero([] if found is None else ~np.isfinite(found))
        if len(wrong):
            raise ValueError(f"weights must be finite, got {found[wrong[0]]} on edge {wrong[0]}")
        rows, columns = graph.shape
        left, right = np.arange(rows), rows + np.arange(columns)
        return Biadjacency(left, right, graph.indptr, graph.indices, found)
    found = finite_weights(graph, weights, name)
    if sides is None:
        sides = two_sides(graph)
    else:
        sides = _as_sides(graph, sides)
        check_sides(graph, sides)
    left, right = np.flatnonzero(sides), np.flatnonzero(~sides)
    number = np.empty(graph.num_vertices, graph.id_dtype)
    number[left], number[right] = np.arange(len(left)), np.arange(len(right))
    kept = np.repeat(sides, graph.row_lengths())
    indptr = offsets(graph.row_lengths()[left])
    worth = None if found is None else found[kept]
    return Biadjacency(left, right, indptr, number[graph.indices[kept]], worth)


def bipartite_rows(graph: Graph | CSR, sides: Any, name: str) -> tuple[Any, Any, Any]:
    """Return ``indptr``, ``indices`` and the left side of a graph, or of a matrix as a graph.

    That of a matrix has rows for its left side alone. Sides that are given have the right shape;
    `check_sides` does the rest.
    """
    check_host(graph, name)
    if isinstance(graph, Graph):
        check_undirected(graph, name)
        left = two_sides(graph) if sides is None else _as_sides(graph, sides)
        return graph.indptr, graph.indices, left
    _check_no_sides(sides)
    rows, n = graph.shape[0], sum(graph.shape)
    indices = graph.indices.astype(index_dtype(n))
    indices += rows
    return graph.indptr, frozen(indices), np.arange(n) < rows


def rows_of_both(graph: Graph | CSR, indptr: Any, indices: Any) -> tuple[Any, Any]:
    """The same with rows for both sides."""
    if isinstance(graph, Graph):
        return indptr, indices
    back, sources, _ = turned(graph.indptr, graph.indices, None, graph.shape[1])
    return (
        frozen(np.concatenate([indptr, len(indices) + back[1:]])),
        frozen(np.concatenate([indices, sources], dtype=indices.dtype)),
    )


def two_sides(graph: AnyGraph) -> np.ndarray:
    """Two colors of which no edge has twice the same: a bool per vertex, True for the left side.

    The smallest vertex of every component is on the left.
    """
    color = np.full(graph.num_vertices, -1, np.int8)
    queue, clash = np.empty(graph.num_vertices, np.int64), np.full(1, -1, np.int64)
    state = (graph.indptr, graph.indices, color, queue, clash)
    sequential(_paint, state, steps=graph.num_vertices, work=graph.num_arcs)
    if clash[0] >= 0:
        u, v = (int(end[0]) for end in ends(graph, clash))
        raise ValueError(f"the graph is not bipartite: edge {u} - {v} closes an odd cycle")
    return color == 1


def as_matching(matrix: Biadjacency, mate_of_row: Any, dtype: Any) -> Matching:
    """The matching in which row i has the column ``mate_of_row[i]``, or -1."""
    mate = np.full(len(matrix.left) + len(matrix.right), -1, dtype)
    rows = np.flatnonzero(mate_of_row >= 0)
    left, right = matrix.left[rows], matrix.right[mate_of_row[rows]]
    mate[left], mate[right] = right, left
    if matrix.weights is None:
        return Matching(mate, float(len(rows)), len(rows))
    row_of = np.repeat(np.arange(len(matrix.left)), np.diff(matrix.indptr))
    chosen = matrix.weights[mate_of_row[row_of] == matrix.indices]
    return Matching(mate, total(chosen), len(rows))


def _check_no_sides(sides: Any) -> None:
    if sides is not None:
        raise TypeError("sides must be None for a matrix: its rows and columns are the two sides")


def _as_sides(graph: AnyGraph, sides: Any) -> np.ndarray:
    """The given sides as an array, if it has one bool per vertex."""
    sides = np.asarray(sides)
    if sides.shape != (graph.num_vertices,) or sides.dtype != np.bool_:
        raise ValueError(
            f"sides must have one bool per vertex ({graph.num_vertices}), "
            f"got {sides.dtype} of shape {sides.shape}"
        )
    return sides


def check_sides(graph: AnyGraph, sides: np.ndarray) -> None:
    """Raise ValueError if an edge has both ends on one side; the message names the first one."""
    within = np.flatnonzero(np.repeat(sides, graph.row_lengths()) == sides[graph.indices])
    if len(within):
        u, v = (int(end[0]) for end in ends(graph, within[:1]))
        raise ValueError(f"sides must differ at the two ends of every edge, not so for {u} - {v}")


def _paint(control, indptr, indices, color, queue, clash):
    done = 0
    for root in range(len(color)):
        if color[root] >= 0:
            continue
        color[root], queue[0], head, tail = 1, root, 0, 1
        while head < tail:
            if done % 256 == 0 and not going(control, done):
                return
            u, done = queue[head], done + 1
            head += 1
            for e in range(indptr[u], indptr[u + 1]):
                v = indices[e]
                if color[v] == color[u]:
                    clash[0] = e
                    return
                if color[v] < 0:
                    color[v] = 1 - color[u]
                    queue[tail] = v
                    tail += 1
