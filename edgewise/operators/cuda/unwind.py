"""`unwind` on CUDA: the levels in reverse, in one cooperative kernel.

A counting sort orders the vertices by level and, within a level, by the length of their rows: a
thread totals a short row, a warp a longer one, a block a long one; the longest are listed in pieces
for all blocks, and their totals joined after a barrier of their own. There is one barrier a level;
over runs of small levels the first block goes alone. What is combined with what depends on the row
alone, so a sum of floats is always the same.

Pays for: row bc of ``python -m benchmarks gpu``.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from edgewise.base.cuda.atomics import add, grid_barrier
from edgewise.base.cuda.device import simulated
from edgewise.base.cuda.kernels import device, kernel
from edgewise.base.cuda.language import cuda
from edgewise.base.offsets import offsets
from edgewise.operators.cuda.inner import caller, cast, sayer, take
from edgewise.operators.cuda.messages import Heard, listening, params_of
from edgewise.operators.cuda.state import along, blocks_for, check_work
from edgewise.operators.cuda.totals import Totals, block_places, joiner, over_block
from edgewise.operators.cuda.walk import Row, Walk, turn_of
from edgewise.operators.functions import compiled, naming_failures
from edgewise.operators.requests import Unwinding

__all__ = ["level_kernel", "unwind"]

#: Threads of a block, more than elsewhere: one block alone takes whole levels.
THREADS = 32 if simulated() else 512
#: The longest rows for a thread, a warp and a block; and the length of a piece.
SHORT, MIDDLE, LONG, PIECE = (4, 8, 16, 12) if simulated() else (16, 1024, 8192, 4096)
#: The lanes that walk the first three; the simulator knows no warps.
_LANES = (1, 1 if simulated() else 32, THREADS)
#: Levels of so many short rows are left to one block.
SMALL = THREADS
#: Kinds of rows that a block counts in its own memory before it adds them to the whole.
_BINS = 16 if simulated() else 1024
#: Levels of one launch, and about how many rows a level has for which the GPU is filled.
_LEVELS, _CROWD, _FEW_BLOCKS = 1 << 15, 1 << 15, 132
#: What the device function of a finish is called with.
_ENDING = ("total", "own", "params")


class Data(NamedTuple):
    """What the levels read and write."""

    rows: tuple[Any, Any, Any, Any]
    depths: Any
    values: Any
    own: Any
    params: tuple
    finish_params: tuple
    identity: Any


class Entries(NamedTuple):
    """Rows and pieces of rows by kind: where each kind starts, whose they are, and where the pieces
    begin.

    Kind ``3 * level + class`` are whole rows; ``3 * levels + level`` are pieces, an entry each.
    """

    starts: Any
    order: Any
    lows: Any


def unwind(graph, request: Unwinding) -> None:
    """See `edgewise.operators.unwind`."""
    xp, n, message, finish = graph.xp, graph.num_vertices, request.message, request.finish
    depths, values, reduce, own = request.depths, request.values, request.reduce, request.own
    rows, _ = along(graph, request.mode, request.weights, message.names)
    pieces = most_pieces(len(rows.arrays[1]))
    check_work("unwind", (n + pieces, rows.arrays[1].dtype), (pieces, np.uint64),
               (pieces, values.dtype))  # fmt: skip
    if own is None and (finish is not None or "own" in message.names):
        own = values.copy()
    levels = int(xp.where(depths < min(n, 2**31 - 1), depths, -1).max()) + 1 if n else 0
    if levels <= 0:
        return
    combine = compiled(reduce.combine, "reduce.combine", 2)
    kind = np.dtype(values.dtype)
    heard, totals, _ = listening(message, rows, values, own, reduce, (kind,))
    ending = None if finish is None else caller(finish.given, finish.names, _ENDING)
    entries = _sorted_by_level(xp, depths, rows.arrays, levels)
    run = level_kernel(heard, totals, ending)
    data = Data(rows.arrays, depths, values, own, params_of(message), params_of(finish),
                reduce.identity_for(kind))  # fmt: skip
    arguments = (data, entries, xp.empty(len(entries.lows), kind), xp.zeros(2, np.int32), levels)
    with naming_failures(message, finish, combine):
        blocks = run.resident(THREADS, *arguments, 0, 0)
        if n < levels * _CROWD:
            blocks = min(blocks, _FEW_BLOCKS, max(1, blocks_for(n, THREADS)))
        for top in range(levels, 0, -_LEVELS):
            if top < levels:
                entries.starts[0].item()  # one launch at a time, so that a signal is noticed
            run(blocks, THREADS, *arguments, top, max(top - _LEVELS, 0))


def _sorted_by_level(xp, depths, rows, levels) -> Entries:
    """The vertices by level and kind of row, and the pieces of long rows."""
    indptr, indices = rows[:2]
    n, arcs = len(depths), len(indices)
    pieces = most_pieces(arcs)
    counts = xp.zeros(4 * levels, np.int64)
    order = xp.empty(n + pieces, indices.dtype)
    lows = xp.empty(pieces, np.uint64)
    blocks = min(blocks_for(n, THREADS), 2 * _FEW_BLOCKS)
    tally(blocks, THREADS, depths, indptr, levels, counts)
    starts = offsets(counts)
    deal(blocks, THREADS, depths, indptr, levels, starts, starts.copy(), order, lows)
    return Entries(starts, order, lows)


def most_pieces(arcs: int) -> int:
    """As many as the long rows of so many arcs can have."""
    return arcs // PIECE + arcs // LONG + 1


@device
def kind_of(v, depths, indptr, levels):
    """The kind of a vertex and the entries it has there; (-1, 0) if it has no level."""
    level = np.int64(depths[v])
    if level < 0 or level >= levels:
        return np.int64(-1), np.int64(0)
    size = np.int64(indptr[v + 1] - indptr[v])
    if size > LONG:
        return 3 * levels + level, (size + PIECE - 1) // PIECE
    return 3 * level + (0 if size <= SHORT else 1 if size <= MIDDLE else 2), np.int64(1)


@device
def count_kinds(first, last, depths, indptr, levels, bins):
    """Count in the block's memory what its vertices ``first..last`` have of the first kinds."""
    for i in range(cuda.threadIdx.x, _BINS, THREADS):
        bins[i] = 0
    cuda.syncthreads()
    for v in range(first + cuda.threadIdx.x, last, THREADS):
        kind, entries = kind_of(v, depths, indptr, levels)
        if 0 <= kind < _BINS:
            cuda.atomic.add(bins, kind, np.int32(entries))
    cuda.syncthreads()


@device
def my_part(n):
    """The vertices of this block."""
    share = (n + np.int64(cuda.gridDim.x) - 1) // np.int64(cuda.gridDim.x)
    first = np.int64(cuda.blockIdx.x) * share
    return first, min(first + share, n)


@kernel
def tally(depths, indptr, levels, counts):
    """Count the entries of every kind."""
    bins = cuda.shared.array(_BINS, np.int32)
    first, last = my_part(np.int64(len(depths)))
    count_kinds(first, last, depths, indptr, levels, bins)
    for v in range(first + cuda.threadIdx.x, last, THREADS):
        kind, entries = kind_of(v, depths, indptr, levels)
        if kind >= _BINS:
            add(counts, kind, entries)
    for i in range(cuda.threadIdx.x, _BINS, THREADS):
        if bins[i] > 0:
            add(counts, i, np.int64(bins[i]))


@kernel
def deal(depths, indptr, levels, starts, cursors, order, lows):
    """Write every vertex, or the pieces of its row, to the next places of its kind."""
    bins = cuda.shared.array(_BINS, np.int32)
    spots = cuda.shared.array(_BINS, np.int64)
    first, last = my_part(np.int64(len(depths)))
    count_kinds(first, last, depths, indptr, levels, bins)
    for i in range(cuda.threadIdx.x, _BINS, THREADS):
        if bins[i] > 0:
            spots[i] = add(cursors, i, np.int64(bins[i]))
            bins[i] = 0
    cuda.syncthreads()
    whole = starts[3 * levels]
    for v in range(first + cuda.threadIdx.x, last, THREADS):
        kind, entries = kind_of(v, depths, indptr, levels)
        if kind < 0:
            continue
        if kind < _BINS:
            place = spots[kind] + np.int64(cuda.atomic.add(bins, kind, np.int32(entries)))
        else:
            place = add(cursors, kind, entries)
        for i in range(entries):
            order[place + i] = v
            if kind >= 3 * levels:
                lows[place + i - whole] = indptr[v] + np.uint64(i) * np.uint64(PIECE)


def unwinding(heard: Heard, totals: Totals, finish: Any) -> Walk:
    """The walk over rows that hears those one level ``deeper``, and finishes every vertex."""
    say, combine, one = sayer(heard.message), totals.combine, np.uint64(1)
    finish = finish or device(lambda total, own, params: total)

    @device
    def hear(total, e, u, value, mine, data):
        new = say(value, u, e, mine, data.rows, 0, data.params)
        return cast(total, combine(total, cast(total, new)))

    @device
    def fold(row, lane, step, data, shared):
        """Four edges at a time, so that a thread waits for their loads together; in the place of a
        value that does not count, that of ``v`` is read, which is at hand."""
        depths, values, deeper = data.depths, data.values, shared
        indices, total, v, high = data.rows[1], data.identity, row.v, row.high
        mine, e = take(data.own, v), row.low + np.uint64(lane)
        while e < high:
            f, last = e + step, high - one
            g = f + step
            h = g + step
            a, b, c, d = (
                np.uint64(indices[e]), np.uint64(indices[min(f, last)]),
                np.uint64(indices[min(g, last)]), np.uint64(indices[min(h, last)]),
            )  # fmt: skip
            i, j, k, m = depths[a], depths[b], depths[c], depths[d]
            p, q = i == deeper, j == deeper and f < high
            r, s = k == deeper and g < high, m == deeper and h < high
            w, x = values[a if p else v], values[b if q else v]
            y, z = values[c if r else v], values[d if s else v]
            if p:
                total = hear(total, e, a, w, mine, data)
            if q:
                total = hear(total, f, b, x, mine, data)
            if r:
                total = hear(total, g, c, y, mine, data)
            if s:
                total = hear(total, h, d, z, mine, data)
            e = h + step
        return total

    @device
    def settle(row, total, so_far, data):
        own = take(data.own, row.v)
        data.values[row.v] = cast(total, finish(total, own, data.finish_params))
        return so_far

    return Walk(lambda lanes: fold, totals, settle)


@cache
def level_kernel(heard: Heard, totals: Totals, finish: Any) -> Any:
    """The loop for one message, one monoid and one finish; all are device functions."""
    walk = unwinding(heard, totals, finish)
    fold, settle, join = walk.fold(THREADS), walk.settle, joiner(totals)
    whole, one, stride = over_block(totals, THREADS), np.uint64(1), np.uint64(THREADS)
    a_thread, make_places = turn_of(walk, 1, 1), block_places(totals, THREADS)

    def all_by(lanes: int) -> Any:
        """Walk the rows ``first..last``, so many lanes each."""
        turn = turn_of(walk, lanes, 1)

        @device
        def by_lanes(first, last, order, data, shared):
            i, step = cuda.grid(1) // lanes, cuda.gridsize(1) // lanes
            while i < last - first:
                turn(order, first, i, 1, last - first, data, shared, 0)
                i += step

        return by_lanes

    by_threads, by_warps, by_blocks = map(all_by, _LANES)

    @device
    def total_pieces(first, last, whole_rows, entries, parts, data, shared):
        """Total the pieces ``first..last``, a block each."""
        indptr, order, lows = data.rows[0], entries.order, entries.lows
        for i in range(first + cuda.blockIdx.x, last, cuda.gridDim.x):
            v, low = np.uint64(order[i]), lows[i - whole_rows]
            piece = Row(v, np.int64(0), low, min(low + np.uint64(PIECE), indptr[v + one]))
            mine = fold(piece, cuda.threadIdx.x, stride, data, shared[1])
            total = whole(shared[0], mine, data.identity)
            if cuda.threadIdx.x == 0:
                parts[i - whole_rows] = total

    @device
    def join_pieces(first, last, whole_rows, entries, parts, data):
        """Settle the rows of the pieces ``first..last``, a thread each."""
        indptr, order, lows = data.rows[0], entries.order, entries.lows
        for i in range(first + cuda.grid(1), last, cuda.gridsize(1)):
            v = np.uint64(order[i])
            if lows[i - whole_rows] == indptr[v]:
                total, j = parts[i - whole_rows], i + 1
                while j < last and np.uint64(order[j]) == v:
                    total = join(total, parts[j - whole_rows], data.identity)
                    j += 1
                settle(Row(v, np.int64(0), indptr[v], indptr[v + one]), total, 0, data)

    @device
    def small(level, levels, starts):
        """Are there few rows in a level, all of them short?"""
        first, last, pieces = starts[3 * level], starts[3 * level + 3], 3 * levels + level
        return (
            last - first <= SMALL
            and starts[3 * level + 1] == last
            and starts[pieces] == starts[pieces + 1]
        )

    @kernel(cooperative=True, bounds=(THREADS, 2))
    def run(data, entries, parts, control, levels, top, bottom):
        starts, order, places = entries.starts, entries.order, make_places()
        level, whole_rows = top - 1, starts[3 * levels]
        while level >= bottom:
            if small(level, levels, starts):
                while level >= bottom and small(level, levels, starts):
                    if cuda.blockIdx.x == 0:
                        first = starts[3 * level]
                        a_thread(order, first, cuda.threadIdx.x, 1, starts[3 * level + 3] - first,
                                 data, (places, np.int32(level + 1)), 0)  # fmt: skip
                        cuda.syncthreads()
                    level -= 1
            else:
                shared = (places, np.int32(level + 1))
                begin, end = starts[3 * levels + level], starts[3 * levels + level + 1]
                total_pieces(begin, end, whole_rows, entries, parts, data, shared)
                second, third = starts[3 * level + 1], starts[3 * level + 2]
                by_blocks(third, starts[3 * level + 3], order, data, shared)
                by_warps(second, third, order, data, shared)
                by_threads(starts[3 * level], second, order, data, shared)
                if begin < end:
                    grid_barrier(control, cuda.gridDim.x)
                    join_pieces(begin, end, whole_rows, entries, parts, data)
                level -= 1
            grid_barrier(control, cuda.gridDim.x)

    return run
