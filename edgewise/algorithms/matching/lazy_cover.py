"""Greedy b-edge cover with effective weights, evaluated lazily [1].

The effective weight of an edge is its weight divided by the number of its ends that still need
edges: w/2, then w, then infinite. The greedy method takes the edge of least effective weight, for a
total of at most 3/2 of the minimum. Effective weights only grow, so one sorted list suffices. Every
edge occurs twice: at w/2 it is taken if both ends need it, and at w if one does. Nothing is ever
reinserted: O(m log m) work for sorting, on one CPU thread.

[1] S M Ferdous, A. Pothen, A. Khan. New approximation algorithms for minimum weighted edge cover.
    SIAM Workshop on Combinatorial Scientific Computing, 2018.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.matching.b_values import ends
from edgewise.algorithms.matching.edge_sort import ranked
from edgewise.algorithms.matching.order import comes_first
from edgewise.algorithms.weighting import weight_reader
from edgewise.graph import Graph
from edgewise.graph.transfer import check_host
from edgewise.operators.sequential import going, sequential

__all__ = ["lazy_greedy"]


def lazy_greedy(graph: Graph, b: Any, weights: Any) -> Any:
    """The ids of the edges of a b-edge cover; some of them may be redundant."""
    check_host(graph, "b_edge_cover with method='lazy'")
    sources, targets, _ = graph.arcs()
    edges = np.flatnonzero(sources < targets)
    if len(edges) == 0:
        return edges
    array, stride = weight_reader(graph, weights)
    # The lightest first: opposite to the order of all matchings.
    found = None if weights is None else weights[edges]
    order = edges[ranked(sources[edges], targets[edges], found)[::-1]]
    taken = np.zeros(len(order), np.bool_)
    state = (*ends(graph, order), order, array, stride, b.copy(), int(b.sum()), taken)
    sequential(_sweep, state, steps=2 * len(order))
    return np.sort(order[taken])


def _sweep(control, low, high, order, weights, stride, need, left, taken):
    """Take edges in the order of their effective weights; twice those are w and then 2w."""
    i, j = 0, 0
    while left > 0 and j < len(order):
        if (i + j) % 1024 == 0 and not going(control, i + j):
            return
        first = False  # is the edge at i, with both ends open, before the edge at j with one?
        if i < len(order):
            both, one = weights[order[i] * stride], weights[order[j] * stride]
            first = i == j or both < one + one
            if both == one + one and i != j:
                first = comes_first(low[j], high[j], low[i], high[i])
        e, i, j = (i, i + 1, j) if first else (j, i, j + 1)
        u, v = low[e], high[e]
        if taken[e] or not (
            need[u] > 0 and (need[v] > 0 or not first) or need[v] > 0 and not first
        ):
            continue
        taken[e] = True
        for end in (u, v):
            if need[end] > 0:
                need[end] -= 1
                left -= 1
