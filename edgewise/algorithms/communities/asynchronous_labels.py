"""Asynchronous label propagation: vertices change one after the other, in random order.

A vertex takes the label of largest total weight among its neighbors, unless its own is as good.
Every change increases the weight of edges inside communities, so the process ends. Only neighbors
of a change are examined again. One thread, O(n + m) time per round at most.
"""

from __future__ import annotations

from itertools import count
from typing import Any

import numpy as np

from edgewise.algorithms.communities.hierarchy import named
from edgewise.algorithms.weighted_rows import stored_rows
from edgewise.base.observe import notify, observed
from edgewise.base.random import draw, mix, upper
from edgewise.graph import Graph
from edgewise.graph.transfer import check_host
from edgewise.operators.helpers import inner
from edgewise.operators.sequential import going, sequential

__all__ = ["one_by_one"]

#: Rounds of one call: Python notices an interrupt between two calls. An observed call has one.
_ROUNDS = 64
#: Another label must be better by this factor: sums that differ by rounding are equal.
_BETTER = 1 + 1e-12

_draw, _mix, _upper = inner(draw), inner(mix), inner(upper)


def one_by_one(
    given: Any, lengths: Any, votes: dict[str, Any], max_iter: int | None, seed: int
) -> Any:
    """The labels after ``max_iter`` rounds, or when they are stable."""
    check_host(given, 'label_propagation(schedule="asynchronous")')
    graph: Graph = given
    n, kind = graph.num_vertices, graph.id_dtype
    label, active = np.arange(n, dtype=kind), np.ones(n, np.int8)
    sums = np.zeros(n, np.float64 if lengths is None else votes["dtype"])
    state = (stored_rows(graph, lengths), label, active, np.empty(n, kind), sums,
             np.empty(graph.longest_row + 1, kind), np.uint64(seed))  # fmt: skip
    step = 1 if observed() else _ROUNDS
    for first in count(0, step):
        last = first + step if max_iter is None else min(first + step, max_iter)
        if last <= first or not active.any():
            break
        sequential(_spread, (*state, first, last), steps=last, work=step * (graph.num_arcs + n))
        notify(first, phase="spread")
    return named(graph, label)


def _spread(control, rows, label, active, order, sums, listed, seed, first, last):
    """Rounds from ``first`` to ``last``, or until no vertex is active."""
    indptr, indices, weights, stride = rows
    for turn in range(first, last):
        size = 0
        for v in range(len(label)):
            order[size] = v
            size += active[v]
        if size == 0 or not going(control, turn):
            return
        _shuffle(order, size, seed, turn)
        for i in range(size):
            v = np.int64(order[i])
            active[v] = 0
            listed_now, key = 0, _draw(seed, np.uint64(v), np.uint64(2 * turn))
            for e in range(indptr[v], indptr[v + 1]):
                c = label[indices[e]]
                listed[listed_now] = c
                listed_now += sums[c] == 0
                sums[c] += weights[e * stride]
            own, best = label[v], np.int64(-1)
            most = np.float64(sums[own]) * _BETTER
            for j in range(listed_now):
                c = np.int64(listed[j])
                score = np.float64(sums[c])
                sums[c] = 0
                if score > most or (
                    score == most and best >= 0 and _number(c, key) < _number(best, key)
                ):
                    best, most = c, score
            if best >= 0 and best != own:
                label[v] = best
                for e in range(indptr[v], indptr[v + 1]):
                    active[indices[e]] = 1


@inner
def _number(label, key):
    """A random number of a label, which breaks ties."""
    return _mix(np.uint64(label) ^ key)


@inner
def _shuffle(order, size, seed, turn):
    for i in range(size - 1, 0, -1):
        j = _upper(_draw(seed, np.uint64(i), np.uint64(2 * turn + 1)), np.uint64(i + 1))
        order[i], order[j] = order[j], order[i]
