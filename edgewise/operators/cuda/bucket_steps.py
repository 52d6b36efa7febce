"""What priority order does on piles and edges on CUDA, as device functions for one kernel.

Vertices that improve go to a near queue if their value lies within ``delta`` of the ``base``, else
to a far pile [1]. A middle pile of several deltas lies between the two, so that the far pile is
touched seldom; for "near_far" it has no end, and takes the other's place. ``settled`` holds the
value with which a vertex was last expanded: whoever takes a vertex whose value is settled drops it
(not one that has no value yet: only a member of the first frontier can be such, and it sends once).

A block takes as many vertices as it has threads and deals out their edges evenly; very long rows
are cut into pieces for all blocks. While a queue is short every block goes on by itself for some
steps with what it has found, without a barrier.

``stamps[v]`` is the round for which v was queued, or minus the pile it lies on. A vertex moves to
better piles alone, so it comes to each pile once, and none can overflow.

[1] A. Davidson, S. Baxter, M. Garland, J. Owens. Work-efficient parallel GPU methods for
    single-source shortest paths. IPDPS 2014.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.base.cuda.atomics import add, exch, load, store
from edgewise.base.cuda.device import simulated
from edgewise.base.cuda.kernels import device
from edgewise.base.cuda.language import cuda
from edgewise.operators.cuda.inner import cast, changer, edge_at, same, weight_at
from edgewise.operators.cuda.rounds import Functions, Shape, block_scan
from edgewise.operators.cuda.state import THREADS

__all__ = ["BESTS", "HEAVY_DEGREE", "PIECES", "PLACES", "STARTS", "WORDS", "Batch", "Data", "Found",
           "Plan", "chunk_of", "expander"]  # fmt: skip

# Words of a block's ``slots``: counters, starts of piles, and places of best values, by pile.
WORDS, STARTS, BESTS = 0, 4, 8
#: What a round takes up besides the near queue (0) and the piles (1, 2): pieces of long rows.
PIECES = 3
#: The near queue and the piles.
PLACES = 3
#: Edges between two flushes of a block, and of a piece of a long row (half for wide ids).
CHUNK = 128 if simulated() else 2048
#: Rows longer than this are shared by all blocks.
HEAVY_DEGREE = 16 if simulated() else 2048
#: Steps that a block goes by itself, and the least number of vertices that it takes.
_ALONE, _SHARE = (3, 4) if simulated() else (12, 16)


def chunk_of(shape: Shape) -> int:
    """Edges between two flushes, so many that a block has space for the targets of all."""
    return CHUNK * 4 // shape.ids.itemsize


class Data(NamedTuple):
    """Arrays in global memory."""

    rows: Any
    values: Any
    identity: Any
    settled: Any
    stamps: Any
    near: Any
    piles: Any
    piece_rows: Any  # the long rows whose pieces wait for all blocks
    piece_starts: Any
    bests: Any  # the best value of each pile
    counts: Any
    params: Any


class Batch(NamedTuple):
    """The rows that a block expands, in its shared memory."""

    offsets: Any
    warps: Any
    starts: Any
    sources: Any
    values: Any


class Plan(NamedTuple):
    """Where a round adds to and which values belong where, in a block's shared memory."""

    slots: Any
    bases: Any
    ends: Any


class Found(NamedTuple):
    """What a block has found for the near queue and the piles, in its shared memory."""

    ids: Any
    held: Any
    spans: Any
    bests: Any


def expander(functions: Functions, shape: Shape) -> Any:
    """``take_up``, a block's part of a round, for a message, an ordered monoid and a condition."""
    message, combine, where, _ = functions
    (wide,), index, chunk = shape.dtypes, shape.ids.type, chunk_of(shape)
    narrow, kind, ascending = shape.narrow.type(0), wide.type, shape.order > 0
    change = changer(combine)
    listens, choosy = where or device(lambda value, params: True), where is not None

    @device
    def within(value, base, end):
        """Is a value better than ``end``, or no worse than ``base`` (or not a number)?"""
        if ascending:
            return np.float64(value) < end or not base < value
        return np.float64(value) > end or not base > value

    @device
    def place_of(value, plan):
        """The pile for a value: 0 is near, 1 and 2 are farther."""
        if within(value, plan.bases[0], plan.ends[0]):
            return 0
        return 1 if within(value, plan.bases[1], plan.ends[1]) else 2

    @device
    def find(v, place, found):
        """Note a vertex for a pile."""
        found.ids[place * chunk + cuda.atomic.add(found.held, place, 1)] = v

    @device
    def flush(data, plan, found):
        """Move what the block has found to the piles; all threads call it."""
        slots, spans, me = plan.slots, found.spans, np.int64(cuda.threadIdx.x)
        cuda.syncthreads()
        job, place = me // (THREADS // 8), me // (THREADS // 8) % 4  # in a warp each
        if me % (THREADS // 8) == 0 and place < PLACES:
            if job < 4:
                count = np.int64(found.held[place])
                if count > 0:
                    spans[place] = add(data.counts, slots[WORDS + place], count)
                spans[4 + place], found.held[place] = count, 0
            elif place > 0 and not same(found.bests[place], data.identity):
                best = slots[BESTS + place]
                change(data.bests, best, data.bests[best], found.bests[place], data.identity)
                found.bests[place] = data.identity
        cuda.syncthreads()
        for i in range(me, spans[4], THREADS):
            data.near[slots[STARTS] + spans[0] + i] = found.ids[i]
        for place in range(1, PLACES):
            for i in range(me, spans[4 + place], THREADS):
                at = slots[STARTS + place] + spans[place] + i
                data.piles[at] = found.ids[place * chunk + i]
        cuda.syncthreads()

    @device
    def look(e, data):
        """The target of an edge, the weight, and the target's value, which may be old."""
        v = data.rows.indices[e]
        return v, weight_at(data.rows.weights, e), data.values[v]

    @device
    def send(e, u, value, seen, stamp, loose, data, plan, found):
        """Send along one edge, and note the target if it improves.

        A ``loose`` near target is not stamped: it may be noted again before the round ends.
        """
        v, weight, old = seen
        edge, own = edge_at(data.rows.edge_ids, e), cast(narrow, old)
        target, params = np.int64(v), data.params[0]
        sent = message(cast(narrow, value), weight, np.int64(u), edge, own, target, params)
        new = kind(cast(narrow, sent))
        if choosy and not listens(cast(narrow, load(data.values, v)), data.params[1]):
            return
        if not change(data.values, v, old, new, data.identity)[1]:
            return
        place = place_of(new, plan)
        if place > 0:
            change(found.bests, place, found.bests[place], new, data.identity)
            if exch(data.stamps, v, np.int32(-place)) != np.int32(-place):
                find(v, place, found)
        elif loose or exch(data.stamps, v, stamp) != stamp:
            find(v, 0, found)

    @device
    def owners(offsets, i, j, k, m):
        """The rows of the batch to which four edges belong."""
        a, b, c, d = np.uint64(0), np.uint64(0), np.uint64(0), np.uint64(0)
        step = np.uint64(THREADS // 2)
        while step > np.uint64(0):
            if offsets[a + step] <= i:
                a += step
            if offsets[b + step] <= j:
                b += step
            if offsets[c + step] <= k:
                c += step
            if offsets[d + step] <= m:
                d += step
            step >>= np.uint64(1)
        return a, b, c, d

    @device
    def push(total, stamp, loose, data, batch, plan, found):
        """Send along all edges of the batch, dealt out evenly; the last chunk is not flushed.

        Four edges at a time, so that a thread waits for their loads together.
        """
        offsets, starts, us, values = batch.offsets, batch.starts, batch.sources, batch.values
        first = np.int64(0)
        while first < total:
            end = min(first + chunk, total)
            i = first + cuda.threadIdx.x
            while i < end:
                j, k, m = i + THREADS, i + 2 * THREADS, i + 3 * THREADS
                a, b, c, d = owners(offsets, i, min(j, end - 1), min(k, end - 1), min(m, end - 1))
                p = starts[a] + np.uint64(i - offsets[a])
                q = starts[b] + np.uint64(min(j, end - 1) - offsets[b])
                r = starts[c] + np.uint64(min(k, end - 1) - offsets[c])
                s = starts[d] + np.uint64(min(m, end - 1) - offsets[d])
                w, x, y, z = look(p, data), look(q, data), look(r, data), look(s, data)
                send(p, us[a], values[a], w, stamp, loose, data, plan, found)
                if j < end:
                    send(q, us[b], values[b], x, stamp, loose, data, plan, found)
                if k < end:
                    send(r, us[c], values[c], y, stamp, loose, data, plan, found)
                if m < end:
                    send(s, us[d], values[d], z, stamp, loose, data, plan, found)
                i += 4 * THREADS
            first += chunk
            if first < total:
                flush(data, plan, found)

    @device
    def hand_over(u, low, high, data, word):
        """List a long row in pieces for all blocks; False if the list is full."""
        pieces = np.int64((high - low + np.uint64(chunk - 1)) // np.uint64(chunk))
        start, capacity = add(data.counts, word, pieces), np.int64(len(data.piece_starts))
        listed = start + pieces <= capacity
        for i in range(start, min(start + pieces, capacity)):
            data.piece_rows[i] = u
            from_there = low + np.uint64(i - start) * np.uint64(chunk)
            data.piece_starts[i] = from_there if listed else high
        return listed

    @device
    def gather(u, items, stamp, data, batch, plan):
        """Make the rows of the block's vertices its batch; the number of all their edges."""
        slots, me, size = plan.slots, cuda.threadIdx.x, np.int64(0)
        if me < items:
            value, past = load(data.values, u), load(data.settled, u)
            low, high = data.rows.indptr[u], data.rows.indptr[np.uint64(u) + np.uint64(1)]
            if not same(past, value) or same(value, data.identity):
                size = np.int64(high - low)
                batch.starts[me], batch.sources[me], batch.values[me] = low, u, value
                if size <= HEAVY_DEGREE:
                    store(data.settled, u, value)
                else:
                    size = np.int64(0)
                    if hand_over(u, low, high, data, slots[WORDS + 3]):
                        store(data.settled, u, value)
                    elif exch(data.stamps, u, stamp) != stamp:
                        data.near[slots[STARTS] + add(data.counts, slots[WORDS], 1)] = u
        block_scan(batch.offsets, size, batch.warps)
        return np.int64(batch.offsets[THREADS])

    @device
    def gather_piece(i, data, batch):
        """Make one piece of a long row the batch; the number of its edges."""
        u, low, me = data.piece_rows[i], data.piece_starts[i], cuda.threadIdx.x
        high = min(low + np.uint64(chunk), data.rows.indptr[np.uint64(u) + np.uint64(1)])
        size = np.int64(high - low)
        batch.offsets[me] = np.int32(0 if me == 0 else size)
        if me == 0:
            batch.starts[0], batch.sources[0], batch.values[0] = low, u, load(data.values, u)
        cuda.syncthreads()
        return size

    @device
    def split(first, last, source, data, plan, found):
        """Note a pile's entries ``first..last`` for where they belong now, but the settled ones."""
        for i in range(first + cuda.threadIdx.x, last, THREADS):
            v = data.piles[i]
            value, past = load(data.values, v), load(data.settled, v)
            if not same(past, value) or same(value, data.identity):
                place = place_of(value, plan)
                if place > 0:
                    change(found.bests, place, found.bests[place], value, data.identity)
                    if place < source:
                        store(data.stamps, v, np.int32(-place))
                find(v, place, found)

    @device
    def take_up(source, start, waiting, stamp, data, batch, plan, found):
        """This block's part of a round; the edges relaxed.

        Expands the near queue or the listed pieces, or splits a pile and expands what is near.
        """
        held = found.held
        me, blocks = np.int64(cuda.threadIdx.x), np.int64(cuda.gridDim.x)
        brief = source != PIECES and waiting <= blocks * THREADS
        share = np.int64(1)
        if source != PIECES:
            share = max(np.int64(_SHARE), -(-waiting // blocks))
            share = min(share, np.int64(THREADS if source == 0 or brief else chunk))
        edges, first = np.int64(0), np.int64(cuda.blockIdx.x) * share
        while first < waiting:
            items, left, u = min(share, waiting - first), _ALONE if brief else 0, index(0)
            if source == 1 or source == 2:
                split(start + first, start + first + items, source, data, plan, found)
                items = np.int64(0)
                cuda.syncthreads()
                if brief:
                    items = np.int64(held[0])
                    if me < items:
                        u = found.ids[me]
            elif source == 0 and me < items:
                u = data.near[start + first + me]
            while items > 0:
                cuda.syncthreads()
                crowded = max(held[1], held[2]) > 0  # asked before anybody is found
                if me == 0:
                    held[0] = 0
                if source == PIECES:
                    total = gather_piece(first, data, batch)
                else:
                    total = gather(u, items, stamp, data, batch, plan)
                loose = left > 0 and total <= chunk // 2
                if crowded and not loose:
                    flush(data, plan, found)
                push(total, stamp, loose, data, batch, plan, found)
                edges += total
                left -= 1
                items = np.int64(0)
                if loose:
                    cuda.syncthreads()
                    if held[0] <= THREADS and max(held[1], held[2]) <= chunk // 2:
                        items = np.int64(held[0])
                        if me < items:
                            u = found.ids[me]
            flush(data, plan, found)
            first += blocks * share
        return edges

    return take_up
