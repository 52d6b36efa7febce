"""`filter` on CUDA: members keep their order.

One kernel marks those to keep and counts them block by block; another puts each behind those kept
before it. A few members are the work of one block.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from edgewise.base.cuda.device import simulated
from edgewise.base.cuda.kernels import device, kernel, translated
from edgewise.base.cuda.language import cuda
from edgewise.operators.cuda.compute import member_reader
from edgewise.operators.cuda.state import FEW, THREADS, blocks_for, counters, listed
from edgewise.operators.frontier import Frontier
from edgewise.operators.functions import compiled, naming_failures

__all__ = ["filter"]


def filter(graph, request) -> tuple[Frontier, Frontier | None]:
    """See `edgewise.operators.filter`."""
    frontier, predicate, arrays, split, _ = request
    predicate = compiled(predicate, "predicate", 1 + len(arrays))
    kind = "vertices" if frontier is None else frontier.kind
    size = graph.num_vertices if kind == "vertices" else graph.num_arcs
    everyone, (ids, count) = frontier is None, listed(graph, frontier)
    sift = _sift_few if count <= FEW else _sift_many
    with naming_failures(predicate):
        near, far = sift(graph, translated(predicate), everyone, ids, count, arrays, split)

    def pile(members: Any) -> Frontier:
        return Frontier.trusted(size, ids=members.astype(_kind(size), copy=False), kind=kind)

    return pile(near), pile(far) if split else None


def _sift_many(graph, predicate, everyone, ids, count, arrays, split) -> tuple[Any, Any]:
    """The members kept and, if they are asked for, the others.

    There is room for all, so that nothing waits for the host to learn how many they are.
    """
    xp, blocks = graph.xp, blocks_for(count)
    mask, counts = xp.empty(count, np.uint8), xp.zeros(blocks + 1, np.int64)
    mark_kernel(predicate, everyone)(blocks, THREADS, (ids, mask, counts[1:]), count, arrays)
    kind = _kind(count) if everyone else ids.dtype
    near, far = xp.empty(count, kind), xp.empty(count if split else 0, kind)
    with counters(graph) as one:
        lists = (ids, mask, xp.cumsum(counts), near, far)
        order_kernel(everyone)(blocks, THREADS, lists, count, one.report.words)
        total = one.report.read()[0]
    return _first(near, total), _first(far, count - total) if split else None


def _first(members: Any, count: int) -> Any:
    """The first so many of an array; on their own, if they are but few of it."""
    return members[:count] if 4 * count >= len(members) else members[:count].copy()


def _kind(size: int) -> Any:
    return np.dtype(np.int32 if size < 2**31 else np.int64)


def _sift_few(graph, predicate, everyone, ids, count, arrays, split) -> tuple[Any, Any]:
    """The same by one block: one launch, and one look at how many it has kept."""
    found = graph.xp.empty(2 * count, np.int64 if everyone else ids.dtype)
    if count == 0:
        return found, found if split else None
    with counters(graph) as one:
        lists = (ids, found, one.report.words)
        place_kernel(predicate, everyone)(1, THREADS, lists, count, arrays)
        kept = one.report.read()[0]
    return found[:kept], found[count : 2 * count - kept] if split else None


@cache
def mark_kernel(predicate: Any, everyone: bool) -> Any:
    member = member_reader(everyone)

    @kernel
    def mark(lists, count, arrays):
        ids, mask, counts = lists
        here = cuda.shared.array(1, np.int32)
        i = cuda.grid(1)
        if cuda.threadIdx.x == 0:
            here[0] = 0
        cuda.syncthreads()
        if i < count:
            hit = np.uint8(1 if predicate(member(ids, i), *arrays) else 0)
            mask[i] = hit
            if hit:
                cuda.atomic.add(here, 0, 1)
        cuda.syncthreads()
        if cuda.threadIdx.x == 0:
            counts[cuda.blockIdx.x] = here[0]

    return mark


@cache
def order_kernel(everyone: bool) -> Any:
    """Put those that are marked, and the others if there is room for them, behind one another; and
    report how many are marked."""
    member = member_reader(everyone)

    @kernel
    def order(lists, count, report):
        ids, mask, starts, near, far = lists
        chosen = cuda.shared.array(THREADS, np.uint8)
        i = np.int64(cuda.grid(1))
        if i == 0:
            report[0] = starts[len(starts) - 1]
        hit = i < count and mask[i] > 0
        before = starts[cuda.blockIdx.x] + rank_in_block(chosen, hit)
        if hit:
            near[before] = member(ids, i)
        elif i < count and len(far) > 0:
            far[i - before] = member(ids, i)

    return order


if simulated():  # which knows no warps

    @device
    def rank_in_block(chosen, hit):
        """How many threads of the block before this one have a hit; all call it."""
        chosen[cuda.threadIdx.x] = 1 if hit else 0
        cuda.syncthreads()
        return int(chosen[: cuda.threadIdx.x].sum())

else:

    @device
    def rank_in_block(chosen, hit):
        """How many threads of the block before this one have a hit; all call it."""
        lane, warp = cuda.threadIdx.x % 32, cuda.threadIdx.x // 32
        votes = cuda.ballot_sync(0xFFFFFFFF, hit)
        if lane == 0:
            chosen[warp] = cuda.popc(votes)
        cuda.syncthreads()
        before = np.int64(cuda.popc(votes & ((np.uint32(1) << np.uint32(lane)) - np.uint32(1))))
        for other in range(warp):
            before += chosen[other]
        return before


@cache
def place_kernel(predicate: Any, everyone: bool) -> Any:
    """One block: those kept from the front of the list, the others from its middle on."""
    member = member_reader(everyone)

    @kernel
    def place(lists, count, arrays):
        ids, found, report = lists
        chosen = cuda.shared.array(FEW, np.uint8)
        for i in range(cuda.threadIdx.x, count, cuda.blockDim.x):
            chosen[i] = 1 if predicate(member(ids, i), *arrays) else 0
        cuda.syncthreads()
        for i in range(cuda.threadIdx.x, count, cuda.blockDim.x):
            before = 0
            for j in range(i):
                before += chosen[j]
            found[before if chosen[i] else count + i - before] = member(ids, i)
            if i == count - 1:
                report[0] = before + chosen[i]

    return place
