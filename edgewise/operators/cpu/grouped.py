"""`reduce_neighbors` with ``key=`` on CPU threads, all keys: rows of keys and totals.

Each thread gathers a row in its hash table and emits it at once: finished, shortened and sorted if
that is asked for. The number of edges bounds each row, so nothing is counted in advance. One thread
writes its rows straight into the result. Several write batches of rows, each at its bound, which
are then copied to the result. Two steps away by source the rows are those of a product of two
sparse matrices (Gustavson's algorithm).
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from edgewise.base.cache import helper, inlined, inner
from edgewise.base.cpu.accumulate import clear_table, key_at, new_tables, shift_for, table_of
from edgewise.base.cpu.bits import bit_length
from edgewise.base.cpu.sort import DIGIT_BITS, sort_bucket
from edgewise.base.cpu.team import stopped
from edgewise.base.offsets import offsets
from edgewise.base.threads import launch
from edgewise.operators.cpu.gather import Hops, Plan, Sending, bound_of, gatherer
from edgewise.operators.cpu.growing import Growing
from edgewise.operators.cpu.walk import member, over
from edgewise.operators.finished_rows import finisher
from edgewise.operators.finishing import Finishing
from edgewise.operators.results import Grouped

__all__ = ["grouped"]

#: Members that a thread takes at once: few, because rows are of any length.
_CHUNK = 8
#: Entries per thread in a batch of rows.
_BATCH = 1 << 20


def grouped(
    n: int, walk: Hops, plan: Plan, sending: Sending, sort: bool, finishing: Finishing | None
) -> Grouped:
    """One total per member and key."""
    (most, work, team), dtype = plan, sending.identity.dtype
    walk = walk._replace(ids=np.sort(walk.ids))  # rows lie in the order of vertices
    two_steps, counts = walk.onward is not None, np.zeros(n, np.int64)
    bounds = np.empty(walk.size, np.int64)
    launch(bound_kernel(two_steps), walk.size, 1024, (walk, most, bounds), work=work, team=team)
    longest, space, kept = int(bounds.max(initial=0)), bounds, bounds
    if finishing is not None and finishing.keep >= 0:
        kept = np.minimum(bounds, finishing.keep)
    out = Growing(lambda size: (np.empty(size, np.uint64), np.empty(size, dtype)),
                  8 + dtype.itemsize, int(kept.sum()) + longest, lambda: _BATCH + longest,
                  ": keep= and least= make it smaller")  # fmt: skip
    alone = team == 1
    if alone:
        space, batch = kept, max(out.capacity - longest, 1)
    else:
        batch = max(longest, min(int(bounds.sum()), _BATCH * team))
        scratch = out.make(batch)
    run = write_kernel(sending.message, sending.combine, two_steps,
                       None if finishing is None else finisher(finishing, dtype))  # fmt: skip
    rules = () if finishing is None else (finishing.rules(dtype), finishing.params)
    tables, spare = new_tables(team, most, dtype), _spare(team, most if sort else 0, dtype)
    ends, first, used, cursor = np.cumsum(space), 0, 0, np.zeros(1, np.int64)
    while first < walk.size:
        before = int(ends[first - 1]) if first else 0
        last = max(first + 1, int(np.searchsorted(ends, before + batch, "right")))
        places, cursor[0] = ends[first:last] - space[first:last] - before, used
        if alone:
            out.reserve(used, int(ends[last - 1]) - before + longest)
        into = (*(out.arrays if alone else scratch), places[:0] if alone else places, cursor)
        given = (walk, most, sending.data, tables, spare, into, (first, counts), rules, sort)
        launch(run, last - first, _CHUNK, given, work=work, team=team)
        if alone:
            used = int(cursor[0])
        else:
            used = _copied(walk, (first, last), counts, places, scratch, out, used, team)
        first = last
    keys, totals = out.cut(used)
    return Grouped(offsets(counts), keys.view(np.int64), totals)


def _spare(team: int, most: int, dtype: np.dtype) -> tuple:
    """Memory in which threads sort rows."""
    return (np.empty((team, most), np.uint64), np.empty((team, most), dtype),
            np.empty((team, 1 << DIGIT_BITS), np.int64))  # fmt: skip


def _copied(
    walk: Hops, rows: tuple, counts: Any, places: Any, scratch: tuple, out: Growing, used: int,
    team: int,
) -> int:  # fmt: skip
    """Copy a batch of rows to the result, and return how many entries that has then."""
    first, last = rows
    members = walk.ids[first:last] if len(walk.ids) else slice(first, last)
    starts = offsets(counts[members])
    more = int(starts[-1])
    out.reserve(used, more)
    given = (scratch, out.arrays, places, starts, used)
    launch(_copy, last - first, 64, given, work=more, team=team)
    return used + more


@inlined
def _copy_row(i, me, control, data):
    (keys, totals), (all_keys, all_totals), places, starts, used = data
    at, to = places[i], used + starts[i]
    for j in range(starts[i + 1] - starts[i]):
        all_keys[to + j], all_totals[to + j] = keys[at + j], totals[at + j]


_copy = over(_copy_row)


@cache
def bound_kernel(two_steps):
    """At most how many keys each member meets."""

    @inlined
    def step(i, me, control, given):
        walk, most, bounds = given
        bounds[i] = bound_of(walk, member(walk[2], i), most)

    return over(step)


@cache
def write_kernel(message, combine, two_steps, finish):
    """The rows for one message, one monoid, and what finishes them, or None."""
    gather, finishes = gatherer(message, combine, two_steps), finish is not None
    finish = finish or inner(lambda v, keys, totals, at, count, rules, params: count)

    @inlined
    def step(i, me, control, given):
        walk, most, data, tables, spare, into, (first, counts), rules, sort = given
        if stopped(control):
            return
        keys, totals, places, cursor = into
        starts, v, table = walk[0][0], member(walk[2], first + i), table_of(tables, me)
        shift = shift_for(bound_of(walk, v, most))
        gather(table, v, starts[v], starts[v + 1], walk, data, shift)
        at = places[i] if len(places) > 0 else cursor[0]
        count = list_row(table, keys, totals, at)
        if finishes:
            count = finish(v, keys, totals, at, count, *rules)
        if sort and count > 1:
            sort_row(keys[at : at + count], totals[at : at + count], spare[0][me], spare[1][me],
                     spare[2][me])  # fmt: skip
        counts[v] = count
        if len(places) == 0:
            cursor[0] = at + count
        clear_table(table)

    return over(step)


@inner
def list_row(table, keys, totals, at):
    """Write the keys of a table in the order in which they came, and their totals."""
    slots, sums, used = table
    for i in range(used[0]):
        place = used[i + 1]
        keys[at + i], totals[at + i] = np.uint64(key_at(slots, place)), sums[place]
    return used[0]


@helper
def sort_row(keys, totals, other, spare, digits):
    """Sort the keys of a row, and the totals along with them."""
    least = most = np.int64(keys[0])
    for i in range(1, len(keys)):
        key = np.int64(keys[i])
        least, most = min(least, key), max(most, key)
    bits, size = bit_length(np.uint64(most) - np.uint64(least)), len(keys)
    sort_bucket(keys, totals, other[:size], spare[:size], digits, np.uint64(least), 0, bits, False)
