"""`cover` on CUDA: gains by decrement, and all choices in one launch of blocks that synchronize.

Sets are unpacked once, four bytes a member; as many more index the sets of every vertex, built by
counting. A choice is three steps with a barrier after each: the greatest gain, the least vertex
that has it, and its sets, a warp to each that is not covered yet, whose members lose it. For bounds
every choice leaves the gains as it found them; a block to each then sums up the k greatest, which
it finds digit by digit.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.base.cuda.atomics import add, load, max as raise_to, min as lower, store
from edgewise.base.cuda.device import free_memory, host, simulated
from edgewise.base.cuda.kernels import kernel
from edgewise.base.cuda.language import cuda
from edgewise.base.offsets import offsets
from edgewise.operators.covering import Cover, Covering
from edgewise.operators.cuda.set_rows import unpack
from edgewise.operators.cuda.state import THREADS, check_work, synchronize
from edgewise.operators.sets import Sets

__all__ = ["cover"]

#: Threads to a set, and blocks that go through all sets by turns.
_LANES, _BLOCKS = (4, 2) if simulated() else (32, 1 << 14)
#: Threads that look for the greatest of many gains.
_LOOKING = 8 if simulated() else 512
_DIGIT = 256  # values of eight bits


def cover(sets: Sets, request: Covering) -> Cover:
    """See `edgewise.operators.cover`."""
    k, weights, barred, bounds = request
    xp, n = sets.xp, sets.num_vertices
    indptr, ids = unpack(sets)
    held = _tallied(sets, indptr, ids, xp.ones(1, np.int64))
    gains = held.copy()
    if len(weights) > 1 or int(weights[0]) != 1:
        gains = _tallied(sets, indptr, ids, weights)
    begins = offsets(held)
    check_work("cover", (len(ids), np.uint32))
    index = xp.empty(len(ids), np.uint32 if len(sets) < 2**32 else np.uint64)
    fill_kernel(min(len(sets), _BLOCKS), _LANES, indptr, ids, begins[:-1].copy(), index)
    lists = indptr, ids, begins, index, weights, xp.zeros(len(sets), np.int32)
    found = xp.full(k, -1, np.int64), xp.full(k, n, np.int64)
    state = gains, xp.asarray(barred.astype(np.int32))
    sums = _choose(sets, lists, state, found, bounds)
    gained, vertices = map(host, found)
    return Cover(vertices, gained, (sums + offsets(gained)) if bounds else np.empty(0, np.int64))


def _tallied(sets: Sets, indptr: Any, ids: Any, weights: Any) -> Any:
    """How much of the sets each vertex is in."""
    gains = sets.xp.zeros(sets.num_vertices, np.int64)
    tally_kernel(min(len(sets), _BLOCKS), _LANES, indptr, ids, weights, gains)
    return gains


def _choose(sets: Sets, lists: Any, state: Any, found: Any, bounds: bool) -> np.ndarray:
    """Make all choices; for bounds, the sum of the k greatest gains before each and at the end."""
    xp, n, k = sets.xp, sets.num_vertices, len(found[0])
    if not bounds:
        choose_kernel.fill(THREADS, lists, state, found, xp.empty(0, np.int64), 0, k,
                           xp.zeros(1, np.int32))  # fmt: skip
        return np.empty(0, np.int64)
    capacity = 3 if simulated() else free_memory() // 4 // (8 * n)
    several, sums = min(max(capacity, 1), k + 1), []
    kept = xp.empty(several * n, np.int64)
    for first in range(0, k + 1, several):
        last = min(first + several, k + 1)
        choose_kernel.fill(THREADS, lists, state, found, kept, first, last,
                           xp.zeros(1, np.int32))  # fmt: skip
        part = xp.zeros(last - first, np.int64)
        top_kernel(last - first, _LOOKING, kept, n, k, part)
        sums.append(host(part))
    return np.concatenate(sums)


@kernel
def tally_kernel(indptr, ids, weights, gains):
    """How much of the sets each vertex is in."""
    for i in range(cuda.blockIdx.x, len(indptr) - 1, cuda.gridDim.x):
        weight = weights[i] if len(weights) > 1 else weights[0]
        for e in range(indptr[i] + cuda.threadIdx.x, indptr[i + 1], cuda.blockDim.x):
            add(gains, np.int64(ids[e]), weight)


@kernel
def fill_kernel(indptr, ids, at, index):
    """The sets that vertices are in."""
    for i in range(cuda.blockIdx.x, len(indptr) - 1, cuda.gridDim.x):
        for e in range(indptr[i] + cuda.threadIdx.x, indptr[i + 1], cuda.blockDim.x):
            index[add(at, np.int64(ids[e]), 1)] = i


@kernel(cooperative=True)
def choose_kernel(lists, state, found, kept, first, last, control, blocks):
    """Choices ``first`` to ``last - 1``; there is none beyond the last vertex wanted."""
    indptr, ids, begins, index, weights, covered = lists
    gains, taken = state
    here = cuda.shared.array(1, np.int64)
    n, me, step = np.int64(len(gains)), np.int64(cuda.grid(1)), np.int64(cuda.gridsize(1))
    lane, group, groups = me % _LANES, me // _LANES, step // _LANES
    for pick in range(first, last):
        most = np.int64(-1)
        for v in range(me, n, step):
            gain = load(gains, v) if load(taken, v) == 0 else np.int64(-1)
            most = max(most, gain)
            if len(kept) > 0:
                kept[(pick - first) * n + v] = max(gain, np.int64(0))
        if pick == len(found[0]):
            break
        if cuda.threadIdx.x == 0:
            here[0] = -1
        cuda.syncthreads()
        cuda.atomic.max(here, 0, most)
        cuda.syncthreads()
        if cuda.threadIdx.x == 0:
            raise_to(found[0], pick, here[0])
        synchronize(control, blocks)
        if most == load(found[0], pick):
            for v in range(me, n, step):
                if load(taken, v) == 0 and load(gains, v) == most:
                    lower(found[1], pick, v)
                    break
        synchronize(control, blocks)
        v = load(found[1], pick)
        if me == 0:
            store(taken, v, np.int32(1))
        for j in range(begins[v] + group, begins[v + 1], groups):
            i = np.int64(index[j])
            known = load(covered, i)
            if known == 0 or known == pick + 1:  # by no choice, or by this one
                if lane == 0:
                    store(covered, i, np.int32(pick + 1))
                weight = weights[i] if len(weights) > 1 else weights[0]
                for e in range(indptr[i] + lane, indptr[i + 1], _LANES):
                    add(gains, np.int64(ids[e]), -weight)
        synchronize(control, blocks)


@kernel
def top_kernel(kept, n, k, sums):
    """The sum of the k greatest numbers of a row, none negative: a block to each row."""
    counts = cuda.shared.array(_DIGIT, np.int32)
    words = cuda.shared.array(4, np.int64)  # how many are wanted still, the digits so far, the sum
    me, threads = np.int64(cuda.threadIdx.x), np.int64(cuda.blockDim.x)
    begin = np.int64(cuda.blockIdx.x) * n
    if me == 0:
        words[0], words[1], words[2], words[3] = k, 0, 0, 0
    cuda.syncthreads()
    most = np.int64(0)
    for v in range(me, n, threads):
        most = max(most, kept[begin + v])
    cuda.atomic.max(words, 3, most)
    cuda.syncthreads()
    shift = np.int64(0)
    while words[3] >> shift >= _DIGIT:
        shift += 8
    mask = np.int64(0)
    while shift >= 0:
        for digit in range(me, _DIGIT, threads):
            counts[digit] = 0
        cuda.syncthreads()
        for v in range(me, n, threads):
            number = kept[begin + v]
            if number & mask == words[1]:
                cuda.atomic.add(counts, (number >> shift) & (_DIGIT - 1), 1)
        cuda.syncthreads()
        if me == 0:
            digit = np.int64(_DIGIT - 1)
            while digit > 0 and words[0] > counts[digit]:
                words[0] -= counts[digit]
                digit -= 1
            words[1] |= digit << shift
        mask |= np.int64(_DIGIT - 1) << shift
        shift -= 8
        cuda.syncthreads()
    total, least = np.int64(0), words[1]
    for v in range(me, n, threads):
        if kept[begin + v] > least:
            total += kept[begin + v]
    cuda.atomic.add(words, 2, total)
    cuda.syncthreads()
    if me == 0:
        sums[cuda.blockIdx.x] = words[2] + words[0] * least
