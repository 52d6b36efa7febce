"""`intersect` with a message, on CPU threads: what pairs of lists add up to where they meet.

Pairs that follow one another with the same first vertex share one marking, as they do where they
are counted: its neighbors are set in the thread's own bitmap, with where they stand, and each
partner's list is walked against it. The lists of a pair on its own, or whose second list is far
longer, are walked together, by bisection in the longer one. Common neighbors come in ascending
order either way and each pair is one thread's: its total is the same for every number of threads.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from edgewise.base.cache import inlined, inner
from edgewise.base.threads import launch, team_for
from edgewise.operators.adjacency import chosen_weights, unsigned
from edgewise.operators.cpu.compute import source_of
from edgewise.operators.cpu.inner import cast, weight_at
from edgewise.operators.cpu.marks import below, is_marked, mark, unmark
from edgewise.operators.cpu.walk import over
from edgewise.operators.functions import compiled, naming_failures, plain
from edgewise.operators.requests import COMMON_NAMES, Intersection

__all__ = ["pair_totals"]

_FAR = np.uint64(16)  # a list so many times as long as the other is searched
_PAIRS = 1024  # that a thread takes at once


def pair_totals(graph, us, vs, request: Intersection) -> tuple[np.ndarray, np.ndarray]:
    """The total of every pair and its number of common neighbors; None for all edges' ends."""
    message, reduce = request.message, request.reduce
    count = np.empty(graph.num_arcs if us is None else len(us), np.int64)
    identity = reduce.identity_for(request.dtype)
    totals = np.full(len(count), identity, request.dtype)
    weights = chosen_weights(graph, request.weights, message.names, ("weight_u", "weight_v"))
    none, columns = np.empty(0, np.int64), graph.shape[1]
    pairs = (none, none) if us is None else (us, vs)
    combine = compiled(reduce.combine, "reduce.combine", 2)
    work = 8 * graph.num_arcs if us is None else graph.num_arcs + len(us)
    team = team_for(work)
    marks = np.zeros((team, (columns >> 5) + 1), np.uint32)
    task = Task(unsigned(graph.indptr), unsigned(graph.indices), weights, message.params, totals,
                count, marks, np.empty((team, columns), np.uint64))  # fmt: skip
    with naming_failures(message.given, reduce.combine):
        run = totals_kernel(plain(message, COMMON_NAMES), combine, request.ordered)
        launch(run, -(-len(count) // _PAIRS), 1, (task, *pairs), work=work, team=team)
    return totals, count


class Task(NamedTuple):
    """Lists of neighbors, what is found for each pair, marks of each thread and where they are."""

    indptr: np.ndarray
    indices: np.ndarray
    weights: Any
    params: tuple
    totals: np.ndarray
    counts: np.ndarray
    marks: np.ndarray
    places: np.ndarray


@cache
def totals_kernel(message, combine, ordered):
    """The loop over pairs, or over all edges, in the order of their ids, if none are given."""

    @inlined
    def join(i, e, f, task):
        """Combine what the common neighbor at positions ``e`` and ``f`` gives."""
        weights, totals = task.weights, task.totals
        common = np.int64(task.indices[f])
        new = message(weight_at(weights, e), weight_at(weights, f), common, task.params)
        totals[i] = combine(totals[i], cast(totals, new))

    @inner
    def together(i, e, end, f, last, task):
        """Walk two ascending lists; how many they share."""
        far_u, far_v = end - e > _FAR * (last - f), last - f > _FAR * (end - e)
        found, one, indices = np.int64(0), np.uint64(1), task.indices
        while e < end and f < last:
            a, b = indices[e], indices[f]
            if a == b:
                join(i, e, f, task)
                found += 1
                e += one
                f += one
            elif a < b:
                e = below(indices, e + one, end, np.int64(b)) if far_u else e + one
            else:
                f = below(indices, f + one, last, np.int64(a)) if far_v else f + one
        return found

    @inlined
    def block(b, me, control, data):
        """Some pairs that follow one another."""
        task, us, vs = data
        indptr, indices, count = task.indptr, task.indices, task.counts
        marks, places = task.marks[me], task.places[me]
        low, high = b * _PAIRS, min(b * _PAIRS + _PAIRS, len(count))
        row = np.int64(0) if len(us) > 0 else np.int64(source_of(indptr, low))
        marked = np.int64(-1)
        for i in range(low, high):
            if len(us) > 0:
                u, v = us[i], vs[i]
                alone = i + 1 == high or us[i + 1] != u
            else:
                while np.uint64(i) >= indptr[row + 1]:
                    row += 1
                u, v = row, np.int64(indices[i])
                alone = i + 1 == high or np.uint64(i + 1) == indptr[row + 1]
            e, end, f, last = indptr[u], indptr[u + 1], indptr[v], indptr[v + 1]
            if ordered:
                end = below(indices, e, end, v) if v < u else e
                last = below(indices, f, last, v)
            if (alone and marked != u) or e == end or last - f > _FAR * (end - e):
                count[i] = together(i, e, end, f, last, task)
                continue
            if marked != u:
                unmark(marks, marked, indptr, indices)
                mark(marks, u, indptr, indices)
                for d in range(indptr[u], indptr[u + 1]):
                    places[indices[d]] = d
                marked = u
            found = np.int64(0)
            for d in range(f, last):
                if is_marked(marks, indices[d]):
                    join(i, places[indices[d]], d, task)
                    found += 1
            count[i] = found
        unmark(marks, marked, indptr, indices)

    return over(block)
