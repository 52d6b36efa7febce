"""`filter` on CUDA: members keep their order, and one launch does it all.

Every warp has a run of members of its own, up to 64 for each lane, and notes in a word whom it
keeps; blocks tell each other how many these are, meet, and put them behind those kept before. More
members than that are done in turns. A few are the work of one block.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from edgewise.base.cuda.atomics import add, fence, load
from edgewise.base.cuda.bits import count_bits
from edgewise.base.cuda.device import simulated
from edgewise.base.cuda.kernels import device, kernel, translated
from edgewise.base.cuda.language import cuda
from edgewise.base.cuda.launches import lasting
from edgewise.base.cuda.mapped_memory import Report
from edgewise.graph import Graph
from edgewise.operators.cuda.compute import member_reader
from edgewise.operators.cuda.state import FEW, THREADS, blocks_for, listed, synchronize
from edgewise.operators.cuda.totals import EVERY_LANE
from edgewise.operators.frontier import Frontier
from edgewise.operators.functions import compiled, naming_failures
from edgewise.operators.workspace import borrowed

__all__ = ["filter"]

_WARPS, _LANES = THREADS // 32, np.int64(32)
#: Members of one lane in a turn: bits of a word.
_EACH = 3 if simulated() else 64
#: Blocks of a launch, at most.
_BLOCKS = 1 << 13
#: Lists longer than this are not kept for a few of their members.
_LONG = 1 << 16
#: Words that a block shares: the counts of its warps, and two sums.
_WORDS = _WARPS + 2
_1 = np.uint64(1)


class _Counting(NamedTuple):
    """By what the blocks of a launch synchronize (all zero before and after), and their counts."""

    control: Any
    counts: Any  # of two turns
    report: Report


def filter(graph, request) -> Frontier:
    """See `edgewise.operators.filter`."""
    frontier, predicate, arrays, *_ = request
    predicate = compiled(predicate, "predicate", 1 + len(arrays))
    kind = "vertices" if frontier is None else frontier.kind
    size = graph.num_vertices if kind == "vertices" else graph.num_arcs
    everyone, (ids, count) = frontier is None, listed(graph, frontier)
    dtype = np.dtype(np.int32 if size < 2**31 else np.int64)
    found, kept = graph.xp.empty(count, dtype), 0
    if count:
        run = sift_kernel(translated(predicate), everyone)
        with naming_failures(predicate), _counting(graph) as one:
            args = ((ids, found), count, arrays, one.control, one.counts, one.report.words)
            if count <= FEW:
                run(1, THREADS, *args, 1)
            else:
                run.fill(THREADS, *args, most=min(blocks_for(count), _BLOCKS))
            kept = one.report.read()[0]
    found = found[:kept]
    if count > _LONG and 4 * kept < count:
        found = found.copy()
    return Frontier._trusted(size, ids=found, kind=kind)


def _counting(graph: Graph) -> borrowed:
    def make() -> _Counting:
        control, counts = graph.xp.zeros(2, np.int32), graph.xp.zeros(2 * _BLOCKS, np.int64)
        return _Counting(lasting(control), lasting(counts), Report(graph.xp, 1))

    return borrowed(graph, "filter", make)


@cache
def sift_kernel(predicate: Any, everyone: bool) -> Any:
    """Members that are kept, one behind the other."""
    member = member_reader(everyone)

    @kernel(cooperative=True)
    def sift(lists, count, arrays, control, counts, report, blocks):
        ids, found = lists
        here = cuda.shared.array(_WORDS, np.int64)
        chosen = cuda.shared.array(THREADS, np.uint8)
        me, block = np.int64(cuda.threadIdx.x), np.int64(cuda.blockIdx.x)
        lane, warp, threads = me % _LANES, me // _LANES, np.int64(blocks) * THREADS
        first, done, turn = np.int64(0), np.int64(0), np.int64(0)
        while first < count:
            each = min((count - first + threads - 1) // threads, np.int64(_EACH))
            start = first + (block * _WARPS + warp) * _LANES * each + lane
            mine, kept = np.uint64(0), np.int64(0)
            for k in range(each):
                i = start + _LANES * k
                hit = False
                if i < count and predicate(member(ids, i), *arrays):
                    hit = True
                    mine |= _1 << np.uint64(k)
                kept += count_bits(votes(chosen, hit))
            if lane == 0:
                here[warp] = kept
            if me < 2:
                here[_WARPS + me] = 0
            cuda.syncthreads()
            place, total = done, np.int64(0)
            for other in range(_WARPS):
                if other < warp:
                    place += here[other]
                total += here[other]
            at = (turn & 1) * blocks
            if me == 0:
                counts[at + block] = total
            synchronize(control, blocks)
            before, total = np.int64(0), np.int64(0)
            for other in range(me, blocks, THREADS):
                number = load(counts, at + other)
                total += number
                if other < block:
                    before += number
            if before:
                cuda.atomic.add(here, _WARPS, before)
            if total:
                cuda.atomic.add(here, _WARPS + 1, total)
            cuda.syncthreads()
            place += here[_WARPS]
            for k in range(each):
                i, hit = start + _LANES * k, (mine >> np.uint64(k)) & _1 != 0
                word = votes(chosen, hit)
                to = place + count_bits(word & ((np.uint32(1) << np.uint32(lane)) - np.uint32(1)))
                if hit:
                    found[to] = member(ids, i)
                place += count_bits(word)
            done += here[_WARPS + 1]
            first += threads * each
            turn += 1
            cuda.syncthreads()
        if me == 0 and block == 0:
            report[0] = done
        if me == 0 and blocks > 1:
            fence()
            if add(control, 1, 1) == blocks - 1:  # the last one leaves the words as they were
                control[0] = control[1] = 0

    return sift


if simulated():  # which knows no warps; a block is as large as one

    @device
    def votes(chosen, hit):
        """A bit for every lane that has a hit; all threads of the block call it."""
        chosen[cuda.threadIdx.x] = 1 if hit else 0
        cuda.syncthreads()
        word = np.uint32(sum(int(chosen[lane]) << lane for lane in range(32)))
        cuda.syncthreads()
        return word

else:

    @device
    def votes(chosen, hit):
        """A bit for every lane that has a hit; all threads of the block call it."""
        return np.uint32(cuda.ballot_sync(EVERY_LANE, hit))
