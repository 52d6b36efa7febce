"""`cover` on CUDA: gains by decrement, an index of those who may be chosen.

Sets are unpacked once, four bytes a member. For every choice the host asks for the greatest gain,
and one launch goes through the sets of the vertex, a block to each that is not covered yet, and
takes it off the gains of its members.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.base.cuda.atomics import add
from edgewise.base.cuda.device import host, simulated
from edgewise.base.cuda.kernels import kernel
from edgewise.base.cuda.language import cuda
from edgewise.operators.covering import Cover, Covering, candidates
from edgewise.operators.cuda.set_rows import unpack
from edgewise.operators.cuda.state import check_work
from edgewise.operators.sets import Sets

__all__ = ["cover"]

#: Threads to a set, and blocks that go through all sets by turns.
_LANES, _BLOCKS = (4, 2) if simulated() else (32, 1 << 14)


def cover(sets: Sets, request: Covering) -> Cover:
    """See `edgewise.operators.cover`."""
    k, weights, barred, bounds = request
    xp, n, count = sets.xp, sets.num_vertices, len(sets)
    indptr, ids = unpack(sets)
    covered = xp.zeros(count, np.uint8)
    taken, gains = xp.asarray(barred), xp.zeros(n, np.int64)
    blocks = min(count, _BLOCKS)
    tally_kernel(blocks, _LANES, indptr, ids, covered, weights, gains)
    vertices, gained, upper = np.empty(k, np.int64), np.zeros(k, np.int64), []
    slots, begins, index = xp.full(n, -1, np.int32), np.zeros(1, np.int64), ids
    chosen, now = 0, 0
    while True:
        left = xp.where(taken, -1, gains)
        if bounds:
            upper.append(now + int(xp.partition(xp.maximum(left, 0), n - k)[n - k :].sum()))
        if chosen == k:
            break
        v = int(left.argmax())
        gain, slot = host(xp.stack([gains[v], slots[v].astype(np.int64)])).tolist()
        if gain > 0 and slot < 0:
            slots, begins, index = _indexed(sets, (indptr, ids), covered, left, k)
            slot = int(slots[v])
        vertices[chosen], gained[chosen] = v, gain
        chosen, now = chosen + 1, now + gain
        taken[v] = 1
        if gain > 0:
            mine = index[begins[slot] : begins[slot + 1]]
            lose_kernel(len(mine), _LANES, indptr, ids, covered, weights, mine, gains)
    return Cover(vertices, gained, np.array(upper, np.int64))


def _indexed(sets: Sets, rows: Any, covered: Any, left: Any, k: int) -> tuple[Any, Any, Any]:
    """The places of candidates, where their lists begin, and the sets not covered they are in."""
    xp, n = sets.xp, sets.num_vertices
    gains = host(left)
    chosen, _ = candidates(gains, gains < 0, k)
    slots = np.full(n, -1, np.int32)
    slots[chosen] = np.arange(len(chosen))
    slots = xp.asarray(slots)
    held, one = xp.zeros(n, np.int64), xp.ones(1, np.int64)
    blocks = min(len(sets), _BLOCKS)
    tally_kernel(blocks, _LANES, *rows, covered, one, held)
    begins = np.concatenate([[0], np.cumsum(host(held)[chosen])])
    check_work("cover", (begins[-1], np.int64))
    index, at = xp.empty(int(begins[-1]), np.int64), xp.asarray(begins[:-1].copy())
    fill_kernel(blocks, _LANES, *rows, covered, slots, at, index)
    return slots, begins.tolist(), index


@kernel
def tally_kernel(indptr, ids, covered, weights, gains):
    """How much of the sets that are not covered each vertex is in."""
    for i in range(cuda.blockIdx.x, len(covered), cuda.gridDim.x):
        if covered[i] == 0:
            weight = weights[i] if len(weights) > 1 else weights[0]
            for e in range(indptr[i] + cuda.threadIdx.x, indptr[i + 1], cuda.blockDim.x):
                add(gains, np.int64(ids[e]), weight)


@kernel
def fill_kernel(indptr, ids, covered, slots, at, index):
    """The sets that candidates are in."""
    for i in range(cuda.blockIdx.x, len(covered), cuda.gridDim.x):
        if covered[i] == 0:
            for e in range(indptr[i] + cuda.threadIdx.x, indptr[i + 1], cuda.blockDim.x):
                slot = np.int64(slots[ids[e]])
                if slot >= 0:
                    index[add(at, slot, 1)] = i


@kernel
def lose_kernel(indptr, ids, covered, weights, mine, gains):
    """Cover these sets: their members lose them."""
    i = mine[cuda.blockIdx.x]
    known = covered[i]
    cuda.syncthreads()
    if known == 0:
        weight = weights[i] if len(weights) > 1 else weights[0]
        for e in range(indptr[i] + cuda.threadIdx.x, indptr[i + 1], cuda.blockDim.x):
            add(gains, np.int64(ids[e]), -weight)
        if cuda.threadIdx.x == 0:
            covered[i] = 1
