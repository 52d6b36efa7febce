"""What priority order does on piles and edges on CUDA, as device functions for one kernel.

Vertices that improve go to a near queue if their value lies within ``delta`` of the ``base``, else
to a far pile [1]. "bucketed" keeps a middle pile of several deltas between the two, so that the far
pile is touched seldom. ``settled`` holds the value with which a vertex was last expanded: whoever
takes a vertex whose value is settled drops it (not one that has no value yet: only a member of the
first frontier can be such, and it sends once).

A block takes as many vertices as it has threads and deals out their edges evenly; very long rows
are cut into pieces for all blocks. While a queue is short every block goes on by itself for some
steps with what it has found, without meeting the others.

``stamps[v]`` is the round for which v was queued, or minus the pile it lies on. A vertex moves to
better piles alone, so it comes to each pile once, and none can overflow.

``data`` is ``(rows, values, identity, settled, stamps, near, piles, hubs, bests, counts)``; in
shared memory ``desk`` holds the rows being expanded, ``plan`` where a round adds to and which
values belong where, ``heap`` what the block has found.

[1] A. Davidson, S. Baxter, M. Garland, J. Owens. Work-efficient parallel GPU methods for
    single-source shortest paths. IPDPS 2014.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.base.cuda.atomics import add, cas, exch, load, store
from edgewise.base.cuda.device import simulated
from edgewise.base.cuda.kernels import device
from edgewise.base.cuda.language import cuda
from edgewise.operators.cuda.inner import caster, edge_reader, sameness, weight_reader
from edgewise.operators.cuda.rounds import block_scan

__all__ = ["BESTS", "HEAVY_DEGREE", "PIECES", "STARTS", "THREADS", "WORDS", "Shape", "expander"]

# Words of a block's ``slots``: counters, starts of piles, and places of best values, by pile.
WORDS, STARTS, BESTS = 0, 4, 8
#: What a round takes up besides the near queue (0) and the piles (1, 2): pieces of long rows.
PIECES = 3
#: Threads of a block: as many registers as a thread takes, two blocks fit a multiprocessor.
THREADS = 32 if simulated() else 256
#: Edges between two flushes of a block, and of a piece of a long row (half for wide ids).
CHUNK = 128 if simulated() else 2048
#: Rows longer than this are shared by all blocks.
HEAVY_DEGREE = 16 if simulated() else 2048
#: Steps that a block goes by itself, and the least number of vertices that it takes.
_ALONE, _SHARE = (3, 4) if simulated() else (12, 16)


class Shape(NamedTuple):
    """What of its arguments a kernel is made for."""

    narrow: np.dtype  # of the values as the user has them
    wide: np.dtype  # of the values as the kernel has them
    ids: np.dtype
    weighted: bool
    mapped: bool
    order: int
    bucketed: bool

    @property
    def chunk(self) -> int:
        """Edges between two flushes, so many that a heap holds the targets of all."""
        return CHUNK * 4 // self.ids.itemsize

    @property
    def places(self) -> int:
        """The near queue and the piles."""
        return 3 if self.bucketed else 2


def expander(message: Any, combine: Any, where: Any, shape: Shape) -> Any:
    """``take_up``, a block's part of a round, for a message, an ordered monoid and a condition.

    All are device functions.
    """
    narrowed, kind, index = caster((shape.narrow,)), shape.wide.type, shape.ids.type
    same, weight_at = sameness((shape.wide,)), weight_reader(shape.weighted)
    edge_at, ascending, bucketed = edge_reader(shape.mapped), shape.order > 0, shape.bucketed
    listens, choosy = where or device(lambda value: True), where is not None
    places, chunk = shape.places, shape.chunk

    @device
    def improve(array, i, old, new):
        """Combine a value in, atomically; did that change anything?

        ``old`` is what the array was seen to hold. It may be worse by now: then the exchange fails
        and tells the latest.
        """
        while True:
            best = kind(combine(old, new))
            if same(best, old):
                return False
            found = cas(array, i, old, best)
            if same(found, old):
                return True
            old = found

    @device
    def within(value, base, end):
        """Is a value better than ``end``, or no worse than ``base`` (or not a number)?"""
        if ascending:
            return np.float64(value) < end or not base < value
        return np.float64(value) > end or not base > value

    @device
    def place_of(value, plan):
        """The pile for a value: 0 is near, 1 and 2 are farther."""
        _, bases, ends = plan
        if within(value, bases[0], ends[0]):
            return 0
        if not bucketed or within(value, bases[1], ends[1]):
            return 1
        return 2

    @device
    def toss(v, place, heap):
        """Put a vertex on the block's own heap for a pile."""
        heaps, held, _, _ = heap
        heaps[place * chunk + cuda.atomic.add(held, place, 1)] = v

    @device
    def flush(data, plan, heap):
        """Move the block's heaps to the piles; all threads call it."""
        _, _, identity, _, _, near, piles, _, bests, counts = data
        slots, (heaps, held, spans, leads) = plan[0], heap
        me = np.int64(cuda.threadIdx.x)
        cuda.syncthreads()
        job, place = me // (THREADS // 8), me // (THREADS // 8) % 4  # in a warp each
        if me % (THREADS // 8) == 0 and place < places:
            if job < 4:
                count = np.int64(held[place])
                if count > 0:
                    spans[place] = add(counts, slots[WORDS + place], count)
                spans[4 + place], held[place] = count, 0
            elif place > 0 and not same(leads[place], identity):
                best = slots[BESTS + place]
                improve(bests, best, bests[best], leads[place])
                leads[place] = identity
        cuda.syncthreads()
        for i in range(me, spans[4], THREADS):
            near[slots[STARTS] + spans[0] + i] = heaps[i]
        for place in range(1, places):
            for i in range(me, spans[4 + place], THREADS):
                piles[slots[STARTS + place] + spans[place] + i] = heaps[place * chunk + i]
        cuda.syncthreads()

    @device
    def peek(e, data):
        """The target of an edge, the weight, and the target's value, which may be old."""
        v = data[0][1][e]
        return v, weight_at(data[0][2], e), data[1][v]

    @device
    def send(e, u, value, seen, stamp, loose, data, plan, heap):
        """Send along one edge, and toss the target if it improves.

        A ``loose`` near target is not stamped: it may be tossed again before the round ends.
        """
        rows, values, _, _, stamps, _, _, _, _, _ = data
        v, weight, old = seen
        sent = message(narrowed(value), weight, np.int64(u), edge_at(rows[3], e), 0)
        new = kind(narrowed(sent))
        if choosy and not listens(narrowed(load(values, v))):
            return
        if not improve(values, v, old, new):
            return
        place, leads = place_of(new, plan), heap[3]
        if place > 0:
            improve(leads, place, leads[place], new)
            if exch(stamps, v, np.int32(-place)) != np.int32(-place):
                toss(v, place, heap)
        elif loose or exch(stamps, v, stamp) != stamp:
            toss(v, 0, heap)

    @device
    def owners(offsets, i, j, k, m):
        """The rows on the desk to which four edges belong."""
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
    def push(total, stamp, loose, data, desk, plan, heap):
        """Send along all edges on the desk, dealt out evenly; the last chunk is not flushed.

        Four edges at a time, so that a thread waits for their loads together.
        """
        offsets, _, lows, tails, sends = desk
        first = np.int64(0)
        while first < total:
            end = min(first + chunk, total)
            i = first + cuda.threadIdx.x
            while i < end:
                j, k, m = i + THREADS, i + 2 * THREADS, i + 3 * THREADS
                a, b, c, d = owners(offsets, i, min(j, end - 1), min(k, end - 1), min(m, end - 1))
                p = lows[a] + np.uint64(i - offsets[a])
                q = lows[b] + np.uint64(min(j, end - 1) - offsets[b])
                r = lows[c] + np.uint64(min(k, end - 1) - offsets[c])
                s = lows[d] + np.uint64(min(m, end - 1) - offsets[d])
                w, x, y, z = peek(p, data), peek(q, data), peek(r, data), peek(s, data)
                send(p, tails[a], sends[a], w, stamp, loose, data, plan, heap)
                if j < end:
                    send(q, tails[b], sends[b], x, stamp, loose, data, plan, heap)
                if k < end:
                    send(r, tails[c], sends[c], y, stamp, loose, data, plan, heap)
                if m < end:
                    send(s, tails[d], sends[d], z, stamp, loose, data, plan, heap)
                i += 4 * THREADS
            first += chunk
            if first < total:
                flush(data, plan, heap)

    @device
    def hand_over(u, low, high, hubs, counts, word):
        """List a long row in pieces for all blocks; False if the list is full."""
        owners, firsts = hubs
        pieces = np.int64((high - low + np.uint64(chunk - 1)) // np.uint64(chunk))
        start, room = add(counts, word, pieces), np.int64(len(firsts))
        listed = start + pieces <= room
        for i in range(start, min(start + pieces, room)):
            owners[i] = u
            firsts[i] = low + np.uint64(i - start) * np.uint64(chunk) if listed else high
        return listed

    @device
    def lay_out(u, items, stamp, data, desk, plan):
        """Put the rows of the block's vertices on its desk; the number of all their edges."""
        rows, values, identity, settled, stamps, near, _, hubs, _, counts = data
        offsets, warps, lows, tails, sends = desk
        slots, me, size = plan[0], cuda.threadIdx.x, np.int64(0)
        if me < items:
            value, past = load(values, u), load(settled, u)
            low, high = rows[0][u], rows[0][np.uint64(u) + np.uint64(1)]
            if not same(past, value) or same(value, identity):
                size = np.int64(high - low)
                lows[me], tails[me], sends[me] = low, u, value
                if size <= HEAVY_DEGREE:
                    store(settled, u, value)
                else:
                    size = np.int64(0)
                    if hand_over(u, low, high, hubs, counts, slots[WORDS + 3]):
                        store(settled, u, value)
                    elif exch(stamps, u, stamp) != stamp:
                        near[slots[STARTS] + add(counts, slots[WORDS], 1)] = u
        block_scan(offsets, size, warps)
        return np.int64(offsets[THREADS])

    @device
    def lay_piece(i, data, desk):
        """Put one piece of a long row on the desk; the number of its edges."""
        owners, firsts = data[7]
        offsets, _, lows, tails, sends = desk
        u, low, me = owners[i], firsts[i], cuda.threadIdx.x
        high = min(low + np.uint64(chunk), data[0][0][np.uint64(u) + np.uint64(1)])
        size = np.int64(high - low)
        offsets[me] = np.int32(0 if me == 0 else size)
        if me == 0:
            lows[0], tails[0], sends[0] = low, u, load(data[1], u)
        cuda.syncthreads()
        return size

    @device
    def split(first, last, source, data, plan, heap):
        """Toss a pile's entries ``first..last`` to where they belong now, but the settled ones."""
        _, values, identity, settled, stamps, _, piles, _, _, _ = data
        leads = heap[3]
        for i in range(first + cuda.threadIdx.x, last, THREADS):
            v = piles[i]
            value, past = load(values, v), load(settled, v)
            if not same(past, value) or same(value, identity):
                place = place_of(value, plan)
                if place > 0:
                    improve(leads, place, leads[place], value)
                    if place < source:
                        store(stamps, v, np.int32(-place))
                toss(v, place, heap)

    @device
    def take_up(source, start, waiting, stamp, data, desk, plan, heap):
        """This block's part of a round; the edges relaxed.

        Expands the near queue or the listed pieces, or splits a pile and expands what is near.
        """
        near, heaps, held = data[5], heap[0], heap[1]
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
                split(start + first, start + first + items, source, data, plan, heap)
                items = np.int64(0)
                cuda.syncthreads()
                if brief:
                    items = np.int64(held[0])
                    if me < items:
                        u = heaps[me]
            elif source == 0 and me < items:
                u = near[start + first + me]
            while items > 0:
                cuda.syncthreads()
                crowded = max(held[1], held[2]) > 0  # asked before anybody tosses
                if me == 0:
                    held[0] = 0
                if source == PIECES:
                    total = lay_piece(first, data, desk)
                else:
                    total = lay_out(u, items, stamp, data, desk, plan)
                loose = left > 0 and total <= chunk // 2
                if crowded and not loose:
                    flush(data, plan, heap)
                push(total, stamp, loose, data, desk, plan, heap)
                edges += total
                left -= 1
                items = np.int64(0)
                if loose:
                    cuda.syncthreads()
                    if held[0] <= THREADS and max(held[1], held[2]) <= chunk // 2:
                        items = np.int64(held[0])
                        if me < items:
                            u = heaps[me]
            flush(data, plan, heap)
            first += blocks * share
        return edges

    return take_up
