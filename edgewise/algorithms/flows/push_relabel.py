"""Synchronous parallel push-relabel with global relabeling [1, 2].

residual[e] is the residual capacity of the arc e of a symmetric graph, and excess[v] the excess
flow at v. height[v] is a lower bound of the number of residual arcs from v to the goal, and n if
there is no path. In every round each vertex with excess pushes along residual arcs that lead one
step down. A vertex with excess left is then relabeled to one above its lowest residual neighbor.
Heights do not change during the pushes, so an arc and its reverse are never used in the same round,
and one vertex updates both. When the rounds have cost as much as a search, a search from the goal
makes the heights exact. O(n^2 m) work at most.

[1] A. Goldberg, R. Tarjan. A new approach to the maximum-flow problem. J. ACM 35(4), 1988.
[2] N. Baumstark, G. Blelloch, J. Shun. Efficient implementation of a synchronous parallel
    push-relabel algorithm. ESA 2015.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.base import atomic
from edgewise.base.observe import notify
from edgewise.graph import Graph
from edgewise.operators import MIN, compute, filter, frontier, propagate

__all__ = ["Preflow", "drain", "heights_to", "start"]

#: A round costs as much as so many arcs of a search, beside its own.
_ROUND = 2000


class Preflow(NamedTuple):
    """A symmetric graph, the reverse and residual capacity of every arc, and the excess."""

    graph: Graph
    reverse: Any
    residual: Any
    excess: Any


def start(graph: Graph, residual: Any, source: int) -> Preflow:
    """Return the preflow with all arcs out of the source saturated; updates ``residual``."""
    flow = Preflow(graph, graph.reverse_arc, residual, graph.full(0, residual.dtype))
    row = slice(int(graph.indptr[source]), int(graph.indptr[source + 1]))
    targets = graph.indices[row]
    amount = graph.xp.where(targets == source, 0, flow.residual[row])
    flow.residual[row] -= amount
    flow.residual[flow.reverse[row]] += amount
    flow.excess[targets] += amount
    return flow


def drain(flow: Preflow, goal: int, other: int) -> None:
    """Push as much excess as possible to ``goal``, never through ``other``."""
    graph, excess = flow.graph, flow.excess
    n, xp = graph.num_vertices, graph.xp
    gain, queue, tail = xp.zeros_like(excess), xp.empty(n, np.int64), xp.zeros(1, np.int64)
    rows, degree = (graph.indptr, graph.indices, flow.residual), 1 + graph.num_arcs // n
    height = lifted = graph.full(0, np.int64)
    active = filter(graph, None, _is_active, (excess, height, goal, other, n))
    patience, turn = 0, 0
    while not active.empty():
        if patience <= 0:
            patience, height = n + graph.num_arcs, heights_to(flow, goal, other)
            active, lifted = (
                filter(graph, active, _is_active, (excess, height, goal, other, n)),
                height.copy(),
            )
            continue
        work = len(active) * degree
        tail[0] = 0
        moves = (*rows, flow.reverse, height, excess, gain, queue, tail)
        compute(graph, active, _push, moves, work=work)
        compute(graph, active, _lift, (*rows, height, lifted, excess, n), work=work)
        reached = frontier(graph, queue[: int(tail[0])])
        stuck = filter(graph, active, _stays, (excess, gain, height, lifted, n))
        woken = filter(graph, reached, _wakes, (excess, gain, lifted, goal, other, n))
        active = frontier(graph, xp.concatenate([stuck.ids, woken.ids]))
        notify(turn, phase="push", active=len(active))
        patience, turn = patience - work - _ROUND, turn + 1


def heights_to(flow: Preflow, goal: int, other: int) -> Any:
    """Return the number of residual arcs on the way to ``goal``, avoiding ``other``; n if none."""
    graph = flow.graph
    height = graph.full(graph.num_vertices, np.int64)
    height[goal] = 0
    given = {"reverse": flow.reverse, "residual": flow.residual, "other": other}
    propagate(graph, frontier(graph, goal), _one_more, height, reduce=MIN, params=given,
              direction="push")  # fmt: skip
    height[other] = graph.num_vertices
    return height


def _one_more(value, source, edge, own, reverse, residual, other):
    return value + 1 if residual[reverse[edge]] > 0 and source != other else own


def _is_active(v, excess, height, goal, other, n):
    return excess[v] > 0 and height[v] < n and v != goal and v != other


def _push(v, indptr, indices, residual, reverse, height, excess, gain, queue, tail):
    left = excess[v]
    for e in range(indptr[v], indptr[v + 1]):
        w = indices[e]
        if residual[e] > 0 and height[w] + 1 == height[v]:
            amount = min(left, residual[e])
            residual[e] -= amount
            residual[reverse[e]] += amount
            left -= amount
            if atomic.add(gain, w, amount) == 0:
                queue[atomic.add(tail, 0, 1)] = w
            if left <= 0:
                break
    excess[v] = left


def _lift(v, indptr, indices, residual, height, lifted, excess, n):
    if excess[v] > 0:
        lowest = np.int64(n)
        for e in range(indptr[v], indptr[v + 1]):
            if residual[e] > 0:
                lowest = min(lowest, height[indices[e]] + 1)
        lifted[v] = lowest


def _stays(v, excess, gain, height, lifted, n):
    """Set the new height; return whether v has excess left and received none."""
    height[v] = lifted[v]
    return excess[v] > 0 and gain[v] == 0 and height[v] < n


def _wakes(v, excess, gain, lifted, goal, other, n):
    """Add the received flow to the excess; return whether v may push."""
    excess[v] += gain[v]
    gain[v] = 0
    return v != goal and v != other and lifted[v] < n
