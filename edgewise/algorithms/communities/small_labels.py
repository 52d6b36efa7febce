"""Sequential label propagation for small graphs: the same rounds, so the same labels.

A label keeps its name. A table holds its random number in the present round, which breaks ties.
Votes are summed in an array over labels, and the labels with votes are listed.
"""

from __future__ import annotations

from itertools import count
from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.communities.hierarchy import named
from edgewise.algorithms.weighted_rows import stored_rows
from edgewise.base.observe import notify, observed
from edgewise.base.random import draw, mix, renumbering
from edgewise.graph import Graph
from edgewise.operators.helpers import inner
from edgewise.operators.sequential import going, sequential

__all__ = ["AHEAD", "BEHIND", "DRIFT", "is_drawn", "rated", "small_labels"]

#: Ties change labels in so many rounds; more of them merge more, and take longer.
DRIFT = 40
#: By how much a vertex's own label is behind others with as many votes, or ahead: by a rounding.
BEHIND, AHEAD = 1 - 2.0**-52, 1 + 2.0**-52
#: Rounds of one call: Python notices an interrupt between two calls. An observed call has one.
_ROUNDS = 64

_draw, _mix, _renumbering = inner(draw), inner(mix), inner(renumbering)


class Labels(NamedTuple):
    """The labels, and in which order they are numbered."""

    label: Any
    active: Any  # 1 for a vertex that looks again
    number: Any  # of every label in this round
    numbering: Any  # the step from one number to the next, and the first
    seed: Any


class Votes(NamedTuple):
    """Votes for labels, and the vertices that look in a round."""

    sums: Any  # over labels, zero between two vertices
    listed: Any  # the labels with votes
    queue: Any  # the vertices that look
    target: Any  # the label that each of these takes
    plain: bool  # all votes weigh the same


def small_labels(
    graph: Graph, lengths: Any, votes: dict[str, Any], max_iter: int | None, seed: Any
) -> Any:
    """The labels after ``max_iter`` rounds, or when they have come to rest.

    ``lengths`` are the weights of arcs, or None; votes are added up in their ``dtype``.
    """
    n, kind = graph.num_vertices, graph.id_dtype
    active, number, numbering = np.ones(n, np.int8), np.empty(n, np.int64), np.array([1, 0])
    labels = Labels(np.arange(n, dtype=kind), active, number, numbering, np.uint64(seed))
    sums = np.zeros(n, np.float64 if lengths is None else votes["dtype"])
    listed, queue, target = (np.empty(size, kind) for size in (graph.longest_row + 1, n + 1, n))
    state = (stored_rows(graph, lengths), labels,
             Votes(sums, listed, queue, target, lengths is None))  # fmt: skip
    step = 1 if observed() else _ROUNDS
    work = step * (graph.num_arcs + n)
    for first in count(0, step):
        last = first + step if max_iter is None else min(first + step, max_iter)
        if last <= first or not active.any():
            break
        sequential(_spread, (*state, first, last), steps=last, work=work)
        notify(first, phase="spread")
    return named(graph, labels.label)


def _spread(control, rows, labels, votes, first, last):
    """Rounds from ``first`` to ``last``, or until no vertex is active."""
    indptr, indices, weights, stride = rows
    label, active, number, numbering, seed = labels
    sums, listed, queue, target, plain = votes
    n = len(label)
    for turn in range(first, last):
        size, waiting, key = 0, False, _draw(seed, np.uint64(turn), np.uint64(0))
        for v in range(n):
            if active[v]:
                queue[size] = v
                size += is_drawn(v, key)
                waiting = True
        if not waiting or not going(control, turn):
            return
        _renumber(number, numbering, seed, turn)
        for i in range(size):
            v = np.int64(queue[i])
            low, high = indptr[v], indptr[v + 1]
            active[v] = 0
            if turn == 0 and plain:  # one vote for each: the least of the others' labels
                target[i] = _least(v, low, high, indices, number)
                continue
            count = 0
            for e in range(low, high):
                c = label[indices[e]]
                before = sums[c]
                listed[count] = c
                count += before == 0
                sums[c] = before + weights[e * stride]
            best = label[v]
            most = rated(sums[best], BEHIND if turn < DRIFT else AHEAD)
            sums[best] = 0
            for j in range(count):
                c = listed[j]
                sums[c], score = 0, np.float64(sums[c])
                if score > most or (score == most and number[c] < number[best]):
                    best, most = c, score
            target[i] = best
        for i in range(size):
            v = np.int64(queue[i])
            if target[i] != label[v]:
                label[v] = target[i]
                active[v] |= turn < DRIFT
                for e in range(indptr[v], indptr[v + 1]):
                    active[indices[e]] = 1


@inner
def _renumber(number, numbering, seed, turn):
    """The numbers of all labels in the next round: one after the other, without a division."""
    n = len(number)
    factor, shift = _renumbering(np.uint64(n), seed, np.uint64(turn + 1))
    factor, shift = np.int64(factor) % n, np.int64(shift)
    numbering[0] = numbering[0] * factor % n
    numbering[1] = (numbering[1] * factor + shift) % n
    step, at = numbering
    for c in range(n):
        number[c] = at
        at += step
        at -= n if at >= n else 0


@inner
def _least(v, low, high, indices, number):
    """The neighbor of v with the least number; v itself if it has none, or a loop."""
    best = -1
    for e in range(low, high):
        u = np.int64(indices[e])
        if u == v:
            return v
        if best < 0 or number[u] < number[best]:
            best = u
    return v if best < 0 else best


@inner
def rated(total, lead):
    """The votes for a vertex's own label: ahead of as many for another, or behind them.

    Ahead where no label has any.
    """
    return total * lead + 1e-300


@inner
def is_drawn(v, key):
    """Is v in the half of the vertices that look in the round of this key?"""
    return _mix(np.uint64(v) ^ key) >> np.uint64(63) == 0
