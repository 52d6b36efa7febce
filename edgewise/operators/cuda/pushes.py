"""Ways to push a frontier's messages on CUDA: who walks which edges of a round.

Each maker gives ``push(room, out, data, turn, front, count, queue, heavy, counters, at, blocks,
scratch, control)``, which all threads of the grid call; ``send`` takes one edge. See
`edgewise.base.balance` for what the strategies are, and docs/gpu.md for when which wins.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.base.cuda.atomics import add, grid_barrier, load, store
from edgewise.base.cuda.device import simulated
from edgewise.base.cuda.kernels import device
from edgewise.base.cuda.language import cuda
from edgewise.operators.cuda.rounds import (
    HEAVY,
    HEAVY_DEGREE,
    SCOUT,
    SHORT,
    THREADS,
    block_add,
    block_scan,
    flush,
    owner,
)

__all__ = ["pusher"]

#: Rows for a warp; longer ones are for a block.
_WARP = SHORT if simulated() else 1024
_EVERY_LANE = 0xFFFFFFFF


def pusher(balance: str, send: Any, read: Any, ids: Any) -> Any:
    """The way to push by its name; ``ids`` is the type of the indices."""
    deal = _dealer(send, read, ids)
    if balance == "thread":
        return _by_threads(send, read)
    if balance == "group":
        return _by_groups(send, read, ids)
    return _by_output(deal) if balance == "output" else _by_input(balance, deal, send, read)


def _dealer(send: Any, read: Any, ids: Any) -> Any:
    """``deal``: the rows that a block's threads hold, their edges dealt out evenly."""

    @device
    def deal(room, u, start, length, out, data, turn, queue, counters, at):
        found, _, meta, _, offsets, starts, sources, warps = room
        me, edges = cuda.threadIdx.x, np.int64(0)
        starts[me], sources[me] = start, ids(u)
        block_scan(offsets, length, warps)
        total = np.int64(offsets[THREADS])
        for j in range(me, total, THREADS):
            row = owner(offsets, j)
            u = np.uint64(sources[row])
            e = starts[row] + np.uint64(j - np.int64(offsets[row]))
            edges += send(np.int64(u), read(data[0], u), e, out, data, turn, found, meta, queue,
                          counters, at)  # fmt: skip
        return edges

    return deal


def _by_input(balance: str, deal: Any, send: Any, read: Any) -> Any:
    """A block takes as many rows as it has threads; "auto" walks short rows whole, and leaves
    those of very many edges to all blocks together."""
    auto = balance == "auto"

    @device
    def push(room, out, data, turn, front, count, queue, heavy, counters, at, blocks, scratch,
             control):  # fmt: skip
        found, meta, place = room[0], room[2], room[3]
        me, block, indptr = cuda.threadIdx.x, cuda.blockIdx.x, out[0]
        if me == 0:
            meta[0] = 0
        cuda.syncthreads()
        edges = np.int64(0)
        spread = count <= blocks * THREADS  # few vertices: deal them out over all blocks
        base = np.int64(0)
        while base < count:
            i = np.int64(me) * blocks + block if spread else base + np.int64(block) * THREADS + me
            u, start, length = np.uint64(0), np.uint64(0), np.int64(0)
            if i < count:
                u = np.uint64(front[i])
                start = indptr[u]
                length = np.int64(indptr[u + np.uint64(1)] - start)
                if auto and length > HEAVY_DEGREE:
                    heavy[add(counters, at + HEAVY, 1)] = u
                    length = np.int64(0)
            # Few vertices leave threads idle, who may as well take an edge each.
            many = not auto or length > SHORT or (spread and length > 1)
            if cuda.syncthreads_or(np.int32(1 if many else 0)):
                edges += deal(room, u, start, length, out, data, turn, queue, counters, at)
            elif length > 0:
                value = read(data[0], u)
                for j in range(length):
                    edges += send(np.int64(u), value, start + np.uint64(j), out, data, turn, found,
                                  meta, queue, counters, at)  # fmt: skip
            edges += flush(found, meta, place, queue, counters, at, indptr)
            base += blocks * THREADS
        block_add(place, counters, at + SCOUT, edges)

    return push


def _by_threads(send: Any, read: Any) -> Any:
    """A thread walks its vertex's row, however long."""

    @device
    def push(room, out, data, turn, front, count, queue, heavy, counters, at, blocks, scratch,
             control):  # fmt: skip
        found, meta, place = room[0], room[2], room[3]
        me, indptr, edges = cuda.threadIdx.x, out[0], np.int64(0)
        if me == 0:
            meta[0] = 0
        cuda.syncthreads()
        base = np.int64(cuda.blockIdx.x) * THREADS
        while base < count:
            if base + me < count:
                u = np.uint64(front[base + me])
                value = read(data[0], u)
                e, end = indptr[u], indptr[u + np.uint64(1)]
                while e < end:
                    edges += send(np.int64(u), value, e, out, data, turn, found, meta, queue,
                                  counters, at)  # fmt: skip
                    e += np.uint64(1)
            edges += flush(found, meta, place, queue, counters, at, indptr)
            base += blocks * THREADS
        block_add(place, counters, at + SCOUT, edges)

    return push


def _by_groups(send: Any, read: Any, ids: Any) -> Any:
    """Short rows by a thread, middle ones by a warp, long ones by the block, in this order."""
    by_warp = _warp_walker(send, read)

    @device
    def push(room, out, data, turn, front, count, queue, heavy, counters, at, blocks, scratch,
             control):  # fmt: skip
        found, _, meta, place, lengths, starts, sources, tally = room
        me, indptr, edges = cuda.threadIdx.x, out[0], np.int64(0)
        if me == 0:
            meta[0] = 0
        base = np.int64(cuda.blockIdx.x) * THREADS
        while base < count:
            u, start, length = np.uint64(0), np.uint64(0), np.int64(0)
            if me == 0:
                tally[0] = 0
            cuda.syncthreads()
            if base + me < count:
                u = np.uint64(front[base + me])
                start = indptr[u]
                length = np.int64(indptr[u + np.uint64(1)] - start)
            if length > _WARP:
                slot = cuda.atomic.add(tally, 0, 1)
                starts[slot], sources[slot], lengths[slot] = start, ids(u), np.int32(length)
            elif length <= SHORT:
                value = read(data[0], u)
                for j in range(length):
                    edges += send(np.int64(u), value, start + np.uint64(j), out, data, turn, found,
                                  meta, queue, counters, at)  # fmt: skip
            edges += by_warp(SHORT < length <= _WARP, u, start, length, out, data, turn, found,
                             meta, queue, counters, at)  # fmt: skip
            cuda.syncthreads()
            for row in range(tally[0]):
                u = np.uint64(sources[row])
                value = read(data[0], u)
                for j in range(me, lengths[row], THREADS):
                    edges += send(np.int64(u), value, starts[row] + np.uint64(j), out, data, turn,
                                  found, meta, queue, counters, at)  # fmt: skip
            edges += flush(found, meta, place, queue, counters, at, indptr)
            base += blocks * THREADS
        block_add(place, counters, at + SCOUT, edges)

    return push


def _warp_walker(send: Any, read: Any) -> Any:
    """``by_warp``: the warp's chosen rows one after the other, an edge for each lane."""
    if simulated():
        return device(lambda chosen, u, start, length, out, data, turn, found, meta, queue,
                      counters, at: np.int64(0))  # fmt: skip

    @device
    def by_warp(chosen, u, start, length, out, data, turn, found, meta, queue, counters, at):
        edges, lane = np.int64(0), cuda.threadIdx.x & 31
        left = cuda.ballot_sync(_EVERY_LANE, chosen)
        while left != 0:
            at_lane = cuda.ffs(left) - 1
            left = left & (left - 1)
            row = np.uint64(cuda.shfl_sync(_EVERY_LANE, np.int64(u), at_lane))
            first = np.uint64(cuda.shfl_sync(_EVERY_LANE, np.int64(start), at_lane))
            many = cuda.shfl_sync(_EVERY_LANE, length, at_lane)
            value = read(data[0], row)
            for j in range(lane, many, 32):
                edges += send(np.int64(row), value, first + np.uint64(j), out, data, turn, found,
                              meta, queue, counters, at)  # fmt: skip
        return edges

    return by_warp


def _by_output(deal: Any) -> Any:
    """Every block takes equally many edges of the whole frontier."""

    @device
    def add_up(place, sums, count):
        """The sum of the first ``count`` numbers; all threads of a block call it."""
        mine = np.int64(0)
        for i in range(cuda.threadIdx.x, count, THREADS):
            mine += load(sums, i)
        cuda.syncthreads()
        if cuda.threadIdx.x == 0:
            place[0] = 0
        cuda.syncthreads()
        cuda.atomic.add(place, 0, mine)
        cuda.syncthreads()
        return place[0]

    @device
    def number(room, indptr, front, count, ends, sums, blocks, control):
        """Write where every row ends among the frontier's edges; how many edges there are."""
        place, offsets, warps = room[3], room[4], room[7]
        me, block = cuda.threadIdx.x, np.int64(cuda.blockIdx.x)
        chunk = (count + blocks - 1) // blocks
        low, high = block * chunk, min(count, block * chunk + chunk)
        running, base = np.int64(0), low
        while base < high:
            length = np.int64(0)
            if base + me < high:
                u = np.uint64(front[base + me])
                length = np.int64(indptr[u + np.uint64(1)] - indptr[u])
            block_scan(offsets, length, warps)
            if base + me < high:
                ends[base + me] = running + np.int64(offsets[me]) + length
            running += np.int64(offsets[THREADS])
            cuda.syncthreads()
            base += THREADS
        if me == 0:
            store(sums, block, running)
        grid_barrier(control, blocks)
        before = add_up(place, sums, block)
        for i in range(low + me, high, THREADS):
            ends[i] += before
        total = add_up(place, sums, blocks)
        grid_barrier(control, blocks)
        return total

    @device
    def push(room, out, data, turn, front, count, queue, heavy, counters, at, blocks, scratch,
             control):  # fmt: skip
        ends, sums = scratch
        found, meta, place = room[0], room[2], room[3]
        me, indptr, edges = cuda.threadIdx.x, out[0], np.int64(0)
        if me == 0:
            meta[0] = 0
        total = number(room, indptr, front, count, ends, sums, blocks, control)
        part = (total + blocks - 1) // blocks
        low = np.int64(cuda.blockIdx.x) * part
        high = min(total, low + part)
        i, past = np.int64(0), count
        while low < high and i < past:  # the first row that ends after ``low``
            middle = (i + past) >> 1
            if ends[middle] > low:
                past = middle
            else:
                i = middle + 1
        while low < high and i < count and (i == 0 or ends[i - 1] < high):
            u, start, length = np.uint64(0), np.uint64(0), np.int64(0)
            if i + me < count:
                begin = ends[i + me - 1] if i + me > 0 else np.int64(0)
                first, last = max(begin, low), min(ends[i + me], high)
                u = np.uint64(front[i + me])
                start = indptr[u] + np.uint64(max(first - begin, np.int64(0)))
                length = max(last - first, np.int64(0))
            edges += deal(room, u, start, length, out, data, turn, queue, counters, at)
            edges += flush(found, meta, place, queue, counters, at, indptr)
            i += THREADS
        block_add(place, counters, at + SCOUT, edges)

    return push
