"""One walk over rows for all operators on CUDA: by a thread, some lanes, a warp or a block.

Rows go to threads by length, as ``row_plan.py`` says; the longest are cut into pieces, a
block each, whose totals are joined in order by a second kernel. What is combined with what depends
on the row alone, so that a sum of floats is always the same. What happens to an edge and to the
total of a row is the caller's: a `Walk`.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from edgewise.base.cuda.device import simulated
from edgewise.base.cuda.kernels import Packed, device, kernel
from edgewise.base.cuda.language import cuda
from edgewise.base.offsets import offsets
from edgewise.graph import Graph
from edgewise.operators.adjacency import unsigned
from edgewise.operators.cuda.compute import member_reader
from edgewise.operators.cuda.inner import put, take
from edgewise.operators.cuda.row_plan import (
    ALONE,
    Cut,
    Plan,
    few_rows,
    longest_row,
    plan_rows,
    whole_plan,
)
from edgewise.operators.cuda.state import THREADS, blocks_for, nothing
from edgewise.operators.cuda.totals import Totals, across, block_places, joiner, over_block

__all__ = ["COLUMNED", "REDUCING", "SHORT", "Deal", "Row", "Walk", "blocks_of", "deal_out",
           "join_kernel", "row_reader", "store_total", "turn_of", "walk_members", "walk_rows",
           "walk_short"]  # fmt: skip


class Deal(NamedTuple):
    """How rows are dealt out: the lengths of the kinds, the lanes (0: there are no such rows) that
    walk a row of the first three, and how many rows these take one after the other."""

    cut: Cut
    lanes: tuple[int, int, int]
    each: tuple[int, int, int]


#: How reductions deal out rows; the simulator knows no warps.
REDUCING = Deal(Cut(8, 64, 2048, 8192), (1, 8, 32), (4, 8, 8))
#: With columns, which are read together, there are more rows to walk at once.
COLUMNED = Deal(Cut(64, 1024, 1024, 8192), (1, 8, 0), (2, 8, 1))
#: Where no row is longer than this, each is for one thread.
SHORT = 16
if simulated():
    SHORT = 2
    REDUCING = COLUMNED = Deal(Cut(8, 8, 8, 64), (1, 0, 0), (4, 8, 8))


class Row(NamedTuple):
    """A row, or a piece of one: its vertex, the column of the state, and its edges."""

    v: Any
    column: Any
    low: Any
    high: Any


class Walk(NamedTuple):
    """What a walk does, as device functions.

    ``data`` is the caller's record, with the fields ``rows`` (indptr, indices, weights, edge ids),
    ``identity`` of the totals, and ``width``, the number of columns, where these are asked for.

    ``open(data)`` gives what the threads of a block share; all call it. ``fold(lanes)`` makes
    ``fold(row, lane, step, data, shared)``: the total over every ``step``-th edge from
    ``row.low + lane`` on, where so many lanes are on the row. ``settle(row, total, so_far, data)``
    is called once for every row, and gives the thread's new ``so_far``; at the end all threads call
    ``close(so_far, data, shared, block)``. ``bounds(v, data)`` says which edges belong to the row.
    """

    fold: Any
    totals: Totals | None = None  # None: there are none, and ``fold`` gives 0
    settle: Any = device(lambda row, total, so_far, data: so_far)
    open: Any = device(lambda data: 0)
    close: Any = device(lambda so_far, data, shared, block: None)
    bounds: Any = device(lambda v, data: (data.rows[0][v], data.rows[0][v + np.uint64(1)]))
    columned: bool = False


@device
def store_total(row, total, so_far, data):
    """The ``settle`` of a walk whose only output is an array of totals."""
    data.outputs[row.v] = total
    return so_far


def deal_out(
    graph: Graph, mode: str, indptr: Any, ids: Any, deal: Deal, *, alone: int = ALONE,
    reach: Any = None,
) -> tuple[Plan, Deal]:  # fmt: skip
    """Who walks which of the rows of all vertices (``ids`` is None), of a few, or of many.

    A few are for a block each, unless rows may be longer than ``alone``: nothing has to be sorted,
    nor read back. ``reach`` stands for the lengths of rows where it is given.
    """
    few = few_rows(graph, mode, indptr, ids, alone)
    if few is not None:
        return few, Deal(deal.cut, (0, 0, THREADS), (1, 1, 1))
    if reach is not None:
        indptr = unsigned(offsets(reach))
    elif ids is None:
        return whole_plan(graph, mode, indptr, deal.cut), deal
    return plan_rows(graph.xp, indptr, ids, deal.cut), deal


def walk_members(graph, edges, ids, walk: Walk, data: Any, zero: Any = 0) -> None:
    """Walk the rows of all vertices (``ids`` is None), of a few, or of many."""
    arrays = data.rows.argument if isinstance(data.rows, Packed) else data.rows
    if longest_row(graph, edges, arrays[0])[0] <= SHORT:
        count = graph.num_vertices if ids is None else len(ids)
        return walk_short(walk, ids, count, data, zero)
    deal = COLUMNED if walk.columned else REDUCING
    plan, deal = deal_out(graph, edges, arrays[0], ids, deal)
    return walk_rows(graph.xp, plan, deal, walk, data, zero)


def walk_rows(xp, plan: Plan, deal: Deal, walk: Walk, data: Any, zero: Any = 0) -> None:
    """Walk all rows of the plan; ``so_far`` is ``zero`` at first."""
    ends, after = blocks_of(plan, deal, data.width if walk.columned else 1)
    lists = (plan.ids, plan.first, plan.owner)
    parts: Any = nothing()
    if walk.totals is not None:
        make = xp.empty if ends[0] else (lambda count, dtype: nothing(dtype))
        several = tuple(make(ends[0], dtype) for dtype in walk.totals.dtypes)
        parts = several if len(several) > 1 else several[0]
    walk_kernel(walk, deal)(ends[-1], THREADS, data, lists, plan.spans, ends, zero, parts)
    if after and walk.totals is not None:
        join_kernel(walk)(after, THREADS, data, lists, plan.spans[3], ends[-1], zero, parts)


def walk_short(walk: Walk, ids: Any, count: int, data: Any, zero: Any = 0) -> None:
    """Walk so many rows, none of them longer than `SHORT`: those of ``ids``, all if that is None.

    Nothing is sorted, and the kernel is a small one: more of its threads run at once.
    """
    every = count * (data.width if walk.columned else 1)
    rows = data.rows.argument if isinstance(data.rows, Packed) else data.rows
    listed = rows[0] if ids is None else ids
    short_kernel(walk, ids is None)(blocks_for(every, THREADS), THREADS, data, listed, every, zero)


def blocks_of(plan: Plan, deal: Deal, width: int = 1) -> tuple[tuple[int, ...], int]:
    """Where the blocks for pieces and for rows of kinds 2, 1, 0 end; how many long rows take."""
    ends = [len(plan.owner) * width]
    for kind in (2, 1, 0):
        rows = THREADS // max(deal.lanes[kind], 1) * deal.each[kind]
        ends.append(ends[-1] + blocks_for(plan.spans[kind][1] * width, rows))
    return tuple(ends), blocks_for(plan.spans[3][1] * width, THREADS)


@cache
def walk_kernel(walk: Walk, deal: Deal) -> Any:
    """The kernel that walks all rows and pieces."""
    first, second, third = (_share_of(walk, deal, kind) for kind in range(3))
    row_at, open, close = row_reader(walk), walk.open, walk.close
    fold, size, stride = walk.fold(THREADS), np.uint64(deal.cut.piece), np.uint64(THREADS)
    whole, places = over_block(walk.totals, THREADS), block_places(walk.totals, THREADS)
    identity_of, width_of = _identity_reader(walk.totals), _width_reader(walk.columned)
    summed = walk.totals is not None

    @kernel
    def run(data, lists, spans, ends, zero, parts):
        ids, starts, owner = lists
        block, so_far, shared = np.int64(cuda.blockIdx.x), zero, (places(), open(data))
        if block < ends[0]:
            width = width_of(data)
            p = block // width
            k = np.int64(owner[p])
            row = row_at(ids, spans[3][0], k * width + block % width, data)
            low = row.low + (np.uint64(p) - starts[k]) * size
            piece = Row(row.v, row.column, low, min(low + size, row.high))
            mine = fold(piece, cuda.threadIdx.x, stride, data, shared[1])
            total = whole(shared[0], mine, identity_of(data))
            if summed and cuda.threadIdx.x == 0:
                put(parts, block, total)
        elif block < ends[1]:
            so_far = third(block - ends[0], ids, spans[2], data, shared, so_far)
        elif block < ends[2]:
            so_far = second(block - ends[1], ids, spans[1], data, shared, so_far)
        else:
            so_far = first(block - ends[2], ids, spans[0], data, shared, so_far)
        close(so_far, data, shared[1], block)

    return run


@cache
def short_kernel(walk: Walk, everyone: bool) -> Any:
    """The kernel that walks short rows, a thread for each."""
    row_at, fold = row_reader(walk, everyone), walk.fold(1)
    open, settle, close = walk.open, walk.settle, walk.close

    @kernel
    def run(data, ids, count, zero):
        i, so_far, shared = cuda.grid(1), zero, open(data)
        if i < count:
            row = row_at(ids, 0, i, data)
            so_far = settle(row, fold(row, 0, np.uint64(1), data, shared), so_far, data)
        close(so_far, data, shared, np.int64(cuda.blockIdx.x))

    return run


@cache
def join_kernel(walk: Walk) -> Any:
    """The kernel that joins the totals of the pieces of long rows, a thread for each row."""
    totals, width_of, open = walk.totals, _width_reader(walk.columned), walk.open
    assert totals is not None
    row_at, join = row_reader(walk), joiner(totals)
    settle, close = walk.settle, walk.close

    @kernel
    def run(data, lists, span, before, zero, parts):
        ids, starts, _ = lists
        i, so_far, shared = cuda.grid(1), zero, open(data)
        width = width_of(data)
        k, column = i // width, i % width
        if k < span[1]:
            total = data.identity
            for p in range(starts[k], starts[k + 1]):
                total = join(total, take(parts, np.int64(p) * width + column), data.identity)
            so_far = settle(row_at(ids, span[0], i, data), total, so_far, data)
        close(so_far, data, shared, before + cuda.blockIdx.x)

    return run


def _share_of(walk: Walk, deal: Deal, kind: int) -> Any:
    """A device function: a block walks its share of the rows of a kind."""
    lanes, each = deal.lanes[kind], deal.each[kind]
    if lanes == 0:
        return device(lambda block, ids, span, data, shared, so_far: so_far)
    turn, groups = turn_of(walk, lanes, each), THREADS // lanes
    width_of = _width_reader(walk.columned)
    apart, step = (1, groups) if lanes == 1 else (each, 1)  # threads take turns: their reads join

    @device
    def share(block, ids, span, data, shared, so_far):
        i = block * groups * each + cuda.threadIdx.x // lanes * apart
        return turn(ids, span[0], i, step, span[1] * width_of(data), data, shared, so_far)

    return share


@cache
def turn_of(walk: Walk, lanes: int, each: int) -> Any:
    """``turn(ids, begin, i, step, count, data, shared, so_far)``: lanes walk some rows together.

    These are the ``each`` rows ``i, i + step, ...`` below ``count`` of the list from ``begin`` on;
    whole warps call it, for more than 32 lanes whole blocks. ``shared`` is a pair: `block_places`,
    and what the walk has opened.
    """
    fold, settle, row_at = walk.fold(lanes), walk.settle, row_reader(walk)
    stride, totals, identity_of = np.uint64(lanes), walk.totals, _identity_reader(walk.totals)

    @device
    def by_threads(ids, begin, i, step, count, data, shared, so_far):
        last = min(count, i + each * step)
        while i < last:
            row = row_at(ids, begin, i, data)
            so_far = settle(row, fold(row, 0, stride, data, shared[1]), so_far, data)
            i += step
        return so_far

    if lanes == 1:
        return by_threads
    warp = lanes <= 32 and not simulated()
    join = over_block(None if warp else totals, lanes)
    if totals is not None and warp:
        over_lanes = across(totals, lanes)
        join = device(lambda places, mine, identity: over_lanes(mine, identity))
    at_once = each if warp else 1  # rows that are settled together, one by each lane

    @device
    def by_lanes(ids, begin, i, step, count, data, shared, so_far):
        lane, identity = cuda.threadIdx.x % lanes, identity_of(data)
        for _ in range(each // at_once):
            mine = identity
            for j in range(at_once):
                total = identity
                if i + j * step < count:
                    row = row_at(ids, begin, i + j * step, data)
                    total = fold(row, lane, stride, data, shared[1])
                total = join(shared[0], total, identity)
                if lane == j:
                    mine = total
            if lane < at_once and i + lane * step < count:
                row = row_at(ids, begin, i + lane * step, data)
                so_far = settle(row, mine, so_far, data)
            i += at_once * step
        return so_far

    return by_lanes


def row_reader(walk: Walk, everyone: bool = False) -> Any:
    """``row_at(ids, begin, i, data)``: the i-th row of a list that begins there, or of all."""
    bounds, member = walk.bounds, member_reader(everyone)
    width_of = _width_reader(walk.columned)

    @device
    def row_at(ids, begin, i, data):
        width = width_of(data)
        v = np.uint64(member(ids, begin + np.int64(i) // width))
        low, high = bounds(v, data)
        return Row(v, np.int64(i) % width, low, high)

    return row_at


@cache
def _width_reader(columned: bool) -> Any:
    """``width_of(data)``: the number of columns."""
    return device((lambda data: np.int64(data.width)) if columned else (lambda data: np.int64(1)))


@cache
def _identity_reader(totals: Totals | None) -> Any:
    """``identity_of(data)``: the identity of the totals, if there are any."""
    return device((lambda data: 0) if totals is None else (lambda data: data.identity))
