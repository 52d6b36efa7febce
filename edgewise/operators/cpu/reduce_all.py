"""`reduce_all` on CPU threads: blocks of fixed size, so that every team gives the same sum."""

from __future__ import annotations

from functools import cache

import numpy as np

from edgewise.base.cache import inner, kernel
from edgewise.base.cpu.team import barrier, grab
from edgewise.base.threads import launch
from edgewise.operators.cpu.state import check_members, listed, state_tuple
from edgewise.operators.cpu.visit import member
from edgewise.operators.functions import compiled, naming_failures
from edgewise.operators.monoids import check_monoid

__all__ = ["reduce_all"]

_BLOCK = 4096


def reduce_all(graph, values, reduce, frontier, function, dtype):
    """See `edgewise.operators.reduce_all`."""
    check_monoid(reduce, single=True)
    arrays = state_tuple(values, "values")
    if function is None and (len(arrays) != 1 or np.ndim(arrays[0]) != 1):
        raise TypeError("values must be one array, or come with a function of them")
    check_members(graph, frontier)
    if function is None and frontier is not None and frontier.size != len(arrays[0]):
        raise ValueError(
            f"values must have one entry per member of 0..{frontier.size - 1} to take a frontier "
            f"of {frontier.kind}, got {len(arrays[0])}"
        )
    length = len(arrays[0]) if function is None else graph.num_vertices
    ids, count = listed(frontier, length)
    kind = "f" if function is not None else arrays[0].dtype.kind
    wide = {"f": np.float64, "i": np.int64, "u": np.uint64, "b": np.bool_}.get(kind)
    if wide is None:
        raise TypeError(f"values must be numbers, got dtype {arrays[0].dtype}")
    if wide is np.bool_ and reduce.combine(1, 1) == 2:
        wide = np.int64
    if dtype is not None:
        wide = np.dtype(dtype).type
    identity = reduce.identity_for(wide)
    partial = np.full(-(-count // _BLOCK) + 1, identity, wide)
    function = compiled(function, "function", 1 + len(arrays))
    combine = compiled(reduce.combine, "reduce.combine", 2)
    with naming_failures(function, combine):
        launch(reduce_kernel(function, combine), ids, count, arrays, identity, partial, work=count)
    return partial[-1].item()


@cache
def reduce_kernel(function, combine):
    term = function or inner(lambda v, values: values[v])

    @kernel(borrows=True)
    def fold(me, team, control, ids, count, arrays, identity, partial):
        cast = partial.dtype.type
        while True:
            low, high = grab(control, 0, _BLOCK, count)
            if low == high:
                break
            total = identity
            for i in range(low, high):
                total = cast(combine(total, cast(term(member(ids, i), *arrays))))
            partial[low // _BLOCK] = total
        if not barrier(control, team):
            return
        if me == 0:
            total = identity
            for i in range(len(partial) - 1):
                total = cast(combine(total, partial[i]))
            partial[-1] = total

    return fold
