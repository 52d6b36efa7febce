"""Scores of local alignments on CUDA: see `edgewise.apps.proteins.alignment`.

A block of threads takes a pair from a queue. Each thread has some rows of the shorter sequence in
registers and moves along the columns, one behind the thread above. What leaves its last row goes to
the next thread through shared memory; a sequence with more rows than the block goes in passes, with
the last row of a pass in global memory. Numbers have 32 bits, so no score overflows. Pairs are
sorted by size, and the rows of a thread are chosen so that most pairs take one pass of one warp.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from edgewise.apps.proteins.alphabets import PADDING, WIDTH
from edgewise.apps.proteins.dynamic_programs import Costs
from edgewise.apps.proteins.sequences import Sequences
from edgewise.base.cuda.device import array_module, free_memory, host, simulated
from edgewise.base.cuda.kernels import Kernel, kernel
from edgewise.base.cuda.language import cuda

__all__ = ["scores_of"]

#: Rows of a thread, with the threads of a block: a pass has their product of rows.
_SHAPES = ((2, 2), (2, 4)) if simulated() else ((4, 32), (8, 32), (12, 32), (16, 32), (16, 128))
_MOST = max(threads for _, threads in _SHAPES)
_MEMORY = 1 << 32  # bytes for last rows, at most
_TABLE, _NEVER = WIDTH * WIDTH, np.int32(-(1 << 30))
_0, _PADDING, _SHIFT = np.int32(0), np.uint32(PADDING), np.uint32(5)


class _Queue(NamedTuple):
    """Pairs of which blocks take one after the other, and where their scores go."""

    short: Any  #: the sequence in rows
    long: Any  #: the sequence in columns
    next: Any
    scores: Any


def scores_of(
    sequences: Sequences, left: np.ndarray, right: np.ndarray, costs: Costs
) -> np.ndarray:
    """The score of the best local alignment of each pair."""
    xp, lengths = array_module(), sequences.lengths
    letters, starts = xp.asarray(sequences.letters), xp.asarray(sequences.starts)
    there = costs._replace(scores=xp.asarray(costs.scores))
    swap = lengths[left] > lengths[right]
    short, long = np.where(swap, right, left), np.where(swap, left, right)
    rows, columns = lengths[short], lengths[long]
    found = np.empty(len(left), np.int32)
    least: float = -1
    for shape in _SHAPES:
        most = shape[0] * shape[1] if shape != _SHAPES[-1] else np.inf
        some = np.flatnonzero((rows > least) & (rows <= most))
        least = most
        if len(some):
            some = some[np.argsort(-rows[some] * columns[some], kind="stable")]
            ends = xp.asarray(short[some]), xp.asarray(long[some])
            queue = _Queue(*ends, xp.zeros(1, np.int32), xp.empty(len(some), np.int32))
            passes = rows[some].max() > shape[0] * shape[1]
            _run(shape, letters, starts, there, queue, int(columns[some].max()) if passes else 0)
            found[some] = host(queue.scores)
    return found


def _run(shape: Any, letters: Any, starts: Any, costs: Costs, queue: _Queue, width: int) -> None:
    """Score the pairs of a queue; ``width`` is 0 if each takes one pass."""
    xp, score = array_module(), _scoring(shape[0])
    none = xp.empty((1, 2), np.int32)
    args = letters, starts, costs, queue
    blocks = min(score.resident(shape[1], *args, none, width), len(queue.short))
    if width:
        budget = _MEMORY if simulated() else min(_MEMORY, free_memory() // 2)
        blocks = max(1, min(blocks, budget // (8 * width)))
        none = xp.empty((blocks * width, 2), np.int32)
    score(blocks, shape[1], *args, none, width)


@cache
def _scoring(rows: int) -> Kernel:
    @kernel
    def score(letters, starts, costs, queue, last, width):
        me, size = cuda.threadIdx.x, cuda.blockDim.x
        table = cuda.shared.array(_TABLE, np.int8)
        handed = cuda.shared.array((2, _MOST, 2), np.int32)
        taken = cuda.shared.array(2, np.int32)  # the pair, and its score
        own = cuda.local.array(rows, np.uint32)
        values = cuda.local.array(rows, np.int32)
        across = cuda.local.array(rows, np.int32)
        first, more = costs.gap_open, costs.gap_extend
        for i in range(me, _TABLE, size):
            table[i] = costs.scores[i]
        while True:
            cuda.syncthreads()
            if me == 0:
                taken[0], taken[1] = cuda.atomic.add(queue.next, 0, 1), 0
            cuda.syncthreads()
            pair = taken[0]
            if pair >= len(queue.short):
                return
            begin, column = starts[queue.short[pair]], starts[queue.long[pair]]
            m = np.int32(starts[queue.short[pair] + 1] - begin)
            n = np.int32(starts[queue.long[pair] + 1] - column)
            best = _0
            for top in range(0, m, rows * size):
                mine = top + me * rows
                for k in range(rows):
                    own[k] = letters[begin + mine + k] if mine + k < m else _PADDING
                    values[k], across[k] = _0, _NEVER
                corner = _0
                active = min(size, (m - top + rows - 1) // rows)
                for turn in range(n + active - 1):
                    j = turn - me
                    if 0 <= j < n and me < active:
                        above, down = _0, _NEVER
                        if me > 0:
                            above = handed[(turn + 1) & 1, me - 1, 0]
                            down = handed[(turn + 1) & 1, me - 1, 1]
                        elif top > 0:
                            above = last[cuda.blockIdx.x * width + j, 0]
                            down = last[cuda.blockIdx.x * width + j, 1]
                        row = np.uint32(letters[column + j]) << _SHIFT
                        diagonal, corner = corner, above
                        for k in range(rows):
                            value = np.int32(diagonal + table[row + own[k]])
                            opened = np.int32(values[k] - first)
                            across[k] = max(np.int32(across[k] - more), opened)
                            down = max(np.int32(down - more), np.int32(above - first))
                            diagonal = values[k]
                            above = max(max(value, across[k]), max(down, _0))
                            values[k] = above
                            best = max(best, above)
                        handed[turn & 1, me, 0], handed[turn & 1, me, 1] = above, down
                        if width > 0 and me == size - 1:
                            last[cuda.blockIdx.x * width + j, 0] = above
                            last[cuda.blockIdx.x * width + j, 1] = down
                    cuda.syncthreads()
            cuda.atomic.max(taken, 1, best)
            cuda.syncthreads()
            if me == 0:
                queue.scores[pair] = taken[1]

    return score
