"""`reduce_all` on CUDA: the same number every time.

The grid depends on the count alone. Every thread strides over the members, every block combines
its threads' totals in a tree, and one more block combines those.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from edgewise.base.cuda.kernels import device, kernel, translated
from edgewise.base.cuda.language import cuda
from edgewise.base.cuda.mapped_memory import Report
from edgewise.operators.cuda.compute import member_reader
from edgewise.operators.cuda.inner import cast, put, take
from edgewise.operators.cuda.state import THREADS, blocks_for
from edgewise.operators.cuda.totals import Totals, block_folder, joiner
from edgewise.operators.functions import compiled, naming_failures
from edgewise.operators.workspace import borrowed

__all__ = ["reduce_all"]

#: Blocks at most; a block with less than so many members per thread is not worth another one.
_BLOCKS, _EACH = 1024, 4


def reduce_all(graph, request) -> Any:
    """See `edgewise.operators.reduce_all`."""
    arrays, reduce, dtypes, frontier, function = request
    everyone, length = frontier is None, graph.num_vertices if function else len(arrays[0])
    ids, count = (graph.indptr, length) if everyone else (frontier.ids, len(frontier))
    identity, alone = reduce.identity_for(*dtypes), request.single
    if count == 0:
        return identity.item() if alone else tuple(one.item() for one in identity)
    blocks = min(blocks_for(count, THREADS * _EACH), _BLOCKS)
    function = compiled(function, "function", 1 + len(arrays))
    combine = compiled(reduce.combine, "reduce.combine", 2)
    inside, merge = translated(function), translated(combine)

    def fold(function, everyone, blocks, count, arrays, totals) -> None:
        run = reduce_kernel(function, Totals(merge, dtypes, reduce.early_exit), everyone)
        run(blocks, THREADS, (ids, totals[0] if alone else totals), count, arrays, identity)

    def make() -> tuple[Report, ...]:
        return tuple(Report(graph.xp, 1, dtype) for dtype in dtypes)

    with naming_failures(function, combine), borrowed(graph, ("reduced", dtypes), make) as reports:
        last = tuple(one.words for one in reports)
        if blocks == 1:
            fold(inside, everyone, 1, count, arrays, last)
        else:
            totals = tuple(graph.xp.empty(blocks, dtype) for dtype in dtypes)
            fold(inside, everyone, blocks, count, arrays, totals)
            fold(None, True, 1, blocks, totals, last)
        found = tuple(one.read()[0] for one in reports)
    return found[0] if alone else found


@cache
def reduce_kernel(function, totals: Totals, everyone) -> Any:
    """The pass for one function of the members and one monoid."""
    member, term = member_reader(everyone), _term(function, len(totals.dtypes))
    join, whole = joiner(totals), block_folder(totals, THREADS)

    @kernel
    def fold(lists, count, arrays, identity):
        ids, partial = lists
        total = identity
        for i in range(cuda.grid(1), count, cuda.gridsize(1)):
            total = join(total, cast(identity, term(member(ids, i), arrays)), identity)
        total = whole(total, identity)
        if cuda.threadIdx.x == 0:
            put(partial, cuda.blockIdx.x, total)

    return fold


def _term(function, count) -> Any:
    """``term(v, arrays)``: what is reduced, the elements of the arrays if there is no function."""
    if function is not None:
        return device(lambda v, arrays: function(v, *arrays))
    if count > 1:
        return device(lambda v, arrays: take(arrays, v))
    return device(lambda v, arrays: arrays[0][v])
