"""`intersect` on CUDA: rows by length, so that no list is walked by too few threads or too many.

All edges: a short row's pairs of neighbors (v, w) are spread over the lanes of a group, and each
lane looks w up in row v by bisection. A long row belongs to a block (`intersect_marks`). Rows that
only hold ids below their own, as `orient` makes them, are noticed: then of every two neighbors only
one order is tried.

Given pairs, and what is more than a count, are for `intersect_pairs`. Counts are integers, so that
every run gives the same ones.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from edgewise.base.cuda.atomics import add
from edgewise.base.cuda.device import simulated
from edgewise.base.cuda.kernels import Kernel, kernel, translated
from edgewise.base.cuda.language import cuda
from edgewise.graph.transfer import row_ids
from edgewise.operators.adjacency import unsigned
from edgewise.operators.cuda import intersect_pairs as given_pairs
from edgewise.operators.cuda.intersect_marks import (
    ABOVE,
    LONG,
    TOTAL,
    WARP,
    by_function,
    by_vertex,
    mark_kernel,
)
from edgewise.operators.cuda.intersect_pairs import below, hitter, holds
from edgewise.operators.cuda.state import THREADS, blocks_for, check_work
from edgewise.operators.functions import compiled, naming_failures
from edgewise.operators.requests import Intersection
from edgewise.operators.results import Common

__all__ = ["intersect"]

# The simulator gets small sizes: it is slow, and tiny graphs should take every path.
#: Rows up to the first length belong to 8 lanes, up to the second to a warp, others to a block.
_TINY, _SHORT = (2, 4) if simulated() else (8, 32)
_0, _1 = np.uint64(0), np.uint64(1)


def intersect(graph, request: Intersection) -> Common:
    """See `edgewise.operators.intersect`."""
    function = compiled(request.function, "function", 3 + len(request.state))
    us, vs = request.pairs or (None, None)
    starts = members = totals = None
    if us is None and (request.lists or request.message is not None):
        us, vs = row_ids(graph).astype(np.int64), graph.indices.astype(np.int64)
    if request.message is not None:
        combine = compiled(request.reduce.combine, "reduce.combine", 2)
        with naming_failures(request.message.given, combine):
            totals, count = given_pairs.pair_totals(graph, us, vs, request)
        total = int(count.sum())
    if request.message is None or function is not None:
        with naming_failures(function):
            if request.pairs is None:
                total, count = _all_edges(graph, translated(function), request)
            else:
                count = given_pairs.pair_counts(graph, us, vs, translated(function), request.state)
                total = int(count.sum())
    if request.lists:
        starts, members = given_pairs.pair_lists(graph, us, vs, count, total, request.ordered)
    return Common(total, count if request.each else None, starts, members, totals)


def _all_edges(graph, function, request) -> tuple[int, Any]:
    """The number of common neighbors of all edges' ends, and of each one's if they are wanted."""
    xp, n, arcs = graph.xp, graph.shape[0], graph.num_arcs
    each, ordered, state = request.each, request.ordered, request.state
    check_work("intersect", (arcs if each else 0, np.int64))
    count = xp.zeros(arcs if each else 0, np.int64)
    if arcs == 0:
        return 0, count
    rows, control = (unsigned(graph.indptr), unsigned(graph.indices)), xp.zeros(4, np.int64)
    long_rows = xp.empty(min(n, arcs // (_SHORT + 1)) + 1, np.int64)
    survey(ordered)(blocks_for(n, THREADS), THREADS, *rows, long_rows, control)
    for lanes, above, most in ((8, 0, _TINY), (WARP, _TINY, _SHORT)):
        _fill(wedge_kernel(function, each, ordered, lanes, above, most), n * lanes,
              *rows, state, control, count)  # fmt: skip
    counting = by_vertex() if request.vertices else by_function(function)
    _fill(mark_kernel(counting, each, ordered), len(long_rows) * THREADS,
          *rows, long_rows, state, control, count)  # fmt: skip
    return int(control[TOTAL]), count


def _fill(run: Kernel, threads: int, *args: Any) -> None:
    """Launch for so many threads, at most as many as run at once: the kernels loop."""
    run(min(blocks_for(threads), run.resident(THREADS, *args)), THREADS, *args)


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
                    control[ABOVE] = 1
                if stop - start > np.uint64(_SHORT):
                    long_rows[add(control, LONG, 1)] = np.int64(u)
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
        lower = ordered or control[ABOVE] == 0
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
                            add(count, np.int64(start + j), 1)
                        total += 1
                    i += width
            u += step
        if total > 0:
            cuda.atomic.add(sums, 0, total)
        cuda.syncthreads()
        if cuda.threadIdx.x == 0 and sums[0] > 0:
            add(control, TOTAL, sums[0])

    return run
