"""`reduce_neighbors` with ``choose="absent"`` on CUDA: the least key that no neighbor has.

Lanes mark the keys of a row in a bitmap in shared memory and find the first that is free. Of d
neighbors the least absent key is at most d, so one look at the row is enough, but for rows of more
neighbors than a block has bits: those look again, for greater keys.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from edgewise.base.cuda.atomics import bit_or
from edgewise.base.cuda.bits import lowest_bit
from edgewise.base.cuda.device import simulated
from edgewise.base.cuda.kernels import device
from edgewise.base.cuda.language import cuda
from edgewise.operators.adjacency import ALL
from edgewise.operators.cuda.gather import Data, reach_reader, stepping, together
from edgewise.operators.cuda.rating import key_of
from edgewise.operators.cuda.row_plan import Cut
from edgewise.operators.cuda.state import THREADS
from edgewise.operators.cuda.totals import Totals
from edgewise.operators.cuda.walk import Deal, Walk, deal_out, store_total, walk_rows

__all__ = ["absent"]

#: Words of 64 bits of a bitmap for eight lanes, a warp and a block.
_WORDS = {8: 2, 32: 16, THREADS: 4096}
_DEAL = Deal(Cut(127, 1023, ALL, ALL), (8, 32, THREADS), (8, 8, 1))
if simulated():  # which knows no warps
    _WORDS, _DEAL = {THREADS: 1}, Deal(Cut(-1, -1, ALL, ALL), (0, 0, THREADS), (1, 1, 1))
_SPACE = max(THREADS // lanes * words for lanes, words in _WORDS.items())
_NONE, _FULL = np.int64(2**63 - 1), np.uint64(2**64 - 1)
_LEAST = Totals(device(lambda old, new: min(old, new)), (np.dtype(np.int64),), False)


def absent(graph, rows, onward, reach, ids, request) -> Any:
    """Write the least absent key of every member to an array."""
    xp, indptr = graph.xp, rows.arrays[0]
    result = request.out[0] if request.out else xp.full(graph.num_vertices, -1, np.int64)
    plan, deal = deal_out(graph, request.mode, indptr, ids, _DEAL, reach=reach)
    data = Data(rows.arrays, onward, reach, key=request.key, identity=_NONE, outputs=result)
    walk_rows(xp, plan, deal, marking(reach is not None), data)
    return result


@cache
def marking(two_steps: bool) -> Walk:
    """The walk that marks the keys of a row, and finds the first that is not marked."""
    reach = reach_reader(two_steps)

    @device
    def mark(into, e, f, u, row, own, data):
        bits, base, words, first = into
        place = np.int64(key_of(data.key, u)) - first
        if (counts_itself or np.uint64(u) != row.v) and 0 <= place < 64 * words:
            bit, at = np.uint64(1) << np.uint64(place & 63), base + (place >> 6)
            if bits[at] & bit == 0:
                bit_or(bits, at, bit)

    along, counts_itself = stepping(mark, two_steps), not two_steps

    @device
    def least_free(lane, step, bits, base, words, first):
        """The first key of this lane's words that is free."""
        for i in range(lane, words, step):
            word = bits[base + i]
            if word != _FULL:
                return first + 64 * i + lowest_bit(~word)
        return _NONE

    @device
    def open(data):
        bits = cuda.shared.array(_SPACE, np.uint64)
        return (bits,)

    def fold_of(lanes: int) -> Any:
        most, sync, step = _WORDS.get(lanes, 1), together(lanes), lanes
        again = (
            device(lambda found: cuda.syncthreads_or(np.int32(found)) == 0)
            if lanes == THREADS
            else _no
        )

        @device
        def fold(row, lane, stride, data, shared):
            bits, base = shared[0], np.int64(cuda.threadIdx.x // lanes * most)
            first, found = np.int64(0), _NONE
            words = min(np.int64(most), reach(row, data) // 64 + 1)
            while True:
                for i in range(lane, words, step):
                    bits[base + i] = 0
                sync()
                along(row, lane, step, (bits, base, words, first), 0, data)
                sync()
                found = least_free(lane, step, bits, base, words, first)
                sync()
                first += 64 * words
                if not again(found != _NONE):
                    break
            return found

        return fold

    return Walk(cache(fold_of), _LEAST, store_total, open)


@device
def _no(found):
    return False
