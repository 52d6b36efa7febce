"""`explore` on CUDA: a block of threads makes a search alone, first level to last.

Block b makes the searches b, b + blocks, and so on, in arrays of its own, so that no block waits
for another. A few neighboring threads share a row. Levels are parted by one barrier of the block:
three counters take turns, so that one is read while the next one counts.

Path counts are added where edges lead, in any order, which is exact below 2**53. Where they are
larger, they are added up again in the order of the rows, by a thread each. Shares are totals over
rows, always in the same order. Every block has sums of its own, added up in the order of blocks at
the end. So a sum has the same bits at every call.

Pays for: rows betweenness_centrality and closeness_centrality of ``python -m benchmarks gpu``.
"""

from __future__ import annotations

from functools import cache
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from edgewise.base.cuda.atomics import add, cas
from edgewise.base.cuda.device import free_memory, simulated
from edgewise.base.cuda.kernels import Kernel, device, kernel, translated
from edgewise.base.cuda.language import cuda
from edgewise.base.observe import notify
from edgewise.graph import Graph
from edgewise.operators.adjacency import adjacency
from edgewise.operators.cuda.state import check_work
from edgewise.operators.cuda.totals import EVERY_LANE
from edgewise.operators.functions import compiled, naming_failures
from edgewise.operators.requests import Exploration

__all__ = ["explore"]

#: Threads of a block: at most, and where levels are narrow as those of roads, or graphs small.
MOST, _NARROW, _SMALL = (8, 8, 8) if simulated() else (512, 64, 256)
#: Mean degrees up to which levels are taken to be narrow, and vertices of a small graph.
_SPARSE, _FEW = 4, 1 << 15
#: Bytes of all blocks' arrays together, at most; and at most a quarter of what is free.
_BUDGET = 1 << 32
#: Seconds of a launch within which the next one takes on twice as many searches.
_BRIEF = 0.2
_FAR = np.int32(2**31 - 1)
#: Words of a block, after three counters: what is known of path counts.
_COUNTS, _EXACT, _INEXACT, _ENDLESS = 3, 0, 1, 2


class Scratch(NamedTuple):
    """What blocks work in, a row for each."""

    depths: Any  # `_FAR` between searches
    queue: Any
    starts: Any  # of levels, in the queue; these and the next ones are there to count paths
    paths: Any  # zero between searches
    shares: Any
    parts: Any  # the sums


class Rows(NamedTuple):
    """The rows along edges, and those against them."""

    indptr: Any
    indices: Any
    back_indptr: Any
    back_indices: Any


class Level(NamedTuple):
    """The vertices of one depth: where they begin and end in the queue."""

    depth: Any
    low: Any
    high: Any


def explore(graph: Graph, request: Exploration) -> Any:
    """See `edgewise.operators.explore`."""
    sources, visit, state, paths, along, sums, edges, most = request
    xp, count, n = graph.xp, len(sources), graph.num_vertices
    failed = xp.zeros(count, np.bool_)
    if count:
        out, into = adjacency(graph, edges, None, (), paths)
        rows = Rows(out.indptr, out.indices, into.indptr, into.indices)
        visit = compiled(visit, "visit")
        run = search_kernel(translated(visit), paths, along, sums is not None)
        searches = xp.asarray(np.asarray(sources, np.int64)), failed
        least = np.float64(2.0 ** ((n + 1).bit_length() - 1022))
        shift = 0 if simulated() else _shift(len(out.indices) / n)

        def arguments(scratch: Scratch, first: int = 0, last: int = 0) -> tuple:
            return rows, searches, scratch, state, first, last, most, least, shift

        with naming_failures(visit):
            entries = 0 if sums is None else len(sums)
            little = _scratch(xp, 1, 1, rows.indices.dtype, paths, 1)
            threads, blocks = _shape(run, arguments(little), count, n, len(out.indices))
            blocks = _fitting(blocks, count, n, entries, rows.indices.dtype, paths)
            scratch = _scratch(xp, blocks, n, rows.indices.dtype, paths, entries)
            _launch(run, threads, blocks, arguments, scratch, failed)
        if sums is not None:
            sums += scratch.parts.sum(axis=0)
    return xp.flatnonzero(failed)


def _launch(
    run: Kernel, threads: int, blocks: int, arguments: Any, scratch: Scratch, failed: Any
) -> None:
    """All searches, in launches that end within a second or so: signals are heard between them."""
    first, rounds, beat, count = 0, 2, 0, len(failed)
    while first < count:
        last, began = min(count, first + rounds * blocks), perf_counter()
        run(blocks, threads, *arguments(scratch, first, last))
        failed[0].item()  # wait
        if perf_counter() - began < _BRIEF:
            rounds *= 2
        notify(beat, done=last, total=count)
        first, beat = last, beat + 1


def _shift(degree: float) -> int:
    """How many threads share a row, as a power of two."""
    return 0 if degree < 2 else 2 if degree < 12 else 3 if degree < 48 else 5


def _shape(run: Kernel, args: tuple, count: int, n: int, arcs: int) -> tuple[int, int]:
    """Threads of a block, more where searches are too few to fill the GPU, and blocks at once."""
    threads = _NARROW if arcs <= _SPARSE * n else _SMALL if n <= _FEW else MOST
    while threads < MOST and run.resident(threads, *args) > 2 * count:
        threads *= 2
    return threads, run.resident(threads, *args)


def _fitting(blocks: int, count: int, n: int, entries: int, ids: np.dtype, paths: bool) -> int:
    """As many blocks as there is memory for, all with about as many searches."""
    needed = 8 * entries + n * (4 + ids.itemsize * (2 if paths else 1) + (16 if paths else 0))
    check_work("explore", (needed, np.int8))
    budget = _BUDGET if simulated() else min(_BUDGET, free_memory() // 4)
    blocks = max(1, min(blocks, count, budget // needed))
    return -(-count // -(-count // blocks))


def _scratch(xp: Any, blocks: int, n: int, ids: np.dtype, paths: bool, entries: int) -> Scratch:
    counted = n if paths else 0
    return Scratch(
        xp.full((blocks, n), _FAR, np.int32), xp.empty((blocks, n), ids),
        xp.empty((blocks, counted), ids), xp.zeros((blocks, counted)),
        xp.empty((blocks, counted)), xp.zeros((blocks, entries)),
    )  # fmt: skip


@cache
def search_kernel(visit: Any, paths: bool, along: bool, adds: bool) -> Kernel:
    """The loop over searches for one function, a device function."""

    @device
    def go_on(i, rows, mine, words, spot, level, most, limit, shift, state):
        """A level: find the next one, and count the paths to it; without counting, visit."""
        depth, low, high = level
        lane, step, deeper = lane_of(shift), cuda.blockDim.x >> shift, np.int32(depth + 1)
        j = low + (cuda.threadIdx.x >> shift)
        while j < high:
            u, count = np.uint64(mine.queue[j]), 0.0
            j += step
            if paths:
                count = mine.paths[u]
                if count >= limit:
                    words[_COUNTS] = _INEXACT
            elif lane == 0:
                if adds:
                    mine.parts[u] += visit(np.int64(u), i, depth, *state)
                else:
                    visit(np.int64(u), i, depth, *state)
            e, end = rows.indptr[u] + lane, rows.indptr[u + np.uint64(1)]
            while depth < most and e < end:
                v = np.uint64(rows.indices[e])
                e += np.uint64(1 << shift)
                found = mine.depths[v]
                if found == _FAR:
                    found = cas(mine.depths, v, _FAR, deeper)
                    if found == _FAR:
                        mine.queue[high + cuda.atomic.add(words, spot, np.int32(1))] = v
                if paths and found >= deeper:
                    add(mine.paths, v, count)

    @device
    def go_back(i, rows, mine, level, deepest, shift, state):
        """A level: add up the shares behind every vertex, and visit. A warp stays together."""
        depth, low, high = level
        lane, step, deeper = lane_of(shift), cuda.blockDim.x >> shift, np.int32(depth + 1)
        j, own = np.int64(low), cuda.threadIdx.x >> shift
        ahead = own - (0 if shift == 0 else own % (32 >> shift))  # the first one of the warp
        while j + ahead < high:
            there = j + own < high
            u, total = np.uint64(mine.queue[j + own if there else low]), 0.0
            count, j = mine.paths[u], j + step
            e, end = rows.indptr[u] + lane, rows.indptr[u + np.uint64(1)]
            while there and e < end and not deepest:
                v = np.uint64(rows.indices[e])
                if mine.depths[v] == deeper:
                    share = mine.shares[v]
                    total += share
                    if along:
                        edge = np.int64(u), np.int64(v), np.int64(e)
                        if adds:
                            mine.parts[e] += visit(*edge, i, count, share, *state)
                        else:
                            visit(*edge, i, count, share, *state)
                e += np.uint64(1 << shift)
            share = over_lanes(total, shift) + 1.0 / count
            if there and lane == 0:
                mine.shares[u] = share
                if not along:
                    if adds:
                        mine.parts[u] += visit(np.int64(u), i, depth, count, share, *state)
                    else:
                        visit(np.int64(u), i, depth, count, share, *state)

    @kernel(bounds=(MOST, 2))
    def run(rows, searches, scratch, state, first, last, most, least, shift):
        words = cuda.shared.array(4, np.int32)
        sources, failed = searches
        me, block = np.int64(cuda.threadIdx.x), np.int64(cuda.blockIdx.x)
        mine = Scratch(
            scratch.depths[block],
            scratch.queue[block],
            scratch.starts[block],
            scratch.paths[block],
            scratch.shares[block],
            scratch.parts[block],
        )
        for i in range(first + block, last, cuda.gridDim.x):
            if me == 0:
                begin(sources[i], mine, words)
                if paths:
                    mine.starts[0], mine.paths[sources[i]] = 0, least
            cuda.syncthreads()
            low, high, level, spot = np.int64(0), np.int64(1), np.int64(0), np.int64(0)
            while low < high:
                here, limit = Level(level, low, high), least * 2.0**53
                go_on(i, rows, mine, words, spot, here, most, limit, shift, state)
                following = spot + 1 if spot < 2 else np.int64(0)
                if me == 0:
                    words[following] = 0
                cuda.syncthreads()
                low, high, level, spot = high, high + words[spot], level + 1, following
                if paths and me == 0 and low < high:
                    mine.starts[level] = low
            if paths:
                if words[_COUNTS] != _EXACT:
                    recount(rows, mine, words, level, high)
                endless = words[_COUNTS] == _ENDLESS
                if endless and me == 0:
                    failed[i] = True
                last_level, end = level - 1, high
                while level > 0 and not endless:
                    level -= 1
                    low = np.int64(mine.starts[level])
                    deepest = level == last_level
                    go_back(i, rows, mine, Level(level, low, end), deepest, shift, state)
                    cuda.syncthreads()
                    end = low
            cuda.syncthreads()
            for j in range(me, high, cuda.blockDim.x):
                u = np.uint64(mine.queue[j])
                mine.depths[u] = _FAR
                if paths:
                    mine.paths[u] = 0.0
            cuda.syncthreads()

    return run


@device
def lane_of(shift):
    """Which of the threads that share a row this one is."""
    return np.uint64(cuda.threadIdx.x & ((1 << shift) - 1))


@device
def over_lanes(total, shift):
    """The sum over the threads that share a row; the whole warp calls it."""
    step = (1 << shift) >> 1
    while step > 0:
        total += cuda.shfl_xor_sync(EVERY_LANE, total, step)
        step >>= 1
    return total


@device
def begin(source, mine, words):
    """Nothing is reached but the source."""
    words[0], words[1], words[2], words[_COUNTS] = 0, 0, 0, _EXACT
    mine.queue[0], mine.depths[source] = source, 0


@device
def recount(rows, mine, words, levels, tail):
    """Add up path counts again, level by level, each by one thread in the order of its row."""
    for level in range(1, levels):
        low = np.int64(mine.starts[level])
        high = np.int64(mine.starts[level + 1]) if level + 1 < levels else tail
        for j in range(low + cuda.threadIdx.x, high, cuda.blockDim.x):
            v, total = np.uint64(mine.queue[j]), 0.0
            for e in range(rows.back_indptr[v], rows.back_indptr[v + np.uint64(1)]):
                u = np.uint64(rows.back_indices[np.uint64(e)])
                if mine.depths[u] == level - 1:
                    total += mine.paths[u]
            mine.paths[v] = total
            if total == np.inf:
                words[_COUNTS] = _ENDLESS
        cuda.syncthreads()
