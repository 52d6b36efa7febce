"""Scores of pairs of sets on CUDA: see `edgewise.join.verify`.

A pair of small sets is compared by a block of one warp in its shared memory, as a matrix; one of
larger sets by a block of several warps in global memory, as a list of edges (a matrix again for
edit similarity). Blocks take pairs from a queue. A pair with more edges than there is space for
comes again when there is space for all. Those of very large sets, and of long texts, are left to
CPU threads.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from edgewise.base.cuda.device import array_module, free_memory, host, simulated
from edgewise.base.cuda.kernels import Kernel, device, kernel
from edgewise.base.cuda.language import cuda
from edgewise.join.cpu.verify import BOUNDED, GREEDY, PAZ_SCHWARTZMAN, Task
from edgewise.join.cuda.block_team import LANES, WARPS, carve, needed, summed
from edgewise.join.cuda.elements import Flat, connect_matrix, set_same_aside, take_all
from edgewise.join.cuda.matching import (
    free,
    greatest,
    locally_dominant,
    paz_schwartzman,
    start,
    take_free,
)  # fmt: skip
from edgewise.join.cuda.pair_edges import NO_SPACE, REJECTED, Tally, connect_rows, make_clean

__all__ = ["Loads", "scores_of"]

#: Elements of a set that shared memory has space for, with the threads of a block.
_CLASSES = ((2, 2), (4, 2)) if simulated() else ((16, 32), (32, 32))
#: Elements of a set that are compared in global memory; beyond, CPU threads are faster.
_LARGER = (6, 8) if simulated() else (128, 1024)
_THREADS = 4 if simulated() else 128  # of a block there
_EACH = 2 if simulated() else 32  # edges of a row for which there is space at first
_SHORT, _LONGEST = 1 << 12, 1 << 20  # what a set may weigh, for one warp and for a block
_PAIRS = 1 << 24  # at a time
_MEMORY = 1 << 33  # bytes for matrices of larger sets, at most


class Queue(NamedTuple):
    """Pairs of which blocks take some, and where their scores go."""

    left: Any  #: int32, ids of sets
    right: Any
    chosen: Any  #: int32, which pairs are to be taken
    next: Any  #: int32, how many have been
    scores: Any
    again: Any  #: int32, which pairs have too many edges
    count: Any  #: int32, how many these are


class Loads(NamedTuple):
    """What sets weigh: int64, over sets and one more, what those before weigh."""

    left: Any
    right: Any


def scores_of(
    flat: Flat, loads: Loads, task: Task, left: np.ndarray, right: np.ndarray
) -> tuple[Any, Any]:
    """The scores of pairs, nan below the threshold, and which are left to CPU threads."""
    scores, rest = [np.empty(0)], [np.empty(0, np.int64)]
    for first in range(0, len(left), _PAIRS):
        some = slice(first, first + _PAIRS)
        found, others = _scores(flat, loads, task, left[some], right[some])
        scores.append(found)
        rest.append(others + first)
    return np.concatenate(scores), np.concatenate(rest)


def _scores(flat: Flat, loads: Loads, task: Task, left: Any, right: Any) -> tuple[Any, Any]:
    xp = array_module()
    left, right = xp.asarray(left), xp.asarray(right)
    size = _sizes(flat, loads, left, right, xp)
    scores = xp.full(len(left), np.nan)
    least = 0
    for most, threads in _CLASSES:
        chosen = xp.flatnonzero((size > least) & (size <= most)).astype(np.int32)
        if len(chosen):
            _in_shared(most).fill(threads, flat, task, _queue(left, right, chosen, scores))
        least = most
    for most in _LARGER:
        chosen = xp.flatnonzero((size > least) & (size <= most)).astype(np.int32)
        if len(chosen):
            largest = min(int(size[chosen].max()), most)
            _in_global(flat, task, _queue(left, right, chosen, scores), most, largest)
        least = most
    return host(scores), host(xp.flatnonzero(size > least))


def _queue(left: Any, right: Any, chosen: Any, scores: Any) -> Queue:
    xp = array_module()
    counts = xp.zeros(1, np.int32), xp.zeros(1, np.int32)
    return Queue(left, right, chosen, counts[0], scores, xp.empty_like(chosen), counts[1])


def _sizes(flat: Flat, loads: Loads, left: Any, right: Any, xp: Any) -> Any:
    """How many elements the larger set of a pair has; more if a set weighs much; 0: none."""
    columns, rows, one, other = (
        starts[ids + np.int32(1)] - starts[ids]
        for starts, ids in (
            (flat.left_starts, left), (flat.right_starts, right),
            (loads.left, left), (loads.right, right),
        )
    )  # fmt: skip
    size, load = xp.maximum(columns, rows), xp.maximum(one, other)
    size = xp.where(load > _SHORT, xp.maximum(size, _CLASSES[-1][0] + 1), size)
    size = xp.where(load > _LONGEST, _LARGER[-1] + 1, size)
    return xp.where(xp.minimum(columns, rows) > 0, size, 0)


def _in_global(flat: Flat, task: Task, queue: Queue, size: int, largest: int) -> None:
    """Compare pairs of sets of up to ``size`` elements, here ``largest``, in global memory."""
    every = largest * (largest + 1)
    if task.edit:
        return _run_all(flat, task, queue, size, every)
    _run_all(flat, task, queue, size, min(_EACH * size, every))
    count = int(queue.count[0])
    if count:
        again = _queue(queue.left, queue.right, queue.again[:count], queue.scores)
        _run_all(flat, task, again, size, every)


def _run_all(flat: Flat, task: Task, queue: Queue, size: int, edges: int) -> None:
    """Compare pairs of up to so many edges."""
    xp, compare = array_module(), _comparing(size)
    reals, whole = needed(size, edges, edges)
    none = xp.empty(0), xp.empty(0, np.int32), edges
    blocks = min(compare.resident(_THREADS, flat, task, queue, *none), len(queue.chosen))
    budget = _MEMORY if simulated() else min(_MEMORY, free_memory() // 2)
    blocks = max(1, min(blocks, budget // (8 * reals + 4 * whole)))
    work = xp.empty(blocks * reals), xp.empty(blocks * whole, np.int32), edges
    compare(blocks, _THREADS, flat, task, queue, *work)


@cache
def _in_shared(size: int) -> Kernel:
    """Compare pairs of sets of up to ``size`` elements in shared memory."""
    edges = size * (size + 1)
    reals, whole = needed(size, edges, 0)
    compare = _compare_with(connect_matrix)

    @kernel
    def compare_in_shared(corpus, task, queue, blocks):
        numbers = cuda.shared.array(reals, np.float64)
        others = cuda.shared.array(whole, np.int32)
        values = cuda.shared.array(WARPS, np.float64)
        keys = cuda.shared.array(WARPS, np.int64)
        turn = cuda.shared.array(1, np.int64)
        compare(corpus, task, queue, carve(numbers, others, size, edges, 0, values, keys), 0, turn)

    return compare_in_shared


@cache
def _comparing(size: int) -> Kernel:
    """Compare pairs of sets of up to ``size`` elements in global memory."""
    warps = _THREADS // LANES
    counts = size * warps
    compare = _compare_with(connect_rows)

    @kernel
    def compare_in_global(corpus, task, queue, numbers, others, edges):
        values = cuda.shared.array(WARPS, np.float64)
        keys = cuda.shared.array(WARPS, np.int64)
        turn = cuda.shared.array(1, np.int64)
        shared = cuda.shared.array(counts, np.int32)
        first = cuda.shared.array(counts, np.int32)
        seen = cuda.shared.array(counts, np.int16)
        count = cuda.shared.array(warps, np.int32)
        place = cuda.shared.array(warps, np.int32)
        filled = cuda.shared.array(1, np.int32)
        lost = cuda.shared.array(1, np.float64)
        tally = Tally(shared, first, seen, count, place, filled, lost)
        make_clean(tally)
        me, blocks = cuda.blockIdx.x, cuda.gridDim.x
        reals, whole = len(numbers) // blocks, len(others) // blocks
        scratch = carve(
            numbers[me * reals : (me + 1) * reals], others[me * whole : (me + 1) * whole], size,
            edges, edges, values, keys,
        )  # fmt: skip
        compare(corpus, task, queue, scratch, tally, turn)

    return compare_in_global


@cache
def _compare_with(connect: Any) -> Any:
    """Take pairs from the queue until there are no more, and write their scores.

    ``connect`` makes the graph of a pair: see `connect_rows`.
    """
    score_of = _score_with(connect)

    @device
    def compare(corpus, task, queue, scratch, tally, turn):
        while True:
            if cuda.threadIdx.x == 0:
                turn[0] = cuda.atomic.add(queue.next, 0, np.int32(1))
            cuda.syncthreads()
            k = turn[0]
            cuda.syncthreads()
            if k >= len(queue.chosen):
                return
            p = queue.chosen[k]
            i, j = np.int64(queue.left[p]), np.int64(queue.right[p])
            score = score_of(corpus, task, i, j, scratch, tally)
            if cuda.threadIdx.x == 0:
                if score >= task.threshold:
                    queue.scores[p] = score
                elif score == NO_SPACE:
                    queue.again[cuda.atomic.add(queue.count, 0, np.int32(1))] = p

    return compare


def _score_with(connect: Any) -> Any:
    """The score of two sets, below the threshold also `REJECTED`; or `NO_SPACE`."""

    @device
    def score_of(corpus, task, i, j, scratch, tally):
        columns = corpus.left_starts[i + 1] - corpus.left_starts[i]
        rows = corpus.right_starts[j + 1] - corpus.right_starts[j]
        both = columns + rows
        asked = task.threshold / (1.0 + task.threshold) * both * (1.0 - 1e-13)
        if min(columns, rows) < asked:
            return np.float64(REJECTED)
        if task.edit:
            left, columns = take_all(corpus, i, j, scratch)
        else:
            left, columns = set_same_aside(corpus, i, j, scratch)
        same = rows - left
        if same + min(left, columns) < asked:
            return np.float64(REJECTED)
        weight = 0.0
        if left > 0 and columns > 0:
            stride = connect(corpus, task, i, left, columns, asked - same, scratch, tally)
            if stride < 0:
                return np.float64(stride)
            weight = _matched(task, left, columns, stride, asked - same, scratch)
        if weight < 0.0:
            return weight
        weight += same
        return weight / (both - weight)

    return score_of


@device
def _matched(task, rows, columns, stride, asked, scratch):
    """The weight of a matching of rows and columns; -1 if the greatest is below what is asked."""
    total, by_column, cap = 0.0, 0.0, np.float64(min(rows, columns))
    for r in range(cuda.threadIdx.x, rows, cuda.blockDim.x):
        total += scratch.most[r]
    for c in range(cuda.threadIdx.x, columns, cuda.blockDim.x):
        by_column += scratch.distance[c]
    total = summed(total, scratch)
    most = min(cap, min(total, summed(by_column, scratch)))
    if most < asked:
        return -1.0
    free(rows, columns, scratch)
    if task.method == PAZ_SCHWARTZMAN:
        weight, bound = paz_schwartzman(rows, columns, stride, scratch)
        return min(bound, cap) if task.upper else weight
    if task.method >= GREEDY:
        weight = locally_dominant(rows, columns, stride, scratch)
        return min(2.0 * weight, cap) if task.upper else weight
    late = start(rows, columns, stride, scratch)
    if task.method == BOUNDED and late > 0:
        weight = take_free(rows, columns, stride, late, scratch)
        if weight >= asked:
            return most if task.upper else weight
    return greatest(rows, columns, stride, late, asked, total, scratch)
