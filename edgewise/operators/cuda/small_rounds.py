"""Rounds of few vertices on CUDA: the frontier stays where it was found.

On a grid or a road network a search has thousands of rounds, each so small that it costs nothing
but latency: trips to memory and barriers. Up to a block's threads `one_block` goes on alone, with
the frontier in its shared memory. With a few thousand, `some_blocks` do while the others wait: they
keep what they find, a thread a vertex, and look ahead while they wait for each other: the bounds of
its row and its first neighbors are in registers before the next round begins. What a block finds
beyond its fair share goes to a pool, from which all take equally in the next round. The barrier
itself tells how many were found: every block adds its count to the word on which it waits.

Pays for: row bfs, grid2000 of ``python -m benchmarks gpu``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.base.cuda.atomics import add, fence, load
from edgewise.base.cuda.device import simulated
from edgewise.base.cuda.kernels import device
from edgewise.base.cuda.language import cuda
from edgewise.operators.cuda.pushes import dealer
from edgewise.operators.cuda.rounds import (
    BUFFER,
    PULL,
    SCOUT,
    SHORT,
    TAIL,
    WORDS,
    Progress,
    Round,
    columns,
    degree,
    save,
    saved,
    worth_pulling,
)
from edgewise.operators.cuda.state import THREADS

__all__ = ["ALONE", "SOME", "few", "small_rounds"]

#: Vertices of a round that is left to one block.
ALONE = 8 if simulated() else THREADS
#: Blocks that share a round of few vertices: the fewer, the sooner they are synchronized.
SOME = 64
#: Vertices that a block keeps for itself.
_KEEP = THREADS // 4
#: A ticket of the barrier: one, the vertices found, and whether some are in the pool.
_FOUND, _POOLED = 12, 36
#: Edges of a vertex, on average, up to which a thread may take them all.
_SHORT = 8


@device
def few(count, edges, blocks):
    """Is a frontier small enough for so many blocks, and are its rows short?"""
    return 0 <= edges <= count * _SHORT and count <= blocks * ((THREADS - _KEEP) // 2)


def small_rounds(
    relax: Any, send: Any, look: Any, read: Any, early_exit: bool, blind: bool, ids: Any
) -> tuple[Any, Any]:
    """One block's rounds and those of some blocks, for one way to send along an edge.

    They go on until the frontier is empty, too large, or better pulled.
    ``send`` pushes along an edge, ``relax`` to a known target, and ``look`` tells where an edge
    leads. ``blind`` messages do not read values.
    """
    some_blocks = _some_blocks(relax, send, look, read, early_exit, blind, ids)
    return _one_block(send, read, early_exit, ids), some_blocks


def _one_block(send: Any, read: Any, early_exit: bool, ids: Any) -> Any:
    """By the first block while the others wait: its barrier costs a tenth of the grid's."""
    deal = dealer(send, read, columns(False), ids)

    @device
    def total_edges(shared, rows, count):
        """Make what was found the frontier; the edges that leave it."""
        mine = np.int64(0)
        for i in range(cuda.threadIdx.x, count, THREADS):
            shared.front[i] = shared.found[i]
            mine += degree(rows.indptr, np.uint64(shared.found[i]))
        if mine != 0:
            cuda.atomic.add(shared.place, 0, mine)
        cuda.syncthreads()
        edges = shared.place[0]
        cuda.syncthreads()
        return edges

    @device
    def expand(shared, rows, data, count, edges, round):
        """Push what leaves the frontier: a row for each thread, or an edge."""
        me = cuda.threadIdx.x
        u, start, length = np.uint64(0), np.uint64(0), np.int64(0)
        if me < count:
            u = np.uint64(shared.front[me])
            start, length = rows.indptr[u], degree(rows.indptr, u)
        if cuda.syncthreads_or(np.int32(1 if length > SHORT or edges <= THREADS else 0)):
            deal(shared, u, start, length, rows, data, round)
        elif length > 0:
            value = read(data.sources, u)
            for j in range(length):
                send(u, value, start + np.uint64(j), np.int64(0), rows, data, shared, round)

    @device
    def one_block(shared, rows, data, work, limits):
        me, n = cuda.threadIdx.x, np.int64(len(rows.indptr)) - 1
        count, mode, form, turn, side, left, visited, edges = saved(work.state)
        budget, most = visited + limits.budget, min(limits.turns, turn + limits.pause)
        queue = work.queues[1] if side == 1 else work.queues[0]
        if me < count:
            shared.front[me] = queue[me]
        while True:
            if me == 0:
                shared.held[0], shared.place[0] = 0, 0
            cuda.syncthreads()
            turn += 1
            stamp = np.int32(limits.stamp + turn)
            round = Round(turn, stamp, queue, count, queue, work.counters, np.int64(0), np.int64(1))
            expand(shared, rows, data, count, edges, round)
            cuda.syncthreads()
            visited += edges
            left -= edges
            count = np.int64(shared.held[0])
            edges = total_edges(shared, rows, count)
            if limits.forced < 0 and early_exit and worth_pulling(edges, left, n):
                mode = np.int64(PULL)
            if (count == 0 or count > ALONE or edges > BUFFER or mode == PULL
                    or turn >= most or visited >= budget):  # fmt: skip
                break
        for i in range(me, count, THREADS):
            queue[i] = shared.front[i]
        if me == 0:
            save(work.state, Progress(count, mode, form, turn, side, left, visited, edges))
            for i in range(3 * WORDS):
                work.counters[i] = 0

    return one_block


def _some_blocks(
    relax: Any, send: Any, look: Any, read: Any, early_exit: bool, blind: bool, ids: Any
) -> Any:
    """By some of the blocks while the others wait.

    Where messages are ``blind`` nothing that another block has written is read here but through
    atomics and the pool, and no fence is needed where the pool is empty.
    """

    @device
    def await_all(tickets, which, before, blocks, place):
        """Wait for all blocks; the sum of their tickets. All threads call it."""
        if cuda.threadIdx.x == 0:
            now = load(tickets, which) - before
            while (now & np.int64(4095)) != blocks:
                now = load(tickets, which) - before
            if not blind or (now >> _POOLED) > 0:
                fence()
            place[0] = now
        cuda.syncthreads()
        total = place[0]
        cuda.syncthreads()  # all have read it
        return total

    @device
    def ahead(start, length, k, rows, data):
        if k < length:
            return look(start + np.uint64(k), rows, data)
        return np.uint64(0), False

    @device
    def four_ahead(start, length, rows, data):
        """Where the first four edges of a row lead, and whether something may change there."""
        return (
            ahead(start, length, 0, rows, data), ahead(start, length, 1, rows, data),
            ahead(start, length, 2, rows, data), ahead(start, length, 3, rows, data),
        )  # fmt: skip

    @device
    def some_blocks(shared, rows, data, work, limits, progress, blocks, even, odd):
        me, block, indptr = np.int64(cuda.threadIdx.x), np.int64(cuda.blockIdx.x), rows.indptr
        count, mode, form, turn, side, left, visited, edges = progress
        budget, most = visited + limits.budget, min(limits.turns, turn + limits.pause)
        n, at, spare, place = np.int64(len(indptr)) - 1, np.int64(0), work.queues[0], shared.place
        kept, pooled = np.int64(0), count
        u, start, length = np.uint64(0), np.uint64(0), np.int64(0)
        a, b, c, d = four_ahead(start, length, rows, data)
        while True:
            queue, spare = work.queues[0], work.queues[1]
            if side == 1:
                queue, spare = work.queues[1], work.queues[0]
            if pooled > 0:  # an equal share for the threads that have nothing
                i = (me - kept) * blocks + block
                if me >= kept and i < pooled:
                    u = np.uint64(load(queue, i))
                    start, length = indptr[u], degree(indptr, u)
                    a, b, c, d = four_ahead(start, length, rows, data)
            at = (turn % 3) * WORDS
            turn += 1
            stamp = np.int32(limits.stamp + turn)
            round = Round(turn, stamp, queue, count, spare, work.counters, at, blocks)
            if me == 0:
                shared.held[0], place[0] = 0, 0
                if block == 0:
                    for i in range(WORDS):
                        work.counters[(turn % 3) * WORDS + i] = 0
            cuda.syncthreads()
            mine = np.int64(0)
            if length > 0:
                value = read(data.sources, u)
                if a[1]:
                    mine += relax(u, value, start, a[0], rows, data, shared, round)
                if b[1]:
                    mine += relax(u, value, start + np.uint64(1), b[0], rows, data, shared, round)
                if c[1]:
                    mine += relax(u, value, start + np.uint64(2), c[0], rows, data, shared, round)
                if d[1]:
                    mine += relax(u, value, start + np.uint64(3), d[0], rows, data, shared, round)
                for j in range(4, length):
                    e = start + np.uint64(j)
                    mine += send(u, value, e, np.int64(0), rows, data, shared, round)
            cuda.syncthreads()
            found = np.int64(shared.held[0])
            kept = min(found, np.int64(_KEEP))
            surplus = min(found, np.int64(BUFFER)) - kept
            ticket = np.int64(1) + (found << _FOUND)
            if found > kept:
                ticket += np.int64(1) << _POOLED
            if surplus > 0:
                if me == 0:
                    place[0] = add(work.counters, at + TAIL, surplus)
                cuda.syncthreads()
                for i in range(me, surplus, THREADS):
                    v = np.uint64(shared.found[kept + i])
                    spare[place[0] + i] = ids(v)
                    mine += degree(indptr, v)
                cuda.syncthreads()
                if me == 0:
                    place[0] = 0
                cuda.syncthreads()
            u, start, length = np.uint64(0), np.uint64(0), np.int64(0)
            if me < kept:
                u = np.uint64(shared.found[me])
                start, length = indptr[u], degree(indptr, u)
                mine += length
            if mine != 0:
                cuda.atomic.add(place, 0, mine)
            cuda.syncthreads()
            which = turn & 1
            if me == 0:
                if place[0] != 0:
                    add(work.counters, at + SCOUT, place[0])
                if not blind or found > kept:
                    fence()
                add(work.tickets, which, ticket)
            # While the others arrive: where will the next round lead?
            a, b, c, d = four_ahead(start, length, rows, data)
            total = await_all(work.tickets, which, odd if which == 1 else even, blocks, place)
            if which == 1:
                odd += total
            else:
                even += total
            count = (total >> _FOUND) & np.int64((1 << (_POOLED - _FOUND)) - 1)
            visited += edges
            left -= edges
            side = 1 - side
            if limits.forced < 0 and early_exit and worth_pulling(edges, left, n):
                mode = np.int64(PULL)
            # What leaves the vertices found is read now and looked at a round later.
            many, edges = edges, load(work.counters, at + SCOUT)
            pooled = np.int64(0)
            if (total >> _POOLED) > 0:
                pooled = load(work.counters, at + TAIL)
            if (count == 0 or not few(count, many, blocks) or mode == PULL or turn >= most
                    or visited >= budget or (count <= ALONE // 2 and many <= ALONE)):  # fmt: skip
                break
        # What the blocks have kept joins the pool.
        cuda.syncthreads()
        if me == 0 and kept > 0:
            place[0] = add(work.counters, at + TAIL, kept)
        cuda.syncthreads()
        if me < kept:
            spare[place[0] + me] = ids(u)
        if block == 0 and me == 0:
            save(work.state, Progress(count, mode, form, turn, side, left, visited, edges))
        return even, odd

    return some_blocks
