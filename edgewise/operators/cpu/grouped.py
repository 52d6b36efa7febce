"""`reduce_neighbors` with ``key=`` on CPU threads, all keys: rows of keys and totals.

Keys are counted first, then the rows are filled: each thread gathers a row in its hash table, and
sorts its keys. Two steps away by source the rows are those of a product of two sparse matrices
(Gustavson's algorithm).
"""

from __future__ import annotations

from functools import cache

import numpy as np

from edgewise.base.cache import helper, inlined, inner
from edgewise.base.cpu.accumulate import (
    clear_table,
    find,
    key_at,
    new_tables,
    shift_for,
    table_of,
)
from edgewise.base.cpu.sort import DIGIT_BITS, sort_bucket
from edgewise.base.cpu.team import stopped
from edgewise.base.insertion import insertion, read, write
from edgewise.base.offsets import offsets
from edgewise.base.threads import launch
from edgewise.operators.cpu.gather import Hops, Plan, Sending, bound_of, gatherer
from edgewise.operators.cpu.walk import member, over
from edgewise.operators.results import Grouped

__all__ = ["grouped"]

#: Members that a thread takes at once: few, because rows are of any length.
_CHUNK = 8
#: Keys that are sorted by insertion.
_FEW = 24


def grouped(n: int, walk: Hops, plan: Plan, sending: Sending) -> Grouped:
    """One total per member and key."""
    most, work, team = plan
    counts, dtype = np.zeros(n, np.int64), sending.identity.dtype
    two_steps, silent = walk.onward is not None, ((None, None, sending.read[2]), np.int8(0), ())
    data = (walk, most, silent, new_tables(team, most, np.int8), counts)
    launch(count_kernel(two_steps), walk.size, _CHUNK, data, work=work, team=team)
    indptr = offsets(counts)
    rows = indptr, np.empty(indptr[-1], np.uint64), np.empty(indptr[-1], dtype)
    spare = np.empty((team, most), np.uint64), np.empty((team, 1 << DIGIT_BITS), np.int64)
    run = write_kernel(sending.message, sending.combine, two_steps)
    given = (walk, most, sending.data, new_tables(team, most, dtype), spare, rows)
    launch(run, walk.size, _CHUNK, given, work=work, team=team)
    return Grouped(indptr, rows[1].view(np.int64), rows[2])


@cache
def count_kernel(two_steps):
    """How many different keys each member meets: gathered as with messages, but silently."""
    gather = gatherer(_silence, _first, two_steps)

    @inlined
    def step(i, me, control, given):
        walk, most, data, tables, counts = given
        if stopped(control):
            return
        starts, v, table = walk[0][0], member(walk[2], i), table_of(tables, me)
        gather(table, v, starts[v], starts[v + 1], walk, data, shift_for(bound_of(walk, v, most)))
        counts[v] = table[2][0]
        clear_table(table)

    return over(step)


@inner
def _silence(value, weight, other, another, own, params):
    return 0


@inner
def _first(old, new):
    return old


@cache
def write_kernel(message, combine, two_steps):
    """The rows for one message and one monoid."""
    gather = gatherer(message, combine, two_steps)

    @inlined
    def step(i, me, control, given):
        walk, most, data, tables, spare, (indptr, keys, totals) = given
        if stopped(control):
            return
        starts, v, table = walk[0][0], member(walk[2], i), table_of(tables, me)
        first, last = indptr[v], indptr[v + 1]
        shift = shift_for(bound_of(walk, v, most))
        gather(table, v, starts[v], starts[v + 1], walk, data, shift)
        if last - first <= _FEW:
            insert_keys(table, keys[first:last])
        else:
            sort_keys(table, spare[0][me], spare[1][me], keys[first:last])
        for at in range(first, last):
            totals[at] = table[1][find(table, np.int64(keys[at]), shift, data[1])]
        clear_table(table)

    return over(step)


def is_below(keys, key, other):
    return np.int64(key) < np.int64(other)


insert = insertion(is_below, read, write, inner).insert


@inner
def insert_keys(table, keys):
    """Write the few keys of a table in ascending order."""
    slots, _, used = table
    for i in range(used[0]):
        insert(keys, 0, i, np.uint64(key_at(slots, used[i + 1])))


@helper
def sort_keys(table, spare, digits, keys):
    """Write the many keys of a table in ascending order."""
    slots, _, used = table
    least = most = key_at(slots, used[1])
    for i in range(used[0]):
        key = key_at(slots, used[i + 1])
        least, most = min(least, key), max(most, key)
        spare[i] = np.uint64(key)
    span, bits = np.uint64(most) - np.uint64(least), 0
    while span > np.uint64(0):
        span >>= np.uint64(1)
        bits += 1
    sort_bucket(spare[: used[0]], None, keys, None, digits, np.uint64(least), 0, bits, True)
