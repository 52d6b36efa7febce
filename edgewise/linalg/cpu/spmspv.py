"""Products with a sparse vector on CPU threads.

To push, every thread owns a range of the result and walks the part of each row in it, found by
bisection. No two threads write to one place, and sums are the same for any number of threads.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any

import numpy as np

from edgewise.base.cache import inlined, kernel
from edgewise.base.check_bounds import debugging
from edgewise.base.cpu.bisection import lower_bound
from edgewise.base.cpu.team import grab
from edgewise.base.threads import launch, team_for
from edgewise.graph.csr import index_dtype
from edgewise.linalg.cpu.dense_products import unsigned_rows
from edgewise.operators.adjacency import unsigned
from edgewise.operators.cpu.inner import cast, take, weight_at
from edgewise.operators.cpu.state import edges_from
from edgewise.operators.functions import compiled, naming_failures, plain

__all__ = ["pull", "push"]

#: The largest team: every thread reads every row.
_TEAM = 8
#: Entries whose columns say how to share them.
_SAMPLE = 1024
#: A bound on the work up to which the work itself is not counted: one thread does it.
_FEW = 1 << 12
#: Rows that a thread pulls at a time.
_CHUNK = 512


def push(
    operand: Any, vector: Any, message: Any, ring: Any, kind: Any, rows: Any
) -> tuple[Any, Any]:
    """The combined messages along the rows of ``operand`` at the vector's entries."""
    operand = operand.sorted()
    sent = vector.values if "value" in message.names else None
    at, n = vector.indices, operand.shape[1]
    work = len(at) * operand.longest_row
    if work > _FEW:
        work = edges_from(operand.indptr, at)
    team, many = min(team_for(work), _TEAM), work > n and not ring.add.early_exit
    run, combine = _prepared(ring, message, many, debugging())
    lists = unsigned_rows(operand, "weight" in message.names)
    allowed = None
    if rows is not None:
        allowed = np.zeros(n, np.bool_)
        allowed[rows] = True
    cuts = _whole(n) if team == 1 else _cuts(operand, at, team, n)
    counts = np.empty(team, np.int64)
    spare = operand.__dict__.setdefault("_accumulators", {}).setdefault(kind, [])
    try:
        sums, marks, order = arrays = spare.pop()
    except IndexError:
        sums, marks, order = arrays = _accumulator(kind, n)
    if many:
        sums[:] = ring.zero_for(kind)
    with naming_failures(message, combine):
        launch(run, lists, unsigned(at), sent, allowed, cuts, (*arrays, counts), work=work,
               team=team)  # fmt: skip
    if many:
        found = np.flatnonzero(marks if allowed is None else marks & allowed).astype(order.dtype)
        marks[:] = 0
    else:
        found = (
            order[: counts.item(0)].copy() if team == 1 else
            np.concatenate([order[cuts[t] : cuts[t] + counts[t]] for t in range(team)])
        )  # fmt: skip
    result = sums.take(found)
    spare.append(arrays)  # not after an error, which leaves marks
    return found, result


def pull(
    operand: Any, vector: Any, message: Any, ring: Any, kind: Any, rows: Any
) -> tuple[Any, Any]:
    """The combined messages to the rows of ``operand``, or to some, from the vector's entries."""
    send, combine = plain(message, ("value", "weight")), compiled(ring.add.combine, "add", 2)
    present = np.zeros(operand.shape[1], np.bool_)
    present[vector.indices] = True
    sent = None
    if "value" in message.names:
        sent = np.zeros(operand.shape[1], vector.values.dtype)
        sent[vector.indices] = vector.values
    every = rows is None
    ids = np.empty(0, np.int64) if every else rows
    count = operand.shape[0] if every else len(rows)
    found, sums = np.empty(count, np.bool_), np.empty(count, kind)
    lists = unsigned_rows(operand, "weight" in message.names)
    with naming_failures(message, combine):
        launch(_pull_kernel(send, combine, ring.add.early_exit), count, lists, ids, present, sent,
               ring.zero_for(kind), found, sums, work=operand.nnz + count)  # fmt: skip
    kept = np.flatnonzero(found)
    return (kept if every else rows[kept]).astype(index_dtype(operand.shape[0])), sums[kept]


def _cuts(operand: Any, at: Any, team: int, n: int) -> np.ndarray:
    """Where the ranges of the threads begin, by a sample of the columns, and end."""
    some = at[:: max(1, len(at) // _SAMPLE)]
    low, high = operand.indptr[some], operand.indptr[some + 1]
    several = [operand.indices[low + (high - low) * k // 4] for k in range(4) if operand.nnz]
    columns = np.sort(np.concatenate([one[high > low] for one in several]))
    inside = (
        columns[np.arange(1, team) * len(columns) // team] if len(columns) else [0] * (team - 1)
    )
    return np.array([0, *inside, n], np.int64)


@lru_cache(256)
def _whole(n: int) -> np.ndarray:
    """The one range of a thread that works alone."""
    return np.array([0, n], np.int64)


def _accumulator(kind: Any, n: int) -> tuple:
    """Sums, marks (all clear) and a list, which are kept with the matrix."""
    return np.empty(n, kind), np.zeros(n, np.uint8), np.empty(n, index_dtype(n))


@lru_cache(256)
def _prepared(ring: Any, message: Any, many: bool, checked: bool) -> tuple:
    """The kernel that pushes, and the compiled addition."""
    send, combine = plain(message, ("value", "weight")), compiled(ring.add.combine, "add", 2)
    return _push_kernel(send, combine, ring.add.early_exit, many), combine


@cache
def _push_kernel(send: Any, combine: Any, early_exit: bool, many: bool) -> Any:
    """The kernel; with ``many`` products sums begin as zeros, and nothing is asked or listed."""

    @inlined
    def add(v, new, allowed, sums, marks, order, count):
        marks[v] = 1
        sums[v] = cast(sums, combine(sums[v], cast(sums, new)))
        return count

    @inlined
    def list_new(v, new, allowed, sums, marks, order, count):
        if marks[v] == 0:
            if allowed is not None and not allowed[v]:
                return count
            marks[v] = 1
            sums[v] = cast(sums, new)
            order[count] = v
            return count + np.uint64(1)
        if not early_exit:
            sums[v] = cast(sums, combine(sums[v], cast(sums, new)))
        return count

    land = add if many else list_new

    @kernel(borrows=True)
    def push_rows(me, team, control, lists, at, sent, allowed, cuts, arrays):
        indptr, indices, weights = lists
        sums, marks, order, counts = arrays
        while True:
            part, stop = grab(control, 0, 1, len(cuts) - 1)
            if part == stop:
                break
            least, most = np.uint64(cuts[part]), np.uint64(cuts[part + 1])
            count, whole = least, len(cuts) == 2
            for i in range(len(at)):
                u = np.uint64(at[i])
                low, high = indptr[u], indptr[u + np.uint64(1)]
                if not whole:
                    low = np.uint64(lower_bound(indices, low, high, least))
                    high = np.uint64(lower_bound(indices, low, high, most))
                value = take(sent, i)
                for e in range(low, high):
                    new = send(value, weight_at(weights, e), ())
                    v = np.uint64(indices[e])
                    count = land(v, new, allowed, sums, marks, order, count)
            counts[part] = np.int64(count - least)
            for i in range(least, count):  # so that marks are clear for the next call
                marks[order[i]] = 0

    return push_rows


@cache
def _pull_kernel(send: Any, combine: Any, early_exit: bool) -> Any:
    @inlined
    def pull_first(v, lists, present, sent, zero):
        indptr, indices, weights = lists
        for e in range(indptr[v], indptr[v + np.uint64(1)]):
            u = np.uint64(indices[e])
            if present[u]:
                return cast(zero, send(take(sent, u), weight_at(weights, e), ())), True
        return zero, False

    @inlined
    def pull_all(v, lists, present, sent, zero):
        indptr, indices, weights = lists
        total, some = zero, False
        for e in range(indptr[v], indptr[v + np.uint64(1)]):
            u = np.uint64(indices[e])
            new = cast(total, send(take(sent, u), weight_at(weights, e), ()))
            new = cast(total, combine(total, new))  # a choice of two values needs no jump
            total = new if present[u] else total
            some |= present[u]
        return total, some

    pull_row = pull_first if early_exit else pull_all

    @kernel(borrows=True)
    def pull_rows(me, team, control, count, lists, ids, present, sent, zero, found, sums):
        while True:
            low, high = grab(control, 0, _CHUNK, count)
            if low == high:
                break
            for i in range(low, high):
                v = np.uint64(ids[i]) if len(ids) else np.uint64(i)
                sums[i], found[i] = pull_row(v, lists, present, sent, zero)

    return pull_rows
