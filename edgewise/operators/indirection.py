"""`look_up` and `deliver` on one device of any kind: calls of `compute` over all vertices."""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.base import atomic
from edgewise.operators.frontier import Frontier
from edgewise.operators.members import compute, filter
from edgewise.operators.monoids import ADD, MAX, MIN, Monoid

__all__ = ["deliver", "look_up"]


def look_up(graph: Any, values: Any, at: Any, out: Any) -> Any:
    """See `edgewise.operators.look_up`; the arrays are checked."""
    xp, n = graph.xp, graph.num_vertices
    _check_ids(at)
    if out is None:
        out = xp.empty(n, values.dtype)
    elif out.dtype != values.dtype:
        raise TypeError(f"out must have the dtype of values ({values.dtype}), got {out.dtype}")
    elif xp.may_share_memory(out, values):
        raise ValueError("out must not be values itself: others still look them up")
    wrong = xp.zeros(1, np.int32)
    compute(graph, None, _take, (values, at, out, n, wrong))
    if wrong[0]:
        raise ValueError(f"at must hold vertex ids from 0 to {n - 1}")
    return out


def deliver(graph: Any, values: Any, at: Any, messages: Any, reduce: Any) -> Frontier:
    """See `edgewise.operators.deliver`; the arrays are checked."""
    xp, n = graph.xp, graph.num_vertices
    _check_ids(at)
    if not isinstance(reduce, Monoid) or reduce not in _GIVE:
        raise TypeError(f"reduce must be MIN, MAX or ADD to deliver, got {reduce!r}")
    if values.dtype.kind not in "iuf" or values.dtype.itemsize < 4:
        raise TypeError(f"values must be numbers of 32 or 64 bits, got dtype {values.dtype}")
    before, wrong = values.copy(), xp.zeros(1, np.int32)
    at = at.copy() if xp.may_share_memory(at, values) else at
    messages = before if messages is values else messages.astype(values.dtype, copy=False)
    if xp.may_share_memory(messages, values):
        messages = messages.copy()
    compute(graph, None, _GIVE[reduce], (values, at, messages, n, wrong))
    if wrong[0]:
        values[:] = before
        raise ValueError(f"at must hold vertex ids from 0 to {n - 1}, or -1 to send nothing")
    return filter(graph, None, _changed, (before, values))


def _check_ids(at: Any) -> None:
    if at.dtype.kind not in "iu":
        raise TypeError(f"at must be an array of integers, got dtype {at.dtype}")


def _take(v, values, at, out, n, wrong):
    if 0 <= at[v] < n:
        out[v] = values[np.uint64(at[v])]
    else:
        wrong[0] = 1


def _lower(v, values, at, messages, n, wrong):
    if 0 <= at[v] < n:
        if messages[v] < values[np.uint64(at[v])]:  # a look costs less than an update
            atomic.min(values, np.int64(at[v]), messages[v])
    elif at[v] != -1:
        wrong[0] = 1


def _raise(v, values, at, messages, n, wrong):
    if 0 <= at[v] < n:
        if messages[v] > values[np.uint64(at[v])]:
            atomic.max(values, np.int64(at[v]), messages[v])
    elif at[v] != -1:
        wrong[0] = 1


def _add(v, values, at, messages, n, wrong):
    if 0 <= at[v] < n:
        atomic.add(values, np.int64(at[v]), messages[v])
    elif at[v] != -1:
        wrong[0] = 1


def _changed(v, before, after):
    return before[v] != after[v] and (before[v] == before[v] or after[v] == after[v])


_GIVE = {MIN: _lower, MAX: _raise, ADD: _add}
