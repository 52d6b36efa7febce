"""Minimum spanning trees and forests by supervertices (Boruvka [1]).

tree[v] is the vertex that represents v's tree, initially v alone. In every round each tree chooses
the lightest edge that leaves it, and hooks onto the tree at the other end. Edges are ordered by
(weight, smaller end, larger end), so no two are equal and the result is unique. Trees never hook in
a cycle, except two that choose the same edge. Each round at least halves the number of trees. A
vertex searches its row again only when its lightest edge has become internal to its tree. O(m log
n) work. A small graph takes one thread (`small_tree`).

[1] O. Boruvka. On a certain minimal problem (in Czech). 1926.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.forests.small_tree import small_tree
from edgewise.algorithms.forests.tree_merging import (
    NONE,
    Trees,
    merge_by_messages,
    merge_by_rows,
)
from edgewise.algorithms.matching.result import Selection, finite_weights
from edgewise.algorithms.weighting import total
from edgewise.base.observe import notify
from edgewise.base.ranges import whole_sum
from edgewise.graph import Graph
from edgewise.graph.edges import marked, numbers_of
from edgewise.graph.foreign import GraphLike, takes_graph
from edgewise.graph.kinds import AnyGraph
from edgewise.operators import ARGMIN, filter, frontier, reduce_neighbors
from edgewise.operators.edge_marks import mark_edges
from edgewise.operators.engines import by_rows_or
from edgewise.operators.sequential import sequential_or

__all__ = ["minimum_spanning_tree"]


@takes_graph
def minimum_spanning_tree(graph: GraphLike, *, weights: Any = "weight") -> Selection:
    """Return the edges of a minimum spanning forest: one tree per component.

    Parameters
    ----------
    graph : Graph
        Undirected.
    weights : str, array over edges, or None
        The graph's weights by default (unit weights if it has none); None ignores them.
        Weights must be finite and may be negative.

    Returns
    -------
    Selection
        ``edges`` holds the indices of the chosen edges in ``graph.edges()``, ascending. ``weight``
        is their total weight and ``cardinality`` their number. Ties go to the first edge. On a grid
        every rank has all of ``edges``.

    Raises
    ------
    ValueError
        If the graph is directed or has more than 2**31 vertices, or if a weight is not finite.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> square = Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 0], [1.0, 2.0, 4.0, 3.0])
    >>> tree = minimum_spanning_tree(square)
    >>> tree.weight, tree.cardinality
    (6.0, 3)
    >>> sources, targets, _ = square.edges()
    >>> sources[tree.edges].tolist(), targets[tree.edges].tolist()
    ([0, 0, 1], [1, 3, 2])
    """
    lengths = finite_weights(graph, weights, "minimum_spanning_tree")
    edges, chosen = sequential_or(graph, _alone, _joined, lengths, times=2)
    return Selection(edges, _weight(chosen, len(edges)), len(edges))


def _alone(graph: Graph, lengths: Any) -> tuple[Any, Any]:
    """The numbers of the tree's edges and their lengths, on one thread."""
    edges, arcs = small_tree(graph, lengths)
    return edges, None if lengths is None else lengths[arcs]


def _joined(graph: AnyGraph, lengths: Any) -> tuple[Any, Any]:
    """The same by operators."""
    chosen, bits = _hooked(graph, lengths), _bits(graph)
    taken = filter(graph, None, _is_set, chosen)
    marks = mark_edges(graph, taken, chosen >> bits, chosen & ((1 << bits) - 1))
    return numbers_of(graph, marks), None if lengths is None else marked(graph, lengths, marks)


def _hooked(graph: AnyGraph, lengths: Any) -> Any:
    """For every vertex the edge by which its tree joined another: bits of u above those of v."""
    bits = _bits(graph)
    weight = np.dtype(np.int32) if lengths is None else lengths.dtype
    far = np.inf if weight.kind == "f" else np.iinfo(weight).max
    tree = graph.vertex_ids(graph.id_dtype)
    ids, onto = tree.copy(), tree.copy()
    best, least = ((graph.full(far, weight), graph.full(NONE, np.int64)) for _ in range(2))
    chosen = graph.full(NONE, np.int64)
    members = looking = roots = frontier(graph)
    given, turn = {"bits": bits, "far": weight.type(far)}, 0
    merge = by_rows_or(graph, merge_by_rows, merge_by_messages)
    while True:
        reduce_neighbors(
            graph, looking, _leaving, tree, reduce=ARGMIN, own=(tree, ids), out=best, params=given,
            mode="out", weights=lengths,
        )  # fmt: skip
        members = filter(graph, members, _is_set, best[1])
        if members.empty():
            return chosen
        trees = Trees(tree, ids, best, least, chosen, onto, bits, given["far"])
        roots, looking = merge(graph, members, roots, trees)
        notify(turn, phase="hook", trees=len(roots))
        turn += 1


def _bits(graph: AnyGraph) -> int:
    """Those of the greatest id; two ids must fit one number."""
    bits = max((n := int(graph.num_vertices)) - 1, 0).bit_length()
    if bits > 31:
        raise ValueError(f"minimum_spanning_tree supports up to {1 << 31} vertices, got {n}")
    return bits


def _weight(chosen: Any, count: int) -> Any:
    if chosen is None:
        return count
    return total(chosen) if chosen.dtype.kind == "f" else whole_sum(chosen)


def _leaving(value, own, weight, source, bits, far):
    """The edge, if it leaves the tree."""
    if value == own[0]:
        return far, NONE
    first, last = min(np.int64(source), np.int64(own[1])), max(np.int64(source), np.int64(own[1]))
    return weight, first << bits | last


def _is_set(v, edge):
    return edge[v] != NONE
