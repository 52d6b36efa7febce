"""Who walks which row on CUDA: rows by length, the longest cut into pieces.

A short row is for one thread, a longer one for eight lanes, the next for a warp; the longest are
cut into pieces of fixed size, a block each.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from edgewise.base.cuda.atomics import add, exch, fence
from edgewise.base.cuda.device import current_device, simulated
from edgewise.base.cuda.kernels import device, kernel
from edgewise.base.cuda.language import cuda
from edgewise.base.cuda.launches import lasting
from edgewise.base.cuda.mapped_memory import Report
from edgewise.base.offsets import offsets
from edgewise.graph import Graph
from edgewise.operators.adjacency import ALL, unsigned
from edgewise.operators.cuda.compute import member_reader
from edgewise.operators.cuda.rounds import OFFSETS, wide_scan
from edgewise.operators.cuda.state import THREADS, blocks_for

__all__ = ["Cut", "Plan", "bounds", "few_rows", "longest_row", "owners", "plan_rows",
           "whole_plan"]  # fmt: skip

#: So many rows are few, unless one of them may be longer than a block should walk alone.
FEW_ROWS, ALONE = (4, 1 << 20) if simulated() else (4096, 1 << 20)


class Cut(NamedTuple):
    """The longest rows for one thread, for eight lanes and for a warp; the size of pieces."""

    thread: int
    group: int
    warp: int
    piece: int


class Plan(NamedTuple):
    """Row ids, those of kind k at ``spans[k] = (begin, count)``; ``pieces`` of the longest.

    Piece p belongs to the ``owner[p]``-th of the longest rows, whose first one is ``first[...]``.
    """

    ids: Any
    spans: tuple[tuple[int, int], ...]
    first: Any
    owner: Any


def whole_plan(graph: Graph, mode: str, indptr: Any, cut: Cut) -> Plan:
    """The plan for all rows along ``mode``, made once and kept; ids ascend in every kind."""
    kept = graph.__dict__.setdefault("_plans", {})
    key = (mode if graph.directed else "all", cut)
    if key not in kept:
        kept[key] = plan_rows(graph.xp, indptr, None, cut, ordered=True)
    return kept[key]


def few_rows(graph: Graph, mode: str, indptr: Any, ids: Any, alone: int = ALONE) -> Plan | None:
    """A plan for so few rows that each is for a block, with nothing sorted; None if it is not so.

    All are of kind 2; none may be longer than ``alone``.
    """
    if ids is None or len(ids) > FEW_ROWS:
        return None
    longest, none = longest_row(graph, mode, indptr)
    return (
        None if longest > alone else Plan(ids, ((0, 0), (0, 0), (0, len(ids)), (0, 0)), none, none)
    )


def longest_row(graph: Graph, mode: str, indptr: Any) -> tuple[int, Any]:
    """The length of the longest row along ``mode``, and an empty array; looked for once."""
    kept = graph.__dict__.setdefault("_longest_rows", {})
    key = mode if graph.directed else "all"
    if key not in kept:
        signed = indptr.view(np.int64)
        longest = int((signed[1:] - signed[:-1]).max()) if len(indptr) > 1 else 0
        kept[key] = longest, lasting(indptr[:0])
    return kept[key]


def plan_rows(
    xp: Any, indptr: Any, ids: Any, cut: Cut, first: int = 0, last: int = ALL, *,
    ordered: bool = False,
) -> Plan:  # fmt: skip
    """Sort the rows ``ids`` (all, if None) by the lengths of their slices ``first..last``.

    Within a kind they come in any order, unless they are to be ``ordered``.
    """
    everyone = ids is None
    count = len(indptr) - 1 if everyone else len(ids)
    queue = xp.empty(4 * count, np.int32 if len(indptr) <= 2**31 else np.int64)
    spare = _spare.setdefault(current_device(), [])
    buffers = spare.pop() if spare else _Buffers(xp)
    lists = (indptr, indptr if everyone else ids, queue, buffers.tallies, buffers.report.words)
    if count:
        sort_kernel(everyone)(
            blocks_for(count, THREADS), THREADS, lists, count, np.uint64(first), np.uint64(last),
            tuple(cut),
        )  # fmt: skip
    *sizes, pieces = buffers.report.read() if count else [0] * 5
    spare.append(buffers)
    begins = [0, count, 2 * count, 3 * count]
    if ordered:  # one order for good: which rows share a block decides how sums are rounded
        kinds = [xp.sort(queue[k * count : k * count + size]) for k, size in enumerate(sizes)]
        queue, begins = xp.concatenate(kinds), offsets(sizes[:3]).tolist()
    starts, owner = buffers.none
    if pieces:
        starts, owner = xp.empty(sizes[3] + 1, np.int64), xp.empty(pieces, np.int64)
        long = queue[begins[3] : begins[3] + sizes[3]]
        cut_kernel()(
            1, THREADS, (indptr, long, starts, owner), sizes[3], np.uint64(first), np.uint64(last),
            cut.piece,
        )  # fmt: skip
        starts, owner = unsigned(starts), unsigned(owner)
    return Plan(unsigned(queue), tuple(zip(begins, sizes, strict=True)), starts, owner)


class _Buffers:
    """What rows are counted with, kind by kind: zero before and after; and what stands for none."""

    def __init__(self, xp: Any):
        self.tallies, self.report = lasting(xp.zeros(6, np.int64)), Report(xp, 5)
        self.none = lasting(xp.zeros(1, np.uint64)), lasting(xp.zeros(0, np.uint64))


#: By device, those that are not in use.
_spare: dict[int, list[_Buffers]] = {}


def owners(xp: Any, starts: Any, count: int) -> Any:
    """Whose each of so many pieces is, where those of each row begin at ``starts``."""
    return (xp.searchsorted(starts, xp.arange(count), side="right") - 1).astype(np.int64)


@cache
def sort_kernel(everyone: bool) -> Any:
    member = member_reader(everyone)

    @kernel
    def sort(lists, count, first, last, cut):
        indptr, ids, queue, tallies, report = lists
        here = cuda.shared.array(5, np.int64)
        begin = cuda.shared.array(5, np.int64)
        t, i = cuda.threadIdx.x, cuda.grid(1)
        if t < 5:
            here[t] = 0
        cuda.syncthreads()
        kind, place, v = np.int64(-1), np.int64(0), np.int64(0)
        if i < count:
            v = member(ids, i)
            low, high = bounds(indptr, np.uint64(v), first, last)
            length = np.int64(high - low)
            kind = np.int64(length > cut[0]) + np.int64(length > cut[1]) + np.int64(length > cut[2])
            place = cuda.atomic.add(here, kind, 1)
            if kind == 3:
                cuda.atomic.add(here, 4, (length + cut[3] - 1) // cut[3])
        cuda.syncthreads()
        if t < 5 and here[t] > 0:
            begin[t] = add(tallies, t, here[t])
        cuda.syncthreads()
        if kind >= 0:
            queue[kind * count + begin[kind] + place] = v
        if t == 0:
            fence()
            if add(tallies, 5, 1) == cuda.gridDim.x - 1:  # the last one tells, and clears up
                for k in range(5):
                    report[k] = exch(tallies, k, np.int64(0))
                tallies[5] = 0

    return sort


@device
def bounds(indptr, u, first, last):
    """The positions of the slice ``first..last`` of the row of ``u``."""
    start, end = indptr[u], indptr[u + np.uint64(1)]
    return min(start + first, end), min(start + last, end)


@cache
def cut_kernel() -> Any:
    """One block: where the pieces of each long row begin, and whose each piece is."""

    @kernel
    def cut(lists, count, first, last, size):
        indptr, long, starts, owner = lists
        offsets = cuda.shared.array(OFFSETS, np.int64)
        warps = cuda.shared.array(32, np.int64)
        before, i = np.int64(0), np.int64(cuda.threadIdx.x)
        for _ in range((count + THREADS - 1) // THREADS):
            mine = np.int64(0)
            if i < count:
                low, high = bounds(indptr, np.uint64(long[i]), first, last)
                mine = (np.int64(high - low) + size - 1) // size
            wide_scan(offsets, mine, warps)
            if i < count:
                begin = before + offsets[cuda.threadIdx.x]
                starts[i] = begin
                for p in range(begin, begin + mine):
                    owner[p] = i
            before += offsets[THREADS]
            i += THREADS
            cuda.syncthreads()  # all have seen the total: the next turn writes over it
        if cuda.threadIdx.x == 0:
            starts[count] = before

    return cut
