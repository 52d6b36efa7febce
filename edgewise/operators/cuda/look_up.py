"""`look_up` on CUDA: every member reads what it points at."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from edgewise.base.cuda.atomics import load, min as lower
from edgewise.base.cuda.kernels import kernel
from edgewise.base.cuda.language import cuda
from edgewise.operators.cuda.compute import member_reader, pointer_checker
from edgewise.operators.cuda.inner import put, take
from edgewise.operators.cuda.state import WRONG, counters, launch, listed, synchronize, tell, told
from edgewise.operators.indirection import no_vertex, results

__all__ = ["look_up"]


def look_up(graph, request) -> Any:
    """See `edgewise.operators.look_up`."""
    values, at, frontier, out = request
    found = results(graph, values, out, frontier is None)
    n, (ids, count) = graph.num_vertices, listed(graph, frontier)
    if count == 0:
        return found
    run = read_kernel(frontier is None, out is not None)
    with counters(graph) as one:
        launch(run, count, one.control, ids, count, at, values, found, one.counts, one.report.words)
        wrong = told(one, count)[WRONG]
        if wrong < n:
            raise no_vertex(n, wrong, at)
    return found


@cache
def read_kernel(everyone: bool, given: bool) -> Any:
    """The kernel that reads; what is given is written to only if all pointers are right."""
    member, check = member_reader(everyone), pointer_checker(everyone)

    @kernel(cooperative=True)
    def read(ids, count, at, values, found, counts, report, control, blocks):
        n, right = np.int64(len(at)), True
        if given:
            check(ids, count, at, 0, counts)
            synchronize(control, blocks)
            right = load(counts, WRONG) == n
        if right:
            for i in range(cuda.grid(1), count, cuda.gridsize(1)):
                v = member(ids, i)
                target = np.int64(at[v])
                if target >= 0 and target < n:
                    put(found, v, take(values, target))
                else:
                    lower(counts, WRONG, v)
        tell(counts, report, blocks)

    return read
