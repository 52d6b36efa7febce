"""`reduce_all` on CPU threads: blocks of fixed size, so that every team gives the same sum."""

from __future__ import annotations

from functools import cache

import numpy as np

from edgewise.base.cache import inlined, inner
from edgewise.base.cpu.team import barrier
from edgewise.base.threads import launch
from edgewise.operators.cpu.inner import cast, put, same, take
from edgewise.operators.cpu.state import listed
from edgewise.operators.cpu.walk import member, over
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
        data = (ids, count, arrays, identity, partial[0] if request.single else partial)
        launch(run, blocks - 1, 1, data, work=count)
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

    @inlined
    def block(i, me, control, data):
        ids, count, arrays, identity, partial = data
        total = identity
        for j in range(i * _BLOCK, min(i * _BLOCK + _BLOCK, count)):
            new = cast(partial, term(member(ids, j), *arrays))
            total = join(total, new, identity, partial)
        put(partial, i, total)

    @inner
    def whole(me, team, control, data):
        """One thread joins the totals of all blocks."""
        _, count, _, identity, partial = data
        if not barrier(control, team) or me != 0:
            return
        total, last = identity, -(-count // _BLOCK)
        for i in range(last):
            total = join(total, take(partial, i), identity, partial)
        put(partial, last, total)

    return over(block, whole)


def _element(v, *values):
    """What is reduced if there is no function: the elements of one array, or of several."""
    return take(values, v) if len(values) > 1 else values[0][v]
