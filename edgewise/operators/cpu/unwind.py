"""`unwind` on CPU threads: the levels in reverse, one launch for all of them.

Vertices are sorted by level first (one counting pass). Runs of small levels stay on one thread;
larger ones are shared, with a barrier between them.

Pays for: row betweenness of ``python -m benchmarks gap``.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from edgewise.base.cache import inner, kernel
from edgewise.base.cpu.sort import deal
from edgewise.base.cpu.team import barrier, grab, rewind, share
from edgewise.base.threads import launch, team_for
from edgewise.graph import Graph
from edgewise.operators.adjacency import adjacency
from edgewise.operators.cpu.inner import cast, edge_at, take, weight_at
from edgewise.operators.cpu.rounds import SMALL
from edgewise.operators.functions import MESSAGE_NAMES, compiled, naming_failures, plain
from edgewise.operators.requests import Unwinding

__all__ = ["unwind"]


def unwind(graph: Graph, request: Unwinding) -> None:
    """See `edgewise.operators.unwind`."""
    depths, message, values, reduce, own, finish, edges, weights = request
    n = graph.num_vertices
    own = values.copy() if own is None else own
    rows, _ = adjacency(graph, edges, weights, message.names, False)
    combine = compiled(reduce.combine, "reduce.combine", 2)
    reached = depths[(depths >= 0) & (depths < n)]
    levels = int(reached.max(initial=-1)) + 1
    work = len(rows.indices) + n
    team = team_for(work, barriers=2)
    counts = np.zeros((team, levels), np.int64)
    starts, order = np.zeros(levels + 1, np.int64), np.empty(len(reached), rows.indices.dtype)
    run = level_kernel(plain(message, MESSAGE_NAMES), combine, plain(finish, ("total", "own")))
    identity = reduce.identity_for(values.dtype)
    params = (message.params, finish.params if finish else ())
    with naming_failures(message, combine, finish):
        data = (rows, depths, values, own, identity, params)
        launch(run, data, counts, starts, order, work=work, team=team)


@cache
def level_kernel(message, combine, finish):
    """The loop for one message, one monoid and one finish."""
    finish = finish or inner(lambda total, own, params: total)

    @inner
    def settle(v, data):
        rows, depths, values, own, identity, params = data
        indptr, indices, weights, edge_ids = rows
        total, mine, deeper = identity, take(own, v), depths[v] + 1
        for e in range(indptr[v], indptr[v + 1]):
            u = np.int64(indices[e])
            if depths[u] == deeper:
                new = message(
                    values[u], weight_at(weights, e), u, edge_at(edge_ids, e), mine, params[0]
                )
                total = cast(values, combine(total, cast(values, new)))
        values[v] = cast(values, finish(total, mine, params[1]))

    @kernel(borrows=True)
    def run(me, team, control, data, counts, starts, order):
        if not sort_levels(me, team, control, data[1], counts, starts, order):
            return
        level, shared = len(starts) - 2, 0
        while level >= 0:
            low, high = starts[level], starts[level + 1]
            if high - low <= SMALL:
                while level >= 0 and starts[level + 1] - starts[level] <= SMALL:
                    if me == 0:
                        for i in range(starts[level], starts[level + 1]):
                            settle(np.int64(order[i]), data)
                    level -= 1
            else:
                slot = shared % 16
                shared += 1
                if me == 0:
                    rewind(control, (slot + 8) % 16)
                while True:
                    first, last = grab(control, slot, 64, high - low)
                    if first == last:
                        break
                    for i in range(low + first, low + last):
                        settle(np.int64(order[i]), data)
                level -= 1
            if not barrier(control, team):
                return

    return run


@inner
def sort_levels(me, team, control, depths, counts, starts, order):
    """Write the vertices that have a level to ``order``, by level; False when stopped."""
    levels = len(starts) - 1
    low, high = share(me, team, len(depths))
    for v in range(low, high):
        if 0 <= depths[v] < levels:
            counts[me, depths[v]] += 1
    if not deal(me, team, control, counts, starts):
        return False
    for v in range(low, high):
        if 0 <= depths[v] < levels:
            order[counts[me, depths[v]]] = v
            counts[me, depths[v]] += 1
    return barrier(control, team)
