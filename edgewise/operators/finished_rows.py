"""Rows of totals by key, finished and shortened, on every engine.

CPU threads call the compiled function as soon as a row is complete. Other engines call it with
`for_each` for the rows of a batch.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from edgewise.base.cache import inner
from edgewise.base.offsets import offsets
from edgewise.graph.transfer import rows_of
from edgewise.operators.choices import better_by
from edgewise.operators.finishing import FINISH_NAMES, Finishing
from edgewise.operators.fitting import whole
from edgewise.operators.functions import compiled, looking, picker
from edgewise.operators.items import for_each
from edgewise.operators.results import Grouped

__all__ = ["finisher", "in_order", "shortened"]


def finisher(finishing: Finishing, dtype: np.dtype) -> Any:
    """``finish_row(v, keys, totals, at, count, rules, params)``, which returns the new length."""
    function = finishing.function
    if function is None:
        return _row_finisher(_total, False, np.dtype(dtype))
    call = picker(function, FINISH_NAMES, "finish")
    return _row_finisher(call, "row_sum" in function.names, np.dtype(dtype))


def shortened(xp: Any, device: str, rows: Grouped, ids: Any, finishing: Finishing) -> Grouped:
    """The finished rows, which belong to the vertices ``ids``.

    It changes the keys and totals that it is given.
    """
    dtype, count = rows.totals.dtype, len(rows.keys)
    counts = xp.zeros(len(ids), np.int64)
    state = (rows.indptr, rows.keys, rows.totals, counts, ids, *finishing.rules(dtype))
    each = compiled(_finish_each(finisher(finishing, dtype)), "finish")
    if finishing.function is not None:
        looking(each, finishing.function.given)
    for_each(len(ids), each, (*state, *finishing.params), device=device, work=count)
    of = rows_of(rows.indptr, count, np.int64, xp)
    kept = xp.arange(count) - rows.indptr[of] < counts[of]
    return Grouped(offsets(counts), rows.keys[kept], rows.totals[kept])


def in_order(xp: Any, rows: Grouped) -> Grouped:
    """The rows with ascending keys."""
    of = rows_of(rows.indptr, len(rows.keys), np.int64, xp)
    order = xp.lexsort(xp.stack([rows.keys.astype(np.int64, copy=False), of]))
    return Grouped(rows.indptr, rows.keys[order], rows.totals[order])


@cache
def _finish_each(finish_row: Any) -> Any:
    """The function of `for_each` that finishes row i."""

    def finish_one(i, indptr, keys, totals, counts, ids, keep, bounded, least, zero, *params):
        at = np.int64(indptr[i])
        count, rules = np.int64(indptr[i + 1]) - at, (keep, bounded, least, zero)
        counts[i] = finish_row(np.int64(ids[i]), keys, totals, at, count, rules, params)

    return finish_one


@cache
def _row_finisher(call: Any, summed: bool, dtype: np.dtype) -> Any:
    """The function that finishes a row in place and returns its new length."""
    kind, integral = dtype.type, dtype.kind in "iu"
    convert = inner((lambda new: kind(whole(new))) if integral else (lambda new: kind(new)))

    @inner
    def finish_row(v, keys, totals, at, count, rules, params):
        keep, bounded, least, row_sum = rules
        if summed:
            for j in range(at, at + count):
                row_sum += totals[j]
        end = at
        for j in range(at, at + count):
            new = convert(call((v, np.int64(keys[j]), totals[j], row_sum, *params)))
            if not bounded or new >= least:
                keys[end], totals[end] = keys[j], new
                end += 1
        if keep < 0 or keep >= end - at:
            return end - at
        _select(keys, totals, at, end, keep)
        return keep

    return finish_row


@inner
def _total(every):
    return every[2]


_better = better_by(False, inner)


@inner
def _select(keys, totals, low, high, wanted):
    """Bring the largest so many totals to the front (Hoare's selection); ties by the least key."""
    first, last, end = low, high - 1, low + wanted - 1
    while first < last:
        middle, i, j = (first + last) // 2, first, last
        pivot, pivot_key = totals[middle], np.int64(keys[middle])
        while i <= j:
            while _better(totals[i], np.int64(keys[i]), pivot, pivot_key):
                i += 1
            while _better(pivot, pivot_key, totals[j], np.int64(keys[j])):
                j -= 1
            if i <= j:
                keys[i], keys[j] = keys[j], keys[i]
                totals[i], totals[j] = totals[j], totals[i]
                i += 1
                j -= 1
        if end <= j:
            last = j
        elif end >= i:
            first = i
        else:
            break
