"""`mark_duplicates` on CPU threads: every row once, against a thread's own table of keys.

The table holds the best vertex of each key so far. One that meets another under its key marks the
worse of the two at once, so a row is walked once. Small keys are places in the table, stamped with
the row, so that nothing is cleared; others are found by hash. All threads walk a very long row
together, each for its share of the keys.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from edgewise.base.cache import inlined, inner
from edgewise.base.compiler import overload
from edgewise.base.cpu.accumulate import clear_table, find, new_tables, shift_for, table_of
from edgewise.base.cpu.atomics import fetch_add
from edgewise.base.cpu.team import barrier
from edgewise.base.threads import launch
from edgewise.graph import Graph
from edgewise.operators.choices import better_by
from edgewise.operators.cpu.gather import Hops, longest_row, plan_walk
from edgewise.operators.cpu.reduce_neighbors import incoming
from edgewise.operators.cpu.state import frozen, listed, vertex_members
from edgewise.operators.cpu.walk import member, over
from edgewise.operators.requests import Duplicates

__all__ = ["mark_duplicates"]

#: From this many edges on a row is walked by all threads.
_LONG = 1 << 14
#: Keys below this, and below twice the longest row, are places.
_DIRECT = 1 << 16
_NOBODY = np.int64(-1)


def mark_duplicates(graph: Graph, request: Duplicates) -> Any:
    """See `edgewise.operators.mark_duplicates`."""
    n, key, rank = graph.num_vertices, request.key, request.rank
    out = np.zeros(n, bool) if request.out is None else request.out
    rows = incoming(graph, request.mode, None, ())
    members = None if request.frontier is None else vertex_members(graph, request.frontier)
    walk = Hops(rows, None, *listed(members, n))
    _, work, team = plan_walk(graph, None, walk, request.mode, n)
    most = longest_row(graph, request.mode, rows.indptr.view(np.int64)) + 1
    if key.dtype not in (np.int32, np.int64):
        key = key.astype(np.int64)
    size = 2 * max(2 * most + 64, min(n, _DIRECT))
    places = np.zeros((team, size), np.int64)  # of a key its stamp and its best
    tables = new_tables(team, most, np.int64)
    long = np.empty(len(rows.indices) // _LONG + 1, np.int64), np.zeros(1, np.int64), team > 1
    read = frozen(key), None if rank is None else frozen(rank), request.closed
    data = (walk, read, places, tables, long, out)
    launch(_kernel, walk.size, 256 if walk.size > 16384 else 16, data, work=work, team=team)
    return out


@inlined
def _mark(i, me, control, data):
    """Mark the duplicates of a row, unless it is very long."""
    walk, _, _, _, (long, noted, shared), _ = data
    starts, u = walk[0][0], member(walk[2], i)
    if shared and starts[u + 1] - starts[u] > np.uint64(_LONG):
        long[fetch_add(noted, 0, 1)] = u
    else:
        along(u, me, 0, 1, data)


@inner
def _mark_together(me, team, control, data):
    """Those of very long rows, each by all threads."""
    long, noted, shared = data[4]
    if shared and barrier(control, team):
        for i in range(noted[0]):
            along(long[i], me, me, team, data)


@inlined
def along(u, me, part, parts, data):
    """Mark the duplicates of the row of u among every ``parts``-th key from ``part`` on."""
    walk, (_, _, closed), places, tables, _, _ = data
    starts, indices = walk[0][0], walk[0][1]
    low, high, table = starts[u], starts[u + 1], table_of(tables, me)
    shift = np.uint64(0)
    if closed:
        shift = enter(u, u, places[me], table, shift, high - low, part, parts, data)
    for e in range(low, high):
        v = np.int64(indices[e])
        shift = enter(v, u, places[me], table, shift, high - low, part, parts, data)
    if shift != 0:
        clear_table(table)


@inlined
def enter(v, u, places, table, shift, length, part, parts, data):
    """Enter v at its key in the row of u, where the better one stays; ``shift`` is of hashes."""
    key, rank, _ = data[1]
    k, out = np.int64(key[v]), data[5]
    if k < 0 or (parts > 1 and k % parts != part):
        return shift
    at = np.uint64(k) << np.uint64(1)
    if at < np.uint64(len(places)):
        if places[at] != u + 1:
            places[at] = u + 1
            places[at + np.uint64(1)] = v
        else:
            places[at + np.uint64(1)] = kept(v, places[at + np.uint64(1)], rank, out)
        return shift
    if shift == 0:
        shift = shift_for(np.int64(length) + 1)
    at = np.uint64(find(table, k, shift, _NOBODY))
    table[1][at] = kept(v, table[1][at], rank, out)
    return shift


@inlined
def kept(v, other, rank, out):
    """The better of two vertices, of which the other one is marked."""
    if other < 0 or other == v:
        return v
    if first(v, other, rank):
        out[other] = True
        return v
    out[v] = True
    return other


def first(v, other, rank):
    """Is v better than the other?"""
    raise TypeError("only for compiled code")


@overload(first)
def _first(v, other, rank):
    if isinstance(rank, types.NoneType):
        return lambda v, other, rank: v < other
    return lambda v, other, rank: better(rank[v], v, rank[other], other)


better = better_by(True, inlined)
_kernel = over(_mark, _mark_together)
