"""`reduce_neighbors` with ``key=`` on CPU threads: one total per member and key of its neighbors.

Each thread keeps one hash table (`edgewise.base.cpu.accumulate`) and uses it for row after row.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from edgewise.base.cache import helper, inner, kernel
from edgewise.base.cpu.accumulate import clear_table, find, new_table
from edgewise.base.cpu.team import barrier, grab
from edgewise.base.threads import launch
from edgewise.operators.cpu.inner import cast, edge_at, take, weight_at
from edgewise.operators.cpu.visit import member
from edgewise.operators.results import Chosen, Grouped

__all__ = ["grouped"]


def grouped(rows, ids, count, n, message, combine, reduce, sent, target, values, key, choose,
            dtype) -> Any:  # fmt: skip
    """One total per member and key, or only the best of each member."""
    key = key.astype(np.int64, copy=False)
    dtype = np.dtype(dtype or values.dtype)
    identity = reduce.identity_for(dtype)
    degrees = np.diff(rows.indptr.view(np.int64))
    degrees = degrees[ids] if len(ids) == count else degrees
    most = int(degrees.max(initial=0))
    direction = 0
    if choose is not None:
        direction = {"max": 1, "min": -1}[choose]
    best_key = np.full(n if choose else 0, -1, np.int64)
    best_total = np.full(n if choose else 0, identity, dtype)
    counts = np.zeros(0 if choose else n + 1, np.int64)
    run = grouped_kernel(message, combine, choose is not None)
    work = int(degrees.sum()) + count

    def sweep(indptr, keys, totals):
        launch(run, rows, ids, count, sent, target, key, identity, most, direction, best_key,
               best_total, counts, indptr, keys, totals, work=work)  # fmt: skip

    none = np.empty(0, np.int64)
    if choose:
        sweep(none, none, np.empty(0, dtype))
        return Chosen(best_key, best_total)
    sweep(none, none, np.empty(0, dtype))
    indptr = np.concatenate([[0], np.cumsum(counts[:n])])
    keys, totals = np.empty(indptr[-1], np.int64), np.empty(indptr[-1], dtype)
    sweep(indptr, keys, totals)
    return Grouped(indptr, keys, totals)


@cache
def grouped_kernel(message, combine, chooses):
    """The loop for one message and one monoid: the best of each member, or all.

    For all it counts first, and writes when it is given the rows.
    """

    @inner
    def best(table, direction):
        _, keys, totals, used = table
        at = 0
        for i in range(1, used[0]):
            ahead = totals[i] > totals[at] if direction > 0 else totals[i] < totals[at]
            if ahead or (totals[i] == totals[at] and keys[i] < keys[at]):
                at = i
        return at

    @helper
    def write(table, start, to_keys, to_totals):
        _, keys, totals, used = table
        order = np.argsort(keys[: used[0]])
        for i in range(used[0]):
            to_keys[start + i] = keys[order[i]]
            to_totals[start + i] = totals[order[i]]

    @kernel
    def run(me, team, control, rows, ids, count, sent, target, key, identity, most, direction,
            best_key, best_total, counts, indptr, keys, totals):  # fmt: skip
        starts, indices, weights, edge_ids = rows
        table = new_table(most, totals)
        while True:
            low, high = grab(control, 0, 256, count)
            if low == high:
                break
            for i in range(low, high):
                v = member(ids, i)
                own = take(target, v)
                for e in range(starts[v], starts[v + 1]):
                    u = np.int64(indices[e])
                    new = message(
                        take(sent, u), weight_at(weights, e), u, edge_at(edge_ids, e), own
                    )
                    place = find(table, key[u], identity)
                    table[2][place] = combine(table[2][place], cast(totals, new))
                if chooses:
                    if table[3][0] > 0:
                        at = best(table, direction)
                        best_key[v], best_total[v] = table[1][at], table[2][at]
                elif len(indptr) == 0:
                    counts[v] = table[3][0]
                else:
                    write(table, indptr[v], keys, totals)
                clear_table(table)
        barrier(control, team)

    return run
