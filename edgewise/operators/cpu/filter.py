"""`filter` on CPU threads, in one pass: members keep their order.

Each thread lists those it keeps from the front of its part of ``spare`` and the others from the
back; once all counts are known, it copies both to their places.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from edgewise.base.cache import kernel
from edgewise.base.cpu.team import barrier, share
from edgewise.base.threads import get_threads, launch
from edgewise.operators.cpu.state import check_members, state_tuple
from edgewise.operators.cpu.visit import member
from edgewise.operators.frontier import Frontier
from edgewise.operators.functions import compiled, naming_failures

__all__ = ["filter"]


def filter(graph, frontier, predicate, state, split) -> tuple[Frontier, Frontier | None]:
    """See `edgewise.operators.filter`."""
    arrays = state_tuple(state)
    predicate = compiled(predicate, "predicate", 1 + len(arrays))
    check_members(graph, frontier)
    kind = "vertices" if frontier is None else frontier.kind
    size = graph.num_vertices if kind == "vertices" else graph.num_arcs
    ids = None if frontier is None else frontier.ids
    count = size if ids is None else len(ids)
    team = get_threads()
    kept = np.zeros(team + 1, np.int64)
    dtype = np.int32 if size < 2**31 else np.int64
    spare, near = np.empty(count, dtype), np.empty(count, dtype)
    far = np.empty(count if split else 0, dtype)
    with naming_failures(predicate):
        launch(filter_kernel(predicate), ids, count, arrays, spare, kept, near, far, work=count,
               team=team)  # fmt: skip
    total = int(kept[0])
    others = Frontier(size, ids=far[: count - total], kind=kind) if split else None
    return Frontier(size, ids=near[:total], kind=kind), others


@cache
def filter_kernel(predicate):
    @kernel(borrows=True)
    def sift(me, team, control, ids, count, arrays, spare, kept, near, far):
        low, high = share(me, team, count)
        mine, last = low, high
        for i in range(low, high):
            one = member(ids, i)
            if predicate(one, *arrays):
                spare[mine] = one
                mine += 1
            elif len(far) > 0:
                last -= 1
                spare[last] = one
        kept[me + 1] = mine - low
        if not barrier(control, team):
            return
        at, total = np.int64(0), np.int64(0)
        for other in range(team):
            if other < me:
                at += kept[other + 1]
            total += kept[other + 1]
        for i in range(low, mine):
            near[at + i - low] = spare[i]
        for i in range(last, high):
            far[low - at + high - 1 - i] = spare[i]
        if not barrier(control, team):
            return
        if me == 0:
            kept[0] = total

    return sift
