"""`pair` on CPU threads round by round, for an observer.

A round: those who must point do, then those who point at each other become mates, then the
neighbors that pointed at one of these must point again. Each row is looked through once when its
vertex finds a mate, and once whenever its vertex points.
"""

from __future__ import annotations

import numpy as np

from edgewise.base.cache import inner, kernel
from edgewise.base.cpu.atomics import compare_and_swap, fetch_add
from edgewise.base.cpu.team import barrier, grab
from edgewise.base.observe import notify
from edgewise.base.threads import launch
from edgewise.operators.cpu.ranking import MOST, arc_finder, key_at

__all__ = ["best_free_arc", "pair_rounds"]

_CHUNK = 64
# Words of ``tallies``, each on a cache line of its own: mates found, who points next, arcs seen.
_MATED, _NEXT, _VISITED = 0, 8, 16


def pair_rounds(rows, mates) -> None:
    """Pair the free vertices up; the observer hears of every round."""
    n = len(mates)
    aim, held = np.arange(n, dtype=rows.indices.dtype), np.full(n, MOST)
    queue = np.flatnonzero((mates == -1) & (np.diff(rows.indptr) > 0)).astype(aim.dtype)
    following, mated = np.empty(n, aim.dtype), np.empty(n, aim.dtype)
    count, iteration = len(queue), 0
    while count:
        tallies = np.zeros(24, np.int64)
        work = len(rows.indices) if count > 4096 else _arcs(rows.indptr, queue[:count])
        launch(_round, rows, mates, held, aim, queue, count, following, mated, tallies, work=work)
        notify(iteration, committed=int(tallies[_MATED]) // 2, visited=int(tallies[_VISITED]))
        queue, following, count = following, queue, int(tallies[_NEXT])
        iteration += 1


def _arcs(indptr, ids) -> int:
    return int((indptr[ids + 1] - indptr[ids]).sum())


@inner
def _is_free(u, v, key, rows, mates):
    return mates[v] == -1


best_free_arc = arc_finder(_is_free)


@kernel(borrows=True)
def _round(me, team, control, rows, mates, held, aim, queue, count, following, mated, tallies):
    indptr, indices, weights, _ = rows
    visited = np.int64(0)
    while True:
        low, high = grab(control, 0, _CHUNK, count)
        if low == high:
            break
        for i in range(low, high):
            u = np.uint64(queue[i])
            start, end = indptr[u], indptr[u + np.uint64(1)]
            visited += np.int64(end - start)
            at = best_free_arc(u, start, end, rows, held[u], np.uint64(aim[u]), mates)
            aim[u] = u
            if at != end:
                aim[u] = indices[at]
                held[u] = key_at(weights, u, np.uint64(indices[at]), at)
    fetch_add(tallies, _VISITED, visited)
    if not barrier(control, team):
        return
    while True:
        low, high = grab(control, 1, _CHUNK, count)
        if low == high:
            break
        for i in range(low, high):
            u = np.uint64(queue[i])
            if aim[u] != u and aim[np.uint64(aim[u])] == u:
                _mate(min(u, np.uint64(aim[u])), max(u, np.uint64(aim[u])), mates, mated, tallies)
    if not barrier(control, team):
        return
    while True:
        low, high = grab(control, 2, _CHUNK, tallies[_MATED])
        if low == high:
            break
        for i in range(low, high):
            v = np.uint64(mated[i])
            for e in range(indptr[v], indptr[v + np.uint64(1)]):
                w = np.uint64(indices[e])
                if mates[w] == -1 and aim[w] == v:
                    # Cleared, so that w is queued once even where it is a neighbor twice.
                    done, _ = compare_and_swap(aim, w, aim.dtype.type(v), aim.dtype.type(w))
                    if done:
                        following[fetch_add(tallies, _NEXT, 1)] = w


@inner
def _mate(u, v, mates, mated, tallies):
    """Make mates of two who point at each other; both may come here, one does it."""
    done, _ = compare_and_swap(mates, u, mates.dtype.type(-1), mates.dtype.type(v))
    if done:
        mates[v] = u
        at = fetch_add(tallies, _MATED, 2)
        mated[at], mated[at + 1] = u, v
