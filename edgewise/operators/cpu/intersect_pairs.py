"""`intersect` on CPU threads for given pairs, and with a message: what their lists have in common.

Pairs that follow one another with the same first vertex share one marking: its neighbors are set
in the thread's own bitmap, and each partner's list is walked against it. The lists of a pair on its
own, or whose second list is far longer, are walked together, by bisection in a longer one. Common
neighbors come in ascending order either way and each pair is one thread's: its total is the same
for every number of threads. What happens to a common neighbor is the caller's: it is counted, and
besides the user's function is called or it is listed (`visiting`), or a message combined
(`reducing`).
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from edgewise.base.cache import inlined, inner
from edgewise.base.offsets import offsets
from edgewise.base.threads import launch, team_for
from edgewise.operators.adjacency import chosen_weights, unsigned
from edgewise.operators.cpu.compute import source_of
from edgewise.operators.cpu.inner import cast, weight_at
from edgewise.operators.cpu.marks import below, count_marked, is_marked, mark, unmark
from edgewise.operators.cpu.walk import over
from edgewise.operators.functions import compiled, naming_failures, plain
from edgewise.operators.requests import COMMON_NAMES, Intersection

__all__ = ["pair_counts", "pair_lists", "pair_totals"]

#: A list so many times as long as the other is searched; as the one that is marked.
_FAR, _BEYOND = np.uint64(16), np.uint64(32)
_PAIRS = 1024  # that a thread takes at once
_NONE = np.empty(0, np.int64)


class Task(NamedTuple):
    """Lists of neighbors, pairs (none for all edges' ends), marks of each thread, and where these
    are in the list; how many common neighbors each pair has, and what is done with them."""

    indptr: np.ndarray
    indices: np.ndarray
    us: np.ndarray
    vs: np.ndarray
    marks: np.ndarray
    places: np.ndarray
    counts: np.ndarray
    given: tuple


def pair_counts(graph, us, vs, function, state) -> np.ndarray:
    """How many common neighbors every pair has; the function is called for each."""
    given = (state, _NONE, _NONE)
    return _walk(graph, us, vs, pair_kernel(visiting(function), function is None), given)


def pair_lists(graph, us, vs, count, total) -> tuple[np.ndarray, np.ndarray]:
    """Where each pair's common neighbors begin, and they themselves, ascending."""
    starts, members = offsets(count), np.empty(total, np.int64)
    _walk(graph, us, vs, pair_kernel(visiting(None), True), ((), starts, members))
    return starts, members


def pair_totals(graph, us, vs, request: Intersection) -> tuple[np.ndarray, np.ndarray]:
    """The total of every pair and its number of common neighbors; None for all edges' ends."""
    message, reduce = request.message, request.reduce
    size = graph.num_arcs if us is None else len(us)
    totals = np.full(size, reduce.identity_for(request.dtype), request.dtype)
    weights = chosen_weights(graph, request.weights, message.names, ("weight_u", "weight_v"))
    combine = compiled(reduce.combine, "reduce.combine", 2)
    meeting = reducing(plain(message, COMMON_NAMES), combine)
    with naming_failures(message.given, reduce.combine):
        run = pair_kernel(meeting, False, True, request.ordered)
        count = _walk(graph, us, vs, run, (weights, message.params, totals), True)
    return totals, count


def _walk(graph, us, vs, run: Any, given: tuple, placed: bool = False) -> np.ndarray:
    """Intersect the lists of all pairs; how many common neighbors there are."""
    size, columns = graph.num_arcs if us is None else len(us), graph.shape[1]
    work = 8 * graph.num_arcs if us is None else graph.num_arcs + size
    team, count = team_for(work), np.empty(size, np.int64)
    marks = np.zeros((team, (columns >> 5) + 1), np.uint32)
    places = np.empty((team, columns if placed else 0), np.uint64)
    us, vs = (_NONE, _NONE) if us is None else (us, vs)
    indptr, indices = map(unsigned, graph.stored)
    task = Task(indptr, indices, us, vs, marks, places, count,
                given)  # fmt: skip
    launch(run, -(-size // _PAIRS), 1, task, work=work, team=team)
    return count


@cache
def visiting(function):
    """Call the user's function, if there is one, and list the common neighbor if that is asked."""

    @inlined
    def visit(i, u, v, e, f, found, task):
        state, starts, members = task.given
        if function is not None:
            function(u, v, np.int64(task.indices[f]), *state)
        if len(members) > 0:
            members[starts[i] + found] = task.indices[f]

    return visit


@cache
def reducing(message, combine):
    """Combine what the message about the common neighbor at ``e`` and ``f`` gives."""

    @inlined
    def visit(i, u, v, e, f, found, task):
        weights, params, totals = task.given
        common = np.int64(task.indices[f])
        new = message(weight_at(weights, e), weight_at(weights, f), common, params)
        totals[i] = combine(totals[i], cast(totals, new))

    return visit


@cache
def pair_kernel(visit, counting, placed=False, ordered=False):
    """The loop over pairs, or over all edges, in the order of their ids, if none are given.

    ``counting``: nothing but numbers is asked for where there are no lists; ``placed``: `visit`
    reads positions in both lists; ``ordered`` keeps to u > v > common.
    """

    @inner
    def together(i, u, v, e, end, f, last, task):
        """Walk two ascending lists; how many they share."""
        far_u, far_v = end - e > _FAR * (last - f), last - f > _FAR * (end - e)
        found, one, indices = np.int64(0), np.uint64(1), task.indices
        while e < end and f < last:
            a, b = indices[e], indices[f]
            if a == b:
                visit(i, u, v, e, f, found, task)
                found += 1
                e += one
                f += one
            elif a < b:
                e = below(indices, e + one, end, np.int64(b)) if far_u else e + one
            else:
                f = below(indices, f + one, last, np.int64(a)) if far_v else f + one
        return found

    @inlined
    def along_marks(i, u, v, e, f, last, task, me):
        """Walk the second list against the marks; how many are marked."""
        found, indices, marks = np.int64(0), task.indices, task.marks[me]
        if counting and len(task.given[2]) == 0:
            return count_marked(marks, indices, f, last)
        for d in range(f, last):
            if is_marked(marks, indices[d]):
                if placed:
                    e = task.places[me, np.uint64(indices[d])]
                visit(i, u, v, e, d, found, task)
                found += 1
        return found

    @inlined
    def block(b, me, control, task):
        """Some pairs that follow one another."""
        indptr, indices, us, vs, marks = task.indptr, task.indices, task.us, task.vs, task.marks[me]
        low, high = b * _PAIRS, min(b * _PAIRS + _PAIRS, len(task.counts))
        u = np.int64(-1) if len(us) > 0 else np.int64(source_of(indptr, low))
        marked, several = np.int64(-1), len(us) == 0 and np.uint64(low + 1) < indptr[u + 1]
        for i in range(low, high):
            if len(us) == 0:
                v = np.int64(indices[i])
                while np.uint64(i) >= indptr[u + 1]:
                    u += 1
                    several = np.uint64(i + 1) < indptr[u + 1]
            else:
                v = np.int64(vs[i])
                if us[i] != u:
                    u = np.int64(us[i])
                    several = worth_marking(us, vs, i, high, indptr)
            e, end, f, last = indptr[u], indptr[u + 1], indptr[v], indptr[v + 1]
            if ordered:
                end = below(indices, e, end, v) if v < u else e
                last = below(indices, f, last, v)
            if not several or e == end or last - f > _BEYOND * (end - e):
                task.counts[i] = together(i, u, v, e, end, f, last, task)
                continue
            if marked != u:
                unmark(marks, marked, indptr, indices)
                mark(marks, u, indptr, indices)
                marked = u
                if placed:
                    for d in range(indptr[u], indptr[u + 1]):
                        task.places[me, np.uint64(indices[d])] = d
            task.counts[i] = along_marks(i, u, v, e, f, last, task, me)
        unmark(marks, marked, indptr, indices)

    return over(block)


@inner
def worth_marking(us, vs, i, high, indptr):
    """Do the pairs from ``i`` on that share its first vertex gain by marks on its neighbors?

    That is where their lists together are long enough; to search takes some steps for each member.
    """
    u, last, reach = us[i], i, np.uint64(0)
    while last < high and us[last] == u:
        reach += indptr[vs[last] + 1] - indptr[vs[last]]
        last += 1
    return last - i > 1 and reach * np.uint64(4) > indptr[u + 1] - indptr[u]
