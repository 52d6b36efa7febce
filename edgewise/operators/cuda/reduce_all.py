"""`reduce_all` on CUDA: the same number every time.

The grid depends on the count alone. Every thread strides over the members, every block combines
its threads' totals in a tree, and one more block combines those.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from edgewise.base.cuda.kernels import device, kernel, translated
from edgewise.base.cuda.language import cuda
from edgewise.operators.cuda.compute import member_reader
from edgewise.operators.cuda.inner import caster
from edgewise.operators.cuda.plan import THREADS
from edgewise.operators.cuda.rows import block_folder, joiner
from edgewise.operators.cuda.state import blocks_for, state_tuple
from edgewise.operators.frontier import check_members
from edgewise.operators.functions import compiled, naming_failures
from edgewise.operators.monoids import check_monoid

__all__ = ["reduce_all"]

#: Blocks at most; a block with less than so many members per thread is not worth another one.
_BLOCKS, _EACH = 1024, 4


def reduce_all(graph, values, reduce, frontier, function, dtype) -> Any:
    """See `edgewise.operators.reduce_all`."""
    check_monoid(reduce, single=True)
    arrays = state_tuple(graph, values, "values")
    if function is None and (len(arrays) != 1 or np.ndim(arrays[0]) != 1):
        raise TypeError("values must be one array, or come with a function of them")
    check_members(graph, frontier)
    if function is None and frontier is not None and frontier.size != len(arrays[0]):
        raise ValueError(
            f"values must have one entry per member of 0..{frontier.size - 1} to take a frontier "
            f"of {frontier.kind}, got {len(arrays[0])}"
        )
    length = len(arrays[0]) if function is None else graph.num_vertices
    everyone = frontier is None
    ids, count = (graph.indptr, length) if everyone else (frontier.ids, len(frontier))
    wide = np.dtype(_wide(arrays, reduce, function) if dtype is None else dtype)
    identity = reduce.identity_for(wide)
    if count == 0:
        return identity.item()
    blocks = min(blocks_for(count, THREADS * _EACH), _BLOCKS)
    function = compiled(function, "function", 1 + len(arrays))
    combine = compiled(reduce.combine, "reduce.combine", 2)
    inside, merge = translated(function), translated(combine)
    partial, total = graph.xp.empty(blocks, wide), graph.xp.empty(1, wide)
    with naming_failures(function, combine):
        run = reduce_kernel(inside, merge, wide, everyone, reduce.early_exit)
        run(blocks, THREADS, (ids, partial), count, arrays, identity)
        if blocks > 1:
            run = reduce_kernel(None, merge, wide, True, reduce.early_exit)
            run(1, THREADS, (ids, total), blocks, (partial,), identity)
    return (partial if blocks == 1 else total)[0].item()


def _wide(arrays, reduce, function) -> Any:
    """The type to reduce in, if none is asked for."""
    kind = "f" if function is not None else arrays[0].dtype.kind
    if kind == "b" and reduce.combine(1, 1) == 2:
        return np.int64
    return {"f": np.float64, "i": np.int64, "u": np.uint64, "b": np.bool_}[kind]


@cache
def reduce_kernel(function, combine, dtype, everyone, early_exit) -> Any:
    """The pass for one function of the members and one monoid."""
    member, cast = member_reader(everyone), caster((dtype,))
    term = function or device(lambda v, values: values[v])
    join = joiner(combine, (dtype,), early_exit)
    whole = block_folder(combine, (dtype,), early_exit, THREADS)

    @kernel
    def fold(lists, count, arrays, identity):
        ids, partial = lists
        total = identity
        for i in range(cuda.grid(1), count, cuda.gridsize(1)):
            total = join(total, cast(term(member(ids, i), *arrays)), identity)
        total = whole(total, identity)
        if cuda.threadIdx.x == 0:
            partial[cuda.blockIdx.x] = total

    return fold
