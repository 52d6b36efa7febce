"""`intersect` with a message, on CPU threads: what pairs of lists add up to where they meet.

Pairs that follow one another with the same first vertex share one marking, as they do where they
are counted: its neighbors are set in the thread's own bitmap, with where they stand, and each
partner's list is walked against it. The lists of a pair on its own, or whose second list is far
longer, are walked together, by bisection in the longer one. Common neighbors come in ascending
order either way and each pair is one thread's: its total is the same for every number of threads.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from edgewise.base.cache import inner, kernel
from edgewise.base.cpu.team import grab
from edgewise.base.threads import launch
from edgewise.operators.adjacency import chosen_weights, unsigned
from edgewise.operators.cpu.inner import cast, weight_at
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
    none = np.empty(0, np.int64)
    pairs = (none, none) if us is None else (us, vs)
    combine = compiled(reduce.combine, "reduce.combine", 2)
    with naming_failures(message.given, reduce.combine):
        run = totals_kernel(plain(message, COMMON_NAMES), combine, request.ordered)
        launch(run, unsigned(graph.indptr), unsigned(graph.indices), graph.shape[1], weights,
               *pairs, message.params, totals, count,
               work=8 * graph.num_arcs if us is None else graph.num_arcs + len(us))  # fmt: skip
    return totals, count


@cache
def totals_kernel(message, combine, ordered):
    """The loop over pairs, or over all edges, in the order of their ids, if none are given."""
    from edgewise.base.cpu.bisection import row_of
    from edgewise.operators.cpu.intersect import below, is_marked, mark, unmark

    @inner
    def meet(i, e, f, indices, weights, params, totals):
        """Combine what the common neighbor at positions ``e`` and ``f`` gives."""
        new = message(weight_at(weights, e), weight_at(weights, f), np.int64(indices[f]), params)
        totals[i] = combine(totals[i], cast(totals, new))

    @inner
    def together(i, e, end, f, last, indices, weights, params, totals):
        """Walk two ascending lists; how many they share."""
        far_u, far_v = end - e > _FAR * (last - f), last - f > _FAR * (end - e)
        found, one = np.int64(0), np.uint64(1)
        while e < end and f < last:
            a, b = indices[e], indices[f]
            if a == b:
                meet(i, e, f, indices, weights, params, totals)
                found += 1
                e += one
                f += one
            elif a < b:
                e = below(indices, e + one, end, np.int64(b)) if far_u else e + one
            else:
                f = below(indices, f + one, last, np.int64(a)) if far_v else f + one
        return found

    @kernel
    def run(me, team, control, indptr, indices, columns, weights, us, vs, params, totals, count):
        marks, places = np.zeros((columns >> 5) + 1, np.uint32), np.empty(columns, np.uint64)
        while True:
            low, high = grab(control, 0, _PAIRS, len(totals))
            if low == high:
                break
            row = np.int64(0) if len(us) > 0 else row_of(indptr, 0, len(indptr) - 1, np.uint64(low))
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
                    count[i] = together(i, e, end, f, last, indices, weights, params, totals)
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
                        meet(i, places[indices[d]], d, indices, weights, params, totals)
                        found += 1
                count[i] = found
            unmark(marks, marked, indptr, indices)

    return run
