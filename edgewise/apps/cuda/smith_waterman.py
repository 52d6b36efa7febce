"""Scores of local alignments on CUDA: see `edgewise.apps.proteins.alignment`.

A block of threads takes pairs from a queue. Each thread has some rows of the shorter sequence in
registers and moves along the columns, one behind the thread above. What leaves its last row goes to
the next thread through shared memory; a sequence with more rows than the block goes in passes, with
the last row of a pass in global memory.

Where the GPU has instructions for two 16-bit numbers, a block takes two pairs, one in either half
of every word. A score near the limit of 16 bits may have overflowed: such pairs are scored again
with 32 bits. Pairs are sorted on the GPU, so that most take one pass of one warp, and those that
share a block are of nearly one length.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from edgewise.apps.proteins.alphabets import PADDING, WIDTH
from edgewise.apps.proteins.dynamic_programs import Costs
from edgewise.apps.proteins.sequences import Sequences
from edgewise.base.cuda.device import array_module, free_memory, host, simulated
from edgewise.base.cuda.halves import (
    add_halves,
    has_halves,
    max_halves,
    max_halves_or_0,
    two_halves,
)
from edgewise.base.cuda.kernels import Kernel, device, kernel
from edgewise.base.cuda.language import cuda

__all__ = ["scores_of"]

#: Rows of a thread, with the threads of a block: a pass has their product of rows.
_SHAPES = ((2, 2), (2, 4)) if simulated() else ((4, 32), (8, 32), (12, 32), (16, 32), (16, 128))
_MOST = max(threads for _, threads in _SHAPES)
_MEMORY = 1 << 32  # bytes for last rows, at most
_TABLE, _NEVER = WIDTH * WIDTH, np.int32(-(1 << 30))
_0, _PADDING, _SHIFT = np.int32(0), np.uint32(PADDING), np.uint32(5)
#: Scores from here on may have overflowed in 16 bits: no letters score more than 127.
_UNSURE = (1 << 15) - 1 - 127
#: Bits of the number of columns in the keys that pairs are sorted by, and of passes.
_COLUMNS, _PASSES = 25, 24


class _Queue(NamedTuple):
    """Pairs of which blocks take some after the others, and where their scores go."""

    short: Any  #: the sequence in rows
    long: Any  #: the sequence in columns
    next: Any
    scores: Any


def scores_of(
    sequences: Sequences, left: np.ndarray, right: np.ndarray, costs: Costs, lanes: int = 0
) -> np.ndarray:
    """The score of the best local alignment of each pair.

    ``lanes`` is 2 for two pairs in the halves of words, 1 for one, and 0 for what is faster.
    """
    xp, several = array_module(), (lanes or 1 + has_halves()) == 2
    ends = xp.asarray(left), xp.asarray(right)
    data = xp.asarray(sequences.letters), xp.asarray(sequences.starts)
    there = costs._replace(scores=xp.asarray(costs.scores))
    found = _scored(*data, there, *ends, 2 if several else 1)
    if several:
        unsure = xp.flatnonzero(found >= _UNSURE)
        if len(unsure):
            found[unsure] = _scored(*data, there, ends[0][unsure], ends[1][unsure], 1)
    return host(found)


def _scored(letters: Any, starts: Any, costs: Costs, left: Any, right: Any, lanes: int) -> Any:
    """Scores by as many launches as there are shapes of blocks among the pairs."""
    xp, lengths = array_module(), starts[1:] - starts[:-1]
    swap = lengths[left] > lengths[right]
    short, long = xp.where(swap, right, left), xp.where(swap, left, right)
    rows, columns = lengths[short], lengths[long]
    sizes = [shape[0] * shape[1] for shape in _SHAPES]
    shape = xp.searchsorted(xp.asarray(sizes[:-1]), rows)
    passes = (rows + (sizes[-1] - 1)) // sizes[-1]
    key = (shape + 1 << _COLUMNS + _PASSES) - (passes << _COLUMNS | columns)  # the longest first
    order = xp.argsort(key)
    short, long, scores = short[order], long[order], xp.empty(len(order), np.int32)
    low = 0
    for number, count in enumerate(host(xp.bincount(shape, minlength=len(_SHAPES))).tolist()):
        some = slice(low, low + count)
        low += count
        if count:
            width = 0
            if number == len(_SHAPES) - 1 and int(passes.max()) > 1:
                width = int(columns.max())
            queue = _Queue(short[some], long[some], xp.zeros(1, np.int32), scores[some])
            _run(_SHAPES[number], lanes, letters, starts, costs, queue, width)
    found = xp.empty(len(order), np.int32)
    found[order] = scores
    return found


def _run(
    shape: Any, lanes: int, letters: Any, starts: Any, costs: Costs, queue: _Queue, width: int
) -> None:
    """Score the pairs of a queue; ``width`` is 0 if each takes one pass."""
    xp, score = array_module(), _scoring(shape[0], lanes)
    gaps = -int(costs.gap_open), -int(costs.gap_extend)
    first, more = (two_halves(gap, gap) if lanes == 2 else np.int32(gap) for gap in gaps)
    none = xp.empty((1, 2), np.int32)
    args = letters, starts, costs._replace(gap_open=first, gap_extend=more), queue
    blocks = score.resident(shape[1], *args, none, width)
    blocks = min(blocks, -(-len(queue.short) // lanes))
    if width:
        budget = _MEMORY if simulated() else min(_MEMORY, free_memory() // 2)
        blocks = max(1, min(blocks, budget // (8 * width)))
        none = xp.empty((blocks * width, 2), np.int32)
    score(blocks, shape[1], *args, none, width)


@device
def _add(a, b):
    return np.int32(a + b)


@device
def _max(a, b):
    return max(a, b)


@device
def _max_or_0(a, b):
    return max(max(a, b), _0)


@cache
def _scoring(rows: int, lanes: int) -> Kernel:
    """The kernel for so many rows of a thread, and pairs of a block."""
    add, larger, larger_or_0, never = _add, _max, _max_or_0, _NEVER
    if lanes == 2:
        add, larger, larger_or_0 = add_halves, max_halves, max_halves_or_0
        never = two_halves(-(1 << 14), -(1 << 14))

    @kernel
    def score(letters, starts, costs, queue, last, width):
        me, size = cuda.threadIdx.x, cuda.blockDim.x
        table = cuda.shared.array(_TABLE, np.int8)
        handed = cuda.shared.array((2, _MOST, 2), np.int32)
        taken = cuda.shared.array(3, np.int32)  # the pair, and the scores
        own = cuda.local.array((rows, lanes), np.uint32)
        values = cuda.local.array(rows, np.int32)
        across = cuda.local.array(rows, np.int32)
        begin = cuda.local.array(lanes, np.int64)
        column = cuda.local.array(lanes, np.int64)
        m = cuda.local.array(lanes, np.int32)
        n = cuda.local.array(lanes, np.int32)
        first, more = costs.gap_open, costs.gap_extend
        for i in range(me, _TABLE, size):
            table[i] = costs.scores[i]
        while True:
            cuda.syncthreads()
            if me == 0:
                taken[0] = cuda.atomic.add(queue.next, 0, lanes)
                taken[1] = taken[2] = 0
            cuda.syncthreads()
            pair = taken[0]
            if pair >= len(queue.short):
                return
            height, length = _0, _0
            for k in range(lanes):
                one = min(pair + k, len(queue.short) - 1)
                begin[k], column[k] = starts[queue.short[one]], starts[queue.long[one]]
                m[k] = starts[queue.short[one] + 1] - begin[k]
                n[k] = starts[queue.long[one] + 1] - column[k]
                height, length = max(height, m[k]), max(length, n[k])
            best = _0
            for top in range(0, height, rows * size):
                mine = top + me * rows
                for k in range(rows):
                    for i in range(lanes):
                        own[k, i] = letters[begin[i] + mine + k] if mine + k < m[i] else _PADDING
                    values[k], across[k] = _0, never
                corner = _0
                active = min(size, (height - top + rows - 1) // rows)
                for turn in range(length + active - 1):
                    j = turn - me
                    if 0 <= j < length and me < active:
                        above, down = _0, never
                        if me > 0:
                            above = handed[(turn + 1) & 1, me - 1, 0]
                            down = handed[(turn + 1) & 1, me - 1, 1]
                        elif top > 0:
                            above = last[cuda.blockIdx.x * width + j, 0]
                            down = last[cuda.blockIdx.x * width + j, 1]
                        row = np.uint32(letters[column[0] + j] if j < n[0] else _PADDING) << _SHIFT
                        other = row
                        if lanes == 2:
                            other = np.uint32(letters[column[1] + j] if j < n[1] else _PADDING)
                            other = other << _SHIFT
                        diagonal, corner = corner, above
                        for k in range(rows):
                            gain = np.int32(table[row + own[k, 0]])
                            if lanes == 2:
                                upper = np.int32(table[other + own[k, lanes - 1]])
                                gain = np.int32(gain & 0xFFFF) | np.int32(upper << 16)
                            value = add(diagonal, gain)
                            across[k] = larger(add(across[k], more), add(values[k], first))
                            down = larger(add(down, more), add(above, first))
                            diagonal = values[k]
                            above = larger_or_0(larger(value, across[k]), down)
                            values[k] = above
                            best = larger(best, above)
                        handed[turn & 1, me, 0], handed[turn & 1, me, 1] = above, down
                        if width > 0 and me == size - 1:
                            last[cuda.blockIdx.x * width + j, 0] = above
                            last[cuda.blockIdx.x * width + j, 1] = down
                    cuda.syncthreads()
            if lanes == 2:
                cuda.atomic.max(taken, 2, np.int32(best >> 16))
                best = np.int32(best & 0x7FFF)  # never negative
            cuda.atomic.max(taken, 1, best)
            cuda.syncthreads()
            if me < lanes and pair + me < len(queue.short):
                queue.scores[pair + me] = taken[1 + me]

    return score
