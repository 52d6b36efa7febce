"""Rows by key on CUDA: in shared memory, or where that has no space, with tables in global memory.

Such a row is gathered in parts. Along one step a block gathers a piece of the row in shared memory
and merges that into the row's table; along two steps a warp takes a part of the second step's row,
however few first steps there are: one that leads to a hub is shared by many. Other blocks look
through the tables; some rows at a time, so that the tables stay small.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from edgewise.base.cuda.device import simulated
from edgewise.base.cuda.kernels import device, kernel
from edgewise.base.cuda.language import cuda
from edgewise.base.offsets import offsets
from edgewise.graph.transfer import host
from edgewise.operators.cuda.gather import (
    KEYED,
    SLOTS,
    Data,
    Gathering,
    clear,
    entering,
    filler,
    in_shared,
)
from edgewise.operators.cuda.hash_tables import claim, key_at, lander, size_for
from edgewise.operators.cuda.inner import put, take
from edgewise.operators.cuda.rating import stay_of
from edgewise.operators.cuda.row_plan import Plan, owners
from edgewise.operators.cuda.state import THREADS, blocks_for, check_work, nothing
from edgewise.operators.cuda.totals import block_places, over_block
from edgewise.operators.cuda.walk import Deal, Row, Walk, join_kernel, row_reader, walk_rows

__all__ = ["gather_rows"]

#: Places of tables in global memory at a time; the longest part of a second step's row.
_AT_A_TIME, _PART = (64, 3) if simulated() else (1 << 25, 512)
#: Places of such a table that a block looks through.
_LOOKED = 2 * THREADS if simulated() else 8 * THREADS
#: Threads that walk a part, and how many parts a block walks.
_LANES, _EACH = 32, THREADS // 32


class Pieces(NamedTuple):
    """The pieces of rows: p is the ``p - starts[k]``-th of the row ``k = owner[p]``."""

    starts: Any
    owner: Any


class Parts(NamedTuple):
    """The parts of second steps: p is the ``p - starts[j]``-th along the first step ``j =
    owner[p]``, the edge ``edges[j]`` of row ``rows[j]``, whose first part is ``begins[rows[j]]``.
    """

    starts: Any
    owner: Any
    edges: Any
    rows: Any
    begins: Any


class Tables(NamedTuple):
    """Where the table of each row begins, of what size it is, and the parts looked through."""

    begins: Any
    sizes: Any
    looks: Any
    looker: Any


def gather_rows(xp, plan: Plan, deal: Deal, how: Gathering, walk: Walk, data: Data) -> None:
    """Gather the rows of a plan; ``walk.fold`` looks through a table.

    That is ``look(row, lane, step, table, data)`` of one of ``step`` threads, where ``table`` is
    ``(keys, totals, base, size)``; what it gives is the row's total for the walk.
    """
    whole = plan._replace(owner=plan.owner[:0], spans=(*plan.spans[:3], (0, 0)))
    walk_rows(xp, whole, deal, in_shared(how, walk), data)
    begin, count = plan.spans[3]
    if count:
        _gather_long(xp, plan.ids[begin : begin + count], how, walk, data)


def _gather_long(xp, ids, how: Gathering, walk: Walk, data: Data) -> None:
    """Gather rows that have tables in global memory, some at a time."""
    rows, indptr = ids.astype(np.int64), data.rows[0].view(np.int64)
    lows = indptr[rows]
    degrees = indptr[rows + 1] - lows
    most = data.reach[rows] if how.two_steps else degrees
    if data.key_count:
        most = xp.minimum(most, data.key_count)
    bits = xp.frexp((2 * most + 1).astype(np.float64))[1]
    sizes = xp.ones(len(rows), np.int64) << bits.astype(np.int64)
    starts = offsets(-(-degrees // KEYED.cut.piece))
    begins, looks = offsets(sizes + 1), offsets(-(-sizes // _LOOKED))
    starts_here, begins_here, looks_here = host(xp.stack([starts, begins, looks]))
    tables = Tables(begins, sizes, looks, owners(xp, looks, int(looks_here[-1])))
    capacity = min(max(_AT_A_TIME, int(np.diff(begins_here).max())), int(begins_here[-1]))
    table_type = lander(how.combine, how.dtype)[0]
    check_work("reduce_neighbors with key", (capacity, how.key_type), (capacity, table_type))
    space = xp.empty(capacity, how.key_type), xp.empty(capacity, table_type)
    look = look_kernel(walk)
    found: Any = nothing()
    if walk.totals is not None:
        several = tuple(xp.empty(len(tables.looker), dtype) for dtype in walk.totals.dtypes)
        found = several if len(several) > 1 else several[0]
    pieces = Pieces(starts, None)
    if not how.two_steps:
        pieces = Pieces(starts, owners(xp, starts, int(starts_here[-1])))
    first = 0
    while first < len(rows):
        last = int(np.searchsorted(begins_here, begins_here[first] + capacity, side="right")) - 1
        used = int(begins_here[last] - begins_here[first])
        space[0][:used].fill(0)
        space[1][:used].fill(data.empty)
        if how.two_steps:
            parts = _parts(xp, lows[first:last], degrees[first:last], data)
            blocks = blocks_for(len(parts.owner), _EACH)
            parts_kernel(how)(blocks, THREADS, data, ids, parts, tables, space, first)
        else:
            before, rest = int(starts_here[first]), int(starts_here[last] - starts_here[first])
            pieces_kernel(how)(rest, THREADS, data, ids, pieces, tables, space, first, before)
        before, rest = int(looks_here[first]), int(looks_here[last] - looks_here[first])
        look(rest, THREADS, data, ids, tables, space, first, before, found)
        if walk.totals is not None:
            join_kernel(walk)(blocks_for(last - first), THREADS, data, (ids, looks[first:], looks),
                              (first, last - first), 0, 0, found)  # fmt: skip
        first = last


def _parts(xp, lows, degrees, data: Data) -> Parts:
    """The parts of second steps, where the first are so many edges from ``lows`` on."""
    firsts = offsets(degrees)
    count = int(firsts[-1])
    check_work("reduce_neighbors with via", (8 * count, np.int64))
    rows = owners(xp, firsts, count)
    edges = (lows - firsts[:-1])[rows] + xp.arange(count)
    onward, reached = data.onward[0].view(np.int64), data.rows[1][edges].astype(np.int64)
    starts = offsets(-(-(onward[reached + 1] - onward[reached]) // _PART))
    return Parts(starts, owners(xp, starts, int(starts[-1])), edges, rows, starts[firsts])


@cache
def pieces_kernel(how: Gathering) -> Any:
    """The kernel that gathers pieces of rows, a block each."""
    fill, row_at = filler(how), row_reader(Walk(None))
    table_type, land = lander(how.combine, how.dtype)
    kind, key_type, piece = table_type.type, how.key_type, np.uint64(KEYED.cut.piece)
    contest = how.contest
    spill = device(lambda totals, at, new, data: land(totals, at, new))
    if contest is not None:
        spill = device(lambda totals, at, new, data: contest(totals, at, new - 1, data))
    elif how.heard is None:
        spill = device(lambda totals, at, new, data: None)

    @kernel
    def run(data, ids, pieces, tables, space, first, before):
        keys = cuda.shared.array(SLOTS, key_type)
        totals = cuda.shared.array(SLOTS, kind)
        p = before + cuda.blockIdx.x
        k = pieces.owner[p]
        row = row_at(ids, 0, k, data)
        low = row.low + np.uint64(p - pieces.starts[k]) * piece
        part = Row(row.v, row.column, low, min(low + piece, row.high))
        base, size = tables.begins[k] - tables.begins[first], tables.sizes[k]
        stay = stay_of(data.stay, row.v)
        if cuda.threadIdx.x == 0 and p == pieces.starts[k] and stay >= 0:
            claim(space[0], base, size, stay)
        here = (keys, totals, np.int64(0), size_for(np.int64(part.high - part.low)))
        clear(here, cuda.threadIdx.x, THREADS, data)
        cuda.syncthreads()
        fill(part, cuda.threadIdx.x, THREADS, here, data)
        cuda.syncthreads()
        for i in range(cuda.threadIdx.x, here[3] + 1, THREADS):
            word = keys[i]
            if word != 0:
                at = claim(space[0], base, size, key_at(word, i, here[3]))
                spill(space[1], at, totals[i], data)

    return run


@cache
def parts_kernel(how: Gathering) -> Any:
    """The kernel that gathers parts of second steps, a warp each."""
    enter, row_at = entering(how), row_reader(Walk(None))

    @kernel
    def run(data, ids, parts, tables, space, first):
        lane = cuda.threadIdx.x % _LANES
        p = np.int64(cuda.blockIdx.x) * _EACH + cuda.threadIdx.x // _LANES
        if p < len(parts.owner):
            j = parts.owner[p]
            k, e = first + parts.rows[j], np.uint64(parts.edges[j])
            row, u = row_at(ids, 0, k, data), np.uint64(data.rows[1][e])
            table = (space[0], space[1], tables.begins[k] - tables.begins[first], tables.sizes[k])
            stay = stay_of(data.stay, row.v)
            if lane == 0 and p == parts.begins[parts.rows[j]] and stay >= 0:
                claim(table[0], table[2], table[3], stay)
            own = take(data.own, row.v)
            f = data.onward[0][u] + np.uint64((p - parts.starts[j]) * _PART)
            last = min(f + np.uint64(_PART), data.onward[0][u + np.uint64(1)])
            f += np.uint64(lane)
            while f < last:
                enter(table, e, f, data.onward[1][f], row, own, data)
                f += np.uint64(_LANES)

    return run


@cache
def look_kernel(walk: Walk) -> Any:
    """The kernel that looks through parts of tables, a block each."""
    look, row_at = walk.fold, row_reader(walk)
    whole, places = over_block(walk.totals, THREADS), block_places(walk.totals, THREADS)
    summed = walk.totals is not None

    @kernel
    def look_through(data, ids, tables, space, first, before, found):
        p = before + cuda.blockIdx.x
        k = tables.looker[p]
        row, shared = row_at(ids, 0, k, data), places()
        table = (space[0], space[1], tables.begins[k] - tables.begins[first], tables.sizes[k])
        begin, end = tables.looks[k], tables.looks[k + 1]
        lane, step = (p - begin) * THREADS + cuda.threadIdx.x, (end - begin) * THREADS
        total = whole(shared, look(row, lane, step, table, data), data.identity)
        if summed and cuda.threadIdx.x == 0:
            put(found, p, total)

    return look_through
