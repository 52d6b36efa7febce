"""One round of `minimum_spanning_tree`: trees choose the lightest edge that leaves them, and hook.

Members offer the lightest edges of their rows to the roots of their trees. A root hooks onto the
tree at the other end of the least edge. Then every vertex finds its new root. A function may read
the elements of any vertex on one device (`merge_by_rows`); elsewhere vertices send and look up
(`merge_by_messages`).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.base import atomic
from edgewise.graph.kinds import AnyGraph
from edgewise.operators import ARGMIN, compute, deliver, filter, look_up
from edgewise.operators.helpers import inner

__all__ = ["NONE", "Trees", "merge_by_messages", "merge_by_rows"]

#: No edge: more than any pair of ends.
NONE = np.iinfo(np.int64).max


class Trees(NamedTuple):
    """State over vertices; an edge is its two ends, the bits of the smaller above the other's."""

    tree: Any  # the root of each vertex
    ids: Any
    best: tuple[Any, Any]  # weight and edge: the lightest of each row that leaves the tree
    least: tuple[Any, Any]  # of each root: the lightest of its tree; reset in every round
    chosen: Any  # of each vertex: the edge by which its tree joined another
    onto: Any  # scratch
    bits: int
    far: Any  # more than any weight


def merge_by_rows(graph: AnyGraph, members: Any, roots: Any, trees: Trees) -> tuple[Any, Any]:
    """Hook the trees; return the roots that remain, and members whose edge is inside a tree now."""
    tree, best, least, bits, onto = trees.tree, trees.best, trees.least, trees.bits, trees.onto
    compute(graph, members, _offer, (tree, best[0], least[0]))
    compute(graph, members, _name, (tree, *best, *least))
    compute(graph, roots, _choose, (tree, least[1], bits, onto, trees.chosen))
    compute(graph, roots, _hook, (tree, onto, *least, trees.far))
    moving = roots
    while not moving.empty():
        moving = filter(graph, moving, _moves, tree)
    compute(graph, None, _follow, tree)  # also who is no member: neighbors look at it
    roots = filter(graph, roots, _is_root, tree)
    return roots, filter(graph, members, _is_within, (tree, best[1], bits))


def merge_by_messages(graph: AnyGraph, members: Any, roots: Any, trees: Trees) -> tuple[Any, Any]:
    """The same by messages to roots and look-ups."""
    tree, ids, best, least, bits = trees.tree, trees.ids, trees.best, trees.least, trees.bits
    deliver(graph, least, tree, best, reduce=ARGMIN, frontier=members)
    first, last, other = ids.copy(), ids.copy(), trees.onto
    compute(graph, roots, _split, (least[1], bits, first, last))
    ends = look_up(graph, tree, first, frontier=roots), look_up(graph, tree, last, frontier=roots)
    compute(graph, roots, _across, (ids, *ends, other))
    theirs = look_up(graph, least[1], other, frontier=roots)
    compute(graph, roots, _choose_by, (ids, other, least[1], theirs, trees.chosen, tree))
    compute(graph, roots, _reset, (*least, trees.far))
    moving = roots
    while not moving.empty():
        above = look_up(graph, tree, tree, frontier=moving)
        moving = filter(graph, moving, _differs, (tree, above))
        compute(graph, moving, _put, (tree, above))
    compute(graph, None, _put, (tree, look_up(graph, tree, tree)))
    compute(graph, members, _far_end, (ids, best[1], bits, other))
    theirs = look_up(graph, tree, other, frontier=members)
    looking = filter(graph, members, _alike, (tree, theirs))
    return filter(graph, roots, _alike, (tree, ids)), looking


@inner
def _ends(edge, bits):
    return edge >> bits, edge & ((1 << bits) - 1)


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
    if edge[v] != NONE:
        first, last = _ends(edge[v], bits)
        other = tree[last] if tree[first] == v else tree[first]
        if edge[other] != edge[v] or other < v:
            onto[v], chosen[v] = other, edge[v]


def _hook(v, tree, onto, least_weight, least_edge, far):
    tree[v], least_weight[v], least_edge[v] = onto[v], far, NONE


def _moves(v, tree):
    """Go to the parent's parent; is there more to go?"""
    tree[v] = tree[tree[v]]
    return tree[v] != tree[tree[v]]


def _follow(v, tree):
    tree[v] = tree[tree[v]]


def _is_root(v, tree):
    return tree[v] == v


def _is_within(v, tree, edge, bits):
    first, last = _ends(edge[v], bits)
    return tree[first] == tree[last]


def _split(v, edge, bits, first, last):
    if edge[v] != NONE:
        first[v], last[v] = _ends(edge[v], bits)


def _across(v, ids, one, two, other):
    other[v] = two[v] if one[v] == ids[v] else one[v]


def _choose_by(v, ids, other, edge, theirs, chosen, tree):
    if edge[v] != NONE and (theirs[v] != edge[v] or other[v] < ids[v]):
        tree[v], chosen[v] = other[v], edge[v]


def _reset(v, least_weight, least_edge, far):
    least_weight[v], least_edge[v] = far, NONE


def _differs(v, one, other):
    return one[v] != other[v]


def _alike(v, one, other):
    return one[v] == other[v]


def _put(v, tree, above):
    tree[v] = above[v]


def _far_end(v, ids, edge, bits, other):
    first, last = _ends(edge[v], bits)
    other[v] = last if first == ids[v] else first
