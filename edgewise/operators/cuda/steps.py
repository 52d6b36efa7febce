"""What a traversal does on the edges of its rounds on CUDA, as device functions for one kernel.

Pushing is in `pushes.py`: by default a block takes as many vertices as it has threads, and if their
rows are not all short it scans their lengths and deals out edges evenly [1]; rows of very many
edges are left to all blocks together. Rounds of few vertices are left to one block. Pulling, a
thread walks the row of a vertex that still listens until it hears something.

``data`` is ``(sources, values, identity, stamps, depths, sums, locks)``, ``room`` the kernel's
shared memory.

[1] D. Merrill, M. Garland, A. Grimshaw. Scalable GPU graph traversal. PPoPP 2012.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.base.cuda.atomics import cas, exch, load
from edgewise.base.cuda.device import simulated
from edgewise.base.cuda.kernels import device
from edgewise.base.cuda.language import cuda
from edgewise.operators.cuda import inner
from edgewise.operators.cuda.drifting import drifter
from edgewise.operators.cuda.pushes import pusher
from edgewise.operators.cuda.rounds import (
    ALONE,
    AWAKE,
    BUDGET,
    BUFFER,
    COUNT,
    EDGES,
    FORCED,
    HEAVY,
    LANDED,
    LEFT,
    MAX_TURN,
    MODE,
    PAUSE,
    PIECE,
    PULL,
    PUSH,
    SCOUT,
    SEEN,
    SHORT,
    SIDE,
    THREADS,
    TURN,
    VISITED,
    WORDS,
    append,
    block_add,
    block_scan,
    flush,
    owner,
    worth_pulling,
)

__all__ = ["Shape", "Steps", "steps"]


class Shape(NamedTuple):
    """What of its arguments a kernel is made for."""

    sent: int  # arrays that messages read
    dtypes: tuple[np.dtype, ...]  # of the values
    weighted: bool
    mapped: tuple[bool, bool]  # do edges have ids of their own, on the way out and in?
    early_exit: bool
    at_once: bool
    deep: bool  # are depths wanted?
    ids: np.dtype  # of the indices
    balance: str  # how pushing deals its work out, see `edgewise.base.balance`


class Steps(NamedTuple):
    """The device functions that a traversal is made of."""

    push: Any
    push_wide: Any  # for rounds of many edges on skewed graphs
    push_heavy: Any
    push_alone: Any
    drift: Any
    pull: Any
    land: Any
    settle_pulled: Any


def steps(message: Any, combine: Any, where: Any, shape: Shape) -> Steps:
    """The steps for one message, one monoid and one condition; all are device functions."""
    early_exit, at_once, deep = shape.early_exit, shape.at_once, shape.deep
    count_of_values = len(shape.dtypes)
    take, put = inner.taker(count_of_values), inner.putter(count_of_values)
    read, cast = inner.taker(shape.sent), inner.caster(shape.dtypes)
    same, weight_at = inner.sameness(shape.dtypes), inner.weight_reader(shape.weighted)
    edge_out, edge_in = map(inner.edge_reader, shape.mapped)
    listens = where or device(lambda value: True)
    if at_once:
        update = inner.updater(combine, shape.dtypes[0], early_exit)
    else:
        merge = inner.merger(combine, shape.dtypes)
    ids = shape.ids.type
    alone = simulated()

    @device
    def deaf(value, identity):
        return (early_exit and not same(value, identity)) or not listens(value)

    if at_once:

        @device
        def strike(u, value, e, v, out, data, turn, found, meta, queue, counters, at):
            """Push to ``v``; the edges of a target that went straight to the queue."""
            indptr, _, weights, edge_ids = out
            _, values, identity, stamps, depths, _, _ = data
            sent = cast(message(value, weight_at(weights, e), u, edge_out(edge_ids, e), 0))
            if early_exit:  # nobody may have come before
                new = cast(combine(identity, sent))
                if same(new, identity) or not same(cas(values, v, identity, new), identity):
                    return np.int64(0)
            elif not update(values, v, sent, identity):
                return np.int64(0)
            if not early_exit and exch(stamps, v, np.int32(turn)) == np.int32(turn):
                return np.int64(0)
            if deep:
                depths[v] = turn
            if append(found, meta, v, queue, counters, at):
                return np.int64(0)
            return np.int64(indptr[v + np.uint64(1)] - indptr[v])

        @device
        def send(u, value, e, out, data, turn, found, meta, queue, counters, at):
            """Push along one edge; the edges of a target that went straight to the queue."""
            v = np.uint64(out[1][e])
            if deaf(data[1][v], data[2]):
                return np.int64(0)
            return strike(u, value, e, v, out, data, turn, found, meta, queue, counters, at)

        @device
        def peek(e, out, data):
            """Where an edge leads, and whether something may change there."""
            v = np.uint64(out[1][e])
            return v, not deaf(data[1][v], data[2])

        drift = drifter(strike, send, peek, read, early_exit, early_exit and shape.sent == 0, ids)

    else:
        drift = None

        @device
        def send(u, value, e, out, data, turn, found, meta, queue, counters, at):
            """Push along one edge; the edges of a target that went straight to the queue."""
            _, indices, weights, edge_ids = out
            _, values, identity, stamps, _, sums, locks = data
            v = np.uint64(indices[e])
            if deaf(take(values, v), identity):
                return np.int64(0)
            sent = cast(message(value, weight_at(weights, e), u, edge_out(edge_ids, e), 0))
            merge(sums, v, sent, locks)
            if load(stamps, v) != np.int32(turn) and exch(stamps, v, np.int32(turn)) != np.int32(
                turn
            ):
                append(found, meta, v, queue, counters, at)
            return np.int64(0)

    push = pusher(shape.balance, send, read, ids)
    push_wide = pusher("output", send, read, ids) if shape.balance == "auto" else push

    @device
    def push_heavy(room, out, data, turn, queue, heavy, counters, at, blocks):
        """Expand the rows of very many edges in pieces, which the blocks take in turn."""
        found, _, meta, place, lengths, starts, sources, _ = room
        me, block, indptr = cuda.threadIdx.x, np.int64(cuda.blockIdx.x), out[0]
        if me == 0:
            meta[0] = 0
        many, edges, dealt = load(counters, at + HEAVY), np.int64(0), np.int64(0)
        first = np.int64(0)
        while first < many:
            cuda.syncthreads()
            if first + me < many:
                u = np.uint64(heavy[first + me])
                starts[me], sources[me] = indptr[u], ids(u)
                lengths[me] = np.int32(indptr[u + np.uint64(1)] - indptr[u])
            cuda.syncthreads()
            for row in range(min(np.int64(THREADS), many - first)):
                length = np.int64(lengths[row])
                pieces = (length + PIECE - 1) // PIECE
                piece = (block - dealt) % blocks
                while piece < pieces:
                    u = np.uint64(sources[row])
                    value, end = read(data[0], u), min(length, (piece + 1) * PIECE)
                    for j in range(piece * PIECE + me, end, THREADS):
                        edges += send(np.int64(u), value, starts[row] + np.uint64(j), out, data,
                                      turn, found, meta, queue, counters, at)  # fmt: skip
                    edges += flush(found, meta, place, queue, counters, at, indptr)
                    piece += blocks
                dealt += pieces
            first += THREADS
        block_add(place, counters, at + SCOUT, edges)

    @device
    def push_alone(room, out, data, queues, counters, state, limits, n):
        """Rounds of few vertices, one after the other, by the first block while the others wait.

        The frontier stays in shared memory; a barrier of the block costs a tenth of the grid's.
        """
        following, front, meta, total, offsets, starts, _, warps = room
        me, indptr = cuda.threadIdx.x, out[0]
        count, turn, side = state[COUNT], state[TURN], state[SIDE]
        left, visited, edges, mode = state[LEFT], state[SEEN], state[EDGES], np.int64(PUSH)
        budget, most = visited + limits[BUDGET], min(limits[MAX_TURN], turn + limits[PAUSE])
        queue = queues[1] if side == 1 else queues[0]
        if me < count:
            front[me] = queue[me]
        while True:
            if me == 0:
                meta[0], total[0] = 0, 0
            cuda.syncthreads()
            turn += 1
            u, start, length = np.uint64(0), np.uint64(0), np.int64(0)
            if me < count:
                u = np.uint64(front[me])
                start = indptr[u]
                length = np.int64(indptr[u + np.uint64(1)] - start)
            if cuda.syncthreads_or(np.int32(1 if length > SHORT or edges <= THREADS else 0)):
                starts[me] = start
                block_scan(offsets, length, warps)
                for j in range(me, np.int64(offsets[THREADS]), THREADS):
                    row = owner(offsets, j)
                    u = np.uint64(front[row])
                    e = starts[row] + np.uint64(j - np.int64(offsets[row]))
                    send(np.int64(u), read(data[0], u), e, out, data, turn, following, meta, queue,
                         counters, 0)  # fmt: skip
            elif length > 0:
                value = read(data[0], u)
                for j in range(length):
                    send(np.int64(u), value, start + np.uint64(j), out, data, turn, following,
                         meta, queue, counters, 0)  # fmt: skip
            cuda.syncthreads()
            visited += edges
            left -= edges
            count = np.int64(meta[0])
            mine = np.int64(0)
            for i in range(me, count, THREADS):
                v = np.uint64(following[i])
                front[i] = following[i]
                mine += np.int64(indptr[v + np.uint64(1)] - indptr[v])
            if mine != 0:
                cuda.atomic.add(total, 0, mine)
            cuda.syncthreads()
            edges = total[0]
            cuda.syncthreads()
            if limits[FORCED] < 0 and early_exit and worth_pulling(edges, left, n):
                mode = np.int64(PULL)
            if (count == 0 or count > ALONE or edges > BUFFER or mode == PULL
                    or turn >= most or visited >= budget):  # fmt: skip
                break
        for i in range(me, count, THREADS):
            queue[i] = front[i]
        if me == 0:
            state[COUNT], state[TURN], state[MODE] = count, turn, mode
            state[LEFT], state[SEEN], state[EDGES] = left, visited, edges
            for i in range(3 * WORDS):
                counters[i] = 0

    @device
    def hear(v, first, into, data, front):
        """Combine what reaches ``v`` from the frontier; (total, heard anything?, edges seen)."""
        indptr, indices, weights, edge_ids = into
        total, heard = first, False
        start, end = indptr[v], indptr[v + np.uint64(1)]
        e, identity = start, data[2]
        while e < end:
            u = np.uint64(indices[e])
            e += np.uint64(1)
            if (front[u >> np.uint64(5)] >> np.uint32(u & np.uint64(31))) & np.uint32(1):
                sent = message(read(data[0], u), weight_at(weights, e - np.uint64(1)),
                               np.int64(u), edge_in(edge_ids, e - np.uint64(1)), 0)  # fmt: skip
                total = cast(combine(total, cast(sent)))
                heard = True
                if early_exit and not same(total, identity):
                    break
        return total, heard, np.int64(e - start)

    @device
    def mark(following, v, hit, inside):
        """Note in the next bitmap whether a vertex is in it; all lanes of a warp call it."""
        if alone:
            if hit:
                following[v >> np.uint64(5)] |= np.uint32(1) << np.uint32(v & np.uint64(31))
        else:
            word = cuda.ballot_sync(0xFFFFFFFF, hit)
            if (cuda.threadIdx.x & 31) == 0 and inside:
                following[v >> np.uint64(5)] = np.uint32(word)

    @device
    def pull(place, into, data, turn, front, following, n, counters, at):
        """Let every listening vertex look for messages."""
        values, identity, depths, sums = data[1], data[2], data[4], data[5]
        awake, seen = np.int64(0), np.int64(0)
        base = np.int64(cuda.grid(1)) & ~np.int64(31)
        lane = np.int64(cuda.threadIdx.x & 31)
        while base < n:
            v = np.uint64(base + lane)
            hit = False
            if base + lane < n:
                before = take(values, v)
                if not deaf(before, identity):
                    if at_once:
                        after, heard, edges = hear(v, before, into, data, front)
                        if not same(after, before):
                            put(values, v, after)
                            hit = True
                            if deep:
                                depths[v] = turn
                    else:
                        total, heard, edges = hear(v, identity, into, data, front)
                        if heard:
                            after = cast(combine(before, total))
                            if not same(after, before):
                                put(sums, v, after)
                                hit = True
                                if deep:
                                    depths[v] = turn
                    seen += edges
                    if hit:
                        awake += 1
            mark(following, v, hit, base + lane < n)
            base += cuda.gridsize(1)
        block_add(place, counters, at + AWAKE, awake)
        block_add(place, counters, at + VISITED, seen)

    @device
    def land(room, out, data, turn, queue, touched, spare, counters, at):
        """Combine what was added up into the values; those that change are the next frontier."""
        found, meta, place = room[0], room[2], room[3]
        _, values, identity, _, depths, sums, _ = data
        indptr, edges = out[0], np.int64(0)
        if cuda.threadIdx.x == 0:
            meta[0] = 0
        cuda.syncthreads()
        base = np.int64(cuda.blockIdx.x) * THREADS
        while base < touched:
            i = base + cuda.threadIdx.x
            if i < touched:
                v = np.uint64(queue[i])
                before = take(values, v)
                after = cast(combine(before, take(sums, v)))
                put(sums, v, identity)
                if not same(after, before):
                    put(values, v, after)
                    if deep:
                        depths[v] = turn
                    append(found, meta, v, spare, counters, at + LANDED)
            edges += flush(found, meta, place, spare, counters, at + LANDED, indptr)
            base += cuda.gridsize(1)
        block_add(place, counters, at + SCOUT, edges)

    @device
    def settle_pulled(data, following, n):
        """Copy what was pulled apart into the values."""
        values, identity, sums = data[1], data[2], data[5]
        for i in range(cuda.grid(1), n, cuda.gridsize(1)):
            v = np.uint64(i)
            if (following[v >> np.uint64(5)] >> np.uint32(v & np.uint64(31))) & np.uint32(1):
                put(values, v, take(sums, v))
                put(sums, v, identity)

    return Steps(push, push_wide, push_heavy, push_alone, drift, pull, land, settle_pulled)
