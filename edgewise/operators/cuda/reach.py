"""`reach` on CUDA: a block to each search, as many as run at once, each then takes the next one.

The threads of a block take the vertices of its queue in turns, and all pieces of a long row
together. A search is mostly waiting for memory, so small blocks are best, of which thousands are at
work; where sets are large a block has more threads. The first members stand in shared memory, the
others in the block's part of a queue for all vertices; who has been reached is a bitmap of the
block's own in global memory.

A set that fits shared memory is sorted there; a larger one is read off the bitmap, in order. Each
thread knows how many bytes its part of the row takes, so that all write at the same time.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from edgewise.base import random
from edgewise.base.cuda.atomics import add, bit_or
from edgewise.base.cuda.bitonic import bitonic_sort
from edgewise.base.cuda.bits import bit_length
from edgewise.base.cuda.device import free_memory, host, simulated
from edgewise.base.cuda.kernels import Kernel, device, kernel
from edgewise.base.cuda.language import cuda
from edgewise.base.cuda.random import mix, twin
from edgewise.graph import Graph
from edgewise.operators.cuda.set_rows import put, put_list, put_words
from edgewise.operators.cuda.state import nothing
from edgewise.operators.jumps import jumping
from edgewise.operators.reaching import Searches, hashed_seed
from edgewise.operators.set_encoding import longest_row

__all__ = ["reach"]

#: Threads of a block where sets are small, and where they are large.
SMALL, LARGE = (4, 8) if simulated() else (32, 256)
#: Sets of so many bytes on average are large.
_LARGE_ROW = 2048
#: Members in shared memory, a power of two, and long rows that wait there to be shared.
HELD = 32 if simulated() else 1024
_LONG = 4 if simulated() else 32
#: Searches of the first launch, of others, and of others where memory is bounded.
_FIRST, _LAUNCH, _BOUNDED = 1 << 12, 1 << 20, 1 << 16
#: Words of ``control``: the next search; the end of what is written; how many bytes that is.
_NEXT, _TOP, _BYTES = range(3)
#: Words of a block: its search, the end of its queue, where its row goes, how many rows are long.
_ITEM, _TAIL, _AT, _WAITING = range(4)
_LAST = np.uint64(2**64 - 1)  # names the draw of a start

step, upper = twin(random.step, mix=mix), twin(random.upper)


def reach(graph: Graph, request: Searches) -> None:
    """See `edgewise.operators.reach`."""
    odds, count, bounds, starts, seed, first, sets, memory = request
    xp, done, seed = graph.xp, 0, hashed_seed(seed)
    along = nothing(np.uint32) if odds.along is None else odds.along
    rows = odds.rows, odds.indices, odds.tops, along, odds.table
    scratch: Any = None
    while done < count:
        turn = min(_FIRST if len(sets) == 0 else _LAUNCH if memory is None else _BOUNDED,
                   count - done)  # fmt: skip
        threads = LARGE if sets.payload > _LARGE_ROW * len(sets) else SMALL
        run = search_kernel(odds.take, odds.along is None, threads)
        places, control = xp.full(turn, -1, np.int64), xp.zeros(3, np.int64)
        while True:
            each = sets.payload / len(sets) if len(sets) else 64
            sets.reserve(sets.used + int(1.2 * each * turn) + 2 * longest_row(sets.num_vertices))
            control[_NEXT], control[_TOP] = 0, sets.used
            searches = bounds[done : done + turn + 1], starts, places, control
            if scratch is None or scratch[0] != threads:
                scratch = threads, *_new_scratch(graph, run, threads, rows, searches, sets.data)
            _, blocks, *space = scratch
            run(blocks, threads, rows, searches, tuple(space), sets.data, seed,
                np.uint64(first + done))  # fmt: skip
            _, top, written = host(control).tolist()
            sets.used = min(top, len(sets.data))
            if top <= len(sets.data):
                break
        if not sets._take_up(places, written, memory):
            break
        done += turn


def _new_scratch(graph: Graph, run: Kernel, threads: int, *given: Any) -> tuple[int, Any, Any]:
    """How many blocks there are, with bitmaps and queues for them."""
    n, xp = graph.num_vertices, graph.xp
    words = -(-n // 32)
    dummies = xp.zeros(1, np.uint32), xp.zeros(1, np.uint32)
    rows, searches, data = given
    blocks = run.resident(threads, rows, searches, dummies, data, np.uint64(0), np.uint64(0))
    if not simulated():
        blocks = max(1, min(blocks, free_memory() // 4 // (4 * (words + n))))
    return blocks, xp.zeros(blocks * words, np.uint32), xp.empty(blocks * n, np.uint32)


@cache
def search_kernel(take: str, alike: bool, threads: int) -> Kernel:
    """The loop over searches, for one way of taking edges; ``alike``: every row has one chance."""
    each, (spread, share_row) = take == "each", _spreading(take, alike, threads)

    @kernel
    def run(rows, searches, scratch, data, seed, first):
        members = cuda.shared.array(HELD, np.uint32)
        waiting = cuda.shared.array(_LONG, np.int64)
        words = cuda.shared.array(4, np.int64)
        sums = cuda.shared.array(threads, np.int64)
        bounds, starts, places, control = searches
        n, me = np.int64(len(rows[0])) >> 1, np.int64(cuda.threadIdx.x)
        width, block = (n + 31) >> 5, np.int64(cuda.blockIdx.x)
        marks = scratch[0][block * width : (block + 1) * width]
        block_queue = scratch[1][block * n : (block + 1) * n]
        known = members, block_queue, marks, words, waiting
        written = np.int64(0)
        while True:
            cuda.syncthreads()
            if me == 0:
                words[_ITEM], words[_TAIL] = add(control, _NEXT, 1), 0
            cuda.syncthreads()
            i = words[_ITEM]
            if i >= len(places):
                break
            if places[i] >= 0:
                continue
            key = mix(seed ^ np.uint64(first + np.uint64(i)))
            if len(bounds) > 0:
                j = bounds[i] + me
                while j < bounds[i + 1]:
                    visit(known, starts[j])
                    j += threads
            elif me == 0:
                visit(known, np.int64(upper(step(key, _LAST), np.uint64(n))))
            head = np.int64(0)
            while True:
                cuda.syncthreads()
                tail = words[_TAIL]
                if me == 0:
                    words[_WAITING] = 0
                cuda.syncthreads()
                if head == tail:
                    break
                while head + me < tail:
                    spread(rows, key, known, member(members, block_queue, head + me))
                    head += threads
                head = tail
                if each:
                    cuda.syncthreads()
                    for k in range(min(words[_WAITING], _LONG)):
                        share_row(rows, key, known, waiting[k], me)
            written += write(data, control, known, sums, n, tail, me)
            if me == 0:
                places[i] = words[_AT]
        if me == 0:
            add(control, _BYTES, written)

    write = _writer(threads)
    return run


@device
def member(members, queue, k):
    """The k-th vertex that was reached."""
    return np.int64(members[k]) if k < HELD else np.int64(queue[k])


@device
def visit(known, u):
    """Put a vertex on the queue unless it has been reached."""
    members, queue, marks, words, _ = known
    bit = np.uint32(np.uint32(1) << np.uint32(u & 31))
    if np.uint32(bit_or(marks, u >> 5, bit)) & bit == 0:
        place = cuda.atomic.add(words, _TAIL, 1)
        if place < HELD:
            members[place] = u
        else:
            queue[place] = u


def _spreading(take: str, alike: bool, threads: int) -> tuple[Any, Any]:
    """``spread``: along the live edges of a vertex, by a thread; a long row waits for `share_row`.

    That goes along all pieces of the row, by all threads.
    """
    row, jump, pick = jumping(device, step, bit_length, alike)

    @device
    def cross(rows, key, known, v, e, stop, factor):
        while e < stop:
            e, live = jump(rows, key, v, e, stop, factor)
            if live:
                visit(known, np.int64(rows[1][e]))
            e += 1

    @device
    def along_each(rows, key, known, v):
        e, end, factor, length = row(rows, np.uint64(v))
        if end - e > length:
            place = cuda.atomic.add(known[3], _WAITING, 1)
            if place < _LONG:
                known[4][place] = v
                e = end
        while e < end:
            stop = min(e + length, end)
            cross(rows, key, known, v, e, stop, factor)
            e = stop

    @device
    def share_row(rows, key, known, v, me):
        e, end, factor, length = row(rows, np.uint64(v))
        e += me * length
        while e < end:
            cross(rows, key, known, v, e, min(e + length, end), factor)
            e += threads * length

    @device
    def along_one(rows, key, known, v):
        e, end = pick(rows, key, np.uint64(v))
        if e < end:
            visit(known, np.int64(rows[1][e]))

    return (along_each if take == "each" else along_one), share_row


@cache
def _writer(threads: int) -> Any:
    """``write``: the set of a search, by all threads; how many bytes, told to the first one."""
    sort, list_bytes, word_bytes = _sorter(threads), put_list(False), put_words(False)
    write_list, write_words = put_list(True), put_words(True)

    @device
    def write(data, control, known, sums, n, size, me):
        members, queue, marks, words, _ = known
        bitmap, short = size >= n // 8 + 1, size <= HELD
        width = np.int64(len(marks))
        low, high, last = np.int64(0), np.int64(0), np.int64(-1)
        mine = np.int64(0)
        if not bitmap and short:
            sort(members, size, me)
            each = (size + threads - 1) // threads
            low = min(me * each, size)
            high = min(low + each, size)
            if low > 0:
                last = np.int64(members[low - 1])
            mine = list_bytes(data, 0, members, low, high, last)
        elif not bitmap:
            each = (width + threads - 1) // threads
            low = min(me * each, width)
            high = min(low + each, width)
            sums[me] = last_of(marks, low, high)
            cuda.syncthreads()
            before = me - 1
            while before >= 0 and last < 0:
                last = sums[before]
                before -= 1
            cuda.syncthreads()
            mine = word_bytes(data, 0, marks, low, high, last)
        elif me == 0:
            mine = (n + 7) >> 3
        sums[me] = mine
        cuda.syncthreads()
        before, total = np.int64(0), np.int64(0)
        for t in range(threads):
            if t == me:
                before = total
            total += sums[t]
        header = 2 * size + (1 if bitmap else 0)
        ahead = np.int64(1)
        while header >> (7 * ahead) > 0:
            ahead += 1
        total += ahead
        if me == 0:
            at = add(control, _TOP, total)
            words[_AT] = at if at + total <= len(data) else -1
            if words[_AT] >= 0:
                put(data, at, header)
        cuda.syncthreads()
        at = words[_AT]
        if at >= 0:
            at += ahead
            if bitmap:
                write_bitmap(data, at, marks, (n + 7) >> 3, me)
            elif short:
                write_list(data, at + before, members, low, high, last)
            else:
                write_words(data, at + before, marks, low, high, last)
        cuda.syncthreads()
        k = me
        if short:
            while k < size:
                marks[np.int64(members[k]) >> 5] = 0
                k += threads
        else:
            while k < width:
                marks[k] = 0
                k += threads
        return total if words[_AT] >= 0 else np.int64(0)

    @device
    def write_bitmap(data, at, marks, length, me):
        k = me
        while k < length:
            data[at + k] = np.uint8((marks[k >> 2] >> np.uint32(8 * (k & 3))) & np.uint32(255))
            k += threads

    return write


@device
def last_of(marks, low, high):
    """The last vertex that is marked in these words; -1 if none is."""
    while high > low:
        high -= 1
        if marks[high] != 0:
            return 32 * high + bit_length(np.uint64(marks[high])) - 1
    return np.int64(-1)


@cache
def _sorter(threads: int) -> Any:
    """``sort``: the first members, in shared memory, by all threads."""
    ascending = bitonic_sort(threads)

    @device
    def sort(members, size, me):
        whole = np.int64(1)
        while whole < size:
            whole *= 2
        k = size + me
        while k < whole:
            members[k] = 0xFFFFFFFF
            k += threads
        ascending(members, whole, me)

    return sort
