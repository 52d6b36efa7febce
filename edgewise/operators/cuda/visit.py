"""`advance` in edge form on CUDA: one call of the user's function per edge.

Rows go to threads by length (see ``plan.py``), or as `edgewise.base.balance` asks: a thread for
each row, or edges dealt out evenly. What a block finds is kept in shared memory and moved to the
queue at the end with one atomic; what does not fit there goes to the queue at once.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from edgewise.base.balance import balance
from edgewise.base.checks import check_choice
from edgewise.base.cuda.atomics import add, exch, load
from edgewise.base.cuda.kernels import device, kernel, translated
from edgewise.base.cuda.language import cuda
from edgewise.operators.adjacency import ALL, slice_bounds, unsigned
from edgewise.operators.cuda.compute import member_reader
from edgewise.operators.cuda.inner import edge_reader
from edgewise.operators.cuda.memory import check_work
from edgewise.operators.cuda.plan import (
    LANES,
    THREADS,
    Cut,
    Plan,
    bounds,
    plan_rows,
    whole_plan,
)
from edgewise.operators.cuda.rounds import OFFSETS, block_scan, owner
from edgewise.operators.cuda.state import along, blocks_for, state_tuple
from edgewise.operators.frontier import Frontier, vertex_members
from edgewise.operators.functions import compiled, naming_failures

__all__ = ["visit"]

#: Edges that one thread, and so a block, walks at most.
_EACH = 8
_BUFFER = _EACH * THREADS
_CUT = Cut(_EACH, _EACH * LANES[1], _EACH * LANES[2], _BUFFER)


def visit(graph, frontier, function, state, edges, neighbors, output) -> Frontier:
    """See `edgewise.operators.advance`, the edge form."""
    if output is not None:
        check_choice(output, "output", ("vertices", "edges"))
    first, last = slice_bounds(neighbors)
    ids: Any = None if frontier is None else vertex_members(graph, frontier).ids
    out, _ = along(graph, edges, None, ("edge",), False)
    arrays = state_tuple(graph, state, "values")
    function = compiled(function, "function", 3 + len(arrays))
    xp, n, m = graph.xp, graph.num_vertices, graph.num_arcs
    indices = out.arrays[1]
    size, found = (m, np.dtype(np.uint32 if m < 2**31 else np.uint64))
    if output != "edges":
        size, found = n, indices.dtype
    most = {"edges": len(indices), "vertices": n}.get(output, 0)
    check_work("advance", (most, found), (n if output == "vertices" else 0, np.int32))
    queue = xp.empty(most, found)
    stamps = xp.zeros(n if output == "vertices" else 0, np.int32)
    tally = xp.zeros(1, np.int64)
    kind: Any = found.type
    with naming_failures(function):
        if balance() in ("input", "output"):
            _deal_out(xp, n, out, ids, first, last, translated(function), output, kind, arrays,
                      (stamps, queue, tally))  # fmt: skip
        else:
            plan, direct = _plan(graph, edges, out.arrays[0], ids, first, last)
            ends = _blocks(plan)
            run = visit_kernel(translated(function), output, kind, out.mapped, direct)
            run(ends[-1], THREADS, out.arrays, (plan.ids, plan.first, plan.owner), plan.spans, ends,
                np.uint64(first), np.uint64(last), arrays, (stamps, queue, tally))  # fmt: skip
    chosen = queue if output is None else queue[: int(tally[0])]
    if output == "edges" and (edges != "out" and not graph.directed or edges == "both"):
        chosen = xp.unique(chosen)
    signed = chosen.view(np.int32 if chosen.dtype.itemsize == 4 else np.int64)
    return Frontier.trusted(size, ids=signed, kind=output or "vertices")


def _plan(graph, edges, indptr, ids, first, last) -> tuple[Plan, bool]:
    """Who walks which row; and is it simply thread i the row of vertex i?

    Nothing has to be sorted, nor read back, where no row is longer than a thread can take.
    """
    everyone = ids is None
    short = last - first <= _EACH or balance() == "thread"
    if not short and (edges == "out" or not graph.directed):
        short = graph.max_degree <= _EACH
    if short:
        count = graph.num_vertices if everyone else len(ids)
        members = indptr if everyone else unsigned(ids)
        return Plan(members, ((0, count), (0, 0), (0, 0), (0, 0)), indptr, indptr[:0]), everyone
    if everyone and (first, last) == (0, ALL):
        return whole_plan(graph, edges, indptr, _CUT), False
    return plan_rows(graph.xp, indptr, ids, _CUT, first, last), False


def _deal_out(xp, n, out, ids, first, last, function, output, kind, arrays, outputs) -> None:
    """Number the edges of all rows, then let every block take its share of them."""
    indptr = out.arrays[0].view(np.int64)
    low, high = (indptr[:-1], indptr[1:]) if ids is None else (indptr[ids], indptr[ids + 1])
    lengths = high - low
    ends = xp.cumsum(xp.minimum(lengths, last) - xp.minimum(lengths, first))
    count = len(ends)
    total = int(ends[-1]) if count else 0
    by_rows = balance() == "input"
    blocks = blocks_for(count, THREADS) if by_rows else blocks_for(total, _BUFFER)
    run = dealt_kernel(function, output, kind, out.mapped, ids is None, by_rows)
    run(blocks, THREADS, out.arrays, ends if ids is None else unsigned(ids), ends, count,
        total, np.uint64(first), arrays, outputs)  # fmt: skip


@cache
def dealt_kernel(function, output, found, mapped, direct, by_rows) -> Any:
    """A block takes as many rows as it has threads (``by_rows``), or so many edges, and deals the
    edges out to its threads."""
    member, edge_of, note = member_reader(direct), edge_reader(mapped), _note(output)

    @kernel
    def run(rows, ids, ends, count, total, first, arrays, outputs):
        buffer = cuda.shared.array(_BUFFER, found)
        meta = cuda.shared.array(2, np.int64)
        offsets = cuda.shared.array(OFFSETS, np.int32)
        starts = cuda.shared.array(THREADS, np.uint64)
        sources = cuda.shared.array(THREADS, np.int64)
        warps = cuda.shared.array(32, np.int32)
        block, me = np.int64(cuda.blockIdx.x), np.int64(cuda.threadIdx.x)
        if me == 0:
            meta[0] = 0
        i, low, high = block * THREADS, np.int64(0), total
        if not by_rows:
            low = block * _BUFFER
            high = min(total, low + _BUFFER)
            i, past = np.int64(0), count
            while i < past:  # the first row that ends after ``low``
                middle = (i + past) >> 1
                if ends[middle] > low:
                    past = middle
                else:
                    i = middle + 1
        cuda.syncthreads()
        while i < count and (i == 0 or ends[i - 1] < high):
            length = np.int64(0)
            if i + me < count:
                begin = ends[i + me - 1] if i + me > 0 else np.int64(0)
                skipped = max(low - begin, np.int64(0))
                u = member(ids, i + me)
                sources[me] = u
                starts[me] = rows[0][np.uint64(u)] + first + np.uint64(skipped)
                length = max(min(ends[i + me], high) - begin - skipped, np.int64(0))
            block_scan(offsets, length, warps)
            for j in range(me, np.int64(offsets[THREADS]), THREADS):
                row = owner(offsets, j)
                e = starts[row] + np.uint64(j - np.int64(offsets[row]))
                v, edge = np.int64(rows[1][e]), edge_of(rows[3], e)
                hit = function(sources[row], v, edge, *arrays)
                note(hit, v, edge, outputs, meta, buffer)
            cuda.syncthreads()
            i += THREADS
            if by_rows:
                i = count
        if output is not None:
            flush(outputs, meta, buffer)

    return run


def _blocks(plan: Plan) -> tuple[int, ...]:
    """Where the blocks for pieces, warps, groups and threads end."""
    ends = [len(plan.owner)]
    for kind in (2, 1, 0):
        ends.append(ends[-1] + blocks_for(plan.spans[kind][1], THREADS // LANES[kind]))
    return tuple(ends)


@cache
def visit_kernel(function: Any, output: str | None, found: Any, mapped: bool, direct: bool) -> Any:
    """The loop around one visit, for one kind of output and of rows."""
    member, edge_of, note = member_reader(direct), edge_reader(mapped), _note(output)
    size = np.uint64(_BUFFER)

    @device
    def walk(u, e, high, step, rows, arrays, outputs, meta, buffer):
        while e < high:
            v, edge = np.int64(rows[1][e]), edge_of(rows[3], e)
            note(function(u, v, edge, *arrays), v, edge, outputs, meta, buffer)
            e += step

    @device
    def walk_own(at, count, begin, lanes, rows, ids, first, last, arrays, outputs, meta, buffer):
        i = at // lanes
        if i < count:
            u = member(ids, begin + i)
            low, high = bounds(rows[0], np.uint64(u), first, last)
            walk(u, low + np.uint64(at % lanes), high, np.uint64(lanes), rows, arrays, outputs,
                 meta, buffer)  # fmt: skip

    @kernel
    def run(rows, lists, spans, ends, first, last, arrays, outputs):
        ids, starts, owner = lists
        buffer = cuda.shared.array(_BUFFER, found)
        meta = cuda.shared.array(2, np.int64)
        block, t = np.int64(cuda.blockIdx.x), np.int64(cuda.threadIdx.x)
        if t == 0:
            meta[0] = 0
        cuda.syncthreads()
        if block < ends[0]:
            k = np.int64(owner[block])
            u = member(ids, spans[3][0] + k)
            low, high = bounds(rows[0], np.uint64(u), first, last)
            low += (np.uint64(block) - starts[k]) * size
            walk(u, low + np.uint64(t), min(low + size, high), np.uint64(THREADS), rows, arrays,
                 outputs, meta, buffer)  # fmt: skip
        elif block < ends[1]:
            walk_own((block - ends[0]) * THREADS + t, spans[2][1], spans[2][0], 32, rows, ids,
                     first, last, arrays, outputs, meta, buffer)  # fmt: skip
        elif block < ends[2]:
            walk_own((block - ends[1]) * THREADS + t, spans[1][1], spans[1][0], 8, rows, ids,
                     first, last, arrays, outputs, meta, buffer)  # fmt: skip
        else:
            walk_own((block - ends[2]) * THREADS + t, spans[0][1], spans[0][0], 1, rows, ids,
                     first, last, arrays, outputs, meta, buffer)  # fmt: skip
        if output is not None:
            flush(outputs, meta, buffer)

    return run


@cache
def _note(output: str | None) -> Any:
    """``note(hit, ...)``: what is kept of a visit that returned ``hit``."""

    @device
    def edges(hit, v, edge, outputs, meta, buffer):
        if hit:
            put(edge, outputs, meta, buffer)

    @device
    def vertices(hit, v, edge, outputs, meta, buffer):
        stamps = outputs[0]
        if hit and load(stamps, v) == 0 and exch(stamps, v, np.int32(1)) == 0:
            put(v, outputs, meta, buffer)

    @device
    def nothing(hit, v, edge, outputs, meta, buffer):
        pass

    return {"edges": edges, "vertices": vertices, None: nothing}[output]


@device
def put(member, outputs, meta, buffer):
    """Keep one, in the block's buffer while there is room."""
    _, queue, tally = outputs
    slot = cuda.atomic.add(meta, 0, 1)
    if slot < _BUFFER:
        buffer[slot] = member
    else:
        queue[add(tally, 0, 1)] = member


@device
def flush(outputs, meta, buffer):
    """Move what the block has found to the queue; all threads call it."""
    _, queue, tally = outputs
    cuda.syncthreads()
    count = min(meta[0], np.int64(_BUFFER))
    if cuda.threadIdx.x == 0 and count > 0:
        meta[1] = add(tally, 0, count)
    cuda.syncthreads()
    for i in range(cuda.threadIdx.x, count, cuda.blockDim.x):
        queue[meta[1] + i] = buffer[i]
