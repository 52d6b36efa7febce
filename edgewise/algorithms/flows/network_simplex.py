"""The network simplex method for `min_cost_flow`: spanning trees with potentials [1].

The tree hangs from an artificial root, the vertex n. A vertex has its parent, the arc between them,
its depth, its potential and a list of children. All arcs outside the tree carry no flow, or as much
as they can. An arc enters the tree if flow along it (or less of it) lowers the cost, the best of a
block of arcs. As much as possible is sent around the cycle that it closes. The arc that stops it
leaves. Among several, it is the last one along the cycle, from where both sides meet [2]: then no
tree comes twice.

[1] W. Cunningham. A network simplex method. Mathematical Programming 11, 1976.
[2] W. Cunningham. Theoretical properties of the network simplex method. Mathematics of Operations
    Research 4(2), 1979.
"""

from __future__ import annotations

from math import isqrt
from typing import Any, NamedTuple

import numpy as np

from edgewise.graph import Graph
from edgewise.graph.transfer import row_ids
from edgewise.operators.helpers import inner
from edgewise.operators.sequential import going, sequential

__all__ = ["simplex"]

#: States of an arc: at capacity, in the tree, without flow.
_FULL, _TREE, _EMPTY = -1, 0, 1


class Arcs(NamedTuple):
    """The edges of the graph, and an artificial arc for each vertex."""

    tail: Any
    head: Any
    cost: Any
    capacity: Any
    flow: Any
    state: Any


class Tree(NamedTuple):
    """Arrays over the vertices and the root; -1 stands for none."""

    parent: Any
    arc: Any  # between a vertex and its parent
    depth: Any
    potential: Any
    child: Any  # the first one
    after: Any  # the next child of the same parent
    before: Any


def simplex(graph: Graph, demand: Any, limits: Any, costs: Any) -> tuple[Any, Any, Any]:
    """Return the flow, the potentials, and the largest flow that is left on artificial arcs."""
    n, m = graph.num_vertices, graph.num_edges
    largest = float(abs(costs).max(initial=0))
    expensive = (n + 1) * largest + (1.0 if costs.dtype.kind == "i" or largest == 0 else largest)
    own, sends = np.arange(n), demand <= 0
    tail = np.concatenate((row_ids(graph).astype(np.int64), np.where(sends, own, n)))
    head = np.concatenate((graph.indices.astype(np.int64), np.where(sends, n, own)))
    cost = np.concatenate((costs.astype(np.float64), np.full(n, expensive)))
    flow = np.concatenate((np.zeros(m), abs(demand).astype(np.float64)))
    capacity = np.concatenate((limits, np.full(n, np.inf)))
    state = np.full(m + n, _TREE, np.int8)
    state[:m] = _EMPTY
    parent, arc, depth = np.full(n + 1, n), np.arange(m, m + n + 1), np.ones(n + 1, np.int64)
    potential = np.append(np.where(sends, -expensive, expensive), 0.0)
    after, before, child = np.arange(1, n + 2), np.arange(-1, n), np.full(n + 1, -1)
    parent[n], arc[n], depth[n], after[n], before[n] = -1, -1, 0, -1, -1
    if n:
        after[n - 1], child[n] = -1, 0
    arcs = Arcs(tail, head, cost, capacity, flow, state)
    tree = Tree(parent, arc, depth, potential, child, after, before)
    tolerance = 0.0 if costs.dtype.kind == "i" else 2.0**-50 * expensive
    block = max(isqrt(m), 16)
    sequential(_pivot_all, (arcs, tree, m, block, tolerance), steps=m, work=n * isqrt(m + 1) + m)
    return flow[:m], potential[:n], flow[m:].max(initial=0.0)


def _pivot_all(control, arcs, tree, m, block, tolerance):
    tail, head, cost, _, _, state = arcs
    at, passed, pivots = 0, 0, 0
    best, entering = -tolerance, np.int64(-1)
    while passed < m:  # until no arc of a whole pass can enter
        for _ in range(min(block, m - passed)):
            reduced = state[at] * (cost[at] + tree.potential[tail[at]] - tree.potential[head[at]])
            if reduced < best:
                best, entering = reduced, np.int64(at)
            at = at + 1 if at + 1 < m else 0
            passed += 1
        if not going(control, pivots):
            return
        if entering >= 0:
            _pivot(arcs, tree, entering)
            best, entering, passed, pivots = -tolerance, np.int64(-1), 0, pivots + 1


@inner
def _pivot(arcs, tree, e):
    """Send flow around the cycle of the entering arc; it replaces the arc that stops the flow."""
    tail, head, cost, capacity, flow, state = arcs
    parent, arc, depth, potential, _, _, _ = tree
    forward = state[e] == _EMPTY
    first, second = (tail[e], head[e]) if forward else (head[e], tail[e])
    amount, leaving, on_first = capacity[e], np.int64(-1), False
    u, v = first, second
    while u != v:  # flow goes down to the first end, and up from the second
        if depth[u] >= depth[v]:
            left = flow[arc[u]] if tail[arc[u]] == u else capacity[arc[u]] - flow[arc[u]]
            if left < amount:
                amount, leaving, on_first = left, u, True
            u = parent[u]
        else:
            left = capacity[arc[v]] - flow[arc[v]] if tail[arc[v]] == v else flow[arc[v]]
            if left <= amount:
                amount, leaving, on_first = left, v, False
            v = parent[v]
    flow[e] += amount if forward else -amount
    join, u, v = u, first, second
    while u != join:
        flow[arc[u]] += -amount if tail[arc[u]] == u else amount
        u = parent[u]
    while v != join:
        flow[arc[v]] += amount if tail[arc[v]] == v else -amount
        v = parent[v]
    if leaving < 0:
        _settle(arcs, e, forward)
        return
    _settle(arcs, arc[leaving], (tail[arc[leaving]] == leaving) != on_first)
    state[e] = _TREE
    below, above = (first, second) if on_first else (second, first)
    _hang(tree, below, above, e, leaving)
    wanted = potential[above] - cost[e] if tail[e] == below else potential[above] + cost[e]
    _shift(tree, below, wanted - potential[below])


@inner
def _settle(arcs, e, full):
    """An arc outside the tree is full or empty, without rounding."""
    arcs.flow[e] = arcs.capacity[e] if full else 0.0
    arcs.state[e] = _FULL if full else _EMPTY


@inner
def _hang(tree, v, new_parent, new_arc, last):
    """Hang v below another parent, and turn the way from v up to ``last`` around."""
    parent, arc, _, _, child, after, before = tree
    while True:
        old_parent, old_arc = parent[v], arc[v]
        if before[v] >= 0:
            after[before[v]] = after[v]
        else:
            child[old_parent] = after[v]
        if after[v] >= 0:
            before[after[v]] = before[v]
        parent[v], arc[v] = new_parent, new_arc
        after[v], before[v] = child[new_parent], -1
        if after[v] >= 0:
            before[after[v]] = v
        child[new_parent] = v
        if v == last:
            return
        new_parent, new_arc, v = v, old_arc, old_parent


@inner
def _shift(tree, top, change):
    """Change the potentials below a vertex, and make the depths exact."""
    parent, _, depth, potential, child, after, _ = tree
    v = top
    while True:
        depth[v] = depth[parent[v]] + 1
        potential[v] += change
        if child[v] >= 0:
            v = child[v]
            continue
        while v != top and after[v] < 0:
            v = parent[v]
        if v == top:
            return
        v = after[v]
