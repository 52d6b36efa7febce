"""`reduce_all` on CPU threads: blocks of fixed size, so that every team gives the same sum."""

from __future__ import annotations

from functools import cache

import numpy as np

from edgewise.base.cache import inlined, inner, kernel
from edgewise.base.cpu.team import barrier, grab
from edgewise.base.threads import launch
from edgewise.operators.cpu.inner import cast, put, same, take
from edgewise.operators.cpu.state import listed
from edgewise.operators.cpu.visit import member
from edgewise.operators.functions import compiled, naming_failures

__all__ = ["reduce_all"]

_BLOCK = 4096


def reduce_all(graph, request):
    """See `edgewise.operators.reduce_all`."""
    arrays, reduce, dtypes, frontier, function = request
    ids, count = listed(frontier, graph.num_vertices if function else len(arrays[0]))
    identity = reduce.identity_for(*dtypes)
    blocks = -(-count // _BLOCK) + 1
    partial = tuple([np.empty(blocks, one) for one in dtypes])
    function = compiled(function, "function", 1 + len(arrays))
    combine = compiled(reduce.combine, "reduce.combine", 2)
    run = reduce_kernel(function, combine, reduce.early_exit)
    with naming_failures(function, combine):
        launch(run, ids, count, arrays, identity, partial[0] if request.single else partial,
               work=count)  # fmt: skip
    totals = tuple([one[-1].item() for one in partial])
    return totals[0] if request.single else totals


@cache
def reduce_kernel(function, combine, early_exit):
    """The kernel for one function of the members and one monoid."""
    term = function or inner(_element)

    @inlined
    def join(total, new, identity, partial):
        if early_exit and not same(total, identity):
            return total
        return cast(partial, combine(total, new))

    @kernel(borrows=True)
    def fold(me, team, control, ids, count, arrays, identity, partial):
        while True:
            low, high = grab(control, 0, _BLOCK, count)
            if low == high:
                break
            total = identity
            for i in range(low, high):
                new = cast(partial, term(member(ids, i), *arrays))
                total = join(total, new, identity, partial)
            put(partial, low // _BLOCK, total)
        if not barrier(control, team):
            return
        if me == 0:
            total, last = identity, -(-count // _BLOCK)
            for i in range(last):
                total = join(total, take(partial, i), identity, partial)
            put(partial, last, total)

    return fold


def _element(v, *values):
    """What is reduced if there is no function: the elements of one array, or of several."""
    return take(values, v) if len(values) > 1 else values[0][v]
