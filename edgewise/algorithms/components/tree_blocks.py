"""Blocks of an undirected graph in parallel (Tarjan and Vishkin [1]), on every device.

Passes up and down the trees of a breadth-first forest compute subtree sizes and preorder numbers. A
subtree is a range of preorder numbers. low and high are the first and last number that edges from
the subtree of v lead to, apart from v's parent edge. If both lie in the subtree, the parent edge is
a bridge. If either lies outside the parent's subtree, that edge and the parent's own are in one
block. The tree edges of both ends of any non-tree edge are in one block, too. Almost linear work,
in three times as many rounds as the deepest tree has levels.

[1] R. Tarjan, U. Vishkin. An efficient parallel biconnectivity algorithm. SIAM J. Computing 14(4),
    1985.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.components.connected_components import component_labels
from edgewise.algorithms.components.linking import link, shorten
from edgewise.base.offsets import offsets
from edgewise.graph import Graph
from edgewise.graph.transfer import like, row_ids
from edgewise.operators import (
    ADD,
    ANY,
    MAX,
    MIN,
    Monoid,
    advance,
    compute,
    filter,
    frontier,
    propagate,
    reduce_neighbors,
)
from edgewise.operators.monoids import add_each

__all__ = ["tree_blocks"]

_FAR = 1 << 62


def tree_blocks(graph: Graph) -> tuple[Any, Any, Any, Any]:
    """Return the parent, preorder number and block of each vertex, and a mask of bridges."""
    n = graph.num_vertices
    parent = graph.full(-1, graph.id_dtype)
    if n == 0:
        return parent, parent, parent, graph.full(False)
    roots = frontier(graph, component_labels(graph) == graph.vertex_ids())
    compute(graph, roots, _root, parent)
    propagate(graph, roots, _sender, parent, reduce=ANY)
    up = _pointers(graph, parent)
    children, place = up.in_degrees().astype(np.int64), graph.full(_FAR, np.int64)
    size = _gather(up, children, graph.full(1, np.int64), graph.full(0, np.int64), _SUM)[0]
    _number(up, roots, size, place)
    low, high = reduce_neighbors(
        graph, None, _but_to_parent, place, reduce=_RANGE, own=(parent, place), mode="out",
        dtype=(np.int64, np.int64),
    )  # fmt: skip
    low, high = _gather(up, children, low, high, _SPAN)
    block, bridge = graph.vertex_ids(parent.dtype), graph.full(False)
    compute(graph, None, _join, (parent, place, size, low, high, block, bridge))
    advance(graph, None, _join_ends, (parent, block), output=None)
    compute(graph, None, shorten, block)
    compute(graph, roots, _no_block, block)
    return parent, place, block, bridge


def _pointers(graph: Graph, parent: Any) -> Any:
    """The forest as a directed graph: an edge from every vertex but roots to its parent."""
    below = parent != graph.vertex_ids()
    return like(graph, offsets(below), parent[below], None, directed=True, labels=None)


def _gather(up: Any, children: Any, one: Any, other: Any, reduce: Monoid) -> tuple[Any, Any]:
    """Return two numbers of every vertex, combined with those of its subtree.

    A vertex sends its numbers once those of all its children have arrived.
    """
    waiting = children.copy()
    leaves = filter(up, None, _waits_for_nobody, waiting)
    propagate(up, leaves, _report, (waiting, one, other), reduce=reduce, wake=_is_whole)
    return one, other


def _number(up: Any, roots: Any, size: Any, place: Any) -> None:
    """Places in preorder: a child's is behind the parent's and the parts of its elder siblings."""
    xp, down = up.xp, up.transposed
    sizes = xp.where(roots.mask, size, 0)
    place[roots.ids] = offsets(sizes)[roots.ids]
    begins = offsets(size[down.indices])
    offset = begins[:-1] - begins[down.indptr[:-1]][row_ids(down)] + 1
    propagate(down, frontier(down, roots.ids), _behind, place, reduce=MIN, weights=offset)


def _root(v, parent):
    parent[v] = v


def _sender(source):
    return source


def _widen(old, new):
    return old[0] + new[0], min(old[1], new[1]), max(old[2], new[2])


def _wider(old, new):
    return min(old[0], new[0]), max(old[1], new[1])


_SUM = add_each(3)
_SPAN = Monoid((0, "highest", "lowest"), _widen, parts=(ADD, MIN, MAX))
_RANGE = Monoid(("highest", "lowest"), _wider, idempotent=True)


def _waits_for_nobody(v, waiting):
    return waiting[v] == 0


def _is_whole(value):
    return value[0] == 0


def _report(value):
    return -1, value[1], value[2]


def _behind(value, weight):
    return value + weight


def _but_to_parent(value, source, own):
    """Where an edge leads; the one to the parent to the vertex itself."""
    return (value, value) if source != own[0] else (own[1], own[1])


def _join(v, parent, place, size, low, high, block, bridge):
    above = parent[v]
    if above == v:
        return
    first, last = min(low[v], place[v]), max(high[v], place[v])
    bridge[v] = first >= place[v] and last < place[v] + size[v]
    if parent[above] != above and (first < place[above] or last >= place[above] + size[above]):
        link(v, above, block)


def _join_ends(source, target, edge, parent, block):
    if source < target and parent[source] != target and parent[target] != source:
        link(source, target, block)
    return False


def _no_block(v, block):
    block[v] = -1
