"""Primal-dual b-edge cover [1]: prices at the vertices pay for the edges, round by round.

In a round, the price of a vertex that still needs edges is the least effective weight of its edges:
half the weight if the other end needs edges too, and the weight otherwise. An edge is bought if the
prices of its ends pay for it: both offer it, or one does and the other end needs no more. Bought
edges are paid in full. The prices at the ends of an edge never exceed 3/2 of its weight, so two
thirds of them are feasible for the dual program. Hence the cover weighs at most 3/2 of the minimum.

With ties broken by one strict order, these are the edges that `lazy_greedy` takes. Rows are sorted
once, O(m log d). Then two cursors move along each row: the first edge that is not bought, and the
first of these whose other end needs edges. The number of rounds is the length of the longest chain
of ever cheaper edges: about log n for random weights.

[1] S M Ferdous, A. Pothen, A. Khan. New approximation algorithms for minimum weighted edge cover.
    SIAM Workshop on Combinatorial Scientific Computing, 2018.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.matching.order import outranks
from edgewise.algorithms.matching.shortlist import fill, shortlists
from edgewise.algorithms.weighted_rows import weighted_rows
from edgewise.base.observe import notify
from edgewise.graph.kinds import AnyGraph
from edgewise.operators import compute, filter

__all__ = ["primal_dual"]


class Purchases(NamedTuple):
    """What every vertex still needs, aims at and has bought."""

    need: Any  # how many edges
    aim: Any  # the edge of least effective weight, -1 where nothing is needed
    near: Any  # the first place of its sorted row that it has not bought
    far: Any  # the first of these places whose other end needs edges
    bought: Any  # over arcs


def primal_dual(graph: AnyGraph, b: Any, weights: Any) -> Any:
    """Which arcs the vertices have bought, a bool per arc; some edges may be redundant."""
    rows = weighted_rows(graph, weights)
    lists = shortlists(graph, graph.xp.diff(graph.indptr), -1, -1)
    bars = graph.full(0, rows.weights.dtype)  # of no effect: no weight is less
    compute(graph, None, fill, (rows, bars, lists))
    bought = graph.xp.zeros(graph.num_arcs, np.bool_)
    made = Purchases(
        b.copy(), graph.full(-1, np.int64), lists.coming, lists.starts[:-1].copy(), bought
    )
    members, turn = filter(graph, None, _needs, made.need), 0
    while not members.empty():
        compute(graph, members, _state_price, (rows, lists.edges, lists.stop, made))
        members = filter(graph, members, _needs, made.need)
        notify(turn, frontier=len(members))
        compute(graph, members, _buy, (graph.indices, made))
        turn += 1
    return bought


def _needs(v, need):
    return need[v] > 0


def _state_price(v, rows, edges, stop, made):
    """Aim at the edge of least effective weight; at none if nothing is needed any more."""
    indices, weights, stride = rows.indices, rows.weights, rows.stride
    need, aim, near, far, bought = made
    if need[v] == 0:
        aim[v] = -1
        return
    while bought[edges[near[v]]]:
        near[v] += 1
    far[v] = max(far[v], near[v])
    while far[v] < stop[v] and (bought[edges[far[v]]] or need[indices[edges[far[v]]]] == 0):
        far[v] += 1
    e = edges[near[v]]
    if near[v] < far[v] < stop[v]:
        other = edges[far[v]]
        alone, shared = weights[e * stride], weights[other * stride]
        if outranks(v, alone + alone, indices[e], shared, indices[other]):
            e = other
    aim[v] = e


def _buy(v, indices, made):
    """Buy the edge aimed at, if its other end aims at it as well, or at nothing."""
    edge = made.aim[v]
    other = made.aim[indices[edge]]
    if other < 0 or indices[other] == v:
        made.bought[edge] = True
        made.need[v] -= 1
