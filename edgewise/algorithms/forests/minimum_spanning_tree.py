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
from edgewise.algorithms.matching.result import Selection, finite_weights
from edgewise.algorithms.weighting import total
from edgewise.base import atomic
from edgewise.base.checks import check_one_device
from edgewise.base.observe import notify
from edgewise.base.ranges import whole_sum
from edgewise.graph import Graph
from edgewise.graph.edges import edges_of
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.operators import ARGMIN, compute, filter, frontier, reduce_neighbors
from edgewise.operators.helpers import find_edge, inner
from edgewise.operators.sequential import sequential_or

__all__ = ["minimum_spanning_tree"]

#: No edge: more than any pair of ends.
_NONE = np.iinfo(np.int64).max


@takes_graph
def minimum_spanning_tree(graph: LocalGraphLike, *, weights: Any = "weight") -> Selection:
    """Return the edges of a minimum spanning forest: one tree per component.

    Parameters
    ----------
    graph : Graph
        Undirected, on one device.
    weights : str, array over edges, or None
        The graph's weights by default (unit weights if it has none); None ignores them.
        Weights must be finite and may be negative.

    Returns
    -------
    Selection
        ``edges`` holds the indices of the chosen edges in ``graph.edges()``, ascending. ``weight``
        is their total weight and ``cardinality`` their number. Ties go to the first edge.

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
    check_one_device(graph, "minimum_spanning_tree")
    lengths = finite_weights(graph, weights, "minimum_spanning_tree")
    edges, arcs = sequential_or(graph, small_tree, _joined, lengths, times=2)
    return Selection(edges, _weight(lengths, arcs), len(edges))


def _joined(graph: Graph, lengths: Any) -> tuple[Any, Any]:
    """The numbers of the tree's edges and their arcs."""
    chosen = _hooked(graph, lengths)
    taken, marks = filter(graph, None, _is_set, chosen), graph.xp.zeros(graph.num_arcs, bool)
    compute(graph, taken, _mark, (chosen, graph.indptr, graph.indices, _bits(graph), marks))
    arcs = graph.xp.flatnonzero(marks)
    return edges_of(graph, arcs), arcs


def _hooked(graph: Graph, lengths: Any) -> Any:
    """For every vertex the edge by which its tree joined another: bits of u above those of v."""
    bits = _bits(graph)
    weight = np.dtype(np.int32) if lengths is None else lengths.dtype
    far = np.inf if weight.kind == "f" else np.iinfo(weight).max
    tree = graph.vertex_ids(graph.id_dtype)
    ids, onto = tree.copy(), tree.copy()
    best, least = ((graph.full(far, weight), graph.full(_NONE, np.int64)) for _ in range(2))
    chosen = graph.full(_NONE, np.int64)
    members = looking = roots = frontier(graph)
    given, turn = {"bits": bits, "far": weight.type(far)}, 0
    while True:
        reduce_neighbors(
            graph, looking, _leaving, tree, reduce=ARGMIN, own=(tree, ids), out=best, params=given,
            mode="out", weights=lengths,
        )  # fmt: skip
        members = filter(graph, members, _is_set, best[1])
        if members.empty():
            return chosen
        compute(graph, members, _offer, (tree, best[0], least[0]))
        compute(graph, members, _name, (tree, *best, *least))
        compute(graph, roots, _choose, (tree, least[1], bits, onto, chosen))
        compute(graph, roots, _hook, (tree, onto, *least, given["far"]))
        moving = roots
        while not moving.empty():
            moving = filter(graph, moving, _moves, tree)
        compute(graph, None, _follow, tree)  # also who is no member: neighbors look at it
        roots = filter(graph, roots, _is_root, tree)
        looking = filter(graph, members, _is_within, (tree, best[1], bits))
        notify(turn, phase="hook", trees=len(roots))
        turn += 1


def _bits(graph: Graph) -> int:
    """Those of the greatest id; two ids must fit one number."""
    bits = max((n := int(graph.num_vertices)) - 1, 0).bit_length()
    if bits > 31:
        raise ValueError(f"minimum_spanning_tree supports up to {1 << 31} vertices, got {n}")
    return bits


def _weight(lengths: Any, arcs: Any) -> Any:
    if lengths is None:
        return len(arcs)
    chosen = lengths[arcs]
    return total(chosen) if chosen.dtype.kind == "f" else whole_sum(chosen)


def _leaving(value, own, weight, source, bits, far):
    """The edge, if it leaves the tree."""
    if value == own[0]:
        return far, _NONE
    first, last = min(np.int64(source), np.int64(own[1])), max(np.int64(source), np.int64(own[1]))
    return weight, first << bits | last


def _is_set(v, edge):
    return edge[v] != _NONE


@inner
def _ends(edge, bits):
    return edge >> bits, edge & ((1 << bits) - 1)


def _is_within(v, tree, edge, bits):
    first, last = _ends(edge[v], bits)
    return tree[first] == tree[last]


def _offer(v, tree, weight, least):
    root = tree[v]
    if weight[v] < least[root]:
        atomic.min(least, root, weight[v])


def _name(v, tree, weight, edge, least_weight, least_edge):
    root = tree[v]
    if weight[v] == least_weight[root] and edge[v] < least_edge[root]:
        atomic.min(least_edge, root, edge[v])


def _choose(v, tree, edge, bits, onto, chosen):
    """A root hooks onto the other end's tree; of two that chose the same edge the greater does."""
    onto[v] = v
    if edge[v] != _NONE:
        first, last = _ends(edge[v], bits)
        other = tree[last] if tree[first] == v else tree[first]
        if edge[other] != edge[v] or other < v:
            onto[v], chosen[v] = other, edge[v]


def _hook(v, tree, onto, least_weight, least_edge, far):
    tree[v], least_weight[v], least_edge[v] = onto[v], far, _NONE


def _moves(v, tree):
    """Go to the parent's parent; is there more to go?"""
    tree[v] = tree[tree[v]]
    return tree[v] != tree[tree[v]]


def _follow(v, tree):
    tree[v] = tree[tree[v]]


def _is_root(v, tree):
    return tree[v] == v


def _mark(v, chosen, indptr, indices, bits, marks):
    first, last = _ends(chosen[v], bits)
    marks[find_edge(indptr, indices, first, last)] = True
