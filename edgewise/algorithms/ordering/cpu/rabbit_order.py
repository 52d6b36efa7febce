"""The aggregation of `rabbit_order` on CPU threads, in one kernel: batches decided ahead.

Vertices are processed in ascending order of degree. All threads decide for the members of a batch
at once, against the state before it. Then one thread joins them in order. It decides again for
vertices whose choice would form a cycle or has become a loss. Batches have a fixed size, so the
result is the same for any number of threads.

The edges of a group are combined when the group is evaluated, and are written to the rows of its
members, which are linked. ``chain[v]`` is the member whose row follows v's, and ``last[v]`` the
last one of v's group. ``used[v]`` is the number of filled entries of v's row, or -1 while v's edges
are those of the graph. In all, every edge is read about twice.

Pays for: row rabbit of ``python -m benchmarks ordering``.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.base.cache import inner, kernel
from edgewise.base.cpu.atomics import prefetch
from edgewise.base.cpu.team import arrive, barrier, grab, release, rewind, share, stopped, wait
from edgewise.base.threads import get_threads, launch
from edgewise.graph import Graph

__all__ = ["rabbit_order"]

#: Vertices that are decided for at once, and those that a thread takes at a time.
_BATCH, _CHUNK = 1024, 32
#: Neighbors of the next vertex that are asked for ahead.
_AHEAD = 16


class _Rows(NamedTuple):
    """The edges of the graph, and places for those of groups."""

    indptr: np.ndarray
    indices: np.ndarray
    targets: np.ndarray
    weights: np.ndarray
    used: np.ndarray
    chain: np.ndarray
    last: np.ndarray


class _Groups(NamedTuple):
    """What v has joined, or who that has joined since (itself if nothing); the degree of v's group;
    and whether v has decided.
    """

    parent: np.ndarray
    degree: np.ndarray
    over: np.ndarray


def rabbit_order(graph: Graph, queue: Any, forest: Any) -> bool:
    """See `edgewise.operators.engines.fused`: fills the arrays of the forest."""
    n, arcs, team = graph.num_vertices, graph.num_arcs, get_threads()
    ids = graph.id_dtype
    places = np.empty(arcs, ids), np.empty(arcs, np.float32)
    rows = _Rows(graph.indptr, graph.indices, *places, *(np.empty(n, ids) for _ in range(3)))
    groups = _Groups(forest.parent, np.empty(n, np.float32), np.empty(n, np.bool_))
    tables = np.zeros((team, n), np.float32), np.empty((team, n), ids)
    choices = np.empty(_BATCH, np.int64), np.empty(_BATCH, np.float64)
    launch(aggregate, queue, rows, groups, tables, choices, forest, work=2 * arcs + n,
           team=team)  # fmt: skip
    return True


@kernel(borrows=True)
def aggregate(me, team, control, queue, rows, groups, tables, choices, forest):
    """Decide for batch after batch; the last thread to come to its end joins it."""
    table = tables[0][me], tables[1][me]
    arcs = np.float64(len(rows.indices))
    low, high = share(me, team, len(queue))
    for v in range(low, high):
        rows.used[v], rows.chain[v], rows.last[v] = -1, -1, v
        degree = rows.indptr[v + 1] - rows.indptr[v]
        groups.parent[v], groups.degree[v], groups.over[v] = v, degree, False
        forest.child[v], forest.sibling[v] = -1, -1
    if not barrier(control, team):
        return
    size = len(choices[0])
    for start in range(0, len(queue), size):
        batch = queue[start : start + size]
        while True:
            low, high = grab(control, 0, _CHUNK, len(batch))
            if low == high:
                break
            for i in range(low, high):
                _ask(batch, i, rows, groups, table)
                choices[0][i], choices[1][i] = _decide(batch[i], rows, groups, table, arcs)
        here = arrive(control, team)
        if here < 0:
            _join_all(batch, choices, rows, groups, table, arcs, forest)
            rewind(control, 0)
            release(control, team)
        elif not wait(control, here):
            return
        if stopped(control):
            return


@inner
def _ask(batch, i, rows, groups, table):
    """Ask for what will be read of the next ones: they are far apart."""
    if i + 2 < len(batch):
        prefetch(rows.indices, rows.indptr[batch[i + 2]])
    if i + 1 < len(batch):
        low, high = rows.indptr[batch[i + 1]], rows.indptr[batch[i + 1] + 1]
        for e in range(low, min(high, low + _AHEAD)):
            prefetch(groups.parent, rows.indices[e])
            prefetch(table[0], rows.indices[e])


@inner
def _decide(member, rows, groups, table, arcs):
    """The group that v's group gains most by joining, and the weight between them.

    -1 and its own degree if there is none. With loops left out, joining c gains
    2m weight(v, c) - degree(v) degree(c), in units of 1 / 2m^2: whole, so that ties are ties.
    """
    v, (total, met) = np.int64(member), table
    count = np.int64(0)
    s = v
    while s >= 0:
        low = rows.indptr[s]
        if rows.used[s] < 0:
            for e in range(low, rows.indptr[s + 1]):
                c = _root(groups.parent, np.int64(rows.indices[e]))
                if c != v:
                    if total[c] == 0:
                        met[count] = c
                        count += 1
                    total[c] += 1
        else:
            for e in range(low, low + rows.used[s]):
                c = _root(groups.parent, np.int64(rows.targets[e]))
                if c != v:
                    if total[c] == 0:
                        met[count] = c
                        count += 1
                    total[c] += rows.weights[e]
        s = np.int64(rows.chain[s])
    best, between, most = np.int64(-1), np.float64(groups.degree[v]), 0.0
    own = np.float64(groups.degree[v])
    for j in range(count):
        c = np.int64(met[j])
        gain = arcs * total[c] - own * groups.degree[c]
        if gain > most or (gain == most and c < best):
            best, between, most = c, np.float64(total[c]), gain
    if best >= 0 and not groups.over[best]:
        _write(v, count, rows, table)
    for j in range(count):
        total[met[j]] = 0
    return best, between


@inner
def _root(parent, t):
    """The group that t is part of now; the way there is made shorter."""
    c = np.int64(parent[t])
    if c == t:
        return c
    above = np.int64(parent[c])
    if above == c:
        return c
    while above != c:
        c, above = above, np.int64(parent[above])
    parent[t] = c
    return c


@inner
def _write(v, count, rows, table):
    """The edges of v's group, combined, into the first places of its chain."""
    total, met = table
    s = v
    e, end = rows.indptr[s], rows.indptr[s + 1]
    for j in range(count):
        while e == end:
            rows.used[s] = end - rows.indptr[s]
            s = np.int64(rows.chain[s])
            e, end = rows.indptr[s], rows.indptr[s + 1]
        rows.targets[e], rows.weights[e] = met[j], total[met[j]]
        e += 1
    rows.used[s], rows.chain[s], rows.last[v] = e - rows.indptr[s], -1, s


@inner
def _join_all(batch, choices, rows, groups, table, arcs, forest):
    """Let the members of a batch join what they have chosen, one after the other."""
    parent, degree = groups.parent, groups.degree
    for i in range(len(batch)):
        v, u, between = np.int64(batch[i]), choices[0][i], choices[1][i]
        if u < 0:
            holds = degree[v] == between
        else:
            while parent[u] != u:
                u = np.int64(parent[u])
            holds = u != v and arcs * between > np.float64(degree[v]) * degree[u]
        if not holds:
            u, between = _decide(batch[i], rows, groups, table, arcs)
        groups.over[v] = True
        if u < 0:
            continue
        if not groups.over[u]:
            rows.chain[rows.last[u]], rows.last[u] = v, rows.last[v]
        parent[v] = u
        degree[u] += degree[v]
        forest.sibling[v], forest.child[u] = forest.child[u], v
