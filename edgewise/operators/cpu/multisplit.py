"""`multisplit` on CPU threads: a thread counts what its part of the members has for each bucket.

Once all counts are known, every thread knows where each of its piles goes, and copies. The second
pass takes no part of the user's function: it is a kernel of its own, compiled once.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from edgewise.base.cache import kernel
from edgewise.base.cpu.team import share
from edgewise.base.offsets import offsets
from edgewise.base.threads import get_threads, launch
from edgewise.operators.cpu.inner import bucket_number
from edgewise.operators.cpu.state import listed
from edgewise.operators.cpu.walk import member
from edgewise.operators.frontier import Frontier
from edgewise.operators.functions import compiled, naming_failures
from edgewise.operators.splitting import check_buckets

__all__ = ["multisplit"]


def multisplit(graph, request) -> tuple[Frontier, ...]:
    """See `edgewise.operators.multisplit`."""
    frontier, bucket, arrays, buckets, work = request
    bucket = compiled(bucket, "bucket", 1 + len(arrays))
    kind = "vertices" if frontier is None else frontier.kind
    size = graph.num_vertices if kind == "vertices" else graph.num_arcs
    ids, count = listed(frontier, size)
    team, work = get_threads(), count if work is None else work
    chosen = np.empty(count, np.int16)
    counts = np.zeros((team, buckets), np.int64)
    highest = np.full(team + 1, -1, np.int64)  # the first one is how many threads there were
    with naming_failures(bucket):
        launch(count_kernel(bucket), ids, count, arrays, chosen, counts, highest, work=work,
               team=team)  # fmt: skip
    check_buckets(int(highest[1:].max()), buckets)
    places = offsets(counts.T.ravel())  # by bucket, then by thread
    starts, ends = places[:-1].reshape(buckets, team).T.copy(), places[team::team]
    found = np.empty(int(ends[-1]), np.int32 if size < 2**31 else np.int64)
    launch(_place, ids, count, chosen, starts, found, work=work, team=int(highest[0]))
    piles = np.split(found, ends[:-1])
    return tuple(Frontier._trusted(size, ids=one, kind=kind) for one in piles)


@cache
def count_kernel(bucket):
    @kernel(borrows=True)
    def count_up(me, team, control, ids, count, arrays, chosen, counts, highest):
        low, high = share(me, team, count)
        most, buckets = np.int64(-1), counts.shape[1]
        for i in range(low, high):
            at = np.int64(bucket_number(bucket(member(ids, i), *arrays)))
            most = max(most, at)
            if at < 0 or at >= buckets:
                at = np.int64(-1)
            else:
                counts[me, at] += 1
            chosen[i] = at
        highest[me + 1] = most
        if me == 0:
            highest[0] = team

    return count_up


@kernel(borrows=True)
def _place(me, team, control, ids, count, chosen, starts, found):
    """Copy every member behind those of its bucket that come before it."""
    low, high = share(me, team, count)
    for i in range(low, high):
        at = np.int64(chosen[i])
        if at >= 0:
            found[starts[me, at]] = member(ids, i)
            starts[me, at] += 1
