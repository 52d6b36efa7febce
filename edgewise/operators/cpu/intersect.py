"""`intersect` on CPU threads: common neighbors by marking one list and walking the other.

All edges go row by row: the neighbors of u are set in the thread's own bitmap, the lists of its
neighbors are walked against it, and the marks are taken back. Two short lists are merged instead.
Given pairs, and what is more than a count, are for `intersect_pairs`.

Pays for: row triangles of ``python -m benchmarks gap``.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from edgewise.base.cache import inlined, inner
from edgewise.base.cpu.atomics import fetch_add
from edgewise.base.cpu.bit_blocks import nearby, packed, reach, span
from edgewise.base.offsets import offsets
from edgewise.base.threads import get_threads, launch, team_for
from edgewise.graph import Graph
from edgewise.operators.adjacency import unsigned
from edgewise.operators.cpu.intersect_pairs import pair_counts, pair_lists, pair_totals
from edgewise.operators.cpu.marks import below, count_marked, is_marked, mark, unmark
from edgewise.operators.cpu.walk import over
from edgewise.operators.functions import compiled, naming_failures
from edgewise.operators.requests import Intersection
from edgewise.operators.results import Common

__all__ = ["intersect"]

#: Two lists up to this length together are merged; else the first is marked.
_SHORT = 16
#: An edge is so much work.
_EACH = 8
#: Threads count by vertex in arrays of their own, if there are so many edges for each number.
_OWN = 0.25


def intersect(graph, request: Intersection) -> Common:
    """See `edgewise.operators.intersect`."""
    function = compiled(request.function, "function", 3 + len(request.state))
    us, vs = request.pairs or (None, None)
    indptr = members = totals = None
    if request.message is not None:
        totals, count = pair_totals(graph, us, vs, request)
        total = int(count.sum())
    if request.message is None or function is not None:
        with naming_failures(function):
            total, count = _counted(graph, us, vs, function, request)
    if request.lists:
        indptr, members = _listed(graph, us, vs, count, total, request.ordered)
    return Common(total, count if request.each else None, indptr, members, totals)


class Found(NamedTuple):
    """What is found: how many of each pair and by each thread; where lists begin, and members."""

    counts: np.ndarray
    totals: np.ndarray
    starts: np.ndarray
    members: np.ndarray


class Task(NamedTuple):
    """Lists of neighbors, marks of each thread, and what is done with common ones."""

    indptr: np.ndarray
    indices: np.ndarray
    marks: np.ndarray
    state: tuple
    found: Found
    apart: bool  # counting by vertex: no thread shares its row of counts


_NONE = np.empty(0, np.int64)


def _task(graph: Graph, team: int, state: tuple, found: Found, apart: bool = False) -> Task:
    marks = np.zeros((team, (graph.shape[1] >> 5) + 1), np.uint32)
    indptr, indices = map(unsigned, graph.stored)
    return Task(indptr, indices, marks, state, found, apart)


def _counted(graph, us, vs, function, request) -> tuple[int, np.ndarray]:
    """How many there are in all, and of each pair if that is asked for."""
    arcs = graph.num_arcs
    if us is not None:
        count = pair_counts(graph, us, vs, function, request.state)
        return int(count.sum()), count
    team = team_for(_EACH * arcs)
    found = Found(np.empty(arcs if request.each else 0, np.int64), np.zeros(team * 8, np.int64),
                  _NONE, _NONE)  # fmt: skip
    state, by_vertex, several = request.state, request.vertices, False
    if by_vertex:
        n = len(state[0])
        several = team > 1 and arcs >= n * max(4, _OWN * team)
        state = (np.zeros((team, n), np.int64) if several else state[0].reshape(1, n),)
    run = row_kernel(None if by_vertex else function, request.ordered, by_vertex)
    _for_rows(run, _task(graph, team, state, found, several or team == 1), team)
    if several:
        np.sum(state[0], axis=0, out=request.state[0])
    return int(found.totals.sum()), found.counts


def _listed(graph, us, vs, count, total, ordered) -> tuple[np.ndarray, np.ndarray]:
    """Where each pair's common neighbors begin, and they themselves."""
    if us is not None:
        return pair_lists(graph, us, vs, count, total)
    indptr, members, team = offsets(count), np.empty(total, np.int64), get_threads()
    found = Found(count, np.zeros(team * 8, np.int64), indptr, members)
    _for_rows(row_kernel(None, ordered), _task(graph, team, (), found), team)
    return indptr, members


def _for_rows(run: Any, task: Task, team: int) -> None:
    n = len(task.indptr) - 1
    chunk = min(max(n // (256 * team), 16), 1024)
    launch(run, n, chunk, task, work=_EACH * len(task.indices), team=team)


@cache
def row_kernel(function, ordered, by_vertex=False):
    """The loop over all edges, row by row: a long row is marked once, short ones are merged.

    ``ordered`` keeps to u > v > common: every triangle once. With ``by_vertex`` the only array has
    a row for each thread, or one for all, to count for every vertex in how many triples it is.
    """

    @inner
    def hit(me, u, v, w, task, at):
        if by_vertex:
            counted(me, task, w, 1)
        if function is not None:
            function(u, v, np.int64(w), *task.state)
        if len(task.found.members) > 0:
            task.found.members[at] = w

    @inlined
    def walk(me, u, v, first, last, task, at):
        """Count the marked ones in ``indices[first:last]``."""
        found, indices, marks = np.int64(0), task.indices, task.marks[me]
        if function is None and len(task.found.members) == 0 and not by_vertex:
            return count_marked(marks, indices, first, last)
        if by_vertex and task.apart:  # no branch: a processor would guess wrong
            mine = task.state[0][me]
            for f in range(first, last):
                known = np.int64(is_marked(marks, indices[f]))
                mine[np.uint64(indices[f])] += known
                found += known
            return found
        for f in range(first, last):
            if is_marked(marks, indices[f]):
                hit(me, u, v, indices[f], task, at + found)
                found += 1
        return found

    @inlined
    def merge(me, u, v, own, start, end, first, last, task, at):
        """Count the common ones of two ascending lists; ``own`` holds the first."""
        found, other = np.int64(0), nearby(task.indices, first, last)
        while start < end and first < last:
            a, b = own[start], other[first]
            if a == b:
                hit(me, u, v, a, task, at + found)
                found += 1
            start += np.uint64(a <= b)
            first += np.uint64(b <= a)
        return found

    @inlined
    def row(u, me, control, task):
        indptr, indices, marks = task.indptr, task.indices, task.marks[me]
        count, starts = task.found.counts, task.found.starts
        start, end = indptr[u], indptr[u + 1]
        held = reach(indices, start, end)
        own = nearby(indices, start, held)
        marked, smaller, before, total = False, start, np.int64(-1), np.int64(0)
        for e in range(start, end):
            v = np.int64(indices[e] if packed(indices) and e >= held else own[e])
            if ordered:
                if v >= u:
                    if len(count) == 0:
                        break  # rows ascend
                    count[e] = 0
                    continue
                if v != before:
                    smaller, before = e, v
            stop = smaller if ordered else end
            found = np.int64(0)
            if start < stop:
                first, last = span(indptr, v)
                at = starts[e] if len(starts) > 0 else np.int64(0)
                if last - first + stop - start > np.uint64(_SHORT):
                    if not marked:
                        mark(marks, u, indptr, indices)
                        marked = True
                    if ordered:
                        last = below(indices, first, last, v)
                    found = walk(me, u, v, first, last, task, at)
                else:
                    found = merge(me, u, v, own, start, stop, first, last, task, at)
            if len(count) > 0:
                count[e] = found
            if by_vertex and found > 0:
                counted(me, task, v, found)
            total += found
        if by_vertex and total > 0:
            counted(me, task, u, total)
        if marked:
            unmark(marks, u, indptr, indices)
        task.found.totals[me * 8] += total

    return over(row)


@inner
def counted(me, task, v, count):
    """Add to the count of a vertex; atomically, if threads share the array."""
    if task.apart:
        task.state[0][me, np.uint64(v)] += count
    else:
        fetch_add(task.state[0][0], v, count)
