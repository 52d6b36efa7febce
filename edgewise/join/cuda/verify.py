"""Scores of pairs of sets on CUDA: see `edgewise.join.verify`.

A pair of small sets is compared by a block of one warp in its shared memory, one of larger sets by
a block of several warps in global memory; blocks take pairs from a queue. The matrix of a pair is
dense: pairs of very large sets, and of long texts, are left to CPU threads.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from edgewise.base.cuda.device import array_module, free_memory, host, simulated
from edgewise.base.cuda.kernels import Kernel, device, kernel
from edgewise.base.cuda.language import cuda
from edgewise.join.cpu.verify import BOUNDED, GREEDY, PAZ_SCHWARTZMAN, Task
from edgewise.join.cuda.elements import (
    Flat,
    connect,
    connect_words,
    set_same_aside,
    take_all,
)  # fmt: skip
from edgewise.join.cuda.matching import (
    free,
    greatest,
    locally_dominant,
    paz_schwartzman,
    start,
    take_free,
)  # fmt: skip
from edgewise.join.cuda.team import WARPS, carve, needed

__all__ = ["Loads", "scores_of"]

#: Elements of a set that shared memory has room for, with the threads of a block.
_CLASSES = ((2, 2), (4, 2)) if simulated() else ((16, 32), (32, 32))
_THREADS = 4 if simulated() else 128  # of a block in global memory
_LARGEST = 8 if simulated() else 1024  # elements of a set; beyond, CPU threads are faster
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
            queue = Queue(left, right, chosen, xp.zeros(1, np.int32), scores)
            _in_shared(most).fill(threads, flat, task, queue)
        least = most
    chosen = xp.flatnonzero((size > least) & (size <= _LARGEST)).astype(np.int32)
    if len(chosen):
        queue = Queue(left, right, chosen, xp.zeros(1, np.int32), scores)
        _in_global(flat, task, queue, int(size[chosen].max()))
    return host(scores), host(xp.flatnonzero(size > _LARGEST))


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
    size = xp.where(load > _LONGEST, _LARGEST + 1, size)
    return xp.where(xp.minimum(columns, rows) > 0, size, 0)


def _in_global(flat: Flat, task: Task, queue: Queue, size: int) -> None:
    """Compare pairs of sets of up to ``size`` elements in global memory."""
    xp = array_module()
    reals, whole = needed(size)
    none = xp.empty(0), xp.empty(0, np.int32), size
    blocks = min(_compare_in_global.resident(_THREADS, flat, task, queue, *none), len(queue.chosen))
    room = _MEMORY if simulated() else min(_MEMORY, free_memory() // 2)
    blocks = max(1, min(blocks, room // (8 * reals + 4 * whole)))
    work = xp.empty(blocks * reals), xp.empty(blocks * whole, np.int32), size
    _compare_in_global(blocks, _THREADS, flat, task, queue, *work)


@cache
def _in_shared(size: int) -> Kernel:
    """Compare pairs of sets of up to ``size`` elements in shared memory."""
    reals, whole = needed(size)

    @kernel
    def compare_in_shared(corpus, task, queue, blocks):
        numbers = cuda.shared.array(reals, np.float64)
        others = cuda.shared.array(whole, np.int32)
        values = cuda.shared.array(WARPS, np.float64)
        keys = cuda.shared.array(WARPS, np.int64)
        turn = cuda.shared.array(1, np.int64)
        _compare(corpus, task, queue, carve(numbers, others, size, values, keys), turn)

    return compare_in_shared


@kernel
def _compare_in_global(corpus, task, queue, numbers, others, size):
    values = cuda.shared.array(WARPS, np.float64)
    keys = cuda.shared.array(WARPS, np.int64)
    turn = cuda.shared.array(1, np.int64)
    me, blocks = cuda.blockIdx.x, cuda.gridDim.x
    reals, whole = len(numbers) // blocks, len(others) // blocks
    room = carve(
        numbers[me * reals : (me + 1) * reals], others[me * whole : (me + 1) * whole], size,
        values, keys,
    )  # fmt: skip
    _compare(corpus, task, queue, room, turn)


@device
def _compare(corpus, task, queue, room, turn):
    """Take pairs from the queue until there are no more, and write their scores."""
    while True:
        if cuda.threadIdx.x == 0:
            turn[0] = cuda.atomic.add(queue.next, 0, np.int32(1))
        cuda.syncthreads()
        k = turn[0]
        cuda.syncthreads()
        if k >= len(queue.chosen):
            return
        p = queue.chosen[k]
        score = _score(corpus, task, np.int64(queue.left[p]), np.int64(queue.right[p]), room)
        if cuda.threadIdx.x == 0 and score >= task.threshold:
            queue.scores[p] = score


@device
def _score(corpus, task, i, j, room):
    """The score of the sets i and j; -1 if it is below the threshold."""
    columns = corpus.left_starts[i + 1] - corpus.left_starts[i]
    rows = corpus.right_starts[j + 1] - corpus.right_starts[j]
    both = columns + rows
    asked = task.threshold / (1.0 + task.threshold) * both * (1.0 - 1e-13)
    if min(columns, rows) < asked:
        return -1.0
    if task.edit:
        left, columns = take_all(corpus, i, j, room)
    else:
        left, columns = set_same_aside(corpus, i, j, room)
    same = rows - left
    if same + min(left, columns) < asked:
        return -1.0
    weight = 0.0
    if left > 0 and columns > 0:
        weight = _matched(corpus, task, i, left, columns, asked - same, room)
    if weight < 0.0:
        return weight
    weight += same
    return weight / (both - weight)


@device
def _matched(corpus, task, i, rows, columns, asked, room):
    """The weight of a matching of rows and columns; -1 if the greatest is below what is asked."""
    stride = columns | 1  # threads that look at a column each look at different banks
    if task.edit:
        connect_words(corpus, rows, columns, stride, room)
    else:
        connect(corpus, i, rows, columns, stride, room)
    total, by_column, cap = 0.0, 0.0, np.float64(min(rows, columns))
    for r in range(rows):
        total += room.most[r]
    if min(total, cap) < asked:
        return -1.0
    for c in range(cuda.threadIdx.x, columns, cuda.blockDim.x):
        most = 0.0
        for r in range(rows):
            most = max(most, room.worth[r * stride + c])
        room.distance[c] = most
    cuda.syncthreads()
    for c in range(columns):
        by_column += room.distance[c]
    most = min(cap, min(total, by_column))
    if most < asked:
        return -1.0
    free(rows, columns, room)
    if task.method == PAZ_SCHWARTZMAN:
        weight, bound = paz_schwartzman(rows, columns, stride, room)
        return min(bound, cap) if task.upper else weight
    if task.method >= GREEDY:
        weight = locally_dominant(rows, columns, stride, room)
        return min(2.0 * weight, cap) if task.upper else weight
    late = start(rows, columns, stride, room)
    if task.method == BOUNDED and late > 0:
        weight = take_free(rows, columns, stride, late, room)
        if weight >= asked:
            return most if task.upper else weight
    return greatest(rows, columns, stride, late, asked, total, room)
