"""`filter` on CPU threads, in one pass: members keep their order.

Each thread lists those it keeps from the front of its part of ``spare``; once all counts are known,
it copies them to their places. That takes no part of the user's function, so it is a kernel of its
own, compiled once; a short list, made by one thread, is there already.
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


def filter(graph, request) -> Frontier:
    """See `edgewise.operators.filter`."""
    frontier, predicate, arrays, work, _ = request
    predicate = compiled(predicate, "predicate", 1 + len(arrays))
    kind = "vertices" if frontier is None else frontier.kind
    size = graph.num_vertices if kind == "vertices" else graph.num_arcs
    ids, count = listed(frontier, size)
    team, work = get_threads(), count if work is None else work
    kept = np.zeros(team + 1, np.int64)
    dtype = np.int32 if size < 2**31 else np.int64
    spare = np.empty(count, dtype)
    with naming_failures(predicate):
        launch(filter_kernel(predicate), ids, count, arrays, spare, kept, work=work, team=team)
    return Frontier._trusted(size, ids=gathered(spare, kept, work), kind=kind)


def gathered(spare, kept, work) -> np.ndarray:
    """What the threads left at the front of their equal parts of ``spare``.

    ``kept`` is how many threads there were, and how many each has at the front; ``work`` is what
    they were launched for, so that as many come again.
    """
    threads, total, count = int(kept[0]), int(kept[1:].sum()), len(spare)
    if threads == 1:
        return spare[:total] if 4 * total > count else spare[:total].copy()
    found = np.empty(total, spare.dtype)
    launch(_place, count, spare, kept, found, work=work, team=threads)
    return found


@cache
def filter_kernel(predicate):
    @kernel(borrows=True)
    def sift(me, team, control, ids, count, arrays, spare, kept):
        low, high = share(me, team, count)
        mine = low
        for i in range(low, high):
            one = member(ids, i)
            if predicate(one, *arrays):
                spare[mine] = one
                mine += 1
        kept[me + 1] = mine - low
        if me == 0:
            kept[0] = team

    return sift


@kernel(borrows=True)
def _place(me, team, control, count, spare, kept, found):
    """Copy what a thread has kept behind that of the threads before it."""
    low, _ = share(me, team, count)
    at = np.int64(0)
    for other in range(me):
        at += kept[other + 1]
    for i in range(kept[me + 1]):
        found[at + i] = spare[low + i]
