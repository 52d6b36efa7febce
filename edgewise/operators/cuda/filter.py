"""`filter` on CUDA: members keep their order.

One kernel marks those to keep, and CuPy gathers them; a few members are the work of one block,
which puts each behind those kept before it.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from edgewise.base.cuda.kernels import kernel, translated
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
        dtype = np.int32 if size < 2**31 else np.int64
        return Frontier.trusted(size, ids=members.astype(dtype, copy=False), kind=kind)

    return pile(near), pile(far) if split else None


def _sift_many(graph, predicate, everyone, ids, count, arrays, split) -> tuple[Any, Any]:
    """The members kept and, if they are asked for, the others."""
    mask = graph.xp.empty(count, np.uint8)
    mark_kernel(predicate, everyone)(blocks_for(count), THREADS, (ids, mask), count, arrays)

    def pile(chosen: Any) -> Any:
        places = graph.xp.flatnonzero(chosen)
        return places if everyone else ids[places]

    return pile(mask), pile(mask == 0) if split else None


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
        ids, mask = lists
        i = cuda.grid(1)
        if i < count:
            mask[i] = 1 if predicate(member(ids, i), *arrays) else 0

    return mark


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
