"""`look_up` on CPU threads: every member reads what it points at."""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.base import atomic
from edgewise.base.cache import kernel
from edgewise.base.cpu.atomics import load
from edgewise.base.cpu.team import barrier, grab
from edgewise.base.threads import launch
from edgewise.operators.cpu.inner import put, take
from edgewise.operators.cpu.state import frozen, listed
from edgewise.operators.cpu.visit import member
from edgewise.operators.indirection import no_vertex, results

__all__ = ["look_up"]


def look_up(graph, request) -> Any:
    """See `edgewise.operators.look_up`."""
    values, at, frontier, out = request
    found, n = results(graph, values, out, frontier is None), graph.num_vertices
    ids, count = listed(frontier, n)
    wrong = np.full(1, n)
    launch(_read, ids, count, frozen(at), frozen(values), found, out is not None, wrong,
           work=count)  # fmt: skip
    if wrong[0] < n:
        raise no_vertex(n, wrong[0], at)
    return found


@kernel(borrows=True)
def _read(me, team, control, ids, count, at, values, found, given, wrong):
    """What is given is written to only if all pointers are right: they are looked through first."""
    n = len(at)
    while given:
        low, high = grab(control, 0, 4096, count)
        if low == high:
            break
        for i in range(low, high):
            v = member(ids, i)
            if not 0 <= np.int64(at[v]) < n:
                atomic.min(wrong, 0, v)
    if given and (not barrier(control, team) or load(wrong, 0) < n):
        return
    while True:
        low, high = grab(control, 1, 4096, count)
        if low == high:
            break
        for i in range(low, high):
            v = member(ids, i)
            target = np.int64(at[v])
            if 0 <= target < n:
                put(found, v, take(values, np.uint64(target)))
            else:
                atomic.min(wrong, 0, v)
