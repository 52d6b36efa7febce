"""Rounds of a few thousand vertices on CUDA: frontiers that stay where they were found.

On a grid or a road network a search has thousands of rounds, each so small that it costs nothing
but latency: trips to memory and barriers. Here some of the blocks, while the others wait, keep what
they find, a thread a vertex, and look ahead while they wait for each other: the bounds of its row
and its first neighbors are in registers before the next round begins. What a block finds beyond its
fair share goes to a pool, from which all take equally in the next round. The barrier itself tells
how many were found: every block adds its count to the word on which it waits.

Pays for: row bfs, grid2000 of ``python -m benchmarks gpu``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.base.cuda.atomics import add, fence, load
from edgewise.base.cuda.kernels import device
from edgewise.base.cuda.language import cuda
from edgewise.operators.cuda.rounds import (
    ALONE,
    BUDGET,
    BUFFER,
    COUNT,
    FORCED,
    LEFT,
    MAX_TURN,
    MODE,
    PAUSE,
    PULL,
    PUSH,
    SCOUT,
    SEEN,
    SIDE,
    TAIL,
    THREADS,
    TURN,
    WORDS,
    worth_pulling,
)

__all__ = ["DRIFTERS", "drifter", "few"]

#: Vertices that a block keeps for itself.
_KEEP = THREADS // 4
#: A ticket of the barrier: one, the vertices found, and whether some are in the pool.
_FOUND, _POOLED = 12, 36
#: Blocks that take part: the fewer, the sooner they have met.
DRIFTERS = 64
#: Edges of a vertex, on average, up to which a thread may take them all.
_SHORT = 8


@device
def few(count, edges, blocks):
    """Is a frontier small enough for so many blocks, and are its rows short?"""
    return 0 <= edges <= count * _SHORT and count <= blocks * ((THREADS - _KEEP) // 2)


def drifter(
    strike: Any, send: Any, peek: Any, read: Any, early_exit: bool, blind: bool, ids: Any
) -> Any:
    """``drift``: rounds until the frontier is empty, too large, or better pulled.

    ``send`` pushes along an edge, ``strike`` to a known target, and ``peek`` looks where an edge
    leads. ``blind`` messages do not read values: then nothing that another block has written is
    read here but through atomics and the pool, and no fence is needed where the pool is empty.
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
    def ahead(start, length, k, out, data):
        if k < length:
            return peek(start + np.uint64(k), out, data)
        return np.uint64(0), False

    @device
    def drift(room, out, data, queues, counters, state, limits, tickets, even, odd, blocks, count,
              turn, side, left, visited, edges, n):  # fmt: skip
        following, meta, place = room[0], room[2], room[3]
        me, block, indptr = np.int64(cuda.threadIdx.x), np.int64(cuda.blockIdx.x), out[0]
        budget, most = visited + limits[BUDGET], min(limits[MAX_TURN], turn + limits[PAUSE])
        mode, at, spare = np.int64(PUSH), np.int64(0), queues[0]
        kept, pooled = np.int64(0), count
        u, start, length = np.uint64(0), np.uint64(0), np.int64(0)
        a, b, c, d = np.uint64(0), np.uint64(0), np.uint64(0), np.uint64(0)
        a_open, b_open, c_open, d_open = False, False, False, False
        while True:
            queue, spare = queues[0], queues[1]
            if side == 1:
                queue, spare = queues[1], queues[0]
            if pooled > 0:  # an equal share for the threads that have nothing
                i = (me - kept) * blocks + block
                if me >= kept and i < pooled:
                    u = np.uint64(load(queue, i))
                    start = indptr[u]
                    length = np.int64(indptr[u + np.uint64(1)] - start)
                    a, a_open = ahead(start, length, 0, out, data)
                    b, b_open = ahead(start, length, 1, out, data)
                    c, c_open = ahead(start, length, 2, out, data)
                    d, d_open = ahead(start, length, 3, out, data)
            at = (turn % 3) * WORDS
            turn += 1
            if me == 0:
                meta[0], place[0] = 0, 0
                if block == 0:
                    for i in range(WORDS):
                        counters[(turn % 3) * WORDS + i] = 0
            cuda.syncthreads()
            mine, sender = np.int64(0), np.int64(u)
            if length > 0:
                value = read(data[0], u)
                if a_open:
                    mine += strike(sender, value, start, a, out, data, turn, following, meta,
                                   spare, counters, at)  # fmt: skip
                if b_open:
                    mine += strike(sender, value, start + np.uint64(1), b, out, data, turn,
                                   following, meta, spare, counters, at)  # fmt: skip
                if c_open:
                    mine += strike(sender, value, start + np.uint64(2), c, out, data, turn,
                                   following, meta, spare, counters, at)  # fmt: skip
                if d_open:
                    mine += strike(sender, value, start + np.uint64(3), d, out, data, turn,
                                   following, meta, spare, counters, at)  # fmt: skip
                for j in range(4, length):
                    mine += send(sender, value, start + np.uint64(j), out, data, turn, following,
                                 meta, spare, counters, at)  # fmt: skip
            cuda.syncthreads()
            found = np.int64(meta[0])
            kept = min(found, np.int64(_KEEP))
            surplus = min(found, np.int64(BUFFER)) - kept
            ticket = np.int64(1) + (found << _FOUND)
            if found > kept:
                ticket += np.int64(1) << _POOLED
            if surplus > 0:
                if me == 0:
                    place[0] = add(counters, at + TAIL, surplus)
                cuda.syncthreads()
                for i in range(me, surplus, THREADS):
                    v = np.uint64(following[kept + i])
                    spare[place[0] + i] = ids(v)
                    mine += np.int64(indptr[v + np.uint64(1)] - indptr[v])
                cuda.syncthreads()
                if me == 0:
                    place[0] = 0
                cuda.syncthreads()
            u, start, length = np.uint64(0), np.uint64(0), np.int64(0)
            if me < kept:
                u = np.uint64(following[me])
                start = indptr[u]
                length = np.int64(indptr[u + np.uint64(1)] - start)
                mine += length
            if mine != 0:
                cuda.atomic.add(place, 0, mine)
            cuda.syncthreads()
            which = turn & 1
            if me == 0:
                if place[0] != 0:
                    add(counters, at + SCOUT, place[0])
                if not blind or found > kept:
                    fence()
                add(tickets, which, ticket)
            # While the others arrive: where will the next round lead?
            a, a_open = ahead(start, length, 0, out, data)
            b, b_open = ahead(start, length, 1, out, data)
            c, c_open = ahead(start, length, 2, out, data)
            d, d_open = ahead(start, length, 3, out, data)
            total = await_all(tickets, which, odd if which == 1 else even, blocks, place)
            if which == 1:
                odd += total
            else:
                even += total
            count = (total >> _FOUND) & np.int64((1 << (_POOLED - _FOUND)) - 1)
            visited += edges
            left -= edges
            side = 1 - side
            if limits[FORCED] < 0 and early_exit and worth_pulling(edges, left, n):
                mode = np.int64(PULL)
            # What leaves the vertices found is read now and looked at a round later.
            many, edges = edges, load(counters, at + SCOUT)
            pooled = np.int64(0)
            if (total >> _POOLED) > 0:
                pooled = load(counters, at + TAIL)
            if (count == 0 or not few(count, many, blocks) or mode == PULL or turn >= most
                    or visited >= budget or (count <= ALONE // 2 and many <= ALONE)):  # fmt: skip
                break
        # What the blocks have kept joins the pool.
        cuda.syncthreads()
        if me == 0 and kept > 0:
            place[0] = add(counters, at + TAIL, kept)
        cuda.syncthreads()
        if me < kept:
            spare[place[0] + me] = ids(u)
        if block == 0 and me == 0:
            state[COUNT], state[TURN], state[SIDE], state[MODE] = count, turn, side, mode
            state[LEFT], state[SEEN] = left, visited
        return even, odd

    return drift
