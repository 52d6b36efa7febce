"""`filter` on CUDA: one kernel marks the members to keep, CuPy gathers them in order."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from edgewise.base.cuda.kernels import kernel, translated
from edgewise.base.cuda.language import cuda
from edgewise.operators.cuda.compute import member_reader
from edgewise.operators.cuda.state import THREADS, blocks_for
from edgewise.operators.frontier import Frontier
from edgewise.operators.functions import compiled, naming_failures

__all__ = ["filter"]


def filter(graph, request) -> tuple[Frontier, Frontier | None]:
    """See `edgewise.operators.filter`."""
    frontier, predicate, arrays, split = request
    predicate = compiled(predicate, "predicate", 1 + len(arrays))
    kind = "vertices" if frontier is None else frontier.kind
    size = graph.num_vertices if kind == "vertices" else graph.num_arcs
    everyone = frontier is None
    ids = graph.indptr if everyone else frontier.ids
    count = size if everyone else len(ids)
    mask = graph.xp.empty(count, np.uint8)
    with naming_failures(predicate):
        run = filter_kernel(translated(predicate), everyone)
        run(blocks_for(count), THREADS, (ids, mask), count, arrays)

    def pile(chosen: Any) -> Frontier:
        places = graph.xp.flatnonzero(chosen)
        members = places if everyone else ids[places]
        dtype = np.int32 if size < 2**31 else np.int64
        return Frontier.trusted(size, ids=members.astype(dtype, copy=False), kind=kind)

    return pile(mask), pile(mask == 0) if split else None


@cache
def filter_kernel(predicate: Any, everyone: bool) -> Any:
    member = member_reader(everyone)

    @kernel
    def mark(lists, count, arrays):
        ids, mask = lists
        i = cuda.grid(1)
        if i < count:
            mask[i] = 1 if predicate(member(ids, i), *arrays) else 0

    return mark
