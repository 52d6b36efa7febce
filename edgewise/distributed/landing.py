"""Queues that arrive: values combined into state, at each vertex at most once per queue.

Because no vertex is twice in one rank's queue, the elements are independent of each other. The
built-in monoids are array arithmetic; a user's own is compiled into `for_each`.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from edgewise.distributed.elementwise import putter, sameness, some, taker
from edgewise.operators import ADD, AND, MAX, MIN, OR, for_each
from edgewise.operators.functions import compiled

if TYPE_CHECKING:
    from edgewise.distributed.graph import GridGraph

__all__ = ["dense_operation", "joined", "landed", "operation_name"]

_NAMES = {id(MIN): "min", id(MAX): "max", id(ADD): "sum"}
#: The built-in monoids as array arithmetic.
_UFUNCS = {
    id(MIN): "minimum",
    id(MAX): "maximum",
    id(ADD): "add",
    id(OR): "bitwise_or",
    id(AND): "bitwise_and",
}


def operation_name(reduce: Any) -> str | None:
    """What communicators call a built-in monoid, if they know it."""
    return _NAMES.get(id(reduce))


def dense_operation(xp: Any, reduce: Any, values: tuple) -> Any:
    """How `allreduce` can combine whole arrays; None if only queues will do."""
    if len(values) != 1:
        return None
    if id(reduce) in _UFUNCS:
        return operation_name(reduce) or getattr(xp, _UFUNCS[id(reduce)])
    if not reduce.early_exit:
        return None
    missing = reduce.identity_for(values[0].dtype)
    return lambda old, new: xp.where(old == missing, new, old)


def landed(graph: GridGraph, reduce: Any, values: tuple, ids: Any, arriving: tuple) -> Any:
    """Combine what arrives at ``ids`` into the values; those of the ids where that changed them."""
    xp = graph.block.xp
    if values[0].ndim == 2:
        return _landed_rows(graph, reduce, values[0], ids, arriving[0])
    if id(reduce) in _UFUNCS and len(values) == 1:
        old = values[0][ids]
        new = getattr(xp, _UFUNCS[id(reduce)])(old, arriving[0])
        changed = new != old
        if new.dtype.kind == "f":
            changed &= (new == new) | (old == old)
        values[0][ids] = new
        return ids[changed]
    if reduce.early_exit and len(values) == 1:
        missing = reduce.identity_for(values[0].dtype)
        ids, new = (one[values[0][ids] == missing] for one in (ids, arriving[0]))
        values[0][ids] = new
        return ids[new != missing]
    flags = xp.zeros(len(ids), bool)
    identity = reduce.identity_for(*(array.dtype for array in values))
    identity = identity if isinstance(identity, tuple) else (identity,)
    function = _landing(compiled(reduce.combine, "reduce.combine", 2), len(values),
                        reduce.early_exit)  # fmt: skip
    state = (ids, flags, *values, *arriving, *identity)
    for_each(len(ids), function, state, device=graph.device)
    return ids[flags]


def _landed_rows(graph: GridGraph, reduce: Any, values: Any, ids: Any, arriving: Any) -> Any:
    """The same for rows, number by number."""
    xp, width = graph.block.xp, values.shape[1]
    at = (ids.astype(np.int64)[:, None] * width + xp.arange(width)).reshape(-1)
    changed = landed(graph, reduce, (values.reshape(-1),), at, (arriving.reshape(-1),))
    return xp.unique(changed // width).astype(ids.dtype)


def joined(graph: GridGraph, reduce: Any, fresh: Any, arrays: tuple) -> Any:
    """Combine runs of neighbors to one each, at the places where ``fresh`` says that a run begins.

    By halving: in each turn those at every other place take in the next, so that a run of r takes
    log2(r) turns; what is combined with what depends on the run alone.
    """
    xp = graph.block.xp
    first = xp.flatnonzero(fresh)
    if len(first) == len(fresh):
        return first
    sizes = xp.diff(xp.concatenate([first, xp.asarray([len(fresh)])]))
    run = fresh.cumsum() - 1
    place = xp.arange(len(fresh)) - first[run]
    left = xp.flatnonzero(place + 1 < sizes[run])
    step = 1
    while len(
        left := left[(place[left] % (2 * step) == 0) & (place[left] + step < sizes[run[left]])]
    ):
        landed(graph, reduce, arrays, left, tuple(array[left + step] for array in arrays))
        step *= 2
    return first


@cache
def _landing(combine: Any, width: int, early_exit: bool) -> Any:
    """``land(i, ids, flags, *values, *arriving, *identity)`` for values of this width."""
    take, put, same = taker(width), putter(width), sameness(width)
    twice, missing = 2 * width, some(width, 2 * width)

    def land(i, ids, flags, *rest):
        at, values = ids[i], rest[:width]
        old = take(values, at)
        if early_exit and not same(old, missing(rest)):
            return
        new = combine(old, take(rest[width:twice], i))
        if not same(new, old):
            put(values, at, new)
            flags[i] = True

    return land
