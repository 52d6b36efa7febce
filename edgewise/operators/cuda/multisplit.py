"""`multisplit` on CUDA: a thread counts what its few members have for each bucket.

A running sum over all counts, bucket by bucket, tells every thread where each of its piles goes.
Threads have as many members as there are buckets, so that counts take no more space than members.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from edgewise.base.cuda.atomics import max as raise_to
from edgewise.base.cuda.device import host
from edgewise.base.cuda.kernels import kernel, translated
from edgewise.base.cuda.language import cuda
from edgewise.base.offsets import offsets
from edgewise.operators.cuda.compute import member_reader
from edgewise.operators.cuda.state import THREADS, blocks_for, check_work, listed
from edgewise.operators.fitting import bucket_number
from edgewise.operators.frontier import Frontier
from edgewise.operators.functions import compiled, naming_failures
from edgewise.operators.splitting import check_buckets

__all__ = ["multisplit"]

#: The fewest members of a thread.
_EACH = 16


def multisplit(graph, request) -> tuple[Frontier, ...]:
    """See `edgewise.operators.multisplit`."""
    frontier, bucket, arrays, buckets, _ = request
    bucket = compiled(bucket, "bucket", 1 + len(arrays))
    kind = "vertices" if frontier is None else frontier.kind
    size = graph.num_vertices if kind == "vertices" else graph.num_arcs
    dtype = np.int32 if size < 2**31 else np.int64
    everyone, (ids, count) = frontier is None, listed(graph, frontier)
    xp, each = graph.xp, max(_EACH, buckets)
    parts = max(blocks_for(count, each), 1)
    check_work("multisplit", (count, np.int16), (2 * buckets * parts, np.int64), (count, dtype))
    chosen, counts = xp.empty(count, np.int16), xp.zeros(buckets * parts, np.int64)
    highest = xp.full(1, -1, np.int64)
    lists = (ids, chosen, counts, highest)
    with naming_failures(bucket):
        mark = count_kernel(translated(bucket), everyone)
        mark(blocks_for(parts), THREADS, lists, (count, parts, each, buckets), arrays)
    starts = offsets(counts)
    told = host(xp.concatenate([highest, starts[::parts]])).tolist()
    check_buckets(told[0], buckets)
    found = xp.empty(told[-1], dtype)
    place_kernel(everyone)(blocks_for(parts), THREADS, (ids, chosen, starts, found),
                           (count, parts, each))  # fmt: skip
    spans = zip(told[1:-1], told[2:], strict=True)
    return tuple(Frontier._trusted(size, ids=found[low:high], kind=kind) for low, high in spans)


@cache
def count_kernel(bucket: Any, everyone: bool) -> Any:
    member = member_reader(everyone)

    @kernel
    def count_up(lists, sizes, arrays):
        ids, chosen, counts, highest = lists
        count, parts, each, buckets = sizes
        part = np.int64(cuda.grid(1))
        if part < parts:
            most = np.int64(-1)
            for i in range(part * each, min((part + 1) * each, count)):
                at = np.int64(bucket_number(bucket(member(ids, i), *arrays)))
                most = max(most, at)
                if at < 0 or at >= buckets:
                    at = np.int64(-1)
                else:
                    counts[at * parts + part] += 1
                chosen[i] = at
            if most >= buckets:
                raise_to(highest, 0, most)

    return count_up


@cache
def place_kernel(everyone: bool) -> Any:
    member = member_reader(everyone)

    @kernel
    def place(lists, sizes):
        ids, chosen, starts, found = lists
        count, parts, each = sizes
        part = np.int64(cuda.grid(1))
        if part < parts:
            for i in range(part * each, min((part + 1) * each, count)):
                at = np.int64(chosen[i])
                if at >= 0:
                    found[starts[at * parts + part]] = member(ids, i)
                    starts[at * parts + part] += 1

    return place
