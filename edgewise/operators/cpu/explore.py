"""`explore` on CPU threads: a thread takes a search and makes it alone, first level to last.

Searches are dealt out to `_SLOTS` slots, and threads take slots as they come: each slot adds up
sums of its own, in the order of its searches, and at the end those are added in the order of the
slots. So a sum has the same bits whichever thread was sooner.

Pays for: rows betweenness_centrality and closeness_centrality of ``python -m benchmarks small``.
"""

from __future__ import annotations

from functools import cache
from itertools import count
from typing import Any

import numpy as np

from edgewise.base.cache import inlined, inner
from edgewise.base.cpu.atomics import fetch_add
from edgewise.base.cpu.team import stopped
from edgewise.base.observe import notify, observed
from edgewise.base.threads import get_threads, launch, team_for
from edgewise.graph import Graph
from edgewise.operators.adjacency import adjacency
from edgewise.operators.cpu.walk import over
from edgewise.operators.functions import compiled, naming_failures
from edgewise.operators.requests import Exploration

__all__ = ["explore"]

_SLOTS = 32
#: A search without paths is so much lighter than other work on as many arcs.
_LIGHT = 4
_FAR, _DONE = 2**31 - 1, 1
_NO_SUMS = np.zeros((0, 0))


def explore(graph: Graph, request: Exploration) -> np.ndarray:
    """See `edgewise.operators.explore`."""
    sources, visit, state, paths, along, sums, edges, most = request
    out, _ = adjacency(graph, edges, None, (), False)
    visit = compiled(visit, "visit")
    run = search_kernel(visit, paths, along, sums is not None)
    n, work = graph.num_vertices, len(sources) * (len(out.indices) + graph.num_vertices)
    team = max(1, min(get_threads() if paths else team_for(work // _LIGHT), len(sources)))
    slots = 1 if team == 1 else max(_SLOTS, 2 * team)
    parts = _NO_SUMS if sums is None else np.zeros((slots, len(sums)))
    scratch = (
        np.full((team, n), _FAR, np.int32),
        np.empty((team, n + 1), out.indices.dtype),
        *(np.zeros((team, n if paths else 0)) for _ in range(2)),
    )
    failed, beat = np.zeros(len(sources), np.bool_), count()

    def tell(control: Any) -> None:
        notify(next(beat), done=int(control[_DONE]), total=len(sources))

    with naming_failures(visit):
        data = (out, sources, scratch, state, parts, failed, (slots, most))
        launch(run, slots, 1, data, work=work, team=team, meanwhile=tell if observed() else None)
    notify(next(beat), done=len(sources), total=len(sources))
    if sums is not None:
        sums += parts[0] if slots == 1 else parts.sum(axis=0)
    return np.flatnonzero(failed)


@cache
def search_kernel(visit: Any, paths: bool, along: bool, adds: bool) -> Any:
    """The loop over searches for one function."""

    @inner
    def look(me, i, out, scratch, state, part, most, first, least):
        """Search without counting, and visit in the order of the search."""
        depths, queue = scratch[0][me], scratch[1][me]
        tail = np.int64(0)
        queue[tail] = first
        depths[first] = 0
        tail += 1
        head = np.int64(0)
        while head < tail:
            u = np.uint64(queue[head])
            head += 1
            depth = depths[u]
            value = visit(np.int64(u), i, np.int64(depth), *state)
            if adds:
                part[u] += value
            if depth < most:
                for e in range(out.indptr[u], out.indptr[u + np.uint64(1)]):
                    v = np.uint64(out.indices[e])
                    if depths[v] == _FAR:
                        depths[v] = depth + 1
                        queue[tail] = v
                        tail += 1
        clear(depths, queue, tail)
        return True

    @inner
    def count_paths(me, i, out, scratch, state, part, most, first, least):
        """Count paths on the way out, visit on the way back; False if there are too many.

        What is written at an edge that leads to no new vertex is what was there: a processor
        guesses wrong too often which edges do.
        """
        depths, queue, paths, shares = (
            scratch[0][me],
            scratch[1][me],
            scratch[2][me],
            scratch[3][me],
        )
        queue[0] = first
        depths[first] = 0
        paths[first] = least
        head, tail, endless = np.int64(0), np.int64(1), False
        while head < tail:
            u = np.uint64(queue[head])
            head += 1
            deeper, mine = depths[u] + 1, paths[u]
            endless |= mine == np.inf
            if deeper > most:
                continue
            for e in range(out.indptr[u], out.indptr[u + np.uint64(1)]):
                v = np.uint64(out.indices[e])
                depth = depths[v]
                queue[tail] = v
                tail += depth == _FAR
                depths[v] = min(depth, deeper)
                paths[v] += mine if depth >= deeper else 0.0
        if not endless:
            go_back(i, out, depths, queue, paths, shares, state, part, tail)
        for j in range(tail):
            u = np.uint64(queue[j])
            depths[u] = _FAR
            paths[u] = 0.0
            shares[u] = 0.0
        return not endless

    @inner
    def go_back(i, out, depths, queue, paths, shares, state, part, tail):
        """Level by level: all shares are zero but those of the level behind the one at work."""
        high, behind = tail, tail
        while high > 0:
            depth, low = depths[np.uint64(queue[high - 1])], high
            while low > 0 and depths[np.uint64(queue[low - 1])] == depth:
                low -= 1
                u = np.uint64(queue[low])
                total, mine = 0.0, paths[u]
                for e in range(out.indptr[u], out.indptr[u + np.uint64(1)]):
                    v = np.uint64(out.indices[e])
                    total += shares[v]
                    if along and shares[v] != 0.0:
                        value = visit(np.int64(u), np.int64(v), np.int64(e), i, mine, shares[v],
                                      *state)  # fmt: skip
                        if adds:
                            part[e] += value
                share = total + 1.0 / mine
                paths[u] = share
                if not along:
                    value = visit(np.int64(u), i, np.int64(depth), mine, share, *state)
                    if adds:
                        part[u] += value
            for j in range(high, behind):
                shares[np.uint64(queue[j])] = 0.0
            for j in range(low, high):
                u = np.uint64(queue[j])
                shares[u] = paths[u]
            high, behind = low, high

    search = count_paths if paths else look

    @inlined
    def step(slot, me, control, data):
        out, sources, scratch, state, parts, failed, (slots, most) = data
        least, part = tiny(len(out.indptr)), parts[slot if adds else 0 : slot + 1].reshape(-1)
        for i in range(slot, len(sources), slots):
            if stopped(control):
                return
            first = np.uint64(sources[i])
            if not search(me, i, out, scratch, state, part, most, first, least):
                failed[i] = True
            fetch_add(control, _DONE, 1)

    return over(step)


@inner
def clear(depths, queue, tail):
    """Forget who was reached."""
    for i in range(tail):
        depths[np.uint64(queue[i])] = _FAR


@inner
def tiny(n):
    """A small number whose inverse, times the number of vertices, is finite."""
    least = 2.0**-1022
    while n > 0:
        least *= 2.0
        n >>= 1
    return least
