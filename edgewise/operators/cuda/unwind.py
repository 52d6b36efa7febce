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
from edgewise.base.cuda.kernels import device, kernel, translated
from edgewise.base.cuda.language import cuda
from edgewise.operators.cuda import rows as row_totals
from edgewise.operators.cuda.inner import (
    arity,
    caster,
    edge_reader,
    messenger,
    taker,
    weight_reader,
)
from edgewise.operators.cuda.memory import check_work
from edgewise.operators.cuda.state import along, blocks_for
from edgewise.operators.functions import compiled, naming_failures
from edgewise.operators.requests import Unwinding

__all__ = ["level_kernel", "unwind"]

THREADS = 32 if simulated() else 512
#: The longest rows for a thread, a warp and a block; and the length of a piece.
SHORT, MIDDLE, LONG, PIECE = (4, 8, 16, 12) if simulated() else (16, 1024, 8192, 4096)
#: Levels of so many short rows are left to one block.
SMALL = THREADS
#: Kinds of rows that a block counts in its own memory before it adds them to the whole.
_BINS = 16 if simulated() else 1024
#: Levels of one launch, and about how many rows a level has for which the GPU is filled.
_LEVELS, _CROWD, _FEW_BLOCKS = 1 << 15, 1 << 15, 132


def unwind(graph, request: Unwinding) -> None:
    """See `edgewise.operators.unwind`."""
    if request.message.params or (request.finish is not None and request.finish.params):
        raise NotImplementedError("params on CUDA")
    xp, n, names = graph.xp, graph.num_vertices, request.message.names
    depths, values, reduce, own = request.depths, request.values, request.reduce, request.own
    message = request.message.given
    finish = None if request.finish is None else request.finish.given
    rows, _ = along(graph, request.edges, request.weights, names, False)
    pieces = most_pieces(len(rows.arrays[1]))
    check_work("unwind", (n + pieces, rows.arrays[1].dtype), (pieces, np.uint64),
               (pieces, values.dtype))  # fmt: skip
    if own is None and (finish is not None or "own" in names):
        own = values.copy()
    functions = (
        compiled(message, "message"),
        compiled(finish, "finish", 2),
        compiled(reduce.combine, "reduce.combine", 2),
    )
    levels = int(xp.where(depths < min(n, 2**31 - 1), depths, -1).max()) + 1 if n else 0
    if levels <= 0:
        return
    starts, order, lows = _sorted_by_level(xp, depths, rows.arrays, levels)
    kind = np.dtype(values.dtype)
    shape = Shape(kind, arity(own), rows.weighted, rows.mapped, reduce.early_exit)
    run = level_kernel(
        messenger(message, names), translated(reduce.combine), translated(finish), shape
    )
    arguments = (
        rows.arrays, depths, values, xp.zeros(1, kind) if own is None else own,
        reduce.identity_for(kind), starts, order, lows, xp.empty(len(lows), kind),
        xp.zeros(2, np.int32), levels,
    )  # fmt: skip
    with naming_failures(*functions):
        blocks = run.resident(THREADS, *arguments, 0, 0)
        if n < levels * _CROWD:
            blocks = min(blocks, _FEW_BLOCKS, max(1, blocks_for(n, THREADS)))
        for top in range(levels, 0, -_LEVELS):
            if top < levels:
                starts[0].item()  # one launch at a time, so that a signal is noticed
            run(blocks, THREADS, *arguments, top, max(top - _LEVELS, 0))


def _sorted_by_level(xp, depths, rows, levels) -> tuple[Any, Any, Any]:
    """The vertices by level and kind of row, where each kind starts, and the pieces of long rows.

    Kind ``3 * level + class`` are whole rows; ``3 * levels + level`` are pieces, an entry each.
    """
    indptr, indices = rows[:2]
    n, arcs = len(depths), len(indices)
    pieces = most_pieces(arcs)
    starts = xp.zeros(4 * levels + 1, np.int64)
    order = xp.empty(n + pieces, indices.dtype)
    lows = xp.empty(pieces, np.uint64)
    blocks = min(blocks_for(n, THREADS), 2 * _FEW_BLOCKS)
    tally(blocks, THREADS, depths, indptr, levels, starts)
    starts = xp.cumsum(starts)
    deal(blocks, THREADS, depths, indptr, levels, starts, starts.copy(), order, lows)
    return starts, order, lows


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
    """Count the entries of every kind, one place further on."""
    bins = cuda.shared.array(_BINS, np.int32)
    first, last = my_part(np.int64(len(depths)))
    count_kinds(first, last, depths, indptr, levels, bins)
    for v in range(first + cuda.threadIdx.x, last, THREADS):
        kind, entries = kind_of(v, depths, indptr, levels)
        if kind >= _BINS:
            add(counts, kind + 1, entries)
    for i in range(cuda.threadIdx.x, _BINS, THREADS):
        if bins[i] > 0:
            add(counts, i + 1, np.int64(bins[i]))


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


class Shape(NamedTuple):
    """What of its arguments a kernel is made for."""

    kind: np.dtype  # of the values
    own: int  # arrays that ``own`` reads
    weighted: bool
    mapped: bool
    early_exit: bool


@cache
def level_kernel(message: Any, combine: Any, finish: Any, shape: Shape) -> Any:
    """The loop for one message, one monoid and one finish; all are device functions."""
    dtypes, kind, warps = (shape.kind,), shape.kind.type, not simulated()
    cast, take = caster(dtypes), taker(shape.own)
    weight_at, edge_at = weight_reader(shape.weighted), edge_reader(shape.mapped)
    join = row_totals.joiner(combine, dtypes, shape.early_exit)
    finish = finish or device(lambda total, own: total)
    across = None
    if warps:
        totals_of = row_totals.Shape(0, 0, dtypes, False, False, shape.early_exit)
        across = row_totals.lane_folder(combine, totals_of, 32)
    one = np.uint64(1)

    @device
    def hear(total, e, u, value, mine, rows):
        new = message(value, weight_at(rows[2], e), np.int64(u), edge_at(rows[3], e), mine)
        return cast(combine(total, cast(new)))

    @device
    def fold(v, e, high, step, deeper, mine, data):
        """Reduce the messages of every ``step``-th edge from ``e`` on.

        Four edges at a time, so that a thread waits for their loads together; in the place of a
        value that does not count, that of ``v`` is read, which is at hand.
        """
        rows, depths, values, _, identity = data
        indices, total = rows[1], identity
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
                total = hear(total, e, a, w, mine, rows)
            if q:
                total = hear(total, f, b, x, mine, rows)
            if r:
                total = hear(total, g, c, y, mine, rows)
            if s:
                total = hear(total, h, d, z, mine, rows)
            e = h + step
        return total

    @device
    def settle(v, total, data):
        data[2][v] = cast(finish(total, take(data[3], v)))

    @device
    def by_threads(i, last, step, order, deeper, data):
        """Settle the rows ``i, i + step, ...``, a thread each."""
        indptr = data[0][0]
        while i < last:
            v = np.uint64(order[i])
            mine = take(data[3], v)
            settle(v, fold(v, indptr[v], indptr[v + one], one, deeper, mine, data), data)
            i += step

    @device
    def by_warps(first, last, order, deeper, data):
        """Settle the rows ``first..last``, a warp each."""
        if not warps:
            by_threads(first + cuda.grid(1), last, cuda.gridsize(1), order, deeper, data)
            return
        indptr, lane = data[0][0], np.uint64(cuda.threadIdx.x % 32)
        i, step = first + cuda.grid(1) // 32, cuda.gridsize(1) // 32
        while i < last:
            v = np.uint64(order[i])
            total = fold(v, indptr[v] + lane, indptr[v + one], np.uint64(32), deeper,
                         take(data[3], v), data)  # fmt: skip
            total = across(total, data[4])
            if lane == 0:
                settle(v, total, data)
            i += step

    @device
    def block_total(v, low, high, deeper, data, totals):
        """The total over the edges ``low..high`` of a row, by all threads of the block."""
        me, identity = cuda.threadIdx.x, data[4]
        mine = take(data[3], v)
        total = fold(v, low + np.uint64(me), high, np.uint64(THREADS), deeper, mine, data)
        cuda.syncthreads()
        totals[me] = total
        cuda.syncthreads()
        step = THREADS // 2
        while step > 0:
            if me < step:
                totals[me] = join(totals[me], totals[me + step], identity)
            cuda.syncthreads()
            step //= 2
        return totals[0]

    @device
    def by_blocks(first, last, order, deeper, data, totals):
        """Settle the rows ``first..last``, a block each."""
        indptr = data[0][0]
        for i in range(first + cuda.blockIdx.x, last, cuda.gridDim.x):
            v = np.uint64(order[i])
            total = block_total(v, indptr[v], indptr[v + one], deeper, data, totals)
            if cuda.threadIdx.x == 0:
                settle(v, total, data)

    @device
    def total_pieces(first, last, whole, order, lows, parts, deeper, data, totals):
        """Total the pieces ``first..last``, a block each."""
        indptr = data[0][0]
        for i in range(first + cuda.blockIdx.x, last, cuda.gridDim.x):
            v, low = np.uint64(order[i]), lows[i - whole]
            high = min(low + np.uint64(PIECE), indptr[v + one])
            total = block_total(v, low, high, deeper, data, totals)
            if cuda.threadIdx.x == 0:
                parts[i - whole] = total

    @device
    def join_pieces(first, last, whole, order, lows, parts, data):
        """Settle the rows of the pieces ``first..last``, a thread each."""
        for i in range(first + cuda.grid(1), last, cuda.gridsize(1)):
            v = np.uint64(order[i])
            if lows[i - whole] == data[0][0][v]:
                total, j = parts[i - whole], i + 1
                while j < last and np.uint64(order[j]) == v:
                    total = join(total, parts[j - whole], data[4])
                    j += 1
                settle(v, total, data)

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
    def run(rows, depths, values, own, identity, starts, order, lows, parts, control, levels, top,
            bottom):  # fmt: skip
        data = (rows, depths, values, own, identity)
        totals = cuda.shared.array(THREADS, kind)
        level, whole = top - 1, starts[3 * levels]
        while level >= bottom:
            deeper, first = np.int32(level + 1), starts[3 * level]
            if small(level, levels, starts):
                while level >= bottom and small(level, levels, starts):
                    if cuda.blockIdx.x == 0:
                        by_threads(starts[3 * level] + cuda.threadIdx.x, starts[3 * level + 3],
                                   np.int64(THREADS), order, np.int32(level + 1), data)  # fmt: skip
                        cuda.syncthreads()
                    level -= 1
            else:
                begin, end = starts[3 * levels + level], starts[3 * levels + level + 1]
                total_pieces(begin, end, whole, order, lows, parts, deeper, data, totals)
                second, third = starts[3 * level + 1], starts[3 * level + 2]
                by_blocks(third, starts[3 * level + 3], order, deeper, data, totals)
                by_warps(second, third, order, deeper, data)
                by_threads(first + cuda.grid(1), second, cuda.gridsize(1), order, deeper, data)
                if begin < end:
                    grid_barrier(control, cuda.gridDim.x)
                    join_pieces(begin, end, whole, order, lows, parts, data)
                level -= 1
            grid_barrier(control, cuda.gridDim.x)

    return run
