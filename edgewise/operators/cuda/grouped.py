"""`reduce_neighbors` with ``key=`` on CUDA, all keys: rows of keys and totals.

The keys of each row are counted, then written in any order, and those of all rows sorted together
if that is asked for. Rows that are finished and shortened (`edgewise.operators.finished_rows`) are
computed in batches, so that only what is left of them is in memory at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

from edgewise.base.cuda.atomics import add
from edgewise.base.cuda.device import free_memory, simulated
from edgewise.base.cuda.kernels import device
from edgewise.base.offsets import offsets
from edgewise.graph.transfer import host
from edgewise.operators.cuda.gather import KEYED, Data, Gathering
from edgewise.operators.cuda.hash_tables import key_at
from edgewise.operators.cuda.long_tables import gather_rows
from edgewise.operators.cuda.state import check_work
from edgewise.operators.cuda.totals import COUNT
from edgewise.operators.cuda.walk import Deal, Plan, Walk, deal_out, store_total
from edgewise.operators.finished_rows import in_order, shortened
from edgewise.operators.requests import Neighborhood
from edgewise.operators.results import Grouped

__all__ = ["dealt", "grouped"]

#: Bytes for each key of a batch: tables, keys and totals, before and after they are finished.
_WIDTH = 64
#: The part of the free memory that a batch takes.
_PART = 4


def dealt(graph, mode: str, ids: Any, data: Data) -> tuple[Plan, Deal]:
    """Who gathers which rows."""
    alone = KEYED.cut.warp if data.reach is None else -1
    return deal_out(graph, mode, data.rows[0], ids, KEYED, reach=data.reach, alone=alone)


def grouped(graph, ids: Any, request: Neighborhood, how: Gathering, data: Data) -> Grouped:
    """All keys and totals: counted, written, finished, and sorted."""
    xp, n = graph.xp, graph.num_vertices
    rank, width, named = data.key, 0, None
    how = how._replace(narrow=False)
    if data.key is not None:
        rank, width, named = _ranks(xp, data.key, n)
    else:
        width, named = request.via.shape[1], lambda rank: rank
    data = data._replace(key=rank)
    parts = [
        _batch(graph, dealt(graph, request.mode, some, data), request, how, data, (width, named))
        for some in _batches(xp, graph, ids, data, request.finishing is not None)
    ]
    if len(parts) == 1:
        return parts[0]
    counts = sum(xp.diff(one.indptr) for one in parts)
    keys, totals = (xp.concatenate([one[k] for one in parts]) for k in (1, 2))
    return Grouped(offsets(counts), keys, totals)


def _batches(xp, graph, ids: Any, data: Data, finished: bool) -> Iterator[Any]:
    """The members, or some at a time if that is worth it: if rows over two steps get shorter."""
    free = 1 << 12 if simulated() else free_memory()
    limit, n = free // _PART // _WIDTH, graph.num_vertices
    if data.reach is None or not finished or int(data.reach.sum()) <= limit:
        yield ids
        return
    ids = xp.arange(n, dtype=graph.id_dtype) if ids is None else xp.sort(ids)
    ends, low = host(data.reach[ids].cumsum()), 0
    while low < len(ends):
        before = int(ends[low - 1]) if low else 0
        high = max(low + 1, int(np.searchsorted(ends, before + limit, "right")))
        yield ids[low:high]
        low = high


def _batch(graph, rows: tuple[Plan, Deal], request: Neighborhood, how: Gathering, data: Data,
           names: tuple) -> Grouped:  # fmt: skip
    """The rows of some members; ``names`` are the width of ranks, and what makes keys of them."""
    xp, n, (width, named) = graph.xp, graph.num_vertices, names
    counts = xp.zeros(n, np.int64)
    only_keys = Gathering(None, how.combine, np.dtype(np.int32), how.two_steps)
    gather_rows(xp, *rows, only_keys, counting(),
                data._replace(empty=np.int32(0), identity=np.int64(0), outputs=counts))  # fmt: skip
    indptr = offsets(counts)
    found = int(indptr[-1])
    # Beside these two their order, what sorting takes, and both in order.
    more = 2 if request.sort or request.finishing is not None else 1
    check_work("reduce_neighbors with key", ((2 * more + 1) * found, np.int64),
               (more * found, how.dtype))  # fmt: skip
    pairs, totals = xp.empty(found, np.int64), xp.empty(found, how.dtype)
    gather_rows(xp, *rows, how, writing(),
                data._replace(outputs=(indptr.copy(), pairs, totals, width)))  # fmt: skip
    if request.finishing is None:
        if request.sort:
            order = xp.argsort(pairs)
            pairs, totals = pairs[order], totals[order]
        return Grouped(indptr, named(pairs % width), totals)
    whole = Grouped(indptr, named(pairs % width), totals)
    left = shortened(xp, graph.device, whole, xp.arange(n), request.finishing)
    return in_order(xp, left) if request.sort else left


def _ranks(xp, key, n) -> tuple[Any, int, Any]:
    """The keys as numbers from 0 to below a width in the same order, and the way back to keys.

    They are shifted by the least, or, where their range is too wide to fold a vertex in, numbered.
    """
    key = key.astype(np.int64, copy=False)
    least, most = (int(key.min()), int(key.max())) if len(key) else (0, 0)
    width = most - least + 1
    if width * n < 2**62:
        return key - least, width, lambda rank: rank + least
    keys, rank = xp.unique(key, return_inverse=True)
    return rank.astype(np.int64), len(keys), lambda rank: keys[rank]


@cache
def counting() -> Walk:
    """The walk that counts the keys of each row."""

    @device
    def look(row, lane, step, table, data):
        found = np.int64(0)
        for i in range(lane, table[3] + 1, step):
            if table[0][table[2] + i] != 0:
                found += 1
        return found

    return Walk(look, COUNT, store_total)


@cache
def writing() -> Walk:
    """The walk that writes the keys of each row, with their vertex in one number, and the totals.

    ``outputs`` are where the next of each row goes, the two arrays, and the keys' width.
    """

    @device
    def look(row, lane, step, table, data):
        keys, totals, base, size = table
        cursors, pairs, found, width = data.outputs
        mine = np.int64(0)  # places are asked for once: a row's cursor is one word for all
        for i in range(lane, size + 1, step):
            mine += np.int64(keys[base + i] != 0)
        if mine == 0:
            return 0
        place = np.int64(add(cursors, row.v, mine))
        for i in range(lane, size + 1, step):
            word = keys[base + i]
            if word != 0:
                pairs[place] = np.int64(row.v) * width + key_at(word, i, size)
                found[place] = totals[base + i]
                place += 1
        return 0

    return Walk(look)
