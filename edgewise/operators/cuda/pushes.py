"""Ways to push a frontier's messages on CUDA: who walks which edges of a round.

``push(shared, rows, data, round, work)`` is called by all threads of the grid; ``send`` takes one
edge, or one column of it. docs/decisions/0006-cuda-engine.md compares them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.base.cuda.atomics import add, grid_barrier, load, store
from edgewise.base.cuda.bisection import upper_bound
from edgewise.base.cuda.kernels import device
from edgewise.base.cuda.language import cuda
from edgewise.operators.cuda.rounds import (
    HEAVY,
    HEAVY_DEGREE,
    SCOUT,
    SHORT,
    Columns,
    block_add,
    block_scan,
    degree,
    flush,
    owner,
    wide_scan,
)
from edgewise.operators.cuda.state import THREADS

__all__ = ["dealer", "pushes"]


def pushes(send: Any, read: Any, columns: Columns, ids: Any) -> tuple[Any, Any]:
    """The ways to push for one ``send``; ``ids`` is the type of the indices.

    By rows; and by edges, for what that leaves over and for rounds of many edges where rows are
    very uneven.
    """
    deal = dealer(send, read, columns, ids)
    return _by_rows(deal, send, read, columns), _by_edges(deal, columns)


def dealer(send: Any, read: Any, columns: Columns, ids: Any) -> Any:
    """``deal``: the rows that a block's threads hold, their items dealt out evenly.

    What all threads call; gives the sum of what ``send`` has given to each.
    """
    split, place = columns.split, columns.place

    @device
    def deal(shared, u, start, length, rows, data, round):
        me, edges = cuda.threadIdx.x, np.int64(0)
        shared.starts[me], shared.sources[me] = start, ids(u)
        block_scan(shared.offsets, length, shared.warps)
        for j in range(me, np.int64(shared.offsets[THREADS]), THREADS):
            row = owner(shared.offsets, j)
            u = np.uint64(shared.sources[row])
            k, column = split(np.int64(j) - np.int64(shared.offsets[row]), data)
            value = read(data.sources, place(u, column, data))
            e = shared.starts[row] + np.uint64(k)
            edges += send(u, value, e, column, rows, data, shared, round)
        return edges

    return deal


def _by_rows(deal: Any, send: Any, read: Any, columns: Columns) -> Any:
    """A block takes as many rows as it has threads: short ones whole, else their edges are dealt
    out; rows of very many edges are left to all blocks together."""
    items, several = columns.items, columns.several

    @device
    def push(shared, rows, data, round, work):
        me, block, blocks = cuda.threadIdx.x, cuda.blockIdx.x, round.blocks
        if me == 0:
            shared.held[0] = 0
        cuda.syncthreads()
        edges = np.int64(0)
        spread = round.count <= blocks * THREADS  # few vertices: deal them out over all blocks
        base = np.int64(0)
        while base < round.count:
            i = np.int64(me) * blocks + block if spread else base + np.int64(block) * THREADS + me
            u, start, length = np.uint64(0), np.uint64(0), np.int64(0)
            if i < round.count:
                u = np.uint64(round.front[i])
                start = rows.indptr[u]
                length = degree(rows.indptr, u)
                if length > HEAVY_DEGREE:
                    work.heavy[add(round.counters, round.at + HEAVY, 1)] = u
                    length = np.int64(0)
            # Few vertices leave threads idle, who may as well take an edge each.
            many = length > SHORT or (spread and length > 1) or (several and length > 0)
            if cuda.syncthreads_or(np.int32(1 if many else 0)):
                edges += deal(shared, u, start, items(length, data), rows, data, round)
            elif length > 0:
                value = read(data.sources, u)
                for j in range(length):
                    e = start + np.uint64(j)
                    edges += send(u, value, e, np.int64(0), rows, data, shared, round)
            edges += flush(shared, rows.indptr, round)
            base += blocks * THREADS
        block_add(shared.place, round.counters, round.at + SCOUT, edges)

    return push


def _by_edges(deal: Any, columns: Columns) -> Any:
    """Every block takes equally many edges of the whole frontier, by prefix sums and a search; how
    many edges there are."""
    items = columns.items

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
    def number(shared, rows, round, work):
        """Write where every row ends among the frontier's edges; how many edges there are."""
        me, block, blocks = cuda.threadIdx.x, np.int64(cuda.blockIdx.x), round.blocks
        chunk = (round.count + blocks - 1) // blocks
        low, high = block * chunk, min(round.count, block * chunk + chunk)
        running, base = np.int64(0), low
        while base < high:
            length = np.int64(0)
            if base + me < high:
                length = degree(rows.indptr, np.uint64(round.front[base + me]))
            wide_scan(shared.starts, length, shared.wide_warps)
            if base + me < high:
                work.ends[base + me] = running + np.int64(shared.starts[me]) + length
            running += np.int64(shared.starts[THREADS])
            cuda.syncthreads()
            base += THREADS
        if me == 0:
            store(work.shares, block, running)
        grid_barrier(work.control, blocks)
        before = add_up(shared.place, work.shares, block)
        for i in range(low + me, high, THREADS):
            work.ends[i] += before
        total = add_up(shared.place, work.shares, blocks)
        grid_barrier(work.control, blocks)
        return total

    @device
    def push(shared, rows, data, round, work):
        me, edges, ends = cuda.threadIdx.x, np.int64(0), work.ends
        if me == 0:
            shared.held[0] = 0
        total = number(shared, rows, round, work)
        part = (total + round.blocks - 1) // round.blocks
        low = np.int64(cuda.blockIdx.x) * part
        high = min(total, low + part)
        i = upper_bound(ends, 0, round.count if low < high else 0, low)  # the row that holds it
        while low < high and i < round.count and (i == 0 or ends[i - 1] < high):
            u, start, length = np.uint64(0), np.uint64(0), np.int64(0)
            if i + me < round.count:
                begin = ends[i + me - 1] if i + me > 0 else np.int64(0)
                first, last = max(begin, low), min(ends[i + me], high)
                u = np.uint64(round.front[i + me])
                start = rows.indptr[u] + np.uint64(max(first - begin, np.int64(0)))
                length = max(last - first, np.int64(0))
            edges += deal(shared, u, start, items(length, data), rows, data, round)
            edges += flush(shared, rows.indptr, round)
            i += THREADS
        block_add(shared.place, round.counters, round.at + SCOUT, edges)
        return total

    return push
