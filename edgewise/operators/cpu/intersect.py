"""`intersect` on CPU threads: common neighbors by marking one list and walking the other.

Pairs that follow one another with the same first vertex share one marking: its neighbors are set
in the thread's own bitmap, each partner's list is walked against it, and the marks are taken back.
A pair on its own, few with short lists, or one whose second list is far longer than the first, are
searched instead: the shorter list's members are looked up in the longer one by bisection.

Pays for: row triangles of ``python -m benchmarks gap``.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from edgewise.base.cache import inner, kernel
from edgewise.base.cpu.atomics import fetch_add
from edgewise.base.cpu.bisection import lower_bound
from edgewise.base.cpu.team import grab
from edgewise.base.offsets import offsets
from edgewise.base.threads import get_threads, launch, team_for
from edgewise.operators.adjacency import unsigned
from edgewise.operators.cpu.intersect_totals import pair_totals
from edgewise.operators.functions import compiled, naming_failures
from edgewise.operators.requests import Intersection
from edgewise.operators.results import Common

__all__ = ["intersect"]

#: Two lists up to this length together are merged; else the first is marked.
_SHORT = 16
#: Threads count by vertex in arrays of their own, if there are so many edges for each number.
_OWN = 0.25


def intersect(graph, request: Intersection) -> Common:
    """See `edgewise.operators.intersect`."""
    function = compiled(request.function, "function", 3 + len(request.state))
    rows = unsigned(graph.indptr), unsigned(graph.indices), graph.shape[1]
    us, vs = request.pairs or (None, None)
    indptr = members = totals = None
    if request.message is not None:
        totals, count = pair_totals(graph, us, vs, request)
        total = int(count.sum())
    if request.message is None or function is not None:
        with naming_failures(function):
            total, count = _counted(rows, us, vs, function, request)
    if request.lists:
        indptr, members = _listed(rows, us, vs, count, total, request.ordered)
    return Common(total, count if request.each else None, indptr, members, totals)


def _counted(rows, us, vs, function, request) -> tuple[int, np.ndarray]:
    """How many there are in all, and of each pair if that is asked for."""
    none = np.empty(0, np.int64)
    if us is not None:
        count = np.empty(len(us), np.int64)
        launch(pair_kernel(function), *rows, us, vs, request.state, count, none, none,
               work=len(rows[1]) + len(us))  # fmt: skip
        return int(count.sum()), count
    work = 8 * len(rows[1])
    team = team_for(work)
    totals = np.zeros(team * 8, np.int64)
    count = np.empty(len(rows[1]) if request.each else 0, np.int64)
    state, by_vertex, apart = request.state, request.vertices, False
    if by_vertex:
        n = len(state[0])
        apart = team > 1 and len(rows[1]) >= n * max(4, _OWN * team)
        state = (np.zeros((team, n), np.int64) if apart else state[0].reshape(1, n),)
    run = row_kernel(None if by_vertex else function, request.ordered, by_vertex)
    launch(run, *rows, state, count, totals, none, none, work=work, team=team)
    if by_vertex and apart:
        np.sum(state[0], axis=0, out=request.state[0])
    return int(totals.sum()), count


def _listed(rows, us, vs, count, total, ordered) -> tuple[np.ndarray, np.ndarray]:
    """Where each pair's common neighbors begin, and they themselves."""
    indptr, members = offsets(count), np.empty(total, np.int64)
    if us is None:
        team = get_threads()
        launch(row_kernel(None, ordered), *rows, (), count, np.zeros(team * 8, np.int64), indptr,
               members, work=8 * len(rows[1]), team=team)  # fmt: skip
    else:
        launch(pair_kernel(None), *rows, us, vs, (), count, indptr, members,
               work=len(rows[1]) + len(us))  # fmt: skip
    return indptr, members


@cache
def row_kernel(function, ordered, by_vertex=False):
    """The loop over all edges, row by row: a long row is marked once, short ones are merged.

    ``ordered`` keeps to u > v > common: every triangle once. With ``by_vertex`` the only array has
    a row for each thread, or one for all, to count for every vertex in how many triples it is.
    """

    @inner
    def hit(me, team, u, v, w, arrays, members, at):
        if by_vertex:
            counted(me, team, arrays[0], w, 1)
        if function is not None:
            function(u, v, np.int64(w), *arrays)
        if len(members) > 0:
            members[at] = w

    @inner
    def walk(me, team, u, v, first, last, indices, marks, arrays, members, at):
        """Count the marked ones in ``indices[first:last]``."""
        found = np.int64(0)
        if function is None and len(members) == 0 and not by_vertex:
            return count_marked(marks, indices[first:last])
        if by_vertex and len(arrays[0]) == team:  # no branch: a processor would guess wrong
            mine = arrays[0][me]
            for f in range(first, last):
                known = np.int64(is_marked(marks, indices[f]))
                mine[np.uint64(indices[f])] += known
                found += known
            return found
        for f in range(first, last):
            if is_marked(marks, indices[f]):
                hit(me, team, u, v, indices[f], arrays, members, at + found)
                found += 1
        return found

    @inner
    def merge(me, team, u, v, start, end, first, last, indices, arrays, members, at):
        """Count the common ones of two ascending lists."""
        found = np.int64(0)
        while start < end and first < last:
            a, b = indices[start], indices[first]
            if a == b:
                hit(me, team, u, v, a, arrays, members, at + found)
                found += 1
            start += np.uint64(a <= b)
            first += np.uint64(b <= a)
        return found

    @kernel
    def run(me, team, control, indptr, indices, columns, arrays, count, totals, rows, members):
        marks = np.zeros((columns >> 5) + 1, np.uint32)
        n = np.int64(len(indptr)) - 1
        chunk = min(max(n // (256 * team), 16), 1024)
        total = np.int64(0)
        while True:
            low, high = grab(control, 0, chunk, n)
            if low == high:
                break
            for u in range(low, high):
                start, end = indptr[u], indptr[u + 1]
                marked, smaller, before = False, start, total
                for e in range(start, end):
                    v = np.int64(indices[e])
                    if ordered:
                        if v >= u:
                            if len(count) == 0:
                                break  # rows ascend
                            count[e] = 0
                            continue
                        if indices[e] != indices[smaller]:
                            smaller = e
                    stop = smaller if ordered else end
                    found = np.int64(0)
                    if start < stop:
                        first, last = indptr[v], indptr[v + 1]
                        at = rows[e] if len(members) > 0 else np.int64(0)
                        if last - first + stop - start > np.uint64(_SHORT):
                            if not marked:
                                mark(marks, u, indptr, indices)
                                marked = True
                            if ordered:
                                last = below(indices, first, last, v)
                            found = walk(me, team, u, v, first, last, indices, marks, arrays,
                                         members, at)  # fmt: skip
                        else:
                            found = merge(me, team, u, v, start, stop, first, last, indices,
                                          arrays, members, at)  # fmt: skip
                    if len(count) > 0:
                        count[e] = found
                    if by_vertex and found > 0:
                        counted(me, team, arrays[0], v, found)
                    total += found
                if by_vertex and total > before:
                    counted(me, team, arrays[0], u, total - before)
                if marked:
                    unmark(marks, u, indptr, indices)
        totals[me * 8] = total

    return run


@inner
def counted(me, team, parts, v, count):
    """Add to the count of a vertex; atomically, if threads share the array."""
    if len(parts) == team:
        parts[me, np.uint64(v)] += count
    else:
        fetch_add(parts[0], v, count)


@cache
def pair_kernel(function):
    """The loop around one function of ``(u, v, common, *state)``; None only counts or lists."""

    @inner
    def hit(u, v, w, arrays, at, members):
        if function is not None:
            function(u, v, w, *arrays)
        if len(members) > 0:
            members[at] = w

    @kernel
    def run(me, team, control, indptr, indices, columns, us, vs, arrays, count, rows, members):
        marks = np.zeros((columns >> 5) + 1, np.uint32)
        while True:
            low, high = grab(control, 0, 1024, len(us))
            if low == high:
                break
            marked = np.int64(-1)
            for i in range(low, high):
                u, v = np.int64(us[i]), np.int64(vs[i])
                at = rows[i] if len(rows) > 0 else np.int64(0)
                first = at
                du, dv = indptr[u + 1] - indptr[u], indptr[v + 1] - indptr[v]
                if (i == low or us[i - 1] != us[i]) and worth_marking(us, vs, i, high, indptr):
                    unmark(marks, marked, indptr, indices)
                    mark(marks, u, indptr, indices)
                    marked = u
                if marked != u or du * np.uint64(32) < dv:
                    short, long = (u, v) if du <= dv else (v, u)
                    for e in range(indptr[short], indptr[short + 1]):
                        w = np.int64(indices[e])
                        if holds(indices, indptr[long], indptr[long + 1], indices[e]):
                            hit(u, v, w, arrays, at, members)
                            at += 1
                elif function is None and len(members) == 0:
                    at += count_marked(marks, indices[indptr[v] : indptr[v + 1]])
                else:
                    for e in range(indptr[v], indptr[v + 1]):
                        w = np.int64(indices[e])
                        if is_marked(marks, indices[e]):
                            hit(u, v, w, arrays, at, members)
                            at += 1
                count[i] = at - first
            unmark(marks, marked, indptr, indices)

    return run


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


@inner
def below(indices, low, high, v):
    """The end of those in the ascending ``indices[low:high]`` that are less than ``v``."""
    if low == high or np.int64(indices[high - np.uint64(1)]) < v:
        return high
    if high - low < np.uint64(_SHORT):
        while low < high and np.int64(indices[low]) < v:
            low += np.uint64(1)
        return low
    return np.uint64(lower_bound(indices, low, high, np.uint64(v)))


# Marks are words of 32 bits and all arithmetic is cast to 32 bits: only so does LLVM turn the
# counting loop into vector gathers, 1.7 times as fast as words of 64.
@inner
def is_marked(marks, w):
    return (marks[np.uint32(w >> np.uint32(5))] >> np.uint32(w & np.uint32(31))) & np.uint32(1)


@inner
def count_marked(marks, row):
    """How many members of a list are marked."""
    found = np.uint32(0)
    for i in range(len(row)):
        found = np.uint32(found + np.uint32(is_marked(marks, row[i])))
    return np.int64(found)


@inner
def mark(marks, u, indptr, indices):
    for e in range(indptr[u], indptr[u + 1]):
        w = indices[e]
        marks[np.uint32(w >> np.uint32(5))] |= np.uint32(1) << np.uint32(w & np.uint32(31))


@inner
def unmark(marks, u, indptr, indices):
    if u >= 0:
        for e in range(indptr[u], indptr[u + 1]):
            marks[np.uint32(indices[e] >> np.uint32(5))] = 0


@inner
def holds(indices, low, high, wanted):
    """Is ``wanted`` in the ascending ``indices[low:high]``?"""
    at = np.uint64(lower_bound(indices, low, high, wanted))
    return at < high and indices[at] == wanted
