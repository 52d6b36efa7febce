"""`filter` on CPU threads, in one pass: members keep their order.

Each thread lists those it keeps from the front of its part of ``spare`` and the others from the
back; once all counts are known, it copies both to their places. That takes no part of the user's
function, so it is a kernel of its own, compiled once; a short list, made by one thread, is there
already.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from edgewise.base.cache import kernel
from edgewise.base.cpu.team import share
from edgewise.base.threads import get_threads, launch
from edgewise.operators.cpu.state import listed
from edgewise.operators.cpu.walk import member
from edgewise.operators.frontier import Frontier
from edgewise.operators.functions import compiled, naming_failures

__all__ = ["filter", "gathered"]


def filter(graph, request) -> tuple[Frontier, Frontier | None]:
    """See `edgewise.operators.filter`."""
    frontier, predicate, arrays, split, work, _ = request
    predicate = compiled(predicate, "predicate", 1 + len(arrays))
    kind = "vertices" if frontier is None else frontier.kind
    size = graph.num_vertices if kind == "vertices" else graph.num_arcs
    ids, count = listed(frontier, size)
    team, work = get_threads(), count if work is None else work
    kept = np.zeros(team + 1, np.int64)
    dtype = np.int32 if size < 2**31 else np.int64
    spare = np.empty(count, dtype)
    with naming_failures(predicate):
        launch(filter_kernel(predicate), ids, count, arrays, spare, kept, split, work=work,
               team=team)  # fmt: skip
    near, far = gathered(spare, kept, work, split)
    others = Frontier.trusted(size, ids=far, kind=kind) if split else None
    return Frontier.trusted(size, ids=near, kind=kind), others


def gathered(spare, kept, work, split=False) -> tuple[np.ndarray, np.ndarray | None]:
    """What the threads left in their equal parts of ``spare``: at the front, and at the back.

    ``kept`` is how many threads there were, and how many each has at the front; ``work`` is what
    they were launched for, so that as many come again.
    """
    threads, total, count = int(kept[0]), int(kept[1:].sum()), len(spare)
    if threads == 1:
        near, far = spare[:total], np.ascontiguousarray(spare[total:][::-1]) if split else None
        return near if 4 * total > count else near.copy(), far
    near, far = np.empty(total, spare.dtype), np.empty(count - total if split else 0, spare.dtype)
    launch(_place, count, spare, kept, near, far, work=work, team=threads)
    return near, far


@cache
def filter_kernel(predicate):
    @kernel(borrows=True)
    def sift(me, team, control, ids, count, arrays, spare, kept, split):
        low, high = share(me, team, count)
        mine, last = low, high
        for i in range(low, high):
            one = member(ids, i)
            if predicate(one, *arrays):
                spare[mine] = one
                mine += 1
            elif split:
                last -= 1
                spare[last] = one
        kept[me + 1] = mine - low
        if me == 0:
            kept[0] = team

    return sift


@kernel(borrows=True)
def _place(me, team, control, count, spare, kept, near, far):
    """Copy what a thread has kept, and has not, behind that of the threads before it."""
    low, high = share(me, team, count)
    at = np.int64(0)
    for other in range(me):
        at += kept[other + 1]
    for i in range(kept[me + 1]):
        near[at + i] = spare[low + i]
    if len(far) > 0:
        for i in range(high - low - kept[me + 1]):
            far[low - at + i] = spare[high - 1 - i]
