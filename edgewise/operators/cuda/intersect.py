"""`intersect` on CUDA: rows by length, so that no list is walked by too few threads or too many.

All edges: a short row's pairs of neighbors (v, w) are spread over the lanes of a group, and each
lane looks w up in row v by bisection. A long row belongs to a block, which marks it in a bitmap in
shared memory and lets each warp stream the rows of some of its neighbors against that: one pass
over u for all its v. The first half of the bitmap holds the small ids exactly (where neighbors are
numbered by falling degree, that is nearly all of them); larger ids share the second half, and what
is found there is confirmed by bisection. Rows that only hold ids below their own, as `orient`
makes them, are noticed: then of every two neighbors only one order is tried.

Given pairs: the shorter list's members are looked up in the longer one, by a thread, a warp or a
block. Counts are integers, so that every run gives the same ones.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numba import cuda

from edgewise.base.cuda.device import simulated
from edgewise.base.cuda.kernels import Kernel, device, kernel, translated
from edgewise.operators.adjacency import row_ids, unsigned
from edgewise.operators.cuda.memory import check_work
from edgewise.operators.cuda.pairs import (
    LANES,
    LONG,
    THREADS,
    below,
    few_kernel,
    fill_kernel,
    group_kernel,
    hitter,
    holds,
)
from edgewise.operators.cuda.state import blocks_for, state_tuple
from edgewise.operators.frontier import Frontier
from edgewise.operators.functions import compiled, naming_failures
from edgewise.operators.results import Common

__all__ = ["intersect"]

# The simulator gets small sizes: it is slow, and tiny graphs should take every path.
#: Rows up to the first length belong to 8 lanes, up to the second to a warp, others to a block.
_TINY, _SHORT = (2, 4) if simulated() else (8, 32)
#: Ids below this are marked exactly: 16 KiB of marks in all.
_SIDE = 64 if simulated() else 1 << 16
#: A list so many times the other one is not walked, the other's members are looked up in it.
_SPARSE = np.uint64(16)

_WARP, _WORDS = np.uint64(LANES), 2 * _SIDE // 32
_0, _1, _2, _3 = (np.uint64(number) for number in range(4))
_HALF, _LOW = np.uint64(_SIDE), np.uint64(_SIDE - 1)
_5, _31, _BIT, _NONE = np.uint32(5), np.uint32(31), np.uint32(1), np.uint32(0)

#: Words of ``control`` beside `LONG`: the next item, whether some row holds ids not below its own,
#: and how many common neighbors there are.
_NEXT, _ABOVE, _TOTAL = 0, 3, 4


def intersect(graph, pairs, function, state, each, lists, ordered) -> Common:
    """See `edgewise.operators.intersect`."""
    arrays = state_tuple(graph, state)
    function = compiled(function, "function", 3 + len(arrays))
    each = each or lists
    if ordered and pairs is not None:
        raise TypeError("ordered belongs to all edges: give no pairs with it")
    with naming_failures(function):
        if pairs is None:
            total, count = _all_edges(graph, translated(function), arrays, each, ordered)
        else:
            us, vs = _pairs(graph, pairs)
            count = _given(graph, us, vs, translated(function), arrays)
            total = int(count.sum())
    if not lists:
        return Common(total, count if each else None, None, None)
    if pairs is None:
        us, vs = row_ids(graph).astype(np.int64), graph.indices.astype(np.int64)
    rows, members = _listed(graph, us, vs, count, total, ordered)
    return Common(total, count, rows, members)


def _all_edges(graph, function, arrays, each, ordered) -> tuple[int, Any]:
    """The number of common neighbors of all edges' ends, and of each one's if they are wanted."""
    xp, n, arcs = graph.xp, graph.shape[0], graph.num_arcs
    check_work("intersect", (arcs if each else 0, np.int64))
    count = xp.zeros(arcs if each else 0, np.int64)
    if arcs == 0:
        return 0, count
    indptr, indices = unsigned(graph.indptr), unsigned(graph.indices)
    control = _control(xp)
    long_rows = xp.empty(min(n, arcs // (_SHORT + 1)) + 1, np.int64)
    survey(ordered)(blocks_for(n, THREADS), THREADS, indptr, indices, long_rows, control)
    for lanes, above, most in ((8, 0, _TINY), (LANES, _TINY, _SHORT)):
        _launch(wedge_kernel(function, each, ordered, lanes, above, most), n * lanes,
                indptr, indices, arrays, control, count)  # fmt: skip
    _launch(mark_kernel(function, each, ordered), len(long_rows) * THREADS,
            indptr, indices, long_rows, arrays, control, count)  # fmt: skip
    return int(control[_TOTAL]), count


def _given(graph, us, vs, function, arrays) -> Any:
    """The number of common neighbors of every pair."""
    xp = graph.xp
    count, rest, control = xp.zeros(len(us), np.int64), xp.empty(len(us), np.int64), _control(xp)
    rows = unsigned(graph.indptr), unsigned(graph.indices), unsigned(us), unsigned(vs)
    none = xp.zeros(1, np.int64)
    _launch(few_kernel(function, False, False), len(us), *rows, arrays, control, count, rest, none,
            none)  # fmt: skip
    for lanes in (LANES, THREADS):
        _launch(group_kernel(function, lanes), len(us) * lanes, *rows, arrays, control, count,
                rest)  # fmt: skip
    return count


def _listed(graph, us, vs, count, total, ordered) -> tuple[Any, Any]:
    """Where each pair's common neighbors begin, and they themselves."""
    xp = graph.xp
    check_work("intersect with lists", (2 * len(us) + total, np.int64))
    starts = xp.zeros(len(us) + 1, np.int64)
    starts[1:] = xp.cumsum(count)
    members, rest, control = xp.empty(total, np.int64), xp.empty(len(us), np.int64), _control(xp)
    rows = unsigned(graph.indptr), unsigned(graph.indices), unsigned(us), unsigned(vs)
    if total:
        _launch(few_kernel(None, ordered, True), len(us), *rows, (), control, count, rest, starts,
                members)  # fmt: skip
        _launch(fill_kernel(ordered), len(us) * THREADS, *rows, control, rest, starts, members)
    return starts, members


def _control(xp) -> Any:
    return xp.zeros(5, np.int64)


def _launch(run: Kernel, threads: int, *args: Any) -> None:
    """Launch for so many threads, at most as many as run at once: the kernels loop."""
    blocks = blocks_for(threads, THREADS)
    if blocks:
        run(min(blocks, run.resident(THREADS, *args)), THREADS, *args)


def _pairs(graph, pairs) -> tuple[Any, Any]:
    """The two ends of every pair."""
    xp = graph.xp
    if isinstance(pairs, Frontier):
        if pairs.kind != "edges" or pairs.size != graph.num_arcs:
            raise ValueError(f"pairs must be a frontier of this graph's edges, got {pairs!r}")
        chosen = xp.sort(xp.asarray(pairs.ids))
        us = xp.searchsorted(graph.indptr, chosen.astype(np.int64), side="right") - 1
        return us.astype(np.int64), graph.indices[chosen].astype(np.int64)
    try:
        us, vs = (xp.atleast_1d(xp.asarray(side)) for side in pairs)
    except (TypeError, ValueError) as error:
        raise TypeError(f"pairs must be two arrays of vertex ids: {error}") from None
    for side in (us, vs):
        if side.ndim != 1 or (side.size and side.dtype.kind not in "iu"):
            raise TypeError(f"pairs must be two arrays of vertex ids, got dtype {side.dtype}")
    us, vs = (xp.ascontiguousarray(side, np.int64) for side in (us, vs))
    if len(us) != len(vs):
        raise ValueError(f"pairs must be two arrays of one length, got {len(us)} and {len(vs)}")
    for side in (us, vs):
        if len(side):
            least, most = int(side.min()), int(side.max())
            if not (least >= 0 and most < graph.num_vertices):
                wrong = least if least < 0 else most
                raise ValueError(
                    f"pairs must hold ids from 0 to {graph.num_vertices - 1}, got {wrong}"
                )
    return us, vs


@cache
def survey(ordered: bool) -> Kernel:
    """The loop that lists the long rows and sees whether rows keep below their own id."""

    @kernel
    def run(indptr, indices, long_rows, control):
        u, step = np.uint64(cuda.grid(1)), np.uint64(cuda.gridsize(1))
        while u < np.uint64(len(indptr)) - _1:
            start, stop = indptr[u], indptr[u + _1]
            if start < stop:
                if ordered:
                    stop = below(indices, start, stop, u)
                elif np.uint64(indices[stop - _1]) >= u:
                    control[_ABOVE] = 1
                if stop - start > np.uint64(_SHORT):
                    long_rows[cuda.atomic.add(control, LONG, 1)] = np.int64(u)
            u += step

    return run


@cache
def wedge_kernel(
    function: Any, each: bool, ordered: bool, lanes: int, above: int, most: int
) -> Kernel:
    """The loop over the rows with more than ``above`` and at most ``most`` neighbors.

    A row's pairs of neighbors number j and i are numbered through, and the lanes share them.
    """
    hit, width = hitter(function), np.uint64(lanes)

    @kernel
    def run(indptr, indices, arrays, control, count):
        sums = cuda.shared.array(1, np.int64)
        if cuda.threadIdx.x == 0:
            sums[0] = 0
        cuda.syncthreads()
        lower = ordered or control[_ABOVE] == 0
        total = np.int64(0)
        me = np.uint64(cuda.grid(1))
        u, step, lane = me // width, np.uint64(cuda.gridsize(1)) // width, me % width
        while u < np.uint64(len(indptr)) - _1:
            start, stop = indptr[u], indptr[u + _1]
            if ordered:
                stop = below(indices, start, stop, u)
            size = stop - start
            if size > np.uint64(above) and size <= np.uint64(most):
                i, j, wide = lane, _0, size
                if lower:
                    j, wide = _1, _1
                while True:
                    while i >= wide:
                        i -= wide
                        j += _1
                        if lower:
                            wide = j
                    if j >= size:
                        break
                    v, w = np.uint64(indices[start + j]), indices[start + i]
                    if holds(indices, indptr[v], indptr[v + _1], w):
                        hit(u, v, w, arrays)
                        if each:
                            cuda.atomic.add(count, np.int64(start + j), 1)
                        total += 1
                    i += width
            u += step
        if total > 0:
            cuda.atomic.add(sums, 0, total)
        cuda.syncthreads()
        if cuda.threadIdx.x == 0 and sums[0] > 0:
            cuda.atomic.add(control, _TOTAL, sums[0])

    return run


@cache
def mark_kernel(function: Any, each: bool, ordered: bool) -> Kernel:
    """The loop over the long rows, a block to each: marks in shared memory, a warp per neighbor."""
    hit, counts_only = hitter(function), function is None
    threads, warps = np.uint64(THREADS), np.uint64(THREADS // LANES)

    @device
    def near(u, v, first, last, lane, indices, marks, arrays):
        """How many of the small ids in ``indices[first:last]`` this lane finds marked."""
        found, f = _NONE, first + lane
        if counts_only:
            while f + _3 * _WARP < last:
                a, b = indices[f], indices[f + _WARP]
                c, d = indices[f + _2 * _WARP], indices[f + _3 * _WARP]
                found = np.uint32(found + is_marked(marks, a) + is_marked(marks, b))
                found = np.uint32(found + is_marked(marks, c) + is_marked(marks, d))
                f += _2 * _2 * _WARP
        while f < last:
            if is_marked(marks, indices[f]) != _NONE:
                hit(u, v, indices[f], arrays)
                found = np.uint32(found + _BIT)
            f += _WARP
        return np.int64(found)

    @device
    def far(u, v, first, last, lane, start, stop, indices, marks, arrays):
        """How many of the large ids in ``indices[first:last]`` this lane finds in row u."""
        found, f = np.int64(0), first + lane
        while f < last:
            w = indices[f]
            if is_marked(marks, place(w)) != _NONE and holds(indices, start, stop, w):
                hit(u, v, w, arrays)
                found += 1
            f += _WARP
        return found

    @device
    def searched(u, v, first, last, lane, start, stop, indices, arrays):
        """How many of row u this lane finds in ``indices[first:last]``."""
        found, f = np.int64(0), start + lane
        while f < stop:
            if holds(indices, first, last, indices[f]):
                hit(u, v, indices[f], arrays)
                found += 1
            f += _WARP
        return found

    @kernel
    def run(indptr, indices, long_rows, arrays, control, count):
        marks = cuda.shared.array(_WORDS, np.uint32)
        firsts = cuda.shared.array(THREADS, np.uint64)
        middles = cuda.shared.array(THREADS, np.uint64)
        lasts = cuda.shared.array(THREADS, np.uint64)
        words = cuda.shared.array(2, np.int64)  # the block's item, the sum of its counts
        me = np.uint64(cuda.threadIdx.x)
        lane, warp = me % _WARP, me // _WARP
        k = me
        while k < np.uint64(_WORDS):
            marks[k] = 0
            k += threads
        if me == _0:
            words[1] = 0
        lower = ordered or control[_ABOVE] == 0
        total = np.int64(0)
        while True:
            cuda.syncthreads()
            if me == _0:
                words[0] = cuda.atomic.add(control, _NEXT, 1)
            cuda.syncthreads()
            item = words[0]
            if item >= control[LONG]:
                break
            u = np.uint64(long_rows[item])
            start, stop = indptr[u], indptr[u + _1]
            if ordered:
                stop = below(indices, start, stop, u)
            e = start + me
            while e < stop:
                mark(marks, place(indices[e]))
                e += threads
            base = start
            while base < stop:  # as many neighbors at once as there are threads
                cuda.syncthreads()
                if base + me < stop:
                    v = np.uint64(indices[base + me])
                    first, last = indptr[v], indptr[v + _1]
                    if ordered:
                        last = below(indices, first, last, v)
                    middle = last
                    if first < last and np.uint64(indices[last - _1]) >= _HALF:
                        middle = below(indices, first, last, _HALF)
                    firsts[me], middles[me], lasts[me] = first, middle, last
                cuda.syncthreads()
                j = warp
                while j < threads and base + j < stop:
                    e = base + j
                    v, first, middle, last = np.uint64(indices[e]), firsts[j], middles[j], lasts[j]
                    end = e if lower else stop
                    if last - first > _SPARSE * (end - start):
                        found = searched(u, v, first, last, lane, start, end, indices, arrays)
                    else:
                        found = near(u, v, first, middle, lane, indices, marks, arrays)
                        found += far(u, v, middle, last, lane, start, stop, indices, marks, arrays)
                    if found > 0:
                        total += found
                        if each:
                            cuda.atomic.add(count, np.int64(e), found)
                    j += warps
                base += threads
            cuda.syncthreads()
            e = start + me
            while e < stop:
                marks[place(indices[e]) >> _5] = 0
                e += threads
        if total > 0:
            cuda.atomic.add(words, 1, total)
        cuda.syncthreads()
        if me == _0 and words[1] > 0:
            cuda.atomic.add(control, _TOTAL, words[1])

    return run


@device
def place(w):
    """The mark that stands for w: its own, or one shared by large ids."""
    w = np.uint64(w)
    return np.uint32(w) if w < _HALF else np.uint32(_HALF | (w & _LOW))


@device
def is_marked(marks, w):
    w = np.uint32(w)
    return np.uint32(np.uint32(marks[w >> _5] >> np.uint32(w & _31)) & _BIT)


@device
def mark(marks, w):
    cuda.atomic.or_(marks, np.int64(w >> _5), np.uint32(_BIT << np.uint32(w & _31)))
